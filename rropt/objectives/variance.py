"""The variance of the estimator of a prevalence from binary answers, per respondent (n Var)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

from rropt.errors import InfeasibleError
from rropt.mechanisms import Mechanism
from rropt.mechanisms.required import required_mechanism
from rropt.objectives.populations import exact_population

__all__ = ["EstimatorVariance", "binary_variance"]


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


@dataclass(frozen=True, slots=True)
class EstimatorVariance:
    """Minimise the variance of the maximum likelihood estimator of the prevalence, per respondent (n Var)."""

    kind: ClassVar[str] = "variance"
    sense: ClassVar[Literal["minimise", "maximise"]] = "minimise"
    title: ClassVar[str] = "n Var"

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

    def to_dict(self) -> dict[str, str]:
        """Return the form of problems and certificates."""
        return {"kind": self.kind}
