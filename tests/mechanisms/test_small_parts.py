"""Parts of clients, products and families at small sizes: by enumeration, and by both sides of each limit."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from rropt.core.errors import InvalidParameterError
from rropt.mechanisms import Mechanism, ProductMechanism
from rropt_fieldwork.clients.vectors import _decimal_of, _inside

F = Fraction


def test_decimals_of_test_vectors() -> None:
    for number, most, text in (
        (F(1, 4), 2, "+0.25"),
        (F(-1, 4), 3, "-0.25"),
        (F(3), 0, "+3"),
        (F(3), 2, "+3."),
        (F(1, 3), 5, None),
        (F(1, 8), 2, None),
        (F(-5, 100), 2, "-0.05"),
    ):
        assert _decimal_of(number, most) == text


def test_decimals_inside_an_interval() -> None:
    """With the fewest places, neither an end nor the middle, so that its place in the interval is told."""
    for low, high, most, text in (
        (F(0), F(1), 3, "+0.1"),
        (F(0), F(3), 0, "+1"),
        (F(0), F(2), 0, None),
        (F(0), F(2), 1, "+0.1"),
        (F(1), F(2), 0, None),
        (F(-1), F(1), 1, "-0.9"),
        (F(1, 5), F(2, 5), 2, "+0.21"),
        (F(1, 5), F(1, 5), 6, None),
    ):
        assert _inside(low, high, most) == text, (low, high)


def test_places_in_a_product() -> None:
    """The places are those of the product of the ranges, the first question fastest; others are refused."""
    both = ProductMechanism([Mechanism(name) for name in ("warner:3/4", "grr:3,1/2", "forced:2/3,1/6,1/6")])
    sizes = [factor.inputs for factor in both.factors]
    listed = [both.index(digits) for digits in product(*map(range, sizes))]
    assert sorted(listed) == list(range(12))
    for place in range(12):
        assert both.index(both.digits(place)) == place
        assert both.index(both.digits(place, outputs=True), outputs=True) == place
    for digits in ((0, 0), (0, 0, 0, 0), (2, 0, 0), (0, 3, 0), (0, 0, -1)):
        with pytest.raises(InvalidParameterError, match="the categories do not fit the product"):
            both.index(digits)
