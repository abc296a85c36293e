"""Binary designs of minimum variance: the certificate, the closed-form route, and the route by enumeration.

*Closed form*: Holohan, Leith and Mason (2016), Theorems 2 to 4, Corollary 2.

Let ``m = min(pi, 1 - pi)`` and ``g = delta (gamma + delta) / (gamma + 2 delta - 1)^2``, for gamma >= 1,
0 <= delta <= 1 and (gamma, delta) != (1, 0). The optimal designs are:

* Warner's family: ``p = (gamma + delta) / (gamma + 1)``, for every pi (Theorem 4).
* delta = 0: only the diagonal point ``p00 = p11 = gamma / (gamma + 1)`` (Theorem 2).
* delta = 1: direct questioning (1, 1) is the only optimal extreme design.
* m > g: the diagonal point ``p00 = p11 = (gamma + delta) / (gamma + 1)``. m < g: a corner. m = g: both. The corner is
  (1, delta) for pi < 1/2 and (delta, 1) for pi > 1/2. For pi = 1/2, *both corners* are optimal; the published Theorem 3
  and Corollary 2 each name only one of them.
* pi = 0 with delta > 0: every design (1, b), 0 < b <= delta, has variance 0. pi = 1 is the mirror image.

*Enumeration* of the vertices of the privacy region (12):

1. With ``u = 1/(p00 + p11 - 1)`` and ``x = p00 u``, the designs with p00 + p11 > 1 become a polyhedron.
2. n Var becomes the product ``(u - x + pi)(x - pi)`` of two affine forms that are nonnegative on the polyhedron. Such a
   product is quasi-concave, so it attains its minimum at a vertex (checker/binary_bracket.md).
3. The map takes vertices to vertices. It therefore suffices to compare the vertices of the region with p00 + p11 > 1.

Both routes find all extreme optima, which the statement ``binary-bracket`` certifies."""

from __future__ import annotations

from fractions import Fraction

from rropt.core.certificates import Certificate
from rropt.core.errors import FileFormatError, shown
from rropt.core.exact import Bracket, ExactReal
from rropt.core.exact.reals import Scalar
from rropt.designs import formulas
from rropt.designs.certificates import binary_problem, certify_binary_bracket
from rropt.designs.problem import Problem
from rropt.designs.solution import DecidedDesigns, OptimalSegment, recorded_design
from rropt.mechanisms import Mechanism
from rropt.objectives import binary_variance
from rropt.privacy import RationalLevel
from rropt.privacy.region import OneLevelRegion, RationalLevels

_HALF = Fraction(1, 2)

Valued = tuple[Fraction, tuple[Fraction, Fraction]]  # n Var of a design, and (p00, p11)


def solve_closed_form(problem: Problem, levels: RationalLevels) -> DecidedDesigns:
    """Return the optimum by closed form; ties are decided at the exact level, values at rational levels around it."""
    region, pi = problem.region.one_level(), problem.prevalence
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
    """Return the segment of designs of variance 0 if pi is 0 or 1 and delta > 0; else ``None``."""
    zero, one = Fraction(0), Fraction(1)
    if delta and pi == 0:
        return OptimalSegment((one, zero), (one, delta))
    if delta and pi == 1:
        return OptimalSegment((zero, one), (delta, one))
    return None


def _optimal_points(gamma: Scalar, delta: Scalar, pi: Fraction, warner: bool) -> list[str]:
    """Return the names of the optimal designs at an exact level."""
    if warner or delta == 0 or delta == 1:  # at delta = 1 the diagonal point and the corners coincide
        return ["diagonal"]
    numerator, denominator = formulas.threshold(gamma, delta)
    excess = min(pi, 1 - pi) * denominator - numerator  # has the sign of m - g
    names = ["diagonal"] if excess >= 0 else []
    if excess <= 0:
        names += ["corner_p00"] if pi <= _HALF else []
        names += ["corner_p11"] if pi >= _HALF else []
    return names


