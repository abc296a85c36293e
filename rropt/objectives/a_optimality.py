"""A-optimality: the sum of the variances of all estimated proportions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.mechanisms import Mechanism
from rropt.mechanisms.information import information_inverse, share_variances, unidentified
from rropt.objectives.objective import register_objective, shares_of_inputs
from rropt.objectives.special_cases import Rows, contrast_variance
from rropt.objectives.staircase_forms import StaircaseForm
from rropt.objectives.variance_sums import VarianceSum


@register_objective
@dataclass(frozen=True, slots=True)
class AOptimality(VarianceSum):
    """Minimize n times the trace of the covariance of the efficient unbiased estimate of pi: ``tr M^-1 - pi . pi``.

    The minimum is over all mechanisms with any number of outputs. The efficient estimate from output i is
    ``M^-1 p_i / (p_i . pi)``, with entries that sum to 1. It is the locally best unbiased estimate at the pi at which M
    is computed. For the name see Pukelsheim, Optimal design of experiments (1993), chapter 6.
    """

    kind = "a-optimal"
    title = "n tr Cov"
    goal = "A-optimal design"
    form = '{"kind": "a-optimal"}'
    with_few = True
    with_ranges = True
    is_total = True
    knows_groups = True
    prevalence_times = 2
    has_formulas = True
    has_formulas_with_delta = True

    def staircase_value(self, form: StaircaseForm) -> Any | None:
        """Return the symbolic value of k-ary randomized response; None for other designs."""
        k = len(form.bits[0])
        if len(form.bits) != k or any(sum(b) != 1 for b in form.bits):
            return None
        chances = [t * s for t, s in zip(form.theta, form.means(), strict=True)]
        return sum(c * (1 - c) for c in chances) * ((form.gamma + k - 1) / (form.gamma - 1)) ** 2

    def subset_value(self, k: Any, variance: Any) -> Any:
        """Return ``(k - 1) v``, where v is n Var of each unit contrast."""
        return (k - 1) * variance

    def marks(self, inputs: int) -> None:
        """Return None: every proportion is estimated."""

    def contrast_rows(self, inputs: int) -> None:
        """Return None: every proportion is estimated."""

    def of_subsets(self, k: int, size: int, gamma: Fraction, revealed: Fraction = Fraction(0)) -> Fraction:
        """Return ``(k - 1) v`` of a balanced block design."""
        return Fraction((k - 1) * contrast_variance(k, size, gamma, revealed))

    def restricted(self, kept: Sequence[int]) -> AOptimality:
        """Return the objective itself: the estimate of a zero proportion has variance 0."""
        return self

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return ``tr M^-1 - pi . pi`` for a mechanism and exact proportions pi.

        Raises:
            InvalidParameterError: the argument is not a mechanism, or pi is not a distribution on its inputs.
            InfeasibleError: M is singular.

        >>> print(AOptimality().value(Mechanism.binary("3/4", "3/4"), ["1/2", "1/2"]))
        2
        """
        found = share_variances(mechanism, shares_of_inputs(mechanism, population))
        if found is None:
            raise unidentified(mechanism)
        return sum(found, Fraction(0))

    def targets(self, inputs: int) -> Rows:
        """Return the identity matrix: every proportion is estimated."""
        return tuple(tuple(Fraction(i == j) for j in range(inputs)) for i in range(inputs))

    def solution(self, mechanism: Mechanism, population: Sequence[Fraction]) -> Rows | None:
        """Return ``M^-1``, or None if M is singular."""
        return information_inverse(mechanism, population)
