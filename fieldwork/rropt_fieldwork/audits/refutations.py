"""The largest level that a test refutes: two binomial tails, or an e-value.

Let p and q be the probabilities of a set S of responses at the first and the second input. The hypothesis is
``p <= gamma q + delta``, at the level a = alpha/tests of one test.

*Tails.* Let A of N responses to the first input lie in S, and B of M to the second. Choose p and q with
``p >= gamma q + delta``, ``Pr(Bin(N, p) >= A) <= a/2`` and ``Pr(Bin(M, q) <= B) <= a/2``. Under the hypothesis the true
probabilities satisfy ``p* <= p`` or ``q* > q``, and tails are monotone. So such counts have a probability of at most a.

*E-value.* Of pairs of responses u, v (1 in S, else 0), the factor ``1 + lambda (u - gamma v - delta)`` is nonnegative
for ``0 <= lambda <= 1/(gamma + delta)``, and its expectation is at most 1. By Ville's inequality the product reaches
1/a at any time with a probability of at most a. The product decreases in gamma.

Floating point proposes the numbers. Every inequality is then decided with enclosures: of the incomplete beta function,
which is the binomial tail, and of logarithms.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_FLOOR
from fractions import Fraction
from typing import Any

import numpy as np

from rropt.core.exact import Epsilon
from rropt.core.exact.display import rounded_decimal
from rropt.core.exact.rational_bounds import ball
from rropt.inference.distributions import lower_probability, tail_at_most, upper_probability

_PRECISION = 192  # working precision of the enclosures
_MARGINS = (-40, -34, -28, -22, -16)  # numbers are moved outwards by the factor 1 + 2^m until the test is proved
_DIGITS = 12  # significant digits of gamma


@dataclass(frozen=True, slots=True)
class NullHypothesis:
    """The hypothesis of the tests, and their level.

    Attributes:
        delta: the delta of the hypothesis ``p <= gamma q + delta``.
        alpha: an upper bound of the probability that any of the tests rejects a true hypothesis.
        tests: the number of tests.
        claim: the level that is claimed for the box; ``None`` if no level is claimed.
    """

    delta: Fraction
    alpha: Fraction
    tests: int = 1
    claim: Epsilon | None = None

    @property
    def level(self) -> Fraction:
        """The level of one test, by Bonferroni's inequality."""
        return self.alpha / self.tests


def refuted_by_tails(
    n: tuple[int, int], hits: tuple[int, int], test: NullHypothesis, most: Fraction | None = None
) -> Fraction | None:
    """Return the largest gamma that two binomial tails refute, rounded down.

    p and q have confidence bounds at ``level/2`` each, and ``gamma = (p - delta)/q``.

    Args:
        n: the numbers of samples of the first and of the second input, fixed in advance.
        hits: the number of samples of each input that lie in the set.
        test: the hypothesis and its level.
        most: an upper limit of gamma.

    Returns:
        gamma; ``None`` if no gamma above 1 is refuted.

    >>> gamma = refuted_by_tails((1000, 1000), (750, 250), NullHypothesis(Fraction(0), Fraction(1, 20)))
    >>> round(float(gamma), 4)
    2.5965
    """
    level = float(test.level) / 2
    low, high = float(lower_probability(n[0], hits[0], level)), float(upper_probability(n[1], hits[1], level))
    for margin in _MARGINS:
        p = Fraction(low) * (1 - Fraction(2) ** margin)
        q = min(Fraction(high) * (1 + Fraction(2) ** margin), Fraction(1))
        exact = (p - test.delta) / q
        gamma = _floor(exact if most is None else min(exact, most))
        if gamma <= 1:
            return None
        tails = (hits[0], n[0], p), (n[1] - hits[1], n[1], 1 - q)
        if all(tail_at_most(*tail, test.level / 2) for tail in tails):
            return gamma
    return None


