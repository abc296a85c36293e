"""Compute exact designs from k linearly independent rays, for delta = 0.

The k rays determine the mechanism and the dual. The weights solve ``sum theta r = 1``, and alpha solves the k equations
``alpha.r = phi(r)``. If the dual inequality also holds on all other rays, the design is optimal. At a rational level
its value is then exact.

For variances, the interior-point method proposes the rays. For sums over outputs, the simplex method in floats proposes
them. It starts from k-ary randomized response if the rays are the staircase rows, and otherwise from the basis that the
solver HiGHS returns. If a ray violates the exact inequality, the simplex method continues with this ray.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from rropt.core.lazy import numpy as np
from rropt.designs.certificates.design_bracket import RayDual
from rropt.designs.engine.rays import Fan
from rropt.designs.engine.rounding import lifted_vertex
from rropt.mechanisms import Mechanism
from rropt.mechanisms.left_inverse import flint_matrix, fractions_of
from rropt.objectives.ray_form import RayForm

if TYPE_CHECKING:
    from rropt.objectives.criteria import Array

MOST_INPUTS = 12  # the digits of a vertex, and with them the time of the check, grow with k
ENCLOSED = Fraction(1, 10**24)  # largest relative lift of an optimal dual that enclosures of logarithms may cause
_MOVED, _FEASIBLE = 1e-7, 1e-10  # perturbation of the right-hand side against degeneracy; tolerance of HiGHS
_PIVOTS, _TIGHT = 10_000, 1e-12  # about k 2^(k/2) pivots are needed; tolerance for reduced costs and steps


class Vertex(NamedTuple):
    """A design that k rays determine.

    Attributes:
        mechanism: the mechanism at the level below.
        dual: a dual at the level above that is valid on every ray.
        is_tight: whether the solution alpha of the k equations is valid on every ray; then the design is optimal.
        violated: the index of the ray at which the solution of the k equations is violated most, or None.
    """

    mechanism: Mechanism
    dual: RayDual
    is_tight: bool
    violated: int | None


def vertex(fan: Fan, form: RayForm, support: Sequence[int]) -> Vertex | None:
    """Return the design that k rays determine, or None if they are dependent or a weight is negative.

    Args:
        fan: the rays of a region with delta = 0.
        form: the objective, a sum over outputs or a sum of variances.
        support: the indices of the rays.
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
        if above is None or above.outputs < fan.k:  # fewer rays do not identify all proportions
            return None
        matrix = form.vertex_matrix(above)
    values = [form.phi(matrix, row) for row in rows]
    alpha = fractions_of(flint_matrix(rows).solve(flint_matrix([[x] for x in values])))
    dual = RayDual(tuple(x for (x,) in alpha), (), matrix)
    held, violated = lifted_vertex(dual, fan, form, support)
    return Vertex(below, held, held.bound() - dual.bound() <= room_of(form, dual), violated)


def room_of(form: RayForm, dual: RayDual) -> Fraction:
    """Return by how much enclosures of logarithms may lift the bound of an optimal dual."""
    return ENCLOSED * abs(dual.bound()) + 4 * form.margin if form.margin else Fraction(0)


def weighted(rows: Sequence[Sequence[Fraction]]) -> Mechanism | None:
    """Return the mechanism whose rows lie on k given rays, or None if they are dependent or a weight is negative."""
    columns = flint_matrix(list(zip(*rows, strict=True)))
    try:
        theta = fractions_of(columns.solve(flint_matrix([[Fraction(1)]] * len(rows))))
    except ZeroDivisionError:  # the rays are linearly dependent
        return None
    if min(x for (x,) in theta) < 0:
        return None
    return Mechanism([[x * p for p in row] for (x,), row in zip(theta, rows, strict=True) if x])


class Pivots:
    """The simplex method in floats, which maximizes the weighted sum of phi over rays with ``r.scale = 1``.

    Args:
        fan: the rays of a region with delta = 0.
        steps: rays minus 1, shape (n, k).
        values: phi of the rays, shape (n,).
    """

    def __init__(self, fan: Fan, steps: Array, values: Array) -> None:
        n, k = steps.shape
        apart = steps[:, 1:] - steps[:, :1]
        self.columns = np.column_stack([np.ones(n), apart / (np.abs(apart).max() or 1.0)])
        self.costs = values / (np.abs(values).max() or 1.0)
        self.right = np.eye(k)[0] + _MOVED * (np.sqrt(np.arange(2, k + 2)) % 1)
        self._lengths = np.abs(self.columns).sum(1)
        single = [(1 << j) - 1 for j in range(k - 1, -1, -1)]  # indices of the staircase rows with one large entry
        self.basis = self.ended(single) if fan.is_staircase else _by_highs(self)

    def ended(self, basis: Sequence[int], entering: int | None = None) -> list[int]:
        """Run the simplex method from a feasible basis, with a given ray entering first, and return the final basis.

        It stops before a basis that is singular in floats.
        """
        basis = before = [*basis]
        for _ in range(_PIVOTS):
            try:
                inverse = np.linalg.inv(self.columns[basis])
            except np.linalg.LinAlgError:
                return before
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
            before, basis = basis, [*basis]
            basis[int(lengths.argmin())] = entering
            entering = None
        return basis


def _by_highs(pivots: Pivots) -> list[int]:
    """Solve the linear program with HiGHS and return its optimal basis."""
    import highspy

    from rropt.core.linear.highs import QuietHighs

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
    solver = QuietHighs(
        presolve="off",
        solver="simplex",
        primal_feasibility_tolerance=_FEASIBLE,
        dual_feasibility_tolerance=_FEASIBLE,
    )
    solver.passModel(model)
    solver.run()
    is_basic = [status == highspy.HighsBasisStatus.kBasic for status in solver.getBasis().col_status]
    return [i for i, basic in enumerate(is_basic) if basic]
