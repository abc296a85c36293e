"""The largest and the least entry of every row, exactly: floats propose where a matrix is large."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rropt.mechanisms.profiles import row_parity

_SMALL = 10_000  # entries up to which fractions take milliseconds
_NEAR = 2.0**-48  # relative: an entry, a column sum and their quotient are each correctly rounded, 2^-53
_TINY = 1e-300  # absolute: below, floats have fewer digits

Rows = Sequence[Sequence[Fraction]]


def row_extremes(rows: Rows, sums: Sequence[Fraction] | None = None) -> list[tuple[int, int]]:
    """Return for each row where its largest and its least entry stand, the first of equal ones.

    Args:
        rows: entries >= 0.
        sums: what each column is divided by first, positive; ``None``: nothing.
    """
    if len(rows) * len(rows[0]) <= _SMALL:
        exact = rows if sums is None else [[x / s for x, s in zip(row, sums, strict=True)] for row in rows]
        return [(row.index(max(row)), row.index(min(row))) for row in map(list, exact)]
    import numpy

    below = None if sums is None else numpy.array([float(s) for s in sums])
    found = []
    for row in rows:
        floats = numpy.array([x.numerator / x.denominator for x in row])
        if below is not None:
            floats /= below
        high = numpy.flatnonzero(floats >= floats.max() * (1 - _NEAR) - _TINY).tolist()
        low = numpy.flatnonzero(floats <= floats.min() * (1 + _NEAR) + _TINY).tolist()
        entries = {j: row[j] if sums is None else row[j] / sums[j] for j in {*high, *low}}
        found.append((max(high, key=entries.__getitem__), min(low, key=entries.__getitem__)))
    return found


def row_parities(rows: Rows, sums: Sequence[Fraction] | None = None) -> list[Fraction | None]:
    """Return for each row the largest ratio of two entries, ``None`` when it is infinite."""
    extremes = row_extremes(rows, sums)
    if sums is None:
        return [row_parity((row[high], row[low])) for row, (high, low) in zip(rows, extremes, strict=True)]
    pairs = zip(rows, extremes, strict=True)
    return [row_parity((row[high] / sums[high], row[low] / sums[low])) for row, (high, low) in pairs]


def parity_of(parities: Sequence[Fraction | None]) -> Fraction | None:
    """Return the parity of a matrix from those of its rows."""
    finite = [parity for parity in parities if parity is not None]
    return max(finite) if len(finite) == len(parities) else None
