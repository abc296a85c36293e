"""Values of a function of p and its derivatives over a box, proved to be defined there."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from flint import arb

from rropt.errors import InvalidParameterError
from rropt.privacy.parity_bounds.cells import Cell, Composite, Leaf, Rational, sign_cells
from rropt.privacy.parity_bounds.intervals import Interval, Jet

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
        return self._jet(self.leaf, x)

    def _jet(self, leaf: Leaf, x: Interval) -> Jet:
        if isinstance(leaf, Rational):
            values = [_horner(coefficients, x) for coefficients in self._polynomials[id(leaf)]]
            above, below = Jet(*values[:3]), Jet(*values[3:])
            return above if leaf.below == 1 else above / below
        if leaf.name == "^":
            return self._power(leaf, x)
        jets = [self._jet(part, x) for part in leaf.parts]
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
            return jets[0].extremum(jets[1], leaf.name, at_point=bool(x.low == x.high))
        self._require_defined(leaf.parts[0], jets[0], x, strict=leaf.name == "log")
        return jets[0].sqrt() if leaf.name == "sqrt" else jets[0].log()

    def _power(self, leaf: Composite, x: Interval) -> Jet:
        base, constant = self._jet(leaf.parts[0], x), _number(leaf.parts[1])
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


def _number(leaf: Leaf) -> Fraction | None:
    if not isinstance(leaf, Rational) or leaf.above.degree() > 0 or leaf.below.degree() > 0:
        return None
    return Fraction(int(leaf.above[0].p), int(leaf.above[0].q))


def _integer(leaf: Leaf) -> int | None:
    number = _number(leaf)
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
