"""Categories that the estimated contrasts do not distinguish are merged: fewer rays, and no singular information.

With shares u_i = pi_i/pi_G within a group G, a mechanism of the groups is one of the categories, its rows constant on
groups. A dual (alpha, W) of the groups is one of the categories, ``alpha_i = u_i alpha_G`` and ``W_i = u_i W_G``: then
``alpha.r``, ``r W`` and ``r.pi`` are those of the means of r over the groups. These means lie in a box whose corners
are the rays of the groups, and the inequality is convex. So the difference of two proportions is a problem of three
categories, and one proportion a binary one. This is for delta = 0 alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rropt.designs.certificates.rays import RayDual
from rropt.designs.problem import Problem
from rropt.mechanisms import Mechanism
from rropt.objectives.variance_sums import VarianceSum
from rropt.privacy import PrivacyRegion


@dataclass(frozen=True, slots=True)
class Merged:
    """Groups of categories.

    Attributes:
        groups: the group of each category, shape (k,).
        population: the proportion of each group.
        shares: u, of each category within its group.
    """

    groups: tuple[int, ...]
    population: tuple[Fraction, ...]
    shares: tuple[Fraction, ...]

    @classmethod
    def of(cls, marks: Sequence[object], population: Sequence[Fraction]) -> Merged:
        """Merge the categories with the same mark."""
        different = list(dict.fromkeys(marks))
        groups = tuple(different.index(mark) for mark in marks)
        masses = [
            sum((p for p, g in zip(population, groups, strict=True) if g == i), Fraction(0))
            for i in range(len(different))
        ]
        shares = (
            p / masses[g] if masses[g] else Fraction(1, groups.count(g))
            for p, g in zip(population, groups, strict=True)
        )
        return cls(groups, tuple(masses), tuple(shares))

    def mechanism(self, mechanism: Mechanism) -> Mechanism:
        """Return the mechanism of the categories."""
        return Mechanism([[row[g] for g in self.groups] for row in mechanism.matrix])

    def dual(self, dual: RayDual) -> RayDual:
        """Return the dual of the categories."""
        pairs = list(zip(self.shares, self.groups, strict=True))
        matrix = tuple(tuple(u * x for x in dual.matrix[g]) for u, g in pairs)
        return RayDual(tuple(u * dual.alpha[g] for u, g in pairs), (), matrix)


def merged(problem: Problem) -> tuple[Merged, Problem] | None:
    """Return the groups of categories with equal targets, and the problem of the groups; None where there are none."""
    objective, region = problem.objective, problem.region
    if not isinstance(objective, VarianceSum) or region.form != "parity":
        return None
    marks = list(zip(*objective.targets(region.inputs), strict=True))
    if len(set(marks)) == len(marks):
        return None
    groups = Merged.of(marks, problem.population)
    smaller = objective.restricted([groups.groups.index(g) for g in range(len(groups.population))])
    if smaller is None:
        return None
    inner = PrivacyRegion(region.one_level().epsilon, inputs=len(groups.population), outputs="any")
    return groups, Problem(inner, smaller, groups.population)
