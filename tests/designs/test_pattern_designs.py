"""Contrasts, mutual information, total variation, chi-square over all mechanisms: theorems, programs, bounds."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product
from math import e, exp, log
from pathlib import Path

import numpy as np
import pytest
from later import later

import rropt
from rropt.core.errors import InfeasibleError, InvalidParameterError, UnsupportedProblemError
from rropt.mechanisms import Mechanism
from rropt.objectives import (
    AOptimality,
    ChiSquare,
    COptimality,
    EstimatorVariance,
    MutualInformation,
    Objective,
    TotalVariation,
    objective_from_dict,
)
from rropt.privacy import PrivacyRegion
from rropt.privacy.criteria import rho_to_rho
from rropt.privacy.criterion_region import CriterionRegion

linprog = later("scipy.optimize", "linprog")

F = Fraction
LEVELS = ("1/20", "1/10", "log(3/2)", "1/2", "log(2)", "1", "log(5)", "2", "7/2", "5", "log(1000)", "8")
KINDS = ("c-optimal", "mutual-information", "total-variation", "chi-square")


def problem(epsilon: object, objective: Objective, population: list[Fraction]) -> rropt.Problem:
    return rropt.Problem(PrivacyRegion(epsilon, inputs=len(population), outputs="any"), objective, population)


def population(rng: random.Random, k: int) -> list[Fraction]:
    """Return random shares, at times of 1e-4 or 0."""
    shares = [rng.choice((1, 10, rng.randint(1, 10**4), rng.randint(1, 10**4))) for _ in range(k)]
    if rng.random() < 0.1:
        shares[rng.randrange(k)] = 0
    shares[rng.randrange(k)] += 10**4
    return [F(x, sum(shares)) for x in shares]


def contrast(rng: random.Random, k: int) -> list[Fraction]:
    """Return a difference of two shares, a mean, or any numbers."""
    kind = rng.randrange(3)
    c = [[F(1), F(-1)] + [F(0)] * (k - 2), [F(j) for j in range(k)], [F(rng.randint(-9, 9), 7) for _ in range(k)]][kind]
    c[0] += len(set(c)) == 1
    return c


def drawn(rng: random.Random, kind: str, k: int) -> Objective:
    """Return an objective of a kind."""
    if kind == "c-optimal":
        return COptimality(contrast(rng, k))
    if kind == "a-optimal":
        return AOptimality()
    if kind == "mutual-information":
        return MutualInformation()
    return (TotalVariation if kind == "total-variation" else ChiSquare)(population(rng, k))


def direct(k: int, gamma: Fraction) -> Mechanism:
    """Return k-ary randomized response."""
    return Mechanism([[(gamma if i == j else 1) / (gamma + k - 1) for j in range(k)] for i in range(k)])


def split(k: int, subset: tuple[int, ...], gamma: Fraction) -> Mechanism:
    """Return the two answers that say whether the truth is in a subset."""
    rows = [[(gamma if (j in subset) == side else 1) / (gamma + 1) for j in range(k)] for side in (True, False)]
    return Mechanism(rows)


def random_mechanism(rng: random.Random, k: int, gamma: Fraction) -> Mechanism:
    """Return a mechanism of parity at most gamma: rows of any values between 1 and gamma, and the rest as a row."""
    rows = []
    for _ in range(rng.randint(k - 1, 2 * k)):
        rows.append([F(1) + (gamma - 1) * rng.choice((0, 0, 1, 1, F(rng.randint(0, 6), 6))) for _ in range(k)])
    weights = [F(rng.randint(1, 9)) for _ in rows]
    sums = [sum(w * row[j] for w, row in zip(weights, rows, strict=True)) for j in range(k)]
    least = max(sums) * gamma / (gamma - 1)  # so that the last row has a parity below gamma too
    matrix = [[w * x / least for x in row] for w, row in zip(weights, rows, strict=True)]
    return Mechanism([*matrix, [1 - s / least for s in sums]])


@pytest.mark.parametrize("kind", ["a-optimal", *KINDS])
def test_the_mechanism_is_private_and_the_gap_is_narrow(
    kind: str, rng: random.Random, size: Callable[[int, int], int]
) -> None:
    """Random problems at twelve levels: epsilon of the exact matrix is compared exactly."""
    for i in range(size(14, 500)):
        k = 2 + i % size(4, 7)
        posed = problem(LEVELS[i % len(LEVELS)], drawn(rng, kind, k), population(rng, k))
        solution = rropt.solve(posed, routes="exact")
        assert posed.region.contains(solution.mechanism)
        parity = solution.mechanism.parity()
        assert parity <= posed.region.bracket(40).below.gamma
        assert solution.lower <= solution.upper
        if solution.upper > F(1, 10**25):  # else all are in one category
            assert solution.gap <= solution.upper * F(1, 10**9), (i, posed)
        own = posed.objective.value(solution.mechanism, posed.population)
        assert own == solution.value or abs(own - solution.value) < max(own, F(1, 10**4)) / 10**22
        assert rropt.Problem.from_json(posed.to_json()) == posed
        assert objective_from_dict(posed.objective.to_dict()) == posed.objective


@pytest.mark.parametrize("epsilon", ["20", "50", "100"])
def test_information_at_large_levels_is_that_of_the_truth(epsilon: str) -> None:
    """Logarithms are taken gamma times: the bracket is narrow all the same, around the entropy of the population."""
    for pi in ([F(1, 2)] * 2, [F(1, 10**6)] * 3 + [F(999997, 10**6)]):
        solution = rropt.solve(problem(epsilon, MutualInformation(), pi))
        entropy = -sum(float(p) * log(p) for p in pi)
        assert solution.gap <= solution.value / 10**12
        assert float(solution.value) == pytest.approx(entropy, rel=2e-3 if epsilon == "20" else 1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_no_mechanism_beats_the_bound(kind: str, rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Random mechanisms within the region, exactly; randomized response and subsets among them."""
    near = points = 0
    for k in (2, 3, 3, 4):
        gamma, pi, objective = rng.choice((F(6, 5), F(2), F(5), F(30))), population(rng, k), drawn(rng, kind, k)
        solution = rropt.solve(problem(f"log({gamma})", objective, pi), routes="exact")
        named = [direct(k, gamma), *(split(k, s, gamma) for r in range(1, k) for s in combinations(range(k), r))]
        for mechanism in (*named, *(random_mechanism(rng, k, gamma) for _ in range(size(25, 3000)))):
            assert solution.problem.region.contains(mechanism)
            try:
                value = objective.value(mechanism, pi)
            except InfeasibleError:
                assert kind == "c-optimal"
                continue
            better = value < solution.lower if objective.sense == "minimise" else value > solution.upper
            assert not better, (mechanism, pi, objective)
            points += 1
            near += value * 2 > solution.lower if objective.sense == "maximise" else value < 2 * solution.upper
    assert points >= 40
    assert near >= 4  # else the bound was not tried


