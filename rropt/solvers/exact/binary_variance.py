"""The least variance of a binary design, by enumeration of the vertices of its privacy region.

With ``u = 1/(p00 + p11 - 1)`` and ``x = p00 u`` the designs with p00 + p11 > 1 become a polyhedron and n Var the
product ``(u - x + pi)(x - pi)`` of two affine forms that are nonnegative on it: a quasi-concave function, which
attains its least value at a vertex (FORMAT.md, vertex rule). The map takes vertices to vertices, so it suffices to
look at the vertices of the region (12) with p00 + p11 > 1.
"""

from __future__ import annotations

from fractions import Fraction

from rropt.exact import ExactReal
from rropt.mechanisms import Mechanism
from rropt.objectives import binary_variance
from rropt.privacy import RationalLevel
from rropt.privacy.levels import RationalLevels
from rropt.privacy.one_level_region import OneLevelRegion
from rropt.problem import Problem
from rropt.solvers.results import DecidedDesigns, OptimalSegment

Valued = tuple[Fraction, tuple[Fraction, Fraction]]


def solve_exact(problem: Problem, levels: RationalLevels) -> DecidedDesigns:
    """Return the optimum by enumeration at the rational levels; ties between them are decided at the exact level."""
    region, pi, levels = problem.region.one_level(), problem.prevalence, levels.one_level()
    below, above = (_valued_vertices(region, level, pi) for level in (levels.below, levels.above))
    lower = min(value for value, _ in above.values())
    least = min(value for value, _ in below.values())
    # values fall as the level grows: a vertex that is worse above than the best below is worse at the level itself
    candidates = [tight for tight, (value, _) in above.items() if value <= least and tight in below]
    best = candidates if levels.is_exact else _best_at_exact_level(region, pi, candidates)
    designs = sorted(below[tight][1] for tight in best)
    return DecidedDesigns(
        lower=lower,
        upper=binary_variance(*designs[0], pi),
        optima=tuple(Mechanism.binary(*design) for design in designs),
        optimal_set=_zero_variance_edge(region, levels.below, pi),
    )


def _valued_vertices(region: OneLevelRegion, level: RationalLevel, pi: Fraction) -> dict[tuple[str, ...], Valued]:
    """Return n Var and design of each vertex with p00 + p11 > 1, by its tight labels."""
    return {
        vertex.tight: (binary_variance(vertex.p00, vertex.p11, pi), (vertex.p00, vertex.p11))
        for vertex in region.vertices(level)
        if vertex.p00 + vertex.p11 > 1
    }


def _best_at_exact_level(
    region: OneLevelRegion, pi: Fraction, candidates: list[tuple[str, ...]]
) -> list[tuple[str, ...]]:
    """Return the candidates of least variance at the exact level, compared as exact real numbers."""
    if len(candidates) < 2:
        return candidates
    best: list[tuple[str, ...]] = []
    least = (ExactReal.of(0), ExactReal.of(1))
    for tight in candidates:
        a, b, w = region.exact_vertex(tight)
        positive = (1 - pi) * (w - a) + pi * b  # lambda times w
        value = (positive * (w - positive), (a + b - w) ** 2)  # numerator, positive denominator
        order = (value[0] * least[1] - least[0] * value[1]).sign() if best else -1
        if order < 0:
            best, least = [tight], value
        elif order == 0:
            best.append(tight)
    return best


def _zero_variance_edge(region: OneLevelRegion, level: RationalLevel, pi: Fraction) -> OptimalSegment | None:
    """Return the edge on which the variance vanishes, if there is one: two designs, one with p00 + p11 = 1.

    A product of affine forms that is constant along an edge is 0 there (it is strictly quasi-concave where it is
    positive), so an infinite optimal set is such an edge: p00 = 1 at pi = 0, p11 = 1 at pi = 1.
    """
    if pi not in (0, 1) or region.family != "all":
        return None
    edge = "p00<=1" if pi == 0 else "p11<=1"
    ends = sorted(
        ((vertex.p00, vertex.p11) for vertex in region.vertices(level) if edge in vertex.tight),
        key=lambda design: sum(design),
    )
    return OptimalSegment(ends[0], ends[-1]) if sum(ends[-1]) > 1 else None
