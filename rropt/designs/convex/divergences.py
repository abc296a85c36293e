"""The convex route of designs under bounds on Renyi divergences: an independent computation with CVXPY.

It shares no rows, rounding or duals with the engine, and its proofs are in floats. It has two programs.

*In the entries.* If ``phi(p) = max_d L_d.p``, one output for each decision d is enough. The program maximizes
``sum_d L_d.p_d`` under the convex inequalities ``sum_d h(p_dj, p_dl) <= 1``, which are power cones and exponential
cones (``divergence_entries``).

*In the weights.* Otherwise the candidate columns are a lattice of log ratios. After each round, finer lattices around
the columns with weight and around the rows that violate the inequality of the dual take its place. Under zCDP the
orders that the weights violate enter too. The dual bound is raised by the largest violation over all rows
(``divergence_cells``).

The other endpoint is the exact value of a mechanism whose membership in the region is proved by intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, NamedTuple, cast

from rropt.core.errors import UnsupportedProblemError
from rropt.designs.convex.column_weights import (
    CLOSED,
    UNIT,
    Columns,
    Tangent,
    balanced,
    better,
    bound,
    bracket,
    multipliers,
    rounding_errors,
    shrunk,
    total,
    values_near,
    weighed,
    weighed_by_squares,
)
from rropt.designs.convex.divergence_cells import largest_violation
from rropt.designs.convex.divergence_conditions import Conditions, any_mechanism_ratio
from rropt.designs.convex.divergence_entries import solved_in_entries
from rropt.designs.problem import Problem
from rropt.designs.solution import RouteResult
from rropt.mechanisms import Mechanism
from rropt.objectives.ray_form import contrast_basis
from rropt.privacy.divergence_regions import DivergenceRegion
from rropt.privacy.region import RationalLevels

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_AXIS = {2: 41, 3: 13, 4: 7}  # points per axis of the first lattice, by k
_MOST_CELLS = {2: 20_000, 3: 200_000, 4: 600_000}
_ROUNDS = 20
_FINER = 3.0  # factor between the spacings of two rounds
_TOO_STEEP = 1e4  # columns that use more of a condition by a unit of weight are left out
_NEARLY = 1e-6  # mechanisms are computed if the violation, relative to the bound, is smaller
_UNUSED = 1e-7  # orders of zCDP with smaller multipliers, relative to their sum, leave
_VIOLATED, _APART = 0.01, 0.3  # orders enter if violated by this times spacing^2, this times spacing from others
_HEAVY = 1e-5  # columns with a larger weight, relative to the largest one, get a finer lattice
_NEAR, _MOST_KEPT = 20.0, {2: 60, 3: 500, 4: 1200}  # columns with less slack, in violations, are kept; at most as many
_CENTRES = {2: 10, 3: 40, 4: 100}  # violating rows around which a lattice enters
_GOAL = 1e-7  # relative change of the bound by a violation that cells need not halve further
_SAME = 3.0  # columns within this number of spacings are merged into one output
_NEGLIGIBLE = 1e-9  # smaller weights, relative to the largest one, are dropped
_SHRINKS = tuple(Fraction(x) for x in (1e-8, 1e-7, 1e-6, 1e-4, 1e-2))  # of weights, tried in turn
_PART = Fraction(1, 2)  # of the width of a closed bracket, at which the rounds end


def by_cvxpy(problem: Problem, levels: RationalLevels) -> RouteResult:
    """Return a bracket of the optimum from two convex programs and a bound over all rows.

    The level is rounded to floats: its bracket is narrower.
    """
    return _Search(problem).result()


def states(problem: Problem) -> bool:
    """Return whether the route applies: the objective has a CVXPY form."""
    return problem.objective.is_stated and problem.region.inputs in _AXIS


def seconds(problem: Problem) -> float:
    """Return the estimated running time of the route in seconds, from measured times."""
    return {2: 1.0, 3: 5.0, 4: 60.0}[problem.region.inputs]


class _Judged(NamedTuple):
    """What is known of the inequality of the dual.

    Attributes:
        near: the indices of the columns at which it is nearly tight.
        violating: the logarithms of rows that violate it.
        beta: the multipliers of the conditions.
        worst: the largest violation that was met, relative to the bound.
    """

    near: NDArray[np.intp]
    violating: Array
    beta: Array
    worst: float


class _Search:
    """The rounds of one problem, with the values and the bounds that they prove."""

    def __init__(self, problem: Problem) -> None:
        import numpy as np

        self.problem, self.pi, self.k = problem, problem.population, len(problem.population)
        self.region = cast("DivergenceRegion", problem.region)
        self.conditions = Conditions(self.region)
        self.shares = np.array([float(x) for x in self.pi])
        self.form = problem.objective.on_rays(self.pi, Fraction(2))
        gamma = any_mechanism_ratio(self.region)
        simple = [[(gamma if i == j else 1) / (gamma + self.k - 1) for j in range(self.k)] for i in range(self.k)]
        self.simple = Mechanism(simple)
        self.values: list[Fraction] = [problem.objective.value(self.simple, self.pi)]
        self.bounds: list[float] = []

    def result(self) -> RouteResult:
        """Return the bracket of all rounds."""
        decisions = self.form.decisions
        if decisions is not None:
            rows, raised = solved_in_entries(decisions, self.conditions, self.shares)
            if rows is not None:
                self.reach([[Fraction(round(float(x) * UNIT), UNIT) for x in row] for row in rows])
            if raised is not None:
                self.bounds.append(self.form.from_statement(raised))
            return self.found()
        self.by_rounds()
        return self.found()

    def found(self, *more: Fraction) -> RouteResult:
        """Return the bracket so far, with more values."""
        return bracket(self.problem, better(self.problem, [*self.values, *more]), self.bounds)

    def is_closed(self, *more: Fraction) -> bool:
        """Return whether the bracket so far, with more values, is narrow enough."""
        found = self.found(*more)
        return found.gap <= CLOSED * _PART * max(abs(found.lower), abs(found.upper))

    def by_rounds(self) -> None:
        """Optimize the weights of columns that become denser where they have weight or violate the inequality."""
        import numpy as np

        first, spacing = self._lattice()
        logs = first
        before = float("inf")
        for last in range(_ROUNDS - 1, -1, -1):
            rows = self._rows(logs)
            uses = self.conditions.uses(rows)
            is_kept = uses.max(0) < _TOO_STEEP
            logs, rows, uses = logs[is_kept], rows[is_kept], uses[:, is_kept]
            columns = Columns(rows, uses, np.ones(len(uses)))
            stated, tried = weighed(self.form, columns)
            if stated.squares is not None and not tried:
                tried = weighed_by_squares(columns, *stated.squares)
            judged = self._judged(columns, tried[0], is_square=stated.squares is not None) if tried else None
            if judged is None:
                return
            weights = tried[0].weights
            if judged.worst < _NEARLY or not last:
                self._reached(rows, weights, logs, _SAME * spacing, is_last=not last)
                if self.is_closed():
                    return
            self.conditions.without(judged.beta <= _UNUSED * judged.beta.sum())
            has_weight = weights > _NEGLIGIBLE * weights.max()
            self.conditions.extended(
                rows[has_weight] * weights[has_weight, None], _VIOLATED * spacing**2, _APART * spacing
            )
            if judged.worst < before / _FINER:
                spacing /= _FINER
            before = judged.worst
            heavy = logs[np.argsort(-weights)][: (weights > _HEAVY * weights.max()).sum()]
            centres = np.vstack([_apart(x, spacing)[: _CENTRES[self.k]] for x in (heavy, judged.violating)])
            logs = self._refined(np.vstack([first, logs[judged.near]]), centres, spacing)

    def _judged(self, columns: Columns, tangent: Tangent, *, is_square: bool) -> _Judged | None:
        """Add the bound of a tangent; return what is known of the inequality of the dual, or None."""
        import numpy as np

        phi = tangent.phi(columns.rows)
        found = multipliers(columns, phi)
        if found is None:
            return None
        alpha, beta = found
        raised = total(columns.allowed, alpha, beta)

        def bounded(lift: float) -> float:
            return self.form.from_statement(bound(raised + lift, tangent.constant, is_square=is_square))

        goal = _GOAL * abs(raised)
        change = abs(bounded(goal) - bounded(0.0))
        goal *= min(1.0, _GOAL * abs(bounded(0.0)) / change) if change > 0 else 1.0
        violation = largest_violation(
            tangent.phi, alpha, beta, self.conditions.listed, self.shares, goal, _MOST_CELLS[self.k]
        )
        has_weight = tangent.weights > _NEGLIGIBLE * tangent.weights.max()
        error = float(rounding_errors(tangent.phi, columns.rows[has_weight]).max(initial=0.0))
        if np.isfinite(violation.above):
            self.bounds.append(bounded(violation.above + error))
        slack = columns.rows @ alpha + columns.uses.T @ beta - phi
        near = np.argsort(slack)[: min(_MOST_KEPT[self.k], int((slack < _NEAR * violation.at_least).sum()))]
        violating = np.log(violation.rows[(violation.rows > 0).all(1)])
        return _Judged(near, violating, beta, violation.at_least / (abs(raised) or 1.0))

    def _lattice(self) -> tuple[Array, float]:
        """Return the logarithms of the first columns, and their spacing."""
        import numpy as np

        level = self.region.allowed(Fraction(2) if self.region.order is None else self.region.order)
        reach = 3 * level**0.5 + level
        axis = np.linspace(-reach, reach, _AXIS[self.k])
        places = np.array(list(product(axis, repeat=self.k - 1)))
        places = places[np.abs(places @ contrast_basis(self.k).T).max(1) <= reach]
        return places @ contrast_basis(self.k).T, float(axis[1] - axis[0])

    def _refined(self, kept: Array, centres: Array, spacing: float) -> Array:
        """Return the kept columns and a lattice of this spacing around the centres."""
        import numpy as np

        basis = contrast_basis(self.k)
        steps = np.array(list(product((-1, 0, 1), repeat=self.k - 1))) * spacing
        around = ((centres @ basis)[:, None, :] + steps[None]).reshape(-1, self.k - 1)
        whole = np.vstack([kept @ basis, around, np.zeros((1, self.k - 1))])
        chosen = np.unique(np.rint(whole / spacing * 8), axis=0, return_index=True)[1]
        return np.asarray(whole[chosen] @ basis.T)

    def _rows(self, logs: Array) -> Array:
        import numpy as np

        rows = np.exp(logs - logs.max(1, keepdims=True))
        return np.asarray(rows / (rows @ self.shares)[:, None])

    def _reached(self, rows: Array, weights: Array, logs: Array, apart: float, *, is_last: bool) -> None:
        """Add the value of a private mechanism near the weights, after close columns are merged."""
        import numpy as np

        left = [int(n) for n in np.argsort(-weights) if weights[n] > _NEGLIGIBLE * weights.max()]
        outputs = []
        while left:
            near = [n for n in left if np.abs(logs[n] - logs[left[0]]).max() <= apart]
            outputs.append(weights[near] @ rows[near])
            left = [n for n in left if n not in near]
        made = np.array(outputs)
        exact = [[Fraction(round(float(x) * 2**60), 2**60) for x in row] for row in made]
        self.reach(balanced(exact, np.ones(len(made)), np.zeros((0, len(made))), np.zeros(0)), is_last=is_last)

    def reach(self, rows: Sequence[Sequence[Fraction]], *, is_last: bool = True) -> None:
        """Add the value of a private mechanism that is a mixture of rows and one remainder row.

        The proof that it is private takes longer than its value, so a value that does not close the bracket is left out
        before the last round.
        """
        import numpy as np

        rows = [row for row in rows if min(row) > 0]
        if not rows:
            return
        used = self.conditions.largest_use(np.array([[float(x) for x in row] for row in rows]))
        least = Fraction(1 - 1 / max(used, 1.0))
        for shrink in _SHRINKS:
            found = shrunk(rows, [least + shrink], lambda mechanism: True)
            if found is None:
                continue
            value = better(self.problem, values_near(self.problem, found[0], self.simple))
            if not is_last and not self.is_closed(value):
                return
            if self._is_private(found[0]):
                self.values.append(value)
                return

    def _is_private(self, mechanism: Mechanism) -> bool:
        try:
            return self.region.contains(mechanism)
        except UnsupportedProblemError:  # the divergence and the level agree in all computed digits
            return False


def _apart(points: Array, distance: float) -> Array:
    """Return the points without those that are closer than a distance to one before."""
    import numpy as np

    left, kept = points - points.mean(1, keepdims=True), []
    while len(left):
        kept.append(left[0])
        left = left[np.abs(left - left[0]).max(1) > distance]
    return np.array(kept).reshape(-1, points.shape[1])
