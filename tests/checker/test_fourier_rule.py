"""Rule 38: characteristic functions against the enumeration of every answer, many levels, and limits."""

from __future__ import annotations

import itertools
import json
import math
import random
from collections.abc import Callable
from fractions import Fraction
from math import prod
from typing import Any

import mpmath as mp
import pytest

from rropt.checker import check_text
from rropt.checker.brackets import Bracket
from rropt.checker.composition_rule import Composed
from rropt.checker.documents import Budget, Rejected
from rropt.checker.fourier_rule import Plan, _circle, fourier_bounds

F = Fraction


def composed(parities: list[F], gamma: F) -> Composed:
    counts = {g: parities.count(g) for g in parities}
    parts = [(Bracket(g, g), n) for g, n in counts.items()]
    return Composed(parts, F(1), Bracket(gamma, gamma), F(0), F(1))


def oracle(parities: list[F], gamma: F) -> F:
    total = F(0)
    for yes in itertools.product((True, False), repeat=len(parities)):
        answers = list(zip(parities, yes, strict=True))
        p, q = (prod((g if one == side else F(1) for g, one in answers), start=F(1)) for side in (True, False))
        total += max(F(0), p - gamma * q)
    return total / prod((1 + g for g in parities), start=F(1))


def test_the_bounds_contain_the_enumeration(size: Callable[[int, int], int]) -> None:
    rng, narrow = random.Random(38), 0
    for _ in range(size(40, 4000)):
        parities = [F(rng.randint(11, 60), 10) for _ in range(rng.randint(0, 6))]
        gamma = max(F(1), F(rng.randint(5, 100), 10))
        variance, spacing = rng.choice([F(1), F(1, 10), F(1, 1000)]), rng.choice([F(1, 7), F(1, 10), F(3, 20)])
        plan = Plan(variance, spacing, rng.choice([1, 30, 400]), rng.choice([1, 2, 25]), rng.choice([0, 1, 60]))
        lower, upper = fourier_bounds(composed(parities, gamma), plan, Budget(1 << 40))
        assert 0 <= lower <= oracle(parities, gamma) <= upper <= 1, (parities, gamma, plan)
        narrow += upper - lower < F(1, 500)
    assert narrow >= size(1, 300)


def test_the_intervals_replace_the_frequencies_that_are_summed() -> None:
    """A bound of b_j that were too small would cut the bracket off from the one that sums all of them."""
    rng = random.Random(3)
    parities = [F(math.exp(rng.uniform(0.1, 0.6))).limit_denominator(1000) for _ in range(60)]
    found = []
    for nodes, stride, intervals in ((1500, 1, 0), (60, 6, 240), (60, 30, 48), (60, 1440, 1)):
        plan = Plan(F(1, 5000), F(1, 8), nodes, stride, intervals)
        found.append(fourier_bounds(composed(parities, F(20)), plan, Budget(1 << 40)))
    best = found[0]
    for lower, upper in found[1:]:
        assert lower <= best[0] + F(1, 10**12)
        assert best[1] <= upper + F(1, 10**12)
    assert found[1][1] - found[1][0] < best[1] - best[0] + F(1, 10**6)
    assert found[3][1] - found[3][0] > F(1, 1000)  # one interval that is too long proves next to nothing


def test_a_thousand_different_levels_are_narrow() -> None:
    rng = random.Random(1)
    parities = [F(math.exp(rng.uniform(0.02, 0.1))).limit_denominator(10**6) for _ in range(1000)]
    plan = Plan(F(36, 10**10), F(7, 100), 60, 70, 17_000)
    lower, upper = fourier_bounds(composed(parities, F(20)), plan, Budget())
    assert 0 < upper - lower < F(1, 10**9)


def test_cosines_of_all_angles_are_right() -> None:
    with mp.workdps(60):
        for angle in (F(0), F(1, 3), F(-1, 4), F(22, 7), F(-40), F(101, 2), F(1, 10**50)):
            x = mp.mpf(angle.numerator) / angle.denominator
            for found, true in zip(_circle(angle), (mp.cos(x), mp.sin(x)), strict=True):
                assert abs(found - true * 2**160) < 2


def test_one_remainder_serves_both_ends_of_wide_brackets() -> None:
    parts = [(Bracket(F(7, 5), F(3, 2)), 3), (Bracket(F(1), F(11, 10)), 2)]
    wide = Composed(parts, F(1), Bracket(F(2), F(9, 4)), F(0), F(1))
    plan = Plan(F(1, 100), F(1, 8), 40, 4, 60)
    lower, upper = fourier_bounds(wide, plan, Budget())
    assert lower <= oracle([F(7, 5)] * 3, F(9, 4))
    assert upper >= oracle([F(3, 2)] * 3 + [F(11, 10)] * 2, F(2))


def file(count: int = 2, **witness: Any) -> str:
    problem = {
        "kind": "composition",
        "items": [{"epsilon": {"log": "3"}, "delta": "0", "count": str(count)}],
        "epsilon": {"log": "4"},
    }
    own = {
        "rule": "composition-fourier",
        "levels": [{"below": "3", "above": "3"}],
        "gamma": {"below": "4", "above": "4"},
        "variance": witness.pop("variance", "1/10"),
        "frequencies": {"spacing": "1/8", "nodes": "20", "stride": "1", "intervals": "0", **witness},
    }
    claim = {"kind": "composed-delta", "lower": "0", "upper": "1"}
    return json.dumps({"format": "rropt-certificate/1", "problem": problem, "claim": claim, "witness": own})


@pytest.mark.parametrize(
    ("witness", "words"),
    [
        ({}, ""),
        ({"nodes": "1048576"}, "more work"),
        ({"intervals": "1048576"}, "more work"),
        ({"stride": "1048576", "intervals": "3"}, ""),
        ({"spacing": f"1/{10**399}"}, ""),
        ({"spacing": f"1/{10**399}", "nodes": "1048576"}, "more work"),
        ({"variance": f"1/{10**399}"}, ""),
        ({"variance": f"1/{10**399}", "intervals": "500000"}, "more work"),
        ({"count": 16_000}, "half a period"),
    ],
)
def test_extreme_witnesses(witness: dict[str, Any], words: str) -> None:
    verdict = check_text(file(**witness))
    if words:
        assert words in verdict.reason, verdict
    else:
        assert verdict, verdict.reason


def test_a_mean_beyond_half_a_period_is_refused() -> None:
    with pytest.raises(Rejected, match="half a period"):
        fourier_bounds(composed([F(3)] * 40, F(2)), Plan(F(1, 10), F(1), 5, 1, 0), Budget())
