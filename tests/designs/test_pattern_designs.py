"""Designs with an unrestricted output alphabet: properties of every objective, theorems, programs of other solvers."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from math import log
from pathlib import Path

import pytest
import sympy as sp
from few_rows import few_rows
from later import later
from support.unrestricted_outputs import (
    KINDS,
    contrast,
    direct,
    drawn,
    population,
    problem,
    random_mechanism,
    split,
    subsets,
)

import rropt
from rropt.core.errors import InfeasibleError, InvalidParameterError, UnsupportedProblemError
from rropt.mechanisms import Mechanism
from rropt.mechanisms.fisher_information import information_solution
from rropt.objectives import (
    AOptimality,
    ChiSquare,
    Contrast,
    MutualInformation,
    TotalVariation,
)
from rropt.privacy import PrivacyRegion
from rropt.privacy.criteria import rho_to_rho
from rropt.privacy.criterion_region import CriterionRegion

linprog = later("scipy.optimize", "linprog")

F = Fraction
ELLIPSOIDS = ("d-optimal", "e-optimal")
THIRDS = ":1/3,1/3,1/3"
OPTIONS = {  # objectives with parameters, and the parameters at the command line
    "c-optimal": (Contrast([1, -1, 0]), ":1,-1,0"),
    "chi-square": (ChiSquare([F(1, 3)] * 3), THIRDS),
    "total-variation": (TotalVariation([F(1, 3)] * 3), THIRDS),
}
COUNTED = ("chi-square", "mutual-information", "total-variation")  # sums over the patterns


@few_rows(1)
@pytest.mark.parametrize("kind", KINDS)
def test_no_mechanism_beats_the_bound(kind: str, rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Random mechanisms within the region, exactly; randomized response, splits and subset selection among them."""
    near = points = 0
    for k in (2, 3, 3, 4):
        gamma, pi = rng.choice((F(6, 5), F(2), F(5), F(30))), population(rng, k, zeros=kind not in ELLIPSOIDS)
        objective = drawn(rng, kind, k)
        solution = rropt.solve(problem(f"log({gamma})", objective, pi), fast=True)
        named = [direct(k, gamma), *(split(k, s, gamma) for r in range(1, k) for s in combinations(range(k), r))]
        named += [subsets(k, d, gamma) for d in range(1, k)]
        assert kind != "a-optimal" or solution.mechanism.outputs <= k * (k + 1) // 2
        for mechanism in (*named, *(random_mechanism(rng, k, gamma) for _ in range(size(25, 3000)))):
            assert solution.problem.region.contains(mechanism)
            try:
                value = objective.value(mechanism, pi)
            except InfeasibleError:
                assert kind in ("a-optimal", "c-optimal", *ELLIPSOIDS)
                continue
            better = value < solution.lower if objective.sense == "minimise" else value > solution.upper
            assert not better, (mechanism, pi, objective)
            points += 1
            near += 2 * abs(value - solution.value) <= max(abs(value), abs(solution.value), 2 * (kind == "d-optimal"))
    assert points >= 40
    assert near >= 4  # else the bound was not tried


@few_rows(1)
@pytest.mark.parametrize("kind", KINDS)
def test_under_a_criterion_and_at_the_command_line(
    kind: str, cli_json: Callable[..., dict], tmp_path: Path, rng: random.Random
) -> None:
    """The criterion has B(h) = 4."""
    pi, objective = [F(1, 2), F(1, 3), F(1, 6)], OPTIONS.get(kind, (drawn(rng, kind, 3),))[0]
    region = CriterionRegion(rho_to_rho("1/5", "1/2"), inputs=3, outputs="any")
    posed = rropt.Problem(region, objective, pi)
    solution = rropt.solve(posed, fast=True)
    assert rropt.Problem.from_json(posed.to_json()) == posed
    assert set(solution.certificate.problem["levels"][0]["epsilon"]) == {"up", "down"}
    assert region.contains(solution.mechanism)
    proof, page = tmp_path / "proof.json", tmp_path / "page.html"
    line = ("design", "kary", "--proportions", "1/2,1/3,1/6", "--gamma", "4", "--outputs", "any", "--fast")
    line += ("--objective", kind + OPTIONS.get(kind, ("", ""))[1], "--certificate", str(proof), "--report", str(page))
    data = cli_json(*line)
    assert F(data["value"]) == solution.value
    assert rropt.check(proof)
    assert "n tr Cov" in page.read_text() or kind != "a-optimal"
    assert rropt.Problem.from_dict(data["problem"]) == problem("log(4)", objective, pi)
    assert solution.problem.region.contains(Mechanism(data["mechanism"]["matrix"]))


