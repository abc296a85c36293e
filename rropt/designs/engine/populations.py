"""Compute the worst-case variance over a polytope of distributions of the categories, by the interior-point method.

For one distribution pi, a convex program gives the variance of the optimal design: maximize ``2 tr C W - sum alpha``
subject to ``abs(r W)^2/(r.pi) <= alpha.r`` for every ray r. The variables are alpha and a matrix W
whose columns sum to 0. The left side of the constraint is jointly convex in W and pi. Hence one convex program finds W,
alpha and the least favorable distribution ``pi = sum_l x_l v_l`` of the polytope with vertices v_l. The multipliers of
the rays are the weights of the mechanism. No certificate depends on the accuracy of this solution.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from rropt.core.lazy import numpy as np
from rropt.designs.engine.certificate import largest_gamma
from rropt.designs.engine.designs import Plan
from rropt.designs.engine.interior_point import Program, interior_point, program
from rropt.designs.problem import Problem
from rropt.objectives.criteria import WorstSquares
from rropt.objectives.ray_form import Lines, VarianceForm
from rropt.privacy.region import RationalLevels

if TYPE_CHECKING:
    from rropt.objectives.criteria import Array

_NEVER = 1e-300  # lower bound on the weight of a vertex


class SaddlePoint(NamedTuple):
    """An approximate saddle point of the variance over mechanisms and distributions.

    Attributes:
        shares: x, the weights of the vertices.
        theta: the weights of the staircase rows in the mechanism, where each row is scaled to minimum entry 1.
        matrix: W up to a factor; ``r W/(r.pi)`` is the estimate minus its mean.
    """

    shares: Array
    theta: Array
    matrix: Array


def saddle_point(problem: Problem, levels: RationalLevels, vertices: Sequence[Sequence[Fraction]]) -> SaddlePoint:
    """Return an approximate saddle point over the convex hull of the given distributions.

    Args:
        problem: a sum of variances under one level with delta = 0, at the average of the vertices.
        levels: rational levels below and above the level of the problem.
        vertices: distributions of the categories, shape (l, k).
    """
    plan = Plan(problem, levels)
    plan.begin()
    rays = plan.fan.floats(plan.listed)
    form: VarianceForm = problem.objective.variances().on_rays(problem.population, largest_gamma(levels))
    corners = np.array([[float(p) for p in vertex] for vertex in vertices])
    target = form.criterion(Lines(rays.rows, rays.steps, plan.root)).parts[0][1]
    criterion = WorstSquares(target, 1 + rays.steps @ corners.T)
    count = len(corners)
    given = program(rays.apart @ plan.root, rays.excesses, plan.deltas)
    c, affine = (np.vstack([x, np.zeros((count, x.shape[1]))]) for x in given[:2])
    given = Program(c, affine, given.right)
    n = len(rays.rows)
    start = criterion.start(given.c, plan.weights)
    size = float(criterion.values(given.c, start).max())
    point = interior_point(given, criterion, np.concatenate([plan.weights, np.full(count, size * count / n)]))
    shares = np.maximum(criterion.shares(point.y), _NEVER)
    matrix = form.float_matrix(criterion, point.y, plan.root)
    return SaddlePoint(shares / shares.sum(), np.maximum(point.w[:n], 0) * rays.rows.min(1), matrix)
