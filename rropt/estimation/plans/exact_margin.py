"""The margin of the exact interval at the expected number of answers, and the n that it needs."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rropt.estimation.intervals.clopper_pearson import clopper_pearson
from rropt.estimation.plans.searches import least_lasting, least_number
from rropt.estimation.quantiles import two_sided_quantile
from rropt.estimation.universal import bound_above
from rropt.tolerances import END_DIGITS, SCAN_MARGIN, SCAN_WIDTH

__all__ = ["exact_margin", "plan_exact_margin"]

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


def exact_margin(share: Fraction, n: int, level: Fraction) -> Fraction:
    """Return half the width of the wider Clopper-Pearson interval at the counts next to ``n share``."""
    return max(_half_width(y, n, level) for y in {math.floor(n * share), math.ceil(n * share)})


def plan_exact_margin(share: Fraction, half: Fraction, level: Fraction) -> tuple[int, bool]:
    """Return the least N with ``exact_margin(share, n, level) <= half`` for every n >= N, and whether it is the least.

    For t = share -+ 2/n the ends of every interval next to ``n share`` lie between bounds that hold for all larger n
    (``universal.bound_above``), so one n at which those bounds are near enough proves all larger ones.
    """
    square = two_sided_quantile(level)[1] ** 2

    def proved(n: int) -> bool:
        upper, lower = bound_above(share, n, square), 1 - bound_above(1 - share, n, square)
        return (upper - lower) / 2 + Fraction(1, 10**END_DIGITS) <= half  # the ends are rounded outwards

    def clear(numbers: Numbers) -> NDArray[np.bool_]:
        return _float_margins(share, numbers, level) <= float(half) * (1 - SCAN_MARGIN)

    enough = least_number(proved, int(square * max(share * (1 - share), half) / half**2))
    return least_lasting(
        enough, lambda n: exact_margin(share, n, level) <= half, lambda low, high: _rises(share, low, high), clear
    )


def _rises(share: Fraction, low: int, high: int) -> Numbers:
    """Return the numbers n of [low, high) at which ``n share`` passes or leaves a whole number; all where it is large.

    Between two of them the counts next to ``n share`` stay, and their intervals narrow as n grows.
    """
    rare = min(share, 1 - share)
    if rare * high >= high // 4 or low < SCAN_WIDTH:
        return np.arange(low, high, dtype=np.int64)
    wholes = range(math.floor(low * rare), math.floor(high * rare) + 1)
    found = [n for j in wholes for n in (-(-j // rare), j // rare + 1) if low <= n < high]
    return np.array(found, dtype=np.int64)


def _half_width(y: int, n: int, level: Fraction) -> Fraction:
    lower, upper = clopper_pearson(y, n, level)
    return (upper - lower) / 2


def _float_margins(share: Fraction, numbers: Numbers, level: Fraction) -> Floats:
    """Return ``exact_margin`` for many numbers, in floats."""
    tail = float((1 - level) / 2)
    below = np.array([n * share.numerator // share.denominator for n in numbers.tolist()], dtype=np.int64)
    above = np.array([-(-n * share.numerator // share.denominator) for n in numbers.tolist()], dtype=np.int64)
    widths = [_upper_ends(y, numbers, tail) - _lower_ends(y, numbers, tail) for y in (below, above)]
    return np.maximum(*widths) / 2


def _lower_ends(counts: Numbers, numbers: Numbers, tail: float) -> Floats:
    from scipy.special import betaincinv

    inner = betaincinv(np.maximum(counts, 1), np.maximum(numbers - counts, 0) + 1, tail)
    return np.where(counts > 0, inner, 0.0)


def _upper_ends(counts: Numbers, numbers: Numbers, tail: float) -> Floats:
    return 1.0 - _lower_ends(numbers - counts, numbers, tail)
