"""Every row of parity at most gamma is a sum of patterns, in numbers and with anchors (Lemmas 4.2 and 4.4)."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

from rropt.claims import Bound
from rropt_proofs.chainayak2018._sufficiency import Row, Rows

__all__ = ["pattern_numbers", "pattern_theory"]

ERROR, REST = (
    "the largest difference of an entry from the sum of the patterns of its row",
    "minus the least constant rest of a row",
)


def pattern_theory() -> dict[str, Any]:
    """Return what the decomposition says: no difference, and no negative rest."""
    return {ERROR: Bound("at-most", Fraction(0)), REST: Bound("at-most", Fraction(0))}


def _values(row: Row) -> Row:
    return tuple(sorted(set(row), reverse=True))


def pattern_numbers(rows: Rows, gamma: Fraction) -> dict[str, Fraction]:
    """Return the numbers of the decomposition: weight (v_s - v_(s+1))/(gamma - 1) for the columns with at least v_s."""
    errors, rests = [], []
    for row in rows:
        v = _values(row)
        weights = {high: (high - low) / (gamma - 1) for high, low in pairwise(v)}
        rest = v[-1] - (v[0] - v[-1]) / (gamma - 1)
        rests.append(-rest)
        errors += [sum((w * (gamma if x >= s else 1) for s, w in weights.items()), rest) - x for x in row]
    return {ERROR: max(map(abs, errors)), REST: max(rests)}
