"""Decimals that are rounded outwards, and arrays that hold one number."""

from __future__ import annotations

import random
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from rropt import RroptError
from rropt.core.exact import rational
from rropt.core.exact.display import decimal_outwards


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
