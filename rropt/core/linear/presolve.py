"""Reductions of a linear program that improve its numerical accuracy in floating point, with exact inverse maps.

*Implied signs.* A row `x_c - sum of b_j x_j - b_r = s_r >= 0` with nonnegative b_j x_j and b_r >= 0 implies
`x_c >= 0`. The sign constraint `s_r >= 0` therefore replaces `x_c >= 0`, and row r is removed. The new variables are
z_c = s_r and z_j = x_j for the others, so `x = T z + t`. For example, the rows `x >= t` and `x <= g t` with g near 1
are almost parallel in floating point. They become `z >= 0` and `z <= (g - 1) t`.

*Differences.* Equations that differ only in small entries are identical to a floating-point solver. The equations
similar to the first one are replaced by their differences from it.

Both reductions apply to programs in integer form: minimize, with rows `>=` or `=` only.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from rropt.core.exact.numbers import whole_numbers
from rropt.core.linear.integer_matrix import IndexArray, IntegerArray, IntegerMatrix, integer_array
from rropt.core.linear.programs import LinearProgram, Row
from rropt.core.linear.rational_vectors import RationalVector


@dataclass(frozen=True, eq=False)
class Reduction:
    """An integer program and its reduced form; the two are equal if no reduction applies.

    Attributes:
        original: the program in x.
        form: the reduced program in z.
        columns, rows: the substituted columns c and the removed rows r.
        kept: the other rows, in order.
        transform, offset: T and t of `x = T z + t`.
        first: the first equation of the form.
        changed: the equations of the form that were replaced by their differences from `first`.
    """

    original: IntegerForm
    form: IntegerForm
    columns: IndexArray
    rows: IndexArray
    kept: IndexArray
    transform: IntegerMatrix
    offset: IntegerArray
    first: int
    changed: IndexArray

    @classmethod
    def of(cls, original: IntegerForm) -> Reduction:
        """Reduce a program. Cost O(e log e) for e entries."""
        (m, n), matrix = original.matrix.shape, original.matrix
        columns, rows = _implied_signs(original)
        kept = np.setdiff1d(np.arange(m), rows)
        chosen, rest = matrix.rows(rows), matrix.rows(kept)
        signs = np.where(chosen.columns == columns[chosen.row_of_entry], 1, -1).astype(object)
        place = np.arange(n)
        place[columns] = n + np.arange(columns.size)
        transform = IntegerMatrix.identity(n).stacked(replace(chosen, values=chosen.values * signs)).rows(place)
        offset = np.zeros(n, dtype=object)
        offset[columns] = original.rhs[rows]
        form = replace(
            original,
            matrix=rest.product(transform) if columns.size else matrix,
            rhs=original.rhs[kept] - rest.times(offset),
            cost=transform.transpose().times(original.cost),
            equal=original.equal[kept],
            free=original.free & ~np.isin(np.arange(n), columns),
        )
        first, changed = _alike_equations(form)
        form = _with_differences(form, first, changed)
        return cls(original, form, columns, rows, kept, transform, offset, first, changed)

    def point(self, z: RationalVector) -> RationalVector:
        """Map a point z to `x = T z + t`."""
        values = self.transform.times(integer_array(z.numerators)) + self.offset * z.denominator
        return RationalVector(tuple(values.tolist()), z.denominator)

    def multipliers(self, y: RationalVector, *, homogeneous: bool = False) -> RationalVector:
        """Return the multipliers of the original rows; those of the removed rows make the reduced cost of x_c zero.

        Use `homogeneous` for a Farkas vector, which does not depend on the cost.
        """
        values = integer_array(y.numerators)
        if self.changed.size:  # y_i (a_i - a_0) = y_i a_i - y_i a_0
            values[self.first] -= values[self.changed].sum()
        full = np.zeros(self.original.matrix.shape[0], dtype=object)
        full[self.kept] = values
        cost = 0 if homogeneous else self.original.cost * y.denominator
        full[self.rows] = (cost - self.original.transpose.times(full))[self.columns]
        return RationalVector(tuple(full.tolist()), y.denominator)


def _implied_signs(form: IntegerForm) -> tuple[IndexArray, IndexArray]:
    """Choose columns c and rows r to substitute, with little fill-in; no x_j of a chosen row is itself an x_c."""
    (m, n), matrix = form.matrix.shape, form.matrix
    owner = matrix.row_of_entry
    positive = np.asarray(matrix.values > 0, dtype=np.bool_)
    unit = np.asarray(matrix.values == 1, dtype=np.bool_)
    place = np.zeros(m, dtype=np.int64)
    place[owner[unit]] = matrix.columns[unit]
    free = form.free[matrix.columns] & (matrix.columns != place[owner])
    fits = ~form.equal & np.asarray(form.rhs >= 0, dtype=np.bool_)
    for entries, count in ((positive, 1), (unit, 1), (free, 0)):
        fits &= np.bincount(owner[entries], minlength=m) == count
    users = np.bincount(matrix.columns, minlength=n)
    chosen: dict[int, int] = {}
    used: set[int] = set()
    for r in np.flatnonzero(fits).tolist():
        c, row = int(place[r]), matrix.row(r)[0].tolist()
        if (len(row) - 1) * (users[c] - 1) <= len(row) and c not in used and not any(j in chosen for j in row):
            chosen[c] = r
            used.update(row)
    return np.array(list(chosen), dtype=np.int64), np.array(list(chosen.values()), dtype=np.int64)


def _alike_equations(form: IntegerForm) -> tuple[int, IndexArray]:
    """Return the first equation, and those whose difference from it loses at least as many entries as it gains."""
    equations = np.flatnonzero(form.equal)
    if equations.size < 2:
        return 0, equations[:0]
    first, others = int(equations[0]), equations[1:]
    columns, values = form.matrix.row(first)
    model = np.zeros(form.matrix.shape[1], dtype=object)
    model[columns] = values
    rest = form.matrix.rows(others)
    owner, beside = rest.row_of_entry, model[rest.columns]
    common = np.bincount(owner[np.asarray(beside != 0, dtype=np.bool_)], minlength=others.size)
    equal = np.bincount(owner[np.asarray(beside == rest.values, dtype=np.bool_)], minlength=others.size)
    return first, others[(equal > 0) & (len(columns) - common <= equal)]


def _with_differences(form: IntegerForm, first: int, changed: IndexArray) -> IntegerForm:
    if not changed.size:
        return form
    m, alike = form.matrix.shape[0], set(changed.tolist())
    lines = [((first, i), (-1, 1)) if i in alike else ((i,), (1,)) for i in range(m)]
    combination = IntegerMatrix.from_rows(lines, m)
    return replace(form, matrix=combination.product(form.matrix), rhs=combination.times(form.rhs))


BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class IntegerForm:
    """Minimise `c . x` subject to `A x - b = s`, x_j >= 0 unless free, s_i >= 0, or s_i = 0 where `equal`.

    Row i is `row_scales[i]` times the original row (negative for `<=`), the cost is `cost_scale` times the original
    (negative for `maximise`); the variables are the original ones.

    Attributes:
        matrix: A, integers, shape `(m, n)`.
        rhs: b, shape `(m,)`.
        cost: c, shape `(n,)`.
        equal: mask of the equalities, shape `(m,)`.
        free: mask of the free variables, shape `(n,)`.
    """

    matrix: IntegerMatrix
    rhs: IntegerArray
    cost: IntegerArray
    equal: BoolArray
    free: BoolArray
    row_scales: tuple[Fraction, ...] = ()
    cost_scale: Fraction = Fraction(1)

    @cached_property
    def transpose(self) -> IntegerMatrix:
        """A^T."""
        return self.matrix.transpose()

    @cached_property
    def is_free(self) -> BoolArray:
        """Mask of the free variables among x and s, shape `(n + m,)`."""
        return np.concatenate([self.free, np.zeros(self.matrix.shape[0], dtype=np.bool_)])

    @cached_property
    def is_fixed(self) -> BoolArray:
        """Mask of the variables among x and s that must be 0, shape `(n + m,)`."""
        return np.concatenate([np.zeros(self.matrix.shape[1], dtype=np.bool_), self.equal])

    def original_dual(self, dual: RationalVector, *, homogeneous: bool = False) -> RationalVector:
        """Return the multipliers of the original rows; `homogeneous` for a Farkas vector (independent of the cost)."""
        factor = Fraction(1) if homogeneous else 1 / self.cost_scale
        scales = self.row_scales
        common = math.lcm(*(scales[i].denominator for i, value in enumerate(dual.numerators) if value))
        numerators = (
            value and value * factor.numerator * scale.numerator * (common // scale.denominator)
            for value, scale in zip(dual.numerators, scales, strict=True)
        )
        return RationalVector(tuple(numerators), dual.denominator * factor.denominator * common)


def integer_form(program: LinearProgram) -> IntegerForm:
    """Convert a program to integers: clear denominators and common factors row by row, in O(nonzeros)."""
    rows = [_integer_row(row) for row in program.rows]
    entries = [(row.columns, values) for row, (values, _, _) in zip(program.rows, rows, strict=True)]
    cost = RationalVector.of(variable.cost for variable in program.variables)
    sign = program.direction
    pairs = zip(cost.numerators, program.variables, strict=True)
    factor = next((left / variable.cost for left, variable in pairs if left), Fraction(1))
    return IntegerForm(
        IntegerMatrix.from_rows(entries, len(program.variables)),
        integer_array(right for _, right, _ in rows),
        integer_array(sign * value for value in cost.numerators),
        np.array([row.relation == "=" for row in program.rows], dtype=np.bool_),
        np.array([variable.sign == "free" for variable in program.variables], dtype=np.bool_),
        tuple(scale for _, _, scale in rows),
        sign * factor,
    )


def _integer_row(row: Row) -> tuple[list[int], int, Fraction]:
    numerators, common = whole_numbers([*row.values, row.rhs])
    sign, divisor = -1 if row.relation == "<=" else 1, math.gcd(*numerators) or 1
    *entries, right = [sign * value // divisor for value in numerators]
    return entries, right, Fraction(sign * common, divisor)
