"""The best mechanism for one contrast c . pi (c-optimality): the convex programme of ``pattern_newton`` of one column.

*Merging.* Categories with the same c_j may be merged: with shares u_i = pi_i/pi_G within a group G, a mechanism for the
groups is one for the categories (its patterns constant on groups), and a dual (z, A) of the groups is one of the
categories, ``y_i = u_i z_G`` and ``alpha_i = u_i A_G``: then ``S . y``, ``alpha . S`` and ``S . pi`` are those of the
means of S over the groups, which lie in [1, gamma], where the convex inequality holds because it does in the corners.
So the difference of two shares is a problem of three inputs, and one share a binary one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

from rropt.designs.certificates.pattern_dual import VarianceDual, exact_dual, pattern_mechanism, rounded_dual
from rropt.designs.convex.a_optimality import narrowed
from rropt.designs.convex.free_outputs import by_cvxpy, seconds, states
from rropt.designs.convex.pattern_newton import Patterns, Point, all_patterns, products_with, support_of
from rropt.designs.equal_shares import randomized_response
from rropt.designs.problem import Problem
from rropt.designs.solution import PatternDesign
from rropt.designs.solving import PatternDesigns, Route, is_of_one_population, no_patterns
from rropt.mechanisms import Mechanism
from rropt.objectives import COptimality
from rropt.privacy.region import RationalLevels

if TYPE_CHECKING:
    from rropt.designs.convex.pattern_newton import Array

MOST_VALUES, _MOST_INPUTS = 10, 18  # different numbers of a contrast; categories whose patterns the checker enumerates
_TRACE = Fraction(1, 2**60)  # of randomized response in a mechanism that tells too little


@dataclass(frozen=True, slots=True)
class Merged:
    """A contrast with its different numbers alone.

    Attributes:
        contrast: they, shape (r,).
        population: the share of each.
        groups: of each category, shape (k,).
        shares: u, of each category within its group.
    """

    contrast: tuple[Fraction, ...]
    population: tuple[Fraction, ...]
    groups: tuple[int, ...]
    shares: tuple[Fraction, ...]

    @classmethod
    def of(cls, contrast: Sequence[Fraction], population: Sequence[Fraction]) -> Merged:
        """Merge the categories with the same number."""
        values = list(dict.fromkeys(contrast))
        groups = tuple(values.index(c) for c in contrast)
        masses = [
            sum((p for p, g in zip(population, groups, strict=True) if g == i), Fraction(0)) for i in range(len(values))
        ]
        shares = (
            p / masses[g] if masses[g] else Fraction(1, groups.count(g))
            for p, g in zip(population, groups, strict=True)
        )
        return cls(tuple(values), tuple(masses), groups, tuple(shares))

    def lifted(self, mechanism: Mechanism) -> Mechanism:
        """Return the mechanism of the categories."""
        return Mechanism([[row[g] for g in self.groups] for row in mechanism.matrix])

    def lifted_dual(self, dual: VarianceDual) -> VarianceDual:
        """Return the dual of the categories."""
        pairs = list(zip(self.shares, self.groups, strict=True))
        matrix = tuple(tuple(u * x for x in dual.matrix[g]) for u, g in pairs)
        return VarianceDual(matrix, tuple(u * dual.alpha[g] for u, g in pairs))


def _target(patterns: Patterns, merged: Merged) -> Array:
    """Return L^T c, shape (r - 1, 1)."""
    import numpy as np

    along: Array = patterns.basis.T @ np.array([[float(c)] for c in merged.contrast])
    return along


def _design(
    problem: Problem, levels: RationalLevels, merged: Merged, patterns: Patterns, point: Point
) -> PatternDesign:
    """Return the exact mechanism at the level below and the exact dual at the level above."""
    import numpy as np

    ends, pi, objective = levels.one_level(), merged.population, COptimality(merged.contrast)
    r, target, (mean,) = len(pi), _target(patterns, merged), objective.means(pi)
    size = float(np.linalg.norm(target))
    chosen, weights, rank = support_of(patterns, point.w, products_with(patterns.c, patterns.c @ point.matrix))
    support = [patterns.bits[j] for j in chosen]
    mechanism = _best(pattern_mechanism(support, weights, ends.below.gamma, rank), merged, ends.below.gamma)
    every, gamma = list(product((0, 1), repeat=r)), ends.above.gamma
    v = patterns.basis @ point.matrix * size / patterns.unit**2
    beta = patterns.basis @ point.a[1:] * size**2 / patterns.unit**3 + 2 * float(mean) * v[:, 0]
    duals = [rounded_dual(objective, v.tolist(), beta.tolist(), every, gamma, pi)]
    if rank == len(support) == r:
        exact = exact_dual(objective, support, every, gamma, pi)
        duals += [exact] if exact else []
    dual = max(duals, key=lambda each: each.bound(objective, pi))
    made = merged.lifted(mechanism)
    upper = problem.objective.value(made, problem.population)
    return PatternDesign(dual.bound(objective, pi), upper, made, merged.lifted_dual(dual))


def _best(mechanism: Mechanism | None, merged: Merged, gamma: Fraction) -> Mechanism:
    """Return the mechanism, or one with a trace of randomized response if it alone does not tell the contrast."""
    direct = randomized_response(len(merged.contrast), gamma)
    if mechanism is None:
        return direct
    objective, pi = COptimality(merged.contrast), merged.population
    scaled = [[(1 - _TRACE) * x for x in row] for row in mechanism.matrix]
    mixed = Mechanism([*scaled, *([_TRACE * x for x in row] for row in direct.matrix)])
    told = [each for each in (mechanism, mixed, direct) if objective.solution(each, pi) is not None]
    values = [objective.value(each, pi) for each in told]
    least = min(values)  # the mechanism itself, unless another one is better by more than a rounding
    return next(each for each, x in zip(told, values, strict=True) if x - least <= abs(least) / 10**12)


def _merged_patterns(problem: Problem, levels: RationalLevels) -> tuple[Merged, Patterns]:
    merged = Merged.of(_contrast(problem), problem.population)
    return merged, all_patterns(levels.one_level().above.gamma, merged.population)


def _contrast(problem: Problem) -> tuple[Fraction, ...]:
    objective = problem.objective
    assert isinstance(objective, COptimality)
    return objective.contrast


def _by_newton(problem: Problem, levels: RationalLevels) -> PatternDesign:
    import numpy as np

    merged, patterns = _merged_patterns(problem, levels)
    target = _target(patterns, merged)
    design_of = partial(_design, problem, levels, merged, patterns)
    return narrowed(patterns, target / np.linalg.norm(target), np.eye(len(target)), design_of)


@dataclass(frozen=True)
class COptimalDesigns(PatternDesigns[PatternDesign]):
    """Designs of the least variance of an estimated contrast, over all mechanisms under one level."""

    name = "c-optimal"
    routes = (Route("convex", by_cvxpy, states, seconds, decides=False), Route("exact", _by_newton))
    found = PatternDesign

    def accepts(self, problem: Problem) -> bool:
        """Return whether it is c-optimality under one level, delta = 0, of few enough categories and numbers."""
        return self.is_own(problem) and self._limit(problem) is None

    def refusal(self, problem: Problem) -> str | None:
        """Return that delta > 0, or that there are too many categories or different numbers in the contrast."""
        return self._limit(problem) if self.is_own(problem) else None

    def is_own(self, problem: Problem) -> bool:
        """Return whether it is c-optimality, of any number of answers."""
        own = is_of_one_population(problem) and not problem.region.outputs
        return own and isinstance(problem.objective, COptimality)

    def _limit(self, problem: Problem) -> str | None:
        inputs, values = problem.region.inputs, len(set(_contrast(problem)))
        why, what = no_patterns(problem), "the objective c-optimal is solved over staircase rows: received"
        if why is None and inputs > _MOST_INPUTS:
            why = f"{what} {inputs} categories; allowed are at most {_MOST_INPUTS} categories; merge some"
        if why is None and values > MOST_VALUES:
            why = (
                f"{what} {values} different numbers in the contrast; allowed are at most {MOST_VALUES}, of at most "
                f"{_MOST_INPUTS} categories; merge categories"
            )
        return why
