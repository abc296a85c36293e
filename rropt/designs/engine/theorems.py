"""Closed forms of designs over staircase rows: a theorem gives mechanism and dual at once, for as many categories.

*Equal shares, D and E.* Of all mechanisms the subsets of d, each with the same probability, have the largest trace of M
on contrasts (the registry's ``rropt.subset-selection``), and M is there a multiple of the identity. The product of k -
1 eigenvalues is at most the power of their mean, and the least one at most the mean: so these are D- and E-optimal,
too.

*Total variation.* phi is the absolute value of a linear function, two outputs are best, and the optimum is ``(gamma -
1)/(gamma + 1)`` times the total variation of the two populations (Kairouz, Oh and Viswanath, JMLR 17 (2016), theorem
6).

Their certificates are those of rule 5, whose values are exact and which lists no rows of a total variation.
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

MOST_ENUMERATED = 18  # categories whose staircase rows rule 5 lists
MOST_INPUTS = 10  # of subset selection that is written out: 252 outputs
_SLACK = Fraction(1, 10**30)  # what enclosures lose, many times over
_PRECISION = 256


def has_theorem(problem: Problem) -> bool:
    """Return whether a theorem gives the design, under one level with delta = 0."""
    if problem.region.form != "parity":
        return False
    if isinstance(problem.objective, TotalVariation):
        return True
    if problem.objective.kind == "mutual-information" and 1 in problem.population:
        return problem.region.inputs <= MOST_ENUMERATED
    return has_equal_shares(problem) and problem.region.inputs <= MOST_INPUTS


def has_equal_shares(problem: Problem) -> bool:
    """Return whether it is D- or E-optimality at equal proportions."""
    return problem.objective.kind in ("d-optimal", "e-optimal") and len(set(problem.population)) == 1


def by_theorem(problem: Problem, levels: RationalLevels) -> StaircaseDesign:
    """Return the design of the theorem, with its dual at the level above."""
    if isinstance(problem.objective, TotalVariation):
        return _two_outputs(problem, problem.objective, levels)
    ends, k = levels.one_level(), problem.region.inputs
    if problem.objective.kind == "mutual-information":  # all are in one category: there is nothing to be told
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
    """Return the two outputs that say on which side of the other population's shares the truth is."""
    ends = levels.one_level()
    apart = [p - q for p, q in zip(problem.population, objective.against, strict=True)]
    low, gamma = ends.below.gamma, ends.above.gamma
    rows = [[(low if (v > 0) == first else 1) / (low + 1) for v in apart] for first in (True, False)]
    alpha = tuple((gamma - 1) / (gamma + 1) * abs(v) / 2 for v in apart)
    mechanism = Mechanism(rows)
    value = objective.value(mechanism, problem.population)
    return StaircaseDesign(value, sum(alpha, Fraction(0)), mechanism, SumDual(alpha))


def with_zero_share(problem: Problem, mechanism: Mechanism, dual: RayDual) -> StaircaseDesign:
    """Return a D-optimal design where a proportion is 0, as rule 5 proves it: rule 25 takes positive proportions.

    With ``abs(r W)^2 <= (alpha.r)(r.pi)`` and B the sum of alpha, ``pi pi^T + (k - 1)/B W W^T`` and ``pi + (k - 1)/B
    alpha`` are a dual of that rule.
    """
    pi = problem.population
    scale = (len(pi) - 1) / dual.bound()
    square = [[sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0)) for b in dual.matrix] for a in dual.matrix]
    matrix = (tuple(p * q + scale * x for q, x in zip(pi, row, strict=True)) for p, row in zip(pi, square, strict=True))
    alpha = tuple(p + scale * a for p, a in zip(pi, dual.alpha, strict=True))
    return StaircaseDesign(*_proved(problem, mechanism, FormDual(alpha, tuple(matrix))))


def not_negative(found: ProvedDesign) -> StaircaseDesign:
    """Return a design of nearly no mutual information as rule 5 proves it: with 0 as its lower bound."""
    zero = Fraction(0)
    return StaircaseDesign(zero, max(found.upper, zero), found.mechanism, SumDual(found.dual.alpha))


def _proved(problem: Problem, mechanism: Mechanism, dual: FormDual) -> tuple[Fraction, Fraction, Mechanism, FormDual]:
    """Return the bracket of the claim, with room for the checker's enclosures."""
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
    """Return a number with about 45 digits that is not less."""
    scale = 10 ** max(0, 45 - len(str(int(abs(value)))))
    return Fraction(-(-value.numerator * scale // value.denominator), scale)


def _determinant(matrix: Any) -> Fraction:
    value = flint_matrix(matrix).det()
    return Fraction(int(value.p), int(value.q))
