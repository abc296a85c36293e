"""Inequality (4.1) term by term, a step of Theorem 4.2: equality makes every term 0.

For A = C P and the parity gamma of P, gamma a_il - a_ij is the sum over u of c_iu (gamma p_ul - p_uj). No term is
negative, so each is at most the sum; where a_ij = gamma a_il, every u with c_iu > 0 has p_uj = gamma p_ul.
"""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from rropt.claims import Bound, Domain, Point
from rropt_proofs.chainayak2018._sufficiency import Rows, parity, product

__all__ = ["GARBLING", "PLACE", "garbled", "given"]

RAISED, TERM = "(4.1): the parity of C P", "(4.1): gamma a_il - a_ij against one of its terms"

_SQUARE = ((1, 0, 2, 1), (0, 1, 1, 0), (3, 0, 0, 1), (1, 1, 0, 2))


def _draw(rng: random.Random) -> tuple[tuple[Fraction, ...], ...]:
    return tuple(tuple(Fraction(rng.randint(0, 6)) for _ in range(24)) for _ in range(3))


GARBLING = Domain(
    "a nonnegative matrix C; as many columns are taken as P has rows",
    (tuple(tuple(Fraction(x) for x in row * 6) for row in _SQUARE),),
    _draw,
    entries={(): "x >= 0"},
)
PLACE = Domain(
    "places i, u, j, l, taken within the orders of the matrices",
    ((0, 0, 0, 1), (1, 1, 1, 0)),
    lambda rng: tuple(rng.randint(0, 11) for _ in range(4)),
)


def _source(point: Point) -> Rows:
    return tuple(point["case"]["P"])


def _garbling(point: Point) -> Rows:
    return tuple(tuple(Fraction(x) for x in row[: len(_source(point))]) for row in point["C"])


def _place(point: Point) -> tuple[int, int, int, int]:
    """i, u, j, l."""
    source, (i, u, j, other) = _source(point), point["place"]
    k = len(source[0])
    return i % len(point["C"]), u % len(source), j % k, other % k


def given(point: Point) -> dict[str, Any]:
    """What (4.1) says: the parity is not raised, and no term exceeds the sum."""
    source, (i, u, j, other) = _source(point), _place(point)
    gamma = parity(source)
    term = _garbling(point)[i][u] * (gamma * source[u][other] - source[u][j])
    return {RAISED: Bound("at-most", gamma), TERM: Bound("at-least", term)}


def garbled(point: Point) -> dict[str, Any]:
    """The same of the product C P."""
    source, (i, _, j, other) = _source(point), _place(point)
    rows = product(_garbling(point), source)
    return {RAISED: parity(rows), TERM: parity(source) * rows[i][other] - rows[i][j]}
