"""Quotients of two quadratics in gamma, and their logarithms: the values of closed forms at every level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, inf, isqrt, lcm, log
from typing import Any

from rropt.core.errors import InvalidParameterError
from rropt.core.exact import Bracket, Epsilon, as_text
from rropt.core.exact.rational_bounds import logarithm
from rropt.designs.parametric.level_formulas import LevelNumber, Place, primitive_line, written_line

Triple = tuple[Fraction, Fraction, Fraction]  # the coefficients of 1, gamma and gamma^2

_ZERO = Fraction(0)
_LOG_BITS = 200
_MOST_FACTOR = 1000  # of the square factors that are taken out of a root


def triple(constant: Fraction = _ZERO, slope: Fraction = _ZERO, square: Fraction = _ZERO) -> Triple:
    """Return the coefficients of 1, gamma and gamma^2; those left out are 0."""
    return constant, slope, square


def times(one: Sequence[Fraction], two: Sequence[Fraction]) -> Triple:
    """Return the product of two lines ``(constant, slope)``."""
    return triple(one[0] * two[0], one[0] * two[1] + one[1] * two[0], one[1] * two[1])


def combined(one: Triple, two: Triple, weight: Fraction) -> Triple:
    """Return ``one + weight two``."""
    a, b, c = (x + weight * y for x, y in zip(one, two, strict=True))
    return a, b, c


def at_point(quadratic: Triple, gamma: Any) -> Any:
    """Return the value of a quadratic at a rational number or an exact real."""
    a, b, c = quadratic
    return gamma * (gamma * c + b) + a


def roots_of(quadratic: Triple) -> list[Place]:
    """Return the real roots in ascending order, as ``(p, q, D)`` for ``p + q sqrt(D)``."""
    a, b, c = quadratic
    if not c:
        return [(-a / b, Fraction(0), 0)] if b else []
    square = (b * b - 4 * a * c) / (4 * c * c)
    if square < 0:
        return []
    rational, factor, root = root_of(square)
    middle = -b / (2 * c)
    if not root:
        return [(middle - rational, Fraction(0), 0), (middle + rational, Fraction(0), 0)]
    return [(middle, -factor, root), (middle, factor, root)]


def root_of(square: Fraction) -> Place:
    """Return the square root of a rational number as ``p`` or ``q sqrt(D)``."""
    product = square.numerator * square.denominator
    factor, q = 2, Fraction(1, square.denominator)
    while factor * factor <= product and factor < _MOST_FACTOR:
        while product % (factor * factor) == 0:
            product, q = product // (factor * factor), q * factor
        factor += 1
    whole = isqrt(product)
    return (q * whole, Fraction(0), 0) if whole * whole == product else (Fraction(0), q, product)


@dataclass(frozen=True, slots=True)
class QuadraticQuotient:
    """The function ``(a0 + a1 gamma + a2 gamma^2)/(b0 + b1 gamma + b2 gamma^2)``.

    Attributes:
        above, below: the coefficients; both quadratics are positive for gamma > 1.

    >>> line, base = (Fraction(3), Fraction(2)), (Fraction(-1), Fraction(1))
    >>> formula = QuadraticQuotient(times(line, line), times(base, base))
    >>> print(formula, formula(Fraction(3)))
    (2*gamma + 3)^2/(gamma - 1)^2 81/4
    """

    above: Triple
    below: Triple

    def __call__(self, gamma: Fraction) -> Fraction:
        """Return the value at a rational gamma.

        Raises:
            InvalidParameterError: the value is infinite: at gamma = 1 the responses do not depend on the truth.
        """
        divisor = at_point(self.below, gamma)
        if not divisor:
            raise InvalidParameterError(
                f"the value is infinite at gamma = {as_text(gamma)}: the responses do not depend on the truth; give a "
                "larger level"
            )
        return Fraction(at_point(self.above, gamma) / divisor)

    @property
    def constant(self) -> Fraction | None:
        """The value if it does not depend on gamma, else None."""
        place = next(i for i in range(3) if self.below[i])
        value = self.above[place] / self.below[place]
        return None if any(self.beyond(value)) else value

    def at(self, epsilon: Epsilon) -> Fraction | LevelNumber:
        """Return the exact value at a level: a rational number, or the expression in exp(epsilon)."""
        if (constant := self.constant) is not None:
            return constant
        return self(epsilon.gamma) if epsilon.gamma is not None else LevelNumber(self, epsilon)

    def bracket_at(self, epsilon: Epsilon, digits: int) -> Bracket:
        """Return rational bounds of the value at a level."""
        gamma = epsilon.exact_gamma()
        ends = [_bracket(at_point(part, gamma), digits) for part in (self.above, self.below)]
        return Bracket(ends[0].lower / ends[1].upper, ends[0].upper / ends[1].lower)

    def near(self, gamma: float) -> float:
        """Return the value in floats; infinite where the denominator is 0."""
        above, below = (float(a) + gamma * (float(b) + gamma * float(c)) for a, b, c in (self.above, self.below))
        return above / below if below else inf

    def beyond(self, value: Fraction) -> Triple:
        """Return the quadratic ``above - value below``, which has the sign of the function minus the value."""
        return combined(self.above, self.below, -value)

    def text(self, name: str = "gamma") -> str:
        """Return the function as text, with lines as factors where their coefficients are rational."""
        if (constant := self.constant) is not None:
            return as_text(constant)
        (top, over), (bottom, under) = _factors(self.above, name), _factors(self.below, name)
        factor = over / under
        parts = [part for part in [str(factor.numerator)] if factor.numerator != 1 or not top]
        above = "*".join([*parts, *top])
        below = [*([str(factor.denominator)] if factor.denominator != 1 else []), *bottom]
        if not below:
            return above
        return f"{above}/({'*'.join(below)})" if len(below) > 1 else f"{above}/{below[0]}"

    def __str__(self) -> str:
        return self.text()


@dataclass(frozen=True, slots=True)
class LogInformation:
    """The log determinant of the information, ``log(k) + (k - 1) log(mu)``, mu its eigenvalue on contrasts.

    Attributes:
        categories: k.
        information: mu as a function of gamma.
    """

    categories: int
    information: QuadraticQuotient

    def __call__(self, gamma: Fraction) -> Bracket:
        """Return rational bounds of the value at a rational gamma."""
        mu = self.information(gamma)
        if not mu:
            raise InvalidParameterError(
                f"the value is minus infinity at gamma = {as_text(gamma)}: the responses do not depend on the truth; "
                "give a larger level"
            )
        return self._between(mu, mu)

    def at(self, epsilon: Epsilon) -> Bracket | LevelNumber:
        """Return the value at a level: bounds of it, or the expression in exp(epsilon)."""
        return self(epsilon.gamma) if epsilon.gamma is not None else LevelNumber(self, epsilon)

    def bracket_at(self, epsilon: Epsilon, digits: int) -> Bracket:
        """Return rational bounds of the value at a level."""
        ends = self.information.bracket_at(epsilon, digits + len(str(self.categories)))
        return self._between(ends.lower, ends.upper)

    def near(self, gamma: float) -> float:
        """Return the value in floats; minus infinity where mu is 0."""
        mu = self.information.near(gamma)
        return log(self.categories) + (self.categories - 1) * log(mu) if mu > 0 else -inf

    def _between(self, low: Fraction, high: Fraction) -> Bracket:
        more = Fraction(1, 10**40)  # far above the error of the logarithms, which have 200 bits
        k = self.categories
        first = logarithm(Fraction(k), _LOG_BITS)
        return Bracket(
            first + (k - 1) * (logarithm(low, _LOG_BITS) - more) - more,
            first + (k - 1) * (logarithm(high, _LOG_BITS) + more) + more,
        )

    def text(self, name: str = "gamma") -> str:
        """Return the function as text."""
        k = self.categories
        return f"log({k}) + {f'{k - 1}*' if k > 2 else ''}log({self.information.text(name)})"

    def __str__(self) -> str:
        return self.text()


def _bracket(value: Any, digits: int) -> Bracket:
    if isinstance(value, Fraction):
        return Bracket.of(value)
    found: Bracket = value.bracket(digits)
    return found


def _factors(quadratic: Triple, name: str) -> tuple[list[str], Fraction]:
    """Return the factors of a positive quadratic as texts, lines where these are rational, and a number."""
    a, b, c = quadratic
    if not c:
        line, factor = primitive_line(a, b)
        return ([] if not b else [_in_brackets(written_line(*line, name))]), factor if b else a
    roots = roots_of(quadratic)
    if roots and not roots[0][2]:
        parts, factor = [], c
        for p, _, _ in roots[::-1]:
            line, own = primitive_line(-p, Fraction(1))
            parts.append(_in_brackets(written_line(*line, name)))
            factor *= own
        return ([f"{parts[0]}^2"] if parts[0] == parts[1] else parts), factor
    scale = lcm(*(x.denominator for x in quadratic))
    whole = [int(x * scale) for x in quadratic]
    common = gcd(*whole)
    terms = [
        f"{'' if abs(x) == common and power else abs(x) // common}{'*' if abs(x) != common and power else ''}{power}"
        for x, power in zip(whole[::-1], (f"{name}^2", name, ""), strict=True)
        if x
    ]
    signs = [x > 0 for x in whole[::-1] if x]
    text = terms[0] + "".join(f" {'+' if up else '-'} {term}" for up, term in zip(signs[1:], terms[1:], strict=True))
    return [_in_brackets(text)], Fraction(common, scale)


def _in_brackets(text: str) -> str:
    return f"({text})" if " " in text or "*" in text else text
