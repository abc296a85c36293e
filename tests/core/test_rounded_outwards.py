"""Decimals that are rounded outwards, and arrays that hold one number."""

from __future__ import annotations

import math
import random
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from every_case import every_case

from rropt import RroptError
from rropt.core.exact import rational
from rropt.core.exact.display import decimal_outwards, enclosure_text
from rropt.core.exact.numbers import natural_log
from rropt.core.exact.rational_bounds import logarithm, short_logarithm
from rropt.core.results.json_writing import _outwards


@pytest.mark.parametrize("up", [True, False])
def test_a_decimal_is_on_its_side_and_close(up: bool) -> None:
    """1000 random fractions and digits: on the side that was asked for, less than one unit of the last digit away."""
    draw = random.Random(f"outwards {up}")
    for _ in range(1000):
        value = Fraction(draw.randint(1, 10 ** draw.randint(1, 30)), draw.randint(1, 10 ** draw.randint(1, 30)))
        digits = draw.randint(1, 40)
        text = decimal_outwards(value, up=up, digits=digits)
        shown = Fraction(Decimal(text))
        assert shown >= value if up else shown <= value
        assert abs(shown - value) < value * Fraction(10) ** (1 - digits), (value, text)


def test_an_array_without_axes_is_one_number_and_any_other_is_none() -> None:
    assert rational(np.array(0.25)) == Fraction(1, 4)
    for other in (np.array([0.25]), np.array([]), np.array([[1]])):
        with pytest.raises(RroptError):
            rational(other)


@pytest.mark.parametrize(
    ("lower", "upper", "text"),
    [
        (Fraction(4, 3), Fraction(5, 3), "from 1.33333333333333 to 1.66666666666667"),
        (None, Fraction(5, 3), "from 1 to 1.66666666666667"),
        (Fraction(4, 3), None, "from 1.33333333333333 to infinity"),
        (None, None, "from 1 to infinity"),
    ],
)
def test_an_unknown_bound_of_an_enclosure_is_one_or_infinity(
    lower: Fraction | None, upper: Fraction | None, text: str
) -> None:
    assert enclosure_text(lower, upper) == text


@every_case("power", range(1, 300, 13))
def test_the_logarithm_of_a_number_near_one_is_not_cancelled(power: int) -> None:
    """``0 <= x - log(1 + x) <= x^2`` for x >= 0, and ``x - x^2 <= log(1 + x) <= x`` for -1/2 <= x < 0."""
    for x in (Fraction(4, 10**power), Fraction(-4, 10**power)):
        error = Fraction(natural_log(1 + x)) - x
        assert abs(error) <= x * x + abs(x) / 10**15


def test_a_logarithm_in_decimals_is_that_of_a_ball() -> None:
    rng = random.Random(1)
    for _ in range(300):
        size, bits = rng.choice([3, 20, 60, 120]), rng.choice([40, 100, 300])
        below = rng.randrange(2, 2**size)
        value = Fraction(below + rng.choice([1, -1, rng.randrange(1, 2**size)]), below)
        exact = logarithm(value, bits + 2 * size + 64)
        assert abs(short_logarithm(value, bits) - exact) <= abs(exact) / 2**bits


def test_a_logarithm_beyond_the_range_of_floats() -> None:
    assert math.isclose(natural_log(Fraction(10) ** 5000), 5000 * math.log(10), rel_tol=1e-12)
    assert math.isclose(natural_log(Fraction(3, 10**5000)), math.log(3) - 5000 * math.log(10), rel_tol=1e-12)


@pytest.mark.parametrize("up", [True, False])
def test_a_float_is_the_nearest_on_its_side(up: bool) -> None:
    values = [Fraction(n, 10) for n in range(-9, 10)] + [Fraction(1, 3), Fraction(2, 3), Fraction(-1, 3)]
    for value in values:
        found = _outwards(value, up=up)
        assert found is not None
        assert Fraction(found) >= value if up else Fraction(found) <= value
        inwards = Fraction(math.nextafter(found, -math.inf if up else math.inf))
        assert inwards < value if up else inwards > value
    assert _outwards(Fraction(10**400), up=up) is None