def refuted_by_pairs(
    counts: tuple[int, int, int, int], bet: Fraction, test: NullHypothesis, most: Fraction | None = None
) -> Fraction | None:
    """Return the largest gamma that an e-value refutes, rounded down.

    Args:
        counts: the numbers of pairs with both responses in the set, only the first, only the second, and neither.
        bet: lambda, fixed in advance and equal for all levels.
        test: the hypothesis and its level.
        most: an upper limit of gamma.

    Returns:
        gamma; ``None`` if no gamma above 1 is refuted.

    >>> found = refuted_by_pairs((0, 10, 0, 2), Fraction(1, 4), NullHypothesis(Fraction(0), Fraction(1, 20)))
    >>> found is None
    True
    """
    delta, goal = float(test.delta), math.log(1 / float(test.level))
    greatest = 1 / bet - test.delta if bet else Fraction(0)
    if most is not None:
        greatest = min(greatest, most)
    if greatest <= 1 or log_e_value(counts, float(bet), 1.0, delta) < goal:
        return None
    # 200 halvings: more than floats distinguish
    low = _largest_gamma(counts, float(bet), delta, goal, (1.0, float(greatest)), 200)
    for margin in _MARGINS:
        gamma = _floor(min(Fraction(low) * (1 - Fraction(2) ** margin), greatest))
        if gamma <= 1:
            return None
        if is_refuted_by_pairs(counts, bet, test, gamma):
            return gamma
    return None


def is_refuted_by_pairs(
    counts: tuple[int, int, int, int], bet: Fraction, test: NullHypothesis, gamma: Fraction
) -> bool:
    """Return whether it is proved that the e-value of pairs refutes gamma."""
    from flint import arb, ctx

    if not 0 <= bet * (gamma + test.delta) <= 1:
        return False
    used = [(factor, count) for factor, count in zip(factors(bet, gamma, test.delta), counts, strict=True) if count]
    if any(factor <= 0 for factor, _ in used):
        return False
    with ctx.workprec(_PRECISION):
        total = sum((count * ball(factor).log() for factor, count in used), arb(0))
        return bool(total >= -ball(test.level).log())


def factors(bet: Any, gamma: Any, delta: Any) -> tuple[Any, Any, Any, Any]:
    """Return ``1 + bet (u - gamma v - delta)`` for pairs with both responses in the set, only the first, and so on."""
    yes, no = 1 + bet * (1 - delta), 1 - bet * delta
    return yes - bet * gamma, yes, no - bet * gamma, no


def shares(p: Any, q: Any) -> tuple[Any, Any, Any, Any]:
    """Return the probabilities of these four kinds of independent pairs."""
    return p * q, p * (1 - q), (1 - p) * q, (1 - p) * (1 - q)


def log_e_value(counts: Any, bet: float, gamma: float, delta: float) -> float:
    """Return the logarithm of the e-value of pairs: the sum of the logarithms of ``1 + bet (u - gamma v - delta)``."""
    total = 0.0
    for count, factor in zip(counts, factors(bet, gamma, delta), strict=True):
        if count:
            total += count * math.log(factor) if factor > 0 else -math.inf
    return total


def best_bet(pairs: int, p: float, q: float, test: NullHypothesis) -> Fraction:
    """Return the lambda that refutes the largest gamma if the counts of independent pairs equal their expectation."""
    delta, goal = float(test.delta), math.log(1 / float(test.level))
    counts = [pairs * share for share in shares(p, q)]
    found, best = 0.0, 0.0
    # every lambda is valid: the grid decides only how much is refuted
    for bet in np.geomspace(1e-6, 1 / (1 + delta), 200):
        low = _largest_gamma(counts, bet, delta, goal, (0.0, float(1 / bet - delta)), 60)
        if low > best:
            found, best = float(bet), low
    return Fraction(round(found * 2**32), 2**32)


def _largest_gamma(
    counts: Any, bet: float, delta: float, goal: float, between: tuple[float, float], steps: int
) -> float:
    """Return by bisection the largest gamma at which the logarithm of the e-value reaches the goal."""
    low, high = between
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (middle, high) if log_e_value(counts, bet, middle, delta) >= goal else (low, middle)
    return low


def _floor(value: Fraction) -> Fraction:
    """Round a number down to ``_DIGITS`` significant digits."""
    return Fraction(rounded_decimal(value, _DIGITS, ROUND_FLOOR))
