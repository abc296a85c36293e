"""Objectives that are variances: of an estimated prevalence or contrast, and in all of a population (A-optimality)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.errors import InfeasibleError, InvalidParameterError, UnsupportedProblemError, shown
from rropt.exact import rational
from rropt.exact.numbers import dot
from rropt.mechanisms import Mechanism, OrbitMechanism
from rropt.mechanisms.columns import listed, nonzero_determinant
from rropt.mechanisms.imports import required_mechanism
from rropt.mechanisms.left_inverse import consistent_solution, flint_matrix, fractions_of
from rropt.mechanisms.orbits import GroupMatrix, grouped_information
from rropt.objectives.objective import (
    DesignSpace,
    Objective,
    Rows,
    VarianceSum,
    exact_population,
    register_objective,
    require_sighted,
    shares_of_inputs,
)


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
    determinant = nonzero_determinant(p00, p11)
    positive = (1 - prevalence) * (1 - p00) + prevalence * p11
    return positive * (1 - positive) / determinant**2


def fisher_information(mechanism: Mechanism, prevalence: Fraction) -> Fraction | None:
    """Return what one answer tells of the prevalence, ``sum_i (p_i1 - p_i0)^2/lambda_i``; None where it is infinite.

    ``lambda_i = (1 - pi) p_i0 + pi p_i1``. Infinite where an answer that cannot occur at pi could elsewhere.

    >>> print(fisher_information(Mechanism.binary("3/4", "3/4"), Fraction(1, 2)))
    1
    """
    total = Fraction(0)
    for p0, p1 in mechanism.matrix:
        chance = (1 - prevalence) * p0 + prevalence * p1
        if chance:
            total += (p1 - p0) ** 2 / chance
        elif p0 != p1:
            return None
    return total


@register_objective
@dataclass(frozen=True, slots=True)
class EstimatorVariance(Objective):
    """Minimise the variance of the maximum likelihood estimator of the prevalence, per respondent (n Var).

    With other than two answers it is the least asymptotic one, ``1/I`` with I the Fisher information: that of the
    locally best unbiased estimator at every n, and 0 where I is infinite. Two answers have the same by either formula.
    """

    kind = "variance"
    sense = "minimise"
    title = "n Var"
    form = '{"kind": "variance"}'

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return n Var of a mechanism of two inputs at the population ``(1 - pi, pi)``, exact numbers.

        Raises:
            InvalidParameterError: no mechanism, or no population of two shares that sum to 1.
            InvalidMechanismError: not two inputs.
            InfeasibleError: p00 + p11 = 1, or both columns are equal.

        >>> print(EstimatorVariance().value(Mechanism.binary("3/4", "3/4"), [0.9, 0.1]))
        21/25
        """
        if required_mechanism(mechanism).is_binary or mechanism.inputs != 2:
            return binary_variance(mechanism.p00, mechanism.p11, exact_population(population, 2)[1])
        information = fisher_information(mechanism, exact_population(population, 2)[1])
        if information == 0:
            raise InfeasibleError(
                f"the answers do not depend on the truth: received {mechanism!r}; the columns must differ"
            )
        return Fraction(0) if information is None else 1 / information

    def solution(self, mechanism: Mechanism, population: Sequence[Fraction]) -> Rows | None:
        """Return ``M^-1`` of k = 2 shares, or None where M is singular."""
        return information_inverse(mechanism, population)

    def at(self, population: Sequence[Fraction]) -> str:
        """Return the prevalence in words."""
        return f" at prevalence {population[1]}"

    def require(self, region: DesignSpace) -> None:
        """Raise unless there are two inputs and two, three or any outputs, one level, an answer that may depend."""
        if region.inputs != 2 or region.outputs not in (0, 2, 3):
            raise UnsupportedProblemError(
                f"objective variance is defined for binary designs: received {region.inputs} inputs and "
                f'{region.outputs or "any"} outputs; allowed are 2 inputs, with 2, 3 or "any" outputs (four do)'
            )
        if not region.has_one_level:
            bounded = region.bounds is not None
            limit = "no bounds on the entries; leave them out" if bounded else "one level; give one epsilon"
            raise UnsupportedProblemError(f"objective variance: received {region}; allowed is {limit}")
        require_sighted(region)


