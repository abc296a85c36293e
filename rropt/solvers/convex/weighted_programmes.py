"""The linear programme ``least w1 r + w2 s`` over a lifted region, by CVXPY: rounded point and proved half-plane."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isfinite
from threading import Lock
from typing import Any

from rropt.solvers.convex.lifted_regions import HalfPlane, LiftedRegion, Point, combined
from rropt.tolerances import CONVEX_DENOMINATOR

__all__ = ["Answer", "solve_weighted"]

_LOCK = Lock()  # a CVXPY problem holds its parameters and its solution: one solve at a time


@dataclass(frozen=True, slots=True)
class Answer:
    """What a solver proposes, as exact rationals.

    Attributes:
        point: the float minimiser; near the region, not necessarily in it.
        half_plane: a nonnegative combination of the region's rows with the rounded multipliers: it contains the region
            whatever the solver did.
    """

    point: Point
    half_plane: HalfPlane


def solve_weighted(region: LiftedRegion, weights: Point) -> Answer | None:
    """Return primal and dual of ``least w1 r + w2 s`` over the region, or None when the solver has no answer.

    The programme is scaled first, exactly: unknowns ``r = r' W/w1``, ``s = s' W/w2`` with W the cost of Warner's
    design, so that the cost is r' + s' and its minimum at most 1 (a coordinate of weight 0 is measured by Warner's
    design); then each row is divided by its largest coefficient. So epsilon = 100
    (r near 1e-44) and delta = 1e-300 (s near 1e300) are the same easy programme to the solver.

    Args:
        region: with at least one row.
        weights: (w1, w2) >= 0; None is returned when both are 0.
    """
    warner, _ = region.warner()
    total = warner * sum(weights)
    if not total:
        return None
    units = [total / w if w else warner for w in weights]
    scaled = [(a * units[0], b * units[1], c) for a, b, c in region.rows]
    largest = [max(a, b) for a, b, _ in scaled]
    solution = _solved(
        [[float(a / size), float(b / size)] for (a, b, _), size in zip(scaled, largest, strict=True)],
        [float(c / size) for (_, _, c), size in zip(scaled, largest, strict=True)],
        [float(w > 0) for w in weights],
        diagonal=region.diagonal,
    )
    if solution is None:
        return None
    (r, s), duals = solution
    multipliers = [max(y, Fraction(0)) / size for y, size in zip(duals, largest, strict=True)]
    if not any(multipliers):
        return None
    return Answer((max(r, Fraction(0)) * units[0], max(s, Fraction(0)) * units[1]), combined(region.rows, multipliers))


def _solved(
    rows: list[list[float]], bounds: list[float], cost: list[float], *, diagonal: bool
) -> tuple[list[Fraction], list[Fraction]] | None:
    """Return the floats of the minimiser and of the multipliers as exact rationals."""
    import cvxpy as cp

    with _LOCK, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an inaccurate answer costs width of the bracket, never its truth
        programme, unknowns, parameters, constraint = _programme(len(rows), diagonal)
        for parameter, value in zip(parameters, (rows, bounds, cost), strict=True):
            parameter.value = value
        try:
            programme.solve(solver=cp.HIGHS, warm_start=False)
        except (cp.SolverError, ArithmeticError, ValueError):
            return None
        primal, dual = _rationals(unknowns.value), _rationals(constraint.dual_value)
    return None if primal is None or dual is None else (primal, dual)


@lru_cache(maxsize=8)
def _programme(rows: int, diagonal: bool) -> tuple[Any, Any, tuple[Any, Any, Any], Any]:
    """Return the programme with its parameters, compiled by CVXPY once (it follows the DPP rules)."""
    import cvxpy as cp

    unknowns = cp.Variable(2, nonneg=True)
    matrix, bounds, cost = cp.Parameter((rows, 2)), cp.Parameter(rows), cp.Parameter(2)
    constraint = matrix @ unknowns >= bounds
    equal = [unknowns[0] == unknowns[1]] if diagonal else []
    programme = cp.Problem(cp.Minimize(cost @ unknowns), [constraint, *equal])
    return programme, unknowns, (matrix, bounds, cost), constraint


def _rationals(values: Sequence[float] | None) -> list[Fraction] | None:
    """Return floats rounded to simple fractions: 1/3 and 0 where the solver returns 0.333... and 1e-17."""
    floats = [] if values is None else [float(value) for value in values]
    if not floats or not all(map(isfinite, floats)):
        return None
    return [Fraction(value).limit_denominator(CONVEX_DENOMINATOR) for value in floats]
