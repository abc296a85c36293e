"""Breach regions by Definition 2.3: which Bayes factors a procedure can lead to, each by an explicit prior."""

from __future__ import annotations

import random
from fractions import Fraction
from math import isinf

from rropt_proofs._matrices import parity
from rropt_proofs.chainayak2018._paper import Factor, Matrix, bayes_factors, posterior

__all__ = ["attains_all", "draw_of_parity"]


def draw_of_parity(rng: random.Random, gamma: Fraction, k: int) -> Matrix:
    """Draw a procedure with k categories and parity exactly gamma > 1.

    The first row is s u, where u has entries from 1 to gamma and both of these; the rest of each column is shared
    equally by the other rows, whose parity (1 - s)/(1 - s gamma) is at most gamma as s <= 1/(gamma + 1).
    """
    inside = [1 + (gamma - 1) * Fraction(rng.randint(0, 6), 6) for _ in range(k - 2)]
    first = [Fraction(1), gamma, *inside]
    rng.shuffle(first)
    size, others = Fraction(rng.randint(1, 4), 4) / (gamma + 1), rng.randint(1, 2)
    rows = [tuple(size * u for u in first)]
    return tuple(rows + [tuple((1 - size * u) / others for u in first)] * others)


def attains_all(procedure: Matrix) -> bool:
    """Whether every Bayes factor from 1/gamma to gamma is attained, 1 < gamma < infinity the parity.

    By enumeration; for k >= 3 five of them are confirmed by explicit priors.
    """
    gamma = parity(procedure)
    if gamma == 1 or isinf(gamma) or bayes_factors(procedure) != ((1 / Fraction(gamma), gamma),):
        return False
    exact = Fraction(gamma)
    tried = [1 / exact + (exact - 1 / exact) * Fraction(n, 4) for n in range(5)]
    if not all(_is_attained(procedure, factor) for factor in tried):
        raise ArithmeticError("a Bayes factor between 1/gamma and gamma is not attained by its prior")
    return True


def _is_attained(procedure: Matrix, factor: Fraction) -> bool:
    """Whether the prior constructed for a Bayes factor leads to it: at P(Q) = 1/2 the posterior r/(1 + r)."""
    gamma: Factor = parity(procedure)
    i, row = next((i, row) for i, row in enumerate(procedure) if min(row) and max(row) / min(row) == gamma)
    high, low = row.index(max(row)), row.index(min(row))
    third = next(j for j in range(len(row)) if j not in (high, low))
    a, b, c = row[high], row[third], row[low]
    half = Fraction(1, 2)
    event: tuple[int, ...]
    if factor > b / c:
        event, alone, w = (high, third), low, (factor * c - b) / (a - b)
        shares = {high: w, third: 1 - w, low: Fraction(1)}
    elif factor < b / a:
        event, alone, w = (third, low), high, (factor * a - c) / (b - c)
        shares = {third: w, low: 1 - w, high: Fraction(1)}
    else:
        event, alone, w = (third,), third, (b / factor - c) / (a - c)
        shares = {high: w, low: 1 - w, third: Fraction(1)}
    alpha = tuple(half * shares.get(j, Fraction(0)) for j in range(len(row)))
    is_prior = min(alpha) >= 0 and sum(alpha) == 1 and alpha[alone] == half
    return is_prior and posterior(procedure, alpha, tuple(sorted(event)), i) == factor / (1 + factor)
