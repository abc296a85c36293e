"""The margin of the exact interval and the power of the exact test, as functions of n.

Counts are integers, so both are not monotone in n. Each has three forms: the value, decided rigorously; an upper bound
for this n and all larger n by the universal inequalities (``distributions``); and floats for many n at once.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from rropt.answers.response_counts import least_integer
from rropt.inference.distributions import (
    TAIL_PRECISION,
    bound_above,
    critical_share,
    exact_tail,
    is_tail_small,
    lower_probability,
    lower_tail_bound,
    normal_quantile,
    tail_at_most,
    two_sided_quantile,
    upper_tail,
)
from rropt.inference.interval_kinds import END_DIGITS, clopper_pearson
from rropt.plans.plan import SCAN_MARGIN, Floats, Numbers, Quantity


def exact_margin(what: str, share: Fraction, unit: Fraction, level: Fraction) -> Quantity:
    """Return the squared half-width of the wider Clopper-Pearson interval at the two integers next to ``n share``.

    For t = share -+ 2/n, the endpoints of every interval next to ``n share`` lie between bounds that remain valid for
    all larger n (``bound_above``).
    """
    square, tail = two_sided_quantile(level)[1] ** 2, float((1 - level) / 2)

    def value(n: int) -> Fraction:
        ends = [clopper_pearson(y, n, level) for y in {math.floor(n * share), math.ceil(n * share)}]
        return (max(upper - lower for lower, upper in ends) / 2 / unit) ** 2

    def above(n: int) -> Fraction:
        upper, lower = bound_above(share, n, square), 1 - bound_above(1 - share, n, square)
        return (((upper - lower) / 2 + Fraction(1, 10**END_DIGITS)) / unit) ** 2  # endpoints are rounded outwards

    def floats(numbers: Numbers) -> Floats:
        whole = [n * share.numerator // share.denominator for n in numbers.tolist()]
        most = [-(-n * share.numerator // share.denominator) for n in numbers.tolist()]
        counts = [np.array(listed, dtype=np.int64) for listed in (whole, most)]
        ends = [[lower_probability(numbers, hits, tail) for hits in (y, numbers - y)] for y in counts]
        width = np.maximum(*(1 - other - low for low, other in ends))
        return np.asarray((width * (1 + SCAN_MARGIN) / 2 / float(unit)) ** 2)

    return Quantity("margin", what, value, above, floats)


def exact_test(what: str, null: Fraction, truth: Fraction, tail: Fraction, *, is_two_sided: bool) -> Quantity:
    """Return 1 - power of the exact binomial test, which rejects if the count reaches a critical value.

    Choose t such that counts of ``n t + 1`` or more are significant. The critical count is at most ``n t + 2``, so
    1 - power is at most ``Pr(Y <= n (t + 2/n) - 1)``, which the universal inequalities bound for every larger n.

    Args:
        what: the quantity in words.
        null, truth: the proportions lambda_0 and lambda_1 of responses 1.
        tail: the largest probability of rejection on one side under the null.
        is_two_sided: whether the test rejects on both sides.
    """
    if truth < null:  # exchange the responses, such that the alternative is greater
        null, truth = 1 - null, 1 - truth
    square = normal_quantile(1 - tail)[1] ** 2

    def value(n: int) -> Any:
        from flint import ctx

        upper = critical_count(n, null, tail)
        lower = critical_count(n, 1 - null, tail) if is_two_sided else n + 1
        is_tie = ctx.prec > TAIL_PRECISION and is_tail_small(n, truth)
        reached = exact_tail if is_tie else upper_tail
        missed = 1 - reached(upper, n, truth)
        return missed if lower > n else missed - reached(lower, n, 1 - truth)

    def above(n: int) -> Any:
        t = critical_share(null, n, square)
        return Fraction(1) if t is None else lower_tail_bound(t + Fraction(2, n), n, truth)

    def floats(numbers: Numbers) -> Floats:
        counts = _float_counts(numbers, null, tail)
        other: Any = 0.0
        if is_two_sided:
            other = _upper_tails(_float_counts(numbers, 1 - null, tail), numbers, 1 - truth) * (1 - SCAN_MARGIN)
        reached = _upper_tails(counts, numbers, truth) * (1 - SCAN_MARGIN)
        missed = 1 - reached
        high = reached > 0.99  # there 1 - power needs its own digits; elsewhere it would take much longer
        missed[high] = _upper_tails((numbers - counts + 1)[high], numbers[high], 1 - truth) * (1 + SCAN_MARGIN)
        return np.asarray(missed - other)

    return Quantity("power", what, value, above, floats, tail)


@lru_cache(maxsize=256)
def critical_count(n: int, null: Fraction, tail: Fraction) -> int:
    """Return the least k with ``Pr(Y >= k) <= tail`` for Y binomial (n, null), or n + 1 if no count is significant."""
    deviation = math.sqrt(n * float(null) * float(1 - null))
    guess = round(n * null) + math.ceil(float(normal_quantile(1 - tail)[1]) * deviation)
    return least_integer(lambda k: tail_at_most(k, n, null, tail) is True, guess, 0, n + 1)


def _float_counts(numbers: Numbers, null: Fraction, tail: Fraction) -> Numbers:
    """Return the critical counts for decreasing numbers n; where floats are not clear, the next larger count."""
    most, z = float(tail) * (1 - SCAN_MARGIN), float(normal_quantile(1 - tail)[1])
    counts: Numbers = np.ceil(numbers * float(null) + z * np.sqrt(numbers * float(null * (1 - null)))).astype(np.int64)
    while True:
        is_low = _upper_tails(counts, numbers, null) > most
        is_high = ~is_low & (_upper_tails(counts - 1, numbers, null) <= most)
        if not (is_low | is_high).any():
            return counts
        counts = counts + is_low - is_high


def _upper_tails(counts: Numbers, numbers: Numbers, share: Fraction) -> Floats:
    """Return ``Pr(Y >= count)`` for Y binomial (n, share)."""
    from scipy.special import betainc, betaincc

    hits, misses = np.maximum(counts, 1), np.maximum(numbers - counts + 1, 1)
    with np.errstate(all="ignore"):  # for shares near 1, only betaincc keeps full relative precision
        inner = betainc(hits, misses, float(share)) if 2 * share <= 1 else betaincc(misses, hits, float(1 - share))
    return np.asarray(np.where(counts <= 0, 1.0, np.where(counts > numbers, 0.0, inner)), dtype=np.float64)
