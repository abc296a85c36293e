"""Intervals around a function of p and its first derivatives over a box (FORMAT.md, rule 12).

A jet of order n is a tuple of n+1 intervals around f, f', ... over the box. f' of a minimum that is not decided is the
hull of both, enough for the mean value theorem; its f'' is unknown.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .cover_intervals import Arithmetic, Interval
from .documents import NAME, Rejected, fraction, items
from .limits import MAX_DEGREE, MAX_TERMS
from .polynomials import whole

Jet = tuple[Interval, ...]

_MAX_EXPONENT_DIGITS = 20  # of the two parts of a fractional exponent
_ENTROPY = ["p", {"log": "p"}]
UNARY = ("negative", "sqrt", "exp", "log")
LISTS = ("sum", "product", "minimum", "maximum")


@dataclass(frozen=True)
class Box:
    """The interval [low, high] of p."""

    low: Fraction
    high: Fraction


class Jets:
    """Evaluation of trees in p."""

    def __init__(self, arithmetic: Arithmetic, is_nonnegative: Callable[[Any, Box], bool]) -> None:
        self.arithmetic = arithmetic
        self.is_nonnegative = is_nonnegative  # a second opinion where an interval reaches below 0

    def of(self, tree: Any, box: Box, order: int) -> Jet:
        """Return the jet of a tree over a box; rejected where an operation may be undefined inside (0, 1)."""
        a = self.arithmetic
        a.charge(2)
        if isinstance(tree, str):
            if tree == "p":
                return (a.of(box.low, box.high), a.unit, a.zero)[: order + 1]
            a.charge((len(tree) // 512) ** 2)  # reading a number is quadratic in its digits
            return (a.of(constant(tree)), a.zero, a.zero)[: order + 1]
        operation, parts = operation_of(tree)
        if operation == "power":
            base, exponent = self.of(parts[0], box, order), exponent_of(parts[1])
            return self._power(base if exponent.denominator == 1 else self._clipped(parts[0], base, box), exponent)
        if operation == "product" and parts == _ENTROPY:
            return self._entropy(box)[: order + 1]
        jets = [self.of(part, box, order) for part in parts]
        total = jets[0]
        if operation == "negative":
            return self._minus(total)
        if operation == "quotient":
            return self._divide(total, jets[1], box)
        if operation in ("sqrt", "exp", "log"):
            return self._function(operation, total if operation == "exp" else self._clipped(parts[0], total, box), box)
        for other in jets[1:]:
            if operation == "sum":
                total = tuple(map(a.add, total, other))
            elif operation == "product":
                total = self._multiply(total, other)
            elif operation == "minimum":
                total = self._minimum(total, other, box)
            else:
                total = self._minus(self._minimum(self._minus(total), self._minus(other), box))
        return total

    def _entropy(self, box: Box) -> Jet:
        """Return the jet of ``p log p``, which falls up to 1/e: near 0 its factors hide that it is small and smooth."""
        a = self.arithmetic
        low, high = (self.of("p", Box(end, end), 0)[0] for end in (box.low, box.high))
        x = low[0], high[1]
        slope = a.add(a.log(x), a.unit)
        ends = [a.zero if end == a.zero else a.multiply(end, a.log(end)) for end in (low, high)]
        value = a.meet(a.multiply(x, a.log(x)), (-a.exp((-a.one, -a.one))[1], a.infinity))
        if slope[1] <= 0:
            value = ends[1][0], ends[0][1]
        elif slope[0] >= 0:
            value = ends[0][0], ends[1][1]
        return value, slope, a.inverse(x)

    @staticmethod
    def _minus(f: Jet) -> Jet:
        return tuple((-high, -low) for low, high in f)

    def _multiply(self, f: Jet, g: Jet) -> Jet:
        a = self.arithmetic
        result = [a.multiply(f[0], g[0])]
        if len(f) > 1:
            result.append(a.add(a.multiply(f[1], g[0]), a.multiply(f[0], g[1])))
        if len(f) > 2:
            cross = a.multiply(f[1], g[1])
            ends = a.add(a.multiply(f[2], g[0]), a.multiply(f[0], g[2]))
            result.append(a.add(ends, a.add(cross, cross)))
        return tuple(result)

    def _divide(self, f: Jet, g: Jet, box: Box) -> Jet:
        """Return f/g = q: ``q' = (f' - q g')/g``, ``q'' = (f'' - 2 q' g' - q g'')/g``."""
        a = self.arithmetic
        self._require_nonzero(g, box)
        result = [a.divide(f[0], g[0])]
        if len(f) > 1:
            result.append(a.divide(a.subtract(f[1], a.multiply(result[0], g[1])), g[0]))
        if len(f) > 2:
            cross = a.multiply(result[1], g[1])
            rest = a.add(a.add(cross, cross), a.multiply(result[0], g[2]))
            result.append(a.divide(a.subtract(f[2], rest), g[0]))
        return tuple(result)

    def _function(self, name: str, f: Jet, box: Box) -> Jet:
        a = self.arithmetic
        if name == "exp":
            value = a.exp(f[0])
            return self._chain(f, value, value, value)
        if name == "log":
            if f[0][0] <= 0:
                self._require_nonzero(f, box)
            if f[0][0] < 0:
                raise Rejected("the logarithm of what may be negative")
            first = a.inverse(f[0])
            low, high = a.square(first)
            return self._chain(f, a.log(f[0]), first, (-high, -low))
        if f[0][0] < 0:
            raise Rejected("the root of what may be negative")
        root = a.sqrt(f[0])
        first = a.inverse(a.add(root, root))
        low, high = a.divide(first, a.add(f[0], f[0]))
        return self._chain(f, root, first, (-high, -low))

    def _clipped(self, tree: Any, f: Jet, box: Box) -> Jet:
        """Return the argument of a root or logarithm, with its interval cut at 0 where it is not negative."""
        if f[0][0] >= 0 or f[0][1] < 0 or not self.is_nonnegative(tree, box):
            return f
        return ((0, f[0][1]), *f[1:])

    def _chain(self, f: Jet, value: Interval, first: Interval, second: Interval) -> Jet:
        """Return the jet of F(f) from F(f), F'(f), F''(f); a constant stays constant."""
        a = self.arithmetic
        if all(part == (0, 0) for part in f[1:]):
            return (value, *f[1:])
        result = [value, a.multiply(first, f[1])]
        if len(f) > 2:
            result.append(a.add(a.multiply(first, f[2]), a.multiply(second, a.square(f[1]))))
        return tuple(result)

    def _power(self, f: Jet, exponent: Fraction) -> Jet:
        a = self.arithmetic
        if exponent.denominator > 1 and f[0][0] < 0:
            raise Rejected("a fractional power of what may be negative")
        value = a.power(f[0], exponent)
        if len(f) == 1 or exponent == 0:
            return (value, a.zero, a.zero)[: len(f)]
        first = a.multiply(a.of(exponent), a.power(f[0], exponent - 1))
        second = a.multiply(a.of(exponent * (exponent - 1)), a.power(f[0], exponent - 2)) if len(f) > 2 else a.zero
        return self._chain(f, value, first, second)

    def _minimum(self, f: Jet, g: Jet, box: Box) -> Jet:
        """Return min(f, g); at one point a tie says nothing about the derivative beside it."""
        point = box.low == box.high
        for one, other in ((f, g), (g, f)):
            if one[0][1] < other[0][0] or (one[0][1] == other[0][0] and not point):
                return one
        value = min(f[0][0], g[0][0]), min(f[0][1], g[0][1])
        a = self.arithmetic
        return (value, *([a.hull(f[1], g[1])] if len(f) > 1 else []), *([a.unknown] if len(f) > 2 else []))

    def _require_nonzero(self, f: Jet, box: Box) -> None:
        """Reject unless f has no zero in the box, except at p = 0 or p = 1."""
        low, high = f[0]
        if low > 0 or high < 0:
            return
        if low < 0 < high:
            raise Rejected("a divisor, or the argument of a logarithm, may be 0")
        if box.low == box.high and box.low in (0, 1):
            return
        if len(f) > 1:
            slope = f[1] if low >= 0 else (-f[1][1], -f[1][0])
            if (box.low == 0 and slope[0] > 0) or (box.high == 1 and slope[1] < 0):
                return
        raise Rejected("a divisor, or the argument of a logarithm, may be 0")


