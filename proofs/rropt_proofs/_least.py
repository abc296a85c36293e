"""Least integers of printed tables, each certified by itself and by the integer before it."""

from __future__ import annotations

from collections.abc import Callable


def least_integer(holds: Callable[[int], bool], first: int = 1) -> int:
    """Return the least integer from ``first`` on at which a condition holds, one that holds from there on.

    It is found by doubling and halving, and stands on two of the calls: the condition holds there, and not just before.

    Args:
        holds: the condition, decided exactly.
        first: the least integer that is meant at all.
    """
    high = first
    while not holds(high):
        high *= 2
    low = first - 1  # not holds(low), or below all that is meant
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
