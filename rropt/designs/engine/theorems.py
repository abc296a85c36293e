"""Compute optimal designs in closed form under one level with delta = 0, with their dual solutions.

*D- and E-optimality at equal proportions.* Subset selection, with all subsets of size d equally likely, is optimal.

1. It maximizes the trace of the information matrix M on contrasts (``rropt.subset-selection`` in the registry).
2. For this mechanism, M is a multiple of the identity on contrasts.
3. The product of the k - 1 eigenvalues of M is at most the (k - 1)-th power of their mean, and the least eigenvalue is
   at most the mean. Both bounds are attained by a multiple of the identity.

*Total variation.* Here phi is the absolute value of a linear function, and a mechanism with two outputs is optimal. The
optimum is ``(gamma - 1)/(gamma + 1)`` times the total variation distance of the two distributions (Kairouz, Oh and
Viswanath, JMLR 17 (2016), theorem 6).

The certificates use rule 5. Its values are exact, and for total variation it does not list the staircase rows.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

from rropt.core.exact.brackets import ball, bracket
from rropt.designs.certificates.rays import RayDual
from rropt.designs.certificates.staircase_dual import FormDual, SumDual
from rropt.designs.equal_shares import SubsetDesign, contrast_variance, randomized_response
from rropt.designs.problem import Problem
from rropt.designs.solution import ProvedDesign, StaircaseDesign
from rropt.mechanisms import Mechanism
from rropt.mechanisms.left_inverse import flint_matrix
from rropt.mechanisms.named.categorical import best_subset_size
from rropt.objectives import TotalVariation
from rropt.privacy.region import RationalLevels

MOST_ENUMERATED = 18  # largest number of categories for which rule 5 lists the staircase rows
MOST_INPUTS = 10  # largest k for which subset selection is written out: 252 outputs
_SLACK = Fraction(1, 10**30)  # far larger than the width of the enclosures
_PRECISION = 256


def has_theorem(problem: Problem) -> bool:
    """Return whether a theorem gives the optimal design in closed form."""
    if problem.region.form != "parity":
        return False
    if isinstance(problem.objective, TotalVariation):
        return True
    if problem.objective.kind == "mutual-information" and 1 in problem.population:
        return problem.region.inputs <= MOST_ENUMERATED
    return has_equal_shares(problem) and problem.region.inputs <= MOST_INPUTS


def has_equal_shares(problem: Problem) -> bool:
    """Return whether the objective is D- or E-optimality at equal proportions."""
    return problem.objective.kind in ("d-optimal", "e-optimal") and len(set(problem.population)) == 1


def by_theorem(problem: Problem, levels: RationalLevels) -> StaircaseDesign:
    """Return the optimal design in closed form, with its dual at the level above."""
    if isinstance(problem.objective, TotalVariation):
        return _two_outputs(problem, problem.objective, levels)
    ends, k = levels.one_level(), problem.region.inputs
    if problem.objective.kind == "mutual-information":  # everybody is in one category, so the information is 0
        zero = Fraction(0)
        return StaircaseDesign(zero, zero, randomized_response(k, ends.below.gamma), SumDual((zero,) * k))
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


def _two_outputs(problem: Problem, objective: TotalVariation, levels: RationalLevels) -> StaircaseDesign:
    """Return the design that reports whether the category is more frequent under pi than under the alternative."""
    ends = levels.one_level()
    apart = [p - q for p, q in zip(problem.population, objective.against, strict=True)]
    low, gamma = ends.below.gamma, ends.above.gamma
    rows = [[(low if (v > 0) == first else 1) / (low + 1) for v in apart] for first in (True, False)]
    alpha = tuple((gamma - 1) / (gamma + 1) * abs(v) / 2 for v in apart)
    mechanism = Mechanism(rows)
    value = objective.value(mechanism, problem.population)
    return StaircaseDesign(value, sum(alpha, Fraction(0)), mechanism, SumDual(alpha))


def with_zero_share(problem: Problem, mechanism: Mechanism, dual: RayDual) -> StaircaseDesign:
    """Return a D-optimal design with a zero proportion, in the form of rule 5; rule 25 requires positive proportions.

    Suppose that ``abs(r W)^2 <= (alpha.r)(r.pi)``, and let B be the sum of alpha. Then the matrix ``pi pi^T + (k - 1)/B
    W W^T`` and the vector ``pi + (k - 1)/B alpha`` form a dual for rule 5.
    """
    pi = problem.population
    scale = (len(pi) - 1) / dual.bound()
    square = [[sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0)) for b in dual.matrix] for a in dual.matrix]
    matrix = (tuple(p * q + scale * x for q, x in zip(pi, row, strict=True)) for p, row in zip(pi, square, strict=True))
    alpha = tuple(p + scale * a for p, a in zip(pi, dual.alpha, strict=True))
    return StaircaseDesign(*_proved(problem, mechanism, FormDual(alpha, tuple(matrix))))


def not_negative(found: ProvedDesign) -> StaircaseDesign:
    """Return a design with mutual information near 0 in the form of rule 5, with lower bound 0."""
    zero = Fraction(0)
    return StaircaseDesign(zero, max(found.upper, zero), found.mechanism, SumDual(found.dual.alpha))


def _proved(problem: Problem, mechanism: Mechanism, dual: FormDual) -> tuple[Fraction, Fraction, Mechanism, FormDual]:
    """Return the bounds, widened for the checker's enclosures, with the mechanism and the dual."""
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
    """Round up to a number with about 45 digits."""
    scale = 10 ** max(0, 45 - len(str(int(abs(value)))))
    return Fraction(-(-value.numerator * scale // value.denominator), scale)


def _determinant(matrix: Any) -> Fraction:
    value = flint_matrix(matrix).det()
    return Fraction(int(value.p), int(value.q))
