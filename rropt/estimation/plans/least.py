"""The least integer with a property: by galloping and bisection, verified on both sides."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from rropt.errors import InfeasibleError
from rropt.tolerances import MAX_ANSWERS

__all__ = ["ceiling", "least_number", "require_possible"]


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
