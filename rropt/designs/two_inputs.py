"""Designs for two categories: two outputs with the least n Var, any number of outputs, and three.

**Two outputs.** *Closed form*: Holohan, Leith and Mason (2016), Theorems 2 to 4, Corollary 2.

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

Both routes find all extreme optima, which the statement ``binary-bracket`` certifies.

**Any number of outputs**: four are enough. With probability delta the mechanism reports the truth, and the output shows
that it is the truth. Otherwise it applies randomized response at epsilon. With g = exp(epsilon) and
c = (1 - delta)/(1 + g), its rows are

    (delta, 0)        (c g, c)        (c, c g)        (0, delta).

Every (epsilon, delta) mechanism with two inputs is a garbling (post-processing) of this one: see
``rropt.garbling-of-four`` in the registry. The proof uses the region of hypothesis tests of Kairouz, Oh and Viswanath,
"The composition theorem for differential privacy", IEEE Trans. Inf. Theory 63 (2017). Hence the mechanism is optimal at
every pi and for every estimator. Its smallest n Var is one over the Fisher information

    I = delta/(pi (1 - pi)) + (1 - delta)(g - 1)^2/(g + (g - 1)^2 pi (1 - pi)).

*The program.* The information of a row r is ``phi(r) = (r_1 - r_0)^2/(r . pi)``. The rays of the region are (1, 0),
(g, 1), (1, g) and (0, 1), and their weights solve a linear program (``engine.ray_designs``). Its multipliers alpha and
mu bound the information of all mechanisms: if ``phi(r) <= alpha . r + mu . excesses`` on the rays, then
``I <= sum alpha + delta sum mu`` (checker/design_bracket.md).

**Three outputs**: two of the four outputs are merged.

Every (epsilon, delta) mechanism Q with three outputs is C P, where P is the four-output mechanism and C is a 3 x 4
matrix whose columns sum to 1. The information of C P is convex in C, so an extreme point C attains the maximum: a map
that merges two of the four outputs.

*Closed form*: the route tries the six pairs. (Neighbours in likelihood ratio would suffice: Kurkoski and Yagi,
"Quantization of binary-input discrete memoryless channels", IEEE Trans. Inf. Theory 60 (2014).)

*Enumeration*: the route tries all vertices of the polytope of private 3 x 2 matrices, 3060 bases in four dimensions. It
does not use P.

The two routes must find the same value. The checker proves it (checker/binary_bracket.md): the best of the six merged
mechanisms at the level above bounds all mechanisms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any, ClassVar

from rropt.core.argument_checks import clear_calls, require_flags
from rropt.core.certificates import Certificate
from rropt.core.errors import FileFormatError, UnsupportedProblemError, shown
from rropt.core.exact import Bracket, ExactReal
from rropt.core.exact.rational_bounds import FIRST_BRACKET_DIGITS, MAX_BRACKET_DIGITS
from rropt.core.exact.reals import Scalar
from rropt.core.linear.vertices import vertices
from rropt.designs import closed_forms
from rropt.designs.engine.ray_designs import is_listed, solved_by_rays
from rropt.designs.problem import Problem
from rropt.designs.recorded_designs import recorded_design
from rropt.designs.routes import DecidedDesigns, OptimalSegment, ProvedDesign, Route, RouteResult
from rropt.designs.way_table import LevelRound, Way
from rropt.designs.writers.binary import certify_binary_bracket
from rropt.designs.writers.bracket_writer import RayDual, Slope
from rropt.mechanisms import Mechanism
from rropt.mechanisms.fisher_information import fisher_information
from rropt.objectives import binary_variance
from rropt.privacy import RationalLevel
from rropt.privacy.region import PrivacyRegion, RationalLevels

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
        designs=tuple(Mechanism.binary(*design) for design in sorted({design for _, design in found})),
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
    numerator, denominator = closed_forms.threshold(gamma, delta)
    excess = min(pi, 1 - pi) * denominator - numerator  # has the sign of m - g
    names = ["diagonal"] if excess >= 0 else []
    if excess <= 0:
        names += ["corner_p00"] if pi <= _HALF else []
        names += ["corner_p11"] if pi >= _HALF else []
    return names


def _valued(name: str, level: RationalLevel, pi: Fraction) -> Valued:
    """Return n Var and the probabilities (p00, p11) of a named design, by closed form."""
    gamma, delta, one = level.gamma, level.delta, Fraction(1)
    if name == "corner_p00":
        return Fraction(*closed_forms.corner_p00_variance(delta, pi)), (one, delta)
    if name == "corner_p11":
        return Fraction(*closed_forms.corner_p11_variance(delta, pi)), (delta, one)
    p = Fraction(*closed_forms.diagonal_probability(gamma, delta))
    return Fraction(*closed_forms.diagonal_variance(gamma, delta, pi)), (p, p)


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
        designs=tuple(Mechanism.binary(*design) for design in designs),
        optimal_set=_zero_variance_edge(region, levels.below, pi),
    )


def _valued_vertices(region: PrivacyRegion, level: RationalLevel, pi: Fraction) -> dict[tuple[str, ...], Valued]:
    """Return n Var and the design for each vertex with p00 + p11 > 1, by the labels of its tight inequalities."""
    return {
        vertex.tight: (binary_variance(vertex.p00, vertex.p11, pi), (vertex.p00, vertex.p11))
        for vertex in region.vertices(level)
        if vertex.p00 + vertex.p11 > 1
    }


def _best_at_exact_level(
    region: PrivacyRegion, pi: Fraction, candidates: list[tuple[str, ...]]
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


def _zero_variance_edge(region: PrivacyRegion, level: RationalLevel, pi: Fraction) -> OptimalSegment | None:
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
# documented width with two outputs is 1e-12, relative and absolute. This limit is ten times smaller, so that sums and
# printed decimals of a few designs are also within the documented width.
BRACKET_GAP = Fraction(1, 10**13)


class BinaryWay(Way[DecidedDesigns]):
    """The row of two outputs, whose ties are decided: a finer bracket may decide one that the checker rejects."""

    def finer_bracket(self, at: LevelRound, best: DecidedDesigns) -> LevelRound | None:
        """Return a finer bracket until that of n Var has the documented width, absolute and relative."""
        is_narrow = at.is_fine(best) and best.gap <= BRACKET_GAP * min(Fraction(1), best.upper)
        return None if is_narrow else at.finer()

    def after_rejection(self, at: LevelRound) -> LevelRound | None:
        """Return a finer bracket, with numbers of any length."""
        return at.finer()


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
    return DecidedDesigns(found.lower, found.upper, optima, optimal_set=optimal_set)


def certify_binary(problem: Problem, levels: RationalLevels, best: RouteResult) -> Certificate:
    """Return the certificate of the bracket and, with two outputs, of all optimal designs."""
    return certify_binary_bracket(
        problem.region,
        (problem.prevalence,) * 2,
        levels,
        Bracket(best.lower, best.upper),
        best.designs,
        are_all=isinstance(best, DecidedDesigns),
        optimal_set=best.optimal_set.to_dict() if best.optimal_set else None,
    )


@clear_calls
def closed_form_optimum(problem: Problem, *, certify: bool) -> tuple[RationalLevels, Mechanism, Certificate | None]:
    """Return rational levels around the problem's level, the closed-form optimum, and its accepted certificate.

    Args:
        problem: a binary problem that has a closed-form solution.
        certify: whether to write and check a certificate.
    """
    require_flags(certify=certify)
    digits = FIRST_BRACKET_DIGITS
    while True:
        levels = problem.region.one_level().bracket(digits)
        found = solve_closed_form(problem, levels)
        if not certify:
            return levels, found.designs[0], None
        made = partial(certify_binary, problem, levels, found)
        certificate = Certificate.attempt(made)
        if not certificate.failure or certificate.is_missing or digits > MAX_BRACKET_DIGITS:
            return levels, found.designs[0], certificate
        digits *= 2  # if the bracket is too wide, its endpoints may leave a tie undecided


def four_rows(gamma: Any, delta: Any) -> list[tuple[Any, Any]]:
    """Return the rows of the four-output mechanism, over any field: certainly no, rather no, rather yes, surely yes."""
    zero = 0 * delta
    likely, unlikely = (1 - delta) * gamma / (1 + gamma), (1 - delta) / (1 + gamma)
    return [(delta, zero), (likely, unlikely), (unlikely, likely), (zero, delta)]


def four_answers(level: RationalLevel) -> Mechanism:
    """Return the mechanism at a rational level, without impossible outputs and with equal rows merged.

    >>> mechanism = four_answers(RationalLevel(Fraction(3), Fraction(1, 5)))
    >>> [[str(x) for x in row] for row in mechanism.matrix]
    [['1/5', '0'], ['3/5', '1/5'], ['1/5', '3/5'], ['0', '1/5']]
    """
    certain, likely, unlikely, sure = four_rows(level.gamma, level.delta)
    between = [likely, unlikely] if level.gamma > 1 else [tuple(x + y for x, y in zip(likely, unlikely, strict=True))]
    return Mechanism([row for row in (certain, *between, sure) if any(row)])


def _four_by_theorem(problem: Problem, levels: RationalLevels) -> ProvedDesign:
    """Return the optimal mechanism and a dual with equality on all four rays (``rropt.any-output`` of the registry).

    W has the column (-1, 1), and its opposite if both proportions are estimated.
    """
    (level, above), pi, one = (levels.below, levels.above), problem.prevalence, Fraction(1)
    times, lean = problem.objective.prevalence_times, (above.gamma - 1) ** 2
    each = lean / (above.gamma + lean * pi * (1 - pi))
    alpha = times * each * pi, times * each * (1 - pi)
    slopes = (times / (1 - pi) - alpha[0], times / pi - alpha[1]) if above.delta else ()
    bends = tuple(Slope(0, (j, 1 - j), above.gamma, above.delta, x) for j, x in enumerate(slopes) if x)
    dual = RayDual(alpha, bends, ((-one,), (one,)) if times == 1 else ((one, -one), (-one, one)))
    mechanism = four_answers(level)
    value = problem.objective.value(mechanism, problem.population)
    return ProvedDesign(times**2 / dual.bound(), value, mechanism, dual)


def limit_of_prevalence(problem: Problem) -> str | None:
    """Return the reason for a refusal: the prevalence is 0 or 1 although delta > 0. None if there is no reason."""
    if problem.region.form != "excess" or problem.prevalence not in (0, 1):
        return None
    fewer = "leave out `outputs`, or " * problem.objective.is_of_prevalence
    return (
        f"with delta > 0 the least n Var is 0 at prevalence {problem.prevalence}: two outputs reach it, "
        f"and more cannot do better; {fewer}guess a prevalence between 0 and 1"
    )


def is_of_two_inputs(problem: Problem) -> bool:
    """Return whether the objective is n Var, or A-optimality for two categories with delta > 0."""
    times = problem.objective.prevalence_times
    return times == 1 or (times > 1 and problem.region.form == "excess" and problem.region.inputs == 2)


ANY_OUTPUT = (Route("closed-form", _four_by_theorem), Route("exact", solved_by_rays, is_listed))


@dataclass(frozen=True, slots=True)
class ThreeAnswers(ProvedDesign):
    """The optimal three-output mechanism; the routes must agree on its value, not only on the bracket."""

    decided: ClassVar[tuple[str, ...]] = ("upper",)

    def lines(self) -> list[tuple[str, str]]:
        """Return what is proved about the optimality, as label and value."""
        return [("optimality", "proved: the best of six ways to merge two of four outputs")]


def _best_pair(level: RationalLevel, pi: Fraction) -> tuple[int, int]:
    """Return the two of the four outputs whose merging leaves the most information."""
    rows = four_rows(level.gamma, level.delta)
    return max(combinations(range(4), 2), key=lambda pair: _information(merged_outputs(rows, pair), pi))


def _information(mechanism: Mechanism, pi: Fraction) -> Fraction:
    return fisher_information(mechanism, pi) or Fraction(0)


def merged_outputs(rows: Sequence[tuple[Fraction, Fraction]], pair: tuple[int, int]) -> Mechanism:
    """Return the mechanism with two outputs merged, in the position of the first."""
    i, j = pair
    one = rows[i][0] + rows[j][0], rows[i][1] + rows[j][1]
    return Mechanism([one if y == i else row for y, row in enumerate(rows) if y != j])


def _three_by_theorem(problem: Problem, levels: RationalLevels) -> ThreeAnswers:
    below, pi = levels.below, problem.prevalence
    return _proved_of_three(problem, levels, merged_outputs(four_rows(below.gamma, below.delta), _best_pair(below, pi)))


def _three_by_vertices(problem: Problem, levels: RationalLevels) -> ThreeAnswers:
    """Return the private matrix with the largest information: the information is convex, so a vertex attains it."""
    level, pi = levels.below, problem.prevalence

    def rank(mechanism: Mechanism) -> tuple[Fraction, tuple[tuple[Fraction, ...], ...]]:
        return _information(mechanism, pi), mechanism.matrix

    return _proved_of_three(problem, levels, max(_vertices_of_three(level), key=rank))


def _vertices_of_three(level: RationalLevel) -> list[Mechanism]:
    """Return the vertices of the polytope of private mechanisms.

    The coordinates are the entries (a_0, a_1, b_0, b_1) of the first two rows; the third row is the remainder.
    """
    entries, gamma, delta = [[1, 0, 0], [0, 1, 0], [-1, -1, 1]], level.gamma, level.delta
    rows: list[list[Fraction | int]] = [[x, y, 0, 0, c] for x, y, c in entries]
    rows += [[0, 0, x, y, c] for x, y, c in entries]
    for size in (1, 2):
        for chosen in combinations(entries, size):
            x, y, c = (sum(part) for part in zip(*chosen, strict=True))
            rows.append([-x, -y, gamma * x, gamma * y, gamma * c + delta - c])
            rows.append([gamma * x, gamma * y, -x, -y, gamma * c + delta - c])
    found = []
    for a, b, c, d in vertices(rows):
        found.append(Mechanism([[a, c], [b, d], [1 - a - b, 1 - c - d]]))
    return found


def _proved_of_three(problem: Problem, levels: RationalLevels, mechanism: Mechanism) -> ThreeAnswers:
    """Return the bracket of a mechanism; the lower bound is that of the best merged mechanism at the level above."""
    above, pi = levels.above, problem.prevalence
    best = merged_outputs(four_rows(above.gamma, above.delta), _best_pair(above, pi))
    most, own = _information(best, pi), _information(mechanism, pi)
    if not own:
        raise UnsupportedProblemError(f"no mechanism with three outputs identifies the prevalence: received {problem}")
    return ThreeAnswers(1 / most, 1 / own, mechanism, None)


THREE_OUTPUTS = (Route("closed-form", _three_by_theorem), Route("exact", _three_by_vertices))