def _valued(name: str, level: RationalLevel, pi: Fraction) -> Valued:
    """Return n Var and the probabilities (p00, p11) of a named design, by closed form."""
    corner, diagonal = formulas.corner_probability(level.delta), formulas.diagonal_probability(level.gamma, level.delta)
    variance, p00, p11 = {
        "diagonal": (formulas.diagonal_variance(level.gamma, level.delta, pi), diagonal, diagonal),
        "corner_p00": (formulas.corner_p00_variance(level.delta, pi), (1, 1), corner),
        "corner_p11": (formulas.corner_p11_variance(level.delta, pi), corner, (1, 1)),
    }[name]
    return Fraction(*variance), (Fraction(*p00), Fraction(*p11))


def solve_exact(problem: Problem, levels: RationalLevels) -> DecidedDesigns:
    """Return the optimum by enumeration at the rational levels; ties are decided at the exact level."""
    region, pi = problem.region.one_level(), problem.prevalence
    below = _valued_vertices(region, levels.below, pi)
    above = below if levels.is_exact else _valued_vertices(region, levels.above, pi)
    lower = min(value for value, _ in above.values())
    least = min(value for value, _ in below.values())
    # The variance falls as the level grows. So a vertex whose value at the level above exceeds the best value at the
    # level below is not optimal at the level itself.
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
    """Return n Var and the design for each vertex with p00 + p11 > 1, by the labels of its tight inequalities."""
    return {
        vertex.tight: (binary_variance(vertex.p00, vertex.p11, pi), (vertex.p00, vertex.p11))
        for vertex in region.vertices(level)
        if vertex.p00 + vertex.p11 > 1
    }


def _best_at_exact_level(
    region: OneLevelRegion, pi: Fraction, candidates: list[tuple[str, ...]]
) -> list[tuple[str, ...]]:
    """Return the candidates of minimum variance at the exact level, compared as exact real numbers."""
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
    """Return the edge on which the variance is 0; ``None`` if there is no such edge.

    A product of affine forms is strictly quasi-concave where it is positive. If it is constant along an edge, it is
    therefore 0 there. So an infinite optimal set is such an edge: p00 = 1 at pi = 0, or p11 = 1 at pi = 1. One endpoint
    of the edge has p00 + p11 = 1.
    """
    if pi not in (0, 1) or region.family != "all":
        return None
    edge = "p00<=1" if pi == 0 else "p11<=1"
    ends = sorted(
        ((vertex.p00, vertex.p11) for vertex in region.vertices(level) if edge in vertex.tight),
        key=lambda design: sum(design),
    )
    return OptimalSegment(ends[0], ends[-1]) if sum(ends[-1]) > 1 else None


# Maximal `upper - lower` of a certified optimum at an irrational gamma, absolute and relative to the optimum. The
# documented width is 1e-12, relative and absolute. This limit is ten times smaller, so that sums and printed decimals
# of a few designs are also within the documented width.
BRACKET_GAP = Fraction(1, 10**13)


def read_binary(problem: Problem, certificate: Certificate) -> DecidedDesigns:
    """Return all extreme optimal designs that the certificate lists.

    Raises:
        FileFormatError: the certificate belongs to another problem, or its designs do not begin with its mechanism.
    """
    found, claim = recorded_design(problem, certificate), certificate.claim
    first, segment = claim["mechanism"], claim.get("set")
    listed = claim.get("optima") or [first]
    if not isinstance(listed, list) or not listed or listed[0] != first:
        raise FileFormatError(
            f"the record of a solution contains a certificate whose optima do not begin with its mechanism: received "
            f"{shown(str(listed))}; use the record as it was written"
        )
    optima = tuple(map(Mechanism.from_dict, listed))
    optimal_set = None if segment is None else OptimalSegment.from_dict(segment)
    return DecidedDesigns(found.lower, found.upper, optima, optimal_set)


def certify_binary(problem: Problem, levels: RationalLevels, best: DecidedDesigns) -> Certificate:
    """Return the certificate of the bracket and of all optimal designs."""
    return certify_binary_bracket(
        binary_problem(problem.region.certified_dict(), (problem.prevalence,) * 2),
        levels,
        Bracket(best.lower, best.upper),
        best.optima[0],
        optima=best.optima,
        optimal_set=best.optimal_set.to_dict() if best.optimal_set else None,
    )
