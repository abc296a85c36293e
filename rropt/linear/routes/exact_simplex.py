"""The simplex method in exact arithmetic: slow, and always right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from rropt.linear.deadline import Deadline
from rropt.linear.programmes.outcomes import Basis
from rropt.linear.routes.vertex import Vertex, evaluate, nonsingular
from rropt.linear.systems.integer_matrix import IntegerArray, integer_array
from rropt.linear.systems.rational_vector import RationalVector

__all__ = ["Contradiction", "Ray", "exact_simplex"]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A Farkas vector of the integer form."""

    multipliers: RationalVector


@dataclass(frozen=True, slots=True)
class Ray:
    """A feasible point and an unbounded direction from it."""

    point: RationalVector
    direction: RationalVector


def exact_simplex(vertex: Vertex, deadline: Deadline) -> Vertex | Contradiction | Ray:
    """Pivot from a vertex by Bland's rule until it is optimal, or infeasibility or a ray is proved.

    From a dual feasible vertex the dual method runs; from a primal feasible one the primal method. From any other,
    the dual method runs first with the cost 0, for which every vertex is dual feasible: it ends at a feasible vertex
    or a Farkas row. Bland's rule (least index among the candidates, entering and leaving) makes each run finite.
    Indices are those of `Vertex`: x first, then s; whatever is not basic is 0.

    Cost: per pivot one exact evaluation of a vertex and one more solution.

    Source: Bland, New finite pivoting rules for the simplex method (1977).
    """
    vertex = nonsingular(vertex)
    if vertex.is_dual_feasible:
        return _dual(vertex, deadline)
    if not vertex.is_feasible:
        form = vertex.form
        costless = replace(form, cost=np.zeros(form.matrix.shape[1], dtype=object))
        found = _dual(evaluate(costless, vertex.basis), deadline)
        if isinstance(found, Contradiction):
            return found
        vertex = evaluate(form, found.basis)
    return _primal(vertex, deadline)


def _primal(vertex: Vertex, deadline: Deadline) -> Vertex | Ray:
    while (bad := np.flatnonzero(vertex.bad_prices)).size:
        deadline.check()
        entering = int(bad[0])
        direction, change = _edge(vertex, entering)
        form, basic = vertex.form, vertex.basic
        # a basic variable blocks when it falls to 0; an equality (basic at 0) blocks any move
        blocking = basic & ~form.is_free & np.asarray(change < 0, dtype=np.bool_)
        blocking |= basic & form.is_fixed & np.asarray(change != 0, dtype=np.bool_)
        leaving = _least_ratio(np.flatnonzero(blocking), vertex.values, change)
        if leaving is None:
            return Ray(vertex.primal, direction)
        vertex = evaluate(form, _swapped(vertex, leaving, entering))
    return vertex


def _edge(vertex: Vertex, entering: int) -> tuple[RationalVector, IntegerArray]:
    """Return dx, and (dx, ds) times its denominator, when the entering variable moves in its improving sense.

    The active rows stay active: `A[R, B] dx_B = -A[R, q]` for a column q, `= e_r` for the surplus of row r.
    """
    form, n = vertex.form, vertex.form.matrix.shape[1]
    moved = np.zeros(n, dtype=object)
    if entering < n:
        moved[entering] = 1 if vertex.prices[entering] < 0 else -1
        right = -form.matrix.times(moved)[vertex.rows]
    else:
        right = integer_array(int(row == entering - n) for row in vertex.rows.tolist())
    part = vertex.factors.solve(right)
    dx = moved * part.denominator
    dx[vertex.columns] = integer_array(part.numerators)
    return RationalVector(tuple(dx.tolist()), part.denominator), np.concatenate([dx, form.matrix.times(dx)])


def _dual(vertex: Vertex, deadline: Deadline) -> Vertex | Contradiction:
    while (bad := np.flatnonzero(vertex.bad_values)).size:
        deadline.check()
        leaving = int(bad[0])
        multipliers = _tableau_row(vertex, leaving)
        form = vertex.form
        u = integer_array(multipliers.numerators)
        pull = np.concatenate([-form.transpose.times(u), u])
        # the leaving variable is repaired by a nonbasic one that pulls it; a free one may move either way
        helping = ~vertex.basic & ~form.is_fixed & np.asarray(pull < 0, dtype=np.bool_)
        helping |= ~vertex.basic & form.is_free & np.asarray(pull != 0, dtype=np.bool_)
        entering = _least_ratio(np.flatnonzero(helping), vertex.prices, pull)
        if entering is None:
            return Contradiction(multipliers)
        vertex = evaluate(form, _swapped(vertex, leaving, entering))
    return vertex


def _tableau_row(vertex: Vertex, leaving: int) -> RationalVector:
    """Return multipliers u of the rows, `u . b > 0`, that express the leaving variable by the nonbasic ones.

    Column p: `A[R, B]^T w = e_p` and u_R = -w. Surplus of row i: `A[R, B]^T w = A[i, B]^T`, u_R = -w, u_i = 1; with
    the opposite sign for an equality whose surplus is positive. On the basic columns `A^T u` is 0, or -1 at p. So u is
    a Farkas vector unless a nonbasic column has `(A^T u)_j > 0` (free: not 0), or an active inequality u_r < 0.
    """
    form, n = vertex.form, vertex.form.matrix.shape[1]
    sign = -1 if vertex.values[leaving] > 0 else 1
    u = np.zeros(form.matrix.shape[0], dtype=object)
    if leaving < n:
        right = integer_array(int(column == leaving) for column in vertex.columns.tolist())
    else:
        row = np.zeros(n, dtype=object)
        columns, values = form.matrix.row(leaving - n)
        row[columns] = values
        right = row[vertex.columns]
    part = vertex.factors.solve_transposed(right)
    u[vertex.rows] = -sign * integer_array(part.numerators)
    if leaving >= n:
        u[leaving - n] = sign * part.denominator
    return RationalVector(tuple(u.tolist()), part.denominator)


def _least_ratio(candidates: Iterable[int], amounts: IntegerArray, rates: IntegerArray) -> int | None:
    """Return the candidate of least `amount / |rate|`, the least index among ties."""
    best: int | None = None
    for index in candidates:
        if best is None or amounts[index] * abs(rates[best]) < amounts[best] * abs(rates[index]):
            best = int(index)
    return best


def _swapped(vertex: Vertex, leaving: int, entering: int) -> Basis:
    n = vertex.form.matrix.shape[1]
    basic = vertex.basic
    basic[leaving], basic[entering] = False, True
    return Basis(tuple(np.flatnonzero(basic[:n]).tolist()), tuple(np.flatnonzero(~basic[n:]).tolist()))
