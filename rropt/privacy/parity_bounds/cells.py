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

from flint import fmpq_poly

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
    simplest_between,
)
from rropt.privacy.parity_bounds.entropies import with_entropy
from rropt.privacy.parity_bounds.leaves import Composite, Leaf, Rational, constant_value

__all__ = ["Cell", "Composite", "Leaf", "Rational", "branches", "elementary", "sign_cells", "split"]

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
            yield part, elementary(tree.name, argument)
    elif isinstance(tree, Extremum):
        yield from _extremum(tree, cell)
    else:
        yield from _branches(tree, cell)


def _operation(sign: str, left: Leaf, right: Leaf, cell: Cell) -> Leaf:
    if sign == "/" and isinstance(right, Rational) and (zeros := _zeros(right, cell)):
        raise InvalidParameterError(
            f"the expression divides by zero inside (0, 1): at p = {zeros[0]}; give a function defined for 0 < p < 1"
        )
    if isinstance(left, Rational) and isinstance(right, Rational):
        return left.combined(sign, right)
    return (with_entropy(left, right) if sign == "*" else None) or Composite(sign, (left, right))


def _zeros(function: Rational, cell: Cell) -> list[Algebraic]:
    """Return the zeros in the cell; of the zero function a sample."""
    if cell.is_point:
        return [cell.low] if function.above == 0 or polynomial_sign(function.above, cell.low) == 0 else []
    return [cell.sample()] if function.above == 0 else polynomial_roots(function.above, cell.low, cell.high)


def _power(tree: Power, cell: Cell) -> Iterator[Piece]:
    for part, base in _split(tree.base, cell):
        for inner, exponent in _split(tree.exponent, part):
            constant = constant_value(exponent)
            if isinstance(base, Rational) and constant is not None and constant.denominator == 1:
                if constant < 0:
                    _operation("/", Rational.constant(Fraction(1)), base, inner)  # refuses a zero of the base
                yield inner, base.power(int(constant))
            else:
                yield inner, Composite("^", (base, exponent))


def elementary(name: str, argument: Leaf) -> Leaf:
    """Return ``sqrt``, ``exp`` or ``log`` of a function, a number where it is a rational one."""
    constant = constant_value(argument)
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


def branches(leaf: Leaf) -> list[Leaf]:
    """Return functions whose minimum is the leaf, as far as it is written as one: of ``1 - max`` too."""
    if isinstance(leaf, Composite) and leaf.name == "min":
        return [branch for part in leaf.parts for branch in branches(part)]
    if isinstance(leaf, Composite) and leaf.name == "-":
        whole, less = leaf.parts
        if isinstance(less, Composite) and less.name == "max":
            return [branch for part in less.parts for branch in branches(_difference(whole, part))]
    return [leaf]


def _difference(whole: Leaf, part: Leaf) -> Leaf:
    if isinstance(whole, Rational) and isinstance(part, Rational):
        return whole.combined("-", part)
    return Composite("-", (whole, part))
