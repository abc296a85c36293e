"""The least n from which on every number of answers serves, for a property that is not monotone in n."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rropt.tolerances import SCAN_BLOCKS, SCAN_LIMIT, SCAN_MARGIN

__all__ = ["Excess", "least_lasting"]

# From the first and the last number of each block, floats: a lower bound of how far the goal is passed in the block,
# relative to it; for a block of one number that excess itself. Positive: every number of the block works.
Excess = Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.float64]]


def least_lasting(enough: int, works: Callable[[int], bool], excess: Excess) -> tuple[int, bool]:
    """Return the least N such that every n >= N works, and True; or ``enough`` and False when that is above 10^9.

    Downwards from ``enough``, in blocks as wide as the bound on their excess allows, to the first number that fails.
    That N works and N - 1 does not is decided rigorously; that the numbers between N and ``enough`` work rests on
    floats, where these pass the goal by more than 1e-8 of it, and on ``works`` elsewhere.

    Args:
        enough: a number from which on every n is proved to work.
        works: decides one n rigorously.
        excess: the float bound for blocks.
    """
    if enough > SCAN_LIMIT:
        return enough, False
    least, width = enough, math.isqrt(enough)
    while least > 1:
        last = np.arange(least - 1, max(least - 1 - SCAN_BLOCKS * width, 0), -width, dtype=np.int64)
        first = np.maximum(last - width + 1, 1)
        clear = excess(first, last) > SCAN_MARGIN  # not so where it is nan
        passed = len(last) if clear.all() else int(np.argmin(clear))
        if passed:
            least = int(first[passed - 1])
        if passed == len(last):
            width *= 2
        elif width > 1:
            width = (width + 3) // 4
        elif works(least - 1):  # one number on which floats do not decide
            least -= 1
        else:
            break
    while not works(least):  # the floats were wrong: go back up on rigorous ground
        least += 1
    return least, True
