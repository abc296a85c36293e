"""``derivation()`` of every kind of design: it is complete, its LaTeX compiles in the page, and its numbers are right.

The numbers are tested by what a reader would do: the prices are put in at random rows, not only at the edges that the
proof names, with formulas of the objectives of this file.
"""

from __future__ import annotations

import math
import random
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy as sp
from few_rows import few_rows

from rropt import design, every_level, information_twins, objectives, privacy, twins
from rropt.core.errors import UnsupportedProblemError
from rropt.designs import Problem, solve
from rropt.designs.bits import design_bits
from rropt.designs.mean_designs import design_mean
from rropt.designs.orders.admissibility import admissible
from rropt.designs.orders.partial_orders import partial_order
from rropt.designs.orders.sufficiency import compare
from rropt.designs.prevalence_intervals import solve_over_interval
from rropt.designs.repairs import repair
from rropt.mechanisms import Mechanism, named_mechanism
from rropt.objectives import ChiSquare
from rropt.plans.group_plans import plan_strata
from rropt.privacy import PrivacyRegion, parity_bound
from rropt.privacy.bound import judge
from rropt.privacy.criteria import canonical_information_privacy, rho_to_rho
from rropt.symbolic.active import interval_of
from rropt.symbolic.derivations import CARDS, COQ, Derivation, joined
from rropt.symbolic.fields import ends
from rropt.symbolic.sums import expression_of

ROOT = Path(__file__).parents[2]
F = Fraction
P3, Q3, P4 = ["1/2", "1/3", "1/6"], ["1/6", "1/3", "1/2"], ["2/5", "3/10", "1/5", "1/10"]
LOSS = [[0.8, 0.1], [0.2, 0.9]]


def kary(objective: Any, epsilon: str | None = "log(3)", **more: Any) -> Callable[[], Any]:
    if epsilon == "all":
        return lambda: every_level(design.kary, objective=objective, fast=True, **more)
    own = more if "level" in more else {"epsilon": epsilon, **more}
    return lambda: solve(Problem.kary(objective=objective, **own), fast=True)


def binary(epsilon: str = "log(2)", prevalence: str = "2/5", **more: Any) -> Callable[[], Any]:
    if epsilon == "all":
        return lambda: every_level(design.binary, prevalence, fast=True, **more)
    return lambda: solve(Problem.binary(prevalence, epsilon=epsilon, **more), fast=True)


