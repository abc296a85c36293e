"""A-optimal designs: the convex program over the weights of all staircase rows, by Newton's method.

The programme and its dual stand in ``pattern_newton``. The bracket depends on no float: ``certificates.pattern_dual``
makes an exact mechanism and dual.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

from rropt.designs.certificates.pattern_dual import exact_dual, pattern_mechanism, rounded_dual
from rropt.designs.convex.free_outputs import by_cvxpy, seconds, states
from rropt.designs.convex.pattern_newton import (
    Patterns,
    Point,
    all_patterns,
    newton_point,
    polished,
    products_with,
    support_of,
)
from rropt.designs.equal_shares import randomized_response
from rropt.designs.problem import Problem
from rropt.designs.solution import PatternDesign
from rropt.designs.solving import PatternDesigns, Route, is_of_one_population, no_patterns
from rropt.objectives.criteria import symmetric_units
from rropt.privacy.region import RationalLevels

if TYPE_CHECKING:
    from rropt.designs.convex.pattern_newton import Array

# 2^k patterns: 1024 of ten inputs take a second or two.
MOST_INPUTS = 10
FINE = Fraction(1, 10**13)  # a relative gap above is polished


def _design(problem: Problem, levels: RationalLevels, patterns: Patterns, point: Point) -> PatternDesign:
    """Return the exact mechanism at the level below and the exact dual at the level above."""
    import numpy as np

    pi, ends = problem.population, levels.one_level()
    k, gamma, basis = len(pi), ends.above.gamma, patterns.basis
    chosen, weights, _ = support_of(patterns, point.w, products_with(patterns.c))
    support = [patterns.bits[j] for j in chosen]
    below = ends.below.gamma
    mechanism = pattern_mechanism(support, weights, below) or randomized_response(k, below)
    every = list(product((0, 1), repeat=k))
    slopes = 2 * point.matrix @ (basis.T @ np.array([float(p) for p in pi])) * patterns.unit + point.a[1:]
    z, beta = basis @ point.matrix @ basis.T / patterns.unit**2, basis @ slopes / patterns.unit**3
    objective = problem.objective.variances()
    duals = [rounded_dual(objective, z.tolist(), beta.tolist(), every, gamma, pi)]
    if len(support) == k:
        exact = exact_dual(objective, support, every, gamma, pi)
        duals += [exact] if exact else []
    dual = max(duals, key=lambda each: each.bound(objective, pi))
    return PatternDesign(dual.bound(objective, pi), objective.value(mechanism, pi), mechanism, dual)


def narrowed(
    patterns: Patterns, target: Array, units: Array, design_of: Callable[[Point], PatternDesign]
) -> PatternDesign:
    """Return the design of Newton's method, polished where its bracket is wide: the better mechanism and dual of both.

    Args:
        patterns: all of them.
        target, units: B and the matrices that W may be, as ``newton_point`` takes them.
        design_of: the exact design of a point.
    """
    point = newton_point(patterns.s, patterns.c, target, units)
    design = design_of(point)
    again = polished(patterns, point, target, units) if design.gap > design.upper * FINE else None
    if again is None:
        return design
    other = design_of(again)
    bound = max(design, other, key=lambda each: each.lower)
    reached = min(design, other, key=lambda each: each.upper)
    return PatternDesign(bound.lower, reached.upper, reached.mechanism, bound.dual)


def _by_newton(problem: Problem, levels: RationalLevels) -> PatternDesign:
    import numpy as np

    patterns = all_patterns(levels.one_level().above.gamma, problem.population)
    d = patterns.c.shape[1]
    return narrowed(patterns, np.eye(d), symmetric_units(d), partial(_design, problem, levels, patterns))


def _is_own(problem: Problem) -> bool:
    """Return whether it is A-optimality, of any number of answers."""
    return is_of_one_population(problem) and problem.objective.kind == "a-optimal" and not problem.region.outputs


@dataclass(frozen=True)
class AOptimalDesigns(PatternDesigns[PatternDesign]):
    """Designs of the least total variance of the estimated population, over all mechanisms under one level."""

    name = "A-optimal"
    routes = (
        Route("convex", by_cvxpy, states, seconds, decides=False),
        Route("exact", _by_newton),
    )
    found = PatternDesign

    def accepts(self, problem: Problem) -> bool:
        """Return whether it is A-optimality under one level, delta = 0, of few enough categories."""
        return _is_own(problem) and no_patterns(problem) is None and problem.region.inputs <= MOST_INPUTS

    def refusal(self, problem: Problem) -> str | None:
        """Return that delta > 0, or that the rows are too many to be tried."""
        if not _is_own(problem) or self.accepts(problem):
            return None
        why = no_patterns(problem)
        if why is not None:
            return why
        return (
            f"the objective a-optimal is solved over staircase rows: received {problem.region.inputs} categories; "
            f"allowed are at most {MOST_INPUTS} categories, or more in groups of equal shares; merge categories"
        )
