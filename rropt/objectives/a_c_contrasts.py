"""Sums of variances of the efficient estimates of linear functions of the proportions: A, c, and several contrasts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import rational, split_list
from rropt.core.exact.numbers import dot
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import listed
from rropt.mechanisms.families.memberships import contrast_variance
from rropt.mechanisms.fisher_information import information_solution, share_variances, unidentified
from rropt.objectives.objective import (
    AnyOutputObjective,
    Rows,
    exact_rows,
    register_objective,
    shares_of_inputs,
)
from rropt.objectives.ray_form import VarianceForm


class VarianceSum(AnyOutputObjective):
    """Minimize ``tr B^T M^- B - abs(B^T pi)^2``: the sum of n Var of the efficient unbiased estimates of all b . pi.

    The vectors b are the columns of B; M is the Fisher information of ``mechanisms.fisher_information``.
    """

    __slots__ = ()

    sense = "minimise"
    is_on_rays = True

    def on_rays(self, population: Sequence[Fraction], gamma: Fraction) -> VarianceForm:
        """Return the sum of variances as a function of rays."""
        return VarianceForm(population, gamma, self.targets(len(population)))

    def marks(self, inputs: int) -> Sequence[object] | None:
        """Return the columns of the contrasts: equal columns need not be distinguished. None without contrasts."""
        rows = self.contrast_rows(inputs)
        return rows and list(zip(*rows, strict=True))

    def parameter(self) -> Sequence[object] | None:
        """Return the first of the vectors b, if they are given."""
        rows = self.contrast_rows(0)
        return rows and rows[0]

    def targets(self, inputs: int) -> Rows:
        """Return the vectors b as rows, shape (r, k): the contrasts, or the identity matrix without contrasts."""
        rows = self.contrast_rows(inputs)
        return rows or tuple(tuple(Fraction(i == j) for j in range(inputs)) for i in range(inputs))

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return ``sum_b (b . z_b - (b . pi)^2)`` with M z_b = b, for exact proportions pi.

        Raises:
            InvalidParameterError: the argument is not a mechanism, or pi is not a distribution on its inputs.
            InfeasibleError: some b is not a linear combination of the mechanism's rows.
        """
        pi = shares_of_inputs(mechanism, population)
        self.require_length(mechanism.inputs)
        z = information_solution(mechanism, pi, self.contrast_rows(mechanism.inputs))
        if z is None:
            raise unidentified(mechanism, "contrast", "the contrast must be a combination of the mechanism's rows")
        pairs = zip(self.targets(mechanism.inputs), zip(*z, strict=True), strict=True)
        return sum((dot(b, column) - dot(b, pi) ** 2 for b, column in pairs), Fraction(0))


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


@register_objective
@dataclass(frozen=True, slots=True)
class Contrast(VarianceSum):
    """Minimize n times the variance of the efficient unbiased estimate of a contrast: ``c^T M^- c - (c . pi)^2``.

    The minimum is over all mechanisms with any number of outputs. The estimated quantity is c . pi: c = (1, -1, 0)
    gives the difference of the first two proportions, (1, 0, 0) the first proportion, and (0, 1, 2) a mean. The optimal
    mechanism need not distinguish categories with equal c_j; then M is singular.

    Args:
        contrast: c, shape (k,), exact numbers of any sign, not all equal.

    Raises:
        InvalidParameterError: c is not a list of exact numbers, or all its numbers are equal.

    >>> from rropt.mechanisms import Mechanism
    >>> print(Contrast([1, 0]).value(Mechanism.binary("3/4", "3/4"), ["1/2", "1/2"]))
    1
    """

    kind = "c-optimal"
    title = "n Var of the contrast"
    goal = "c-optimal design"
    is_one_contrast = True
    form = '{"kind": "c-optimal", "contrast": [...]}'
    parameters = ("contrast",)
    needs = "one number per category, as in c-optimal:1,-1,0"
    with_few = True
    with_ranges = True
    contrast: tuple[Fraction, ...]

    def __init__(self, contrast: Sequence[object]) -> None:
        given = listed(contrast, flat=True)
        if given is None or len(given) < 2:
            raise InvalidParameterError(
                f"contrast is not a list of numbers: received {shown(contrast)}; give one number per category"
            )
        exact = tuple(rational(c, name=f"contrast[{j}]") for j, c in enumerate(given))
        if len(set(exact)) < 2:
            raise InvalidParameterError(
                f"contrast is constant: received {shown(contrast)}; its value is known without data if all numbers are "
                "equal; give at least two different numbers"
            )
        object.__setattr__(self, "contrast", exact)

    def restricted(self, kept: Sequence[int]) -> Contrast | None:
        """Return the contrast restricted to these categories; None if all its numbers are equal there."""
        own = [self.contrast[j] for j in kept]
        return Contrast(own) if len(set(own)) > 1 else None

    def contrast_rows(self, inputs: int) -> Rows:
        """Return the contrast as the only row."""
        return (self.contrast,)


@register_objective
@dataclass(frozen=True, slots=True, init=False)
class Contrasts(VarianceSum):
    """Minimize n times the sum of the variances of the efficient unbiased estimates of several contrasts.

    The objective is ``sum_c (c^T M^- c - (c . pi)^2)``, over all mechanisms with any number of outputs. A single
    contrast gives c-optimality, and the unit vectors give A-optimality. Scaling a row changes the weight of its
    contrast.

    Args:
        contrasts: C, rows of k exact numbers; at least one row whose numbers are not all equal.

    Raises:
        InvalidParameterError: C is not a matrix of this form.

    >>> from rropt.mechanisms import Mechanism
    >>> print(Contrasts([[1, 0], [0, 1]]).value(Mechanism.binary("3/4", "3/4"), ["1/2", "1/2"]))
    2
    """

    kind = "contrasts"
    title = "n times the sum of the variances of the contrasts"
    goal = "smallest total variance of the contrasts"
    form = '{"kind": "contrasts", "contrasts": [[...]]}'
    parameters = ("contrasts",)
    needs = "contrasts, as in contrasts:1,-1,0;0,1,-1"
    contrasts: Rows

    def __init__(self, contrasts: Sequence[Sequence[object]]) -> None:
        rows = exact_rows(contrasts, "contrasts", "contrast")
        if all(len(set(row)) < 2 for row in rows):
            raise InvalidParameterError(
                f"contrasts are constant: received {shown(contrasts)}; give at least one whose numbers differ"
            )
        object.__setattr__(self, "contrasts", rows)

    def restricted(self, kept: Sequence[int]) -> Contrasts | None:
        """Return the contrasts restricted to these categories; None if each has equal numbers there."""
        own = [[row[j] for j in kept] for row in self.contrasts]
        return Contrasts(own) if any(len(set(row)) > 1 for row in own) else None

    @classmethod
    def of_text(cls, text: str) -> Contrasts:
        """Read contrasts that are separated by semicolons, such as ``1,-1,0;0,1,-1``."""
        if not text:
            raise cls.without_parameter(text)
        return cls([split_list(row) for row in text.split(";")])

    def contrast_rows(self, inputs: int) -> Rows:
        """Return the contrasts, one in each row."""
        return self.contrasts
