"""Designs under Gaussian differential privacy: brackets, membership by an independent formula, records, bad input."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from statistics import NormalDist
from typing import Any

import mpmath as mp
import numpy as np
import pytest
from few_rows import few_rows
from support.ray_problems import objective

from rropt import Problem, check, privacy, solve
from rropt.core.certificates.record import budget_allowed
from rropt.core.errors import FileFormatError, RouteDisagreementError, UnsupportedProblemError
from rropt.designs.solution import Solution
from rropt.mechanisms import Mechanism
from rropt.objectives import AOptimality, Payoff
from rropt.objectives.estimators import rounded_up
from rropt.privacy import GaussianRegion, LevelsRegion, region_from_dict

F = Fraction
THREE = [F(1, 2), F(1, 3), F(1, 6)]


@mp.workdps(30)
def smallest_mu(mechanism: Mechanism) -> float:
    """Return the largest difference of the quantiles of p and q at the vertices of the trade-off functions (mpmath)."""
    best = mp.mpf(0)
    for one, other in permutations(mechanism.columns(), 2):
        for ratio in {p / q for p, q in zip(one, other, strict=True) if q} - {F(0)}:
            above = [(p, q) for p, q in zip(one, other, strict=True) if p >= ratio * q]
            p_sum, q_sum = (sum(x, F(0)) for x in zip(*above, strict=True))
            if p_sum < 1:
                best = max(best, _quantile(p_sum) - _quantile(q_sum))
    return float(best)


def _quantile(p: Fraction) -> Any:
    x = mp.mpf(p.numerator) / p.denominator
    return mp.findroot(lambda t: mp.ncdf(t) - x, NormalDist().inv_cdf(float(p)))


@few_rows(1)
@pytest.mark.parametrize(("k", "levels"), [(2, 8), (3, 5), (4, 1)])
@few_rows(1)
@pytest.mark.parametrize("kind", ["a", "d", "mutual-information"])
def test_brackets_hold_and_designs_are_private(kind: str, k: int, levels: int) -> None:
    pi = [F(j + 1, k * (k + 1) // 2) for j in range(k)]
    found = solve(Problem(GaussianRegion("3/4", inputs=k, levels=levels), objective(kind, k), pi))
    finer = solve(Problem(GaussianRegion("3/4", inputs=k, levels=levels + 2), objective(kind, k), pi))
    assert check(found.certificate)
    assert 0 < finer.gap < found.gap
    assert max(found.lower, finer.lower) < min(found.upper, finer.upper)
    assert 0.5 < smallest_mu(found.mechanism) <= 0.75 + 1e-12
    read = Solution.from_json(found.to_json())
    assert read == found
    for each in (found, read):
        assert dict(each.lines())["certificate states"].startswith("the polygon of levels around the region")
    assert "outside the certificate" in str(found)


def test_the_bracket_contains_the_gaussian_mechanism() -> None:
    """With two categories the Gaussian mechanism is optimal: its M has a row for each interval of a fine grid."""
    found = solve(Problem(GaussianRegion(1, levels=24), AOptimality(), [F(1, 3), F(2, 3)]))
    normal, ends = NormalDist(), [-6.0 + i / 100 for i in range(1300)]
    rows = np.array([[normal.cdf(t + 0.01 - mean) - normal.cdf(t - mean) for mean in (0, 1)] for t in ends])
    shares = np.array([1 / 3, 2 / 3])
    information = (rows / (rows @ shares)[:, None]).T @ rows
    value = np.trace(np.linalg.inv(information)) - shares @ shares
    assert float(found.lower) < value < float(found.upper)
    assert 0 < found.gap < found.upper / 300


def test_membership_agrees_with_quantiles() -> None:
    rng = random.Random(11)
    for _ in range(12):
        rows = [[F(rng.randint(1, 30)) for _ in range(3)] for _ in range(4)]
        sums = [sum(column) for column in zip(*rows, strict=True)]
        mechanism = Mechanism([[x / s for x, s in zip(row, sums, strict=True)] for row in rows])
        mu = F(round(smallest_mu(mechanism) * 10**6), 10**6)
        assert GaussianRegion(mu + F(1, 10**5), inputs=3, levels=1).contains(mechanism)
        assert not GaussianRegion(mu - F(1, 10**5), inputs=3, levels=1).contains(mechanism)


def test_membership_of_degenerate_mechanisms() -> None:
    region = GaussianRegion(1, inputs=2, levels=2)
    assert region.contains(Mechanism([["1", "1"]]))
    assert region.contains(Mechanism([["1/3", "1/3"], ["2/3", "2/3"]]))
    assert not region.contains(Mechanism([["1", "0"], ["0", "1"]]))
    assert not region.contains(Mechanism([["1/1000", "0"], ["999/1000", "1"]]))
    assert not region.contains(Mechanism([["1/3"] * 3, ["2/3"] * 3]))
    tiny = F(1, 10**400)
    assert not region.contains(Mechanism([[tiny, 1 - tiny], [1 - tiny, tiny]]))


def test_membership_with_a_certain_output() -> None:
    """The corner (1 - 1e-100, 1e-101) is above the curve for mu = 1 and below it for mu = 1/100."""
    e, d = F(1, 10**100), F(1, 10**101)
    for mechanism in (Mechanism([[1 - e, 1 - d], [e, d]]), Mechanism([[1 - d, 1 - e], [d, e]])):
        assert GaussianRegion(1, levels=1).contains(mechanism)
        assert not GaussianRegion("1/100", levels=1).contains(mechanism)


@pytest.mark.slow
@pytest.mark.parametrize("mu", ["1e-9", "1e-6", "1/1000", "1/100", "1/10", "5", "8"])
@mp.workdps(40)
def test_polygons_of_extreme_levels(mu: str) -> None:
    """Tangents are below the curve and chords above it, although rounded points coincide or are not convex."""
    region = GaussianRegion(F(mu), levels=160)
    m = _number(F(mu))
    for gamma, delta in _lines(region.polygons[1]):
        at = mp.log(gamma) / m
        assert mp.ncdf(m / 2 - at) - gamma * mp.ncdf(-m / 2 - at) <= delta
    chords = _lines(region.polygons[0])
    for t in (m / 2 + mp.mpf(i) / 7 for i in range(70)):
        assert max(1 - delta - gamma * mp.ncdf(-t) for gamma, delta in chords) >= mp.ncdf(t - m)


@pytest.mark.parametrize("mu", ["1e-3", "1e-9"])
def test_variances_under_tiny_levels_are_refused_at_once(mu: str) -> None:
    with pytest.raises(UnsupportedProblemError, match="no useful bound of a variance is proved"):
        solve(Problem(GaussianRegion(F(mu)), AOptimality(), [F(1, 3), F(2, 3)]))


def test_payoffs_under_tiny_levels_are_refused_at_once() -> None:
    with pytest.raises(UnsupportedProblemError, match="the proved bracket is as wide as the gain"):
        solve(Problem(GaussianRegion("1e-9", inputs=3), Payoff(), [F(1, 3)] * 3))


def test_numbers_of_more_digits_than_python_prints() -> None:
    """At mu = 3/2 a chi-square between shares of two categories has a denominator of more than 4 300 digits."""
    for x in (F(7**6000 - 2, 7**6000), F(1, 7**6000), 3 + F(1, 10**4301), F(0)):
        assert x <= rounded_up(x) <= x + F(1, 10**30)
        assert rounded_up(x).denominator < 10**4300


def _number(x: Fraction) -> Any:
    return mp.mpf(x.numerator) / x.denominator


def _lines(region: LevelsRegion) -> list[tuple[Any, Any]]:
    levels = ((level.epsilon.gamma, level.delta.exact().rational) for level in region.levels)
    return [(_number(gamma), _number(delta)) for gamma, delta in levels]


def test_membership_that_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mechanism that reports the sign of a Gaussian is on the curve: digits below the precision decide."""
    monkeypatch.setattr("rropt.privacy.gaussian_levels._FINE", 53)
    half = F(69146246127401310364, 10**20)
    with pytest.raises(UnsupportedProblemError, match="lower mu a little"):
        GaussianRegion(1, levels=1).contains(Mechanism([[half, 1 - half], [1 - half, half]]))


