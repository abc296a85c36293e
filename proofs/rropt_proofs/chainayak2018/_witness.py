"""A prior for every Bayes factor from 1/gamma to gamma, for a row with three entries a = gamma c, b and c.

With c <= b <= a: {a, b} against c attains r >= b/c, {b, c} against a attains r <= b/a, and b against a mixture of a
and c what lies between. A factor is named by its place ``part`` between 1/gamma (0) and gamma (1).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Bound, Domain
from rropt_proofs._matrices import parity
from rropt_proofs.chainayak2018._paper import Matrix, bayes_factors, posterior, share

__all__ = [
    "ATTAINED",
    "LEAST",
    "PART",
    "WEIGHT",
    "attained",
    "claimed",
    "distance",
]

ATTAINED, WEIGHT = "the Bayes factor that a prior made for r leads to", "the least weight of that prior's mixture"
LEAST = "the least Bayes factor, as r/(1 + r)"
PART = Domain.interval("the place of a Bayes factor r between 1/gamma and gamma", 0, 1, also=("1/3", "1/2"))


def _row(procedure: Matrix) -> tuple[int, int, int, int]:
    """The row of the largest parity, and the columns of a, a third one and c."""
    gamma = parity(procedure)
    i, row = next((i, row) for i, row in enumerate(procedure) if min(row) and max(row) / min(row) == gamma)
    low = row.index(min(row))
    high = next(j for j in range(len(row)) if row[j] == max(row) and j != low)
    return i, high, next(j for j in range(len(row)) if j not in (high, low)), low


def claimed(procedure: Matrix, part: Fraction) -> dict[str, Any]:
    """The factor r, that the weights are weights, and that no factor is below 1/gamma."""
    gamma = Fraction(parity(procedure))
    r = 1 / gamma + (gamma - 1 / gamma) * part
    return {ATTAINED: r, WEIGHT: Bound("at-least", 0), LEAST: 1 - share(gamma)}


def attained(procedure: Matrix, part: Fraction) -> dict[str, Any]:
    """The Bayes factor from the posterior at the prior that is made, P(Q) = 1/2, by the joint distribution."""
    i, high, middle, low = _row(procedure)
    a, b, c = (procedure[i][j] for j in (high, middle, low))
    gamma = Fraction(parity(procedure))
    r = 1 / gamma + (gamma - 1 / gamma) * part
    one = Fraction(1)
    event: tuple[int, ...]
    if gamma == 1:
        event, w, shares = (middle,), Fraction(0), {high: Fraction(0), middle: one, low: one}
    elif r * c > b:
        w = (r * c - b) / (a - b)
        event, shares = (high, middle), {high: w, middle: 1 - w, low: one}
    elif r * a < b:
        w = (r * a - c) / (b - c)
        event, shares = (middle, low), {middle: w, low: 1 - w, high: one}
    else:
        w = (b / r - c) / (a - c)
        event, shares = (middle,), {high: w, low: 1 - w, middle: one}
    alpha = tuple(shares.get(j, Fraction(0)) / 2 for j in range(len(procedure[0])))
    q = posterior(procedure, alpha, tuple(sorted(event)), i)
    return {ATTAINED: q / (1 - q), WEIGHT: min(w, 1 - w), LEAST: share(bayes_factors(procedure)[0][0])}


def distance(procedure: Matrix, factor: Fraction) -> Fraction:
    """Return how far a finite Bayes factor is from those that a procedure of finite parity leads to."""
    ends = [(Fraction(low), Fraction(high)) for low, high in bayes_factors(procedure)]
    return min(max(low - factor, factor - high, Fraction(0)) for low, high in ends)
