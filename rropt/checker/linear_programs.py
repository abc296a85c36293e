"""The statements ``optimal-value`` and ``infeasible``: linear programs, and regions without a point.

The proof is weak duality (linear_programs.md): ``c.x >= (A^T y).x = y.(A x) >= y.b`` for every feasible x.

Each row is scaled to integers by a factor s_i > 0, and its multiplier becomes y_i / s_i. Then x has a common
denominator, and so have y and c. Only sums of products of integers remain; ``matrices.py`` bounds their cost.
"""

from fractions import Fraction
from typing import Any, NamedTuple

from .design_bound import read_bound
from .design_region import INEQUALITIES, has_inequalities, read_region
from .documents import Rejected, WorkBudget, bits_of, fields, items
from .limits import MAX_ENTRIES
from .linear_way import require_by_multipliers
from .matrices import Vector, dot, over_one_denominator, read_numbers, sparse, widest
from .rays_way import Lines

_ROW = 8  # cost of a row besides the operations on its numbers


class _Row(NamedTuple):
    """The row ``sum_k values[k] x[columns[k]]  relation  bound`` in integers: the row of the file times ``scale``."""

    columns: tuple[int, ...]
    values: tuple[int, ...]
    relation: str
    bound: int
    scale: int
    bits: int  # bit length of the longest integer


class _Polyhedron(NamedTuple):
    """The points x that satisfy the rows; those variables that are not free are nonnegative."""

    free: list[bool]
    rows: list[_Row]


def check_optimal_value(problem: Any, claim: Any, proof: Any) -> str:
    """Check a bracket of the least value of ``cost.x``."""
    budget = WorkBudget()
    cost, signs, rows = fields(problem, ["cost", "signs", "rows"], "problem")
    lower, upper, point = fields(claim, ["lower", "upper", "point"], "claim")
    (multipliers,) = fields(proof, ["multipliers"], "proof")
    region = _polyhedron(signs, rows, budget)
    n = len(region.free)
    costs = read_numbers(cost, "cost", budget, n)
    x = over_one_denominator(read_numbers(point, "point", budget, n), budget)
    _require_feasible(region, x, budget)
    y, c = _multipliers(region.rows, multipliers, costs, budget)
    bound = _bound(region, y, c.numerators, budget)
    budget.spend(n, c.bits, x.bits)
    value = dot(c.numerators, x.numerators), c.denominator * x.denominator
    low, high = budget.number(lower, "lower"), budget.number(upper, "upper")
    budget.spend(2, bits_of(low), max(bound.bit_length(), y.bits))
    if low.numerator * y.denominator > bound * low.denominator:
        raise Rejected("lower is above the value of the multipliers")
    budget.spend(2, bits_of(high), widest(value))
    if high.numerator * value[1] < value[0] * high.denominator:
        raise Rejected("upper is below the value of the point")
    return ""


def check_infeasible(problem: Any, claim: Any, proof: Any) -> str:
    """Check that a region has no point: one of rows, or one of mechanisms."""
    budget = WorkBudget()
    fields(claim, [], "claim")
    if isinstance(problem, dict) and "levels" in problem:
        return _check_no_mechanism(problem, proof, budget)
    signs, rows = fields(problem, ["signs", "rows"], "problem")
    (multipliers,) = fields(proof, ["multipliers"], "proof")
    region = _polyhedron(signs, rows, budget)
    y, nothing = _multipliers(region.rows, multipliers, [Fraction(0)] * len(region.free), budget)
    if _bound(region, y, nothing.numerators, budget) <= 0:
        raise Rejected("the multipliers do not sum the bounds to a positive number")
    return ""


