"""A-optimal designs: closed forms, bounds that no mechanism beats, certificates, and the way of an objective."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

import rropt
from rropt.core.errors import InfeasibleError, InvalidParameterError, UnsupportedProblemError
from rropt.mechanisms import Mechanism
from rropt.mechanisms.information import information_inverse
from rropt.objectives import AOptimality, EstimatorVariance
from rropt.privacy import PrivacyRegion
from rropt.privacy.criteria import rho_to_rho
from rropt.privacy.criterion_region import CriterionRegion

F = Fraction
LEVELS = ("1/20", "1/10", "log(3/2)", "1/2", "log(2)", "1", "log(5)", "2", "7/2", "5", "log(1000)", "8")


def problem(epsilon: object, population: list[Fraction]) -> rropt.Problem:
    return rropt.Problem(PrivacyRegion(epsilon, inputs=len(population), outputs="any"), AOptimality(), population)


def populations(rng: random.Random, k: int) -> list[Fraction]:
    """Return a random population, at times with shares of 1e-4 or 0."""
    shares = [rng.choice((1, 10, rng.randint(1, 10**4))) for _ in range(k)]
    if rng.random() < 0.1:
        shares[rng.randrange(k)] = 0
    shares[rng.randrange(k)] += 10**4
    return [F(x, sum(shares)) for x in shares]


def direct(k: int, gamma: Fraction) -> Mechanism:
    """Return k-ary randomized response."""
    return Mechanism([[(gamma if i == j else 1) / (gamma + k - 1) for j in range(k)] for i in range(k)])


def closed_form(k: int, gamma: Fraction) -> Fraction:
    """Return the optimum at equal shares, that of the best subset selection (Ye and Barg 2018)."""
    return min(F((k - 1) ** 2, k) / (gamma - 1) ** 2 * (d * gamma + k - d) ** 2 / (d * (k - d)) for d in range(1, k))


def random_mechanism(rng: random.Random, k: int, gamma: Fraction) -> Mechanism:
    """Return a mechanism of parity at most gamma: rows of any values between 1 and gamma, and the rest as a row."""
    rows = []
    for _ in range(rng.randint(k - 1, 2 * k)):
        kind = rng.random()
        rows.append(
            [F(1) + (gamma - 1) * (rng.randint(0, 1) if kind < 0.7 else F(rng.randint(0, 6), 6)) for _ in range(k)]
        )
    weights = [F(rng.randint(1, 9)) for _ in rows]
    sums = [sum(w * row[j] for w, row in zip(weights, rows, strict=True)) for j in range(k)]
    least = (gamma * max(sums) - min(sums)) / (gamma - 1)  # the scale at which the rest has parity gamma
    matrix = [[w * x / least for x in row] for w, row in zip(weights, rows, strict=True)]
    return Mechanism([*matrix, [1 - s / least for s in sums]])


def test_the_certified_gap(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Random populations at twelve levels from 0.05 to 8; the mechanism is private and has the value, exactly."""
    worst, points = 0.0, 0
    for k, count in ((2, size(12, 200)), (3, size(16, 300)), (4, size(5, 200)), (5, size(2, 100)), (6, size(2, 100))):
        for _ in range(count):
            pi = populations(rng, k)
            epsilon = LEVELS[points % len(LEVELS)]
            solution = rropt.solve(problem(epsilon, pi), routes="exact")
            assert solution.problem.region.contains(solution.mechanism)
            assert solution.value == solution.upper
            own = AOptimality().value(solution.mechanism, pi)
            assert 0 <= solution.value - own <= own / 10**22
            gap = float(solution.gap / solution.upper)
            assert 0 <= gap <= 1e-9, (k, epsilon, pi)
            assert solution.mechanism.outputs <= k * (k + 1) // 2
            worst, points = max(worst, gap), points + 1
    print(f"{points} problems, largest relative gap {worst:.1e}")
    assert points >= 37


@pytest.mark.parametrize("k", [7, *(pytest.param(k, marks=pytest.mark.full_size) for k in (8, 10))])
def test_more_categories(k: int, rng: random.Random, size: Callable[[int, int], int]) -> None:
    for _ in range(size(1, 20)):
        solution = rropt.solve(problem(rng.choice(LEVELS), populations(rng, k)))
        assert set(solution.routes) == {"convex", "exact"}
        assert solution.gap <= solution.upper / 10**9


def test_equal_shares_are_the_closed_form(size: Callable[[int, int], int]) -> None:
    points = 0
    for k in range(2, size(6, 9)):
        for gamma in (F(21, 20), F(2), F(9, 2), F(20), F(2981)):
            solution = rropt.solve(problem(f"log({gamma})", [F(1, k)] * k), routes="exact")
            optimum = closed_form(k, gamma)
            assert solution.lower <= optimum <= solution.upper
            assert solution.gap <= optimum / 10**12
            points += 1
    assert points >= 20


