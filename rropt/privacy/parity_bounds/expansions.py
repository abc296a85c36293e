"""What a function is at an end of (0, 1) and how it leaves it: ``E(p) = E(c) + (p - c) K(p)``, c = 0 or 1.

At the ends h and p (or 1-h and 1-p) vanish together, and intervals around each say nothing about their quotient. So
K is enclosed instead, part by part (slope arithmetic, Krawczyk and Neumaier 1985). With ``E_i(p) = a_i + (p-c) K_i``:

    E_1 + E_2: K_1 + K_2          E_1 E_2: K_1 E_2 + a_1 K_2, and a_2 K_1 + E_1 K_2; K_1 E_2 alone when a_1 = 0
    E_1 / E_2: (K_1 - (a_1/a_2) K_2) / E_2          min, max of functions with one value at c: of K_1 and K_2

and K lies in E' of the box otherwise (mean value theorem). That two functions have *the same* value at c is decided by
what the constants look like once p is replaced, never by intervals: ``(1-exp(-3))/(1-exp(-3))`` is 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rropt.privacy.parity_bounds.algebraic_numbers import Algebraic, polynomial_sign
from rropt.privacy.parity_bounds.intervals import UNKNOWN, Interval, extremum
from rropt.privacy.parity_bounds.leaves import Composite, Leaf, Rational, constant_value
from rropt.privacy.parity_bounds.rewrites import logarithm, rational_power
from rropt.tolerances import MAX_PIECE_DEGREE

__all__ = ["Expansion", "at_end", "constant_interval"]


@dataclass(frozen=True, slots=True)
class Expansion:
    """``E(p) = E(c) + (p - c) K(p)`` on a box that reaches the end c.

    Attributes:
        constant: E(c), a constant function.
        kernel: an interval around K.
    """

    constant: Leaf
    kernel: Interval


_ZERO, _ONE = Rational.constant(Fraction(0)), Rational.constant(Fraction(1))


def at_end(leaf: Leaf, end: int) -> Leaf | None:
    """Return the constant that a function is, and tends to, at p = 0 or 1; ``None`` when it is not seen to be one."""
    at = Algebraic.of(end)
    if isinstance(leaf, Rational):
        if polynomial_sign(leaf.below, at) == 0:
            return None
        value = leaf.value(at).rational
        return None if value is None else Rational.constant(value)
    parts = [at_end(part, end) for part in leaf.parts]
    found = [part for part in parts if part is not None]
    if len(found) < len(parts):
        return None
    if "entropy" in leaf.name:
        return _ZERO
    if leaf.name in ("+", "-", "*", "/"):
        return _operation(leaf.name, *found)
    if leaf.name == "^":
        return _power(*found)
    if leaf.name in ("min", "max"):
        return _extremum(leaf.name, *found)
    return _call(leaf.name, found[0])


def _call(name: str, argument: Leaf) -> Leaf | None:
    value = constant_value(argument)
    if value is not None and (value < 0 or (value == 0 and name == "log")) and name != "exp":
        return None
    if name == "log":
        return logarithm(argument)
    if name == "exp":
        if isinstance(argument, Composite) and argument.name == "log":
            return argument.parts[0]
        return _ONE if value == 0 else Composite(name, (argument,))
    root = None if value is None else rational_power(value, Fraction(1, 2))
    return Composite(name, (argument,)) if root is None else Rational.constant(root)


def _operation(sign: str, left: Leaf, right: Leaf) -> Leaf | None:
    a, b = constant_value(left), constant_value(right)
    if sign == "/" and (b == 0 or (b is None and left == right and not _positive(right))):
        return None
    if a is not None and b is not None and isinstance(left, Rational) and isinstance(right, Rational):
        return left.combined(sign, right)
    if left == right and sign in "-/":
        return _ZERO if sign == "-" else _ONE
    if sign == "*" and (a == 0 or b == 0):
        return _ZERO
    if (sign == "*" and a == 1) or (sign == "+" and a == 0):
        return right
    if (sign in "*/" and b == 1) or (sign in "+-" and b == 0):
        return left
    if sign == "/" and a == 0 and _positive(right):
        return _ZERO
    return Composite(sign, (left, right))


def _power(base: Leaf, exponent: Leaf) -> Leaf | None:
    a, r = constant_value(base), constant_value(exponent)
    if a is not None and (a < 0 or (a == 0 and (r is None or r <= 0))):
        return None
    if a in (0, 1) or r == 1:
        return base
    if isinstance(base, Rational) and r is not None and r.denominator == 1 and abs(r) <= MAX_PIECE_DEGREE:
        return base.power(int(r))
    exact = None if a is None or r is None else rational_power(a, r)
    if exact is not None:
        return Rational.constant(exact)
    return Composite("^", (base, exponent))


def _extremum(name: str, left: Leaf, right: Leaf) -> Leaf | None:
    a, b = constant_interval(left), constant_interval(right)
    if left == right:
        return left
    if a.high < b.low or b.high < a.low:
        return left if (a.high < b.low) == (name == "min") else right
    return Composite(name, (left, right))


def _positive(constant: Leaf) -> bool:
    """Return whether a constant is seen not to be 0."""
    value = constant_interval(constant)
    return bool(value.low > 0 or value.high < 0)


def constant_interval(constant: Leaf) -> Interval:
    """Return an interval around a constant of ``at_end``; unknown where its parts are not seen to be defined."""
    if isinstance(constant, Rational):
        return Interval.of(constant_value(constant) or 0)
    parts = [constant_interval(part) for part in constant.parts]
    if constant.name in ("sqrt", "exp", "log"):
        if constant.name != "exp" and not parts[0].low >= 0:
            return UNKNOWN
        return {"sqrt": Interval.sqrt, "exp": Interval.exp, "log": Interval.log}[constant.name](parts[0])
    left, right = parts
    if constant.name == "^":
        return (left.log() * right).exp() if left.low > 0 else UNKNOWN
    if constant.name in ("min", "max"):
        return extremum(constant.name, left, right)
    return {"+": Interval.__add__, "-": Interval.__sub__, "*": Interval.__mul__, "/": Interval.__truediv__}[
        constant.name
    ](left, right)
