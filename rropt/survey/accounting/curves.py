"""Privacy curves that are known exactly or between bounds: delta(epsilon) and epsilon(delta).

A curve answers ``delta(epsilon)`` with a bracket, and ``epsilon(delta)``, the least epsilon with
``delta(epsilon) <= delta``, with a bracket in nats. These are of the parts that do not reveal their input: with
probability ``kept`` no item reveals, and ``delta = 1 - kept (1 - d)`` in all.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from rropt.core.exact import Bracket
from rropt.core.exact.brackets import ball, bracket
from rropt.survey.accounting.exact_laws import Cuts, LatticeCuts, delta_of
from rropt.survey.accounting.lattice_laws import LatticeBounds
from rropt.survey.accounting.long_laws import LongCounts

_ZERO, _ONE = Fraction(0), Fraction(1)
_BITS = 256  # of exponentials and logarithms
_STEPS = 200  # of a bisection or of Newton's method: both end long before
NARROW = Fraction(1, 10**15)  # nats, of an epsilon that is found by bisection


class Curve(Protocol):
    """A privacy curve of the parts that do not reveal."""

    def delta(self, epsilon: Bracket) -> Bracket:
        """Return a bracket of delta at an epsilon, in nats, that is known between bounds."""

    def epsilon(self, delta: Fraction) -> tuple[Bracket, Fraction | None]:
        """Return a bracket of the least epsilon for 0 <= delta < 1, and exp(epsilon) where it is known exactly."""


def exponential(x: Fraction) -> Bracket:
    """Return a bracket of exp(x)."""
    from flint import ctx

    if not x:
        return Bracket.of(_ONE)
    with ctx.workprec(_BITS + x.numerator.bit_length()):
        return bracket(ball(x).exp())


def natural(x: Fraction) -> Bracket:
    """Return a bracket of log(x), x > 0."""
    from flint import ctx

    if x == 1:
        return Bracket.of(_ZERO)
    with ctx.workprec(_BITS + 64):
        return bracket(ball(x).log())


def shortened(found: Bracket, digits: int = 25) -> Bracket:
    """Return a bracket around this one whose endpoints are decimals with the given number of digits after the point."""
    scale = 10**digits
    return Bracket(Fraction(math.floor(found.lower * scale), scale), Fraction(math.ceil(found.upper * scale), scale))


@dataclass(frozen=True)
class ExactCurve:
    """A curve between those of two compositions of rational levels: ``below`` and ``above`` the true ones.

    Attributes:
        below, above: what is asked of them; the same where the levels are rational.
        greatest: the largest odds of each.
    """

    below: Cuts
    above: Cuts
    greatest: tuple[Fraction | None, Fraction | None]

    def delta(self, epsilon: Bracket) -> Bracket:
        """Return delta at an epsilon between two bounds."""
        low, high = exponential(epsilon.lower), exponential(epsilon.upper)
        return self.at(Bracket(low.lower, high.upper))

    def at(self, gamma: Bracket) -> Bracket:
        """Return delta at a gamma between two bounds."""
        lower = delta_of(self.below, gamma.upper)
        upper = lower if gamma.is_exact and self.below is self.above else delta_of(self.above, gamma.lower)
        return Bracket(lower.lower, upper.upper)

    def epsilon(self, delta: Fraction) -> tuple[Bracket, Fraction | None]:
        """Return the least epsilon: exactly where the levels are rational."""
        low = _least_gamma(self.below, delta, self.greatest[0])
        high = low if self.below is self.above else _least_gamma(self.above, delta, self.greatest[1])
        exact = low.lower if low.is_exact and self.below is self.above else None
        return Bracket(natural(low.lower).lower, natural(high.upper).upper), exact


def _least_gamma(cuts: Cuts, delta: Fraction, greatest: Fraction | None) -> Bracket:
    """Return the least gamma >= 1 at which delta is at most the given value."""
    if delta_of(cuts, _ONE).upper <= delta:
        return Bracket.of(_ONE)
    if not delta and greatest is not None:
        return Bracket.of(greatest)
    gamma = _ONE
    if isinstance(cuts, LatticeCuts):
        gamma = _between_powers(cuts.base, cuts, delta).lower
    for _ in range(_STEPS):  # Newton: delta is convex and piecewise linear, so that no step passes the root
        first, second = cuts.cut(gamma)
        further = gamma * (first.lower - delta) / second.upper if second.upper else gamma
        if further <= gamma:
            return Bracket.of(gamma)
        gamma = further
    raise ArithmeticError("Newton's method has not ended on a piecewise linear function")


def _between_powers(base: Fraction, cuts: Cuts, delta: Fraction) -> Bracket:
    """Return a bracket of the least gamma: between two powers of the base delta is linear."""
    low, high = 0, 1
    while delta_of(cuts, base**high).upper > delta:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if delta_of(cuts, base**middle).upper <= delta else (middle, high)
    first, second = cuts.cut(base**low)
    if not second.lower:
        return Bracket.of(base**low)
    gamma = base**low
    ends = gamma * (first.lower - delta) / second.upper, gamma * (first.upper - delta) / second.lower
    return Bracket(max(ends[0], _ONE), max(min(ends[1], base**high), _ONE))


@dataclass(frozen=True)
class LongCurve:
    """A curve of many equal levels, between those of rational levels below and above."""

    below: LongCounts
    above: LongCounts

    def delta(self, epsilon: Bracket) -> Bracket:
        """Return bounds of delta."""
        return Bracket(self.below.delta(epsilon.upper).lower, self.above.delta(epsilon.lower).upper)

    def epsilon(self, delta: Fraction) -> tuple[Bracket, Fraction | None]:
        """Return bounds of the least epsilon."""
        return Bracket(self.below.epsilon(delta).lower, self.above.epsilon(delta).upper), None


@dataclass(frozen=True)
class LatticeCurve:
    """A curve between bounds on lattices; ``most`` is the largest loss."""

    bounds: LatticeBounds
    most: float
    rough: LatticeCurve | None = None  # on a coarser lattice: it says where to look

    def delta(self, epsilon: Bracket) -> Bracket:
        """Return bounds of delta."""
        low, high = math.nextafter(float(epsilon.lower), -1.0), math.nextafter(float(epsilon.upper), math.inf)
        return Bracket(Fraction(self.bounds.delta(high)[0]), Fraction(self.bounds.delta(low)[1]))

    def epsilon(self, delta: Fraction) -> tuple[Bracket, Fraction | None]:
        """Return bounds of the least epsilon, by bisection of both bounds of delta."""
        level, most = float(delta), self.most * (1 + 2.0**-40)
        near = (0.0, most) if self.rough is None else tuple(map(float, self.rough.epsilon(delta)[0]))
        lower = _crossing(lambda x: self.bounds.delta(x)[0] > math.nextafter(level, 1.0), near, most)[0]
        upper = _crossing(lambda x: self.bounds.delta(x)[1] > math.nextafter(level, 0.0), near, most)[1]
        return Bracket(Fraction(lower), Fraction(upper)), None


def _crossing(holds: Callable[[float], bool], near: tuple[float, ...], most: float) -> tuple[float, float]:
    """Return neighbours: the first one is 0 or satisfies a condition, the second one does not, or is the most."""
    low, high = near
    if not holds(low):
        low, high = 0.0, low
    elif holds(high):
        low, high = high, most
    if not low and not holds(low):
        return 0.0, 0.0
    while high - low > max(1e-12 * high, 1e-15):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low, high


@dataclass(frozen=True)
class ConstantCurve:
    """The curve of no item, or of such alone as reveal or say nothing: d = 0."""

    def delta(self, epsilon: Bracket) -> Bracket:
        """Return 0."""
        return Bracket.of(_ZERO)

    def epsilon(self, delta: Fraction) -> tuple[Bracket, Fraction | None]:
        """Return 0."""
        return Bracket.of(_ZERO), _ONE
