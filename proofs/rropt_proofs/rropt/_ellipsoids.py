"""The first half of the duals of confidence ellipsoids: the information of a mechanism along G is at most sum alpha.

With y_i = p_i G, s_i = p_i . pi and weights d >= 0, a dual has ``sum_l d_l y_il^2 <= (alpha . p_i) s_i`` for every row
(``rropt.patterns``). Over s_i and summed over the rows, ``sum_l d_l q_l <= sum alpha``, ``q_l = sum_i y_il^2/s_i``:
with G d G^T = W this is ``tr W M <= sum alpha``, M the information of the mechanism.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Point
from rropt_proofs.rropt._designs import Numbers, dot, least_alpha, patterns

__all__ = [
    "Case",
    "answers",
    "columns",
    "dual",
    "holds",
    "inputs",
]

Case = dict[str, Any]


def answers(point: Point) -> range:
    """Return the places of the answers."""
    return range(len(point["case"]["P"]))


def inputs(point: Point) -> range:
    """Return the places of the categories."""
    return range(len(point["case"]["pi"]))


def columns(point: Point) -> range:
    """Return the places of the columns of G."""
    return range(len(point["case"]["d"]))


def _square(found: Case, row: Numbers) -> Fraction:
    return dot(found["d"], [dot(row, g) ** 2 for g in zip(*found["G"], strict=True)])


def dual(found: Case, gamma: Fraction, slopes: Numbers) -> Case:
    """Return the case with an alpha for which the inequality holds for all patterns at gamma."""
    rows = patterns(len(found["pi"]), gamma)
    return {
        **found,
        "odds": gamma,
        "alpha": least_alpha(lambda s: _square(found, s), slopes, found["pi"], rows),
    }


def holds(point: Point) -> bool:
    """Return whether the mechanism is private, and the inequality of the dual holds for all patterns."""
    found = point["case"]
    return all(max(row) <= found["odds"] * min(row) for row in found["P"]) and all(
        _square(found, s) <= dot(found["alpha"], s) * dot(s, found["pi"])
        for s in patterns(len(found["pi"]), found["odds"])
    )