@pytest.mark.parametrize("kind", KINDS)
def test_what_every_objective_refuses(kind: str, rng: random.Random) -> None:
    pi, objective = [F(1, 3)] * 3, drawn(rng, kind, 3)
    with pytest.raises(UnsupportedProblemError, match="set `outputs` to any"):
        rropt.Problem(PrivacyRegion("1", "1/10" if objective.with_few else 0, inputs=3, outputs=3), objective, pi)
    with pytest.raises(InfeasibleError, match="nothing to estimate"):
        problem(0, objective, pi)
    if kind in ("a-optimal", "mutual-information", *ELLIPSOIDS):
        delta = PrivacyRegion("1", "1/10", inputs=7, outputs="any")
        with pytest.raises(UnsupportedProblemError, match="at most 6 categories"):
            rropt.solve(rropt.Problem(delta, objective, [F(1, 7)] * 7))
        with pytest.raises(UnsupportedProblemError, match=r"solved over the rays of the levels.*categories; merge"):
            rropt.solve(problem("1", objective, [F(2 * i + 1, 21**2) for i in range(21)]))
    if kind in ("a-optimal", *ELLIPSOIDS):
        with pytest.raises(InfeasibleError, match="linearly independent"):
            objective.value(Mechanism([["1/2"] * 3] * 2), pi)


