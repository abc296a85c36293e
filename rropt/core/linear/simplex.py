"""Exact tests of bases, and the simplex method in exact arithmetic, which is slow but always correct."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from rropt.core.linear.integer_matrix import IndexArray, IntegerArray, integer_array
from rropt.core.linear.presolve import BoolArray, IntegerForm
from rropt.core.linear.programs import Basis, Infeasible, NoOptimumError
from rropt.core.linear.rational_vectors import RationalVector
from rropt.core.linear.square_systems import Factors, SingularMatrixError, independent_block


@dataclass(frozen=True, slots=True, eq=False)
class BasicSolution:
    """The basic solution of a basis: the exact point and multipliers, and their violations.

    Let R be the active rows and B the basic columns. Then `A[R, B] x_B = b_R` and the other x_j are 0;
    `A[R, B]^T y_R = c_B` and the other y_i are 0. The solution is optimal iff no condition is violated, because
    `b . y = b_R . y_R = y_R A[R, B] x_B = c . x` always holds.

    Index j < n denotes the variable x_j, and index n + i the surplus `s_i = a_i x - b_i`. Since
    `c . x = b . y + (c - A^T y) . x + y . s`, the price of x_j is its reduced cost, and the price of s_i is y_i.

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
        """The basis as tuples of integers."""
        return Basis(tuple(self.columns.tolist()), tuple(self.rows.tolist()))

    @property
    def basic(self) -> BoolArray:
        """Mask of the basic indices: basic columns, and surpluses of inactive rows."""
        m, n = self.form.matrix.shape
        mask = np.concatenate([np.zeros(n, dtype=np.bool_), np.ones(m, dtype=np.bool_)])
        mask[self.columns] = True
        mask[n + self.rows] = False
        return mask

    @property
    def bad_values(self) -> BoolArray:
        """Mask of violated values: negative and not free, or nonzero and fixed."""
        negative = np.asarray(self.values < 0, dtype=np.bool_) & ~self.form.is_free
        return negative | (self.form.is_fixed & np.asarray(self.values != 0, dtype=np.bool_))

    @property
    def bad_prices(self) -> BoolArray:
        """Mask of violated prices: negative and not fixed, or nonzero and free."""
        negative = np.asarray(self.prices < 0, dtype=np.bool_) & ~self.form.is_fixed
        return negative | (self.form.is_free & np.asarray(self.prices != 0, dtype=np.bool_))

    @property
    def is_optimal(self) -> bool:
        """Whether x and y prove each other optimal."""
        return not (self.bad_values | self.bad_prices).any()


def evaluate(form: IntegerForm, basis: Basis) -> BasicSolution:
    """Solve for the basic point and multipliers exactly.

    Cost: one factorization of the basis block, two solutions and two products with the matrix.

    Raises:
        SingularMatrixError: the block is singular or not square.
    """
    rows, columns = np.array(basis.rows, dtype=np.int64), np.array(basis.columns, dtype=np.int64)
    factors = Factors(form.matrix.submatrix(rows, columns))
    primal = _spread(factors.solve(form.rhs[rows]), columns, form.matrix.shape[1])
    dual = _spread(factors.solve(form.cost[columns], transposed=True), rows, form.matrix.shape[0])
    x, y = integer_array(primal.numerators), integer_array(dual.numerators)
    surplus = form.matrix.times(x) - form.rhs * primal.denominator
    reduced = form.cost * dual.denominator - form.transpose.times(y)
    values, prices = np.concatenate([x, surplus]), np.concatenate([reduced, y])
    return BasicSolution(form, columns, rows, factors, primal, dual, values, prices)


def repaired(form: IntegerForm, basis: Basis) -> BasicSolution:
    """Evaluate the basis; if its block is singular, evaluate a maximal nonsingular part of it."""
    try:
        return evaluate(form, basis)
    except SingularMatrixError:
        return evaluate(form, _independent(form, basis))


def _independent(form: IntegerForm, basis: Basis) -> Basis:
    rows, columns = np.array(basis.rows, dtype=np.int64), np.array(basis.columns, dtype=np.int64)
    kept_rows, kept_columns = independent_block(form.matrix.submatrix(rows, columns))
    return Basis(tuple(columns[kept_columns].tolist()), tuple(rows[kept_rows].tolist()))


def _spread(values: RationalVector, places: IndexArray, length: int) -> RationalVector:
    full = np.zeros(length, dtype=object)
    full[places] = integer_array(values.numerators)
    return RationalVector(tuple(full.tolist()), values.denominator)


def exact_simplex(solution: BasicSolution) -> BasicSolution | Infeasible:
    """Pivot from a solution by Bland's rule until it is optimal, or infeasibility is proved.

    1. If the solution is dual feasible, run the dual simplex method.
    2. If it is primal feasible, run the primal simplex method.
    3. Otherwise, change the cost so that the solution is dual feasible, as little as its multipliers allow. Run the
       dual method with that cost. It ends at a feasible solution, usually near an optimal one, or proves
       infeasibility. Then run the primal method with the original cost.

    Bland's rule (smallest index among the candidates, entering and leaving) makes each run finite. Indices are those of
    `BasicSolution`: x first, then s; nonbasic variables are 0.

    Cost: per pivot, one exact evaluation of a basis and one more exact solution of a system.

    Raises:
        NoOptimumError: an edge on which the objective improves has no end.

    Source: Bland, New finite pivoting rules for the simplex method (1977).
    """
    # `evaluate` can miss a singular block if both of its systems happen to have solutions
    part = _independent(solution.form, solution.basis)
    solution = solution if part == solution.basis else evaluate(solution.form, part)
    if not solution.bad_prices.any():
        return _dual(solution)
    if solution.bad_values.any():
        form = solution.form
        found = _dual(evaluate(replace(form, cost=_shifted_cost(solution)), solution.basis))
        if isinstance(found, Infeasible):
            return found
        solution = evaluate(form, found.basis)
    return _primal(solution)


