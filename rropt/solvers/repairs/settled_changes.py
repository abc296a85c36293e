"""Among the matrices whose largest change is least: one that leaves alone what need not change.

A vertex of the programme moves entries as far as it may. Given the least entry t_i of each of its rows, every entry
may lie in ``[max(t_i, q_ij - s), min(gamma t_i, q_ij + s)]``, and only the sums of the columns tie entries together. So
each entry takes the nearest allowed value to q_ij, and what a column then lacks (or has too much) is taken from the
room of its entries, row by row: given t, no matrix has a smaller sum of changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Rows = Sequence[Sequence[Fraction]]


def settled(found: Rows, wanted: Rows, gamma: Fraction, change: Fraction) -> list[list[Fraction]]:
    """Return a matrix with the same least changes, columns that sum to 1 and row parities at most gamma.

    Args:
        found: an optimal matrix P, shape (m, k).
        wanted: Q, the same shape.
        gamma: rational odds bound that P meets.
        change: s, the largest change from Q to P.

    Cost O(m k).
    """
    least = [min(row) for row in found]
    columns = []
    for column in zip(*wanted, strict=True):
        low = [max(t, q - change) for t, q in zip(least, column, strict=True)]
        high = [min(gamma * t, q + change) for t, q in zip(least, column, strict=True)]
        entries = [min(max(q, a), b) for q, a, b in zip(column, low, high, strict=True)]
        columns.append(_with_sum_one(entries, low, high))
    return [list(row) for row in zip(*columns, strict=True)]


def _with_sum_one(entries: list[Fraction], low: list[Fraction], high: list[Fraction]) -> list[Fraction]:
    """Move entries within their ranges, each as far as needed, until they sum to 1; P shows that this is possible."""
    missing = 1 - sum(entries)
    moved = []
    for entry, a, b in zip(entries, low, high, strict=True):
        step = min(missing, b - entry) if missing > 0 else max(missing, a - entry)
        moved.append(entry + step)
        missing -= step
    return moved