def test_two_answers_at_small_and_randomized_response_at_large_levels() -> None:
    """Kairouz, Oh and Viswanath (2016), theorems 5 and 14: the two regimes, at equal shares."""
    for k in (4, 6):
        pi = [F(1, k)] * k
        small = rropt.solve(problem("log(21/20)", MutualInformation(), pi), fast=True)
        half = tuple(range(k // 2))
        best = max(MutualInformation().value(split(k, half[:r], F(21, 20)), pi) for r in range(1, len(half) + 1))
        assert abs(small.value - best) <= best / 10**25
        large = rropt.solve(problem("log(1000)", MutualInformation(), pi), fast=True)
        own = MutualInformation().value(direct(k, F(1000)), pi)
        assert abs(large.value - own) <= own / 10**25
        assert float(own) < log(k)
        q = [F(1, 2), *[F(1, 2 * (k - 1))] * (k - 1)]
        strong = rropt.solve(problem("log(1000)", ChiSquare(q), pi), fast=True)
        assert strong.gap == 0
        named = [ChiSquare(q).value(m, pi) for m in (direct(k, F(1000)), split(k, (0,), F(1000)))]
        assert strong.value >= max(named)


def test_two_answers_are_not_best_where_no_half_is() -> None:
    """Three equal shares: at small x = gamma - 1 singletons tell x^2/9 - 7 x^3/81, pairs x^2/9 - 11 x^3/81 per answer.

    So randomized response is best at every small level, and two answers, one of each kind, are not.
    """
    gamma, pi = F(1001, 1000), [F(1, 3)] * 3
    solution = rropt.solve(problem(f"log({gamma})", MutualInformation(), pi), fast=True)
    own = MutualInformation().value(direct(3, gamma), pi)
    assert abs(solution.value - own) <= own / 10**25
    assert abs(float(own / (gamma - 1) ** 2) - (1 / 9 - 7 / 81 / 1000)) < 1e-6
    assert MutualInformation().value(split(3, (0,), gamma), pi) < own * (1 - F(1, 10**4))


def test_chi_square_at_small_levels_is_of_two_answers(rng: random.Random) -> None:
    """One bit is best in the first order: the value is that of the best subset but for a part of gamma - 1."""
    for _ in range(4):
        k, gamma = rng.choice((3, 4)), F(10**6 + 1, 10**6)
        pi, q = population(rng, k), population(rng, k)
        solution = rropt.solve(problem(f"log({gamma})", ChiSquare(q), pi), fast=True)
        subsets = [s for r in range(1, k) for s in combinations(range(k), r)]
        best = max(ChiSquare(q).value(split(k, s, gamma), pi) for s in subsets)
        assert best <= solution.value <= best * (1 + 10 * (gamma - 1))


@pytest.mark.slow
def test_categories_with_the_same_number_may_be_merged(rng: random.Random) -> None:
    """A difference of two shares is a problem of three inputs; unmerged, by CVXPY, it has the same value."""
    for _ in range(3):
        pi = population(rng, 4)
        solution = rropt.solve(problem("log(3)", Contrast([1, -1, 0, 0]), pi))
        assert solution.twins.cvxpy.agrees
        merged = [pi[0], pi[1], pi[2] + pi[3]]
        other = rropt.solve(problem("log(3)", Contrast([1, -1, 0]), merged), fast=True)
        assert (solution.lower, solution.upper) == (other.lower, other.upper)
        assert solution.gap <= solution.upper / 10**12
        assert all(row[2] == row[3] for row in solution.mechanism.matrix)


def test_the_value_of_a_contrast_is_the_variance_of_an_unbiased_estimate(rng: random.Random) -> None:
    """Its estimate from answer i is z . p_i/(p_i . pi): unbiased at every population where M may be singular."""
    for _ in range(20):
        k = rng.randint(2, 4)
        pi, mechanism, c = population(rng, k), random_mechanism(rng, k, F(4)), contrast(rng, k)
        solution = information_solution(mechanism, pi, [c])
        if solution is None:
            continue
        z = [x for (x,) in solution]
        rows = [row for row in mechanism.matrix if any(row)]
        means = [sum(p * x for p, x in zip(pi, row, strict=True)) for row in rows]
        estimates = [sum(a * b for a, b in zip(z, row, strict=True)) / m for row, m in zip(rows, means, strict=True)]
        for j in range(k):
            assert sum(a * row[j] for a, row in zip(estimates, rows, strict=True)) == c[j]
        mean = sum(a * m for a, m in zip(estimates, means, strict=True))
        second = sum(a * a * m for a, m in zip(estimates, means, strict=True))
        assert Contrast(c).value(mechanism, pi) == second - mean**2


def test_randomized_response_is_a_optimal_from_one_level_on() -> None:
    """At equal shares: iff (gamma + k - 1)^2/(k - 1) <= (2 gamma + k - 2)^2/(2 (k - 2)) (Ye and Barg 2018)."""
    for k in (3, 4, 5):
        pi = [F(1, k)] * k
        root = (2 * (k - 2)) ** 0.5 / (k - 1) ** 0.5
        edge = (root * (k - 1) - (k - 2)) / (2 - root)
        for factor, best in ((F(9, 10), False), (F(11, 10), True)):
            gamma = F(edge * float(factor)).limit_denominator(1000)
            if gamma <= 1:
                continue
            solution = rropt.solve(problem(f"log({gamma})", AOptimality(), pi), fast=True)
            own = AOptimality().value(direct(k, gamma), pi)
            assert (own <= solution.upper) == best
            assert own >= solution.lower


@pytest.mark.slow
def test_closed_forms(rng: random.Random) -> None:
    """In symbols, at the level of the problem: the mechanism exactly, and the value."""
    uniform = [F(1, 3)] * 3
    made = [(Contrast([2, 2, -1]), "log(3)"), (Contrast([0, 1, 0]), "log(11/10)"), (AOptimality(), "log(50)")]
    made += [(drawn(rng, kind, 3), level) for kind in COUNTED for level in ("log(6/5)", "log(20)", "1")]
    for objective, level in made:
        pi = uniform if objective.kind == "a-optimal" else population(rng, 3)
        solution = rropt.solve(problem(level, objective, pi), fast=True)
        form = solution.to_sympy().form
        mechanism, value = form.mechanism_at(), form.at()
        assert mechanism.shape == solution.mechanism.shape
        if level != "1":
            rows = [[F(int(x.p), int(x.q)) for x in mechanism.row(i)] for i in range(mechanism.rows)]
            assert sorted(rows) == sorted(map(list, solution.mechanism.matrix))  # outputs have no order
        assert float(value.evalf(30)) == pytest.approx(float(solution.value), rel=1e-12, abs=1e-20)
    for level, outputs in (("log(2)", 4), ("1", 4), ("log(5)", 3)):  # another design above gamma = 4
        solution = rropt.solve(problem(level, Contrast([1, -1, 0]), uniform), fast=True)
        form = solution.to_sympy().form
        assert form.mechanism_at().rows == outputs
        assert sp.Rational(solution.lower) <= form.at() <= sp.Rational(solution.upper)
        if level != "1":
            exact = Mechanism(form.mechanism_at())
            assert exact.parity() == F(level[4:-1])
            assert Contrast([1, -1, 0]).value(exact, uniform) == F(str(form.at()))
    other = rropt.solve(problem("1", Contrast([1, 2, -4]), [F(1, 2), F(1, 3), F(1, 6)]), fast=True).to_sympy()
    assert other.form is None
    assert "no closed form: 1 of 4 weights are free" in other.why


def test_one_category_has_no_information() -> None:
    assert rropt.solve(problem("1", MutualInformation(), [F(1), F(0)])).upper < F(1, 10**25)


def test_what_is_refused() -> None:
    pi = [F(1, 3)] * 3
    with pytest.raises(UnsupportedProblemError, match=r"solved over the rays of the levels.*categories; merge"):
        rropt.solve(problem("1", Contrast(list(range(102))), [F(1, 102)] * 102))
    with pytest.raises(InvalidParameterError, match="one number per category"):
        problem("1", Contrast([1, 0]), pi)
    with pytest.raises(InvalidParameterError, match="one number per category"):
        problem("1", ChiSquare(["1/2", "1/2"]), pi)
    for bad in ([1, 1, 1], [1], "1,2", [1, "x"], None):
        with pytest.raises(InvalidParameterError):
            Contrast(bad)  # type: ignore[arg-type]
    for bad in ([1, 1], ["1/2"], 7, ["-1/2", "3/2"]):
        with pytest.raises(InvalidParameterError):
            TotalVariation(bad)  # type: ignore[arg-type]
    with pytest.raises(InfeasibleError, match="combination of the mechanism's rows"):
        Contrast([1, 0, 0]).value(Mechanism([["1/2"] * 3] * 2), pi)
    with pytest.raises(InvalidParameterError, match="chi-square is infinite"):
        ChiSquare([1, 0]).value(Mechanism([[1, 0], [0, 1]]), ["1/2", "1/2"])
