"""Compute exact designs from k linearly independent rays, for delta = 0.

The k rays determine the mechanism and the dual. The weights solve ``sum theta r = 1``, and alpha solves the k equations
``alpha.r = phi(r)``. If the dual inequality also holds on all other rays, the design is optimal. At a rational level
its value is then exact.

For variances, the interior-point method proposes the rays; for sums over outputs, a linear program in floats
(``many_levels``).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from rropt.designs.certificates.design_bracket import RayDual
from rropt.designs.engine.rays import Fan
from rropt.designs.engine.rounding import lifted_vertex
from rropt.mechanisms import Mechanism
from rropt.mechanisms.left_inverse import flint_matrix, fractions_of
from rropt.objectives.ray_form import RayForm

MOST_INPUTS = 12  # the digits of a vertex, and with them the time of the check, grow with k
ENCLOSED = Fraction(1, 10**24)  # largest relative lift of an optimal dual that enclosures of logarithms may cause


class Vertex(NamedTuple):
    """A design that k rays determine.

    Attributes:
        mechanism: the mechanism at the level below.
        dual: a dual at the level above that is valid on every ray.
        is_tight: whether the solution alpha of the k equations is valid on every ray; then the design is optimal.
    """

    mechanism: Mechanism
    dual: RayDual
    is_tight: bool


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
    held, _ = lifted_vertex(dual, fan, form, support)
    return Vertex(below, held, held.bound() - dual.bound() <= room_of(form, dual))


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
