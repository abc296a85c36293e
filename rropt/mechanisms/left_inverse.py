"""The unbiased linear estimator: a left inverse of the mechanism."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.errors import InfeasibleError, InvalidParameterError
from rropt.exact import rational
from rropt.mechanisms.gamma_diagonal import gamma_diagonal

if TYPE_CHECKING:
    from rropt.mechanisms.mechanism import Mechanism


def determinant(mechanism: Mechanism) -> Fraction:
    """Return ``p00 + p11 - 1`` of a binary design, which is not 0; negative where answer 1 speaks against X = 1.

    Raises:
        InvalidMechanismError: not binary.
        InfeasibleError: it is 0.
    """
    value = mechanism.p00 + mechanism.p11 - 1
    if not value:
        raise InfeasibleError(
            f"p00 + p11 = 1 leaves nothing to estimate: received p00 = {mechanism.p00}, p11 = {mechanism.p11}; "
            "the answer must depend on the truth"
        )
    return value


def left_inverse(mechanism: Mechanism, reference: Sequence[Fraction]) -> tuple[tuple[Fraction, ...], ...]:
    """Return A with ``A P = I``: ``A lambda_hat`` is the unbiased estimator of least variance at ``reference``.

    With ``D = diag(P r)`` for the reference population r,

        ``A = (P^T D^-1 P)^-1 P^T D^-1``   (generalised least squares; rows of P that are zero are left out).

    For every r: A P = I, so the estimator is unbiased whatever the true population, and ``1^T A = 1^T``, so the
    estimates sum to 1 (with M = P^T D^-1 P: M r = P^T 1 = 1, hence ``1^T A = r^T M A = r^T P^T D^-1 = 1^T``). Its
    covariance at r is ``(M^-1 - r r^T)/n``, the least that an unbiased estimator can have there (Gauss and Markov;
    it is the inverse Fisher information). For a square P it is ``P^-1`` whatever r. Plain least squares
    ``(P^T P)^-1 P^T`` is unbiased too, but its estimates need not sum to 1 and change when an answer is split in two.

    Args:
        mechanism: P, shape (m, k), of full column rank.
        reference: r, shape (k,), positive, sums to 1.

    Returns:
        A, shape (k, m), exact. Cost: one exact inverse of order k; of ``a I + u 1^T`` (k-ary randomized response) in
        closed form.

    Raises:
        InfeasibleError: the columns of P are linearly dependent: the population is not identified.

    Source: Rao, Linear Statistical Inference (1973), section 4a; Chai and Nayak (2018) for square P.

    >>> from rropt.mechanisms import Mechanism
    >>> A = left_inverse(Mechanism.binary("5/6", "5/6"), (Fraction(1, 2), Fraction(1, 2)))
    >>> [str(a) for a in A[1]], [float(a) for a in A[1]]
    (['-1/4', '5/4'], [-0.25, 1.25])
    """
    structured = gamma_diagonal(mechanism)
    if structured is not None:
        return structured.inverse()
    m, k = mechanism.shape
    matrix = _flint(mechanism.matrix)
    try:
        if m == k:
            inverse = matrix.inv()
        else:
            weighted = _flint(_weighted_columns(mechanism, reference))
            inverse = (weighted * matrix).inv() * weighted
    except ZeroDivisionError:
        if mechanism.is_binary:
            determinant(mechanism)  # says so in its own words
        raise InfeasibleError(_not_identified(mechanism)) from None
    return tuple(tuple(_fraction(inverse[j, i]) for i in range(m)) for j in range(k))


def _weighted_columns(mechanism: Mechanism, reference: Sequence[Fraction]) -> list[list[Fraction]]:
    """Return ``P^T D^-1``, with zero where a row of P is zero."""
    weights = [sum((p * r for p, r in zip(row, reference, strict=True)), Fraction(0)) for row in mechanism.matrix]
    return [
        [p / weight if p else p for p, weight in zip(column, weights, strict=True)] for column in mechanism.columns()
    ]


def reference_population(mechanism: Mechanism, reference: Sequence[object] | None) -> tuple[Fraction, ...]:
    """Return the reference population of ``left_inverse``: the uniform one, or the one given, checked.

    Raises:
        InvalidParameterError: not k positive numbers that sum to exactly 1.
    """
    k = mechanism.inputs
    if reference is None:
        return (Fraction(1, k),) * k
    exact = tuple(rational(value, name=f"reference[{j}]") for j, value in enumerate(reference))
    if len(exact) != k or min(exact) <= 0 or sum(exact) != 1:
        shares = ", ".join(str(share) for share in exact[:6]) + (", ..." if len(exact) > 6 else "")
        raise InvalidParameterError(
            f"the reference population is not a positive distribution on {k} categories: received {shares}; "
            "give positive fractions that sum to exactly 1, or leave it out (uniform)"
        )
    return exact


def _not_identified(mechanism: Mechanism) -> str:
    m, k = mechanism.shape
    return (
        f"the answers do not identify the population: received a matrix of shape ({m}, {k}) whose columns are "
        "linearly dependent; use a mechanism of full column rank"
    )


def _flint(rows: Sequence[Sequence[Fraction]]) -> Any:
    from flint import fmpq, fmpq_mat

    return fmpq_mat(len(rows), len(rows[0]), [fmpq(x.numerator, x.denominator) for row in rows for x in row])


def _fraction(value: Any) -> Fraction:
    return Fraction(int(value.p), int(value.q))
