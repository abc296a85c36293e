"""Contributions of an objective to theorems and formulas: by default none.

Most problems are solved by the engine, which asks an objective only for its form on rays. The methods here are for the
special cases in which a theorem or a formula is better. Objectives with such a case override them, so
that no other module tests the kind of an objective.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar

from rropt.core.errors import UnsupportedProblemError
from rropt.objectives.staircase_forms import StaircaseForm

Rows = tuple[tuple[Fraction, ...], ...]

LOG_BITS = 200  # precision of the logarithms in formulas


class SpecialCases:
    """The special cases of an objective.

    Attributes:
        title: the label of its value in tables.
        has_formulas: whether formulas give its designs for any number of equal proportions (``of_subsets``).
        has_formulas_with_delta: whether the formulas also serve delta > 0, where the truth is revealed with probability
            delta.
        has_computed_bound: whether designs of equal proportions with delta > 0 have a bound that is computed, without a
            certificate.
        has_closed_formulas: whether the lower and the upper bound of these formulas agree.
        has_logarithms: whether its value has logarithms, which are enclosed.
        has_subset_dual: whether the projection onto contrasts is the dual of subset selection (D and E).
        least_value: a lower bound of the value that needs no proof; None if there is none.
    """

    __slots__ = ()

    title: ClassVar[str]
    has_formulas: ClassVar[bool] = False
    has_formulas_with_delta: ClassVar[bool] = False
    has_computed_bound: ClassVar[bool] = False
    has_closed_formulas: ClassVar[bool] = False
    has_logarithms: ClassVar[bool] = False
    has_subset_dual: ClassVar[bool] = False
    least_value: ClassVar[Fraction | None] = None

    def marks(self, inputs: int) -> Sequence[object] | None:
        """Return marks of the categories, equal where it need not distinguish them; None if it distinguishes all."""
        return None

    def merged(self, kept: Sequence[int]) -> Any | None:
        """Return the objective for groups of categories with equal marks, given a member of each; None if unknown."""
        return None

    def ratios(self, population: Sequence[Fraction]) -> Sequence[Fraction] | None:
        """Return ``pi_j/(pi_j + q_j)`` for a distance between pi and another distribution q; None for others."""
        return None

    def added(self, groups: Sequence[int]) -> Any:
        """Return the objective for groups of categories with equal ratios; only called where there are ``ratios``."""
        raise UnsupportedProblemError(f"{self.title} does not add categories: use another objective")

    def contrast_rows(self, inputs: int) -> Rows | None:
        """Return the contrasts whose variances it adds up; None if every proportion is estimated, or none."""
        return None

    def constant_value(self, population: Sequence[Fraction]) -> Fraction | None:
        """Return the value of all mechanisms if they have the same one; None otherwise."""
        return None

    def is_zero(self, population: Sequence[Fraction]) -> bool:
        """Return whether the value of every mechanism is 0."""
        return self.constant_value(population) == 0

    def absolute_line(self, population: Sequence[Fraction]) -> tuple[Fraction, ...] | None:
        """Return v with sum 0 if the objective is ``sum_i abs(v.p_i)`` over the rows p_i; None otherwise."""
        return None

    def weight_runs(self) -> Any | None:
        """Return the weights of a trace, or the proportions of a 0/1 loss, stored in runs; None for others."""
        return None

    def best_subsets(self, k: int, gamma: Fraction) -> int:
        """Return the best subset size of subset selection at k equal proportions, by a formula."""
        from rropt.mechanisms.families.memberships import best_subset_size  # loads the families of blocks

        return best_subset_size(k, gamma)

    def of_subsets(self, k: int, size: int, gamma: Fraction, revealed: Fraction = Fraction(0)) -> Fraction:
        """Return the value of a balanced block design at k equal proportions, exact or to 50 digits.

        Args:
            k: the number of categories.
            size: the number of categories in each subset.
            gamma: the odds bound.
            revealed: the probability that the truth is revealed in place of a subset.

        Raises:
            UnsupportedProblemError: there is no formula (``has_formulas``).
        """
        raise UnsupportedProblemError(f"no formula gives {self.title} of subset selection: use another objective")

    def staircase_value(self, form: StaircaseForm) -> Any | None:
        """Return the symbolic value at a staircase design; None if it has no simple form."""
        return None

    def subset_value(self, k: Any, variance: Any) -> Any:
        """Return the symbolic value of subset selection at k equal proportions.

        Args:
            k: the number of categories.
            variance: n Var of each unit contrast.

        Raises:
            UnsupportedProblemError: no theorem gives its value.
        """
        raise UnsupportedProblemError(f"no theorem gives {self.title} of subset selection in symbols")


def contrast_variance(k: Any, d: Any, gamma: Any, revealed: Any = 0) -> Any:
    """Return n Var of a unit contrast under subset selection with subsets of size d, over any field.

    Args:
        k: the number of equally frequent categories.
        d: the size of the subsets.
        gamma: the odds bound.
        revealed: the probability that the truth is revealed, which has the information k on a contrast.
    """
    selected = (k - 1) * (d * gamma + k - d) ** 2 / (k * (gamma - 1) ** 2 * d * (k - d))
    return 1 / ((1 - revealed) / selected + revealed * k) if revealed else selected