def information_matrix(mechanism: Mechanism, population: Sequence[Fraction]) -> Any | None:
    """Return ``M = sum_i p_i p_i^T / (p_i . pi)`` over the rows p_i that are not 0, as a matrix of flint.

    None where an answer has chance 0 that some input without a share could give: estimates of that have no bound.
    """
    rows = [row for row in mechanism.matrix if any(row)]
    p = flint_matrix(rows)
    means = [mean for (mean,) in fractions_of(p * flint_matrix([[x] for x in population]))]
    if not all(means):
        return None
    return p.transpose() * flint_matrix([[x / mean for x in row] for row, mean in zip(rows, means, strict=True)])


def information_inverse(mechanism: Mechanism, population: Sequence[Fraction]) -> Rows | None:
    """Return ``M^-1``, exact, or None where M is singular: then some estimate of a share is biased for every n.

    As ``M pi = 1``, ``M^-1 - pi pi^T`` is the covariance of the efficient unbiased estimate of pi from one answer.

    >>> rows = information_inverse(Mechanism.binary("3/4", "3/4"), (Fraction(1, 2), Fraction(1, 2)))
    >>> [[str(x) for x in row] for row in rows]
    [['5/4', '-3/4'], ['-3/4', '5/4']]
    """
    information = information_matrix(mechanism, population)
    try:
        return None if information is None else fractions_of(information.inv())
    except ZeroDivisionError:
        return None


def unidentified(
    mechanism: Mechanism,
    what: str = "population",
    needed: str = "the columns of the mechanism must be linearly independent",
) -> InfeasibleError:
    """Return the error of a mechanism whose information is singular, or infinite."""
    return InfeasibleError(f"no unbiased estimate of the {what} has a variance: received {mechanism!r}; {needed}")


def share_variances(mechanism: Mechanism, population: Sequence[Fraction]) -> tuple[Fraction, ...] | None:
    """Return n Var of the efficient unbiased estimate of each share, shape (k,), or None where there is none.

    The diagonal of ``M^-1 - pi pi^T``; of orbits over groups of equal shares without a row written out.

    >>> [str(v) for v in share_variances(Mechanism.binary("3/4", "3/4"), (Fraction(1, 2), Fraction(1, 2)))]
    ['1', '1']
    """
    grouped = grouped_information(mechanism, population) if isinstance(mechanism, OrbitMechanism) else None
    inverse = information_inverse(mechanism, population) if grouped is None else grouped.inverse()
    if inverse is None:
        return None
    own = inverse.entries() if isinstance(inverse, GroupMatrix) else [row[j] for j, row in enumerate(inverse)]
    return tuple(x - p * p for x, p in zip(own, population, strict=True))