def test_two_categories_are_the_binary_design_twice(rng: random.Random) -> None:
    """The trace is n Var of both shares; the best design of two answers is the best of all, and gap 0 is reached."""
    for gamma in (F(11, 10), F(3, 2), F(7), F(1000)):
        p = F(rng.randint(0, 20), 20)
        solution = rropt.solve(problem(f"log({gamma})", [1 - p, p]))
        binary = rropt.solve(rropt.designs.binary_problem(epsilon=f"log({gamma})", prevalence=p))
        assert solution.gap == 0
        assert solution.value == 2 * binary.value
        assert solution.mechanism == rropt.solve(problem(f"log({gamma})", [1 - p, p]), routes="exact").mechanism


def test_no_mechanism_beats_the_lower_bound(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Random mechanisms within the region, exactly; k-ary randomized response among them."""
    beaten = nearest = points = 0
    for k in (2, 3, 3, 4):
        gamma, pi = rng.choice((F(6, 5), F(2), F(5), F(30))), populations(rng, k)
        solution = rropt.solve(problem(f"log({gamma})", pi), routes="exact")
        assert AOptimality().value(direct(k, gamma), pi) >= solution.upper
        for _ in range(size(60, 3000)):
            mechanism = random_mechanism(rng, k, gamma)
            assert solution.problem.region.contains(mechanism)
            inverse = information_inverse(mechanism, tuple(pi))
            if inverse is not None:
                value = sum((row[j] - pi[j] ** 2 for j, row in enumerate(inverse)), F(0))
                beaten += value < solution.lower
                nearest += value < 2 * solution.upper
                points += 1
    assert beaten == 0
    assert points >= size(200, 10_000)
    assert nearest >= 20  # else the bound was not tried


def test_a_garbling_by_patterns(rng: random.Random) -> None:
    """Rows of any values are no better than the patterns they are made of: a row is split at its thresholds."""
    for _ in range(40):
        k, gamma = rng.randint(2, 4), F(rng.randint(2, 9))
        mechanism = random_mechanism(rng, k, gamma)
        rows = []
        for row in mechanism.matrix:
            low = min(row)
            steps = sorted({(x - low) / (gamma - 1) for x in row} | {F(0), low})
            for below, above in pairwise(steps):
                bits = [(x - low) / (gamma - 1) >= above for x in row]
                rows.append([(above - below) * (gamma if bit else 1) for bit in bits])
        split = Mechanism(rows)
        assert all(max(row) in (min(row), gamma * min(row)) for row in rows)
        pi = tuple(populations(rng, k))
        if information_inverse(mechanism, pi) is not None:
            assert AOptimality().value(split, pi) <= AOptimality().value(mechanism, pi)


def test_the_value_is_the_variance_of_an_unbiased_estimate(rng: random.Random) -> None:
    """By its definition: estimates a_i = M^-1 p_i / (p_i . pi), mean pi' at every population pi', sum 1."""
    for _ in range(30):
        k = rng.randint(2, 4)
        pi, mechanism = populations(rng, k), random_mechanism(rng, k, F(4))
        inverse = information_inverse(mechanism, tuple(pi))
        if inverse is None:
            continue
        estimates, means = [], []
        for row in mechanism.matrix:
            means.append(sum(p * x for p, x in zip(pi, row, strict=True)))
            estimates.append([sum(map(lambda a, b: a * b, line, row)) / (means[-1] or 1) for line in inverse])
        for j in range(k):
            assert [
                sum(a[r] * row[j] for a, row in zip(estimates, mechanism.matrix, strict=True)) for r in range(k)
            ] == [int(r == j) for r in range(k)]
        assert all(sum(a) == 1 for a, mean in zip(estimates, means, strict=True) if mean)
        total = sum(mean * sum(x * x for x in a) for a, mean in zip(estimates, means, strict=True))
        assert AOptimality().value(mechanism, pi) == total - sum(p * p for p in pi)
    assert AOptimality().value(Mechanism.binary("3/4", "2/3"), ["1/5", "4/5"]) == 2 * EstimatorVariance().value(
        Mechanism.binary("3/4", "2/3"), ["1/5", "4/5"]
    )


def test_all_routes_agree_and_the_level_may_be_tiny() -> None:
    solution = rropt.solve(problem("1", [F(1, 2), F(1, 3), F(1, 6)]))
    assert list(solution.routes) == ["exact", "convex"]
    tiny = rropt.solve(problem("1/1000000000", [F(1, 2), F(1, 3), F(1, 6)]), routes="exact")
    assert tiny.gap <= tiny.upper / 10**9
    assert abs(float(tiny.value) * 1e-18 - 6) < 1e-6  # (gamma - 1)^2 times the value of subset selection
    large = rropt.solve(problem("log(100000000000000000000)", [F(1, 2), F(1, 3), F(1, 6)]), routes="exact")
    assert large.gap <= large.upper / 10**9
    assert float(large.value) == pytest.approx(1 - (1 / 4 + 1 / 9 + 1 / 36))


def test_the_command_line_json_and_the_report(cli_json: Callable[..., dict], tmp_path: Path) -> None:
    page, proof = tmp_path / "page.html", tmp_path / "proof.json"
    arguments = ("design", "kary", "--proportions", "1/2,1/3,1/6", "--epsilon", "1", "--objective", "a-optimal")
    data = cli_json(*arguments, "--report", str(page), "--certificate", str(proof))
    assert set(data["routes"]) == {"convex", "exact"}
    assert F(data["lower"]) <= F(data["value"]) == F(data["upper"])
    assert rropt.check(proof)
    assert "n tr Cov" in page.read_text()
    solved = rropt.Problem.from_dict(data["problem"])
    assert solved == problem("1", [F(1, 2), F(1, 3), F(1, 6)])
    assert rropt.Problem.from_json(solved.to_json()) == solved
    assert solved.region.contains(Mechanism(data["mechanism"]["matrix"]))


def test_under_a_criterion(cli_json: Callable[..., dict]) -> None:
    """B(h) = 4, and one that is only enclosed: the certificate holds the proof of it."""
    pi = [F(1, 2), F(1, 3), F(1, 6)]
    region = CriterionRegion(rho_to_rho("1/5", "1/2"), inputs=3, outputs="any")
    posed = rropt.Problem(region, AOptimality(), pi)
    solution = rropt.solve(posed, routes="exact")
    assert rropt.Problem.from_json(posed.to_json()) == posed
    assert solution.value == rropt.solve(problem("log(4)", pi), routes="exact").value
    assert set(solution.certificate.problem["levels"][0]["epsilon"]) == {"up", "down"}
    assert region.contains(solution.mechanism)
    arguments = ("design", "kary", "--proportions", "1/2,1/3,1/6", "--objective", "a-optimal", "--routes", "exact")
    for level in (("--rho", "1/5", "1/2"), ("--upper", "min(1, sqrt(p))")):
        data = cli_json(*arguments, *level)
        assert rropt.check(data["certificate"])
        assert F(data["lower"]) <= F(data["upper"]) <= F(data["lower"]) * F(10**9 + 1, 10**9)


def test_what_is_refused() -> None:
    pi = [F(1, 3)] * 3
    with pytest.raises(UnsupportedProblemError, match="set `outputs` to any"):
        rropt.Problem(PrivacyRegion("1", "1/10", inputs=3, outputs=3), AOptimality(), pi)
    with pytest.raises(InfeasibleError, match="nothing to estimate"):
        problem(0, pi)
    delta = rropt.Problem(PrivacyRegion("1", "1/10", inputs=7, outputs="any"), AOptimality(), [F(1, 7)] * 7)
    with pytest.raises(UnsupportedProblemError, match="at most 6 categories"):
        rropt.solve(delta)
    with pytest.raises(UnsupportedProblemError, match=r"solved over the rays of the levels.*categories; merge"):
        rropt.solve(problem("1", [F(j, 231) for j in range(1, 22)]))
    with pytest.raises(InfeasibleError, match="linearly independent"):
        AOptimality().value(Mechanism([["1/2"] * 3] * 2), pi)
    for outputs in ("0", "1", "all", "-1"):
        data = problem("1", pi).to_dict()
        data["region"]["outputs"] = outputs
        with pytest.raises(InvalidParameterError, match="outputs"):
            rropt.Problem.from_dict(data)


def test_regions_of_any_number_of_answers() -> None:
    region = PrivacyRegion("log(3)", inputs=2, outputs="any")
    assert PrivacyRegion.from_dict(region.to_dict()) == region
    assert region.outputs == 0
    assert "output alphabet unrestricted" in str(region)
    for rows, inside in (([["3/4", "1/4"], ["1/4", "3/4"]], True), ([["4/5", "1/5"], ["1/5", "4/5"]], False)):
        assert region.contains(Mechanism(rows)) == inside
        halves = [[str(F(x) / 2) for x in row] for row in rows for _ in range(2)]
        assert region.contains(Mechanism(halves)) == inside
    assert not region.contains(direct(3, F(2)))
