"""The margin of the exact interval at the expected number of answers, and the n that it needs."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rropt.estimation.intervals.clopper_pearson import clopper_pearson
from rropt.estimation.plans.least import least_number
from rropt.estimation.plans.scan import least_lasting
from rropt.estimation.quantiles import two_sided_quantile
from rropt.estimation.universal import bound_above
from rropt.tolerances import END_DIGITS

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

    def excess(first: Numbers, last: Numbers) -> Floats:
        return 1.0 - _float_margins(share, first, last, level) / float(half)

    enough = least_number(proved, int(square * max(share * (1 - share), half) / half**2))
    return least_lasting(enough, lambda n: exact_margin(share, n, level) <= half, excess)


def _half_width(y: int, n: int, level: Fraction) -> Fraction:
    lower, upper = clopper_pearson(y, n, level)
    return (upper - lower) / 2


def _float_margins(share: Fraction, first: Numbers, last: Numbers, level: Fraction) -> Floats:
    """Return a bound on ``exact_margin`` for the numbers from ``first`` to ``last``, in floats; itself for one number.

    The ends U(y, n) and L(y, n) grow with y and fall with n: in the block ``U <= U(ceil(last share), first)`` and
    ``L >= L(floor(first share), last)``.
    """
    tail = float((1 - level) / 2)
    below = np.array([math.floor(int(n) * share) for n in first], dtype=np.int64)
    above = np.array([math.ceil(int(n) * share) for n in last], dtype=np.int64)
    block = _upper_ends(above, first, tail) - _lower_ends(below, last, tail)
    single = np.maximum(
        _upper_ends(above, last, tail) - _lower_ends(above, last, tail),
        _upper_ends(below, last, tail) - _lower_ends(below, last, tail),
    )
    return np.asarray(np.where(first == last, single, block) / 2, dtype=np.float64)


def _lower_ends(counts: Numbers, numbers: Numbers, tail: float) -> Floats:
    from scipy.special import betaincinv

    inner = betaincinv(np.maximum(counts, 1), np.maximum(numbers - counts, 0) + 1, tail)
    return np.where(counts > 0, inner, 0.0)


def _upper_ends(counts: Numbers, numbers: Numbers, tail: float) -> Floats:
    """Return the upper ends; 1 where a block's count exceeds its least number."""
    return 1.0 - _lower_ends(np.maximum(numbers - counts, 0), numbers, tail)