@pytest.mark.parametrize("kind", KINDS[1:])
def test_the_programme_of_all_patterns_by_another_solver(kind: str, rng: random.Random) -> None:
    """SciPy's linear program over all columns of Kairouz, Oh and Viswanath, with f by its definition."""
    for k in (2, 3, 4, 5):
        epsilon, pi, objective = rng.choice((0.5, 1.0, 3.0)), population(rng, k), drawn(rng, kind, k)
        solution = rropt.solve(problem(epsilon, objective, pi), routes="exact")
        rows = np.array(list(product((1.0, exp(epsilon)), repeat=k)))
        p = np.array([float(x) for x in pi])
        if kind == "mutual-information":
            costs = (p * rows * np.log(rows / (rows @ p)[:, None])).sum(1)
        else:
            q = np.array([float(x) for x in objective.against])  # type: ignore[attr-defined]
            costs = np.abs(rows @ (p - q)) / 2 if kind == "total-variation" else (rows @ (p - q)) ** 2 / (rows @ q)
        found = linprog(-costs, A_eq=rows.T, b_eq=np.ones(k))
        assert float(solution.value) == pytest.approx(-found.fun, rel=1e-7, abs=1e-9)


def test_all_routes_agree(rng: random.Random) -> None:
    names = {"c-optimal": ["exact", "convex"], "total-variation": ["closed-form", "exact", "convex"]}
    for kind in KINDS:
        solution = rropt.solve(problem("1", drawn(rng, kind, 3), [F(1, 2), F(1, 3), F(1, 6)]))
        assert list(solution.routes) == names.get(kind, ["exact", "convex"])


