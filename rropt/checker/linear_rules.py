"""Linear programs: a point and a dual that prove each other optimal, or a Farkas vector (FORMAT.md, rules 3 and 4).

    minimise    y_i >= 0 on >=, <= 0 on <=;   c - A^T y >= 0, and = 0 on free variables;   c.x = b.y,  x feasible
    infeasible  the same signs;                -A^T y >= 0, and = 0 on free variables;      b.y > 0

The proof is weak duality: c.x' >= (A^T y).x' = y.(A x') >= y.b for every feasible x'. For a maximization the signs of y
and of c - A^T y are reversed.

Each row is scaled to integers by a factor s_i > 0, and its multiplier becomes y_i / s_i. Then x has a common
denominator, and so have y and c. Only sums of products of integers remain; ``matrices.py`` bounds their cost.
``design_rules.py`` rebuilds the linear program of a design problem from its region.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, NamedTuple

from .design_rules import check_design, check_infeasible_design
from .documents import Budget, Rejected, bits_of, fields, items, of_kind
from .limits import MAX_ENTRIES
from .matrices import Vector, over_one_denominator, require_sum, sparse

_ROW = 8  # cost of a row besides the operations on its numbers


class _Row(NamedTuple):
    """The row ``sum_k values[k] x[columns[k]]  relation  bound`` in integers: the row of the file times ``scale``."""

    columns: tuple[int, ...]
    values: tuple[int, ...]
    relation: str
    bound: int
    scale: int
    bits: int  # bit length of the longest integer


class _Program(NamedTuple):
    maximise: bool
    costs: list[Fraction]
    free: list[bool]
    rows: list[_Row]


def check_linear_program(problem: Any, claim: Any, witness: Any) -> str:
    """Check a claim of kind optimal-value, or of kind design-bracket if the problem is a design problem."""
    budget = Budget()
    if _is_design(problem):
        return check_design(problem, claim, witness, budget)
    program = _program(problem, budget)
    lower, upper, point = of_kind(claim, "optimal-value", ["lower", "upper", "point"], "claim")
    _, dual = fields(witness, ["rule", "dual"], "witness")
    value = budget.number(lower, "lower")
    if budget.number(upper, "upper") != value:
        raise Rejected("lower and upper differ")
    entries = items(point, "point", count=len(program.costs))
    x = over_one_denominator([budget.number(text, "an entry of the point") for text in entries], budget)
    _require_feasible(program, x, budget)
    y, costs = _multipliers(program.rows, dual, program.costs, "dual", budget)
    sign = -1 if program.maximise else 1
    _require_dual(program, y, costs.numerators, sign, budget)
    budget.spend(len(costs.numerators), costs.bits, x.bits)
    earned = _dot(costs.numerators, x.numerators), costs.denominator * x.denominator
    require_sum([earned], value, "the objective at the point is not the claimed value", budget)
    bound = _against_bounds(program.rows, y, budget), y.denominator
    require_sum([bound], value, "the value of the dual is not the claimed value", budget)
    return ""


def check_farkas(problem: Any, claim: Any, witness: Any) -> str:
    """Check a claim of kind infeasible."""
    budget = Budget()
    of_kind(claim, "infeasible", [], "claim")
    if _is_design(problem):
        return check_infeasible_design(problem, witness, budget)
    program = _program(problem, budget)
    _, multipliers = fields(witness, ["rule", "multipliers"], "witness")
    y, nothing = _multipliers(program.rows, multipliers, [Fraction(0)] * len(program.free), "multipliers", budget)
    _require_dual(program, y, nothing.numerators, 1, budget)
    if _against_bounds(program.rows, y, budget) <= 0:
        raise Rejected("the multipliers do not sum the bounds to a positive number")
    return ""


def _is_design(problem: Any) -> bool:
    return isinstance(problem, dict) and "kind" not in problem


def _program(problem: Any, budget: Budget) -> _Program:
    sense, cost, signs, rows = of_kind(problem, "linear-programme", ["sense", "cost", "signs", "rows"], "problem")
    if sense not in ("minimise", "maximise"):
        raise Rejected("sense is neither minimise nor maximise")
    costs = [budget.number(text, "a cost") for text in items(cost, "cost", most=MAX_ENTRIES)]
    if any(sign not in ("nonnegative", "free") for sign in items(signs, "signs", count=len(costs))):
        raise Rejected("a sign is neither nonnegative nor free")
    read = [_row(row, len(costs), budget) for row in items(rows, "rows", most=MAX_ENTRIES)]
    return _Program(sense == "maximise", costs, [sign == "free" for sign in signs], read)


def _row(data: Any, variables: int, budget: Budget) -> _Row:
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


def _multipliers(
    rows: list[_Row], data: Any, costs: list[Fraction], where: str, budget: Budget
) -> tuple[Vector, Vector]:
    """Return the multipliers of the scaled rows, and the costs, over a common denominator."""
    dense = [Fraction(0)] * len(rows)
    for i, value in sparse(data, len(rows), where, budget):
        scale = rows[i].scale
        budget.spend(1, bits_of(value), scale.bit_length())
        dense[i] = value / scale
    both = over_one_denominator([*dense, *costs], budget)
    y, c = both.numerators[: len(rows)], both.numerators[len(rows) :]
    return Vector(y, both.denominator, both.bits), Vector(c, both.denominator, both.bits)


def _require_feasible(program: _Program, x: Vector, budget: Budget) -> None:
    for j, (value, free) in enumerate(zip(x.numerators, program.free, strict=True)):
        if value < 0 and not free:
            raise Rejected(f"entry {j} of the point is negative")
    for i, row in enumerate(program.rows):
        budget.spend(1 + len(row.columns), row.bits, x.bits)
        excess = _dot(row.values, (x.numerators[j] for j in row.columns)) - row.bound * x.denominator
        if (excess < 0 and row.relation != "<=") or (excess > 0 and row.relation != ">="):
            raise Rejected(f"row {i} does not hold at the point")


def _require_dual(program: _Program, y: Vector, costs: list[int], sign: int, budget: Budget) -> None:
    """Reject unless ``sign`` times y and c - A^T y have the signs that bound the objective."""
    reduced = list(costs)
    for i, (row, multiplier) in enumerate(zip(program.rows, y.numerators, strict=True)):
        if not multiplier:
            continue
        if sign * multiplier < 0 if row.relation == ">=" else sign * multiplier > 0 and row.relation == "<=":
            raise Rejected(f"the multiplier of row {i} has the wrong sign")
        budget.spend(len(row.columns), row.bits, y.bits)
        for j, value in zip(row.columns, row.values, strict=True):
            reduced[j] -= value * multiplier
    for j, (value, free) in enumerate(zip(reduced, program.free, strict=True)):
        if value and (free or sign * value < 0):
            raise Rejected(f"the reduced cost of variable {j} has the wrong sign, or is not 0 though it is free")


def _against_bounds(rows: list[_Row], y: Vector, budget: Budget) -> int:
    """Return b . y times the denominator of y."""
    budget.spend(len(rows), max((row.bits for row in rows), default=0), y.bits)
    return _dot((row.bound for row in rows), y.numerators)


def _dot(left: Iterable[int], right: Iterable[int]) -> int:
    return sum(a * b for a, b in zip(left, right, strict=True))
