"""A-optimality: the total variance of the efficient unbiased estimate of a population."""

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

Rows = tuple[tuple[Fraction, ...], ...]


def information_inverse(mechanism: Mechanism, population: Sequence[Fraction]) -> Rows | None:
    """Return ``M^-1``, exact, or None where M is singular: then some estimate of a share is biased for every n.

    ``M = sum_i p_i p_i^T / (p_i . pi)`` over the rows p_i of the mechanism that are not 0. It has ``M pi = 1``;
    ``M^-1 - pi pi^T`` is the covariance of the efficient unbiased estimate of pi from one answer.

    >>> rows = information_inverse(Mechanism.binary("3/4", "3/4"), (Fraction(1, 2), Fraction(1, 2)))
    >>> [[str(x) for x in row] for row in rows]
    [['5/4', '-3/4'], ['-3/4', '5/4']]
    """
    from flint import fmpq, fmpq_mat

    k = mechanism.inputs
    entries = [fmpq(x.numerator, x.denominator) for row in mechanism.matrix for x in row if any(row)]
    p = fmpq_mat(len(entries) // k, k, entries)
    means = p * fmpq_mat(k, 1, [fmpq(x.numerator, x.denominator) for x in population])
    if any(means[i, 0] == 0 for i in range(p.nrows())):
        return None  # an answer that only what has no share may give: estimates of that are without bound
    scaled = fmpq_mat(p.nrows(), k, [p[i, j] / means[i, 0] for i in range(p.nrows()) for j in range(k)])
    try:
        inverse = (p.transpose() * scaled).inv()
    except ZeroDivisionError:
        return None
    return tuple(tuple(Fraction(int(inverse[i, j].p), int(inverse[i, j].q)) for j in range(k)) for i in range(k))


@register_objective
@dataclass(frozen=True, slots=True)
class AOptimality(Objective):
    """Minimise n times the trace of the covariance of the efficient unbiased estimate of pi: ``tr M^-1 - pi . pi``.

    Over all mechanisms, of any number of answers. The efficient estimate from answer i is ``M^-1 p_i / (p_i . pi)``
    (locally best unbiased at pi, and at every pi if M is taken there); it sums to 1. Pukelsheim, Optimal design of
    experiments (1993), chapter 6, for the name.
    """

    kind: ClassVar[str] = "a-optimal"
    sense: ClassVar[Literal["minimise", "maximise"]] = "minimise"
    title: ClassVar[str] = "n tr Cov"
    form: ClassVar[str] = '{"kind": "a-optimal"}'

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return ``tr M^-1 - pi . pi`` of a mechanism at a population of exact numbers.

        Raises:
            InvalidParameterError: no mechanism, or no population on its inputs.
            InfeasibleError: M is singular.

        >>> print(AOptimality().value(Mechanism.binary("3/4", "3/4"), ["1/2", "1/2"]))
        2
        """
        pi = exact_population(population, required_mechanism(mechanism).inputs)
        inverse = information_inverse(mechanism, pi)
        if inverse is None:
            raise InfeasibleError(
                f"no unbiased estimate of the population has a variance: received {mechanism!r}; the columns of the "
                "mechanism must be linearly independent"
            )
        return sum((row[j] - pi[j] ** 2 for j, row in enumerate(inverse)), Fraction(0))

    def outputs(self, inputs: int) -> int:
        """Return 0: any number of answers."""
        return 0

    def require(self, region: DesignSpace) -> None:
        """Raise unless the region has one level, any number of answers, and allows one that depends on the truth."""
        if not region.has_one_level or region.outputs or region.family != "all":
            raise UnsupportedProblemError(
                f"objective a-optimal needs one level, no bounds, and any number of answers: received {region}; "
                'allowed is a PrivacyRegion with outputs="any"'
            )
        if region.is_blind:
            raise InfeasibleError(
                "epsilon = 0 with delta = 0 leaves nothing to estimate: every truth must give the same distribution "
                "of answers; allow epsilon > 0"
            )
