"""The Fisher information of a mechanism, and the variances of efficient estimates."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rropt.core.errors import InfeasibleError
from rropt.core.exact.flint_numbers import flint_matrix, fractions_of
from rropt.mechanisms import Mechanism, OrbitMechanism
from rropt.mechanisms.columns import Matrix, nonzero_determinant
from rropt.mechanisms.left_inverse import consistent_solution
from rropt.mechanisms.orbits import GroupMatrix, grouped_information


def binary_variance(p00: Fraction, p11: Fraction, prevalence: Fraction) -> Fraction:
    """Return n Var of the unbiased estimator of the prevalence: Holohan, Leith and Mason (2016), equation (6).

    With ``lambda = Pr(output 1) = (1 - pi)(1 - p00) + pi p11``,
    ``n Var = lambda (1 - lambda) / (p00 + p11 - 1)^2``, which equals the paper's
    ``(1/4 - (p00 - 1/2 - pi (p00 + p11 - 1))^2) / (p00 + p11 - 1)^2``.

    Args:
        p00, p11: the probabilities of a true response.
        prevalence: pi = Pr(X = 1).

    Raises:
        InfeasibleError: p00 + p11 = 1, so the response does not depend on the truth.

    >>> binary_variance(Fraction(1), Fraction(1, 4), Fraction(1, 4))
    Fraction(15, 16)
    """
    determinant = nonzero_determinant(p00, p11)
    positive = (1 - prevalence) * (1 - p00) + prevalence * p11
    return positive * (1 - positive) / determinant**2


def fisher_information(mechanism: Mechanism, prevalence: Fraction) -> Fraction | None:
    """Return the Fisher information of one response about the prevalence; None if it is infinite.

    It is ``sum_i (p_i1 - p_i0)^2/lambda_i`` with ``lambda_i = (1 - pi) p_i0 + pi p_i1``. It is infinite if some output
    is impossible at pi but possible at another prevalence.

    >>> print(fisher_information(Mechanism.binary("3/4", "3/4"), Fraction(1, 2)))
    1
    """
    information = information_matrix(mechanism, (1 - prevalence, prevalence))
    if information is None:
        return None
    (one, both), (_, other) = fractions_of(information)
    return one - 2 * both + other


def information_matrix(mechanism: Mechanism, population: Sequence[Fraction]) -> Any | None:
    """Return ``M = sum_i p_i p_i^T / (p_i . pi)`` over the nonzero rows p_i, as a FLINT matrix.

    None if an output has probability 0 at pi but is possible under an input with proportion 0; then M is infinite.
    """
    rows = [row for row in mechanism.matrix if any(row)]
    p = flint_matrix(rows)
    means = [mean for (mean,) in fractions_of(p * flint_matrix([[x] for x in population]))]
    if not all(means):
        return None
    return p.transpose() * flint_matrix([[x / mean for x in row] for row, mean in zip(rows, means, strict=True)])


def information_inverse(mechanism: Mechanism, population: Sequence[Fraction]) -> Matrix | None:
    """Return ``M^-1``, exact; None if M is singular or infinite. If M is singular, some proportion is not estimable.

    Since ``M pi = 1``, ``M^-1 - pi pi^T`` is the covariance of the efficient unbiased estimate of pi from one response.

    >>> rows = information_inverse(Mechanism.binary("3/4", "3/4"), (Fraction(1, 2), Fraction(1, 2)))
    >>> [[str(x) for x in row] for row in rows]
    [['5/4', '-3/4'], ['-3/4', '5/4']]
    """
    information = information_matrix(mechanism, population)
    try:
        return None if information is None else fractions_of(information.inv())
    except ZeroDivisionError:
        return None


def information_solution(
    mechanism: Mechanism, population: Sequence[Fraction], contrasts: Sequence[Sequence[Fraction]] | None
) -> Matrix | None:
    """Return Z with ``M Z = B``, shape (k, r): M is the Fisher information, and B has the contrasts as columns.

    Without contrasts, B is the identity matrix. None if there is no such Z, so that an estimate does not exist.

    >>> z = information_solution(Mechanism.binary("3/4", "3/4"), [Fraction(1, 2)] * 2, [[Fraction(1), Fraction(-1)]])
    >>> [str(x) for (x,) in z]
    ['2', '-2']
    """
    if contrasts is None:
        return information_inverse(mechanism, population)
    information = information_matrix(mechanism, population)
    if information is None:
        return None
    rows = fractions_of(information)
    columns = [consistent_solution(rows, b) for b in contrasts]
    found = [column for column in columns if column is not None]
    return tuple(zip(*found, strict=True)) if len(found) == len(columns) else None


def unidentified(
    mechanism: Mechanism,
    what: str = "population",
    needed: str = "the columns of the mechanism must be linearly independent",
) -> InfeasibleError:
    """Return the error for a mechanism whose information is singular or infinite."""
    return InfeasibleError(f"no unbiased estimate of the {what} has a variance: received {mechanism!r}; {needed}")


def regular_information(mechanism: Mechanism, pi: Sequence[Fraction]) -> Any:
    """Return the Fisher information M.

    Raises:
        InfeasibleError: M is singular or infinite.
    """
    information = information_matrix(mechanism, pi)
    if information is None or not information.det():
        raise unidentified(mechanism)
    return information


def share_variances(mechanism: Mechanism, population: Sequence[Fraction]) -> tuple[Fraction, ...] | None:
    """Return n Var of the efficient unbiased estimate of each proportion, shape (k,); None if it does not exist.

    This is the diagonal of ``M^-1 - pi pi^T``. For orbits over groups of equal proportions no row is written out.

    >>> [str(v) for v in share_variances(Mechanism.binary("3/4", "3/4"), (Fraction(1, 2), Fraction(1, 2)))]
    ['1', '1']
    """
    grouped = grouped_information(mechanism, population) if isinstance(mechanism, OrbitMechanism) else None
    inverse = information_inverse(mechanism, population) if grouped is None else grouped.inverse()
    if inverse is None:
        return None
    own = inverse.entries() if isinstance(inverse, GroupMatrix) else [row[j] for j, row in enumerate(inverse)]
    return tuple(x - p * p for x, p in zip(own, population, strict=True))
