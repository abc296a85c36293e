"""Privacy curves delta(epsilon) and their inverses epsilon(delta), exact or with bounds.

For every curve, ``delta(epsilon)`` returns a bracket, and ``epsilon(delta)`` returns a bracket, in nats, of the least
epsilon with ``delta(epsilon) <= delta``. The curves are conditional on the event that no item reveals its input. This
event has probability ``kept``; if d is the conditional delta, the composition has ``delta = 1 - kept (1 - d)``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from rropt.accounting.exact_laws import LatticeTails, LossTails, delta_of
from rropt.accounting.lattice_laws import LatticeBounds
from rropt.accounting.long_laws import LongCounts
from rropt.core.exact import Bracket
from rropt.core.exact.brackets import ball, bracket

_ZERO, _ONE = Fraction(0), Fraction(1)
_BITS = 256  # working precision of exponentials and logarithms
_STEPS = 200  # iteration limit of bisections and of Newton's method; both need far fewer
NARROW = Fraction(1, 10**15)  # nats: width at which a bisection for epsilon stops


class Curve(Protocol):
    """A privacy curve, conditional on the event that no item reveals its input."""

    def delta(self, epsilon: Bracket) -> Bracket:
        """Return a bracket of delta, given a bracket of epsilon in nats."""

    def epsilon(self, delta: Fraction) -> tuple[Bracket, Fraction | None]:
        """Return a bracket of the least epsilon for 0 <= delta < 1, and exp(epsilon) if it is known exactly."""


def exponential(x: Fraction) -> Bracket:
    """Return an enclosure of exp(x)."""
    from flint import ctx

    if not x:
        return Bracket.of(_ONE)
    with ctx.workprec(_BITS + x.numerator.bit_length()):
        return bracket(ball(x).exp())


def natural_log(x: Fraction) -> Bracket:
    """Return an enclosure of log(x) for x > 0."""
    from flint import ctx

    if x == 1:
        return Bracket.of(_ZERO)
    with ctx.workprec(_BITS + 64):
        return bracket(ball(x).log())


def rounded_outwards(found: Bracket, digits: int = 25) -> Bracket:
    """Round the endpoints of a bracket outwards to the given number of decimal places."""
    scale = 10**digits
    return Bracket(Fraction(math.floor(found.lower * scale), scale), Fraction(math.ceil(found.upper * scale), scale))


@dataclass(frozen=True)
class ExactCurve:
    """A curve enclosed between the curves of two compositions with rational levels.

    Attributes:
        below, above: the compositions with levels rounded down and up; the same object if the levels are rational.
        greatest: the largest likelihood ratio of each composition.
    """

    below: LossTails
    above: LossTails
    greatest: tuple[Fraction | None, Fraction | None]

    def delta(self, epsilon: Bracket) -> Bracket:
        """Return a bracket of delta, given a bracket of epsilon."""
        low, high = exponential(epsilon.lower), exponential(epsilon.upper)
        return self.at(Bracket(low.lower, high.upper))

    def at(self, gamma: Bracket) -> Bracket:
        """Return a bracket of delta, given a bracket of gamma."""
        lower = delta_of(self.below, gamma.upper)
        upper = lower if gamma.is_exact and self.below is self.above else delta_of(self.above, gamma.lower)
        return Bracket(lower.lower, upper.upper)

    def epsilon(self, delta: Fraction) -> tuple[Bracket, Fraction | None]:
        """Return a bracket of the least epsilon, and exp(epsilon) if the levels are rational."""
        low = _least_gamma(self.below, delta, self.greatest[0])
        high = low if self.below is self.above else _least_gamma(self.above, delta, self.greatest[1])
        exact = low.lower if low.is_exact and self.below is self.above else None
        return Bracket(natural_log(low.lower).lower, natural_log(high.upper).upper), exact


def _least_gamma(cuts: LossTails, delta: Fraction, greatest: Fraction | None) -> Bracket:
    """Return the least gamma >= 1 at which delta is at most the given value."""
    if delta_of(cuts, _ONE).upper <= delta:
        return Bracket.of(_ONE)
    if not delta and greatest is not None:
        return Bracket.of(greatest)
    gamma = _ONE
    if isinstance(cuts, LatticeTails):
        gamma = _between_powers(cuts.base, cuts, delta).lower
    for _ in range(_STEPS):  # Newton: delta is convex and piecewise linear, so the steps never pass the root
        first, second = cuts.event_probabilities(gamma)
        further = gamma * (first.lower - delta) / second.upper if second.upper else gamma
        if further <= gamma:
            return Bracket.of(gamma)
        gamma = further
    raise ArithmeticError("Newton's method has not ended on a piecewise linear function")


def _between_powers(base: Fraction, cuts: LossTails, delta: Fraction) -> Bracket:
    """Return a bracket of the least gamma, found by bisection over powers of the base: delta is linear in between."""
    low, high = 0, 1
    while delta_of(cuts, base**high).upper > delta:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if delta_of(cuts, base**middle).upper <= delta else (middle, high)
    first, second = cuts.event_probabilities(base**low)
    if not second.lower:
        return Bracket.of(base**low)
    gamma = base**low
    ends = gamma * (first.lower - delta) / second.upper, gamma * (first.upper - delta) / second.lower
    return Bracket(max(ends[0], _ONE), max(min(ends[1], base**high), _ONE))


@dataclass(frozen=True)
class LongCurve:
    """The curve of many equal levels, enclosed between the curves of rational levels below and above."""

    below: LongCounts
    above: LongCounts

    def delta(self, epsilon: Bracket) -> Bracket:
        """Return a bracket of delta."""
        return Bracket(self.below.delta(epsilon.upper).lower, self.above.delta(epsilon.lower).upper)

    def epsilon(self, delta: Fraction) -> tuple[Bracket, Fraction | None]:
        """Return a bracket of the least epsilon."""
        return Bracket(self.below.epsilon(delta).lower, self.above.epsilon(delta).upper), None


@dataclass(frozen=True)
class LatticeCurve:
    """A curve with bounds from distributions on lattices; ``most`` is the largest loss."""

    bounds: LatticeBounds
    most: float
    # the curve on a coarser lattice, which gives the starting interval of the bisection
    rough: LatticeCurve | None = None

    def delta(self, epsilon: Bracket) -> Bracket:
        """Return a bracket of delta."""
        low, high = math.nextafter(float(epsilon.lower), -1.0), math.nextafter(float(epsilon.upper), math.inf)
        return Bracket(Fraction(self.bounds.delta(high)[0]), Fraction(self.bounds.delta(low)[1]))

    def epsilon(self, delta: Fraction) -> tuple[Bracket, Fraction | None]:
        """Return a bracket of the least epsilon, by bisection of both bounds of delta."""
        level, most = float(delta), self.most * (1 + 2.0**-40)
        near = (0.0, most) if self.rough is None else tuple(map(float, self.rough.epsilon(delta)[0]))
        lower = _crossing(lambda x: self.bounds.delta(x)[0] > math.nextafter(level, 1.0), near, most)[0]
        upper = _crossing(lambda x: self.bounds.delta(x)[1] > math.nextafter(level, 0.0), near, most)[1]
        return Bracket(Fraction(lower), Fraction(upper)), None


def _crossing(holds: Callable[[float], bool], near: tuple[float, ...], most: float) -> tuple[float, float]:
    """Locate by bisection where a decreasing condition changes from true to false.

    Args:
        holds: the condition; once it is false, it is false for every larger argument.
        near: an interval that probably contains the point of change.
        most: an upper bound of the point of change.

    Returns:
        Two close arguments: the condition is true at the first (or the first is 0), and false at the second (or the
            second is ``most``).
    """
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
    """The curve d = 0: there are no items, or each one reveals its input or is independent of it."""

    def delta(self, epsilon: Bracket) -> Bracket:
        """Return 0."""
        return Bracket.of(_ZERO)

    def epsilon(self, delta: Fraction) -> tuple[Bracket, Fraction | None]:
        """Return 0."""
        return Bracket.of(_ZERO), _ONE