def operation_of(tree: Any) -> tuple[str, list[Any]]:
    """Return the operation of a node and its operands; of a power, the base and the exponent's text."""
    if not isinstance(tree, dict) or len(tree) != 1:
        raise Rejected("a function has what is no expression")
    ((operation, arguments),) = tree.items()
    if operation in UNARY:
        return operation, [arguments]
    if operation in ("power", "quotient"):
        return operation, items(arguments, "an expression", count=2)
    if operation not in LISTS:
        raise Rejected(f"a function has the unknown operation {str(operation)[:40]!r}")
    if len(items(arguments, "an expression", most=MAX_TERMS)) < 2:
        raise Rejected(f"a function has a {operation} of fewer than two parts")
    return operation, arguments


def constant(text: str) -> Fraction:
    """Return a number of a function; names other than p are unknown."""
    if NAME.fullmatch(text):
        raise Rejected(f"a function has the unknown name {text}")
    return fraction(text, "a number of a function")


def exponent_of(text: Any) -> Fraction:
    """Return an exponent: an integer up to MAX_DEGREE, or a positive fraction with parts up to it."""
    if isinstance(text, str) and "/" in text:
        value = fraction(text, "an exponent", _MAX_EXPONENT_DIGITS)
        if value <= 0 or max(value.numerator, value.denominator) > MAX_DEGREE:
            raise Rejected(f"an exponent is not positive, or has a part above {MAX_DEGREE}")
        return value
    return Fraction(whole(text, "an exponent", MAX_DEGREE))
