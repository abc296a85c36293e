"""Families of problems: the published formulas, the engine at numbers, the twins, and what is not proved."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from copy import copy
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from every_case import every_case
from flint import fmpq
from later import later
from stress import STRESS

import rropt
from rropt.claims.positivity.nonnegative_sums import positive_multiple
from rropt.core.errors import FileFormatError, InvalidParameterError, RouteDisagreementError
from rropt.designs.problem_families import proofs
from rropt.designs.problem_families.candidates import sampled
from rropt.designs.problem_families.classes import FamilyProblem
from rropt.designs.problem_families.family import Family, FamilyConjecture, FamilyFormula, solve_family
from rropt.designs.problem_families.family_files import family_problem, named_families, named_family, read_family

sympy = later("sympy")
F = Fraction
# the formulas, derived by hand or by another program (SymPy) before this one existed
FORMULAS = {
    "zero-one": ["(k-1)/(gamma+k-1)"],
    "one-and-others": ["(gamma*p+k-1)/(gamma+k-1)", "k/(gamma+k)", "1-p"],
    "reject": ["a", "(k-1)/(gamma+k-1)"],
    "taxonomy": ["(a*gamma*k-a*gamma+k)/(k*(gamma+1))", "(a*k-a+k)/(gamma+2*k-1)"],
    "taxonomy-groups": ["(gamma+4)/(4*(gamma+1))", "(3*k-1)/(2*(gamma+2*k-1))"],
    "screening": [
        "(25*gamma+34*k-34)/(50*(gamma+k-1))",
        "(17*k+18)/(25*(gamma+k))",
        "(9*gamma*k-9*gamma+70*k)/(50*k*(gamma+1))",
    ],
    "two-sizes": ["(gamma+3*k-3)/(3*(gamma+k-1))", "(2*k-1)/(gamma+2*k-1)"],
    "none-of-these": [
        "2/5",
        "(2*gamma*p+5*k+3*p-3)/(5*(gamma+k))",
        "(gamma*p+k-1)/(gamma+k-1)",
        "k/(gamma+k)",
        "-(2*gamma*p-2*gamma+3*p-5)/(5*(gamma+1))",
        "1-p",
    ],
    "yes-no": ["p", "-(a*p-a-p)/(gamma+1)", "-a*(p-1)"],
    "three-levels": ["1-p", "(gamma*p-p+2)/(gamma+1)", "-(p-3)/(gamma+2)"],
}
LONG = {"five-levels", "reject-unequal", "three-proportions"}  # more than a second each: at full size
NAMES = sorted(name for name in named_families() if STRESS or name not in LONG)
COUNTS = {"five-levels": 5, "three-groups": 2, "reject-unequal": 6, "three-proportions": 7}


@cache
def solved(name: str) -> Family:
    found = rropt.family(name, fast=True)
    assert isinstance(found, Family), found
    return found


def draw(problem: FamilyProblem, rng: random.Random) -> tuple[dict[str, Fraction], Fraction]:
    """Return small sizes, and other parameters anywhere in their ranges."""
    values = {}
    for parameter in problem.parameters:
        if parameter.whole:
            values[parameter.name] = parameter.low + rng.randint(0, 2)
        elif parameter.high is None:
            values[parameter.name] = parameter.low + F(rng.randint(1, 60), 20)
        else:
            values[parameter.name] = parameter.low + (parameter.high - parameter.low) * F(rng.randint(1, 39), 40)
    return values, F(rng.choice((11, 13, 15, 20, 25, 30, 50, 100, 300, 1000)), 10)


def expression(text: str, names: dict[str, Any]) -> Any:
    """Return a formula as people write it, ``2 k - 1``, as an expression of SymPy."""
    signs = text.replace("^", "**").replace(" + ", "+").replace(" - ", "-")
    return sympy.sympify(signs.replace(" ", "*"), locals=names)


def engine_value(problem: FamilyProblem, values: dict[str, Fraction], gamma: Fraction) -> Fraction:
    """Return the optimum by the exact engine, of the member written out."""
    point = [fmpq(x.numerator, x.denominator) for x in (*values.values(), F(0))]
    sizes = [int(size(point)) for size in problem.sizes]
    classes = [i for i, n in enumerate(sizes) for _ in range(n)]
    shares = [share(point) for share in problem.shares]
    rows = []
    for h, decision in enumerate(problem.decisions):
        costs = [cost(point) / share for cost, share in zip(problem.costs[h], shares, strict=True)]
        for member in [None] if decision.own is None else [j for j, i in enumerate(classes) if i == decision.own]:
            row = [costs[i] for i in classes]
            if member is not None:
                row[member] = problem.rights[h](point) / shares[classes[member]]
            rows.append(row)
    loss = [[str(x) for x in row] for row in rows]
    population = [str(shares[i]) for i in classes]
    question = rropt.Problem.kary(epsilon=f"log({gamma})", objective=rropt.objectives.Loss(loss), population=population)
    return Fraction(rropt.solve(question, fast=True).value)


@every_case("name", NAMES)
def test_the_named_families_are_proved(name: str) -> None:
    found = solved(name)
    assert found.certificate.check()
    assert len(found.formulas) == len(FORMULAS.get(name, range(COUNTS.get(name, 0))))
    k, p, a, c, gamma = sympy.symbols("k p a c gamma")
    own = {"k": k, "p": p, "a": a, "c": c, "gamma": gamma}
    if name in FORMULAS:
        proved = {sympy.factor(expression(str(one), own)) for one in found.formulas}
        assert proved == {sympy.factor(sympy.sympify(text, locals=own)) for text in FORMULAS[name]}


def test_the_formulas_are_the_engine_at_numbers(size: Callable[[int, int], int]) -> None:
    """Equal as fractions, and so is the value of the mechanism by its definition."""
    rng = random.Random(109)
    for number in range(size(14, 300)):
        name = NAMES[number % len(NAMES)]
        problem = named_family(name)
        values, gamma = draw(problem, rng)
        member = solved(name).at(gamma, **values)
        assert member.value == engine_value(problem, values, gamma), (name, values, gamma)
        assert member.mechanism.parity() <= gamma


def test_the_region_of_a_formula_is_where_it_is_least() -> None:
    rng = random.Random(5)
    found = solved("none-of-these")
    own = {name: sympy.Symbol(name) for name in ("k", "p", "gamma")}
    regions = [[expression(text.removesuffix(" >= 0"), own) for text in found.where(f)] for f in found.formulas]
    for _ in range(20):
        values, gamma = draw(found.problem, rng)
        best = found.at(gamma, **values).formula
        for formula, region in zip(found.formulas, regions, strict=True):
            at = {own[name]: sympy.Rational(str(x)) for name, x in {**values, "gamma": gamma}.items()}
            is_least = all(condition.subs(at) >= 0 for condition in region)
            assert is_least == (formula(gamma, **values) == best(gamma, **values))


def test_a_wrong_name_or_place_is_an_error() -> None:
    family = solved("screening")
    for call in (
        lambda: family.to_cvxpy(wrong=1),
        lambda: family.to_cvxpy(gamma=0.5),
        lambda: family.where(len(family.formulas)),
        lambda: family.where("x"),
        lambda: family.at(wrong=1, gamma=3),
    ):
        with pytest.raises(InvalidParameterError, match="received"):
            call()


@pytest.mark.slow
def test_payoffs_weighted_traces_and_total_variation() -> None:
    payoff = rropt.family({"k": "2.., whole"}, {"a": ("k", "1/k")}, [("a", 0, 1)], sense="maximise", fast=True)
    assert [str(one) for one in payoff.formulas] == ["gamma/(k + gamma - 1)"]
    # the trace with the weight 2 for k categories and 1 for k others: payoffs are weights over proportions
    trace = rropt.family(
        {"k": "2.., whole"},
        {"a": ("k", "1/(2*k)"), "b": ("k", "1/(2*k)")},
        [("a", 0, "4*k"), ("b", 0, "2*k")],
        sense="maximise",
        fast=True,
    )
    solution = rropt.solve(
        rropt.Problem.kary(6, epsilon="log(4)", objective=rropt.objectives.Trace(["2"] * 3 + ["1"] * 3)),
        fast=True,
    )
    assert trace.at(gamma=4, k=3).value == solution.value
    tests = rropt.family(
        {"k": "1.., whole", "p": "1/2..1"},
        {"a": ("k", "p/k"), "b": ("k", "(1-p)/k")},
        against={"a": "(1-p)/k", "b": "p/k"},
        fast=True,
    )
    pi, q = ["3/8", "3/8", "1/8", "1/8"], ["1/8", "1/8", "3/8", "3/8"]
    question = rropt.Problem.kary(epsilon="log(3)", objective=rropt.objectives.TotalVariation(q), population=pi)
    assert tests.at(gamma=3, k=2, p="3/4").value == rropt.solve(question, fast=True).value


def test_a_mistaken_formula_is_seen_by_both_twins() -> None:
    found = copy(solved("taxonomy"))
    first = found.formulas[0]
    moved = FamilyFormula(found.problem, {"product": [first.tree, "10001/10000"]}, first.rows)
    object.__setattr__(found, "formulas", (moved, *found.formulas[1:]))
    with pytest.raises(RouteDisagreementError, match="SymPy"):
        found.sympy_twin()
    with pytest.raises(RouteDisagreementError, match="CVXPY"):
        found.cvxpy_twin()


@pytest.mark.slow
def test_both_twins_agree() -> None:
    found = rropt.family("one-and-others")
    assert found.twins.sympy.agrees == "equal"
    assert found.twins.cvxpy.agrees.startswith("within")
    program = found.to_cvxpy(gamma=4.0, k=1000.0, p=0.25)
    program.solve()
    assert program.is_dpp()
    assert program.var_dict["weights"].size == found.to_cvxpy().var_dict["weights"].size
    assert program.value == pytest.approx(float(found.at(gamma=4, k=1000, p="1/4").value), rel=1e-6)


def test_what_is_not_proved_is_a_conjecture() -> None:
    """Without factors of identities some families stay open; the open condition is named, and nothing is certified."""
    expected = solved("reject").at(gamma=3, k=2, a="1/2").value
    found = solve_family(named_family("reject"), degree=0)
    assert isinstance(found, FamilyConjecture)
    assert found.open == (("a", "k - k a - 1 >= 0"),)  # as in where(), of the parameters and not of the variables
    assert FamilyConjecture.from_json(found.to_json()) == found
    assert found.points > 1000
    assert "not proved where a is the least: k - k a - 1 >= 0" in found.summary()
    assert found.at(gamma=3, k=2, a="1/2").value == expected


def test_an_open_condition_in_the_parameters_has_the_sign_of_the_polynomial() -> None:
    """At random points: certificates write conditions in variables t >= 0, an open one is shown in the parameters."""
    rng, problem = random.Random(7), named_family("yes-no")
    own = {name: sympy.Symbol(name) for name in (*problem.names, "gamma")}
    trees = [proof["tree"] for proof in solved("yes-no").certificate.proof["formulas"]]
    conditions = [identity["condition"] for tree in trees for identity in tree.get("identities", ())]
    assert len(conditions) > 5
    for terms in conditions:
        polynomial = problem.ring.of({tuple(map(int, e)): fmpq(*F(x).as_integer_ratio()) for x, *e in terms})
        text = expression(problem.condition_text(polynomial).removesuffix(" >= 0"), own)
        for _ in range(5):
            values, gamma = draw(problem, rng)
            at = {own[name]: sympy.Rational(str(x)) for name, x in {**values, "gamma": gamma}.items()}
            p, a = values["p"], values["a"]
            point = [fmpq(*x.as_integer_ratio()) for x in (p / (1 - p), a, gamma - 1)]
            assert (polynomial(*point) >= 0) == bool(text.subs(at) >= 0)


def test_a_formula_that_is_left_out_leaves_a_condition_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search trusts no float: without one of its formulas the proof of another one fails."""
    problem = named_family("reject")
    sample = sampled(problem)
    del sample.candidates[1]
    sample.candidates[0].points = range(sample.points.shape[1])
    with pytest.raises(proofs.OpenConditionError):
        proofs.FamilyProver(problem, sample).prove(0)


