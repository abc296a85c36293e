"""n Var of the estimated prevalence, for binary designs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from rropt.core.errors import InfeasibleError, UnsupportedProblemError, shown
from rropt.core.exact import rational_where
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import exact_population
from rropt.mechanisms.fisher_information import binary_variance, fisher_information
from rropt.mechanisms.imports import required_mechanism
from rropt.objectives.objective import (
    Objective,
    Rows,
    register_objective,
    require_informative_region,
)
from rropt.objectives.ray_form import RayForm, VarianceForm

if TYPE_CHECKING:
    from rropt.privacy.region import Region


@register_objective
@dataclass(frozen=True, slots=True)
class EstimatorVariance(Objective):
    """Minimize the variance of the maximum likelihood estimator of the prevalence, per respondent (n Var).

    With more than two outputs this is the asymptotic variance ``1/I``, where I is the Fisher information. The locally
    best unbiased estimator has this variance at every n; it is 0 where I is infinite. With two outputs, both formulas
    agree.
    """

    kind = "variance"
    sense = "minimise"
    title = "n Var"
    goal = "minimum-variance design"
    form = '{"kind": "variance"}'
    is_of_prevalence = True
    prevalence_times = 1

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return n Var of a mechanism with two inputs at the exact proportions ``(1 - pi, pi)``.

        Raises:
            InvalidParameterError: the argument is not a mechanism, or there are not two proportions with sum 1.
            InvalidMechanismError: the mechanism does not have two inputs.
            InfeasibleError: p00 + p11 = 1, or both columns are equal.

        >>> print(EstimatorVariance().value(Mechanism.binary("3/4", "3/4"), [0.9, 0.1]))
        21/25
        """
        mechanism = required_mechanism(mechanism)
        if mechanism.is_binary or mechanism.inputs != 2:
            return binary_variance(mechanism.p00, mechanism.p11, exact_population(population, 2)[1])
        information = fisher_information(mechanism, exact_population(population, 2)[1])
        if information == 0:
            raise InfeasibleError(
                f"the responses do not depend on the truth: received {mechanism!r}; the columns must differ"
            )
        return Fraction(0) if information is None else 1 / information

    def on_rays(self, population: Sequence[Fraction], gamma: Fraction) -> RayForm:
        """Return the variance of the estimate of the prevalence as a function of rays."""
        return VarianceForm(population, gamma, self.contrast_rows(2))

    def contrast_rows(self, inputs: int) -> Rows:
        """Return the contrast (0, 1): the prevalence is estimated."""
        return ((Fraction(0), Fraction(1)),)

    def at(self, population: Sequence[Fraction]) -> str:
        """Return the words that state the prevalence."""
        return f" at prevalence {population[1]}"

    def require(self, region: Region) -> None:
        """Raise an error unless there are two inputs and one level that allows responses to depend on the truth."""
        if region.inputs != 2 or region.outputs not in (0, 2, 3):
            outputs = shown(region.outputs) if region.outputs else "any"
            raise UnsupportedProblemError(
                f"objective variance is defined for binary designs: received {region.inputs} inputs and {outputs} "
                'outputs; allowed are 2 inputs, with 2, 3 or "any" outputs (four do)'
            )
        if not (region.has_one_level or region.is_of_every_level):
            bounded = region.bounds is not None
            limit = "no bounds on the entries; leave them out" if bounded else "one level; give one epsilon"
            raise UnsupportedProblemError(f"objective variance: received {region}; allowed is {limit}")
        require_informative_region(region)


def n_var(mechanism: Mechanism, prevalence: object) -> Fraction:
    """Return n Var of the estimated prevalence: its variance per respondent, exactly; also ``Mechanism.n_var``.

    With two outputs it is ``l (1 - l)/(p00 + p11 - 1)^2``, where l is the probability of output 1. With more outputs it
    is ``1/I``, where I is the Fisher information; 0 where I is infinite.

    Args:
        mechanism: a mechanism with two inputs.
        prevalence: pi, the proportion of input 1, exact, in [0, 1].

    Raises:
        InvalidParameterError: the prevalence is outside [0, 1].
        InvalidMechanismError: the mechanism does not have two inputs.
        InfeasibleError: the responses do not depend on the truth.

    >>> print(n_var(Mechanism.binary("3/4", "3/4"), "1/10"))
    21/25
    """
    pi = rational_where(prevalence, lambda p: 0 <= p <= 1, "a number from 0 to 1", name="prevalence")
    return EstimatorVariance().value(mechanism, (1 - pi, pi))
