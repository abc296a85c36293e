"""Cells of (0, 1) on each of which a criterion's function is one rational function or one smooth expression.

A cell is an open interval between two algebraic numbers, or a single point. ``min``, ``max`` and ``piecewise`` are
resolved if the compared expressions are rational: (0, 1) is split at the real roots of their difference. Division by a
rational function with a zero in the cell is rejected. A branch that is not reached is never examined.

Extrema are moved outwards: ``min(f, g) + c = min(f + c, g + c)``, and likewise for every operation that is monotone in
them. The operands of an outermost minimum or maximum can be examined one by one. For an extremum inside a sum, little
is known near the points where its operands cross. The sign of a factor is read off its form or proved by cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from operator import ge, gt, le, lt

from rropt.checker.limits import MAX_WORK
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.core.exact.algebraic_numbers import Algebraic
from rropt.privacy.bound.cell_searches import UnprovedError
from rropt.privacy.bound.covers import defined_problem, find_cover
from rropt.privacy.bound.functions import (
    MAX_PIECE_DEGREE,
    ONE,
    PRIOR,
    Cell,
    Composite,
    Leaf,
    Rational,
    constant_value,
    sign_cells,
    zeros,
)
from rropt.privacy.bound.rewrites import applied_function, combined, fractional_power, is_positive, power_of
from rropt.privacy.criteria.expressions import (
    Call,
    Expression,
    Extremum,
    Inequality,
    Number,
    Operation,
    Piecewise,
    Power,
    Prior,
)

_MAX_ENCLOSED_EXPONENT = 10_000  # largest exponent of a power that exceeds the degree of exact pieces; cells enclose it

_UNIT = (Algebraic.of(0), Algebraic.of(1))


Piece = tuple[Cell, Leaf]


def split(tree: Expression) -> list[Piece]:
    """Return the cells of (0, 1) in ascending order, each with its function; equal neighbours are merged.

    Raises:
        InvalidParameterError: division by zero inside (0, 1), a function that is undefined somewhere, or too high a
            degree.
        UnsupportedProblemError: a condition compares expressions that are not rational.
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
        yield cell, PRIOR
    elif isinstance(tree, Operation):
        for part, left in _split(tree.left, cell):
            for inner, right in _split(tree.right, part):
                yield inner, _operation(tree.sign, left, right, inner)
    elif isinstance(tree, Power):
        yield from _power(tree, cell)
    elif isinstance(tree, Call):
        for part, argument in _split(tree.argument, cell):
            if tree.name == "sqrt" and isinstance(argument, Rational):
                yield from fractional_power(argument, Fraction(1, 2), part, Composite("sqrt", (argument,)))
            else:
                yield part, applied_function(tree.name, argument, part)
    elif isinstance(tree, Extremum):
        yield from _extremum(tree, cell)
    else:
        yield from _branches(tree, cell)


def _operation(sign: str, left: Leaf, right: Leaf, cell: Cell) -> Leaf:
    if sign == "/" and isinstance(right, Rational) and (found := zeros(right, cell)):
        raise InvalidParameterError(
            f"the expression divides by zero inside (0, 1): at p = {found[0]}; give a function defined for 0 < p < 1"
        )
    return combined(sign, left, right, cell)


def _power(tree: Power, cell: Cell) -> Iterator[Piece]:
    for part, base in _split(tree.base, cell):
        for inner, exponent in _split(tree.exponent, part):
            constant = constant_value(exponent)
            if constant is None and is_positive(base, inner) is not False:  # a^b = exp(b log a)
                yield (
                    inner,
                    applied_function(
                        "exp", combined("*", exponent, applied_function("log", base, inner), inner), inner
                    ),
                )
            elif isinstance(base, Rational) and constant is not None and _is_high(base, constant):
                yield inner, Composite("^", (base, exponent))
            elif isinstance(base, Rational) and constant is not None and constant.denominator == 1:
                if constant < 0:
                    _operation("/", ONE, base, inner)  # rejects a zero of the base
                yield inner, base.power(int(constant))
            elif isinstance(base, Rational) and constant is not None:
                yield from fractional_power(base, constant, inner, Composite("^", (base, exponent)))
            elif isinstance(base, Composite) and constant is not None:
                yield inner, power_of(base, constant, Composite("^", (base, exponent)), inner)
            else:
                yield inner, Composite("^", (base, exponent))


