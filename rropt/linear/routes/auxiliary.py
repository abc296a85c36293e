"""Two programmes that always have an optimum, and whose optimum decides about another programme."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rropt.linear.programmes.outcomes import Basis
from rropt.linear.routes.integer_form import IntegerForm
from rropt.linear.routes.vertex import Vertex
from rropt.linear.systems.integer_matrix import IntegerArray, IntegerMatrix, integer_array

__all__ = ["elastic_form", "inelastic_basis", "recession_form"]


def elastic_form(form: IntegerForm) -> IntegerForm:
    """Return the programme of least violation: minimise `sum e_i` subject to `A x + W e >= b` and so on, e >= 0.

    Each row may be missed by w_i e_i, w_i a power of two near its largest entry (an equality on both sides). The
    programme is feasible and bounded by 0. Its optimum is 0 iff the rows can be satisfied; otherwise its dual y has
    `A^T y <= 0` (= 0 on free variables), the signs of the rows, and `b . y > 0`: a Farkas vector, w_i |y_i| <= 1.
    """
    m, n = form.matrix.shape
    weights = _row_sizes(form.matrix)
    both = np.concatenate([np.arange(m), np.flatnonzero(form.equal)])
    matrix = form.matrix.with_units(both, np.concatenate([weights, -weights[form.equal]]))
    cost = np.concatenate([np.zeros(n, dtype=object), integer_array([1] * len(both))])
    free = np.concatenate([form.free, np.zeros(len(both), dtype=np.bool_)])
    return replace(form, matrix=matrix, cost=cost, free=free)


def inelastic_basis(form: IntegerForm, vertex: Vertex) -> Basis:
    """Return the basis of the same point without the elastic columns, from an elastic vertex of violation 0.

    A basic elastic column has its entry in an active row; dropping both leaves a nonsingular block.
    """
    m, n = form.matrix.shape
    owner = np.concatenate([np.arange(m), np.flatnonzero(form.equal)])
    dropped = owner[vertex.columns[vertex.columns >= n] - n]
    kept = np.setdiff1d(vertex.rows, dropped)
    return Basis(tuple(vertex.columns[vertex.columns < n].tolist()), tuple(kept.tolist()))


def recession_form(form: IntegerForm) -> IntegerForm:
    """Return the programme of steepest descent in a box: minimise `c . d`, `A d >= 0` (= 0), `d <= 1`, free `d >= -1`.

    0 is feasible and the box bounds it. Its optimum is negative iff the programme has an improving ray.
    """
    (m, n), matrix = form.matrix.shape, form.matrix
    free = np.flatnonzero(form.free)
    sides = n + len(free)
    box = IntegerMatrix(
        (m + sides, n),
        np.concatenate([matrix.starts, matrix.starts[-1] + 1 + np.arange(sides)]),
        np.concatenate([matrix.columns, np.arange(n), free]),
        np.concatenate([matrix.values, integer_array([-1] * n + [1] * len(free))]),
    )
    rhs = integer_array([0] * m + [-1] * sides)
    return replace(form, matrix=box, rhs=rhs, equal=np.concatenate([form.equal, np.zeros(sides, dtype=np.bool_)]))


def _row_sizes(matrix: IntegerMatrix) -> IntegerArray:
    sizes = integer_array([1] * matrix.shape[0])
    filled = np.flatnonzero(np.diff(matrix.starts))
    if filled.size:
        largest = np.maximum.reduceat(np.abs(matrix.values), matrix.starts[filled])
        sizes[filled] = integer_array(1 << (value.bit_length() - 1) for value in largest.tolist())
    return sizes
