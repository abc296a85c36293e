"""The unbiased linear estimator: a left inverse of the mechanism; in closed form for ``P = a I + u 1^T``.

*Mechanisms* ``P = a I + u 1^T``: the truth with probability a, else answer i with probability u_i / (1 - a).
k-ary randomized response (GRR, the gamma-diagonal matrix) is one, forced response with k answers another, and every
binary design. Their columns sum to ``a + 1^T u = 1``, so that by Sherman and Morrison ``P^-1 = (I - u 1^T) / a``:

* estimate ``(l - u) / a`` for proportions l of the answers, covariance ``(diag(l) - l l^T) / (a^2 n)``;
* maximum likelihood for a > 0: ``sum_i N_i log(lambda_i)`` over ``lambda_i = a pi_i + u_i >= u_i`` with sum 1. It is
  concave, and lambda is the maximum iff ``N_i / lambda_i`` has one value c where pi_i > 0 and is at most c elsewhere:
  ``lambda_i = max(u_i, N_i / c)``. The sum falls in c, so that the answers with pi_i > 0 are those of largest
  ``N_i / u_i``; with S the set of them, ``1 / c = (1 - sum_{i not in S} u_i) / sum_{i in S} N_i``: rational.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.core.errors import InfeasibleError, InvalidParameterError
from rropt.core.exact import rational
from rropt.core.exact.numbers import dot
from rropt.mechanisms.columns import Entries, listed, nonzero_determinant

Vector = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class GammaDiagonal:
    """``P = a I + u 1^T``.

    Attributes:
        truth: a, not 0.
        other: u, shape (k,), nonnegative off the diagonal.
    """

    truth: Fraction
    other: Vector

    def inverse(self) -> tuple[Vector, ...]:
        """Return ``P^-1``, shape (k, k): two numbers in each row."""
        k = len(self.other)
        pairs = [((1 - u) / self.truth, -u / self.truth) for u in self.other]
        return tuple((off,) * i + (on,) + (off,) * (k - i - 1) for i, (on, off) in enumerate(pairs))

    def covariance(self, counts: Sequence[int]) -> tuple[Vector, ...]:
        """Return the plug-in covariance of the estimate, shape (k, k)."""
        n = sum(counts)
        below = (self.truth * n) ** 2 * n
        p, q = below.as_integer_ratio()
        return tuple(
            tuple(Fraction(q * (n * x * (i == j) - x * y), p) for j, y in enumerate(counts))
            for i, x in enumerate(counts)
        )

    def most_likely(self, counts: Sequence[int]) -> Vector | None:
        """Return the population of greatest likelihood, exactly; ``None`` for a < 0."""
        if self.truth < 0:
            return None
        # by N_i / u_i, largest first; an observed answer that others never give (u_i = 0) is infinite, an unseen one 0
        never = [i for i, (count, u) in enumerate(zip(counts, self.other, strict=True)) if count and not u]
        order = sorted(
            (i for i, count in enumerate(counts) if count and self.other[i]), key=lambda i: -counts[i] / self.other[i]
        )
        seen, rest, scale = 0, self.truth, Fraction(0)  # rest = 1 - sum of u over the others
        for i in (*never, *order):
            if seen and counts[i] * scale <= self.other[i]:
                break
            seen, rest = seen + counts[i], rest + self.other[i]
            scale = rest / seen
        return tuple(
            max(Fraction(0), count * scale - u) / self.truth for count, u in zip(counts, self.other, strict=True)
        )


def gamma_diagonal(mechanism: Entries) -> GammaDiagonal | None:
    """Return the form ``a I + u 1^T`` of a mechanism, ``None`` when it has none or a = 0; exact.

    >>> from rropt.mechanisms import named_mechanism
    >>> gamma_diagonal(named_mechanism("grr:3,1/2"))
    GammaDiagonal(truth=Fraction(1, 4), other=(Fraction(1, 4), Fraction(1, 4), Fraction(1, 4)))
    """
    m, k = mechanism.shape
    if m != k or k < 2:
        return None
    rows = mechanism.matrix
    other = tuple(row[i - 1] for i, row in enumerate(rows))  # row 0: the last entry
    truth = rows[0][0] - other[0]
    if not truth or any(row[i] - u != truth for i, (row, u) in enumerate(zip(rows, other, strict=True))):
        return None
    if any(row.count(u) != k - 1 for row, u in zip(rows, other, strict=True)):  # the diagonal differs by a, not 0
        return None
    return GammaDiagonal(truth, other)


def determinant(mechanism: Entries) -> Fraction:
    """Return ``p00 + p11 - 1`` of a binary design, which is not 0; negative where answer 1 speaks against X = 1.

    Raises:
        InvalidMechanismError: not binary.
        InfeasibleError: it is 0.
    """
    return nonzero_determinant(mechanism.p00, mechanism.p11)


def consistent_solution(matrix: Sequence[Sequence[Fraction]], target: Sequence[Fraction]) -> Vector | None:
    """Return an x with ``matrix x = target``, exact, 0 where it is free; None where there is none.

    >>> consistent_solution([[Fraction(1), Fraction(1)], [Fraction(2), Fraction(2)]], [Fraction(3), Fraction(6)])
    (Fraction(3, 1), Fraction(0, 1))
    """
    width = len(matrix[0])
    together = [[*row, value] for row, value in zip(matrix, target, strict=True)]
    reduced, rank = flint_matrix(together).rref()
    found = [Fraction(0)] * width
    for row in fractions_of(reduced)[:rank]:
        pivot = next(j for j, entry in enumerate(row) if entry)
        if pivot == width:
            return None
        found[pivot] = row[width]
    return tuple(found)


def left_inverse(mechanism: Entries, reference: Sequence[Fraction]) -> tuple[tuple[Fraction, ...], ...]:
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
    matrix = flint_matrix(mechanism.matrix)
    try:
        if m == k:
            inverse = matrix.inv()
        else:
            weighted = flint_matrix(_weighted_columns(mechanism, reference))
            inverse = (weighted * matrix).inv() * weighted
    except ZeroDivisionError:
        if mechanism.is_binary:
            determinant(mechanism)  # says so in its own words
        raise InfeasibleError(_not_identified(mechanism)) from None
    return fractions_of(inverse)


def _weighted_columns(mechanism: Entries, reference: Sequence[Fraction]) -> list[list[Fraction]]:
    """Return ``P^T D^-1``, with zero where a row of P is zero."""
    weights = [dot(row, reference) for row in mechanism.matrix]
    return [
        [p / weight if p else p for p, weight in zip(column, weights, strict=True)] for column in mechanism.columns()
    ]


def reference_population(mechanism: Entries, reference: Sequence[object] | None) -> tuple[Fraction, ...]:
    """Return the reference population of ``left_inverse``: the uniform one, or the one given, checked.

    Raises:
        InvalidParameterError: not k positive numbers that sum to exactly 1.
    """
    k = mechanism.inputs
    if reference is None:
        return (Fraction(1, k),) * k
    exact = tuple(rational(value, name=f"reference[{j}]") for j, value in enumerate(listed(reference, flat=True) or ()))
    if len(exact) != k or min(exact) <= 0 or sum(exact) != 1:
        shares = ", ".join(str(share) for share in exact[:6]) + (", ..." if len(exact) > 6 else "")
        raise InvalidParameterError(
            f"the reference population is not a positive distribution on {k} categories: received {shares}; "
            "give positive fractions that sum to exactly 1, or leave it out (uniform)"
        )
    return exact


def _not_identified(mechanism: Entries) -> str:
    m, k = mechanism.shape
    return (
        f"the answers do not identify the population: received a matrix of shape ({m}, {k}) whose columns are "
        "linearly dependent; use a mechanism of full column rank"
    )


def flint_matrix(rows: Sequence[Sequence[Fraction]]) -> Any:
    """Return a matrix of fractions in FLINT."""
    from flint import fmpq, fmpq_mat

    return fmpq_mat(len(rows), len(rows[0]), [fmpq(x.numerator, x.denominator) for row in rows for x in row])


def fractions_of(matrix: Any) -> tuple[Vector, ...]:
    """Return the rows of a matrix of FLINT as fractions."""
    return tuple(tuple(Fraction(int(x.p), int(x.q)) for x in row) for row in matrix.tolist())