def test_a_family_is_read_from_its_record_and_its_file(tmp_path: Any) -> None:
    found = solved("one-and-others")
    assert Family.from_json(found.to_json()) == found
    record = found.to_dict()
    record["problem"]["classes"]["one"]["share"] = "p^2"
    with pytest.raises((FileFormatError, InvalidParameterError)):
        Family.from_dict(record)
    path = tmp_path / "family.toml"
    path.write_text(
        '[parameters]\nk = "2.., whole"\n[classes]\nc = {size = "k", share = "1/k"}\n'
        '[[decisions]]\nname = "c"\ncosts = 1\nright = 0\n'
    )
    assert [str(one) for one in solve_family(read_family(str(path))).formulas] == ["(k - 1)/(k + gamma - 1)"]


def test_latex_states_the_theorem() -> None:
    text = solved("taxonomy").to_latex()
    assert r"$\min\{v_{1},v_{2}\}$" in text
    assert text.count(r"\begin{tabular}") == 2
    proof = solved("taxonomy").certificate.proof["formulas"]
    assert text.count(r"\noindent $ ") == sum(len(one["tree"]["identities"]) for one in proof)
    assert r"\left(" not in text.split(r"\paragraph{Duals.}")[1]  # lines end within polynomials


def test_the_phase_diagram_shows_the_formulas() -> None:
    figure = solved("none-of-these").plot()
    assert "by epsilon and p, at k = 7: 6 formulas" in figure.text
    with pytest.raises(InvalidParameterError, match="outside of its range"):
        solved("none-of-these").plot("p", at={"k": 1})