def _check_no_mechanism(problem: Any, proof: Any, budget: WorkBudget) -> str:
    """Reject unless ``0 <= g_i`` on all possible rows and B < 0; return the tier of the proof of B of a criterion."""
    inputs, outputs, levels, bounds = fields(problem, ["inputs", "outputs", "levels", "bounds"], "problem")
    names = ["brackets", "alpha", "slopes", "limits", "multipliers", *INEQUALITIES[: has_inequalities(bounds)]]
    brackets, alpha, slopes, limits, multipliers, *more = fields(proof, names, "proof")
    region = read_region(inputs, outputs, levels, bounds, brackets, budget)
    if region.bounds is None or region.outputs is None:
        raise Rejected("without bounds, every mechanism that ignores its input is in the region")
    bound = read_bound(region, alpha, slopes, limits, budget, *more)
    budget.spend_in_bulk(region.inputs * region.outputs, 0, 0)
    nothing = [[Fraction(0)] * region.inputs] * region.outputs
    require_by_multipliers(region, bound, multipliers, Lines(nothing, own=True), budget)
    if bound.value >= 0:
        raise Rejected("the bound of the proof is not negative")
    return region.tier


def _polyhedron(signs: Any, rows: Any, budget: WorkBudget) -> _Polyhedron:
    listed = items(signs, "signs", most=MAX_ENTRIES)
    if any(sign not in ("nonnegative", "free") for sign in listed):
        raise Rejected("a sign is neither nonnegative nor free")
    read = [_row(row, len(listed), budget) for row in items(rows, "rows", most=MAX_ENTRIES)]
    return _Polyhedron([sign == "free" for sign in listed], read)


def _row(data: Any, variables: int, budget: WorkBudget) -> _Row:
    coefficients, relation, bound = fields(data, ["coefficients", "relation", "bound"], "a row")
    if relation not in ("<=", ">=", "="):
        raise Rejected("a relation is none of <=, >=, =")
    budget.spend(_ROW)
    entries = list(sparse(coefficients, variables, "coefficients", budget))
    cleared = over_one_denominator([*(value for _, value in entries), budget.number(bound, "a bound")], budget)
    *numerators, side = cleared.numerators
    return _Row(
        tuple(column for column, _ in entries), tuple(numerators), relation, side, cleared.denominator, cleared.bits
    )


def _multipliers(rows: list[_Row], data: Any, costs: list[Fraction], budget: WorkBudget) -> tuple[Vector, Vector]:
    """Return the multipliers of the scaled rows, and the costs, over a common denominator."""
    dense = [Fraction(0)] * len(rows)
    for i, value in sparse(data, len(rows), "multipliers", budget):
        scale = rows[i].scale
        budget.spend(1, bits_of(value), scale.bit_length())
        dense[i] = value / scale
    both = over_one_denominator([*dense, *costs], budget)
    y, c = both.numerators[: len(rows)], both.numerators[len(rows) :]
    return Vector(y, both.denominator, both.bits), Vector(c, both.denominator, both.bits)


def _require_feasible(region: _Polyhedron, x: Vector, budget: WorkBudget) -> None:
    for j, (value, free) in enumerate(zip(x.numerators, region.free, strict=True)):
        if value < 0 and not free:
            raise Rejected(f"entry {j} of the point is negative")
    for i, row in enumerate(region.rows):
        budget.spend(1 + len(row.columns), row.bits, x.bits)
        excess = dot(row.values, (x.numerators[j] for j in row.columns)) - row.bound * x.denominator
        if (excess < 0 and row.relation != "<=") or (excess > 0 and row.relation != ">="):
            raise Rejected(f"row {i} does not hold at the point")


def _bound(region: _Polyhedron, y: Vector, costs: list[int], budget: WorkBudget) -> int:
    """Return ``b . y`` times the denominator of y; reject unless the signs of y and c - A^T y make it a bound."""
    reduced = list(costs)
    for i, (row, multiplier) in enumerate(zip(region.rows, y.numerators, strict=True)):
        if not multiplier:
            continue
        if multiplier < 0 if row.relation == ">=" else multiplier > 0 and row.relation == "<=":
            raise Rejected(f"the multiplier of row {i} has the wrong sign")
        budget.spend(len(row.columns), row.bits, y.bits)
        for j, value in zip(row.columns, row.values, strict=True):
            reduced[j] -= value * multiplier
    for j, (value, free) in enumerate(zip(reduced, region.free, strict=True)):
        if value < 0 or (value and free):
            raise Rejected(f"the reduced cost of variable {j} is negative, or is not 0 though it is free")
    budget.spend(len(region.rows), max((row.bits for row in region.rows), default=0), y.bits)
    return dot((row.bound for row in region.rows), y.numerators)
