"""Bounds that no mechanism of a level meets: the least level that is enough, and certificates that it is needed."""

from __future__ import annotations

from fractions import Fraction

import pytest
from support.regions import by_distance

from rropt.core.errors import InfeasibleError
from rropt.core.exact import Epsilon
from rropt.designs import solve
from rropt.designs.infeasible_designs import InfeasibleDesignError, least_gamma
from rropt.designs.problem import Problem
from rropt.objectives import Trace
from rropt.privacy import LevelsRegion
from rropt.privacy.bounded_regions import BoundedRegion
from rropt.privacy.region import PrivacyRegion


def uniform(k: int) -> list[Fraction]:
    return [Fraction(1, k)] * k


@pytest.mark.slow
def test_the_least_level_that_bounds_need() -> None:
    """Minimum diagonals d need ``gamma >= max_j sum_(i != j) d_i / (1 - d_j)``; one alone is always possible."""
    for diagonal in (["9/10"] * 3, ["1/2", "3/4", "2/3"], ["4/5", "4/5"]):
        k, d = len(diagonal), [Fraction(x) for x in diagonal]
        needed = max(sum(d[i] for i in range(k) if i != j) / (1 - d[j]) for j in range(k))
        least = {(i, i): x for i, x in enumerate(diagonal)}
        strict = BoundedRegion.sparse(PrivacyRegion("log(3/2)", inputs=k, outputs=k), least=least)
        problem = Problem(strict, Trace([1] * k), uniform(k))
        below, above = least_gamma(problem) or (0, 0)
        assert above == needed
        assert below < needed
        with pytest.raises(
            InfeasibleDesignError, match=rf"about log\({needed}\) = .*: that is enough, 1e-9 less is not"
        ) as caught:
            solve(problem)
        assert isinstance(caught.value, InfeasibleError | ValueError)
        assert caught.value.certificate.check()
        assert caught.value.certificate.statement == "infeasible"
        enough = BoundedRegion.sparse(PrivacyRegion(Epsilon.of_gamma(needed), inputs=k, outputs=k), least=least)
        assert solve(Problem(enough, problem.objective, problem.population)).gap == 0
    alone = BoundedRegion.sparse(PrivacyRegion("0", inputs=3, outputs=3), least={(2, 2): "9/10"})
    assert solve(Problem(alone, Trace([1] * 3), uniform(3))).value == 1


def test_bounds_that_contradict_themselves() -> None:
    """Sums of bounds that no stochastic column meets are named as such, with a certificate."""
    inner = PrivacyRegion("1", "1/10", inputs=2, outputs=2)
    for bounds in ({"least": {(0, 1): "3/4", (1, 1): "1/2"}}, {"most": {(0, 0): "1/4", (1, 0): "1/4"}}):
        with pytest.raises(InfeasibleDesignError, match="whatever the privacy level") as caught:
            solve(Problem(BoundedRegion.sparse(inner, **bounds), Trace([1, 1]), uniform(2)))
        assert caught.value.certificate.check()


@pytest.mark.slow
def test_bounds_under_levels_of_pairs() -> None:
    """1/2 against 1/10 needs level log 5, 1.61 times the level 1; neighbours 9/10 and 9/10 need log 9."""
    region = LevelsRegion.by_pair([[None, "1"], [None, None]])
    bounded = BoundedRegion.sparse(region, least={(0, 0): "1/2"}, most={(0, 1): "1/10"})
    with pytest.raises(InfeasibleDesignError, match=r"levels about 1\.61 times as high") as caught:
        solve(Problem(bounded, Trace([1, 1]), uniform(2)))
    assert caught.value.certificate.check()
    ordered = by_distance(3, "log(3)")
    bounded = BoundedRegion.sparse(ordered, least={(0, 0): "9/10", (1, 1): "9/10"})
    with pytest.raises(InfeasibleDesignError, match=r"levels about 2 times as high"):
        solve(Problem(bounded, Trace([1, 1, 1]), uniform(3)))
    tiny = LevelsRegion.by_pair(
        [[None, "1e-8", None], ["1e-8", None, "1"], [None, None, None]]
    )  # 2e-8 is a level, not 0
    bounded = BoundedRegion.sparse(tiny, least={(0, 0): "0.50000001"}, most={(0, 1): "0.5"})
    with pytest.raises(InfeasibleDesignError, match=r"levels about 2 times as high"):
        solve(Problem(bounded, Trace([1, 1, 1]), uniform(3)))


def test_no_level_is_enough() -> None:
    """Bounds that only an infinite level could meet: 1/2 beside 10^-50."""
    inner = PrivacyRegion("1", inputs=2, outputs=2)
    bounded = BoundedRegion.sparse(inner, least={(0, 0): "1/2"}, most={(0, 1): "1e-50"})
    with pytest.raises(InfeasibleDesignError, match="no epsilon up to 100 is enough") as caught:
        solve(Problem(bounded, Trace([1, 1]), uniform(2)))
    assert caught.value.certificate.check()


@pytest.mark.slow
def test_levels_a_hair_beside_the_least_feasible_one() -> None:
    """Decimals of log 18, whose exponentials are about 1e-34 below and above 18: decided, by a finer bracket."""
    least = {(i, i): "9/10" for i in range(3)}
    digits = "2.89037175789616469220772259530322797"  # log 18 = 2.890371757896164692207722595303227970...
    low, high = Fraction(digits) - Fraction(1, 10**35), Fraction(digits) + Fraction(2, 10**35)
    below = BoundedRegion.sparse(PrivacyRegion(low, inputs=3, outputs=3), least=least)
    with pytest.raises(InfeasibleDesignError):
        solve(Problem(below, Trace([1] * 3), uniform(3)))
    above = BoundedRegion.sparse(PrivacyRegion(high, inputs=3, outputs=3), least=least)
    solution = solve(Problem(above, Trace([1] * 3), uniform(3)))
    assert above.contains(solution.mechanism)
    assert solution.gap < Fraction(1, 10**20)
