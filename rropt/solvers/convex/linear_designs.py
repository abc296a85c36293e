"""Linear design problems with k inputs through CVXPY: a linear programme in matrix form, solved by an interior point.

Trace and loss are linear in P and the region is a polytope, so the programme is convex as it stands. It is written down
here a second time, in matrices and independently of the exact route's rows, and solved by Clarabel (an interior-point
method, where the exact route uses the simplex method). The rational bracket never depends on the solver's word:
``rounding`` makes a mechanism that is private at the level below and multipliers that prove a bound at the level
above. The bracket is about 1e-8 wide; when the solver fails it is wide, and true.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.privacy.region import RationalLevels
from rropt.problem import Problem
from rropt.solvers.convex.binary_variance import load_cvxpy
from rropt.solvers.design_programmes import DesignProgramme, first_pairs, write_programme
from rropt.solvers.rounding import GRID_BITS, round_dual, rounded_result
from rropt.solvers.solution import RouteResult

FloatArray = NDArray[np.float64]
Family = tuple[Any, NDArray[np.int64], int]  # inequalities, the certificate's rows, the sign of their multipliers


def solve_design_convex(problem: Problem, levels: RationalLevels) -> RouteResult:
    """Return a rational bracket of the optimum, with the mechanism and the dual that prove it.

    Args:
        problem: of objective ``trace`` or ``loss``.
        levels: rational levels around the problem's.

    >>> from rropt.objectives import Trace
    >>> from rropt.privacy import PrivacyRegion
    >>> problem = Problem(PrivacyRegion("log(3)", inputs=4, outputs=4), Trace([1] * 4), ["1/4"] * 4)
    >>> result = solve_design_convex(problem, problem.region.bracket(24))
    >>> result.lower <= 2 <= result.upper, round(float(result.upper), 6)
    (True, 2.0)
    """
    pairs = first_pairs(problem)
    above = DesignProgramme.of(problem, levels, "above", pairs)
    primal, dual = _solved(above)
    proposal = [_grid(x) for x in primal.ravel().tolist()]
    multipliers = {row: _grid(y) for row, y in dual.items()}
    rounded = rounded_result(problem, levels, pairs, proposal, multipliers)
    return _bound_only(above, multipliers) if rounded is None else rounded


def _solved(design: DesignProgramme) -> tuple[FloatArray, dict[int, float]]:
    """Return P and the multipliers by the certificate's row index; the uniform mechanism and none when it fails."""
    cp = load_cvxpy()

    m, k = design.shape
    costs = np.array([[float(c) for c in row] for row in design.costs])
    scale = float(np.abs(costs).max()) or 1.0
    p = cp.Variable((m, k), nonneg=True)
    families = _constraints(cp, design, p)
    programme = cp.Problem(
        cp.Minimize(cp.sum(cp.multiply(costs / scale, p))),
        [cp.sum(p, axis=0) == 1, *(family[0] for family in families)],
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an inaccurate answer costs width of the bracket, never its truth
        try:
            programme.solve(solver=cp.CLARABEL)
        except (cp.SolverError, ArithmeticError, ValueError):
            return np.full((m, k), 1 / m), {}
    if p.value is None or not np.isfinite(p.value).all():
        return np.full((m, k), 1 / m), {}
    dual: dict[int, float] = {}
    for constraint, places, sign in families:
        values = constraint.dual_value
        if values is not None and np.isfinite(values).all() and places.size:
            y = sign * scale * np.asarray(values)
            dual.update(zip(places.ravel().tolist(), y.ravel().tolist(), strict=True))
    return np.asarray(p.value, dtype=np.float64), dual


def _constraints(cp: Any, design: DesignProgramme, p: Any) -> list[Family]:
    """Return the families of inequalities, each with the certificate's indices and the sign of its multipliers."""
    m, k = design.shape
    rows = design.rows
    families: list[Family] = []
    every = [(i, j) for i in range(m) for j in range(k)]
    if rows.form == "parity":
        t = cp.Variable((m, 1), nonneg=True)
        spread = t @ np.ones((1, k))
        families.append((p - spread >= 0, _places((m, k), (rows.row_lower(i, j) for i, j in every)), 1))
        families.append(
            (float(design.gamma) * spread - p >= 0, _places((m, k), (rows.row_upper(i, j) for i, j in every)), 1)
        )
    elif design.pairs:
        left, right = (np.array(side) for side in zip(*design.pairs, strict=True))
        shape = (m, len(design.pairs))
        apart = [(i, *pair) for i in range(m) for pair in design.pairs]
        if rows.form == "pairwise":
            gammas = np.array([[float(design.ratios[pair]) for pair in design.pairs]])
            places = _places(shape, (rows.row_of_pair(*place) for place in apart))
            families.append((cp.multiply(np.repeat(gammas, m, axis=0), p[:, right]) - p[:, left] >= 0, places, 1))
        else:
            excess = cp.Variable(shape, nonneg=True)
            places = _places(shape, (rows.row_of_excess(*place) for place in apart))
            families.append((excess - p[:, left] + float(design.gamma) * p[:, right] >= 0, places, 1))
            # its multipliers follow from those of the excesses
            families.append((cp.sum(excess, axis=0) <= float(design.delta), np.empty(0, dtype=np.int64), 1))
    if design.least is not None and design.most is not None:
        least, most = (np.array([[float(x) for x in row] for row in bounds]) for bounds in (design.least, design.most))
        families.append((p >= least, _places((m, k), (rows.row_of_least(i, j) for i, j in every)), 1))
        families.append((-p >= -most, _places((m, k), (rows.row_of_most(i, j) for i, j in every)), -1))
    return families


def _places(shape: tuple[int, int], indices: Any) -> NDArray[np.int64]:
    return np.fromiter(indices, dtype=np.int64, count=shape[0] * shape[1]).reshape(shape)


def _bound_only(above: DesignProgramme, multipliers: Mapping[int, int]) -> RouteResult:
    """Return the bound of the dual, and on the other side the worst cost of any mechanism: no room to round P in."""
    written = write_programme(above)
    _, bound = round_dual(above, written, [multipliers.get(place, 0) for place in written.places])
    worst = sum((max(column) for column in zip(*above.costs, strict=True)), Fraction(0))
    lower, upper = (bound, worst) if above.sign > 0 else (-worst, -bound)
    return RouteResult(lower=lower, upper=upper)


def _grid(value: float) -> int:
    numerator, denominator = value.as_integer_ratio()
    return (numerator << GRID_BITS) // denominator