# the result, and a part that shows how it is proved: a heading, or the name of a theorem or claim
MADE: dict[str, tuple[Callable[[], Any], str]] = {
    "trace": (kary("trace", categories=3), "theorem_4_4a_trace_bound"),
    "trace, delta": (kary("trace", categories=3, delta="1/10"), "KKT system"),
    "loss": (kary("loss:absolute", population=P3), "staircase-rows"),
    "loss, delta, irrational": (kary("loss:absolute", "1", population=P3, delta="1/10"), "interval arithmetic"),
    "loss, seven": (kary("loss:absolute", categories=7), r"\min(0,e_j)"),
    "payoff": (kary("payoff", categories=3), r"d(i)"),
    "total variation": (kary(objectives.TotalVariation(Q3), population=P3), "KKT system"),
    "chi-square, delta": (kary(objectives.ChiSquare(Q3), population=P3, delta="1/10"), "check_sums_ok"),
    "Kullback-Leibler": (kary(objectives.KullbackLeibler(Q3), population=P3), "interval arithmetic"),
    "blocks": (
        kary(objectives.KullbackLeibler([F(1, 10)] * 10), "log(9)", population=[F(x, 55) for x in range(1, 11)]),
        "literature.ratio-blocks",
    ),
    "information": (kary("mutual-information", population=P3), "KKT system"),
    "information, delta": (kary("mutual-information", population=P3, delta="1/10"), "KKT system"),
    "information, six": (kary("mutual-information", categories=6), "KKT system"),
    "information, ten": (kary("mutual-information", categories=10), "No derivation"),
    "A": (kary("a-optimal", population=P4), "contrast_bound"),
    "A, delta": (kary("a-optimal", population=P3, delta="1/10"), "KKT system"),
    "A, free": (kary("a-optimal", "1", population=P4), "Witness"),
    "A, twenty": (kary("a-optimal", categories=20), "Closed form"),
    "A, three outputs": (kary("a-optimal", categories=3, outputs=3), "accepted"),
    "A, polytope": (kary("a-optimal", population="1/4..1/2,1/4..3/4"), "Witness"),
    "A, metric": (kary("a-optimal", categories=3, level=privacy.metric("line", "log(3)")), r"\gamma_n"),
    "c": (kary(objectives.Contrast([1, 2, 4]), population=P3), "Witness"),
    "contrasts": (kary(objectives.Contrasts([[1, -1, 0], [0, 1, -1]]), population=P3), "Witness"),
    "D": (kary("d-optimal", population=P3), "determinant_bound"),
    "E, equal": (kary("e-optimal", population=P3), r"\mu"),
    "E, even": (kary("e-optimal", categories=4), "A theorem gives the same value"),
    "numbers": (kary(objectives.ConditionalVariance([1, 2, 3]), categories=3), "check_conditional_ok"),
    "bounds": (kary("trace", categories=3, bounds=("1/4", None)), "the lower bound of"),
    "metric": (kary("loss:absolute", categories=3, level=privacy.metric("line", "log(2)")), r"\gamma^{2}"),
    "two outputs": (binary(), "holohan_theorem_2"),
    "two outputs, delta": (binary(delta="1/20"), "holohan_theorem_3_optimal"),
    "two outputs, above": (binary(prevalence="4/5", delta="1/20"), "holohan_corollary_2"),
    "two outputs, half": (binary(prevalence="1/2", delta="1/20"), "holohan_theorem_3_at_prevalence_one_half"),
    "two outputs, epsilon 0": (binary("0", delta="1/20"), "No derivation"),
    "Warner": (binary(symmetric=True), "holohan_theorem_4"),
    "three outputs": (binary(outputs=3, delta="1/10"), "garbling-of-four"),
    "any outputs": (binary(outputs="any", delta="1/10"), "In other words"),
    "interval": (lambda: solve_over_interval(PrivacyRegion("log(3)", "1/20"), "1/10..3/4", fast=True), "the hedge"),
    "every loss": (kary("loss:absolute", "all", population=P3), "The intervals cover all pieces"),
    "every trace, delta": (kary("trace", "all", categories=3, delta="1/10"), "lower_bound_ok"),
    "every E, delta": (kary("e-optimal", "all", categories=4, delta="1/10"), "inequalities of the means"),
    "every variance": (binary("all", "1/4"), "holohan_theorem_2"),
    "pram": (lambda: design.pram(P3, epsilon="log(4)", fast=True), "the invariance of category"),
    "pram, delta": (lambda: design.pram(P3, epsilon="log(4)", delta="1/20", fast=True), r"\sum_i e_{i,"),
    "repair, l1": (lambda: repair(LOSS, 1, "1/10", norm="l1", fast=True), "t_{1,1}"),
    "repair, max": (lambda: repair(LOSS, 1, norm="max", fast=True), r"\le t$"),
    "split": (lambda: design_bits(2, weights=[1, 2, 5], fast=True), "split_least"),
    "joint split": (lambda: design_bits("log(8)", questions=3, objective="joint", fast=True), "joint_split_least"),
    "mean": (lambda: design_mean("1/2", range=(-1, 1), points=5, fast=True), "first-regime"),
    "mean, second": (lambda: design_mean(1, range=(0, 4), points=5, fast=True), "second-regime"),
    "mean, values": (lambda: design_mean("log(3)", values=[1, 2, 4], fast=True), "Witness"),
    "B(h)": (lambda: parity_bound(canonical_information_privacy("sqrt(p)"), fast=True), "theorem_3_1"),
    "breach": (lambda: judge(named_mechanism("warner:5/6"), rho_to_rho("1/5", "1/2"), fast=True), "A breach"),
    "no breach": (lambda: judge(named_mechanism("warner:2/3"), rho_to_rho("1/5", "1/2"), fast=True), "is at most"),
    "infinite": (lambda: judge(Mechanism([[1, "1/2"], [0, "1/2"]]), rho_to_rho("1/5", "1/2"), fast=True), "infty"),
    "admissible": (lambda: admissible(named_mechanism("warner:3/4"), fast=True), "one layer"),
    "inadmissible": (
        lambda: admissible(Mechanism([["1/2", "1/3"], ["1/2", "2/3"]]), "log(3)", fast=True),
        "strictly more informative",
    ),
    "order": (
        lambda: compare(named_mechanism("warner:3/4"), named_mechanism("warner:2/3"), fast=True),
        "check_decision_ok",
    ),
    "partial order": (
        lambda: partial_order([named_mechanism(f"warner:{p}") for p in ("3/4", "2/3", "3/5")]),
        "check_garbling_ok",
    ),
    "strata": (lambda: plan_strata(named_mechanism("warner:3/4"), P3, P3, n=100, fast=True), "Neyman 1934"),
}