@register_objective
@dataclass(frozen=True, slots=True)
class AOptimality(VarianceSum):
    """Minimise n times the trace of the covariance of the efficient unbiased estimate of pi: ``tr M^-1 - pi . pi``.

    Over all mechanisms, of any number of answers. The efficient estimate from answer i is ``M^-1 p_i / (p_i . pi)``
    (locally best unbiased at pi, and at every pi if M is taken there); it sums to 1. Pukelsheim, Optimal design of
    experiments (1993), chapter 6, for the name.
    """

    kind = "a-optimal"
    title = "n tr Cov"
    form = '{"kind": "a-optimal"}'

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return ``tr M^-1 - pi . pi`` of a mechanism at a population of exact numbers.

        Raises:
            InvalidParameterError: no mechanism, or no population on its inputs.
            InfeasibleError: M is singular.

        >>> print(AOptimality().value(Mechanism.binary("3/4", "3/4"), ["1/2", "1/2"]))
        2
        """
        found = share_variances(mechanism, shares_of_inputs(mechanism, population))
        if found is None:
            raise unidentified(mechanism)
        return sum(found, Fraction(0))

    def targets(self, inputs: int) -> Rows:
        """Return the identity."""
        return tuple(tuple(Fraction(i == j) for j in range(inputs)) for i in range(inputs))

    def solution(self, mechanism: Mechanism, population: Sequence[Fraction]) -> Rows | None:
        """Return ``M^-1``, or None where M is singular."""
        return information_inverse(mechanism, population)


@register_objective
@dataclass(frozen=True, slots=True)
class COptimality(VarianceSum):
    """Minimise n times the variance of the efficient unbiased estimate of a contrast: ``c^T M^- c - (c . pi)^2``.

    Over all mechanisms, of any number of answers; what is estimated is c . pi: (1, -1, 0) for the difference of the
    first two shares, (1, 0, 0) for the first alone, (0, 1, 2) for a mean. The optimal mechanism need not tell
    categories apart that have the same c_j; then M is singular.

    Args:
        contrast: c, shape (k,), exact numbers of any sign, not all equal.

    Raises:
        InvalidParameterError: no such list.
    """

    kind = "c-optimal"
    title = "n Var of the contrast"
    form = '{"kind": "c-optimal", "contrast": [...]}'
    options = ("contrast",)
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
                f"contrast says nothing: received {shown(contrast)}; the sum of its numbers times the shares is known "
                "when all are equal: give two numbers at least that differ"
            )
        object.__setattr__(self, "contrast", exact)

    @classmethod
    def for_categories(cls, inputs: int, **options: Any) -> COptimality:
        """Return the objective of the option ``contrast``."""
        if "contrast" not in options:
            raise InvalidParameterError("`objective=c-optimal` needs `contrast`: one number per category, as in 1,-1,0")
        return cls(options["contrast"])

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return ``c . z - (c . pi)^2`` for M z = c, at a population of exact numbers.

        Raises:
            InvalidParameterError: no mechanism, or no population on its inputs.
            InfeasibleError: c is no combination of the mechanism's rows.

        >>> print(COptimality([1, 0]).value(Mechanism.binary("3/4", "3/4"), ["1/2", "1/2"]))
        1
        """
        pi = shares_of_inputs(mechanism, population)
        self.require_length(mechanism.inputs)
        z = self.solution(mechanism, pi)
        if z is None:
            raise unidentified(mechanism, "contrast", "the contrast must be a combination of the mechanism's rows")
        return dot(self.contrast, (x for (x,) in z)) - dot(self.contrast, pi) ** 2

    def targets(self, inputs: int) -> Rows:
        """Return the contrast alone."""
        return (self.contrast,)

    def solution(self, mechanism: Mechanism, population: Sequence[Fraction]) -> Rows | None:
        """Return a z with ``M z = c`` as a column, or None where there is none.

        >>> z = COptimality([1, -1]).solution(Mechanism.binary("3/4", "3/4"), (Fraction(1, 2), Fraction(1, 2)))
        >>> [str(x) for (x,) in z]
        ['2', '-2']
        """
        information = information_matrix(mechanism, population)
        z = None if information is None else consistent_solution(fractions_of(information), self.contrast)
        return None if z is None else tuple((x,) for x in z)

    def require(self, region: DesignSpace) -> None:
        """Raise unless the region is one of ``VarianceSum``, with as many inputs as the contrast."""
        VarianceSum.require(self, region)
        self.require_length(region.inputs)

    def require_length(self, inputs: int) -> None:
        """Raise unless there is a number for each input."""
        if len(self.contrast) != inputs:
            raise InvalidParameterError(
                f"contrast needs one number per category: received {len(self.contrast)} numbers for {inputs} categories"
            )
