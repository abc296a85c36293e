"""Exact designs of k rays without delta: the rays alone fix the weights, and with them the mechanism and the dual.

The weights solve ``sum theta r = 1``, and alpha the k equations ``alpha.r = phi(r)``. Where the inequality holds on the
other rays too, the design is optimal, and at a rational level its value is exact. For variances the interior-point
method proposes the rays. For sums over outputs it is the simplex method in floats, from k-ary randomized response, or
from the basis of HiGHS where the region has other rays; a ray that violates the exact inequality enters, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from rropt.designs.certificates.rays import RayDual
from rropt.designs.engine.rays import Fan
from rropt.designs.engine.rounding import lifted_vertex
from rropt.mechanisms import Mechanism
from rropt.mechanisms.left_inverse import flint_matrix, fractions_of
from rropt.objectives.ray_form import RayForm

if TYPE_CHECKING:
    from rropt.objectives.criteria import Array

MOST_INPUTS = 12  # the numbers of a vertex grow with each category, and with them the time of the check
ENCLOSED = Fraction(1, 10**24)  # what enclosed logarithms may lift the dual of an optimum by
_MOVED, _FEASIBLE = 1e-7, 1e-10  # of the right side, so that no vertex is degenerate; errors that HiGHS may leave
_PIVOTS, _TIGHT = 10_000, 1e-12  # some k 2^(k/2) pivots are made; reduced costs and steps that are 0


class Vertex(NamedTuple):
    """A design of k rays.

    Attributes:
        mechanism: the mechanism at the level below.
        dual: at the level above; it holds on every ray.
        is_tight: whether alpha is that of the k equations: then the design is optimal.
        violated: the place of a ray that violates the inequality of that alpha most; None if that is impossible.
    """

    mechanism: Mechanism
    dual: RayDual
    is_tight: bool
    violated: int | None


def vertex(fan: Fan, form: RayForm, support: Sequence[int]) -> Vertex | None:
    """Return the design of k rays; None where they are dependent, or a weight would be negative.

    Args:
        fan: rays without conditions.
        form: of sums over outputs, or of sums of variances.
        support: the places of the rays.
    """
    if len(support) != fan.k or fan.conditions or fan.k > MOST_INPUTS or not form.has_vertices:
        return None
    is_one = all(part.below == part.above for part in fan.parts)
    rows = [fan.row(i, "above") for i in support]
    below = weighted(rows if is_one else [fan.row(i, "below") for i in support])
    if below is None:
        return None
    matrix = None
    if not form.is_sum:
        above = below if is_one else weighted(rows)
        if above is None or above.outputs < fan.k:  # fewer rays identify too little
            return None
        matrix = form.vertex_matrix(above)
    values = [form.phi(matrix, row) for row in rows]
    alpha = fractions_of(flint_matrix(rows).solve(flint_matrix([[x] for x in values])))
    dual = RayDual(tuple(x for (x,) in alpha), (), matrix)
    held, violated = lifted_vertex(dual, fan, form, support)
    room = ENCLOSED * (1 + abs(dual.bound())) if form.is_sum and not form.is_rational else 0
    return Vertex(below, held, held.bound() - dual.bound() <= room, violated)


def weighted(rows: Sequence[Sequence[Fraction]]) -> Mechanism | None:
    """Return the mechanism of k rays; None where they are dependent, or a weight would be negative."""
    columns = flint_matrix(list(zip(*rows, strict=True)))
    try:
        theta = fractions_of(columns.solve(flint_matrix([[Fraction(1)]] * len(rows))))
    except ZeroDivisionError:  # they are dependent
        return None
    if min(x for (x,) in theta) < 0:
        return None
    return Mechanism([[x * p for p in row] for (x,), row in zip(theta, rows, strict=True) if x])


class Pivots:
    """The simplex method in floats for the largest sum of values over rays with ``r.scale = 1``.

    Args:
        fan: rays without conditions.
        steps: of all rays, shape (n, k).
        values: phi of them, shape (n,).
    """

    def __init__(self, fan: Fan, steps: Array, values: Array) -> None:
        import numpy as np

        n, k = steps.shape
        apart = steps[:, 1:] - steps[:, :1]
        self.columns = np.column_stack([np.ones(n), apart / (np.abs(apart).max() or 1.0)])
        self.costs = values / (np.abs(values).max() or 1.0)
        self.right = np.eye(k)[0] + _MOVED * (np.sqrt(np.arange(2, k + 2)) % 1)
        self._lengths = np.abs(self.columns).sum(1)
        single = [(1 << j) - 1 for j in range(k - 1, -1, -1)]  # the places of the staircase rows with one large entry
        self.basis = self.ended(single) if fan.is_staircase else _by_highs(self)

    def ended(self, basis: Sequence[int], entering: int | None = None) -> list[int]:
        """Return the basis at which the method ends, from a feasible one, a given ray entering first."""
        import numpy as np

        basis = [*basis]
        for _ in range(_PIVOTS):
            inverse = np.linalg.inv(self.columns[basis])
            if entering is None:
                reduced = (self.costs - self.columns @ (inverse @ self.costs[basis])) / self._lengths
                entering = int(reduced.argmax())
                if reduced[entering] <= _TIGHT:
                    break
            theta, direction = self.right @ inverse, self.columns[entering] @ inverse
            rising = direction > _TIGHT
            if not rising.any():
                break
            lengths = np.where(rising, np.maximum(theta, 0) / np.where(rising, direction, 1), np.inf)
            basis[int(lengths.argmin())] = entering
            entering = None
        return basis


def _by_highs(pivots: Pivots) -> list[int]:
    """Return the basis that HiGHS proposes."""
    import highspy
    import numpy as np

    n, k = pivots.columns.shape
    model = highspy.HighsLp()
    model.num_row_, model.num_col_ = k, n
    model.col_cost_ = -pivots.costs
    model.col_lower_, model.col_upper_ = np.zeros(n), np.full(n, np.inf)
    model.row_lower_ = model.row_upper_ = pivots.right
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = np.arange(n + 1, dtype=np.int32) * k
    model.a_matrix_.index_ = np.tile(np.arange(k, dtype=np.int32), n)
    model.a_matrix_.value_ = pivots.columns.ravel()
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
