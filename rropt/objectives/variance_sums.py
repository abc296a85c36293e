"""Sums of variances of the efficient estimates of linear functions of the proportions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction

from rropt.core.exact.numbers import dot
from rropt.mechanisms import Mechanism
from rropt.mechanisms.information import information_matrix, unidentified
from rropt.mechanisms.left_inverse import consistent_solution, fractions_of
from rropt.objectives.objective import AnyOutputObjective, Objective, shares_of_inputs
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

    def parameter(self) -> Sequence[object] | None:
        """Return the first of the vectors b, if they are given."""
        rows = self.contrast_rows(0)
        return rows and rows[0]

    @abstractmethod
    def targets(self, inputs: int) -> Rows:
        """Return the vectors b as rows, shape (r, k)."""

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return ``sum_b (b . z_b - (b . pi)^2)`` with M z_b = b, for exact proportions pi.

        Raises:
            InvalidParameterError: the argument is not a mechanism, or pi is not a distribution on its inputs.
            InfeasibleError: some b is not a linear combination of the mechanism's rows.
        """
        pi = shares_of_inputs(mechanism, population)
        self.require_length(mechanism.inputs)
        z = self.solution(mechanism, pi)
        if z is None:
            raise unidentified(mechanism, "contrast", "the contrast must be a combination of the mechanism's rows")
        pairs = zip(self.targets(mechanism.inputs), zip(*z, strict=True), strict=True)
        return sum((dot(b, column) - dot(b, pi) ** 2 for b, column in pairs), Fraction(0))

    def solution(self, mechanism: Mechanism, population: Sequence[Fraction]) -> Rows | None:
        """Return Z with ``M Z = B``, shape (k, r); None if there is no such Z, so that an estimate does not exist."""
        information = information_matrix(mechanism, population)
        if information is None:
            return None
        rows = fractions_of(information)
        columns = [consistent_solution(rows, b) for b in self.targets(mechanism.inputs)]
        found = [column for column in columns if column is not None]
        return tuple(zip(*found, strict=True)) if len(found) == len(columns) else None

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
