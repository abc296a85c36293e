"""Sums of variances of the efficient estimates of linear functions of the proportions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction

from rropt.core.exact.numbers import dot
from rropt.mechanisms import Mechanism
from rropt.objectives.objective import AnyOutputObjective, Objective
from rropt.objectives.ray_form import VarianceForm
from rropt.objectives.special_cases import Rows


class VarianceSum(AnyOutputObjective):
    """Minimize ``tr B^T M^- B - abs(B^T pi)^2``: the sum of n Var of the efficient unbiased estimates of all b . pi.

    The vectors b are the columns of B; M is the Fisher information of ``mechanisms.information``.
    """

    __slots__ = ()

    sense = "minimise"
    is_on_rays = True

    def on_rays(self, population: Sequence[Fraction], gamma: Fraction) -> VarianceForm:
        """Return the sum of variances as a function of rays."""
        return VarianceForm(population, gamma, self.targets(len(population)))

    def marks(self, inputs: int) -> Sequence[object] | None:
        """Return the columns of the contrasts: equal columns need not be distinguished."""
        return list(zip(*self.targets(inputs), strict=True))

    def contrast_rows(self, inputs: int) -> Rows | None:
        """Return the vectors b."""
        return self.targets(inputs)

    @abstractmethod
    def targets(self, inputs: int) -> Rows:
        """Return the vectors b as rows, shape (r, k)."""

    @abstractmethod
    def solution(self, mechanism: Mechanism, population: Sequence[Fraction]) -> Rows | None:
        """Return Z with ``M Z = B``, shape (k, r); None if there is no such Z, so that an estimate does not exist."""

    def merged(self, kept: Sequence[int]) -> Objective | None:
        """Return the objective for groups of categories with equal targets, given a member of each group."""
        return self.restricted(kept)

    def means(self, population: Sequence[Fraction]) -> tuple[Fraction, ...]:
        """Return ``B^T pi``."""
        return tuple(dot(b, population) for b in self.targets(len(population)))

    def proved(self, matrix: Rows, total: Fraction, population: Sequence[Fraction]) -> Fraction:
        """Return the lower bound ``(tr B^T W)^2 / total - abs(B^T pi)^2`` given by a dual W, shape (k, r)."""
        columns, means = zip(*matrix, strict=True), self.means(population)
        along = sum((dot(b, w) for b, w in zip(self.targets(len(population)), columns, strict=True)), Fraction(0))
        return (along**2 / total if total else 0) - dot(means, means)

    def variances(self) -> VarianceSum:
        """Return the objective itself."""
        return self