MOST_WORDS = 290  # of half a page, a formula as one; lists and lemmas stand behind it


def words(parts: Sequence[tuple[str, str]]) -> int:
    return sum(len(re.sub(r"\$\$.*?\$\$|\$.*?\$", "X", text, flags=re.DOTALL).split()) for _, text in parts)


LONG = (
    "A, delta",
    "mean, second",
    "information, delta",
    "chi-square, delta",
)  # seconds: the roots of large polynomials


@few_rows(2)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in LONG else name for name in MADE]
)
def test_a_derivation_is_complete(name: str) -> None:
    made, shown = MADE[name]
    found = made().derivation()
    text = found.markdown()
    assert isinstance(found, Derivation)
    assert shown in text
    assert "**Problem.**" in text
    assert re.search(r"\$\\blacksquare\$|\*\*No derivation\.\*\*", text)
    for each in (found, *found.further):
        assert words(each.parts) <= MOST_WORDS
        assert {head for head, _ in each.behind} == set(dict(each.behind))
    assert not re.search(r"\bnan\b|\bNone\b|CRootOf|\bzoo\b", text)
    assert not re.search(r"\\\w|_\{|\^\{", re.sub(r"\$\$.*?\$\$|\$.*?\$|`.*?`", "", text))  # no formula outside dollars
    assert text.count("$") % 2 == 0
    assert all(head and said for head, said in (*found.parts, *found.behind))
    assert str(found) == found._repr_markdown_() == text
    written = list(found.written_parts())
    assert [head for head, _ in written][1:3] == [head for head, _ in found.parts][:2]
    assert not any("$$" in line for _, lines in written for line in lines)


def test_the_rows_of_each_interval_are_written() -> None:
    """Without the rows nobody can test the weights and prices."""
    text = MADE["every loss"][0]().derivation().markdown()
    assert r"of the rows $(\gamma,1,1)$ (0), $(1,\gamma,1)$ (1), $(1,1,\gamma)$ (2), prices" in text
    intervals = re.findall(r"^- \$[(\[]([^,]*),.*?: weights", text, re.MULTILINE)
    assert intervals[0] == "1"


def compiled(text: str, folder: Path) -> str:
    """Return what pdflatex prints of a document."""
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    (folder / "proof.tex").write_text(text, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "proof.tex"]
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0, done.stdout[-1500:]
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("names", [[name for name in MADE if name not in LONG][start::12] for start in range(12)])
def test_latex_compiles_within_the_page(names: list[str], tmp_path: Path) -> None:
    whole = joined([MADE[name][0]().derivation() for name in names])
    log = compiled(whole.document(), tmp_path)
    assert "Overfull" not in log, [line for line in log.splitlines() if "Overfull" in line]


