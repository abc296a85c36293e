"""Compute optimal designs in closed form under one level with delta = 0, with their dual solutions.

*D- and E-optimality at equal proportions.* Subset selection, with all subsets of size d equally likely, is optimal.

1. It maximizes the trace of the information matrix M on contrasts (``rropt.subset-selection`` in the registry).
2. For this mechanism, M is a multiple of the identity on contrasts.
3. The product of the k - 1 eigenvalues of M is at most the (k - 1)-th power of their mean, and the least eigenvalue is
   at most the mean. Both bounds are attained by a multiple of the identity.

*Total variation.* Here phi is the absolute value of a linear function, and a mechanism with two outputs is optimal. The
optimum is ``(gamma - 1)/(gamma + 1)`` times the total variation distance of the two distributions (Kairouz, Oh and
Viswanath, JMLR 17 (2016), theorem 6).

In the certificates their values are exact, and for total variation the checker does not list the rays.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb

from rropt.designs.problem import Problem
from rropt.designs.routes import ProvedDesign
from rropt.designs.writers.bracket_writer import RayDual
from rropt.mechanisms import Mechanism
from rropt.mechanisms.families.memberships import best_subset_size, contrast_variance
from rropt.privacy.region import RationalLevels

MOST_ENUMERATED = 18  # largest number of categories for which the checker lists the rays
MOST_INPUTS = 10  # largest k for which subset selection is written out: 252 outputs
SLACK = Fraction(1, 10**30)  # far larger than the width of the enclosures


def randomized_response(k: int, gamma: Fraction) -> Mechanism:
    """Return k-ary randomized response (subsets of one category): always feasible, and optimal for large epsilon."""
    return Mechanism([[(gamma if i == j else 1) / (gamma + k - 1) for j in range(k)] for i in range(k)])


def has_theorem(problem: Problem) -> bool:
    """Return whether a theorem gives the optimal design in closed form."""
    objective, pi, k = problem.objective, problem.population, problem.region.inputs
    if problem.region.form != "parity":
        return False
    if objective.absolute_line(pi) is not None:
        return True
    if objective.constant_value(pi) is not None:
        return k <= MOST_ENUMERATED
    return has_equal_shares(problem) and k <= MOST_INPUTS


def has_equal_shares(problem: Problem) -> bool:
    """Return whether the proportions are equal, and the objective has a dual for subset selection (D and E)."""
    return len(set(problem.population)) == 1 and problem.objective.has_subset_dual


def by_theorem(problem: Problem, levels: RationalLevels) -> ProvedDesign:
    """Return the optimal design in closed form, with its dual at the level above."""
    objective, pi, k = problem.objective, problem.population, problem.region.inputs
    line, value = objective.absolute_line(pi), objective.constant_value(pi)
    if line is not None:
        return _two_outputs(problem, line, levels)
    if value is not None:
        dual = RayDual(tuple(value * p for p in pi), (), None)
        least = min(part.below.gamma for part in levels.parts(k))
        return ProvedDesign(value, value, randomized_response(k, least), dual)
    low, high = levels.below.gamma, levels.above.gamma
    d, most = best_subset_size(k, low), best_subset_size(k, high)
    theta = Fraction(k, comb(k, d)) / (d * low + k - d)
    rows = [[theta * (low if j in chosen else 1) for j in range(k)] for chosen in combinations(range(k), d)]
    value, bound = objective.of_subsets(k, d, low), objective.of_subsets(k, most, high)
    if objective.has_logarithms:
        value, bound = -widened_up(SLACK - value), widened_up(bound + SLACK)
    elif value != bound:
        value = widened_up(value)
    # elimination writes the projection I - 1 1^T/k as sum_j d_j w_j w_j^T, d_j = (k-1-j)/(k-j): entry j of w_j is 1,
    # those before it are 0, and those behind it are equal
    matrix = [[Fraction(i == j) - Fraction(int(i > j), k - 1 - j) for j in range(k - 1)] for i in range(k)]
    weights = tuple(Fraction(k - 1 - j, k - j) for j in range(k - 1))
    dual = RayDual(((k - 1) / contrast_variance(Fraction(k), most, high) / k,) * k, (), matrix, weights)
    return ProvedDesign.between(value, bound, Mechanism(rows), dual)


def widened_up(value: Fraction) -> Fraction:
    """Round up to a number with about 45 digits."""
    scale = 10 ** max(0, 45 - len(str(int(abs(value)))))
    return Fraction(-(-value.numerator * scale // value.denominator), scale)


def _two_outputs(problem: Problem, line: Sequence[Fraction], levels: RationalLevels) -> ProvedDesign:
    """Return the design that reports the sign of the line at the category."""
    low, gamma = levels.below.gamma, levels.above.gamma
    rows = [[(low if (v > 0) == first else 1) / (low + 1) for v in line] for first in (True, False)]
    alpha = tuple((gamma - 1) / (gamma + 1) * abs(v) for v in line)
    mechanism = Mechanism(rows)
    value = problem.objective.value(mechanism, problem.population)
    return ProvedDesign(value, sum(alpha, Fraction(0)), mechanism, RayDual(alpha, (), None))
