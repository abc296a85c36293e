"""Minimisation of one variable in mpmath: an oracle of infima and suprema that shares no code with the library."""

from __future__ import annotations

from collections.abc import Callable

import mpmath as mp


def golden_section(f: Callable[[mp.mpf], mp.mpf], a: mp.mpf, b: mp.mpf, steps: int = 120) -> tuple[mp.mpf, mp.mpf]:
    """Return the least value of f on [a, b] that golden sections find, and its place; f falls, then rises."""
    g = (mp.sqrt(5) - 1) / 2
    x, y = b - g * (b - a), a + g * (b - a)
    fx, fy = f(x), f(y)
    best = min((fx, x), (fy, y))
    for _ in range(steps):
        if fx < fy:
            b, y, fy = y, x, fx
            x = b - g * (b - a)
            fx = f(x)
            best = min(best, (fx, x))
        else:
            a, x, fx = x, y, fy
            y = a + g * (b - a)
            fy = f(y)
            best = min(best, (fy, y))
    return best
