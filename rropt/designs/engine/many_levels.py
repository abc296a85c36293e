"""Compute designs under many levels, such as fine polygons of Gaussian differential privacy, by linear programs.

The running time of the interior-point method is proportional to the square of the number of conditions. So this
module uses it with some of the levels only, to find an approximate W. With W fixed, the weights of rays solve a linear
program under all levels, and its multipliers are alpha and beta. The error of W changes both bounds only to second
order. The linear program is solved in floats by column generation, which adds violating rays in each round.

For sums over outputs the program needs no W. With few levels, or with delta = 0, its basis is the corner that is solved
in exact arithmetic (``rounding.corner``).
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from rropt.core.lazy import numpy as np
from rropt.designs.engine.first_weights import first_rays
from rropt.designs.engine.ray_enumeration import Fan, Floats
from rropt.designs.engine.ray_rounding import RayBasis, float_dual
from rropt.objectives.ray_form import RayForm
from rropt.privacy.region import LevelPart

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rropt.designs.writers.bracket_writer import RayDual
    from rropt.objectives.ray_criteria import Array

MOST_CONDITIONS = 120  # with more conditions, the linear programs of this module are tried first
MOST_EXACT = 32  # outputs of an optimum that is solved again in exact arithmetic; 84 take half a minute
_FEW = 20  # approximate number of levels from which W is computed
_BEGIN, _ENTERING, _ROUNDS = 4, 2, 40  # entering rays per condition, at first and in each round; rounds
WIDEST = Fraction(1, 1000)  # a larger relative gap means that W is not close to the optimum
_CLOSED = 1e-10  # smaller relative violations are removed by the exact rounding
_FEASIBLE = 1e-10
_MOST_COLUMNS = 1 << 17  # of a program that all rays enter at once; seven categories have 94 465 rays
NEGLIGIBLE = 1e-13  # smaller weights, relative to the largest, are rounding errors


class LevelSolution(NamedTuple):
    """A solution of the linear program over all rays.

    Attributes:
        listed: the indices of the rays that have entered.
        w: their weights.
        alpha: the multipliers of the first k equations of a corner; with conditions those of the columns.
        beta: the multiplier of each condition, shape (q,).
        basis: the indices of the basic rays, and those of the active equations (``rounding.corner``).
    """

    listed: NDArray[np.intp]
    w: Array
    alpha: Array
    beta: Array
    basis: RayBasis


def some_of(parts: tuple[LevelPart, ...]) -> tuple[LevelPart, ...]:
    """Return about ``_FEW`` evenly spaced levels, together with all levels that have delta = 0."""
    step = -(-len(parts) // _FEW)
    return tuple(part for t, part in enumerate(parts) if t % step == 0 or not part.above.delta)


def solved(fan: Fan, form: RayForm, matrix: Any, guess: RayDual | None) -> LevelSolution | None:
    """Maximize the sum of phi over the mechanisms of the region for fixed W; return None if the solver fails.

    Args:
        fan: the rays.
        form: the objective.
        matrix: W, or None if the objective is a sum over outputs.
        guess: an approximate dual, or None. The rays with the smallest slack under it are initial rays.
    """
    values = np.concatenate([form.float_phi(matrix, rays.rows, rays.steps) for rays in fan.blocks()])
    sizes = np.concatenate([rays.rows.max(1) for rays in fan.blocks()])  # a tiny proportion makes rays huge
    values = values / sizes
    size = float(np.abs(values).max()) or 1.0
    program = _Program(np.ones(fan.k) if fan.conditions else np.eye(fan.k)[0], fan.deltas)
    entering = plain_rays(fan) if fan.conditions else first_rays(fan)
    unit = float(np.abs(fan.floats(entering).steps).max()) or 1.0

    def lines(rays: Floats) -> Array:
        """Return the coefficients of the equations of a corner; distances of columns are accurate near the level 0."""
        if fan.conditions:
            return rays.rows
        return np.column_stack([np.ones(len(rays.steps)), (rays.steps[:, 1:] - rays.steps[:, :1]) / unit])

    if guess is not None:
        slack = np.concatenate([float_dual(guess, rays) for rays in fan.blocks()]) / sizes - values
        entering = np.union1d(np.argsort(slack)[: _BEGIN * len(fan.conditions)], entering)
    found: LevelSolution | None = None
    for _ in range(_ROUNDS):
        rays = fan.floats(entering)
        scale = sizes[entering, None]
        program.add(entering, lines(rays) / scale, rays.excesses / scale, values[entering] / size)
        found = program.run()
        if found is None:
            entering = np.setdiff1d(np.arange(len(fan)), program.listed)
            if len(entering) and len(fan) <= _MOST_COLUMNS:  # the initial rays may form no mechanism
                continue
            return None
        g = [lines(rays) @ found.alpha + rays.excesses @ found.beta for rays in fan.blocks()]
        violation = values / size - np.concatenate(g) / sizes
        violation[found.listed] = -np.inf
        order = np.argsort(-violation)[: _ENTERING * max(len(fan.conditions), fan.k)]
        entering = order[violation[order] > _CLOSED]
        if not len(entering):
            break
    if found is None:
        return None
    return found._replace(w=found.w / sizes[found.listed], alpha=found.alpha * size, beta=found.beta * size)


def plain_rays(fan: Fan) -> NDArray[np.intp]:
    """Return the indices of the rays that are closest to constant; they suffice to form a mechanism."""
    spread = np.concatenate([rays.rows.max(1) - rays.rows.min(1) for rays in fan.blocks()])
    return np.argsort(spread)[: 2**fan.k]


class _Program:
    """The growing linear program: maximize ``values.w`` subject to ``sum w r = right``, ``sum w h <= delta``."""

    def __init__(self, right: Array, deltas: Array) -> None:
        import highspy

        from rropt.core.linear.highs import QuietHighs

        self.k, self.deltas, self.listed = len(right), deltas, np.zeros(0, dtype=np.intp)
        self.solver = QuietHighs(primal_feasibility_tolerance=_FEASIBLE, dual_feasibility_tolerance=_FEASIBLE)
        for x in right:
            self.solver.addRow(x, x, 0, [], [])
        for _ in deltas:
            self.solver.addRow(-highspy.kHighsInf, 1.0, 0, [], [])

    def add(self, places: NDArray[np.intp], rows: Array, excesses: Array, values: Array) -> None:
        """Add one column for each of these rays."""
        columns = np.hstack([rows, excesses / self.deltas])
        owner, index = np.nonzero(columns)
        starts = np.searchsorted(owner, np.arange(len(places)))
        n = len(places)
        self.solver.addCols(
            n,
            -values,
            np.zeros(n),
            np.full(n, np.inf),
            len(index),
            starts.astype(np.int32),
            index.astype(np.int32),
            columns[owner, index],
        )
        self.listed = np.concatenate([self.listed, places])

    def run(self) -> LevelSolution | None:
        """Solve the program, starting from the last basis; return None if the solver finds no optimum."""
        import highspy

        if self.solver.getNumCol() != len(self.listed):  # HiGHS refuses columns with numbers above 1e15
            return None
        self.solver.run()
        is_whole = self.solver.getNumCol() == len(self.listed)  # HiGHS refuses columns with entries beyond 1e15
        if not is_whole or self.solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        found = self.solver.getSolution()
        dual = -np.array(found.row_dual)
        beta = np.maximum(dual[self.k :], 0.0) / self.deltas
        basic, basis = highspy.HighsBasisStatus.kBasic, self.solver.getBasis()
        rays = tuple(i for i, status in zip(self.listed.tolist(), basis.col_status, strict=True) if status == basic)
        rows = tuple(i for i, status in enumerate(basis.row_status) if status != basic)
        w = np.maximum(np.array(found.col_value), 0.0)
        return LevelSolution(self.listed, w, dual[: self.k], beta, RayBasis(rays, rows))
