"""Exact designs of k rays without delta: the rays alone fix the weights, and with them the mechanism and the dual.

The weights solve ``sum theta r = 1``, and alpha the k equations ``alpha.r = phi(r)``. Where the inequality holds on the
other rays too, the design is optimal, and at a rational level its value is exact. For sums over outputs HiGHS proposes
the rays, for variances the interior-point method.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from rropt.designs.certificates.rays import RayDual
from rropt.designs.engine.rays import Fan, Side
from rropt.designs.engine.rounding import lifted
from rropt.mechanisms import Mechanism
from rropt.mechanisms.left_inverse import flint_matrix, fractions_of
from rropt.objectives.ray_form import RayForm

if TYPE_CHECKING:
    from rropt.objectives.criteria import Array

MOST_INPUTS = 12  # the numbers of a vertex grow with each category, and with them the time of the check
ENCLOSED = Fraction(1, 10**24)  # what enclosed logarithms may lift the dual of an optimum by
_MOVED, _FEASIBLE = 1e-7, 1e-10  # of the right side, so that no vertex is degenerate; errors that HiGHS may leave


class Vertex(NamedTuple):
    """A design of k rays.

    Attributes:
        mechanism: at the level below.
        dual: at the level above; it holds on every ray.
        is_tight: whether alpha is that of the k equations: then the design is optimal.
    """

    mechanism: Mechanism
    dual: RayDual
    is_tight: bool


def vertex(fan: Fan, form: RayForm, support: Sequence[int]) -> Vertex | None:
    """Return the design of k rays; None where they are dependent, or a weight would be negative.

    Args:
        fan: rays without conditions.
        form: of sums over outputs, or of sums of variances.
        support: the places of the rays.
    """
    if len(support) != fan.k or fan.conditions or fan.k > MOST_INPUTS or not form.has_vertices:
        return None
    below = weighted(fan, support, "below")
    above = below if all(part.below == part.above for part in fan.parts) else weighted(fan, support, "above")
    if below is None or above is None:
        return None
    rows = [fan.row(i, "above") for i in support]
    matrix = form.vertex_matrix(above)
    values = [form.phi(matrix, row) for row in rows]
    alpha = fractions_of(flint_matrix(rows).solve(flint_matrix([[x] for x in values])))
    dual = RayDual(tuple(x for (x,) in alpha), (), matrix)
    held = lifted(dual, fan, form)
    room = ENCLOSED * (1 + abs(dual.bound())) if form.is_sum and not form.is_rational else 0
    return Vertex(below, held, held.bound() - dual.bound() <= room)


def weighted(fan: Fan, support: Sequence[int], side: Side) -> Mechanism | None:
    """Return the mechanism of rays at the levels of a side."""
    rows = [fan.row(i, side) for i in support]
    columns = flint_matrix(list(zip(*rows, strict=True)))
    try:
        theta = fractions_of(columns.solve(flint_matrix([[Fraction(1)]] * fan.k)))
    except ZeroDivisionError:  # they are dependent
        return None
    if min(x for (x,) in theta) < 0:
        return None
    return Mechanism([[x * p for p in row] for (x,), row in zip(theta, rows, strict=True) if x])


def proposed(steps: Array, values: Array) -> list[int]:
    """Return the places of the rays that HiGHS proposes for the largest sum of values.

    Args:
        steps: of all rays, shape (n, k).
        values: phi of rays with ``r.scale = 1``, shape (n,).
    """
    import highspy
    import numpy as np

    n, k = steps.shape
    apart = steps[:, 1:] - steps[:, :1]
    columns = np.column_stack([np.ones(n), apart / (np.abs(apart).max() or 1.0)])
    right = np.eye(k)[0] + _MOVED * (np.sqrt(np.arange(2, k + 2)) % 1)
    model = highspy.HighsLp()
    model.num_row_, model.num_col_ = k, n
    model.col_cost_ = -values / (np.abs(values).max() or 1.0)
    model.col_lower_, model.col_upper_ = np.zeros(n), np.full(n, np.inf)
    model.row_lower_ = model.row_upper_ = right
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = np.arange(n + 1, dtype=np.int32) * k
    model.a_matrix_.index_ = np.tile(np.arange(k, dtype=np.int32), n)
    model.a_matrix_.value_ = columns.ravel()
    solver = highspy.Highs()
    solver.silent()
    options = {"threads": 1, "presolve": "off", "solver": "simplex"}
    options |= dict.fromkeys(("primal_feasibility_tolerance", "dual_feasibility_tolerance"), _FEASIBLE)
    for name, value in options.items():
        solver.setOptionValue(name, value)
    solver.passModel(model)
    solver.run()
    is_basic = [status == highspy.HighsBasisStatus.kBasic for status in solver.getBasis().col_status]
    return [i for i, basic in enumerate(is_basic) if basic]
