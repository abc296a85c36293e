"""The variance of the estimator of a prevalence from binary answers, per respondent (n Var)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

from rropt.errors import InfeasibleError, UnsupportedProblemError
from rropt.mechanisms import Mechanism
from rropt.mechanisms.required import required_mechanism
from rropt.objectives.objective import DesignSpace, Objective, register_objective
from rropt.objectives.populations import exact_population


def binary_variance(p00: Fraction, p11: Fraction, prevalence: Fraction) -> Fraction:
    """Return n Var of the unbiased estimator: Holohan, Leith and Mason (2016), equation (6).

    With ``lambda = Pr(answer 1) = (1 - pi)(1 - p00) + pi p11``,
    ``n Var = lambda (1 - lambda) / (p00 + p11 - 1)^2``, which is the paper's
    ``(1/4 - (p00 - 1/2 - pi (p00 + p11 - 1))^2) / (p00 + p11 - 1)^2``.

    Raises:
        InfeasibleError: p00 + p11 = 1: the answer does not depend on the truth.

    >>> binary_variance(Fraction(1), Fraction(1, 4), Fraction(1, 4))
    Fraction(15, 16)
    """
    determinant = p00 + p11 - 1
    if not determinant:
        raise InfeasibleError(
            f"p00 + p11 = 1 leaves nothing to estimate: received p00 = {p00}, p11 = {p11}; "
            "the answer must depend on the truth"
        )
    positive = (1 - prevalence) * (1 - p00) + prevalence * p11
    return positive * (1 - positive) / determinant**2


@register_objective
@dataclass(frozen=True, slots=True)
class EstimatorVariance(Objective):
    """Minimise the variance of the maximum likelihood estimator of the prevalence, per respondent (n Var)."""

    kind: ClassVar[str] = "variance"
    sense: ClassVar[Literal["minimise", "maximise"]] = "minimise"
    title: ClassVar[str] = "n Var"
    form: ClassVar[str] = '{"kind": "variance"}'

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return n Var of a binary mechanism at the population ``(1 - pi, pi)``, exact numbers.

        Raises:
            InvalidParameterError: no mechanism, or no population of two shares that sum to 1.
            InvalidMechanismError: not binary.
            InfeasibleError: p00 + p11 = 1.

        >>> print(EstimatorVariance().value(Mechanism.binary("3/4", "3/4"), [0.9, 0.1]))
        21/25
        """
        required_mechanism(mechanism)
        return binary_variance(mechanism.p00, mechanism.p11, exact_population(population, 2)[1])

    def at(self, population: Sequence[Fraction]) -> str:
        """Return the prevalence in words."""
        return f" at prevalence {population[1]}"

    def require(self, region: DesignSpace) -> None:
        """Raise unless the region is binary, under one level, and allows an answer that depends on the truth."""
        if (region.inputs, region.outputs) != (2, 2):
            raise UnsupportedProblemError(
                f"objective variance is defined for binary designs: received {region.inputs} inputs and "
                f"{region.outputs} outputs; allowed are 2 and 2"
            )
        if not region.has_one_level:
            raise UnsupportedProblemError(
                f"objective variance needs one level and no bounds: received {region}; allowed is a PrivacyRegion"
            )
        if region.is_blind:
            raise InfeasibleError(
                "epsilon = 0 with delta = 0 leaves nothing to estimate: every truth must give the same distribution "
                "of answers; allow epsilon > 0 or delta > 0"
            )
