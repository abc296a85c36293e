"""Linear problems whose costs every output, and every category, has in another order: a closed form at delta = 0.

Let ``c_1 <= ... <= c_k`` be the costs of an output for the categories, the same numbers for each of the m outputs. Let
the columns of the costs be permutations of each other too. Examples are the Hamming distance of vectors, the distance
on a cycle, and distances of rankings. With u = gamma - 1 the smallest sum of ``c_ij p_ij`` over all epsilon-private
mechanisms is k v, where

    v = min_s (c_1 + ... + c_k + u (c_1 + ... + c_s))/(k + u s)

*Attained.* The quotient falls from s to s + 1 if and only if ``c_(s+1)`` is below it. So it is least where s is the
number of costs below v. Every column has the same number n of costs below v. Then ``p_ij = gamma/(m + u n)`` where
``c_ij < v``, and ``1/(m + u n)`` elsewhere, is a mechanism, and its value is k v.

*Bound.* Take the multiplier v of each sum of a column, ``v - c_ij`` of ``gamma t_i >= p_ij`` where ``c_ij < v``, and
``c_ij - v`` of ``p_ij >= t_i`` where ``c_ij > v``. For each i, the second ones sum to gamma times the first ones: this
is the equation of v. These multipliers are in the certificate.

Optimal mechanisms under transitive symmetries are the subject of Nam, Park and Lee (arXiv 2605.02319, 2026).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

from rropt.core.errors import UnsupportedProblemError
from rropt.designs.design_programs import DesignProgram
from rropt.designs.problem import Problem
from rropt.designs.rounding import result_of
from rropt.designs.routes import ProvedDesign
from rropt.designs.writers.linear_writer import Name
from rropt.mechanisms import Mechanism
from rropt.privacy.region import RationalLevels

Costs = Sequence[Sequence[Fraction]]


def least_quotient(costs: Sequence[Fraction], gamma: Fraction) -> Fraction:
    """Return v of the costs of one output.

    >>> print(least_quotient([Fraction(x) for x in (0, 1, 1, 2)], Fraction(3)))
    2/3
    """
    total, u = sum(costs, Fraction(0)), gamma - 1
    sums = accumulate(sorted(costs), initial=Fraction(0))
    return min((total + u * own) / (len(costs) + u * s) for s, own in enumerate(sums))


@lru_cache(maxsize=4)  # asked by the route, and before it
def permuted_costs_of(problem: Problem) -> Costs | None:
    """Return the costs, to be minimized, if their rows are permutations of each other, and their columns; else None."""
    region, objective = problem.region, problem.objective
    if not (objective.is_linear and region.has_one_level and region.form == "parity" and region.family == "all"):
        return None
    if region.bounds is not None:
        return None
    sign = 1 if objective.sense == "minimise" else -1
    costs = [[sign * c for c in row] for row in objective.costs(problem.population)]
    are_permuted = all(len({tuple(sorted(line)) for line in lines}) == 1 for lines in (costs, zip(*costs, strict=True)))
    return costs if are_permuted else None


def has_permuted_costs(problem: Problem) -> bool:
    """Return whether the rows of the costs, and their columns, are permutations of each other, at one level."""
    return permuted_costs_of(problem) is not None


def solve_permuted_costs(problem: Problem, levels: RationalLevels) -> ProvedDesign:
    """Return the optimum in closed form: the mechanism at the level below, the dual at the level above.

    Raises:
        UnsupportedProblemError: the costs are not of this kind.
    """
    costs = permuted_costs_of(problem)
    if costs is None:
        raise UnsupportedProblemError(
            f"the costs of the outputs are not permutations of each other: received {problem}; use the route exact"
        )
    above = DesignProgram.of(problem, levels, "above", ())
    v, dual = least_quotient(costs[0], above.gamma), dict[Name, Fraction]()
    for j in range(len(costs[0])):
        dual["sum", j] = v
    for i, row in enumerate(costs):
        for j, c in enumerate(row):
            if c != v:
                dual["upper" if c < v else "lower", i, j] = abs(c - v)
    return result_of(above, _mechanism(costs, levels.below.gamma), {name: y for name, y in dual.items() if y})


def _mechanism(costs: Costs, gamma: Fraction) -> Mechanism:
    """Return the matrix that is proportional to gamma where a cost is below v, and to 1 elsewhere."""
    v = least_quotient(costs[0], gamma)
    column = sum(gamma if row[0] < v else 1 for row in costs)
    return Mechanism([[(gamma if c < v else Fraction(1)) / column for c in row] for row in costs])
