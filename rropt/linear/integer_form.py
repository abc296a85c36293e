"""A linear programme in integers: minimise, rows `>=` or `=` only."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from rropt.linear.integer_matrix import IntegerArray, IntegerMatrix, RationalVector, integer_array
from rropt.linear.programmes import LinearProgramme, Row

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
        """Mask of the free ones among x and s, shape `(n + m,)`."""
        return np.concatenate([self.free, np.zeros(self.matrix.shape[0], dtype=np.bool_)])

    @cached_property
    def is_fixed(self) -> BoolArray:
        """Mask of the ones among x and s that must be 0, shape `(n + m,)`."""
        return np.concatenate([np.zeros(self.matrix.shape[1], dtype=np.bool_), self.equal])

    def original_dual(self, dual: RationalVector, *, homogeneous: bool = False) -> RationalVector:
        """Return the multipliers of the original rows; `homogeneous` for a Farkas vector, which knows no cost."""
        factor = Fraction(1) if homogeneous else 1 / self.cost_scale
        scales = self.row_scales
        common = math.lcm(*(scales[i].denominator for i, value in enumerate(dual.numerators) if value))
        numerators = (
            value and value * factor.numerator * scale.numerator * (common // scale.denominator)
            for value, scale in zip(dual.numerators, scales, strict=True)
        )
        return RationalVector(tuple(numerators), dual.denominator * factor.denominator * common)


def integer_form(programme: LinearProgramme) -> IntegerForm:
    """Clear denominators and common factors row by row, in O(nonzeros)."""
    rows = [_integer_row(row) for row in programme.rows]
    entries = [(row.columns, values) for row, (values, _, _) in zip(programme.rows, rows, strict=True)]
    cost = RationalVector.of(variable.cost for variable in programme.variables)
    sign = 1 if programme.sense == "minimise" else -1
    pairs = zip(cost.numerators, programme.variables, strict=True)
    factor = next((left / variable.cost for left, variable in pairs if left), Fraction(1))
    return IntegerForm(
        IntegerMatrix.from_rows(entries, len(programme.variables)),
        integer_array(right for _, right, _ in rows),
        integer_array(sign * value for value in cost.numerators),
        np.array([row.relation == "=" for row in programme.rows], dtype=np.bool_),
        np.array([variable.sign == "free" for variable in programme.variables], dtype=np.bool_),
        tuple(scale for _, _, scale in rows),
        sign * factor,
    )


def _integer_row(row: Row) -> tuple[list[int], int, Fraction]:
    common = math.lcm(*(value.denominator for value in row.values), row.rhs.denominator)
    sign = -1 if row.relation == "<=" else 1
    entries = [sign * value.numerator * (common // value.denominator) for value in row.values]
    right = sign * row.rhs.numerator * (common // row.rhs.denominator)
    divisor = math.gcd(*entries, right) or 1
    if divisor > 1:
        entries, right = [value // divisor for value in entries], right // divisor
    return entries, right, Fraction(sign * common, divisor)
