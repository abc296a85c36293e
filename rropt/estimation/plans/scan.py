"""The least n from which on every number of answers serves, for a property that is not monotone in n."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rropt.estimation._limits import SCAN_CHUNK, SCAN_LIMIT, SCAN_MARGIN

__all__ = ["least_lasting"]


def least_lasting(
    enough: int,
    works: Callable[[int], bool],
    excess: Callable[[NDArray[np.int64]], NDArray[np.float64]],
) -> tuple[int, bool]:
    """Return the least N such that every n >= N works, and whether it is that: beyond 10^7 it is ``enough`` itself.

    Args:
        enough: a number from which on every n is proved to work.
        works: decides one n rigorously.
        excess: for many n, floats: how far the goal is passed, relative to it; positive when n works. Values nearer to
            0 than 1e-9 decide nothing and are replaced by ``works``.

    Between N and ``enough`` floats decide where they are clear; that N works and N - 1 does not is always decided
    rigorously.
    """
    if enough > SCAN_LIMIT:
        return enough, False
    least = enough
    while least > 1:
        numbers = np.arange(least - 1, max(least - 1 - SCAN_CHUNK, 0), -1, dtype=np.int64)
        values = excess(numbers)
        doubtful = ~(values > SCAN_MARGIN)  # nan too
        if not doubtful.any():
            least = int(numbers[-1])
            continue
        least = int(numbers[int(np.argmax(doubtful))]) + 1
        if not works(least - 1):
            break
        least -= 1
    while not works(least):  # the floats were wrong: go back up on rigorous ground
        least += 1
    return least, True
