"""Rule 29: tangents against D_a/a of many orders, thresholds, and extreme witnesses."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath as mp
import pytest
from fuzz.concentrated import file, quotient, rational, supremum

from rropt.checker import check_text

F = Fraction


def judged(k: int, g: F, claim: tuple[F, F], order: F, digits: int = 40) -> Any:
    return check_text(json.dumps(file(k, {"log": str(g)}, (g, g), claim, order, digits)))


def test_tangents_bound_every_order(size: Callable[[int, int], int]) -> None:
    rng, beyond = random.Random(29), 0
    for _ in range(size(25, 500)):
        k, g = rng.choice((2, 6, 7, 10, 50, 1000)), F(rng.randint(11, 200), 10)
        best, most = supremum(k, g)
        order = F(1) if best == 1 else max(rational(best, 20) - F(1, 10**8), F(1))
        with mp.workdps(40):
            parity = mp.mpf(g.numerator) / g.denominator
            assert all(quotient(k, parity, 1 + mp.mpf(2) ** j) <= most for j in range(-20, 12))
        if judged(k, g, (F(0), rational(most) + F(1, 10**6)), order):
            beyond += order > 1
        else:
            assert 1 < best < 1.01  # the threshold is near
        assert not judged(k, g, (F(0), rational(most) * F(999_999, 10**6)), order)
    assert beyond >= size(5, 100)


@pytest.mark.parametrize(
    ("k", "low", "high"), [(7, "1.5476", "1.5477"), (10, "3.6746", "3.6747"), (100, "164.31", "164.32")]
)
def test_the_limit_is_refused_below_its_threshold(k: int, low: str, high: str) -> None:
    assert "concave" in judged(k, F(low), (F(0), F(10)), F(1)).reason
    assert judged(k, F(high), (F(0), F(10)), F(1))


@pytest.mark.parametrize("order", [10**6, 10**30, 10**399])
@pytest.mark.parametrize("digits", [1, 300])
def test_extreme_orders_are_refused_or_accepted_without_a_crash(order: int, digits: int) -> None:
    verdict = judged(10**12, F(10**6), (F(0), F(100)), F(order), digits)
    assert "unforeseen" not in verdict.reason
