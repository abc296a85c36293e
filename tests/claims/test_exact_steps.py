"""Steps of claims by definition: derivatives, signs of differences of entries, drawn shares, equal counterexamples."""

from __future__ import annotations

import random
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
import sympy as sp
from flint import fmpq

from rropt.claims.domains import Domain
from rropt.claims.language import derivative, evaluate, read_expression
from rropt.claims.outcomes import Counterexample
from rropt.claims.symbolic_runs.entry_numbers import EntryNumber, EntryRing

RATIONAL = [
    "x",
    "x^2",
    "x^3 - 2*x",
    "(x + y)^3/(1 + x^2)",
    "y/(x + 2)",
    "x*y^2",
    "2/(3 + x)^2",
    "-x^1 + y",
    "(x*y - 1)^4",
]


@pytest.mark.parametrize("text", RATIONAL)
def test_a_derivative_has_the_value_of_that_of_sympy(text: str) -> None:
    tree, x = read_expression(text, {}), sp.Symbol("x")
    expected = sp.diff(sp.sympify(text.replace("^", "**"), {"x": x, "y": sp.Symbol("y")}), x)
    for at in ((Fraction(1, 2), Fraction(3)), (Fraction(-4, 3), Fraction(2, 7)), (Fraction(5), Fraction(-1))):
        exact = expected.subs({"x": sp.Rational(str(at[0])), "y": sp.Rational(str(at[1]))})
        assert evaluate(derivative(tree, "x"), {"x": at[0], "y": at[1]}) == Fraction(int(exact.p), int(exact.q))


class _EndedError(Exception):
    """The run gives up."""


def _numbers() -> tuple[EntryRing, list[EntryNumber]]:
    def end(why: str) -> None:
        raise _EndedError(why)

    ring = EntryRing(sp.symbols("x y"), 0)
    run: Any = SimpleNamespace(ring=ring, spend=lambda work: None, divisors=[], end=end)
    return ring, [EntryNumber(each, ring.one, run) for each in ring.generators]


def test_a_difference_is_compared_where_its_denominator_is_negative_too() -> None:
    """Quotients of entries at points of both signs: the polynomial has the sign of the difference."""
    _, (x, y) = _numbers()
    pairs = [
        (1 / (x - 3), 0, lambda a, b: 1 / (a - 3)),
        (x / y, y, lambda a, b: a / b - b),
        (2 / (x - y), 1 / (x + y), lambda a, b: 2 / (a - b) - 1 / (a + b)),
        (x ** Fraction(2) / (1 - y), x, lambda a, b: a**2 / (1 - b) - a),
        (x**-1, 4, lambda a, b: 1 / a - 4),
    ]
    for one, other, difference in pairs:
        for turn in (1, -1):
            order, equal = (one.compared(other, sign, turn) for sign in (">", "="))
            for a, b in [(Fraction(p, 2), Fraction(q, 3)) for p in (-7, -1, 1, 5, 13) for q in (-11, -2, 2, 4)]:
                value = turn * difference(a, b)
                at = (fmpq(a.numerator, a.denominator), fmpq(b.numerator, b.denominator))
                found = order(*at)
                assert (found > 0, found < 0) == (value > 0, value < 0)
                assert (equal(*at) == 0) == (value == 0)


def test_a_power_that_is_no_whole_number_ends_the_run() -> None:
    _, (x, _) = _numbers()
    with pytest.raises(_EndedError, match="no whole number"):
        x ** Fraction(1, 2)


class _Ends(random.Random):
    """Draws one end of each range of integers."""

    def __init__(self, chance: float, at: int) -> None:
        super().__init__(0)
        self.chance, self.at = chance, at

    def random(self) -> float:
        return self.chance

    def randint(self, *ends: int) -> int:
        return ends[self.at]


@pytest.mark.parametrize("chance", [0.0, 0.59, 0.61, 0.84, 0.86, 0.92, 0.94, 0.99])
@pytest.mark.parametrize("at", [0, 1])
def test_a_drawn_share_is_inside_and_a_drawn_level_at_least_one(chance: float, at: int) -> None:
    share, odds = Domain.interval("a share", 0, 1), Domain.odds()
    assert share.draw is not None
    assert odds.draw is not None
    assert 0 < share.draw(_Ends(chance, at)) < 1
    assert odds.draw(_Ends(chance, at)) > 1


def test_counterexamples_are_equal_if_all_they_state_is() -> None:
    one = Counterexample({"x": Fraction(1, 2)}, 1, 2, "=")
    assert one == Counterexample({"x": Fraction(1, 2)}, 1, 2, "=")
    assert one != Counterexample({"x": Fraction(1, 2)}, 1, 3, "=")
    assert one != Counterexample({"x": Fraction(1, 3)}, 1, 2, "=")
    assert one != one.to_dict()
