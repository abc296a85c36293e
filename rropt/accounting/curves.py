"""Privacy curves delta(epsilon) and their inverses epsilon(delta), exact or with bounds.

For every curve, ``delta(epsilon)`` returns a bracket, and ``epsilon(delta)`` returns a bracket, in nats, of the least
epsilon with ``delta(epsilon) <= delta``. The curves are conditional on the event that no item reveals its input. This
event has probability ``kept``; if d is the conditional delta, the composition has ``delta = 1 - kept (1 - d)``.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from operator import mul
from typing import Any

from rropt.accounting.exact_laws import Cells
from rropt.accounting.long_laws import PowerLaw
from rropt.checker.composition import FittedLattice
from rropt.core.exact import Bracket, Epsilon
from rropt.core.exact.rational_bounds import ball, bracket
from rropt.mechanisms.loss_lattices import LatticeBounds

_ZERO, _ONE = Fraction(0), Fraction(1)
_FINE = Fraction(1, 10**26)  # distance of the levels between which long compositions change
DIGITS = 60  # decimal digits of an irrational level
BITS = 320  # working precision of powers and logarithms: a large count costs some 60 of them, and ends have 25 decimals
_SHORT = 1 << 14  # bits of a power that is exact


def natural_log(x: Fraction) -> Bracket:
    """Return an enclosure of log(x) for x > 0."""
    from flint import ctx

    if x == 1:
        return Bracket.of(_ZERO)
    with ctx.workprec(BITS):
        # the logarithm of 1 + y is also precise for x close to 1, but x - 1 rounds to -1 for x close to 0
        return bracket(ball(x).log() if x < Fraction(1, 2) else ball(x - 1).log1p())


def power(base: Fraction, count: int) -> Bracket:
    """Return an enclosure of ``base^count``, base >= 0; the exact power if its fraction has few bits."""
    if base in (0, 1) or count * (base.numerator.bit_length() + base.denominator.bit_length()) <= _SHORT:
        return Bracket.of(base**count)
    from flint import ctx

    with ctx.workprec(BITS):
        return bracket(ball(base) ** count)


@dataclass(frozen=True)
class ExactCurve:
    """A curve enclosed between the curves of two compositions with rational levels.

    Attributes:
        below, above: the compositions with levels rounded down and up; the same object if the levels are rational.
    """

    below: Cells
    above: Cells

    def delta(self, level: Epsilon) -> Bracket:
        """Return a bracket of delta."""
        gamma = level.gamma_bracket(DIGITS)
        return Bracket(self.below.delta(gamma.upper), self.above.delta(gamma.lower))

    def epsilon(self, delta: Fraction) -> tuple[Bracket, Fraction | None]:
        """Return a bracket of the least epsilon for 0 <= delta < 1, and exp(epsilon) if the levels are rational."""
        low, high = (cells.gamma(delta) for cells in (self.below, self.above))
        exact = low if self.below is self.above else None
        return Bracket(natural_log(low).lower, natural_log(high).upper), exact

    def reach(self, delta: Fraction) -> Fraction:
        """Return the upper bound of ``epsilon(delta)``."""
        return natural_log(self.above.gamma(delta)).upper


@dataclass(frozen=True)
class LongCurve:
    """The curve of levels that are multiples of one, enclosed between the curves of rational levels below and above."""

    below: PowerLaw
    above: PowerLaw

    def delta(self, level: Epsilon) -> Bracket:
        """Return a bracket of delta."""
        nats = level.nats(DIGITS)
        return Bracket(self.below.delta(nats.upper).lower, self.above.delta(nats.lower).upper)

    def epsilon(self, delta: Fraction) -> tuple[Bracket, Fraction | None]:
        """Return a bracket of the least epsilon, by bisection of both bounds of delta."""
        near = _ZERO, self.above.most * natural_log(self.above.base).upper
        lower = crossing(lambda x: self.below.delta(x).lower > delta, near, near[1], 0, _FINE)[0]
        return Bracket(lower, self.reach(delta)), None

    def reach(self, delta: Fraction) -> Fraction:
        """Return the upper bound of ``epsilon(delta)``."""
        near = _ZERO, self.above.most * natural_log(self.above.base).upper
        upper: Fraction = crossing(lambda x: self.above.delta(x).upper > delta, near, near[1], 0, _FINE)[1]
        return upper


@dataclass(frozen=True)
class LatticeCurve:
    """A curve with bounds from distributions on lattices; ``most`` is the largest loss."""

    bounds: LatticeBounds
    most: Fraction
    # the curve on a coarser lattice, which gives the starting interval of the bisection
    rough: LatticeCurve | None = None

    def delta(self, level: Epsilon) -> Bracket:
        """Return a bracket of delta."""
        return self.bounds.bracket(level.nats(DIGITS))

    def epsilon(self, delta: Fraction) -> tuple[Bracket, Fraction | None]:
        """Return a bracket of the least epsilon, by bisection of both bounds of delta."""
        # a float that is above the largest loss in spite of rounding
        level, most = float(delta), float(self.most) * (1 + 2.0**-40)
        near = (0.0, most) if self.rough is None else tuple(map(float, self.rough.epsilon(delta)[0]))
        lower = crossing(lambda x: self.bounds.delta(x)[0] > math.nextafter(level, 1.0), near, most)[0]
        upper = crossing(lambda x: self.bounds.delta(x)[1] > math.nextafter(level, 0.0), near, most)[1]
        return Bracket(Fraction(lower), min(Fraction(upper), self.most)), None

    def reach(self, delta: Fraction) -> Fraction:
        """Return the upper bound of ``epsilon(delta)``."""
        return self.epsilon(delta)[0].upper


class FittedCurve:
    """A curve with bounds from one law on a lattice that contains all losses, in integers (``checker.composition``).

    Each bound is ``sum_(t < end) w_t (1 - gamma r^t e/G)``, where the terms up to ``end`` are positive. Sums of w_t and
    of ``w_t r^t`` are computed once, so that a level takes two bisections.

    Args:
        lattice: the law.
        most: the largest loss.
    """

    def __init__(self, lattice: FittedLattice, most: Fraction) -> None:
        self._lattice, self._most = lattice, most
        powers, law = lattice.powers, lattice.law
        powers.upto(max(law.start + len(law.weights), 1) - 1)
        self._held = [0, *accumulate(law.weights)]
        self._sums = [[0, *accumulate(map(mul, law.weights, ends[law.start :]))] for ends in (powers.high, powers.low)]

    def delta(self, level: Epsilon) -> Bracket:
        """Return a bracket of delta."""
        gamma = level.gamma_bracket(DIGITS)
        return Bracket(self._bound(gamma.upper, up=False), self._bound(gamma.lower, up=True))

    def epsilon(self, delta: Fraction) -> tuple[Bracket, Fraction | None]:
        """Return a bracket of the least epsilon, by bisection of both bounds of delta."""
        lower = crossing(lambda x: self._exceeds(x, delta, up=False), (_ZERO, self._most), self._most, 0, _FINE)[0]
        return Bracket(lower, self.reach(delta)), None

    def reach(self, delta: Fraction) -> Fraction:
        """Return the upper bound of ``epsilon(delta)``."""
        near = _ZERO, self._most
        upper: Fraction = crossing(lambda x: self._exceeds(x, delta, up=True), near, self._most, 0, _FINE)[1]
        return upper

    def _exceeds(self, nats: Fraction, delta: Fraction, *, up: bool) -> bool:
        gamma = Epsilon("rational", nats).gamma_bracket(DIGITS)
        return self._bound(gamma.lower if up else gamma.upper, up=up) > delta

    def _bound(self, gamma: Fraction, *, up: bool) -> Fraction:
        """Return a lower bound of delta, or an upper bound (``up``)."""
        law, powers = self._lattice.law, self._lattice.powers
        scale, shift = self._lattice.scale(gamma, up=up)
        limit, unit = 1 << (powers.precision + shift), 1 << powers.precision
        ends = powers.low if up else powers.high
        end = bisect_left(ends, limit, key=lambda power: power * scale) if scale else len(ends)
        at = min(max(end - law.start, 0), len(law.weights))
        product = scale * self._sums[up][at]
        total = unit * self._held[at] - (product >> shift if up else -(-product >> shift))
        if up:
            total += law.missing * max(unit - (unit * scale >> shift), 0)
        return min(max(Fraction(total, unit << law.bits), _ZERO), _ONE)


def crossing(
    holds: Callable[[Any], bool], near: tuple[Any, ...], most: Any, close: float = 1e-12, least: Any = 1e-15
) -> tuple[Any, Any]:
    """Locate by bisection where a decreasing condition changes from true to false.

    Args:
        holds: the condition on a float or a fraction; once it is false, it is false for every larger argument.
        near: an interval that probably contains the point of change.
        most: an upper bound of the point of change.
        close, least: the relative and the absolute distance of the two arguments at which the search stops: 12 digits
            are more than is printed, and 1e-15 is below every level in use.

    Returns:
        Two close arguments: the condition is true at the first (or the first is 0), and false at the second (or the
            second is ``most``).
    """
    low, high = near
    if low and not holds(low):
        low, high = 0 * low, low
    elif high < most and holds(high):
        low, high = high, most
    if not low and not holds(low):
        return low, low
    while high - low > max(close * high, least):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low, high


Curve = ExactCurve | LongCurve | LatticeCurve | FittedCurve
