"""A basis put to the exact test."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rropt.linear.programmes.outcomes import Basis
from rropt.linear.routes.integer_form import BoolArray, IntegerForm
from rropt.linear.systems.errors import SingularMatrixError
from rropt.linear.systems.factors import Factors, factorise
from rropt.linear.systems.independent_block import independent_block
from rropt.linear.systems.integer_matrix import IndexArray, IntegerArray, integer_array
from rropt.linear.systems.rational_vector import RationalVector

__all__ = ["Vertex", "evaluate", "nonsingular", "repaired"]


@dataclass(frozen=True, slots=True, eq=False)
class Vertex:
    """The basic solution of a basis: exact point and multipliers, and what they violate.

    With R the active rows and B the basic columns, `A[R, B] x_B = b_R`, the other x_j are 0, and
    `A[R, B]^T y_R = c_B`, the other y_i are 0. The vertex is optimal iff nothing is violated, because
    `b . y = b_R . y_R = y_R A[R, B] x_B = c . x` always.

    Index j < n means the variable x_j, index n + i the surplus `s_i = a_i x - b_i`; since
    `c . x = b . y + (c - A^T y) . x + y . s`, the price of x_j is its reduced cost and the price of s_i is y_i.

    Attributes:
        columns, rows: the basis.
        primal, dual: x and y.
        values: x and s times the denominator of x, shape `(n + m,)`.
        prices: `c - A^T y` and y times the denominator of y, shape `(n + m,)`.
    """

    form: IntegerForm
    columns: IndexArray
    rows: IndexArray
    factors: Factors
    primal: RationalVector
    dual: RationalVector
    values: IntegerArray
    prices: IntegerArray

    @property
    def basis(self) -> Basis:
        """The basis as plain numbers."""
        return Basis(tuple(self.columns.tolist()), tuple(self.rows.tolist()))

    @property
    def basic(self) -> BoolArray:
        """Mask of the basic indices: basic columns, and surpluses of rows that are not active."""
        m, n = self.form.matrix.shape
        mask = np.concatenate([np.zeros(n, dtype=np.bool_), np.ones(m, dtype=np.bool_)])
        mask[self.columns] = True
        mask[n + self.rows] = False
        return mask

    @property
    def bad_values(self) -> BoolArray:
        """Mask of the indices whose value is negative though not free, or not 0 though fixed."""
        negative = np.asarray(self.values < 0, dtype=np.bool_) & ~self.form.is_free
        return negative | (self.form.is_fixed & np.asarray(self.values != 0, dtype=np.bool_))

    @property
    def bad_prices(self) -> BoolArray:
        """Mask of the indices whose price is negative though not fixed, or not 0 though free."""
        negative = np.asarray(self.prices < 0, dtype=np.bool_) & ~self.form.is_fixed
        return negative | (self.form.is_free & np.asarray(self.prices != 0, dtype=np.bool_))

    @property
    def is_feasible(self) -> bool:
        """Whether x satisfies all rows and signs."""
        return not self.bad_values.any()

    @property
    def is_dual_feasible(self) -> bool:
        """Whether y and the reduced costs have the right signs."""
        return not self.bad_prices.any()

    @property
    def is_optimal(self) -> bool:
        """Whether x and y prove each other optimal."""
        return self.is_feasible and self.is_dual_feasible


def evaluate(form: IntegerForm, basis: Basis) -> Vertex:
    """Solve for the basic point and multipliers exactly.

    Cost: one factorisation of the basis block, two solutions and two products with the matrix.

    Raises:
        SingularMatrixError: the block is singular or not square.
    """
    rows, columns = np.array(basis.rows, dtype=np.int64), np.array(basis.columns, dtype=np.int64)
    factors = factorise(form.matrix.submatrix(rows, columns))
    primal = _spread(factors.solve(form.rhs[rows]), columns, form.matrix.shape[1])
    dual = _spread(factors.solve_transposed(form.cost[columns]), rows, form.matrix.shape[0])
    x, y = integer_array(primal.numerators), integer_array(dual.numerators)
    surplus = form.matrix.times(x) - form.rhs * primal.denominator
    reduced = form.cost * dual.denominator - form.transpose.times(y)
    values, prices = np.concatenate([x, surplus]), np.concatenate([reduced, y])
    return Vertex(form, columns, rows, factors, primal, dual, values, prices)


def repaired(form: IntegerForm, basis: Basis) -> Vertex:
    """Evaluate the basis, or, when its block is singular, a largest part of it that is not."""
    try:
        return evaluate(form, basis)
    except SingularMatrixError:
        return evaluate(form, _independent(form, basis))


def nonsingular(vertex: Vertex) -> Vertex:
    """Return the vertex if its block is nonsingular, or that of a largest part of it.

    `evaluate` can overlook a singular block for which both of its systems happen to have solutions.
    """
    part = _independent(vertex.form, vertex.basis)
    return vertex if part == vertex.basis else evaluate(vertex.form, part)


def _independent(form: IntegerForm, basis: Basis) -> Basis:
    rows, columns = np.array(basis.rows, dtype=np.int64), np.array(basis.columns, dtype=np.int64)
    kept_rows, kept_columns = independent_block(form.matrix.submatrix(rows, columns))
    return Basis(tuple(columns[kept_columns].tolist()), tuple(rows[kept_rows].tolist()))


def _spread(values: RationalVector, places: IndexArray, length: int) -> RationalVector:
    full = np.zeros(length, dtype=object)
    full[places] = integer_array(values.numerators)
    return RationalVector(tuple(full.tolist()), values.denominator)
