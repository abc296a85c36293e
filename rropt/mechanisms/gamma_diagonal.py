"""Mechanisms ``P = a I + u 1^T``: the truth with probability a, else answer i with probability u_i / (1 - a).

k-ary randomized response (GRR, the gamma-diagonal matrix) is one, forced response with k answers another, and every
binary design. Their columns sum to ``a + 1^T u = 1``, so that by Sherman and Morrison ``P^-1 = (I - u 1^T) / a``:

* estimate ``(l - u) / a`` for shares l of the answers, covariance ``(diag(l) - l l^T) / (a^2 n)``;
* maximum likelihood for a > 0: ``sum_i N_i log(lambda_i)`` over ``lambda_i = a pi_i + u_i >= u_i`` with sum 1. It is
  concave, and lambda is the maximum iff ``N_i / lambda_i`` has one value c where pi_i > 0 and is at most c elsewhere:
  ``lambda_i = max(u_i, N_i / c)``. The sum falls in c, so that the answers with pi_i > 0 are those of largest
  ``N_i / u_i``; with S the set of them, ``1 / c = (1 - sum_{i not in S} u_i) / sum_{i in S} N_i``: rational.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rropt.mechanisms.mechanism import Mechanism

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


def gamma_diagonal(mechanism: Mechanism) -> GammaDiagonal | None:
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
