"""Linear programmes: a point and a dual that prove each other optimal, or a Farkas vector (FORMAT.md, rules 3 and 4).

    minimise    y_i >= 0 on >=, <= 0 on <=;   c - A^T y >= 0, and = 0 on free variables;   c.x = b.y,  x feasible
    infeasible  the same signs;                -A^T y >= 0, and = 0 on free variables;      b.y > 0

since c.x' >= (A^T y).x' = y.(A x') >= y.b for every feasible x'. Maximising reverses the signs of y and of c - A^T y.
Each row is scaled to integers once, by s_i > 0, and its multiplier becomes y_i / s_i; then x stands over one
denominator, y and c over another, and all that is left are sums of products of integers. Every operation is paid
for beforehand, by the lengths of its numbers, out of ``MAX_PROGRAMME_WORK``.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from .documents import Rejected, fields, fraction, items
from .limits import MAX_MATRIX_ENTRIES, MAX_PROGRAMME_WORK

_WORD = 512  # bits below which a product counts once
_WORD_CHARACTERS = 308  # of a fraction whose numerator and denominator have that many bits
_ROW = 8  # operations that a row costs besides those on its numbers
_SIGNS = {"nonnegative": False, "free": True}


class _Work:
    """What may still be computed; one unit is at most about two microseconds."""

    def __init__(self) -> None:
        self.left = MAX_PROGRAMME_WORK

    def spend(self, count: int, bits: int = 0, other_bits: int = 0) -> None:
        """Pay for ``count`` operations on two numbers of these lengths, or reject."""
        self.left -= count * (1 + bits // _WORD) * (1 + other_bits // _WORD)
        if self.left < 0:
            raise Rejected("the programme is too large to be checked")

    def number(self, text: Any, where: str) -> Fraction:
        """Read a number: its greatest common divisor costs the square of its length."""
        length = len(text) // _WORD_CHARACTERS * _WORD if isinstance(text, str) else 0
        self.spend(1, length, length)
        return fraction(text, where)


class _Row(NamedTuple):
    """The row ``sum_k values[k] x[columns[k]]  relation  bound``, in integers: the row of the file times ``scale``."""

    columns: tuple[int, ...]
    values: tuple[int, ...]
    relation: str
    bound: int
    scale: int
    bits: int  # length of the longest integer


@dataclass(frozen=True)
class _Programme:
    maximise: bool
    costs: list[Fraction]
    free: list[bool]
    rows: list[_Row]


class _Vector(NamedTuple):
    """The rational vector ``numerators / denominator``, ``denominator`` > 0."""

    numerators: list[int]
    denominator: int
    bits: int  # length of the longest integer


def check_linear_programme(problem: Any, claim: Any, witness: Any) -> None:
    """Decide a claim of kind optimal-value."""
    work = _Work()
    programme = _programme(problem, work)
    kind, lower, upper, point = fields(claim, ["kind", "lower", "upper", "point"], "claim")
    if kind != "optimal-value":
        raise Rejected("the claim is not of kind optimal-value")
    _, dual = fields(witness, ["rule", "dual"], "witness")
    value = work.number(lower, "lower")
    if work.number(upper, "upper") != value:
        raise Rejected("lower and upper differ")
    entries = items(point, "point", count=len(programme.costs))
    x = _over_one_denominator([work.number(text, "an entry of the point") for text in entries], "the point", work)
    _require_feasible(programme, x, work)
    y, costs = _multipliers(programme.rows, dual, programme.costs, "dual", work)
    sign = -1 if programme.maximise else 1
    _require_dual(programme, y, costs.numerators, sign, work)
    work.spend(len(costs.numerators), costs.bits, x.bits)
    earned = sum(c * value for c, value in zip(costs.numerators, x.numerators, strict=True))
    _require_value(earned, costs.denominator * x.denominator, value, "the objective at the point", work)
    _require_value(_against_bounds(programme.rows, y, work), y.denominator, value, "the value of the dual", work)


def check_farkas(problem: Any, claim: Any, witness: Any) -> None:
    """Decide a claim of kind infeasible."""
    work = _Work()
    programme = _programme(problem, work)
    if fields(claim, ["kind"], "claim") != ["infeasible"]:
        raise Rejected("the claim is not of kind infeasible")
    _, multipliers = fields(witness, ["rule", "multipliers"], "witness")
    y, nothing = _multipliers(programme.rows, multipliers, [Fraction(0)] * len(programme.free), "multipliers", work)
    _require_dual(programme, y, nothing.numerators, 1, work)
    if _against_bounds(programme.rows, y, work) <= 0:
        raise Rejected("the multipliers do not sum the bounds to a positive number")


def _programme(problem: Any, work: _Work) -> _Programme:
    if isinstance(problem, dict) and "kind" not in problem:
        raise Rejected(
            "the problem is a design problem: for these rules this checker knows the kind linear-programme only"
        )
    kind, sense, cost, signs, rows = fields(problem, ["kind", "sense", "cost", "signs", "rows"], "problem")
    if kind != "linear-programme":
        raise Rejected("the problem is not of kind linear-programme")
    if sense not in ("minimise", "maximise"):
        raise Rejected("sense is neither minimise nor maximise")
    costs = [work.number(text, "a cost") for text in items(cost, "cost", most=MAX_MATRIX_ENTRIES)]
    free = [_SIGNS.get(sign) if isinstance(sign, str) else None for sign in items(signs, "signs", count=len(costs))]
    if None in free:
        raise Rejected("a sign is neither nonnegative nor free")
    places = _places(len(costs))
    read = [_row(row, places, work) for row in items(rows, "rows", most=MAX_MATRIX_ENTRIES)]
    return _Programme(sense == "maximise", costs, [bool(each) for each in free], read)


def _places(count: int) -> dict[str, int]:
    """Return the indices below ``count`` by the only string that writes each."""
    return {str(index): index for index in range(count)}


def _row(data: Any, places: dict[str, int], work: _Work) -> _Row:
    coefficients, relation, bound = fields(data, ["coefficients", "relation", "bound"], "a row")
    if relation not in ("<=", ">=", "="):
        raise Rejected("a relation is none of <=, >=, =")
    work.spend(_ROW)
    columns, values = _sparse(coefficients, places, "coefficients", work)
    cleared = _over_one_denominator([*values, work.number(bound, "a bound")], "a row", work)
    *numerators, side = cleared.numerators
    return _Row(tuple(columns), tuple(numerators), relation, side, cleared.denominator, cleared.bits)


def _sparse(data: Any, places: dict[str, int], where: str, work: _Work) -> tuple[list[int], list[Fraction]]:
    """Return the indices, ascending, and the values, none of them zero, of a list of pairs [index, value]."""
    indices: list[int] = []
    values: list[Fraction] = []
    last = -1
    for entry in items(data, where, most=MAX_MATRIX_ENTRIES):
        name, text = items(entry, f"an entry of {where}", count=2)
        index = places.get(name) if isinstance(name, str) else None
        if index is None:
            raise Rejected(f"an index of {where} is not one of the {len(places)} there are")
        if index <= last:
            raise Rejected(f"the indices of {where} do not ascend")
        value = work.number(text, f"an entry of {where}")
        if not value:
            raise Rejected(f"{where} has a zero value")
        indices.append(index)
        values.append(value)
        last = index
    return indices, values


def _over_one_denominator(entries: list[Fraction], where: str, work: _Work) -> _Vector:
    scale = 1
    for denominator in {entry.denominator for entry in entries}:
        work.spend(1, scale.bit_length(), denominator.bit_length())
        scale = lcm(scale, denominator)
    longest = max((_bits(entry) for entry in entries), default=0)
    work.spend(len(entries) if scale > 1 else 0, scale.bit_length(), longest)
    numerators = [entry.numerator * (scale // entry.denominator) for entry in entries]
    return _Vector(numerators, scale, max((abs(each).bit_length() for each in (*numerators, scale)), default=0))


def _bits(number: Fraction) -> int:
    return max(number.numerator.bit_length(), number.denominator.bit_length())


def _multipliers(
    rows: list[_Row], data: Any, costs: list[Fraction], where: str, work: _Work
) -> tuple[_Vector, _Vector]:
    """Return the multipliers of the scaled rows, and the costs, over one denominator."""
    places, values = _sparse(data, _places(len(rows)), where, work)
    dense = [Fraction(0)] * len(rows)
    for i, value in zip(places, values, strict=True):
        scale = rows[i].scale
        work.spend(1, _bits(value), scale.bit_length())
        dense[i] = value / scale
    both = _over_one_denominator([*dense, *costs], where, work)
    y, c = both.numerators[: len(rows)], both.numerators[len(rows) :]
    return _Vector(y, both.denominator, both.bits), _Vector(c, both.denominator, both.bits)


def _require_feasible(programme: _Programme, x: _Vector, work: _Work) -> None:
    for j, (value, free) in enumerate(zip(x.numerators, programme.free, strict=True)):
        if value < 0 and not free:
            raise Rejected(f"entry {j} of the point is negative")
    for i, row in enumerate(programme.rows):
        work.spend(1 + len(row.columns), row.bits, x.bits)
        excess = _dot(row.values, (x.numerators[j] for j in row.columns)) - row.bound * x.denominator
        if (excess < 0 and row.relation != "<=") or (excess > 0 and row.relation != ">="):
            raise Rejected(f"row {i} does not hold at the point")


def _require_dual(programme: _Programme, y: _Vector, costs: list[int], sign: int, work: _Work) -> None:
    """Reject unless ``sign`` times y and c - A^T y have the signs that bound the objective."""
    reduced = list(costs)
    for i, (row, multiplier) in enumerate(zip(programme.rows, y.numerators, strict=True)):
        if not multiplier:
            continue
        if sign * multiplier < 0 if row.relation == ">=" else sign * multiplier > 0 and row.relation == "<=":
            raise Rejected(f"the multiplier of row {i} has the wrong sign")
        work.spend(len(row.columns), row.bits, y.bits)
        for j, value in zip(row.columns, row.values, strict=True):
            reduced[j] -= value * multiplier
    for j, (value, free) in enumerate(zip(reduced, programme.free, strict=True)):
        if value and (free or sign * value < 0):
            raise Rejected(f"the reduced cost of variable {j} has the wrong sign, or is not 0 though it is free")


def _against_bounds(rows: list[_Row], y: _Vector, work: _Work) -> int:
    """Return b . y times the denominator of y."""
    work.spend(len(rows), max((row.bits for row in rows), default=0), y.bits)
    return _dot((row.bound for row in rows), y.numerators)


def _require_value(numerator: int, denominator: int, value: Fraction, what: str, work: _Work) -> None:
    work.spend(2, _bits(value), max(numerator.bit_length(), denominator.bit_length()))
    if value.numerator * denominator != numerator * value.denominator:
        raise Rejected(f"{what} is not the claimed value")


def _dot(left: Iterable[int], right: Iterable[int]) -> int:
    return sum(a * b for a, b in zip(left, right, strict=True))
