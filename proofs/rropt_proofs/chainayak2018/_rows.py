"""One row of a procedure at a property Q: its entries for the categories of Q and for the others, with weights.

A prior with P(Q) = p gives a category of Q the weight p b/w, where w is the sum of the weights b of the categories of
Q, and a category outside the weight (1 - p) d/n. The posterior of Q is then p s/(p s + (1 - p) t), where s and t are
the weighted means of the entries.
"""

from __future__ import annotations

import random
from fractions import Fraction

from rropt.claims import Condition, Domain, Point

__all__ = ["ROW", "SEEN_IN_ROW", "mean", "sides"]

Numbers = tuple[Fraction, ...]

_SIDES = ("in Q", "outside")


def sides(point: Point) -> tuple[Numbers, Numbers]:
    """Return the entries of the row for the categories of Q, and for the others."""
    return point["row"]["in Q"]["entries"], point["row"]["outside"]["entries"]


def mean(point: Point, side: str) -> Fraction:
    """Return the mean of the entries of one side under the prior given this side."""
    entries, weights = point["row"][side]["entries"], point["row"][side]["weights"]
    return sum((w * x for w, x in zip(weights, entries, strict=True)), Fraction(0)) / sum(weights)


"""The variables that the folds over a row bind."""


def _side(entries: str, weights: str) -> dict[str, Numbers]:
    return {"entries": tuple(map(Fraction, entries.split())), "weights": tuple(map(Fraction, weights.split()))}


def _draw_side(rng: random.Random) -> dict[str, Numbers]:
    size = rng.randint(1, 2)
    weights = tuple(Fraction(rng.randint(int(not n), 9)) for n in range(size))
    return {"entries": tuple(Fraction(rng.randint(0, 6), 6) for _ in range(size)), "weights": weights}


ROW = Domain(
    "the entries of a row for the categories of Q and for the others, with their weights in a prior",
    tuple(
        {"in Q": _side(*inside), "outside": _side(*outside)}
        for inside, outside in (
            (("2/5", "1"), ("1/5", "1")),
            (("1/2", "1"), ("1/2", "3")),
            (("1/3 2/3", "1 1"), ("1/3", "1")),
            (("1/4", "1"), ("1/2 0", "1 1")),
            (("0 1", "1 0"), ("1/2 1/3", "0 2")),
            (("2/3 1/3", "2 1"), ("1/3 1/3", "1 5")),
        )
    ),
    lambda rng: {side: _draw_side(rng) for side in _SIDES},
    entries={("in Q",): "x >= 0", ("outside",): "x >= 0"},
)


def _is_seen(point: Point) -> bool:
    parts = [point["row"][side] for side in _SIDES]
    totals = [sum(part["weights"]) for part in parts]
    seen = sum(w * x for part in parts for w, x in zip(part["weights"], part["entries"], strict=True))
    return bool(totals[0] > 0 and totals[1] > 0 and seen > 0)


SEEN_IN_ROW = Condition("both weights are positive, and P_alpha(Z = d_i) > 0", _is_seen)
