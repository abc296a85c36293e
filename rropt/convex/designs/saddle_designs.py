"""The minimax variance over a polytope of distributions with vertices v (A and c, one level, delta = 0).

Let C be the targets, a_r the estimates for the outputs, and ``b_r = w_r a_r``: minimize ``|y|^2 + t`` subject to
``sum_r q_r (r.v) - 2 y.(C v) <= t`` for every v, ``q_r >= |b_r|^2/w_r``, ``sum_r b_r r^T = C``, ``sum_r w_r r = 1``.

*Proof.* The variance of the fixed estimator at pi is ``E|a|^2 - |C pi|^2 = min_y E|a - y|^2``, where ``E|a - y|^2 = sum
q_r (r.pi) - 2 y.(C pi) + |y|^2`` is linear in pi and convex in (w, b, y). So the maximum over pi and the minimum over y
may be exchanged, and the maximum of a linear function over a polytope is at a vertex.

The numbers cancel less if estimates are measured from the mean m of all C v: ``y = m + d`` and ``b'_r = b_r - w_r m``,
so that ``sum_r b'_r r^T = C - m 1^T``, and the conditions are ``sum_r q_r (r.v) - 2 d.(C v - m) <= t``.
"""

from __future__ import annotations

from typing import Any

import cvxpy as cp
import numpy as np

from rropt.convex.objectives.goal import Goal
from rropt.convex.regions import Array, Rows


def goal(C: Array, rows: Rows, vertices: Array) -> Goal:
    """Return the minimax variance as a goal over weights of rows.

    Args:
        C: the targets, one in each row.
        rows: the rows.
        vertices: the vertices of the polytope, one in each row.
    """
    n, size = len(rows), len(C)
    ends = vertices @ C.T
    middle = ends.mean(0)
    w, q = rows.weights, cp.Variable(n, nonneg=True, name="squares")
    b, d, t = cp.Variable((n, size), name="estimates"), cp.Variable(size, name="centre"), cp.Variable(name="worst")
    listed: Any = rows.of(lambda r: r.T, rows.limits.k, n, name="rows")
    chances = rows.of(lambda r: vertices @ r.T, len(vertices), n, name="chances")
    curved = cp.SOC(q + w, cp.hstack([2 * b, cp.reshape(q - w, (n, 1), order="C")]), axis=1)
    conditions = (
        listed @ b == (C - np.outer(middle, np.ones(C.shape[1]))).T,
        curved,
        chances @ q - 2 * ((ends - middle) @ d) <= t,
    )
    return Goal(cp.sum_squares(d) + t, 1.0, 0.0, conditions)
