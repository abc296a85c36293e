"""The power of the exact test for many n at once, in floats: only proposals rest on it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rropt.estimation.plans.question import Question
from rropt.estimation.quantiles import normal_quantile
from rropt.tolerances import FLOAT_BISECTIONS, SCAN_MARGIN

__all__ = ["float_power"]

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

# The critical count lies in [n t, n t + 2] for 2 n KL(t | null) = z^2 (universal inequalities): one more on each side
# for the rounding of t.
_CANDIDATES = np.arange(-1, 4, dtype=np.int64)


def float_power(question: Question, first: Numbers, last: Numbers) -> Floats:
    """Return a lower bound on the power for the numbers from ``first`` to ``last``; itself for one number.

    The critical count k(n) and, for a fixed count k, ``Pr(Y >= k)`` grow with n: in the block the power is at least
    ``Pr(Y >= k(last))`` for n = first. nan where floats do not tell whether a count is significant.
    """
    tail = float(question.tail)
    z = float(normal_quantile(1 - question.tail)[1])
    result = _one_side(first, last, float(question.null), float(question.truth), tail, z)
    if question.two_sided:
        result = result + _one_side(first, last, float(1 - question.null), float(1 - question.truth), tail, z)
    return result


def _one_side(first: Numbers, last: Numbers, null: float, truth: float, tail: float, z: float) -> Floats:
    nearly = np.floor(last * _critical_shares(last, null, z)).astype(np.int64)
    counts = np.clip(nearly + _CANDIDATES[:, None], 0, last + 1)
    sizes = _upper_tails(counts, last, null)
    chosen = np.argmax(sizes <= tail, axis=0)  # sizes fall along the candidates; the last is significant
    columns = np.arange(len(last))
    powers = _upper_tails(counts[chosen, columns], first, truth)
    doubtful = (np.abs(sizes - tail) <= SCAN_MARGIN * tail).any(axis=0)
    return np.where(doubtful, np.nan, powers)


def _critical_shares(numbers: Numbers, null: float, z: float) -> Floats:
    """Return t >= null with ``2 n KL(t | null) = z^2``, or 1, by bisection."""
    low = np.full(len(numbers), null)
    if null == 0:
        return low
    high = np.minimum(null + z / (2 * np.sqrt(numbers)), 1.0)  # Pinsker: KL(t | p) >= 2 (t - p)^2
    for _ in range(FLOAT_BISECTIONS):
        middle = (low + high) / 2
        with np.errstate(all="ignore"):  # log 0 at the ends
            rest = np.where(middle < 1, (1 - middle) * np.log((1 - middle) / (1 - null)), 0.0)
            passed = 2 * numbers * (middle * np.log(middle / null) + rest) >= z * z
        low, high = np.where(passed, low, middle), np.where(passed, middle, high)
    return high


def _upper_tails(counts: Numbers, numbers: Numbers, share: float) -> Floats:
    """Return ``Pr(Y >= count)`` for Y binomial (n, share)."""
    from scipy.special import betainc

    with np.errstate(all="ignore"):
        inner = betainc(np.maximum(counts, 1), np.maximum(numbers - counts + 1, 1), share)
    return np.asarray(np.where(counts <= 0, 1.0, np.where(counts > numbers, 0.0, inner)), dtype=np.float64)
