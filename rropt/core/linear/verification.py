"""Exact verification of optimality and infeasibility, from the program and the proof alone.

The checks do not depend on the method that found the solution. They use only integers and fractions. Each check needs
O(nonzeros) products, whose cost depends on the lengths of the numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rropt.core.exact.display import both_texts
from rropt.core.exact.numbers import whole_numbers
from rropt.core.linear.programs import LinearProgram, Row
from rropt.core.linear.rational_vectors import RationalVector
from rropt.core.results import Result


@dataclass(frozen=True, slots=True)
class Failure(Result):
    """The first violated condition: its name, the row or variable, and the amount of the violation."""

    condition: str
    label: str
    amount: Fraction

    def __str__(self) -> str:
        return f"{self.condition} fails at {self.label!r} by {both_texts(self.amount)}"


def verify_optimal(program: LinearProgram, primal: Sequence[Fraction], dual: Sequence[Fraction]) -> Failure | None:
    """Check that x and y prove each other optimal; return `None` if they do, else the first violated condition.

    Conditions, for `minimise`: x satisfies every row and sign; y_i >= 0 on `>=`, y_i <= 0 on `<=`, any on `=`;
    `c - A^T y` is >= 0 on nonnegative variables and 0 on free ones; `b . y = c . x`.
    For `maximise` the signs of y and of `c - A^T y` are reversed.

    Proof. Let x' be any feasible point. The signs of y give `y . (A x') >= y . b`, those of `c - A^T y` give
    `c . x' >= (A^T y) . x' = y . (A x')`. So `c . x' >= b . y = c . x`, and x is feasible. (Reverse for `maximise`.)

    Args:
        program: the program.
        primal: x, shape `(n,)`.
        dual: y, shape `(m,)`.

    Source: Dantzig; e.g. Schrijver, Theory of linear and integer programming (1986), section 7.4.
    """
    sign = program.direction
    x, y = RationalVector.of(primal), RationalVector.of(dual)

    def failures() -> Iterator[Failure]:
        yield from _wrong_length("primal", x, program.variables)
        yield from _wrong_length("dual", y, program.rows)
        yield from _feasibility(program, x)
        yield from _row_signs(program.rows, y, sign)
        yield from _reduced_costs(program, y, sign, with_costs=True)
        gap = program.objective(x) - _against_rhs(program, y)
        if gap:
            yield Failure("c . x = b . y", "objective", gap)

    return next(failures(), None)


def verify_infeasible(program: LinearProgram, farkas: Sequence[Fraction]) -> Failure | None:
    """Check that y proves that a program is infeasible; return `None` if it does, else the first violated condition.

    Conditions, for both senses: y_i >= 0 on `>=`, y_i <= 0 on `<=`, any on `=`; `A^T y` is <= 0 on nonnegative
    variables and 0 on free ones; `b . y > 0`.

    Proof. A feasible x would satisfy `0 >= (A^T y) . x = y . (A x) >= b . y > 0`, a contradiction.

    Args:
        program: the program.
        farkas: y, shape `(m,)`.

    Source: Farkas (1902).
    """
    y = RationalVector.of(farkas)

    def failures() -> Iterator[Failure]:
        yield from _wrong_length("Farkas vector", y, program.rows)
        yield from _row_signs(program.rows, y, 1)
        yield from _reduced_costs(program, y, 1, with_costs=False)
        total = _against_rhs(program, y)
        if total <= 0:
            yield Failure("b . y > 0", "the right-hand sides", total)

    return next(failures(), None)


def _wrong_length(name: str, vector: RationalVector, places: Sequence[object]) -> Iterator[Failure]:
    if len(vector) != len(places):
        yield Failure(f"the length of the {name}", name, Fraction(len(vector) - len(places)))


def _feasibility(program: LinearProgram, x: RationalVector) -> Iterator[Failure]:
    for variable, value in zip(program.variables, x.numerators, strict=True):
        if value < 0 and variable.sign == "nonnegative":
            yield Failure("x >= 0", variable.label, Fraction(value, x.denominator))
    for row in program.rows:
        (rhs, *entries), common = whole_numbers([row.rhs, *row.values])
        excess = -rhs * x.denominator  # a . x - b times common * D
        for j, entry in zip(row.columns, entries, strict=True):
            excess += entry * x.numerators[j]
        if (excess < 0 and row.relation != "<=") or (excess > 0 and row.relation != ">="):
            yield Failure(f"a . x {row.relation} b", row.label, Fraction(excess, common * x.denominator))


def _row_signs(rows: Sequence[Row], y: RationalVector, sign: int) -> Iterator[Failure]:
    for row, value in zip(rows, y.numerators, strict=True):
        if (row.relation == ">=" and sign * value < 0) or (row.relation == "<=" and sign * value > 0):
            yield Failure(f"the sign of the multiplier on {row.relation}", row.label, Fraction(value, y.denominator))


def _reduced_costs(program: LinearProgram, y: RationalVector, sign: int, *, with_costs: bool) -> Iterator[Failure]:
    """Yield the variables where `sign * (c - A^T y)` is negative, or nonzero if free; without costs, c = 0."""
    used = [(row, multiplier) for row, multiplier in zip(program.rows, y.numerators, strict=True) if multiplier]
    common = [variable.cost.denominator if with_costs else 1 for variable in program.variables]
    for row, _ in used:
        for j, entry in zip(row.columns, row.values, strict=True):
            if common[j] % entry.denominator:
                common[j] = math.lcm(common[j], entry.denominator)
    reduced = [
        variable.cost.numerator * (scale // variable.cost.denominator) * y.denominator if with_costs else 0
        for variable, scale in zip(program.variables, common, strict=True)
    ]
    for row, multiplier in used:
        for j, entry in zip(row.columns, row.values, strict=True):
            reduced[j] -= entry.numerator * (common[j] // entry.denominator) * multiplier
    name = "the sign of c - A^T y" if with_costs else "the sign of -A^T y"
    for variable, value, scale in zip(program.variables, reduced, common, strict=True):
        if sign * value < 0 or (value and variable.sign == "free"):
            yield Failure(name, variable.label, Fraction(value, scale * y.denominator))


def _against_rhs(program: LinearProgram, y: RationalVector) -> Fraction:
    products = (row.rhs * value for row, value in zip(program.rows, y.numerators, strict=True) if row.rhs and value)
    return sum(products, Fraction(0)) / y.denominator
