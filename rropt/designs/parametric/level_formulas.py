"""Quotients of two lines in gamma, and the points of the axis of gamma at which they change."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import gcd, lcm
from typing import TYPE_CHECKING, Any, Protocol

from rropt.checker.quadratics import Point, compare
from rropt.core.errors import InvalidParameterError
from rropt.core.exact import Bracket, Epsilon, as_text

if TYPE_CHECKING:
    from rropt.core.exact.algebraic_numbers import Algebraic
    from rropt.core.exact.reals import ExactReal

Place = tuple[Fraction, Fraction, int]  # p + q sqrt(D) of gamma, as (p, q, D); D = 0 for a rational number
_BRACKET_DIGITS = 30  # of the ends of the certified interval, where exp(epsilon) is irrational
_ENOUGH = 40  # digits after which two equal algebraic numbers are told apart by their form


MOST_CATEGORIES = 30
"""Categories up to which the optimum of any costs at every level is computed, with a certificate: some 20 seconds."""


class Formula(Protocol):
    """A function of gamma that is the value of a piece."""

    def at(self, epsilon: Epsilon) -> Any:
        """Return the value at a level."""

    def bracket_at(self, epsilon: Epsilon, digits: int) -> Bracket:
        """Return rational bounds of the value at a level."""

    def text(self, name: str = "gamma") -> str:
        """Return the function as text."""


@dataclass(frozen=True, slots=True)
class LevelFormula:
    """The function ``(a + b gamma)/(c + gamma)`` of gamma = exp(epsilon).

    Attributes:
        a, b, c: the coefficients; ``c + gamma`` is positive for gamma >= 1.

    >>> formula = LevelFormula(Fraction(5, 4), Fraction(1, 4), Fraction(1))
    >>> print(formula, formula(Fraction(3)))
    (gamma + 5)/(4*(gamma + 1)) 1/2
    """

    a: Fraction
    b: Fraction
    c: Fraction

    def __call__(self, gamma: Fraction) -> Fraction:
        """Return the value at a rational gamma."""
        return (self.a + self.b * gamma) / (self.c + gamma)

    @property
    def constant(self) -> Fraction | None:
        """The value if it does not depend on gamma, else None."""
        return self.b if self.a == self.b * self.c else None

    def negative(self) -> LevelFormula:
        """Return minus the function."""
        return LevelFormula(-self.a, -self.b, self.c)

    def at(self, epsilon: Epsilon) -> Fraction | LevelNumber:
        """Return the exact value at a level: a rational number, or the expression in exp(epsilon)."""
        if (gamma := epsilon.gamma) is not None:
            return self(gamma)
        return self.b if self.constant is not None else LevelNumber(self, epsilon)

    def bracket_at(self, epsilon: Epsilon, digits: int) -> Bracket:
        """Return rational bounds of the value at a level, between which the function is monotone."""
        ends = [self(gamma) for gamma in epsilon.gamma_bracket(digits)]
        return Bracket(min(ends), max(ends))

    def near(self, gamma: float) -> float:
        """Return the value in floats."""
        return (float(self.a) + float(self.b) * gamma) / (float(self.c) + gamma)

    def beyond(self, value: Fraction) -> tuple[Fraction, Fraction, Fraction]:
        """Return the line ``a - value c + (b - value) gamma``, which has the sign of the function minus the value."""
        return self.a - value * self.c, self.b - value, Fraction(0)

    def text(self, name: str = "gamma") -> str:
        """Return the function as text, with lowest integer coefficients."""
        if (constant := self.constant) is not None:
            return as_text(constant)
        above, over = primitive_line(self.a, self.b)
        below, under = primitive_line(self.c, Fraction(1))
        factor = over / under
        top, bottom = written_line(*above, name), written_line(*below, name)
        if above[1] == 0:
            top = str(factor.numerator)
        elif factor.numerator != 1:
            top = f"{'-' if factor.numerator == -1 else f'{factor.numerator}*'}{_wrapped(top)}"
        elif "+" in top or "-" in top[1:]:
            top = f"({top})"
        if factor.denominator != 1:
            return f"{top}/({factor.denominator}*{_wrapped(bottom)})"
        return f"{top}/{_wrapped(bottom)}"

    def __str__(self) -> str:
        return self.text()


def primitive_line(constant: Fraction, slope: Fraction) -> tuple[tuple[int, int], Fraction]:
    """Return a line as integers without a common factor, leading coefficient positive, and the factor."""
    scale = lcm(constant.denominator, slope.denominator)
    n, m = int(constant * scale), int(slope * scale)
    common = gcd(n, m) or 1
    if m < 0 or (not m and n < 0):
        common = -common
    return (n // common, m // common), Fraction(common, scale)


def written_line(constant: int, slope: int, name: str) -> str:
    """Return a line with integer coefficients as text."""
    if not slope:
        return str(constant)
    rising = name if slope == 1 else f"{slope}*{name}"
    if not constant:
        return rising
    return f"{rising} {'+' if constant > 0 else '-'} {abs(constant)}"


def _wrapped(text: str) -> str:
    return f"({text})" if " " in text else text


@dataclass(frozen=True, slots=True)
class LevelNumber:
    """The exact value of a formula at an irrational gamma = exp(epsilon).

    >>> number = LevelNumber(LevelFormula(Fraction(5, 4), Fraction(1, 4), Fraction(1)), Epsilon.of(1))
    >>> print(number, round(float(number), 6))
    (exp(1) + 5)/(4*(exp(1) + 1)) 0.518941
    """

    formula: Formula
    epsilon: Epsilon

    def bracket(self, digits: int = 20) -> Bracket:
        """Return rational bounds."""
        return self.formula.bracket_at(self.epsilon, digits)

    def near(self, digits: int) -> tuple[Fraction, bool]:
        """Return a rational number within the given number of significant digits, and that it is not exact."""
        return self.bracket(digits + 5).lower, False

    def __float__(self) -> float:
        return float(self.bracket(25).lower)  # more digits than a float has

    def __str__(self) -> str:
        return self.formula.text(str(self.epsilon.exact_gamma()))


Exact = Any  # Fraction, Algebraic or ExactReal: a point of the axis of gamma


@cache
def point_of(place: Place) -> Fraction | Algebraic:
    """Return ``p + q sqrt(D)`` as a number."""
    from flint import fmpz_poly

    from rropt.core.exact.algebraic_numbers import Algebraic

    p, q, root = place
    if not root:
        return p
    coefficients = [p * p - q * q * root, -2 * p, Fraction(1)]
    scale = lcm(*(c.denominator for c in coefficients))
    return Algebraic(fmpz_poly([int(c * scale) for c in coefficients]), int(q > 0))


def _bracket(point: Any, digits: int) -> tuple[Fraction, Fraction]:
    if isinstance(point, Fraction):
        return point, point
    low, high = point.bracket(digits)
    return low, high


def is_at_most(epsilon: Epsilon, place: Place | None) -> bool:
    """Return whether ``exp(epsilon) <= p + q sqrt(D)``, decided exactly; None is infinity."""
    if place is None:
        return True
    gamma: Fraction | ExactReal = epsilon.exact_gamma() if epsilon.gamma is None else epsilon.gamma
    digits = 20
    while True:
        low, high = _bracket(gamma, digits)
        from_below, from_above = _bracket(point_of(place), digits)
        if high < from_below or (high == from_below and low == high):
            return True
        if low > from_above:
            return False
        if low == high and from_below == from_above:
            return low <= from_below
        if digits > _ENOUGH and _is_square_root_at(epsilon, place):
            return True
        digits *= 2


def _is_square_root_at(epsilon: Epsilon, place: Place) -> bool:
    """Return whether exp(epsilon) is irrational and equal to ``p + q sqrt(D)``.

    Only a square root is a root of a quadratic: q^(1/b) with b > 2 has a higher degree, and exp(r) has none.
    """
    p, q, root = place
    if epsilon.kind != "log" or epsilon.times.denominator != 2 or p or q <= 0:
        return False
    return q * q * root == epsilon.base**epsilon.times.numerator


def ends_by(place: Place, low: Epsilon) -> bool:
    """Return whether a piece ends at or before the first level."""
    if not is_at_most(low, place):
        return True
    return _is_square_root_at(low, place) if low.gamma is None else low.gamma == point_of(place)


def is_before(one: Place | None, two: Place | None) -> bool:
    """Return whether a point is below another one; None is infinity."""
    ends = [None if place is None else Point.of_fractions(*place) for place in (one, two)]
    return compare(*ends) < 0


def require_inside(region: Any, epsilon: object) -> Epsilon:
    """Return a level of an interval.

    Raises:
        InvalidParameterError: the level is outside of the interval.
    """
    level = Epsilon.of(epsilon)
    gamma = level.exact_gamma()
    if gamma < region.low.exact_gamma() or (not region.high.is_infinite and region.high.exact_gamma() < gamma):
        raise InvalidParameterError(
            f"the level is outside of the interval: received epsilon = {level}; allowed is {span_text(region)}"
        )
    return level


def certified_ends(region: Any) -> tuple[Fraction, Fraction | None]:
    """Return rational ends of gamma around the levels of a region, which a certificate states; None is infinity."""
    low, high = region.low, region.high
    start = low.gamma_bracket(_BRACKET_DIGITS).lower
    return start, None if high.is_infinite else high.gamma_bracket(_BRACKET_DIGITS).upper


def proved_text(region: Any) -> str:
    """Return for which levels a certificate proves an optimum."""
    if region.low.gamma == 1 and region.high.is_infinite:
        return "every gamma >= 1"
    return f"every level of {span_text(region)}"


def span_text(region: Any) -> str:
    """Return the interval of levels of a region as text."""
    high = "" if region.high.is_infinite else f" <= {region.high}"
    return f"{region.low} <= epsilon{high}"


def epsilon_text(point: Any, digits: int = 6) -> str:
    """Return the logarithm of a point as a decimal."""
    from math import log

    return f"{log(float(point)):.{digits}g}"


def point_text(point: Any) -> str:
    """Return a point of gamma as text."""
    return as_text(point) if isinstance(point, Fraction) else str(point)


def level_interval_text(start: Any, end: Any) -> str:
    """Return an interval of gamma as text, without the end points of the half-line from 1."""
    if start == 1 and end is None:
        return "every gamma"
    if start == 1:
        return f"gamma <= {point_text(end)}"
    if end is None:
        return f"gamma >= {point_text(start)}"
    return f"{point_text(start)} <= gamma <= {point_text(end)}"


def runs_text(numbers: list[int]) -> str:
    """Return numbers as text, runs of three and more as ``0-4``."""
    parts: list[list[int]] = []
    for n in numbers:
        if parts and parts[-1][-1] == n - 1:
            parts[-1].append(n)
        else:
            parts.append([n])
    texts = [f"{run[0]}-{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in parts]
    return ", ".join(texts)
