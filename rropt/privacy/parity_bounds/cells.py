"""Cutting (0, 1) into cells on which a criterion's function is one rational function, or one smooth expression.

A cell is an open interval between two algebraic numbers, or one point. ``min``, ``max`` and ``piecewise`` are
resolved where what they compare is rational: the cuts are the real roots of the difference. Division by a rational
function that has a zero in the cell is refused; a branch that is not reached is never looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any, Union

from flint import fmpq, fmpq_poly

from rropt.errors import InvalidParameterError, UnsupportedProblemError
from rropt.privacy.criteria.expressions import (
    Branches,
    Call,
    Comparison,
    Expression,
    Extremum,
    Number,
    Operation,
    Power,
    Prior,
)
from rropt.privacy.parity_bounds.algebraic_numbers import (
    Algebraic,
    polynomial_roots,
    polynomial_sign,
    quotient_at,
    simplest_between,
)

__all__ = ["MAX_DEGREE", "Cell", "Composite", "Leaf", "Rational", "over_prior", "sign_cells", "split"]

# Input limit: a rational piece of higher degree would make root isolation slow (seconds at this one).
MAX_DEGREE = 96

_UNIT = (Algebraic.of(0), Algebraic.of(1))


@dataclass(frozen=True, slots=True)
class Cell:
    """The open interval (low, high), or the point ``low == high``; ends that belong to it are flagged."""

    low: Algebraic
    high: Algebraic
    has_low: bool = False
    has_high: bool = False

    @property
    def is_point(self) -> bool:
        """Whether it is one point."""
        return self.low == self.high

    def sample(self) -> Algebraic:
        """Return a point of the cell, the simplest rational when it is an interval."""
        return self.low if self.is_point else Algebraic.of(simplest_between(self.low, self.high))


@dataclass(frozen=True, eq=False, slots=True)
class Rational:
    """A rational function ``above / below`` over Q in lowest terms (``fmpq_poly``, ``below`` monic)."""

    above: Any
    below: Any

    @classmethod
    def reduced(cls, above: Any, below: Any) -> Rational:
        """Return the quotient in lowest terms."""
        common = above.gcd(below)
        above, below = above // common, below // common
        lead = below[below.degree()]
        degree = max(above.degree(), below.degree())
        if degree > MAX_DEGREE:
            raise InvalidParameterError(
                f"the expression has too high a degree: a piece of it has degree {degree}; "
                f"at most {MAX_DEGREE} is allowed"
            )
        return cls(above / lead, below / lead)

    @classmethod
    def constant(cls, value: Fraction) -> Rational:
        """Return a constant function."""
        return cls(fmpq_poly([fmpq(value.numerator, value.denominator)]), fmpq_poly([1]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rational) and self.above == other.above and self.below == other.below

    def __hash__(self) -> int:
        return hash((str(self.above), str(self.below)))

    def combined(self, sign: str, other: Rational) -> Rational:
        """Return the sum, difference, product or quotient."""
        a, b, c, d = self.above, self.below, other.above, other.below
        if sign in "+-":
            return Rational.reduced(a * d + b * c if sign == "+" else a * d - b * c, b * d)
        return Rational.reduced(a * c, b * d) if sign == "*" else Rational.reduced(a * d, b * c)

    def power(self, exponent: int) -> Rational:
        """Return a power with an integer exponent; the base is not 0 when it is negative."""
        size = abs(exponent)
        if size * max(self.above.degree(), self.below.degree(), 0) > MAX_DEGREE or size > MAX_DEGREE:
            raise InvalidParameterError(
                f"an exponent is too large: received {exponent}; a piece may have degree {MAX_DEGREE} at most"
            )
        pair = self.above**size, self.below**size
        return Rational.reduced(*(pair if exponent >= 0 else pair[::-1]))

    def sign(self, at: Algebraic) -> int:
        """Return the sign at a point that is no pole."""
        return polynomial_sign(self.above, at) * polynomial_sign(self.below, at)

    def value(self, at: Algebraic) -> Algebraic:
        """Return the value at a point that is no pole."""
        return quotient_at(self.above, self.below, at)

    def zeros(self, cell: Cell) -> list[Algebraic]:
        """Return the zeros in the cell; of the zero function a sample."""
        if cell.is_point:
            return [cell.low] if self.above == 0 or polynomial_sign(self.above, cell.low) == 0 else []
        return [cell.sample()] if self.above == 0 else polynomial_roots(self.above, cell.low, cell.high)


@dataclass(frozen=True, slots=True)
class Composite:
    """An expression that is no rational function: ``+ - * / ^``, ``sqrt exp log`` or ``min max`` of its parts."""

    name: str
    parts: tuple[Leaf, ...]


Leaf = Union[Rational, Composite]  # noqa: UP007  # the alias is used above its definition
Piece = tuple[Cell, Leaf]


def split(tree: Expression) -> list[Piece]:
    """Return the cells of (0, 1) in ascending order, each with its function; neighbours of one function are merged.

    Raises:
        InvalidParameterError: division by zero inside (0, 1), a function that is not defined somewhere, a high degree.
        UnsupportedProblemError: a condition that compares other than rational expressions.
    """
    merged: list[Piece] = []
    for cell, leaf in _split(tree, Cell(*_UNIT)):
        if merged and merged[-1][1] == leaf and (cell.is_point or merged[-1][0].is_point or merged[-1][0].has_high):
            before = merged[-1][0]
            has_low = before.has_low or before.is_point
            merged[-1] = Cell(before.low, cell.high, has_low, cell.has_high or cell.is_point), leaf
        else:
            merged.append((cell, leaf))
    return merged


def _split(tree: Expression, cell: Cell) -> Iterator[Piece]:
    if isinstance(tree, Number):
        yield cell, Rational.constant(tree.value)
    elif isinstance(tree, Prior):
        yield cell, Rational(fmpq_poly([0, 1]), fmpq_poly([1]))
    elif isinstance(tree, Operation):
        for part, left in _split(tree.left, cell):
            for inner, right in _split(tree.right, part):
                yield inner, _operation(tree.sign, left, right, inner)
    elif isinstance(tree, Power):
        yield from _power(tree, cell)
    elif isinstance(tree, Call):
        for part, argument in _split(tree.argument, cell):
            yield part, _call(tree.name, argument)
    elif isinstance(tree, Extremum):
        yield from _extremum(tree, cell)
    else:
        yield from _branches(tree, cell)


def _operation(sign: str, left: Leaf, right: Leaf, cell: Cell) -> Leaf:
    if sign == "/" and isinstance(right, Rational) and (zeros := right.zeros(cell)):
        raise InvalidParameterError(
            f"the expression divides by zero inside (0, 1): at p = {zeros[0]}; give a function defined for 0 < p < 1"
        )
    if isinstance(left, Rational) and isinstance(right, Rational):
        return left.combined(sign, right)
    return Composite(sign, (left, right))


def _power(tree: Power, cell: Cell) -> Iterator[Piece]:
    for part, base in _split(tree.base, cell):
        for inner, exponent in _split(tree.exponent, part):
            constant = _constant(exponent)
            if isinstance(base, Rational) and constant is not None and constant.denominator == 1:
                if constant < 0:
                    _operation("/", Rational.constant(Fraction(1)), base, inner)  # refuses a zero of the base
                yield inner, base.power(int(constant))
            else:
                yield inner, Composite("^", (base, exponent))


def _call(name: str, argument: Leaf) -> Leaf:
    constant = _constant(argument)
    if name == "sqrt" and constant is not None and constant >= 0:
        above, below = isqrt(constant.numerator), isqrt(constant.denominator)
        if Fraction(above, below) ** 2 == constant:
            return Rational.constant(Fraction(above, below))
    if constant is not None and ((name == "exp" and constant == 0) or (name == "log" and constant == 1)):
        return Rational.constant(Fraction(name == "exp"))
    return Composite(name, (argument,))


def _extremum(tree: Extremum, cell: Cell) -> Iterator[Piece]:
    pieces: list[Piece] = list(_split(tree.arguments[0], cell))
    for argument in tree.arguments[1:]:
        pieces = [
            result
            for part, left in pieces
            for inner, right in _split(argument, part)
            for result in _pair(tree.name, left, right, inner)
        ]
    yield from pieces


def _pair(name: str, left: Leaf, right: Leaf, cell: Cell) -> Iterator[Piece]:
    if not (isinstance(left, Rational) and isinstance(right, Rational)):
        yield cell, Composite(name, (left, right))
        return
    for part, sign in sign_cells(left.combined("-", right), cell):
        yield part, left if (sign <= 0) == (name == "min") else right


def _branches(tree: Branches, cell: Cell) -> Iterator[Piece]:
    rest = [cell]
    found: list[Piece] = []
    for value, condition in tree.cases:
        undecided: list[Cell] = []
        for part in rest:
            for inner, holds in _decided(condition, part):
                if holds:
                    found += _split(value, inner)
                else:
                    undecided.append(inner)
        rest = undecided
    if tree.otherwise is None and rest:
        raise InvalidParameterError(
            f"the expression is not defined at p = {rest[0].sample()}: no condition of piecewise holds there; "
            "give a last value without a condition"
        )
    for part in rest:
        found += _split(tree.otherwise, part) if tree.otherwise is not None else ()
    yield from sorted(found, key=lambda piece: (piece[0].low, piece[0].high))


def _decided(condition: tuple[Comparison, ...], cell: Cell) -> Iterator[tuple[Cell, bool]]:
    if not condition:
        yield cell, True
        return
    first = condition[0]
    for part, difference in _split(Operation("-", first.left, first.right), cell):
        if not isinstance(difference, Rational):
            raise UnsupportedProblemError(
                f"a condition of piecewise cannot be decided exactly: received {first}; compare rational expressions"
            )
        for inner, sign in sign_cells(difference, part):
            holds = sign < 0 if first.sign == "<" else sign <= 0 if first.sign == "<=" else sign > 0
            if first.sign == ">=":
                holds = sign >= 0
            if holds:
                yield from _decided(condition[1:], inner)
            else:
                yield inner, False


def sign_cells(function: Rational, cell: Cell) -> Iterator[tuple[Cell, int]]:
    """Cut a cell at the zeros of a function without poles in it, and give the sign on each part."""
    if cell.is_point or function.above == 0:
        yield cell, 0 if function.above == 0 else function.sign(cell.low)
        return
    low = cell.low
    for root in polynomial_roots(function.above, cell.low, cell.high):
        between = Cell(low, root)
        yield between, function.sign(between.sample())
        yield Cell(root, root), 0
        low = root
    last = Cell(low, cell.high)
    yield last, function.sign(last.sample())


def _constant(leaf: Leaf) -> Fraction | None:
    if not isinstance(leaf, Rational) or leaf.above.degree() > 0 or leaf.below.degree() > 0:
        return None
    value = leaf.above[0]
    return Fraction(int(value.p), int(value.q))


def over_prior(leaf: Leaf) -> Leaf | None:
    """Return ``leaf / p`` where p divides the expression as it is written, else ``None``."""
    if isinstance(leaf, Rational):
        if leaf.above == 0 or leaf.above[0] != 0:
            return None
        return Rational(leaf.above // fmpq_poly([0, 1]), leaf.below)
    divided = [over_prior(part) for part in leaf.parts]
    if leaf.name in ("+", "-", "min", "max"):
        parts = tuple(part for part in divided if part is not None)
        return Composite(leaf.name, parts) if len(parts) == len(divided) else None
    if leaf.name == "*" and divided[0] is None and divided[1] is not None:
        return Composite("*", (leaf.parts[0], divided[1]))
    if leaf.name in ("*", "/") and divided[0] is not None:
        return Composite(leaf.name, (divided[0], leaf.parts[1]))
    return None
