"""Every row of parity at most gamma is a sum of patterns, in numbers and with anchors (Lemmas 4.2 and 4.4)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

from rropt.claims import Anchored, Bound, Domain, Entry, Fold, Least, Point, Value
from rropt_proofs.chainayak2018._sufficiency import Row, Rows
from rropt_proofs.chainayak2018._sufficiency_members import unpack

__all__ = ["DOMINATION_GAPS", "PATTERN_BOUND", "pattern_numbers", "pattern_proof", "pattern_theory"]

ERROR, REST = (
    "the largest difference of an entry from the sum of the patterns of its row",
    "minus the least constant rest of a row",
)

DOMINATION_GAPS = (
    "W_S e_S/(1 - d) is a TPM P and A = C P: every row is a sum of patterns (anchored), but that the rows are added up "
    "by sets S, an exchange of two sums, is in words: no fold here goes through the sets",
    "e_S is proportional to e_T only for S = T: a statement about sets, which are no numbers",
    "P is strictly better: that no TPM D has P = D A is a quantifier over D",
)

PATTERN_BOUND = {
    "gamma": Domain("the level of the case", (), relation="x > 1"),
    "top": Domain("the largest value of a row", (), relation="x > 0"),
    "values": Domain(
        "the distinct values of that row, falling, of ratio at most gamma", (), entries={(): "top <= gamma*x"}
    ),
}


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


def _instances(point: Point) -> Iterator[dict[str, Any]]:
    rows, gamma = unpack(point)
    for row in rows:
        v = _values(row)
        for x in v:
            yield {"gamma": gamma, "top": v[0], "values": v, "at": v.index(x)}


def pattern_proof(argument: str, *unanchored: str) -> Anchored:
    """Return the anchored part: down the values of a row to that of the entry, x, and on to the least one, y."""
    above = Fold(
        over=lambda point, at: [{"n": Entry("values", s)} for s in range(1, at["at"] + 1)],
        start={"x": "top", "u": 0},
        update={"x": "n", "u": "u + (x - n)/(gamma - 1)"},
        invariants=("(gamma - 1)*u == top - x", "top <= gamma*x"),
    )
    below = Fold(
        over=lambda point, at: [{"n": Entry("values", s)} for s in range(at["at"] + 1, len(at["values"]))],
        start={"y": "x", "w": 0},
        update={"y": "n", "w": "w + gamma*(y - n)/(gamma - 1)"},
        invariants=("(gamma - 1)*w == gamma*(x - y)", "top <= gamma*y"),
    )
    rest = "(y - (top - y)/(gamma - 1))"
    return Anchored(
        Value(of=ERROR, theory=0, computed=Least(f"u + w + {rest} - x <= g and x - u - w - {rest} <= g")),
        Value(of=REST, theory=0, computed=Least(f"-{rest} <= g")),
        at=lambda point: list(_instances(point)),
        folds=[above, below],
        unanchored=unanchored,
        argument=argument,
    )
