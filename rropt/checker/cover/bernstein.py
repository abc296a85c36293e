"""Signs of rational functions on an interval, by Bernstein coefficients: exact, no subdivision here.

A polynomial f of degree n is ``sum_i c_i x^(n-i) y^i`` at low x + high y, x + y = 1 (binomials are taken into c_i). If
all c_i are >= 0 then f >= 0 on [low, high], and f > 0 inside unless all are 0; the first has the sign of f(low), the
last that of f(high).
"""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from ..documents import Rejected
from ..polynomials import Polynomial, Quotient
from .constants import Constants


class Strictness(NamedTuple):
    """Where a function that is >= 0 on a cell is > 0."""

    inside: bool
    at_low: bool
    at_high: bool


def require_nonnegative(constants: Constants, f: Quotient, low: Fraction, high: Fraction) -> Strictness:
    """Reject unless a rational function is defined on the open cell and at ends in (0, 1), and is >= 0 there."""
    below = bernstein_signs(constants, f[1], low, high)
    sign = next((s for s in below if s), 0)
    if sign == 0 or min(sign * s for s in below) < 0:
        raise Rejected("a denominator may change its sign on a cell")
    if (below[0] == 0 and low > 0) or (below[-1] == 0 and high < 1):
        raise Rejected("a denominator is 0 at an end of a cell")
    above = [sign * s for s in bernstein_signs(constants, f[0], low, high)]
    if min(above) < 0:
        raise Rejected("a Bernstein coefficient is negative on a cell")
    return Strictness(max(above) > 0, above[0] > 0, above[-1] > 0)


def bernstein_signs(constants: Constants, polynomial: Polynomial, low: Fraction, high: Fraction) -> list[int]:
    """Return the signs of the Bernstein coefficients on [low, high] of a polynomial in p and named constants."""
    bits = sum(c.denominator.bit_length() for c in polynomial.values())
    constants.budget.spend(1 + len(polynomial), bits, bits)
    common = lcm(*(c.denominator for c in polynomial.values()))
    degree = max((key[0] for key in polynomial), default=0)
    parts: dict[tuple[int, ...], list[int]] = {}  # for each monomial in the names, the coefficients of 1, p, p^2, ...
    for key, c in polynomial.items():
        parts.setdefault((0, *key[1:]), [0] * (degree + 1))[key[0]] = c.numerator * (common // c.denominator)
    coefficients: list[Polynomial] = [{} for _ in range(degree + 1)]
    for key, by_degree in parts.items():
        for target, value in zip(coefficients, _bernstein(constants, by_degree, low, high), strict=True):
            if value:
                target[key] = Fraction(value)
    return [constants.sign_of(coefficient) for coefficient in coefficients]


def _bernstein(constants: Constants, coefficients: Sequence[int], low: Fraction, high: Fraction) -> list[int]:
    """Return ``c_0, ..., c_n`` times the n-th power of a common denominator D of the ends.

    By Horner's rule: ``sum_i a_i (A x + B y)^i (D x + D y)^(n-i)`` with low = A/D, high = B/D.
    """
    scale, degree = lcm(low.denominator, high.denominator), len(coefficients) - 1
    a, b = (int(end * scale) for end in (low, high))
    bits = max(c.bit_length() for c in coefficients) + degree * scale.bit_length()
    constants.budget.spend(2 * (degree + 1) ** 2, bits // 4)
    total, power = [0], [1]  # power: (D x + D y)^(n-i)
    for i in range(degree, -1, -1):
        total = [t + coefficients[i] * s for t, s in zip(total, power, strict=True)]
        if i:
            total = [a * x + b * y for x, y in zip([*total, 0], [0, *total], strict=True)]
            power = [scale * (x + y) for x, y in zip([*power, 0], [0, *power], strict=True)]
    return total
