"""Pairs with a closed form: the same rows in another order, and two k-ary randomized responses.

A k-ary randomized response with its answers in any order is ``S (a I + (1 - a)/k J)``, S a permutation, J all ones. For
two of them, ``C = S_A (c I + (1 - c)/k J) S_P^T`` with ``c = a_A / a_P`` is the only matrix with ``A = C P``, and it is
nonnegative iff ``-1/(k-1) <= c <= 1``. Otherwise guessing the truth (a_A > 0), or naming a category that it is not
(a_A < 0), pays more with A.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rropt.orders.garblings.answers import Answer
from rropt.orders.garblings.pairs import Lines, Pair

__all__ = ["symmetric_answer"]


@dataclass(frozen=True, slots=True)
class _Response:
    """``places[i]``: the column of row i that differs from the others; ``contrast``: a."""

    places: tuple[int, ...]
    contrast: Fraction


def symmetric_answer(pair: Pair) -> Answer | None:
    """Return the answer by a closed form, or None when neither closed form applies. Cost O((m + r) k)."""
    r, m, _ = pair.shape
    if r == 1:
        return Answer("constant target", [[Fraction(1)] * m])
    if r == m and set(pair.source.rows) == set(pair.target.rows):
        index = {row: o for o, row in enumerate(pair.source.rows)}
        kernel = [[Fraction(0)] * m for _ in range(r)]
        for i, row in enumerate(pair.target.rows):
            kernel[i][index[row]] = Fraction(1)
        return Answer("permutation", kernel)
    source, target = _response(pair.source, pair.scales), _response(pair.target, pair.scales)
    if source is None or target is None:
        return None
    return _closed_form(source, target)


def _response(lines: Lines, scales: tuple[int, ...]) -> _Response | None:
    k, scale = len(scales), scales[0]
    if len(lines.rows) != k or k < 2 or any(s != scale for s in scales):
        return None
    first = lines.rows[0]
    if len(set(first)) != 2:
        return None
    special, other = sorted(set(first), key=lambda x: (first.count(x), -x))  # k = 2: the larger one is the special one
    if any(row.count(special) != 1 or row.count(other) != k - 1 for row in lines.rows):
        return None
    places = tuple(row.index(special) for row in lines.rows)
    if len(set(places)) < k:
        return None
    return _Response(places, Fraction(special - other, scale))


def _closed_form(source: _Response, target: _Response) -> Answer:
    k, route = len(source.places), "k-ary randomized response"
    c = target.contrast / source.contrast
    beside = (1 - c) / k
    if beside >= 0 and beside + c >= 0:
        column = {place: o for o, place in enumerate(source.places)}
        kernel = [[beside] * k for _ in range(k)]
        for i, place in enumerate(target.places):
            kernel[i][column[place]] += c
        return Answer(route, kernel)
    pay, task = (1, "guess") if target.contrast > 0 else (-1, "avoid")
    payoff = {i: {place: pay} for i, place in enumerate(target.places)}
    return Answer(route, task=task, payoff=payoff)
