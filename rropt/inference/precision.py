"""The exact variance and covariance of the unbiased estimator at a given pi, for any mechanism.

The responses of n respondents are multinomial with ``lambda = P pi``. The estimate ``A N/n`` with ``A P = I``
(``left_inverse``) has mean pi and

    n Cov = A (diag(lambda) - lambda lambda^T) A^T = A diag(P pi) A^T - pi pi^T.

A contrast c . pi has ``n Var = sum_i w_i^2 lambda_i - (c . pi)^2`` with ``w = A^T c``. This is a linear function of pi
minus a square. For distributions with a given value of ``c . pi``, only the linear part varies. Its maximum is at a
vertex of a polytope with two equations, that is, at a distribution with at most two positive proportions. For two
categories with proportions t and 1 - t, n Var is a concave parabola in t.

>>> from rropt.mechanisms import named_mechanism
>>> kuk = named_mechanism("kuk:4/5,1/5,2")
>>> [[str(x) for x in row] for row in covariance_at(kuk, ["3/4", "1/4"])]
[['59/144', '-59/144'], ['-59/144', '59/144']]
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from rropt.answers.response_counts import answer_count
from rropt.core.errors import InvalidParameterError
from rropt.core.exact import rational_where
from rropt.core.exact.numbers import dot
from rropt.inference.count_estimates import covariance_of, planned_contrast
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import Matrix, exact_population
from rropt.mechanisms.fisher_information import share_variances
from rropt.mechanisms.imports import required_mechanism
from rropt.mechanisms.left_inverse import left_inverse, reference_population

Vector = tuple[Fraction, ...]


def covariance_at(
    mechanism: Mechanism, population: Sequence[object], *, n: object = 1, reference: Sequence[object] | None = None
) -> Matrix:
    """Return the covariance of the unbiased estimate from n respondents, shape (k, k).

    Args:
        mechanism: the mechanism P, shape (m, k), of full column rank.
        population: the distribution pi, shape (k,), exact, with sum 1.
        n: the number of responses.
        reference: as in ``estimate``; it matters only for m > k.

    Raises:
        InvalidParameterError: population, n or reference is invalid.
        InfeasibleError: the mechanism does not identify the distribution of the categories.
    """
    estimator, pi = _estimator(mechanism, reference), exact_population(population, mechanism.inputs)
    return covariance_of(estimator, mechanism.apply(pi), pi, answer_count(n, "n", least=1))


def variance_at(
    mechanism: Mechanism,
    population: Sequence[object] | None,
    contrast: Sequence[object] | None = None,
    *,
    n: object = 1,
    reference: Sequence[object] | None = None,
) -> Fraction:
    """Return the variance of the unbiased estimate of ``c . pi`` with n respondents.

    Args:
        mechanism: the mechanism P, shape (m, k), of full column rank.
        population: the distribution pi, shape (k,), exact; ``None`` for the one with the largest variance.
        contrast: c, shape (k,), exact; the default for two categories is (0, 1), the prevalence.
        n: the number of responses.
        reference: as in ``estimate``.

    Raises:
        InvalidParameterError: population, contrast, n or reference is invalid.
        InfeasibleError: the mechanism does not identify the distribution of the categories.

    >>> from rropt.mechanisms import named_mechanism
    >>> str(variance_at(named_mechanism("grr:3,1/2"), None, [1, -1, 0]))
    '12'
    """
    mechanism = required_mechanism(mechanism)
    c = planned_contrast(mechanism, contrast)
    squares = squares_of(mechanism, c, reference=reference)
    count = answer_count(n, "n", least=1)
    if population is None:
        return worst_variance(squares, c) / count
    pi = exact_population(population, mechanism.inputs)
    return (dot(squares, pi) - dot(c, pi) ** 2) / count


def efficient_variances(mechanism: Mechanism, population: Sequence[object]) -> Vector | None:
    """Return n Var of the efficient estimate of each proportion, shape (k,), with which maximum likelihood agrees.

    No unbiased estimate of the same responses has smaller variances for many respondents: they are the diagonal of
    ``M^-1 - pi pi^T``, with the Fisher information M.

    Args:
        mechanism: the mechanism P, shape (m, k).
        population: the distribution pi, shape (k,), exact, with sum 1.

    Returns:
        The variances; ``None`` if the mechanism does not identify the proportions.

    Raises:
        InvalidParameterError: the population is invalid.

    >>> from rropt.mechanisms import named_mechanism
    >>> [str(x) for x in efficient_variances(named_mechanism("warner:3/4"), ["1/2", "1/2"])]
    ['1', '1']
    """
    mechanism = required_mechanism(mechanism)
    return share_variances(mechanism, exact_population(population, mechanism.inputs))


def squares_of(mechanism: Mechanism, contrast: Vector, *, reference: Sequence[object] | None = None) -> Vector:
    """Return v with ``n Var = v . pi - (c . pi)^2``, that is, ``v = P^T (w o w)`` with ``w = A^T c``."""
    estimator = _estimator(mechanism, reference)
    weights = [dot(contrast, column) for column in zip(*estimator, strict=True)]
    return tuple(mechanism.adjoint([w * w for w in weights]))


def shares_of(prevalence: object | None, population: Sequence[object] | None) -> Sequence[object] | None:
    """Return the guessed distribution, from a prevalence or from all proportions; ``None`` if there is no guess."""
    if prevalence is None:
        return population
    if population is not None:
        raise InvalidParameterError("the guess is given twice: received a prevalence and proportions; give one of them")
    pi = rational_where(prevalence, lambda x: 0 <= x <= 1, "0 <= prevalence <= 1", name="prevalence")
    return 1 - pi, pi


def _estimator(mechanism: Mechanism, reference: Sequence[object] | None) -> Matrix:
    mechanism = required_mechanism(mechanism)
    return left_inverse(mechanism, reference_population(mechanism, reference))


def worst_variance(squares: Vector, contrast: Vector) -> Fraction:
    """Return the maximum of ``v . pi - (c . pi)^2`` over all distributions, attained on at most two categories.

    Args:
        squares: v, the expected square of the estimate from one report, given each category.
        contrast: c, its expected value, given each category.
    """
    worst = max(v - c * c for v, c in zip(squares, contrast, strict=True))
    pairs = dict.fromkeys(zip(contrast, squares, strict=True))  # equal categories are used once
    for (c, v), (other, w) in combinations(pairs, 2):
        step = c - other
        t = (v - w - 2 * step * other) / (2 * step * step) if step else Fraction(0)
        if 0 < t < 1:
            worst = max(worst, t * v + (1 - t) * w - (t * c + (1 - t) * other) ** 2)
    return worst
