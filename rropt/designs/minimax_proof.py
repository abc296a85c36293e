"""The exact test of a minimax risk: the risk of an estimator is at most ``upper``, a Bayes risk is at least ``lower``.

With the counts a, c, y of ``minimax_risk`` and an estimator t[a][c][y], the bounds are

    upper >= max over pi of R(pi) = E (t - pi)^2                                     at the level below
    lower <= sum over counts of min over s of E [counts] (s - pi)^2, for a prior     at the level above

R is a polynomial of degree n + 2. On each cell of [0, 1] it is at most its largest Bernstein coefficient there; cells
whose coefficients are too large are halved. The test works in integers, multiples of 2^-128. Coefficients are rounded
up and probabilities down, so both bounds stay valid.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil, comb, lcm

from rropt.privacy import RationalLevel

Numbers = Sequence[Fraction]
_BITS = 128
_HALVINGS = 28  # of a cell whose coefficients are too large: a maximum inside it then costs some 1e-15 of the risk


def is_at_most(upper: Fraction, estimator: Sequence[Numbers], level: RationalLevel) -> bool:
    """Return whether the risk is proved to be at most ``upper`` at every prevalence.

    Args:
        upper: the bound.
        estimator: rows of estimates; see ``MinimaxRisk``.
        level: the level of the mechanism.
    """
    n = len(estimator[0]) - 1
    rows = iter(estimator)
    by_certain: list[list[int]] = []
    while len(by_certain) * (len(by_certain) + 1) // 2 < len(estimator):
        by_certain.append(_risk([next(rows) for _ in range(len(by_certain) + 1)], level.gamma, n))
    # the mean over a is the polynomial with these coefficients at delta: the last entry of the left half
    row = [_split(list(column), level.delta)[0][-1] for column in zip(*by_certain, strict=True)]
    return _is_below(row, floor_of(upper), _HALVINGS)


def is_at_least(lower: Fraction, points: Numbers, weights: Numbers, level: RationalLevel, n: int) -> bool:
    """Return whether the Bayes risk of a prior is proved to be at least ``lower``.

    No estimator has a smaller worst case.

    Args:
        lower: the bound.
        points, weights: the prior of the prevalence.
        level: the level of the mechanism.
        n: the number of respondents.
    """
    if min((*points, *weights)) < 0 or max(points) > 1 or sum(weights) != 1:
        return False
    scale = lcm(*(pi.denominator for pi in points))
    # sums of probabilities times pi^power for power 0, 1, 2, in multiples of scale^-power
    sums: list[list[int]] = [[], [], []]
    for pi, weight in zip(points, weights, strict=True):
        law, shown = [], (1 + (level.gamma - 1) * pi) / (level.gamma + 1)
        for a, certain in enumerate(_counts(floor_of(weight), level.delta, n if level.delta else 0)):
            for told in _counts(certain, pi, a):
                law += _counts(told, shown, n - a)
        for power, total in enumerate(sums):
            terms = [chance * int(pi * scale) ** power for chance in law]
            total[:] = map(int.__add__, total, terms) if total else terms
    risk = sum((a * c - b * b) // a for a, b, c in zip(*sums, strict=True) if a)
    return lower * (1 << _BITS) <= Fraction(risk, scale**2)


def floor_of(number: Fraction) -> int:
    """Return a number in multiples of 2^-128, rounded down."""
    return int(number * (1 << _BITS) // 1)


def _is_below(row: list[int], most: int, halvings: int) -> bool:
    """Return whether a polynomial is proved to be at most a number on a cell, in so many halvings of the cell."""
    if max(row) <= most:
        return True
    if not halvings or max(row[0], row[-1]) > most:
        return False
    return all(_is_below(half, most, halvings - 1) for half in _split(row, Fraction(1, 2)))


def _mixed(row: list[int], u: Fraction, up: int) -> list[int]:
    """Return the means ``(1-u) row[i] + u row[i+1]`` of neighbours, rounded up if ``up`` is 1, otherwise down."""
    high, whole = u.numerator, u.denominator
    low, more = whole - high, up * (whole - 1)
    return [(low * a + high * b + more) // whole for a, b in pairwise(row)]


def _split(row: list[int], u: Fraction) -> tuple[list[int], list[int]]:
    """Return the Bernstein coefficients on [0, u] and on [u, 1], rounded up, by de Casteljau's algorithm."""
    left, right = [row[0]], [row[-1]]
    while len(row) > 1:
        row = _mixed(row, u, 1)
        left.append(row[0])
        right.append(row[-1])
    return left, right[::-1]


def _risk(rows: Sequence[Numbers], gamma: Fraction, n: int) -> list[int]:
    """Return the n + 3 Bernstein coefficients on [0, 1] of the risk given a certain responses, rounded up."""
    certain, others, degree = len(rows) - 1, len(rows[0]) - 1, n + 2
    totals = [0] * (degree + 1)
    for c, t in enumerate(rows):
        squares = [x * x for x in t], [x * (x - 1) for x in t], [(x - 1) ** 2 for x in t]
        for k, values in enumerate(squares):  # times (1 - pi)^2, 2 pi (1 - pi), pi^2
            row = [ceil(value * (1 << _BITS)) for value in values]
            # lambda runs from 1/(gamma + 1) to gamma/(gamma + 1): the part of [0, 1] above, then its part below
            row = _split(_split(row, 1 / (gamma + 1))[1], (gamma - 1) / gamma)[0]
            factor = comb(certain, c) * comb(2, k)
            for y, coefficient in enumerate(row):
                totals[c + k + y] += factor * comb(others, y) * coefficient
    return [-(-total // comb(degree, m)) for m, total in enumerate(totals)]


def _counts(start: int, chance: Fraction, steps: int) -> list[int]:
    """Return ``start`` times the probabilities of 0, ..., steps successes, rounded down, by Pascal's triangle."""
    row = [start]
    for _ in range(steps):
        row = _mixed([0, *row, 0], 1 - chance, 0)
    return row
