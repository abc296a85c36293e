"""The likelihood gap: a rational bound on what the best population could gain, per response."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from rropt.mechanisms import Mechanism

__all__ = ["likelihood_gap", "share_error"]

_EXACT_GAP_ENTRIES = 10_000  # up to here the gap is summed exactly, beyond with each quotient rounded up
_GAP_DIGITS = 40  # decimals to which the gap is then rounded up

_ROUNDING = 1e-9  # relative: far more than the rounding of some thousand floats


def likelihood_gap(mechanism: Mechanism, counts: Sequence[int], population: Sequence[Fraction]) -> Fraction | None:
    """Return a bound on ``max over the simplex of l - l(pi)``, l the log-likelihood per response.

    With f_i = N_i / n and ``l(x) = sum_i f_i log (P x)_i``, concave, for every population x

        ``l(x) - l(pi) <= grad l(pi) . (x - pi) = sum_i f_i (P x)_i / (P pi)_i - 1 <= max_j (P^T (f / P pi))_j - 1``,

    which is 0 exactly at the maximum (Kuhn and Tucker). Beyond 10^4 entries each quotient is rounded up at 40
    decimals, so that the bound still holds.

    Args:
        mechanism: P, shape (m, k).
        counts: N, shape (m,), integers.
        population: pi, shape (k,), nonnegative, sums to 1.

    Returns:
        The bound, rational, >= 0, rounded up at 40 decimals; ``None`` when pi makes an observed answer impossible.

    Source: Lindsay, Mixture Models (1995), theorem 20 (gradient function).

    >>> from rropt.mechanisms import Mechanism
    >>> die = Mechanism.binary("5/6", "5/6")
    >>> gap = likelihood_gap(die, (1604, 831), (Fraction(1), Fraction(0)))  # with 34 % yes, prevalence 0 is unlikely
    >>> gap, round(float(gap), 6)
    (Fraction(10204, 12175), 0.838111)
    """
    n = sum(counts)
    scale = 10**_GAP_DIGITS
    exact = mechanism.outputs * mechanism.inputs <= _EXACT_GAP_ENTRIES
    ratios = []
    for row, count in zip(mechanism.matrix, counts, strict=True):
        if not count:
            continue
        probability = sum((p * x for p, x in zip(row, population, strict=True) if x), Fraction(0))
        if not probability:
            return None
        ratio = count / (n * probability)
        ratios.append((row, ratio if exact else Fraction(-(-ratio.numerator * scale // ratio.denominator), scale)))
    gain = max(sum((row[j] * ratio for row, ratio in ratios if row[j]), Fraction(0)) for j in range(mechanism.inputs))
    gap = max(gain - 1, Fraction(0))
    return gap if gap.denominator <= scale else Fraction(-(-gap.numerator * scale // gap.denominator), scale)


def share_error(
    mechanism: Mechanism,
    counts: Sequence[int],
    population: Sequence[Fraction],
    estimator: Sequence[Sequence[Fraction]],
    gap: Fraction,
) -> float:
    """Return how far a share may be from that of the most likely population: a bound, at most 1, not a guess.

    With lambda* = P pi* the best, f = N/n and r = lambda / lambda*: ``sum f_i r_i <= 1`` (its optimality) and
    ``-sum f_i log r_i <= gap``, so that ``f_i (r_i - 1 - log r_i) <= gap`` for each i. Hence ``|r_i - 1| <= s`` with
    ``t = gap / f_i``, ``s = 2 t + sqrt(2 t)``, and ``|lambda_i - lambda*_i| <= lambda_i s / (1 - s)`` for s < 1; it is
    at most the range of row i anyway. Then ``pi - pi* = A (lambda - lambda*)``.

    Args:
        mechanism, counts, population, gap: as in ``likelihood_gap``, which returned the gap.
        estimator: A, shape (k, m), ``A P = I``.
    """
    if not gap:
        return 0.0
    n, misses = sum(counts), []
    for row, count in zip(mechanism.matrix, counts, strict=True):
        most = float(max(row) - min(row))
        t = float(gap * n / count) if count else math.inf
        s = 2 * t + math.sqrt(2 * t)
        if s < 1:
            here = float(sum((p * x for p, x in zip(row, population, strict=True)), Fraction(0)))
            most = min(most, here * s / (1 - s))
        misses.append(most * (1 + _ROUNDING))
    return min(1.0, max(sum(abs(float(a)) * miss for a, miss in zip(row, misses, strict=True)) for row in estimator))