def test_identities_are_exact_and_no_negative_polynomial_has_one(size: Callable[[int, int], int]) -> None:
    rng = random.Random(3)
    for _ in range(size(20, 300)):
        g = {(i, j): fmpq(rng.randint(-4, 4)) for i in range(2) for j in range(2)}
        g = {key: x for key, x in g.items() if x}
        s = {(i, j): fmpq(rng.randint(0, 3)) for i in range(2) for j in range(2)}
        target = _sum(_product(s, g), {(0, 0): fmpq(1), (1, 1): fmpq(rng.randint(0, 2))})
        if not g or not target:
            continue
        found = positive_multiple({key: fmpq(x.numerator, x.denominator) for key, x in target.items()}, [g], 1)
        assert found is not None
        right = _sum(found.rest, _product(found.multipliers[0], g))
        assert _product(found.factor, target) == right
        assert min([*found.factor.values(), *found.rest.values(), *found.multipliers[0].values()]) > 0
    square = {(2,): fmpq(1), (1,): fmpq(-2), (0,): fmpq(1, 2)}  # (t - 1)^2 - 1/2
    assert all(positive_multiple(square, [], degree) is None for degree in range(4))


def _sum(one: Any, other: Any) -> dict[tuple[int, ...], Fraction]:
    total: dict[tuple[int, ...], Fraction] = {}
    for part in (one, other):
        for key, x in part.items():
            total[key] = total.get(key, F(0)) + F(int(x.p), int(x.q)) if hasattr(x, "p") else total.get(key, F(0)) + x
    return {key: x for key, x in total.items() if x}