def test_total_variation_is_its_theorem(rng: random.Random) -> None:
    """Kairouz, Oh and Viswanath (2016), theorem 6: (gamma - 1)/(gamma + 1) times that of the populations, exactly."""
    for k in (2, 3, 5, 7):
        gamma, pi, q = F(rng.randint(11, 90), 10), population(rng, k), population(rng, k)
        posed = problem(f"log({gamma})", TotalVariation(q), pi)
        apart = sum(abs(x - y) for x, y in zip(pi, q, strict=True)) / 2
        for routes in ("closed-form", "exact"):
            solution = rropt.solve(posed, routes=routes)
            assert solution.gap == 0
            assert solution.value == (gamma - 1) / (gamma + 1) * apart
    many = [F(1, 200)] * 200
    shifted = [F(1 + j % 2 * 2, 400) for j in range(200)]
    solution = rropt.solve(problem("1", TotalVariation(shifted), many))
    assert list(solution.routes) == ["closed-form"]
    assert solution.mechanism.outputs == 2
    assert float(solution.value) == pytest.approx((e - 1) / (e + 1) / 4)


def test_two_answers_at_small_and_randomized_response_at_large_levels() -> None:
    """Kairouz, Oh and Viswanath (2016), theorems 5 and 14: the two regimes, at equal shares."""
    for k in (4, 6):
        pi = [F(1, k)] * k
        small = rropt.solve(problem("log(21/20)", MutualInformation(), pi), routes="exact")
        half = tuple(range(k // 2))
        best = max(MutualInformation().value(split(k, half[:r], F(21, 20)), pi) for r in range(1, len(half) + 1))
        assert abs(small.value - best) <= best / 10**25
        large = rropt.solve(problem("log(1000)", MutualInformation(), pi), routes="exact")
        own = MutualInformation().value(direct(k, F(1000)), pi)
        assert abs(large.value - own) <= own / 10**25
        assert float(own) < log(k)
        q = [F(1, 2), *[F(1, 2 * (k - 1))] * (k - 1)]
        strong = rropt.solve(problem("log(1000)", ChiSquare(q), pi), routes="exact")
        assert strong.gap == 0
        named = [ChiSquare(q).value(m, pi) for m in (direct(k, F(1000)), split(k, (0,), F(1000)))]
        assert strong.value >= max(named)


def test_two_answers_are_not_best_where_no_half_is() -> None:
    """Three equal shares: at small x = gamma - 1 singletons tell x^2/9 - 7 x^3/81, pairs x^2/9 - 11 x^3/81 per answer.

    So randomized response is best at every small level, and two answers, one of each kind, are not.
    """
    gamma, pi = F(1001, 1000), [F(1, 3)] * 3
    solution = rropt.solve(problem(f"log({gamma})", MutualInformation(), pi), routes="exact")
    own = MutualInformation().value(direct(3, gamma), pi)
    assert abs(solution.value - own) <= own / 10**25
    assert abs(float(own / (gamma - 1) ** 2) - (1 / 9 - 7 / 81 / 1000)) < 1e-6
    assert MutualInformation().value(split(3, (0,), gamma), pi) < own * (1 - F(1, 10**4))


def test_chi_square_at_small_levels_is_of_two_answers(rng: random.Random) -> None:
    """One bit is best in the first order: the value is that of the best subset but for a part of gamma - 1."""
    for _ in range(4):
        k, gamma = rng.choice((3, 4)), F(10**6 + 1, 10**6)
        pi, q = population(rng, k), population(rng, k)
        solution = rropt.solve(problem(f"log({gamma})", ChiSquare(q), pi), routes="exact")
        subsets = [s for r in range(1, k) for s in combinations(range(k), r)]
        best = max(ChiSquare(q).value(split(k, s, gamma), pi) for s in subsets)
        assert best <= solution.value <= best * (1 + 10 * (gamma - 1))


def test_a_contrast_of_two_values_is_binary(rng: random.Random) -> None:
    """One proportion: (q (gamma - 1) + 1)(gamma - (gamma - 1) q)/(gamma - 1)^2, the best binary design."""
    for gamma in (F(11, 10), F(3), F(50)):
        pi, inside = population(rng, 5), {0, 3}
        objective = COptimality([F(3) if j in inside else F(1) for j in range(5)])
        solution = rropt.solve(problem(f"log({gamma})", objective, pi), routes="exact")
        q = sum(pi[j] for j in inside)
        assert solution.gap == 0
        assert solution.value == 4 * (q * (gamma - 1) + 1) * (gamma - (gamma - 1) * q) / (gamma - 1) ** 2
        assert (
            solution.value == 4 * rropt.solve(rropt.designs.binary_problem(epsilon=f"log({gamma})", prevalence=q)).value
        )
        assert EstimatorVariance().value(Mechanism([[row[0], row[1]] for row in solution.mechanism.matrix]), [q, 1 - q])


def test_categories_with_the_same_number_may_be_merged(rng: random.Random) -> None:
    """A difference of two shares is a problem of three inputs; unmerged, by CVXPY, it has the same value."""
    cp = pytest.importorskip("cvxpy")
    for _ in range(3):
        k, gamma, pi = 4, 3.0, population(rng, 4)
        solution = rropt.solve(problem("log(3)", COptimality([1, -1, 0, 0]), pi), routes="exact")
        merged = [pi[0], pi[1], pi[2] + pi[3]]
        other = rropt.solve(problem("log(3)", COptimality([1, -1, 0]), merged), routes="exact")
        assert (solution.lower, solution.upper) == (other.lower, other.upper)
        assert solution.gap <= solution.upper / 10**12
        assert all(row[2] == row[3] for row in solution.mechanism.matrix)
        rows = np.array(list(product((1.0, gamma), repeat=k)))[1:-1]
        s = rows @ np.array([float(p) for p in pi])
        y, alpha = cp.Variable(k), cp.Variable(k)
        conditions = [cp.square(rows @ y) <= cp.multiply(s, rows @ alpha)]
        programme = cp.Problem(cp.Maximize(2 * np.array([1, -1, 0, 0]) @ y - cp.sum(alpha)), conditions)
        value = programme.solve() - float(pi[0] - pi[1]) ** 2
        assert float(solution.value) == pytest.approx(value, rel=1e-4)


def test_the_value_of_a_contrast_is_the_variance_of_an_unbiased_estimate(rng: random.Random) -> None:
    """Its estimate from answer i is z . p_i/(p_i . pi): unbiased at every population where M may be singular."""
    for _ in range(20):
        k = rng.randint(2, 4)
        pi, mechanism, c = population(rng, k), random_mechanism(rng, k, F(4)), contrast(rng, k)
        solution = COptimality(c).solution(mechanism, pi)
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
        assert COptimality(c).value(mechanism, pi) == second - mean**2


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
            solution = rropt.solve(problem(f"log({gamma})", AOptimality(), pi), routes="exact")
            own = AOptimality().value(direct(k, gamma), pi)
            assert (own <= solution.upper) == best
            assert own >= solution.lower


def test_closed_forms(rng: random.Random) -> None:
    """In symbols, at the level of the problem: the mechanism exactly, and the value."""
    uniform = [F(1, 3)] * 3
    made = [(COptimality([2, 2, -1]), "log(3)"), (COptimality([0, 1, 0]), "log(11/10)"), (AOptimality(), "log(50)")]
    made += [(drawn(rng, kind, 3), level) for kind in KINDS[1:] for level in ("log(6/5)", "log(20)", "1")]
    for objective, level in made:
        pi = uniform if objective.kind == "a-optimal" else population(rng, 3)
        solution = rropt.solve(problem(level, objective, pi), routes="exact")
        form = solution.closed_form()
        mechanism, value = form.evaluated()
        assert mechanism.shape == solution.mechanism.shape
        if level != "1":
            assert [[F(int(x.p), int(x.q)) for x in mechanism.row(i)] for i in range(mechanism.rows)] == [
                list(row) for row in solution.mechanism.matrix
            ]
        assert float(value.evalf(30)) == pytest.approx(float(solution.value), rel=1e-12, abs=1e-20)
    with pytest.raises(UnsupportedProblemError, match="in symbols"):
        rropt.solve(problem("1", COptimality([1, -1, 0]), uniform), routes="exact").closed_form()


def test_extreme_levels_and_populations() -> None:
    pi, q = [F(1, 2), F(1, 3), F(1, 6)], [F(1), F(0), F(0)]
    for level in ("1/1000000000", "log(100000000000000000000)"):
        for objective in (COptimality([1, -1, 0]), MutualInformation(), TotalVariation(q), ChiSquare(q)):
            solution = rropt.solve(problem(level, objective, pi), routes="exact")
            assert solution.gap <= solution.upper / 10**9
    assert rropt.solve(problem("1", TotalVariation(pi), pi)).value == 0
    assert rropt.solve(problem("1", ChiSquare(pi), pi)).upper == 0
    assert rropt.solve(problem("1", MutualInformation(), [F(1), F(0)])).upper < F(1, 10**25)


def test_more_categories(size: Callable[[int, int], int], rng: random.Random) -> None:
    for kind, k in (("c-optimal", size(9, 10)), *((kind, size(9, 12)) for kind in KINDS[1:])):
        for _ in range(size(1, 20)):
            solution = rropt.solve(problem(rng.choice(LEVELS), drawn(rng, kind, k), population(rng, k)), routes="exact")
            assert solution.gap <= solution.upper / 10**9
    wide = COptimality([1, -1, *[0] * 11])
    assert rropt.solve(problem("1", wide, [F(1, 13)] * 13), routes="exact").mechanism.inputs == 13


def test_under_a_criterion() -> None:
    pi = [F(1, 2), F(1, 3), F(1, 6)]
    region = CriterionRegion(rho_to_rho("1/5", "1/2"), inputs=3, outputs="any")
    for objective in (COptimality([1, 0, -1]), MutualInformation()):
        solution = rropt.solve(rropt.Problem(region, objective, pi), routes="exact")
        assert solution.value == rropt.solve(problem("log(4)", objective, pi), routes="exact").value
        assert region.contains(solution.mechanism)


def test_the_command_line(cli_json: Callable[..., dict], tmp_path: Path) -> None:
    common = (
        "design",
        "kary",
        "--proportions",
        "1/2,1/3,1/6",
        "--epsilon",
        "log(3)",
        "--outputs",
        "any",
        "--objective",
    )
    options = {
        "c-optimal": ("--contrast", "1,-1,0"),
        "mutual-information": (),
        "total-variation": ("--against", "1/3,1/3,1/3"),
        "chi-square": ("--against", "1/3,1/3,1/3"),
    }
    values = {}
    for kind, more in options.items():
        proof, page = tmp_path / f"{kind}.json", tmp_path / f"{kind}.html"
        data = cli_json(*common, kind, *more, "--certificate", str(proof), "--report", str(page))
        assert rropt.check(proof)
        assert kind in page.read_text() or data["certificate"]["problem"]["objective"]["kind"] == kind
        values[kind] = F(data["value"])
    assert values["total-variation"] == F(1, 2) * F(1, 6)


def test_what_is_refused(cli: Callable[..., tuple[int, str, str]]) -> None:
    pi = [F(1, 3)] * 3
    for objective in (COptimality([1, 0, 0]), MutualInformation(), TotalVariation(pi), ChiSquare(pi)):
        with pytest.raises(UnsupportedProblemError, match="set `outputs` to any"):
            rropt.Problem(PrivacyRegion("1", "1/10" if objective.with_few else 0, inputs=3, outputs=3), objective, pi)
        with pytest.raises(InfeasibleError, match="nothing to estimate"):
            problem(0, objective, pi)
    seven = rropt.Problem(PrivacyRegion("1", "1/10", inputs=7, outputs="any"), MutualInformation(), [F(1, 7)] * 7)
    with pytest.raises(UnsupportedProblemError, match="at most 6 categories"):
        rropt.solve(seven)
    with pytest.raises(UnsupportedProblemError, match=r"solved over the rays of the levels.*categories; merge"):
        rropt.solve(problem("1", MutualInformation(), [F(2 * i + 1, 21**2) for i in range(21)]))
    with pytest.raises(UnsupportedProblemError, match=r"solved over the rays of the levels.*categories; merge"):
        rropt.solve(problem("1", COptimality(list(range(21))), [F(1, 21)] * 21))
    with pytest.raises(InvalidParameterError, match="one number per category"):
        problem("1", COptimality([1, 0]), pi)
    with pytest.raises(InvalidParameterError, match="one number per category"):
        problem("1", ChiSquare(["1/2", "1/2"]), pi)
    for bad in ([1, 1, 1], [1], "1,2", [1, "x"], None):
        with pytest.raises(InvalidParameterError):
            COptimality(bad)  # type: ignore[arg-type]
    for bad in ([1, 1], ["1/2"], 7, ["-1/2", "3/2"]):
        with pytest.raises(InvalidParameterError):
            TotalVariation(bad)  # type: ignore[arg-type]
    with pytest.raises(InfeasibleError, match="combination of the mechanism's rows"):
        COptimality([1, 0, 0]).value(Mechanism([["1/2"] * 3] * 2), pi)
    with pytest.raises(InvalidParameterError, match="chi-square is infinite"):
        ChiSquare([1, 0]).value(Mechanism([[1, 0], [0, 1]]), ["1/2", "1/2"])
    line = ("design", "kary", "-k", "3", "--epsilon", "1", "--objective")
    for arguments, words in (
        (("c-optimal",), "--contrast"),
        (("chi-square",), "--against"),
        (("c-optimal", "--contrast", "1,-1"), "one number per category"),
        (("trace", "--outputs", "any"), "it names the responses"),
        (("mutual-information", "--contrast", "1,-1,0"), "--contrast does not belong"),
    ):
        status, _, error = cli(*line, *arguments)
        assert status == 2
        assert words in error
        assert len(error.strip().splitlines()) == 1
