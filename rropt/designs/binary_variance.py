"""Binary designs of least variance: the class, its route by theorem, and its route by enumeration.

*By theorem*: Holohan, Leith and Mason (2016), Theorems 2 to 4, Corollary 2.

With ``m = min(pi, 1 - pi)`` and ``g = delta (gamma + delta) / (gamma + 2 delta - 1)^2``, for gamma >= 1 and
0 <= delta <= 1, (gamma, delta) not (1, 0):

* Warner's family: ``p = (gamma + delta) / (gamma + 1)``, for every pi (Theorem 4).
* delta = 0: the diagonal point ``p00 = p11 = gamma / (gamma + 1)`` alone (Theorem 2).
* delta = 1: direct questioning (1, 1) alone among the extreme designs.
* m > g: the diagonal point ``p00 = p11 = (gamma + delta) / (gamma + 1)``; m < g: a corner; m = g: both. The corner is
  (1, delta) for pi < 1/2, (delta, 1) for pi > 1/2, and *both corners* for pi = 1/2: there the printed Theorem 3 and
  Corollary 2 each name only one of them.
* At pi = 0 (pi = 1) with delta > 0 every design (1, b), 0 < b <= delta (mirrored) has variance 0.

*By enumeration* of the vertices of the privacy region. With ``u = 1/(p00 + p11 - 1)`` and ``x = p00 u`` the designs
with p00 + p11 > 1 become a polyhedron and n Var the product ``(u - x + pi)(x - pi)`` of two affine forms that are
nonnegative on it: a quasi-concave function, which attains its least value at a vertex (FORMAT.md, vertex rule). The map
takes vertices to vertices, so it suffices to look at the vertices of the region (12) with p00 + p11 > 1. Both find all
extreme optima, which the vertex rule certifies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from rropt.core.certificates import Certificate
from rropt.core.errors import RouteDisagreementError
from rropt.core.exact import ExactReal
from rropt.core.exact.reals import Scalar
from rropt.designs import formulas
from rropt.designs.certificates import certify_vertex_rule
from rropt.designs.convex.binary_variance import solve_convex
from rropt.designs.problem import Problem
from rropt.designs.solution import DecidedDesigns, OptimalSegment, RouteResult, recorded_design
from rropt.designs.solving import DesignClass, Route, is_of_one_population
from rropt.mechanisms import Mechanism
from rropt.objectives import binary_variance
from rropt.privacy import RationalLevel
from rropt.privacy.region import OneLevelRegion, RationalLevels

_HALF = Fraction(1, 2)

Valued = tuple[Fraction, tuple[Fraction, Fraction]]  # n Var of a design, and (p00, p11)


def solve_closed_form(problem: Problem, levels: RationalLevels) -> DecidedDesigns:
    """Return the optimum by theorem. Ties are decided at the exact level, values at the rational levels around it."""
    region, pi, levels = problem.region.one_level(), problem.prevalence, levels.one_level()
    warner = region.family == "warner"
    exact_gamma: Scalar = region.epsilon.gamma or region.epsilon.exact_gamma()
    delta = region.delta.rational
    exact_delta: Scalar = region.delta.exact() if delta is None else delta
    names = _optimal_points(exact_gamma, exact_delta, pi, warner)
    above = _optimal_points(levels.above.gamma, levels.above.delta, pi, warner)
    found = [_valued(name, levels.below, pi) for name in names]
    return DecidedDesigns(
        lower=_valued(above[0], levels.above, pi)[0],
        upper=found[0][0],
        optima=tuple(Mechanism.binary(*design) for design in sorted({design for _, design in found})),
        optimal_set=None if warner else optimal_set_at(pi, levels.below.delta),
    )


def optimal_set_at(pi: Fraction, delta: Fraction) -> OptimalSegment | None:
    """Return the segment of designs of variance 0 at pi in {0, 1} and delta > 0; else None (the optima are all)."""
    zero, one = Fraction(0), Fraction(1)
    if delta and pi == 0:
        return OptimalSegment((one, zero), (one, delta))
    if delta and pi == 1:
        return OptimalSegment((zero, one), (delta, one))
    return None


def _optimal_points(gamma: Scalar, delta: Scalar, pi: Fraction, warner: bool) -> list[str]:
    """Return the names of the optimal candidates at an exact level."""
    if warner or delta == 0 or delta == 1:  # at delta = 1 the three candidates are one point
        return ["diagonal"]
    numerator, denominator = formulas.threshold(gamma, delta)
    excess = min(pi, 1 - pi) * denominator - numerator  # of the sign of m - g
    names = ["diagonal"] if excess >= 0 else []
    if excess <= 0:
        names += ["corner_p00"] if pi <= _HALF else []
        names += ["corner_p11"] if pi >= _HALF else []
    return names


def _valued(name: str, level: RationalLevel, pi: Fraction) -> Valued:
    """Return n Var and the design of a candidate, by theorem."""
    corner, diagonal = formulas.corner_probability(level.delta), formulas.diagonal_probability(level.gamma, level.delta)
    variance, p00, p11 = {
        "diagonal": (formulas.diagonal_variance(level.gamma, level.delta, pi), diagonal, diagonal),
        "corner_p00": (formulas.corner_p00_variance(level.delta, pi), (1, 1), corner),
        "corner_p11": (formulas.corner_p11_variance(level.delta, pi), corner, (1, 1)),
    }[name]
    return Fraction(*variance), (Fraction(*p00), Fraction(*p11))


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


# `upper - lower` of a certified optimum at irrational gamma, absolute and relative to the optimum. Ten times finer
# than the 1e-12, relative and absolute, that is promised, so that
# sums and printed decimals of a few designs keep the promise.
BRACKET_GAP = Fraction(1, 10**13)


@dataclass(frozen=True)
class BinaryVariance(DesignClass[DecidedDesigns]):
    """Least n Var over a binary region with one level: the optima are vertices, and ties are decided."""

    name = "binary variance"
    routes = (Route("closed-form", solve_closed_form), Route("convex", solve_convex), Route("exact", solve_exact))
    found = DecidedDesigns

    def accepts(self, problem: Problem) -> bool:
        """Return whether the objective is n Var, of two answers under one level."""
        one = is_of_one_population(problem) and problem.region.has_one_level
        return one and problem.objective.prevalence_times == 1 and problem.region.outputs == 2

    def recorded(self, problem: Problem, certificate: Certificate) -> DecidedDesigns:
        """Return all extreme optimal designs, as the certificate lists them."""
        found = recorded_design(problem, certificate)
        return DecidedDesigns(found.lower, found.upper, found.recorded, found.recorded_set)

    def is_settled(self, best: DecidedDesigns, certificate: Certificate) -> bool:
        """Return whether the bracket is narrow; one that leaves a near-tie open is rejected (FORMAT.md, rule 2)."""
        return best.gap <= BRACKET_GAP * min(Fraction(1), best.upper) and bool(certificate.check())

    def agreed(self, problem: Problem, results: Mapping[str, RouteResult]) -> DecidedDesigns:
        """Return the result, after holding the optimal designs of all routes against each other too."""
        best = super().agreed(problem, results)
        decided = [(name, result) for name, result in results.items() if isinstance(result, DecidedDesigns)]
        for (left, a), (right, b) in combinations(decided, 2):
            if (a.optima, a.optimal_set) != (b.optima, b.optimal_set):
                raise RouteDisagreementError(
                    f"routes {left} and {right} disagree on the optimal designs of {problem}: {a.optima} against "
                    f"{b.optima}"
                )
        return best

    def certificate(self, problem: Problem, levels: RationalLevels, best: DecidedDesigns) -> Certificate:
        """Return the certificate of the vertex rule."""
        return certify_vertex_rule(
            problem,
            levels.one_level(),
            lower=best.lower,
            upper=best.upper,
            optima=best.optima,
            optimal_set=best.optimal_set.to_dict() if best.optimal_set else None,
        )
