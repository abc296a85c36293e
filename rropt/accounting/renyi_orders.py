"""Suprema of D_a/a over the orders a > 1, with the cells of orders that prove them (divergence_level.md).

For two distributions P and Q, ``D_a(P, Q) = log(sum P^a Q^(1-a))/(a - 1)`` is the Renyi divergence.
``psi(a) = (a - 1) D_a`` is the cumulant generating function of the loss ``L = log(P/Q)``. A number rho bounds D_a/a if
and only if ``U(a) = rho a (a - 1) - psi(a)`` is nonnegative for all a > 1. The proof covers the orders with intervals
(cells):

* On each cell, a Taylor expansion of the third degree at one of its endpoints proves that U >= 0. The remainder is
  bounded by ``psi4 <= R^2 psi2``, where R is the range of L.
* No cell is needed beyond ``max L/rho``.
* Cells next to the best order can be as wide as others, because U has a minimum there and the expansion starts at it.
  Some dozens of cells therefore suffice for any number of digits.

Balls (Arb) find the best order, and the intervals of the checker prove the cells.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.accounting.composition_proofs import PLENTY
from rropt.accounting.loss_pairs import Atoms
from rropt.checker.divergence_level import LawExponents
from rropt.checker.documents import WorkBudget
from rropt.checker.intervals import Arithmetic
from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact.rational_bounds import ball, bracket

_GRID = 12  # orders per factor of ten on the first grid
_DECADES = 5  # factors of ten below the scale on which D_a/a changes
_NEARLY = 1e-2  # relative: pairs this close to the best one get their own best order
_TRIES = 8  # attempts with a better order, if a bound is not proved
_MOST_CELLS = 4000
_NARROWEST = Fraction(1, 10**30)  # relative to the distance from order 1
_HUGE = 2.0**1000
_DIGITS = 60  # digits of the intervals that prove the cells, beyond three times those of the bracket
Near = tuple[Fraction, Fraction, Fraction]  # an order, with the neighbouring orders before and after it


class Exponents:
    """psi of a pair of distributions, given by the masses (p, q) of its atoms, by increasing odds."""

    def __init__(self, atoms: Atoms) -> None:
        self.atoms = atoms
        self.masses, self.losses = [ball(p) for p, _ in atoms], [ball(p / q).log() for p, q in atoms]
        self.largest, self.spread = self.losses[-1], self.losses[-1] - self.losses[0]
        self._known: dict[Fraction, tuple[Any, Any]] = {}

    def at(self, order: Fraction) -> tuple[Any, Any]:
        """Return psi and its derivative at an order."""
        from flint import arb

        if order not in self._known:
            shift = ball(order - 1)
            weights = [mass * (shift * loss).exp() for mass, loss in zip(self.masses, self.losses, strict=True)]
            total = sum(weights, arb(0))
            mean = sum((w * x for w, x in zip(weights, self.losses, strict=True)), arb(0)) / total
            self._known[order] = (arb(0) if order == 1 else total.log()), mean
        return self._known[order]

    def quotient(self, order: Fraction) -> Any:
        """Return D_a/a."""
        psi, mean = self.at(order)
        return mean if order == 1 else psi / ball(order * (order - 1))

    def slope(self, order: Fraction) -> Any:
        """Return a number with the sign of the derivative of D_a/a."""
        psi, mean = self.at(order)
        return mean * ball(order * (order - 1)) - psi * ball(2 * order - 1)

    def grid_maximum(self) -> tuple[float, Near]:
        """Return the maximum of D_a/a over a grid of orders, and the order that attains it with its neighbours."""
        from flint import ctx

        with ctx.workprec(128):
            start, end = self._scale()
            steps = max(math.ceil(_GRID * math.log10(end / start)), 1)
            grid = [Fraction(1), *(1 + _short(start * (end / start) ** (i / steps)) for i in range(steps + 1))]
            values = [float(self.quotient(order)) for order in grid]
        self._known.clear()
        best = max(range(len(grid)), key=values.__getitem__)
        return values[best], (grid[best], grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)])

    def _scale(self) -> tuple[float, float]:
        """Return the least and the largest distance from order 1 at which D_a/a may have its maximum."""
        spread, limit = float(self.spread), float(self.quotient(Fraction(1)))
        end = min(max(float(self.largest) / limit, 2.0), _HUGE) if limit > 0 else _HUGE
        return min(1.0, 1 / spread) / 10**_DECADES, end

    def best(self, near: Near, digits: int) -> Fraction:
        """Return an order near a local maximum of D_a/a between two orders; ``near[0]`` if there is no maximum."""
        _, low, high = near
        if low == 1:
            # at the order 1 the slope is given as 0
            low = 1 + (high - 1) / 2**40
        if not (self.slope(low) > 0 and self.slope(high) < 0):
            return near[0]
        small = (high - 1) / 10**digits
        while high - low > small:
            middle = _short_between(low, high)
            low, high = (middle, high) if self.slope(middle) > 0 else (low, middle)
        return low

    def cells(self, rho: Fraction, top: Fraction, arithmetic: Arithmetic) -> list[Fraction] | Fraction:
        """Return orders above 1 whose cells prove that D_a/a is at most rho, or one order at which this fails.

        Args:
            rho: the bound.
            top: an order that becomes an endpoint of a cell; the order of the maximum is the best choice.
            arithmetic: the intervals of the checker, which prove each cell.
        """
        checked, level = LawExponents(self.atoms, arithmetic), arithmetic.of(rho)
        end = bracket(self.largest / ball(rho)).upper
        end = max(1 + _rounded_up(end - 1) if end > 1 else Fraction(1), top)
        found = [] if top == 1 else [top]
        for limit, sign in ((Fraction(1), -1), (end, 1)):
            at, width = top, abs(limit - top)
            while at != limit:
                width = min(width, abs(limit - at))
                place = limit if width == abs(limit - at) else _short_step(at, width, sign)
                cell = min(at, place), max(at, place)
                if any(checked.is_below(level, *cell, end) for end in cell):
                    at = place
                    found.append(at)
                    width *= 4
                else:
                    width /= 2
                # at - 1 may be 0
                if width < (at - 1 + Fraction(1, 10**30)) * _NARROWEST or len(found) > _MOST_CELLS:
                    return at
        return sorted(order for order in found if order > 1)


@dataclass(frozen=True)
class Supremum:
    """An upper bound of rho with its proof.

    Attributes:
        upper: an upper bound of the supremum of D_a/a, less than 10^-digits above it.
        pair, order: the pair and the order that nearly attain the supremum.
        orders: the cells that prove the upper bound, for each pair.
    """

    upper: Fraction
    pair: int
    order: Fraction
    orders: list[list[Fraction]]


def supremum(pairs: Sequence[Exponents], digits: int) -> Supremum:
    """Return a proved upper bound of the supremum of D_a/a over pairs and orders.

    Args:
        pairs: pairs of different distributions; the supremum over an empty list is 0.
        digits: the bound is less than 10^-digits above the supremum.

    Raises:
        UnsupportedProblemError: the search finds no cells that prove the upper bound.
    """
    if not pairs:
        return Supremum(Fraction(0), 0, Fraction(1), [])
    looks = [pair.grid_maximum() for pair in pairs]
    most = max(value for value, _ in looks)
    tops = [
        pair.best(near, digits + 4) if value >= most * (1 - _NEARLY) else Fraction(1)
        for pair, (value, near) in zip(pairs, looks, strict=True)
    ]
    scale, arithmetic = 10 ** (digits + 2), Arithmetic(_DIGITS + 3 * digits, WorkBudget(PLENTY))
    for _ in range(_TRIES):
        values = [bracket(pair.quotient(top)).lower for pair, top in zip(pairs, tops, strict=True)]
        pair = max(range(len(pairs)), key=values.__getitem__)
        upper = Fraction(math.floor(values[pair] * scale) + 90, scale)
        lists = [each.cells(upper, top, arithmetic) for each, top in zip(pairs, tops, strict=True)]
        failed = [i for i, each in enumerate(lists) if isinstance(each, Fraction)]
        if not failed:
            return Supremum(upper, pair, tops[pair], [each for each in lists if isinstance(each, list)])
        for i in failed:  # the maximum is not the one that the grid found
            at = lists[i]
            assert isinstance(at, Fraction)
            far = at - 1
            tops[i] = pairs[i].best((at, 1 + far / 2, 1 + far * 2), digits + 4)
    raise UnsupportedProblemError("zCDP takes too many cells of orders: ask for fewer digits")


def _short(x: float) -> Fraction:
    """Round to a decimal with three significant digits."""
    return Fraction(f"{x:.2e}")


def _rounded_up(x: Fraction) -> Fraction:
    """Round up to a number with four significant digits."""
    unit = _unit(x) / 1000
    return math.ceil(x / unit) * unit


def _unit(x: Fraction) -> Fraction:
    """Return a power of ten that is at most x, and at least x/100."""
    digits = len(str(x.numerator)) - len(str(x.denominator)) - 1
    return Fraction(10) ** digits


def _short_between(low: Fraction, high: Fraction) -> Fraction:
    """Return a number with few digits near the middle of an interval."""
    unit = _unit(high - low) / 10
    return round((low + high) / 2 / unit) * unit


def _short_step(at: Fraction, width: Fraction, sign: int) -> Fraction:
    """Return an order with few digits, whose distance from the given one is between width/2 and width."""
    unit = _unit(width) / 4
    return math.floor((at + width) / unit) * unit if sign > 0 else math.ceil((at - width) / unit) * unit
