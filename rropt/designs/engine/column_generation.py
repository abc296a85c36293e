"""Choose the rays that the interior-point method weighs, if a region has too many for all (column generation).

20 categories have about a million staircase rows, and an optimal design uses some two hundred of them. As long as many
rays violate the dual inequality, the weights need little precision. Far from the optimum, rays with much slack leave
when others enter, as long as the largest violation falls. Near the optimum no ray leaves: with few rays the multipliers
are not unique, and a ray that has left would soon be violated again.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from rropt.core.lazy import numpy as np
from rropt.designs.engine.interior_point import CLOSED, Iterate, Program, balanced

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rropt.objectives.ray_criteria import Array, RayCriterion

_PRECISIONS = (1e-3, 1e-6, 1e-9, CLOSED)  # relative gaps at which the interior-point method stops, in turn
_FINER = dict(pairwise(_PRECISIONS))
_ROUNDS, _EARLY = 60, 20  # rounds; after _EARLY rounds, each round is more precise than the last
_ENTERING, _LEAST_ENTERING = 300, 100  # rays that enter in a round; the same if the rounds are staged
_KEPT = 3  # rays that stay when others leave, relative to the number of rays that enter
_ENTERED, _FOLLOWING = 1e-13, 0.01  # least violation of an entering ray: relative; relative to the precision
_FAR, _NEAR = 0.01, 10.0  # violation above which rays leave; violation, over the precision, that ends a stage
_JOINING, _LEAST_PART = 0.05, 1e-15  # initial total weight of the entering rays; smallest value that is tried
_SHARED, _LEAST_SHARED = 0.1, 1e-9  # total weight that is distributed equally before rays join; smallest value


class Columns:
    """The rays that are weighed, and the precision of their weights.

    Attributes:
        precision: the relative gap at which the interior-point method stops in this round.

    Args:
        listed: the indices of the first rays.
        weights: their positive weights, followed by those of the conditions with delta > 0.
        conditions: the number of these conditions.
        is_staged: whether the first rounds have little precision and rays may leave; without conditions only.
    """

    def __init__(self, listed: NDArray[np.intp], weights: Array, conditions: int, is_staged: bool) -> None:
        self.listed = listed
        self._begun, self._conditions, self._is_staged = weights, conditions, is_staged
        self.precision, self._round = _PRECISIONS[0] if is_staged else CLOSED, 0
        self._least = float("inf")  # the largest violation, as long as it falls and rays leave; then 0

    @property
    def is_precise(self) -> bool:
        """Whether the weights of this round have full precision."""
        return self.precision == CLOSED

    def start(self, given: Program) -> Array:
        """Return the weights of the listed rays and the conditions from which a round starts."""
        known = len(self._begun) - self._conditions
        return self._begun if known == len(self.listed) else joined_weights(given, known, self._begun)

    def grow(self, given: Program, criterion: RayCriterion, point: Iterate, violation: Array) -> bool:
        """Let rays enter and leave; return whether there is anything left to do.

        Args:
            given: the program of the listed rays.
            criterion: the objective.
            point: its solution.
            violation: the violation of the dual inequality at every ray of the region.
        """
        self._round += 1
        size, outside = abs(point.v[0]), violation.copy()
        outside[self.listed] = -np.inf
        worst, most = float(outside.max()), max(_ENTERING, len(self.listed) // 3)
        if self._is_staged:
            most = max(_LEAST_ENTERING, len(given.right) + criterion.free(point.y))
            self._least = worst if _FAR * size < worst < self._least else 0.0
            kept = np.argsort(-violation[self.listed], kind="stable")[: _KEPT * most if self._least else None]
            self._begun, self.listed = _shared(given, point.w, kept), self.listed[kept]
        order = np.argpartition(-outside, most)[:most] if most < len(outside) else np.arange(len(outside))
        least = size * (_ENTERED if self.is_precise else max(_ENTERED, _FOLLOWING * self.precision))
        entering = np.sort(order[outside[order] > least])
        if self._round == _ROUNDS or (self.is_precise and not len(entering)):
            return False
        if not self.is_precise and self._round >= _EARLY:
            self.precision = _FINER[self.precision]
        while not self.is_precise and worst < _NEAR * self.precision * size:
            self.precision = _FINER[self.precision]
        self.listed = np.concatenate([self.listed, entering])
        return True


def _shared(given: Program, weights: Array, kept: NDArray[np.intp]) -> Array:
    """Return feasible weights of the rays that are kept, close to given ones but away from 0."""
    part, own = _SHARED, weights[kept] / weights[kept].sum()
    fewer = Program(given.c[kept], given.affine[kept], given.right)
    while part > _LEAST_SHARED:
        found = balanced(fewer, (1 - part) * own + part / len(own))
        if found is not None:
            return found
        part /= 3
    return np.asarray(own)


def joined_weights(given: Program, first: int, begun: Array, relative: Array | None = None) -> Array:
    """Return positive weights of all listed rays: the given weights scaled down, and a small one for each new ray.

    Args:
        given: the program.
        first: the number of rays that have a weight.
        begun: the weights of these rays and of the conditions.
        relative: numbers in (0, 1], to which the weights of the new rays are proportional; by default all 1.
    """
    q = len(begun) - first
    new = len(given.c) - q - first
    part = _JOINING
    while part > _LEAST_PART:
        entering = np.full(new, part / new) if relative is None else part / new * relative
        left = 1 - (part if relative is None else entering.sum())
        w = np.concatenate([left * begun[:first], entering, begun[first:]])
        beyond = given.affine[: first + new, len(given.right) - q :].T @ w[: first + new]
        w[first + new :] = given.right[len(given.right) - q :] - beyond
        balance = balanced(given, w) if w.min() > 0 else None
        if balance is not None:
            return balance
        part /= 10
    return w
