"""Extrema taken outermost: ``min(f, g) + c = min(f + c, g + c)``, and so in all that is monotone in them.

The operands of an outermost minimum or maximum are judged one by one; of one inside a sum little is known where its
operands cross. The sign of a factor is read off its form, or proved by cells.
"""

from __future__ import annotations

from rropt.privacy.parity_bounds.cell_searches import UnprovedError
from rropt.privacy.parity_bounds.covers import find_cover
from rropt.privacy.parity_bounds.documents import defined_problem
from rropt.privacy.parity_bounds.functions import Cell, Composite, Leaf, Rational, constant_value, sign_cells
from rropt.privacy.parity_bounds.rewrites import applied, combined, power_of

_OTHER = {"min": "max", "max": "min"}
_OPERANDS = 16  # of an extremum after it was taken out: sums of n extrema have 2^n


def outermost(leaf: Leaf, cell: Cell) -> Leaf:
    """Return the same function with its extrema taken out, as far as the rest is seen to be monotone in them."""
    if isinstance(leaf, Rational):
        return leaf
    parts = [outermost(part, cell) for part in leaf.parts]
    if leaf.name in _OTHER:
        return parts[0] if parts[0] == parts[1] else Composite(leaf.name, tuple(parts))
    for i, part in enumerate(parts):
        if isinstance(part, Composite) and part.name in _OTHER and sum(map(_operands, parts)) <= _OPERANDS:
            direction = _direction(leaf.name, parts, i, cell)
            if direction:
                inner = [_operation(leaf.name, [*parts[:i], each, *parts[i + 1 :]], cell) for each in part.parts]
                if not all(isinstance(each, Rational) for each in inner):  # these were compared when cells were cut
                    name = part.name if direction > 0 else _OTHER[part.name]
                    return Composite(name, tuple(outermost(each, cell) for each in inner))
    return _operation(leaf.name, parts, cell)


def _operation(name: str, parts: list[Leaf], cell: Cell) -> Leaf:
    if len(parts) == 1:
        return applied(name, parts[0], cell)
    if name != "^":
        return combined(name, parts[0], parts[1], cell)
    plain, exponent = Composite(name, (parts[0], parts[1])), constant_value(parts[1])
    return plain if exponent is None or isinstance(parts[0], Rational) else power_of(parts[0], exponent, plain, cell)


def _direction(name: str, parts: list[Leaf], i: int, cell: Cell) -> int:
    """Return 1 or -1 where an operation rises or falls with its i-th part, 0: neither is seen."""
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
    # a root or logarithm of each operand has to be defined where that of the extremum is
    operands = parts[0].parts if isinstance(parts[0], Composite) else ()
    is_safe = parts[0].name == "min" if isinstance(parts[0], Composite) else False
    return int(is_safe or (name != "log" and all(_sign(operand, cell) > 0 for operand in operands)))


def _operands(leaf: Leaf) -> int:
    return sum(map(_operands, leaf.parts)) if isinstance(leaf, Composite) and leaf.name in _OTHER else 1


def _sign(leaf: Leaf, cell: Cell) -> int:
    """Return 1 or -1 where a function is >= 0 or <= 0 on a cell, 0: neither is seen."""
    if isinstance(leaf, Rational):
        signs = {sign for _, sign in sign_cells(leaf, cell)}
        return 1 if min(signs) >= 0 else -1 if max(signs) <= 0 else 0
    if leaf.name in ("exp", "sqrt"):
        return 1
    try:
        find_cover(defined_problem(leaf, cell, factor="1"), ())
    except UnprovedError:
        return 0
    return 1