def test_every_named_theorem_and_claim_exists() -> None:
    for theorem, file in COQ.values():
        assert re.search(rf"^(Theorem|Lemma) {theorem}\b", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
    for claim in CARDS.values():
        paper, name = claim.split(".", 1)
        folder = ROOT / "proofs" / "rropt_proofs" / paper
        cards, rows = ((folder / file).read_text(encoding="utf-8") for file in ("cards.toml", "rows.toml"))
        assert f'[card."{name}"]' in cards or f'[rows."{name}"]' in rows, claim


# --- the numbers ------------------------------------------------------------------------------------------------------

PI, OTHER = [1 / 2, 1 / 3, 1 / 6], [1 / 6, 1 / 3, 1 / 2]


def dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(one, other, strict=True))


def log_term(a: float, b: float) -> float:
    return a * math.log(a / b) if a else 0.0


TERMS: dict[str, Callable[[list[float], int], float]] = {
    "trace, delta": lambda r, label: r[label],
    "loss": lambda r, label: sum(p * abs(label - j) * x for j, (p, x) in enumerate(zip(PI, r, strict=True))),
    "total variation": lambda r, _: abs(dot(r, PI) - dot(r, OTHER)) / 2,
    "Kullback-Leibler": lambda r, _: log_term(dot(r, PI), dot(r, OTHER)),
    "chi-square, delta": lambda r, _: (dot(r, PI) - dot(r, OTHER)) ** 2 / dot(r, OTHER),
    "information, delta": lambda r, _: sum(p * log_term(x, dot(r, PI)) for p, x in zip(PI, r, strict=True)),
}


def at(expression: Any, point: dict[Any, Any]) -> float:
    return float(sp.N(sp.sympify(expression).xreplace(point), 30))


def random_row(rng: random.Random, k: int, gamma: float, *, has_delta: bool) -> list[float]:
    """Return a row of a private mechanism: any row with delta > 0, else one with ratios of at most gamma."""
    if has_delta:
        return [rng.choice([0.0, rng.random(), rng.random() ** 8]) + 1e-12 for _ in range(k)]
    return [1 + (gamma - 1) * rng.choice([0.0, 1.0, rng.random()]) for _ in range(k)]


@pytest.mark.slow
@pytest.mark.parametrize("name", TERMS)
def test_prices_bound_all_rows_and_weights_attain_them(name: str) -> None:
    """At levels inside the interval, for random rows; beyond an end a condition fails."""
    rng, found = random.Random(3), twins._vertex(MADE[name][0]().problem)
    asked, sign = found.asked, found.sign
    field, (symbol, level), *more = asked.field, *asked.values.items()
    delta = float(more[0][1]) if more else 0.0
    low, high = (float(sp.N(sp.Min(end, 30))) for end in interval_of(found))
    for gamma in (float(level), *(low + (high - low) * rng.random() for _ in range(3))):
        point = {symbol: sp.Float(gamma, 40), **dict(more)}
        y = [at(expression_of(field, price), point) * sign for price in found.prices]
        z = [at(expression_of(field, price), point) for price in found.pair_prices]
        w = [at(field.expression(weight), point) for weight in found.weights]
        rows = [[0.0 if e is None else gamma**e for e in one.exponents] for one in found.active.rows]
        value, term = at(found.value_expression(), point), TERMS[name]
        assert np.array(w) @ np.array(rows) == pytest.approx(np.ones(asked.k))
        assert min([*w, *z]) > -1e-12
        assert sum(y) + sign * delta * sum(z) == pytest.approx(value)
        parts = zip(w, rows, found.active.rows, strict=True)
        assert sum(weight * term(r, one.label) for weight, r, one in parts) == pytest.approx(value)
        for j, other in ((j, other) for j in range(asked.k) for other in range(asked.k) if j != other):
            used = sum(weight * max(0.0, r[j] - gamma * r[other]) for weight, r in zip(w, rows, strict=True))
            assert used <= delta + 1e-9
        for _ in range(300):
            r = random_row(rng, asked.k, gamma, has_delta=bool(more))
            paid = dot(y, r) + sign * sum(
                price * max(0.0, r[j] - gamma * r[other])
                for price, (j, other) in zip(z, found.active.tight, strict=True)
            )
            assert sign * (paid - term(r, rng.randrange(asked.k))) > -1e-9 * max(r)
    outside = [gamma for gamma in (low * 0.97, high * 1.03) if 1.02 < gamma < 29]
    for gamma in outside:
        point = {symbol: sp.Float(gamma, 40), **dict(more)}
        assert min(at(expression_of(field, one), point) for one in found.conditions()) < 0


