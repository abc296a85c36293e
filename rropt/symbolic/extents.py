"""The interval of gamma around a level on which conditions with logarithms or roots stay nonnegative.

Each step proves all conditions on an interval B with middle m by Taylor's theorem in interval arithmetic,

    f(B) in f(m) + f'(m) (B - m) + f''(B)/2 (B - m)^2,

so that nothing is sampled: between the level and the end that is returned, every condition is proved. Steps become
shorter towards a root, and end at a relative distance of ``_SHORTEST`` from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy as sp
from flint import arb, arb_poly, arb_series, ctx, fmpq

from rropt.symbolic.balls import enclosed
from rropt.symbolic.fields import Field
from rropt.symbolic.sums import ONE, Sum
from rropt.symbolic.symbols import gamma

NEAREST, FARTHEST = sp.Rational(101, 100), sp.Integer(10_000)
"""The ends of the interval that is looked at. Near gamma = 1 all conditions are nearly 0."""

_BITS = 256
_SHORTEST = fmpq(1, 10**25)
_FIRST, _LONGEST = fmpq(1, 16), fmpq(1)  # relative lengths of the first step, and of the longest one
_DIGITS = 20  # of an end
_MOST_STEPS = 600  # on each side


def extent(own: Field, conditions: Sequence[Sum], low: sp.Expr, high: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """Return the ends of an interval around the level, between two others, on which conditions are nonnegative.

    Args:
        own: the field; delta keeps its value.
        conditions: none of them is 0 at all levels.
        low, high: known ends; the larger one may be infinite.
    """
    with ctx.workprec(_BITS):
        return stretched(own.values[gamma], _Proof(own, conditions).holds, low, high)


def stretched(at: sp.Expr, holds: Callable[[arb], bool], low: sp.Expr, high: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """Return the ends of an interval around the level, between two others, on which something is proved.

    Args:
        at: gamma, the level.
        holds: a function that returns whether it is proved on an interval of gamma.
        low, high: known ends; the larger one may be infinite.
    """
    low = sp.Max(low, NEAREST)
    high = FARTHEST if high is sp.oo else sp.Min(high, FARTHEST)
    found = []
    for end, side in ((low, -1), (high, 1)):
        limit, start = _rational(end, -side), _rational(at, side)
        if (limit - start) * side <= 0 or not holds(enclosed(at, {})):
            found.append(end if (limit - start) * side <= 0 and end != NEAREST else at)
            continue
        reached = _reached(holds, start, limit, side)
        found.append(end if reached == limit else _rounded(reached, side))
    return found[0], found[1]


def _rational(number: sp.Expr, side: int) -> fmpq:
    """Return a number if it is rational, else a rational number just above (side 1) or below it."""
    if not number.is_Rational:
        number = sp.Rational(str(sp.N(number, 50)))
        number += side * abs(number) / 10**45
    return fmpq(int(number.p), int(number.q))


class _Proof:
    """Conditions whose signs are proved on intervals of gamma."""

    def __init__(self, own: Field, conditions: Sequence[Sum]) -> None:
        others = {symbol: enclosed(value, {}) for symbol, value in own.values.items() if symbol != gamma}
        self.others = others
        self.terms = list({term: None for each in conditions for term in each.parts})
        self.conditions = [
            [
                (self.terms.index(term), _derivatives(own, part.numer, others), _derivatives(own, part.denom, others))
                for term, part in each.parts.items()
            ]
            for each in conditions
        ]

    def holds(self, ball: arb) -> bool:
        """Return whether all conditions are proved to be positive on an interval."""
        middle = arb(ball.mid())
        step = ball - middle
        near, far = self._terms(middle), self._terms(ball)
        for n, condition in enumerate(self.conditions):
            one, other = _series(condition, near, middle), _series(condition, far, ball)
            if not one[0] + one[1] * step + other[2] * step * step > 0:
                self.conditions.insert(0, self.conditions.pop(n))  # the first one to be tried next
                return False
        return True

    def _terms(self, x: arb) -> list[arb_series]:
        own = arb_series([x, arb(1)], 3)
        return [
            _ONE_SERIES if term == ONE else _NONE + enclosed(term, {gamma: own, **self.others}) for term in self.terms
        ]


def _reached(holds: Callable[[arb], bool], start: fmpq, limit: fmpq, side: int) -> fmpq:
    """Return up to where something is proved, from the level towards a limit."""
    x, step = start, _FIRST
    for _ in range(_MOST_STEPS):
        there = x + side * step * min(x - 1, x)
        if (limit - there) * side < 0:
            there = limit
        if holds(arb((x + there) / 2, arb(abs(there - x) / 2).abs_upper())):
            if there == limit:
                return limit
            x, step = _short(there, side), min(step * 2, _LONGEST)
        else:
            step /= 4
            if step < _SHORTEST:
                break
    return x


_ONE_SERIES, _NONE = arb_series([1], 3), arb_series([0], 3)
_UNBOUNDED = arb_series([arb("nan")] * 3, 3)  # not above 0, as FLINT's logarithm of an interval around 0


def _derivatives(own: Field, polynomial: Any, others: Mapping[sp.Symbol, arb]) -> tuple[arb_poly, arb_poly, arb_poly]:
    """Return a polynomial in gamma, its derivative and half of the second one."""
    place = own.symbols.index(gamma)
    found: list[arb] = []
    for powers, coefficient in polynomial.terms():
        value = arb(int(coefficient))
        for n, symbol in enumerate(own.symbols):
            if n != place:
                value *= others[symbol] ** powers[n]
        found += [arb(0)] * (powers[place] + 1 - len(found))
        found[powers[place]] += value
    whole = arb_poly(found)
    return whole, whole.derivative(), whole.derivative().derivative() * arb(fmpq(1, 2))


def _series(condition: Any, terms: Sequence[arb_series], x: arb) -> arb_series:
    """Return a condition to the second order in the distance from x, unbounded where x may contain a pole."""
    total = _NONE
    for n, above, below in condition:
        one, other = (arb_series([part(x) for part in three], 3) for three in (above, below))
        if other[0].contains(0):
            return _UNBOUNDED
        total = total + terms[n] * one / other
    return total


def _short(x: fmpq, side: int) -> fmpq:
    """Return a number with 40 decimals at most that is not farther than x."""
    scaled = x * 10**40
    return fmpq(int(scaled.floor() if side > 0 else scaled.ceil()), 10**40)


def _rounded(x: fmpq, side: int) -> sp.Expr:
    """Return an end with ``_DIGITS`` decimals, on the inner side."""
    scaled = x * 10**_DIGITS
    whole = int(scaled.floor()) - 1 if side > 0 else int(scaled.ceil()) + 1
    return sp.Float(f"{whole}e-{_DIGITS}", _DIGITS + 5)