def _is_high(base: Rational, exponent: Fraction) -> bool:
    """Return whether an integer power has too high a degree for exact pieces, but not for intervals."""
    degree = max(base.above.degree(), base.below.degree())
    high = degree > 0 and exponent * degree > MAX_PIECE_DEGREE
    return bool(high and exponent.denominator == 1 and exponent <= _MAX_ENCLOSED_EXPONENT)


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
    if left == right:
        yield cell, left
        return
    if not (isinstance(left, Rational) and isinstance(right, Rational)):
        yield cell, Composite(name, (left, right))
        return
    for part, sign in sign_cells(left.combined("-", right), cell):
        yield part, left if (sign <= 0) == (name == "min") else right


def _branches(tree: Piecewise, cell: Cell) -> Iterator[Piece]:
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


def _decided(condition: tuple[Inequality, ...], cell: Cell) -> Iterator[tuple[Cell, bool]]:
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
            if _HOLDS[first.sign](sign, 0):
                yield from _decided(condition[1:], inner)
            else:
                yield inner, False


_HOLDS = {"<": lt, "<=": le, ">": gt, ">=": ge}
_OTHER = {"min": "max", "max": "min"}
_SIGN_WORK = MAX_WORK // 4  # of the checker, for a sign: about half a second
_OPERANDS = 16  # largest number of operands of an extremum after it was moved out: sums of n extrema have 2^n


def outermost(leaf: Leaf, cell: Cell) -> Leaf:
    """Return the same function with its extrema moved out, as far as the rest is known to be monotone in them."""
    if isinstance(leaf, Rational):
        return leaf
    parts = [outermost(part, cell) for part in leaf.parts]
    if leaf.name in _OTHER:
        return parts[0] if parts[0] == parts[1] else Composite(leaf.name, tuple(parts))
    for i, part in enumerate(parts):
        if isinstance(part, Composite) and part.name in _OTHER and sum(map(_operands, parts)) <= _OPERANDS:
            direction = _direction(leaf.name, parts, i, cell)
            if direction:
                inner = [_applied(leaf.name, [*parts[:i], each, *parts[i + 1 :]], cell) for each in part.parts]
                if not all(isinstance(each, Rational) for each in inner):  # these were compared when the cells were cut
                    name = part.name if direction > 0 else _OTHER[part.name]
                    return Composite(name, tuple(outermost(each, cell) for each in inner))
    return _applied(leaf.name, parts, cell)


def _applied(name: str, parts: list[Leaf], cell: Cell) -> Leaf:
    if len(parts) == 1:
        return applied_function(name, parts[0], cell)
    if name != "^":
        return combined(name, parts[0], parts[1], cell)
    plain, exponent = Composite(name, (parts[0], parts[1])), constant_value(parts[1])
    return plain if exponent is None or isinstance(parts[0], Rational) else power_of(parts[0], exponent, plain, cell)


def _direction(name: str, parts: list[Leaf], i: int, cell: Cell) -> int:
    """Return 1 or -1 if an operation is known to increase or decrease in its i-th part, else 0."""
    if name in ("+", "exp"):
        return 1
    if name == "-":
        return -1 if i else 1
    if name == "*" or (name == "/" and i == 0):
        return _sign(parts[1 - i], cell)
    if name == "/" or i:
        return 0
    exponent = constant_value(parts[1]) if name == "^" else None
    if exponent is not None and (exponent < 0 or (exponent.denominator == 1 and exponent % 2 == 0)):
        return 0
    if exponent is not None and exponent.denominator == 1:
        return 1
    # a root or logarithm of each operand has to be defined wherever that of the extremum is defined
    operands = parts[0].parts if isinstance(parts[0], Composite) else ()
    is_safe = parts[0].name == "min" if isinstance(parts[0], Composite) else False
    return int(is_safe or (name != "log" and all(_sign(operand, cell) > 0 for operand in operands)))


def _operands(leaf: Leaf) -> int:
    return sum(map(_operands, leaf.parts)) if isinstance(leaf, Composite) and leaf.name in _OTHER else 1


def _sign(leaf: Leaf, cell: Cell) -> int:
    """Return 1 or -1 if a function is known to be >= 0 or <= 0 on a cell, else 0."""
    if isinstance(leaf, Rational):
        signs = {sign for _, sign in sign_cells(leaf, cell)}
        return 1 if min(signs) >= 0 else -1 if max(signs) <= 0 else 0
    if leaf.name in ("exp", "sqrt"):
        return 1
    try:
        find_cover(defined_problem(leaf, cell, factor="1"), (), work=_SIGN_WORK)
    except UnprovedError:
        return 0
    return 1
