"""What the odds ratio F tends to at p = 0 and 1, exactly, where it is rational: by the one-sided derivative of h there.

``F = (1-p) h / (p (1-h))`` tends to h'(0) at 0 when h(0) = 0, and to 1/h'(1) at 1 when h(1) = 1. Values and
derivatives are taken together part by part (the chain rule in rational numbers), as limits of
``(f(p) - f(c))/(p - c)``; they may be infinite, as of sqrt(p) at 0.
"""

from __future__ import annotations

import math
from fractions import Fraction

from flint import fmpq

from rropt.privacy.parity_bounds.leaves import Composite, Leaf, Rational, constant_value
from rropt.privacy.parity_bounds.rewrites import rational_power

__all__ = ["end_limit", "end_slope"]

Slope = Fraction | float  # a float only when it is infinite
_HALF = Fraction(1, 2)


def end_limit(leaf: Leaf, end: int) -> Fraction | None:
    """Return what F tends to at p = ``end``, 0 or 1; ``None``: infinite, irrational or not seen."""
    found = end_slope(leaf, end)
    if found is None or found[0] != end or isinstance(found[1], float):
        return None
    if end == 0:
        return found[1]
    return 1 / found[1] if found[1] > 0 else None


def end_slope(leaf: Leaf, end: int) -> tuple[Fraction, Slope] | None:
    """Return the limit of a function at p = 0 or 1, and its one-sided derivative; ``None``: not seen to be rational."""
    if isinstance(leaf, Rational):
        return _rational_slope(leaf, end)
    if "entropy" in leaf.name:
        return _entropy_slope(leaf, end)
    if leaf.name == "^":
        exponent = constant_value(leaf.parts[1])
        return None if exponent is None else _power(end_slope(leaf.parts[0], end), exponent, end)
    found = [end_slope(part, end) for part in leaf.parts]
    if leaf.name == "sqrt":
        return _power(found[0], _HALF, end)
    if found[0] is None:
        return None
    value, slope = found[0]
    if leaf.name in ("exp", "log"):
        start, image = (0, 1) if leaf.name == "exp" else (1, 0)
        return (Fraction(image), slope) if value == start else None
    if found[1] is None:
        return None
    if leaf.name in ("min", "max"):
        return _extremum(leaf.name, found[0], found[1], end)
    return _operation(leaf.name, found[0], found[1])


def _rational_slope(leaf: Rational, end: int) -> tuple[Fraction, Slope] | None:
    n, d, dn, dd = (_at(x, end) for x in (leaf.above, leaf.below, leaf.above.derivative(), leaf.below.derivative()))
    return None if d == 0 else (n / d, (dn * d - n * dd) / d**2)


def _at(polynomial: object, end: int) -> Fraction:
    value = polynomial(fmpq(end))  # type: ignore[operator]  # an fmpq_poly, which has no type
    return Fraction(int(value.p), int(value.q))


def _entropy_slope(leaf: Composite, end: int) -> tuple[Fraction, Slope] | None:
    found = end_slope(leaf.parts[0], end)  # of p or 1-p: 0 or 1
    if found is None:
        return None
    if found[0] == 1:
        return Fraction(0), found[1]
    return Fraction(0), -math.inf if end == 0 else math.inf


def _power(found: tuple[Fraction, Slope] | None, exponent: Fraction, end: int) -> tuple[Fraction, Slope] | None:
    if found is None or found[0] < 0 or exponent <= 0:
        return None
    value, slope = found
    if value > 0:
        image = rational_power(value, exponent)
        return None if image is None or isinstance(slope, float) else (image, exponent * image / value * slope)
    if exponent > 1:
        return None if isinstance(slope, float) else (Fraction(0), Fraction(0))
    if exponent == 1:
        return found
    rises = slope > 0 if end == 0 else slope < 0
    return (Fraction(0), math.inf if end == 0 else -math.inf) if rises else None


def _extremum(
    name: str, first: tuple[Fraction, Slope], second: tuple[Fraction, Slope], end: int
) -> tuple[Fraction, Slope]:
    if first[0] != second[0]:
        return first if (first[0] < second[0]) == (name == "min") else second
    smaller = (name == "min") == (end == 0)  # p - 1 is negative
    choose = min if smaller else max
    return first[0], choose(first[1], second[1])


def _operation(
    sign: str, first: tuple[Fraction, Slope], second: tuple[Fraction, Slope]
) -> tuple[Fraction, Slope] | None:
    (a, s), (b, t) = first, second
    if sign == "*":  # f(c) = 0: f g/(p - c) tends to f' g(c), however steep g is
        for value, slope, other in ((a, s, b), (b, t, a)):
            if value == 0 and not isinstance(slope, float):
                return Fraction(0), slope * other
        for (value, slope), (other, steep) in ((first, second), (second, first)):
            if not isinstance(slope, float) and isinstance(steep, float) and value != 0:
                return value * other, steep if value > 0 else -steep
    if isinstance(s, float) or isinstance(t, float):
        return None
    if sign == "+":
        return a + b, s + t
    if sign == "-":
        return a - b, s - t
    if sign == "*":
        return a * b, s * b + a * t
    return None if b == 0 else (a / b, (s - a / b * t) / b)