@few_rows(1)
@pytest.mark.parametrize("name", ["D", "A", "A, delta", "E, equal", "E, even", "any outputs"])
def test_prices_of_the_information_bound_all_rows(name: str) -> None:
    """The inequality (1) for random rows, and the value from the matrices of the design in floats."""
    rng = random.Random(4)
    problem, _ = information_twins._with_any_outputs(MADE[name][0]().problem)
    found = information_twins.kkt_of(problem)
    asked, field = found.asked, found.asked.field
    (symbol, level), *more = field.values.items()
    low, high = (float(sp.N(sp.Min(end, 20))) for end in ends(field, found.conditions))
    pi, C = np.array(asked.population, float), np.array(asked.targets, float)
    for gamma in (float(level), *(low + (high - low) * (0.1 + 0.9 * rng.random()) for _ in range(3))):
        point = {symbol: sp.Float(gamma, 40), **dict(more)}
        w, y, z = (
            [at(field.expression(x), point) for x in each] for each in (found.weights, found.prices, found.pair_prices)
        )
        square = np.array([[at(field.expression(x), point) for x in line] for line in found.square])
        rows = np.array([[0.0 if e is None else gamma**e for e in row] for row in found.rows])
        assert np.array(w) @ rows == pytest.approx(np.ones(asked.k))
        assert min([*w, *z, *np.linalg.eigvalsh(square)]) > -1e-9
        M = sum(weight * np.outer(r, r) / (r @ pi) for weight, r in zip(w, rows, strict=True))
        cov = np.linalg.inv(M) - np.outer(pi, pi)
        value = {
            "covariance": lambda: np.trace(C @ cov @ C.T),  # noqa: B023 - called at once
            "determinant": lambda: math.log(np.linalg.det(M)),  # noqa: B023
            "eigenvalue": lambda: max(np.linalg.eigvalsh(cov)),  # noqa: B023
        }[asked.kind]()
        assert value == pytest.approx(at(found.value_expression(), point), abs=1e-7)
        for _ in range(300):
            r = np.array(random_row(rng, asked.k, gamma, has_delta=bool(more)))
            paid = r @ y + sum(
                price * max(0.0, r[j] - gamma * r[other]) for price, (j, other) in zip(z, found.tight, strict=True)
            )
            assert paid * (r @ pi) - r @ square @ r > -1e-9 * max(r) ** 2


def test_a_row_without_probability_needs_a_nonnegative_price() -> None:
    """Else a design with such rows could have more information than the prices say."""
    from rropt.symbolic.enclosures import enclosure

    solution = kary("a-optimal", population=["0", "1/2", "1/2"], delta="1/10")()
    with pytest.raises(UnsupportedProblemError, match="row has probability 0"):
        enclosure(solution.problem.to_dict(), information_twins._guess_of(solution.problem, False))
    assert "No derivation" in solution.derivation().markdown()