def _product(one: Any, other: Any) -> dict[tuple[int, ...], Fraction]:
    total: dict[tuple[int, ...], Fraction] = {}
    for a, x in _sum(one, {}).items():
        for b, y in _sum(other, {}).items():
            key = tuple(i + j for i, j in zip(a, b, strict=True))
            total[key] = total.get(key, F(0)) + x * y
    return {key: x for key, x in total.items() if x}


def test_a_decision_for_each_of_one_category_is_an_ordinary_one() -> None:
    problem = family_problem({}, {"a": ("1", "1/3"), "b": ("2", "1/3")}, [("a", 1, 0), ("b", 1, 0)])
    assert [decision.own for decision in problem.decisions] == [None, 1]
    assert json.loads(solve_family(problem).certificate.text)["problem"]["decisions"][0]["costs"] == ["0", "1"]


@pytest.mark.slow
def test_effort_is_the_degree_of_the_identities(monkeypatch: pytest.MonkeyPatch) -> None:
    from rropt.cli.main import main
    from rropt.designs.problem_families import family as families

    degrees: list[int] = []
    own = families.solve_family

    def recorded(problem: FamilyProblem, *, degree: int, fast: bool) -> Any:
        degrees.append(degree)
        return own(problem, degree=0, fast=fast)

    monkeypatch.setattr(families, "solve_family", recorded)
    for words in ((), ("--effort", "large")):
        assert main(["design", "family", "reject", "--fast", *words]) == 1
    assert degrees == [2, 4]
