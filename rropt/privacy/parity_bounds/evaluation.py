"""Values of a function of p and its derivatives over a box, proved to be defined there."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from flint import arb

from rropt.errors import InvalidParameterError
from rropt.privacy.parity_bounds.cells import Cell, sign_cells
from rropt.privacy.parity_bounds.end_slopes import end_limit
from rropt.privacy.parity_bounds.entropies import entropy_jet
from rropt.privacy.parity_bounds.expansions import Expansion, at_end, constant_interval
from rropt.privacy.parity_bounds.intervals import UNKNOWN, Interval, Jet, extremum, meet
from rropt.privacy.parity_bounds.leaves import Composite, Leaf, Rational, constant_value

__all__ = ["Function", "UndefinedError"]

_ZERO, _ONE = Interval.of(0), Interval.of(1)


class UndefinedError(ArithmeticError):
    """The function could not be shown to be defined on a box: a narrower one may do."""


class Function:
    """One leaf on one cell, ready for evaluation by interval arithmetic.

    Args:
        leaf: the function.
        cell: where it is used. Rational arguments of roots, logarithms and fractional powers are checked to be
            nonnegative there, exactly.

    Raises:
        InvalidParameterError: a rational argument of a root, a logarithm or a fractional power is negative, or 0
            under a logarithm, in the cell.
    """

    def __init__(self, leaf: Leaf, cell: Cell) -> None:
        self.leaf = leaf
        self._safe: set[int] = set()  # identities of arguments that are nonnegative in the cell
        self._polynomials: dict[int, tuple[Any, ...]] = {}
        self._constants: dict[tuple[int, int], Leaf | None] = {}
        self._box: Interval | None = None  # what is remembered belongs to it: a part may be looked at many times
        self._jets: dict[int, Jet] = {}
        self._expansions: dict[int, Expansion | None] = {}
        for part in _parts(leaf):
            if isinstance(part, Rational):
                n, d = part.above, part.below
                self._polynomials[id(part)] = tuple(
                    x.coeffs() for q in (n, d) for x in (q, q.derivative(), q.derivative().derivative())
                )
            elif part.name in ("sqrt", "log", "^") and isinstance(part.parts[0], Rational):
                if part.name != "^" or _integer(part.parts[1]) is None:
                    _require_nonnegative(part.name, part.parts[0], cell)
                self._safe.add(id(part.parts[0]))

    def jet(self, x: Interval) -> Jet:
        """Return intervals around the function, f' and f'' over a box.

        Raises:
            UndefinedError: it may be undefined somewhere in the box.
        """
        self._look_at(x)
        return self._jet(self.leaf, x)

    def at_end(self, end: int) -> Leaf | None:
        """Return the constant that the function is, and tends to, at p = ``end``, 0 or 1, when it is seen."""
        return self._at_end(self.leaf, end)

    def limit_at(self, end: int) -> Fraction | None:
        """Return what F tends to at p = ``end``, 0 or 1, when that is seen to be rational."""
        return end_limit(self.leaf, end)

    def expansion(self, x: Interval, end: int) -> Expansion | None:
        """Return ``E(p) = E(c) + (p-c) K(p)`` over a box that reaches the end c = 0 or 1; ``None``: not found.

        Raises:
            UndefinedError: it may be undefined somewhere in the box.
        """
        self._look_at(x)
        return self._expansion(self.leaf, x, end)

    def _look_at(self, x: Interval) -> None:
        if x is not self._box:
            self._box, self._jets, self._expansions = x, {}, {}

    def _jet(self, leaf: Leaf, x: Interval) -> Jet:
        if id(leaf) not in self._jets:
            self._jets[id(leaf)] = self._new_jet(leaf, x)
        return self._jets[id(leaf)]

    def _at_end(self, leaf: Leaf, end: int) -> Leaf | None:
        key = id(leaf), end
        if key not in self._constants:
            self._constants[key] = at_end(leaf, end)
        return self._constants[key]

    def _expansion(self, leaf: Leaf, x: Interval, end: int) -> Expansion | None:
        if id(leaf) not in self._expansions:
            self._expansions[id(leaf)] = self._new_expansion(leaf, x, end)
        return self._expansions[id(leaf)]

    def _new_expansion(self, leaf: Leaf, x: Interval, end: int) -> Expansion | None:
        """Return the expansion, part by part, or by the mean value theorem, or both."""
        found = None if isinstance(leaf, Rational) else self._parts_expansion(leaf, x, end)
        constant = self._at_end(leaf, end)
        if constant is None:
            return found
        slope = self._jet(leaf, x).slope
        return Expansion(constant, slope if found is None else meet(found.kernel, slope))

    def _parts_expansion(self, leaf: Composite, x: Interval, end: int) -> Expansion | None:
        if "entropy" in leaf.name:
            argument = self._expansion(leaf.parts[0], x, end)
            if argument is None or constant_value(argument.constant) != 0:
                return None
            return Expansion(argument.constant, argument.kernel * self._jet(leaf.parts[0], x).value.log())
        if leaf.name not in ("+", "-", "*", "/", "min", "max"):
            return None
        first, second = (self._expansion(part, x, end) for part in leaf.parts)
        if leaf.name in ("*", "/"):
            return self._product(leaf, x, first, second)
        if first is None or second is None:
            return None
        if leaf.name in ("min", "max"):
            if first.constant != second.constant:
                f, g = (self._jet(part, x).value for part in leaf.parts)
                if not (f.high < g.low or g.high < f.low):
                    return None
                return first if (f.high < g.low) == (leaf.name == "min") else second
            name = leaf.name if end == 0 else {"min": "max", "max": "min"}[leaf.name]  # p - 1 is negative
            return Expansion(first.constant, extremum(name, first.kernel, second.kernel))
        constant = at_end(Composite(leaf.name, (first.constant, second.constant)), end)
        kernel = first.kernel + second.kernel if leaf.name == "+" else first.kernel - second.kernel
        return None if constant is None else Expansion(constant, kernel)

    def _product(
        self, leaf: Composite, x: Interval, first: Expansion | None, second: Expansion | None
    ) -> Expansion | None:
        left, right = (self._jet(part, x).value for part in leaf.parts)
        if leaf.name == "/":
            self._require_nonzero(leaf.parts[1], self._jet(leaf.parts[1], x), x)
        if first is not None and constant_value(first.constant) == 0:
            return Expansion(first.constant, first.kernel * right if leaf.name == "*" else first.kernel / right)
        if leaf.name == "*" and second is not None and constant_value(second.constant) == 0:
            return Expansion(second.constant, left * second.kernel)
        if first is None or second is None:
            return None
        constant = at_end(Composite(leaf.name, (first.constant, second.constant)), 0)
        if constant is None:
            return None
        a, b = constant_interval(first.constant), constant_interval(second.constant)
        if leaf.name == "/":
            return Expansion(constant, (first.kernel - a / b * second.kernel) / right)
        either = first.kernel * right + a * second.kernel, b * first.kernel + left * second.kernel
        return Expansion(constant, meet(*either))

    def _new_jet(self, leaf: Leaf, x: Interval) -> Jet:
        if isinstance(leaf, Rational):
            values = [_horner(coefficients, x) for coefficients in self._polynomials[id(leaf)]]
            above, below = Jet(*values[:3]), Jet(*values[3:])
            return above if leaf.below == 1 else above / below
        if leaf.name == "^":
            return self._power(leaf, x)
        jets = [self._jet(part, x) for part in leaf.parts]
        if "entropy" in leaf.name:
            return entropy_jet(jets[0])
        if leaf.name == "+":
            return jets[0] + jets[1]
        if leaf.name == "-":
            return jets[0] - jets[1]
        if leaf.name == "*":
            return jets[0] * jets[1]
        if leaf.name == "/":
            self._require_nonzero(leaf.parts[1], jets[1], x)
            return jets[0] / jets[1]
        if leaf.name == "exp":
            return jets[0].exp()
        if leaf.name in ("min", "max"):
            return self._extremum(leaf, jets[0], jets[1], x)
        self._require_defined(leaf.parts[0], jets[0], x, strict=leaf.name == "log")
        return jets[0].sqrt() if leaf.name == "sqrt" else jets[0].log()

    def _extremum(self, leaf: Composite, f: Jet, g: Jet, x: Interval) -> Jet:
        """Return min(f, g) or max(f, g); where both have one value at the end of a box, by how they leave it."""
        at_point = bool(x.low == x.high)
        undecided = not (f.value.high < g.value.low or g.value.high < f.value.low)
        if not undecided or not (x.low == 0 or x.high == 1):
            return f.extremum(g, leaf.name, at_point=at_point)
        end = 0 if x.low == 0 else 1
        first, second = (self._expansion(part, x, end) for part in leaf.parts)
        if first is None or second is None or first.constant != second.constant:
            return f.extremum(g, leaf.name, at_point=at_point)
        k, other = first.kernel, second.kernel
        small = (leaf.name == "min") == (end == 0)  # the chosen one has the smaller kernel
        if k.high < other.low or (not at_point and k.high <= other.low):
            return f if small else g
        if other.high < k.low or (not at_point and other.high <= k.low):
            return g if small else f
        if at_point:  # both values are the same, and the slope is one-sided
            return Jet(f.value, extremum("min" if small else "max", f.slope, g.slope), UNKNOWN)
        return f.extremum(g, leaf.name, at_point=False)

    def _power(self, leaf: Composite, x: Interval) -> Jet:
        base, constant = self._jet(leaf.parts[0], x), constant_value(leaf.parts[1])
        if constant is None:
            self._require_defined(leaf.parts[0], base, x, strict=True)
            return (base.log() * self._jet(leaf.parts[1], x)).exp()
        if constant < 0:
            self._require_nonzero(leaf.parts[0], base, x)
        if constant.denominator != 1:
            self._require_defined(leaf.parts[0], base, x, strict=False)
        return base.power(constant)

    def _require_defined(self, leaf: Leaf, argument: Jet, x: Interval, *, strict: bool) -> None:
        """Require an argument >= 0 on the box, ``strict``: > 0 inside (0, 1)."""
        if id(leaf) in self._safe:
            return
        low = argument.value.low
        if low < 0 or (strict and low == 0 and not _only_at_the_end(argument, x)):
            raise UndefinedError

    def _require_nonzero(self, leaf: Leaf, divisor: Jet, x: Interval) -> None:
        if isinstance(leaf, Rational):  # its zeros were looked for, exactly, when the cells were cut
            return
        value = divisor.value
        if value.low <= 0 <= value.high and ((value.low < 0 < value.high) or not _only_at_the_end(divisor, x)):
            raise UndefinedError


def _only_at_the_end(f: Jet, x: Interval) -> bool:
    """Return whether a function of one sign on a box can vanish only at p = 0 or at p = 1, an end of the box."""
    if x.low == x.high:
        return bool(x.low == 0 or x.low == 1)
    slope = f.slope if f.value.low >= 0 else -f.slope
    return bool((x.low == 0 and slope.low > 0) or (x.high == 1 and slope.high < 0))


def _parts(leaf: Leaf) -> Iterator[Leaf]:
    yield leaf
    if isinstance(leaf, Composite):
        for part in leaf.parts:
            yield from _parts(part)


def _integer(leaf: Leaf) -> int | None:
    number = constant_value(leaf)
    return int(number) if number is not None and number.denominator == 1 else None


def _require_nonnegative(name: str, argument: Rational, cell: Cell) -> None:
    for part, sign in sign_cells(argument, cell):
        if sign < 0 or (sign == 0 and name == "log"):
            what = {"sqrt": "the root", "log": "the logarithm", "^": "a power"}[name]
            point = part.sample()
            raise InvalidParameterError(
                f"the expression is not defined inside (0, 1): {what} of {argument.value(point)} at p = {point}; "
                "give a function defined for 0 < p < 1"
            )


def _horner(coefficients: list[Any], x: Interval) -> Interval:
    if not coefficients:
        return _ZERO
    total = Interval.around(arb(coefficients[-1]))
    for c in reversed(coefficients[:-1]):
        total = total * x + Interval.around(arb(c))
    return total