def _shifted_cost(solution: BasicSolution) -> IntegerArray:
    """Return the cost for which the violated prices become 0 and the others stay, scaled by the denominator of y."""
    form, n = solution.form, solution.form.matrix.shape[1]
    prices = np.where(solution.bad_prices, 0, solution.prices)
    cost: IntegerArray = prices[:n] + form.transpose.times(prices[n:])
    return cost


def _primal(solution: BasicSolution) -> BasicSolution:
    while (bad := np.flatnonzero(solution.bad_prices)).size:
        entering = int(bad[0])
        change = _edge(solution, entering)
        form, basic = solution.form, solution.basic
        # a basic variable blocks when it decreases to 0; an equality (basic at 0) blocks any move
        blocking = basic & ~form.is_free & np.asarray(change < 0, dtype=np.bool_)
        blocking |= basic & form.is_fixed & np.asarray(change != 0, dtype=np.bool_)
        leaving = _least_ratio(np.flatnonzero(blocking), solution.values, change)
        if leaving is None:
            raise NoOptimumError(
                "the linear program has no optimum: its objective improves without bound; bound it by a row and solve "
                "again"
            )
        solution = evaluate(form, _swapped(solution, leaving, entering))
    return solution


def _edge(solution: BasicSolution, entering: int) -> IntegerArray:
    """Return a positive multiple of (dx, ds) for a move of the entering variable in its improving direction.

    The active rows stay active: `A[R, B] dx_B = -A[R, q]` for a column q, `= e_r` for the surplus of row r.
    """
    form, n = solution.form, solution.form.matrix.shape[1]
    moved = np.zeros(n, dtype=object)
    if entering < n:
        moved[entering] = 1 if solution.prices[entering] < 0 else -1
        right = -form.matrix.times(moved)[solution.rows]
    else:
        right = integer_array(int(row == entering - n) for row in solution.rows.tolist())
    part = solution.factors.solve(right)
    dx = moved * part.denominator
    dx[solution.columns] = integer_array(part.numerators)
    return np.concatenate([dx, form.matrix.times(dx)])


def _dual(solution: BasicSolution) -> BasicSolution | Infeasible:
    while (bad := np.flatnonzero(solution.bad_values)).size:
        leaving = int(bad[0])
        multipliers = _tableau_row(solution, leaving)
        form = solution.form
        u = integer_array(multipliers.numerators)
        pull = np.concatenate([-form.transpose.times(u), u])
        # a nonbasic variable may enter if it repairs the leaving one; a free one may move in either direction
        helping = ~solution.basic & ~form.is_fixed & np.asarray(pull < 0, dtype=np.bool_)
        helping |= ~solution.basic & form.is_free & np.asarray(pull != 0, dtype=np.bool_)
        entering = _least_ratio(np.flatnonzero(helping), solution.prices, pull)
        if entering is None:
            return Infeasible(multipliers)
        solution = evaluate(form, _swapped(solution, leaving, entering))
    return solution


def _tableau_row(solution: BasicSolution, leaving: int) -> RationalVector:
    """Return multipliers u of the rows, `u . b > 0`, that express the leaving variable by the nonbasic ones.

    For column p: `A[R, B]^T w = e_p` and u_R = -w. For the surplus of row i: `A[R, B]^T w = A[i, B]^T`, u_R = -w and
    u_i = 1, or the opposite signs for an equality whose surplus is positive. On the basic columns, `A^T u` is 0, or -1
    at p. So u is a Farkas vector unless a nonbasic column has `(A^T u)_j > 0` (if free: nonzero), or an active
    inequality has u_r < 0.
    """
    form, n = solution.form, solution.form.matrix.shape[1]
    sign = -1 if solution.values[leaving] > 0 else 1
    u = np.zeros(form.matrix.shape[0], dtype=object)
    if leaving < n:
        right = integer_array(int(column == leaving) for column in solution.columns.tolist())
    else:
        row = np.zeros(n, dtype=object)
        columns, values = form.matrix.row(leaving - n)
        row[columns] = values
        right = row[solution.columns]
    part = solution.factors.solve(right, transposed=True)
    u[solution.rows] = -sign * integer_array(part.numerators)
    if leaving >= n:
        u[leaving - n] = sign * part.denominator
    return RationalVector(tuple(u.tolist()), part.denominator)


def _least_ratio(candidates: Iterable[int], amounts: IntegerArray, rates: IntegerArray) -> int | None:
    """Return the candidate with the smallest `amount / |rate|`; among ties, the one with the smallest index."""
    best: int | None = None
    for index in candidates:
        if best is None or amounts[index] * abs(rates[best]) < amounts[best] * abs(rates[index]):
            best = int(index)
    return best


def _swapped(solution: BasicSolution, leaving: int, entering: int) -> Basis:
    n = solution.form.matrix.shape[1]
    basic = solution.basic
    basic[leaving], basic[entering] = False, True
    return Basis(tuple(np.flatnonzero(basic[:n]).tolist()), tuple(np.flatnonzero(~basic[n:]).tolist()))
