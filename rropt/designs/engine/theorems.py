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

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb

from rropt.designs.certificates.staircase_dual import SumDual
from rropt.designs.equal_shares import SubsetDesign, randomized_response
from rropt.designs.problem import Problem
from rropt.designs.solution import ProvedDesign, StaircaseDesign
from rropt.mechanisms import Mechanism
from rropt.mechanisms.families.memberships import best_subset_size
from rropt.objectives.special_cases import FormDual, contrast_variance
from rropt.privacy.region import RationalLevels

MOST_ENUMERATED = 18  # largest number of categories for which rule 5 lists the staircase rows
MOST_INPUTS = 10  # largest k for which subset selection is written out: 252 outputs


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
    return len(set(problem.population)) == 1 and problem.objective.subset_dual(2, Fraction(1)) is not None


def by_theorem(problem: Problem, levels: RationalLevels) -> StaircaseDesign:
    """Return the optimal design in closed form, with its dual at the level above."""
    objective, pi, ends, k = problem.objective, problem.population, levels.one_level(), problem.region.inputs
    line, value = objective.absolute_line(pi), objective.constant_value(pi)
    if line is not None:
        return _two_outputs(problem, line, levels)
    if value is not None:
        dual = SumDual(tuple(value * p for p in pi))
        return StaircaseDesign(value, value, randomized_response(k, ends.below.gamma), dual)
    low, high = ends.below.gamma, ends.above.gamma
    d = best_subset_size(k, low)
    theta = Fraction(k, comb(k, d)) / (d * low + k - d)
    rows = [[theta * (low if j in chosen else 1) for j in range(k)] for chosen in combinations(range(k), d)]
    best = objective.subset_dual(k, contrast_variance(Fraction(k), best_subset_size(k, high), high))
    assert best is not None  # ``has_equal_shares``
    return SubsetDesign(*_proved(problem, Mechanism(rows), best))


def _two_outputs(problem: Problem, line: Sequence[Fraction], levels: RationalLevels) -> StaircaseDesign:
    """Return the design that reports the sign of the line at the category."""
    ends = levels.one_level()
    low, gamma = ends.below.gamma, ends.above.gamma
    rows = [[(low if (v > 0) == first else 1) / (low + 1) for v in line] for first in (True, False)]
    alpha = tuple((gamma - 1) / (gamma + 1) * abs(v) for v in line)
    mechanism = Mechanism(rows)
    value = problem.objective.value(mechanism, problem.population)
    return StaircaseDesign(value, sum(alpha, Fraction(0)), mechanism, SumDual(alpha))


def with_rule_5(problem: Problem, found: ProvedDesign) -> ProvedDesign:
    """Return a design of the engine, in the form of rule 5 where rule 25 does not accept it.

    Rule 25 does not accept D-optimality with a proportion of 0, and no lower bound below that of all mechanisms.
    """
    objective, dual = problem.objective, found.dual
    if problem.region.form != "parity":
        return found
    own = objective.form_dual(problem.population, dual.alpha, dual.matrix)
    if own is not None:
        return StaircaseDesign(*_proved(problem, found.mechanism, own))
    least = objective.least_value
    if least is not None and found.lower < least:
        return StaircaseDesign(least, max(found.upper, least), found.mechanism, SumDual(dual.alpha))
    return found


def _proved(problem: Problem, mechanism: Mechanism, dual: FormDual) -> tuple[Fraction, Fraction, Mechanism, FormDual]:
    """Return the bounds, widened for the checker's enclosures, with the mechanism and the dual."""
    value, total = problem.objective.value(mechanism, problem.population), sum(dual.alpha, Fraction(0))
    ends = problem.objective.form_bracket(value, total, dual.matrix)
    return ends.lower, ends.upper, mechanism, dual