def test_a_record_with_another_mechanism_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    """The certificate proves the polygon around the region; the record also needs a mechanism inside the region."""
    region = GaussianRegion(1, levels=2)
    problem = Problem(region, AOptimality(), [F(1, 4), F(3, 4)])
    with monkeypatch.context() as changed:
        changed.setattr(GaussianRegion, "polygons", (region.polygons[1], region.polygons[1]))
        with pytest.raises(RouteDisagreementError, match="CVXPY"):
            solve(problem)  # the second solution uses the definition, not the polygons
        forged = solve(problem, fast=True)
    assert check(forged.certificate)
    with pytest.raises(FileFormatError, match="not in the region"):
        Solution.from_json(forged.to_json())


def test_gaussian_privacy_within_one_ten_thousandth(size: Callable[[int, int], int]) -> None:
    """n levels leave 1.7/n^2 of the A-criterion; 132 leave less than 1e-4 (full size: four minutes)."""
    n = size(6, 132)
    with budget_allowed("large"):
        found = solve(Problem(GaussianRegion(1, inputs=3, levels=n), AOptimality(), THREE))
        assert check(found.certificate, budget="large")
    assert found.gap < found.upper * F(17, 10 * n**2)
    assert found.problem.region.contains(found.mechanism)


def test_defaults_follow_the_budget() -> None:
    assert GaussianRegion(1, inputs=3).levels == 30
    with budget_allowed("large"):
        assert GaussianRegion("1/2", inputs=3).levels == 132
    region = GaussianRegion("1/2", inputs=4, levels=3)
    assert region_from_dict(region.to_dict()) == region
    assert isinstance(region_from_dict(region.certified_dict()), LevelsRegion)
    assert Problem.kary(4, level=privacy.gdp("1/2"), objective="a-optimal").region.mu == F(1, 2)