def test_the_root_of_the_worst_case_is_concave_on_edges() -> None:
    """The step of the minimax proof over an interval of prevalences, for random edges with falling s."""
    rng = random.Random(6)

    def worst(r: float, s: float, low: float, high: float) -> float:
        pi = min(max((s + 1 - r) / 2, low), high)
        return math.sqrt((r + pi) * (s + 1 - pi))

    for _ in range(2000):
        low, high = sorted((rng.random(), rng.random()))
        r, s, step, slope = rng.random() * 3, rng.random() * 3, rng.random(), rng.random() * 5
        one, two = (r, s + step * slope), (r + step, s)
        t = rng.random()
        between = [t * a + (1 - t) * b for a, b in zip(one, two, strict=True)]
        assert worst(*between, low, high) >= t * worst(*one, low, high) + (1 - t) * worst(*two, low, high) - 1e-12


def test_a_region_that_is_not_proved_is_not_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interval of a vertex is that of its own prices; a larger one of other prices is named as such."""
    against, population = ["1/8", "3/4", "1/8"], ["1/4", "5/8", "1/8"]
    joined_one = solve(Problem.kary(epsilon="log(4)", objective=ChiSquare(against), population=population), fast=True)
    text = joined_one.derivation()["Region"]
    assert "other prices prove the same value" in text
    monkeypatch.setattr(twins, "_joined", interval_of)
    assert "other prices" not in joined_one.derivation()["Region"]


# --- files ------------------------------------------------------------------------------------------------------------


def test_a_command_writes_the_derivation(cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    call = ["design", "binary", "--gamma", "2", "--prevalence", "2/5", "--delta", "1/20", "--fast"]
    assert cli(*call, "--derivation", "proof.md")[0] == 0
    text = Path("proof.md").read_text(encoding="utf-8")
    assert text == MADE["two outputs, delta"][0]().derivation().markdown()
    assert cli(*call, "--derivation", "proof.tex")[0] == 0
    compiled(Path("proof.tex").read_text(encoding="utf-8"), tmp_path)
    status, _, error = cli(*call, "--derivation", "proof.pdf")
    assert status == 2
    assert "ends in .pdf; allowed are .md, .tex" in error
    assert "has no ending; allowed are .md, .tex" in cli(*call, "--derivation", "proof")[2]
    asked = ["design", "questions", "--gamma", "8", "--number", "4", "--ask", "2"]
    _, _, error = cli(*asked, "--derivation", "none.md")
    assert "this result has no derivation; leave --derivation out" in error
    assert not Path("none.md").exists()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["two outputs, delta", "three outputs", "pram", "split", "every loss", "A, free"])
def test_latex_of_a_result_ends_with_its_derivation(name: str, tmp_path: Path) -> None:
    made = MADE[name][0]()
    text = made.to_latex()
    assert text.count(r"\section*{Appendix: derivation}") == 1
    assert text.rstrip().endswith(made.derivation().latex().rstrip())
    head = r"\documentclass{article}\usepackage{amsmath,amssymb,booktabs,graphicx}\begin{document}"
    compiled(f"{head}\n{text}\n\\end{{document}}\n", tmp_path)


@pytest.mark.slow
def test_the_page_of_a_design_has_its_derivation_folded() -> None:
    solution = MADE["two outputs, delta"][0]()
    assert "The proof:" not in solution.report().to_html()  # its twins are left out
    page = solution.compared_twice().report()
    (folded,) = re.findall(r"<details[^>]*><summary>The proof:.*?</details>", page.to_html(), re.DOTALL)
    assert folded.count("<math") > 10
    assert "<b>Active set.</b>" in folded
    assert "Active set" not in page.to_markdown()


def test_a_derivation_of_a_problem_is_that_of_its_solution() -> None:
    problem = Problem.kary(3, epsilon="log(3)", objective="trace")
    assert problem.derivation() == solve(problem, fast=True).derivation()
