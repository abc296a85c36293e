"""D- and E-optimal designs: by theorem at equal shares, by CVXPY, and by the interior-point method of ``pattern_cone``.

With M the information of a mechanism and ``S^T W S <= (alpha . S)(S . pi)`` for all patterns S, ``tr W M <= sum
alpha``: of D the arithmetic and geometric mean of the eigenvalues of W M bound ln det M (Kiefer and Wolfowitz, "The
equivalence of two extremum problems", Canad. J. Math. 12 (1960): with alpha the multipliers of the sums of columns W is
M^-1 at the optimum), of E the least eigenvalue on contrasts is a mean at most (Kiefer, "General equivalence theory for
optimum designs", Ann. Statist. 2 (1974)).

*Equal shares.* Of all mechanisms the subsets of d, each with the same chance, have the largest trace of M on contrasts
(the registry's ``rropt.subset-selection``), and M is there a multiple of the identity. The product of k - 1 eigenvalues
is at most the power of their mean, and the least one at most the mean: so these are D- and E-optimal, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import TYPE_CHECKING, Any

from rropt.core.certificates import Certificate
from rropt.core.exact.brackets import ball, bracket
from rropt.core.exact.numbers import dot
from rropt.designs.certificates.pattern_dual import pattern_mechanism
from rropt.designs.certificates.pattern_forms import FormDual, centred, form_dual
from rropt.designs.convex.a_optimality import MOST_INPUTS
from rropt.designs.convex.free_outputs import by_cvxpy, seconds, states
from rropt.designs.convex.pattern_cone import cone_point
from rropt.designs.convex.pattern_newton import Patterns, Point, all_patterns, products_with, support_of
from rropt.designs.equal_shares import SubsetDesign, contrast_variance, equal_shares_design, randomized_response
from rropt.designs.problem import Problem
from rropt.designs.solution import PatternDesign, RouteResult, recorded_design
from rropt.designs.solving import PatternDesigns, Route, is_of_one_population, no_patterns
from rropt.mechanisms import Mechanism
from rropt.mechanisms.named.categorical import best_subset_size
from rropt.privacy.region import RationalLevels

if TYPE_CHECKING:
    pass

_SLACK = Fraction(1, 10**30)  # what enclosures lose, many times over
_PRECISION = 256
_NEGLIGIBLE = 1e-14  # eigenvalues of X below are 0


def _by_theorem(problem: Problem, levels: RationalLevels) -> PatternDesign:
    ends, k = levels.one_level(), problem.region.inputs
    low, high = ends.below.gamma, ends.above.gamma
    d = best_subset_size(k, low)
    theta = Fraction(k, comb(k, d)) / (d * low + k - d)
    rows = [[theta * (low if j in chosen else 1) for j in range(k)] for chosen in combinations(range(k), d)]
    v = contrast_variance(Fraction(k), best_subset_size(k, high), high)
    share = Fraction(1, k)
    is_d = problem.objective.kind == "d-optimal"
    scale, base, total = (v, share**2, Fraction(k)) if is_d else (Fraction(1), Fraction(0), (k - 1) / v)
    matrix = tuple(tuple(base + scale * ((i == j) - share) for j in range(k)) for i in range(k))
    return SubsetDesign(*_proved(problem, Mechanism(rows), FormDual((total / k,) * k, matrix)))


def _proved(problem: Problem, mechanism: Mechanism, dual: FormDual) -> tuple[Fraction, Fraction, Mechanism, FormDual]:
    """Return the ends of the bracket beside mechanism and dual, with room for what the checker encloses."""
    from flint import ctx

    value, total = problem.objective.value(mechanism, problem.population), sum(dual.alpha, Fraction(0))
    if problem.objective.kind == "e-optimal":
        bound = sum((row[i] for i, row in enumerate(dual.matrix)), Fraction(0)) / total
        return bound, value if bound == value else _upwards(value * (1 + _SLACK)), mechanism, dual
    k = len(dual.alpha)
    with ctx.workprec(_PRECISION):
        bound = bracket(ball((total / k) ** k / _determinant(dual.matrix)).log()).upper
    return -_upwards(_SLACK - value), _upwards(bound + _SLACK), mechanism, dual


def _upwards(value: Fraction) -> Fraction:
    """Return a number of 45 digits or so that is not less."""
    scale = 10 ** max(0, 45 - len(str(int(abs(value)))))
    return Fraction(-(-value.numerator * scale // value.denominator), scale)


def _determinant(matrix: Any) -> Fraction:
    from rropt.mechanisms.left_inverse import flint_matrix

    value = flint_matrix(matrix).det()
    return Fraction(int(value.p), int(value.q))


def _design(problem: Problem, levels: RationalLevels, patterns: Patterns, point: Point) -> PatternDesign:
    """Return the exact mechanism at the level below and the exact dual at the level above."""
    import numpy as np

    ends, k, is_d = levels.one_level(), len(problem.population), problem.objective.kind == "d-optimal"
    chosen, weights, rank = support_of(patterns, point.w, products_with(patterns.c))
    mechanism = randomized_response(k, ends.below.gamma)
    if rank == k:
        support = [patterns.bits[j] for j in chosen]
        mechanism = pattern_mechanism(support, weights, ends.below.gamma) or mechanism
    values, vectors = np.linalg.eigh(point.matrix)
    kept = values > (0 if is_d else _NEGLIGIBLE * values.max())
    scale = 1 / patterns.unit if is_d else 1.0  # X and a are those of c / unit
    root = centred((scale * patterns.basis @ (vectors * np.sqrt(np.maximum(values, 0)))[:, kept]).tolist())
    z = [[dot(row, other) for other in root] for row in root]
    slopes = patterns.basis @ point.a[1:] * (scale if is_d else patterns.unit)
    every = list(product((0, 1), repeat=k))
    dual = form_dual(z, slopes.tolist(), int(is_d), every, ends.above.gamma, problem.population)
    return PatternDesign(*_proved(problem, mechanism, dual))


def _by_cone(problem: Problem, levels: RationalLevels) -> PatternDesign:
    from numpy.linalg import LinAlgError

    patterns = all_patterns(levels.one_level().above.gamma, problem.population)
    try:
        point = cone_point(patterns.s, patterns.c, is_e=problem.objective.kind == "e-optimal")
    except LinAlgError:  # an information that floats do not tell from a singular one
        point = _nothing(patterns)
    return _design(problem, levels, patterns, point)


def _nothing(patterns: Patterns) -> Point:
    """Return equal weights, and a dual that holds and proves little."""
    import numpy as np

    d, sides = patterns.c.shape[1], (patterns.c**2).sum(1)
    return Point(patterns.s / patterns.s.sum(), np.eye(d), np.append(sides.max(), np.zeros(d)))


def _has_equal_shares(problem: Problem) -> bool:
    return len(set(problem.population)) == 1


@dataclass(frozen=True)
class EllipsoidDesigns(PatternDesigns[PatternDesign]):
    """Designs of the smallest confidence ellipsoid of the shares, by volume (D) or by its longest axis (E)."""

    name = "D- and E-optimal"
    routes = (
        Route("closed-form", _by_theorem, _has_equal_shares),
        Route("convex", by_cvxpy, states, seconds, decides=False),
        Route("exact", _by_cone),
    )
    found = PatternDesign

    def accepts(self, problem: Problem) -> bool:
        """Return whether it is D- or E-optimality under one level, delta = 0, of few enough categories."""
        return self.is_own(problem) and no_patterns(problem) is None and problem.region.inputs <= MOST_INPUTS

    def refusal(self, problem: Problem) -> str | None:
        """Return that delta > 0, or that there are too many categories."""
        if not self.is_own(problem) or self.accepts(problem):
            return None
        return no_patterns(problem) or (
            f"the objective {problem.objective.kind} is solved over staircase rows: received {problem.region.inputs} "
            f"categories; allowed are at most {MOST_INPUTS} categories; merge categories"
        )

    def is_own(self, problem: Problem) -> bool:
        """Return whether it is D- or E-optimality, of any number of answers."""
        own = is_of_one_population(problem) and not problem.region.outputs
        return own and problem.objective.kind in ("d-optimal", "e-optimal")

    def recorded(self, problem: Problem, certificate: Certificate) -> RouteResult:
        """Return the design of a certificate: at equal shares subset selection, whose closed form is known."""
        return equal_shares_design(problem, recorded_design(problem, certificate))
