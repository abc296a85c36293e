"""The least n with a property: by galloping and bisection where it lasts; else the least n from which it does."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rropt.errors import InfeasibleError
from rropt.limits import MAX_ANSWERS

# Where the margin or the power of whole answers moves up and down in n: up to so many answers the numbers between the
# universal bound and the least n are searched in floats, so many at a time. A float within SCAN_MARGIN of the goal
# (relative) decides nothing and is replaced by ball arithmetic: scipy.special was measured within 4e-10 up to 10^10
# answers, so that it is right with a factor of 25 to spare.
SCAN_LIMIT = 10**9
SCAN_WIDTH = 1 << 10
SCAN_MARGIN = 1e-8

# From low and high: numbers of [low, high) among which are all n that may fail although n - 1 works.
Falls = Callable[[int, int], NDArray[np.int64]]
# For many numbers n: whether floats, with a margin for their errors, show that n works; False where they do not tell.
Clear = Callable[[NDArray[np.int64]], NDArray[np.bool_]]


def least_number(works: Callable[[int], bool], guess: int) -> int:
    """Return the least n >= 1 with ``works(n)``, for a property that once true stays true.

    Both ``works(n)`` and, for n > 1, ``not works(n - 1)`` have been evaluated.

    Raises:
        InfeasibleError: it is above 10^15.
    """
    low, high = 0, min(max(guess, 1), MAX_ANSWERS)  # works fails at low (or low is 0)
    step = max(high // 1000, 1)
    while not works(high):
        require_possible(high + (high == MAX_ANSWERS))
        low, high, step = high, min(high + step, MAX_ANSWERS), 2 * step
    step = max(high // 1000, 1)
    while high - low > 1:
        middle = max(high - step, low + 1) if low == 0 else (low + high) // 2
        if works(middle):
            high, step = middle, 2 * step
        else:
            low = middle
    return high


def least_lasting(
    enough: int, works: Callable[[int], bool], falls: Falls, clear: Clear, limit: int = SCAN_LIMIT
) -> tuple[int, bool]:
    """Return the least N such that every n >= N works, and True; or ``enough`` and False when that is above the limit.

    Between two numbers at which it may fall the property only rises, so that these alone are looked at, downwards from
    ``enough`` to the first that fails. That N works and N - 1 does not is decided rigorously; that the numbers between
    N and ``enough`` work rests on floats where these are clear, and on ``works`` elsewhere.

    Args:
        enough: a number from which on every n is proved to work.
        works: decides one n rigorously.
        falls: where it may fall.
        clear: whether floats decide.
        limit: up to where N is searched for.
    """
    if enough > limit:
        return enough, False
    above, high, width = enough, enough, SCAN_WIDTH
    while high > 1:
        low = max(high - width, 1)
        numbers = np.unique(np.append(falls(low, high), low))[::-1]
        sure = clear(numbers)
        for n, known in zip(numbers.tolist(), sure.tolist(), strict=True):
            if not known and not works(n):
                return _least_above(n, above, works), True
            above = n
        high, width = low, 2 * width if len(numbers) < SCAN_WIDTH else width
    return 1, True


def _least_above(low: int, high: int, works: Callable[[int], bool]) -> int:
    """Return the least n above low, which fails, that works; from low to high it begins to work once."""
    while not works(high):  # the floats were wrong: go up on rigorous ground
        low, high = high, high + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if works(middle) else (middle, high)
    return high


def ceiling(bound: Fraction) -> int:
    """Return the least n >= 1 with ``n >= bound``.

    Raises:
        InfeasibleError: it is above 10^15.
    """
    return require_possible(max(1, -(-bound.numerator // bound.denominator)))


def require_possible(n: int) -> int:
    """Return n if it is at most 10^15."""
    if n > MAX_ANSWERS:
        raise InfeasibleError(
            f"the plan is out of reach: more than {MAX_ANSWERS} answers are needed; ask for less, or use a mechanism "
            "with less privacy"
        )
    return n
