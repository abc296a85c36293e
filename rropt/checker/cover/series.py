"""Taylor expansions with an interval as rest: ``v(w) = z_0 + z_1 w + ... + z_(k-1) w^(k-1) + w^k s``.

For every w of an interval W, s lies in ``rest`` and v in ``value``. The coefficients are of a field: exact constants
(``Constants``), or intervals (``Arithmetic``).
"""

from fractions import Fraction
from math import factorial
from typing import Any, NamedTuple

from ..intervals import Arithmetic, Interval


class Series(NamedTuple):
    """v: its coefficients, its rest, its range."""

    z: tuple[Any, ...]
    rest: Interval
    value: Interval


class SeriesAlgebra:
    """Operations on series over one W."""

    def __init__(self, arithmetic: Arithmetic, field: Any, w: Interval, order: int) -> None:
        self.arithmetic, self.field, self.w, self.order = arithmetic, field, w, order

    def bounds(self, z: tuple[Any, ...], rest: Interval) -> Interval:
        """Return an interval around ``z_0 + z_1 w + ... + w^k s``, by Horner's rule."""
        a, total = self.arithmetic, rest
        for coefficient in reversed(z):
            total = a.add(self.field.interval(coefficient), a.multiply(self.w, total))
        return total

    def linear(self, constant: Any, slope: Fraction) -> Series:
        """Return ``constant + slope w``."""
        z = (constant, self.field.of(slope), *[self.field.of(Fraction(0))] * self.order)[: self.order]
        rest = self.arithmetic.of(slope) if self.order == 1 else self.arithmetic.zero
        return Series(z, rest, self.bounds(z, rest))

    def cut(self, f: Series, k: int) -> Series:
        """Return the series with at most k coefficients: the others go into the rest."""
        return Series(f.z[:k], self.bounds(f.z[k:], f.rest), f.value)

    def add(self, f: Series, g: Series) -> Series:
        """Return the sum, by parts."""
        a, k = self.arithmetic, min(len(f.z), len(g.z))
        f, g = self.cut(f, k), self.cut(g, k)
        return self._met(tuple(map(self.field.add, f.z, g.z)), a.add(f.rest, g.rest), a.add(f.value, g.value))

    def multiply(self, f: Series, g: Series) -> Series:
        """Return the product: ``(P + w^k s)(Q + w^k t) = P Q + w^k (s (Q + w^k t) + P t)``."""
        a, k = self.arithmetic, min(len(f.z), len(g.z))
        f, g = self.cut(f, k), self.cut(g, k)
        z = [self.field.of(Fraction(0))] * (2 * k)
        for i, x in enumerate(f.z):
            for j, y in enumerate(g.z):
                z[i + j] = self.field.add(z[i + j], self.field.multiply(x, y))
        cross = a.add(a.multiply(f.rest, g.value), a.multiply(self.bounds(f.z, a.zero), g.rest))
        return self._met(tuple(z[:k]), a.add(self.bounds(tuple(z[k:]), a.zero), cross), a.multiply(f.value, g.value))

    def negative(self, f: Series) -> Series:
        """Return -f."""
        a = self.arithmetic
        return Series(tuple(map(self.field.negative, f.z)), a.negative(f.rest), a.negative(f.value))

    def composed(self, kind: str, exponent: Fraction, f: Series) -> Series:
        """Return phi(f), phi = exp, log or a power: ``sum_(j<k) phi_j(z_0) u^j + phi_k(between) u^k``, u = f - z_0.

        phi_j is the j-th derivative divided by j!, the last one somewhere between z_0 and f (Lagrange's rest).
        """
        a, k = self.arithmetic, len(f.z)
        value = _derivative(a, kind, exponent, 0, f.value)
        between = a.hull(f.value, self.field.interval(f.z[0])) if k else f.value
        if not k or (kind != "exp" and between[0] <= 0 and (exponent != -1 or between[1] >= 0)):
            return Series((), value, value)  # nothing is known but the range; or phi may not be smooth between
        slope = Series(f.z[1:], f.rest, self.bounds(f.z[1:], f.rest))  # u/w
        steep = _derivative(a, kind, exponent, k, between)
        result = Series((), steep, steep)
        for j in reversed(range(k)):  # Horner's rule: phi_j + u (phi_(j+1) + u (...))
            below = self.multiply(slope, result)
            z = (_derivative(self.field, kind, exponent, j, f.z[0]), *below.z)
            result = Series(z, below.rest, self.bounds(z, below.rest))
        return result._replace(value=a.meet(value, result.value))

    def _met(self, z: tuple[Any, ...], rest: Interval, value: Interval) -> Series:
        """Return a series whose range is known in two ways."""
        return Series(z, rest, self.arithmetic.meet(value, self.bounds(z, rest)))


def _derivative(field: Any, kind: str, exponent: Fraction, j: int, x: Any) -> Any:
    """Return ``phi^(j)(x)/j!`` in a field."""
    if kind == "exp":
        return field.multiply(field.of(Fraction(1, factorial(j))), field.exp(x))
    if kind == "log" and j == 0:
        return field.log(x)
    factor = Fraction((-1) ** (j - 1), j) if kind == "log" else Fraction(1)
    for i in range(j if kind == "power" else 0):
        factor *= (exponent - i) / (i + 1)
    return field.multiply(field.of(factor), field.power(x, exponent - j))
