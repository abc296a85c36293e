"""The largest level that a test refutes, with its certificate (checker/audit_rules.md, rules 36 and 37).

The witness is chosen in floating point, and the checker verifies it in integer arithmetic.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from rropt.core.certificates.record import Certificate
from rropt.core.exact import as_text

_BITS = 44  # significant bits of a probability in a witness
_UNIT = 64  # bits of the unit in which tails are computed
_MARGINS = (-40, -34, -28, -22, -16)  # probabilities are moved outwards by the factor 1 + 2^m until the checker accepts
_DIGITS = 12  # significant digits of gamma


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """The hypothesis of the tests, and their level.

    Attributes:
        delta: the delta of the hypothesis ``p <= gamma q + delta``.
        alpha: an upper bound of the probability that any of the tests rejects a true hypothesis.
        tests: the number of tests.
    """

    delta: Fraction
    alpha: Fraction
    tests: int = 1

    @property
    def level(self) -> Fraction:
        """The level of one test, by Bonferroni's inequality."""
        return self.alpha / self.tests

    def claim(self, gamma: Fraction) -> dict[str, Any]:
        """Return the claim of a certificate that gamma is refuted."""
        return {
            "kind": "refuted",
            "gamma": as_text(gamma),
            "alpha": as_text(self.alpha),
            "tests": str(self.tests),
        }


def lower_probability(n: Any, hits: Any, level: float) -> Any:
    """Return the Clopper-Pearson lower bound, the solution p of ``Pr(Bin(n, p) >= hits) = level``; 0 if hits = 0."""
    from scipy import special

    n, hits = np.asarray(n, float), np.asarray(hits, float)
    found = special.betaincinv(np.maximum(hits, 1e-300), n - hits + 1, level)
    return np.where(hits <= 0, 0.0, found)


def upper_probability(n: Any, hits: Any, level: float) -> Any:
    """Return the Clopper-Pearson upper bound, the solution q of ``Pr(Bin(n, q) <= hits) = level``; 1 if hits = n."""
    from scipy import special

    n, hits = np.asarray(n, float), np.asarray(hits, float)
    found = special.betaincinv(hits + 1, np.maximum(n - hits, 1e-300), 1 - level)
    return np.where(hits >= n, 1.0, found)


def refuted_by_tails(
    n: tuple[int, int], hits: tuple[int, int], test: Hypothesis, most: Fraction | None = None
) -> tuple[Fraction, Certificate] | None:
    """Return the largest gamma that two binomial tails refute, rounded down, with its certificate.

    p and q have confidence bounds at ``level/2`` each, and ``gamma = (p - delta)/q``.

    Args:
        n: the numbers of samples of the first and of the second input, fixed in advance.
        hits: the number of samples of each input that lie in the set.
        test: the hypothesis and its level.
        most: an upper limit of gamma.

    Returns:
        gamma and the certificate; ``None`` if no gamma above 1 is refuted.

    >>> gamma, certificate = refuted_by_tails((1000, 1000), (750, 250), Hypothesis(Fraction(0), Fraction(1, 20)))
    >>> round(float(gamma), 4), bool(certificate.check())
    (2.5965, True)
    """
    level = float(test.level) / 2
    low, high = float(lower_probability(n[0], hits[0], level)), float(upper_probability(n[1], hits[1], level))
    for margin in _MARGINS:
        p = _dyadic(Fraction(low) * (1 - Fraction(2) ** margin), up=False)
        q = min(_dyadic(Fraction(high) * (1 + Fraction(2) ** margin), up=True), Fraction(1))
        gamma = _rounded(p, q, test.delta, most)
        if gamma is None:
            return None
        problem = {
            "kind": "audit-counts",
            "n1": str(n[0]),
            "hits1": str(hits[0]),
            "n2": str(n[1]),
            "hits2": str(hits[1]),
            "delta": as_text(test.delta),
        }
        witness = {"rule": "binomial-tails", "p": as_text(p), "q": as_text(q), "bits": str(_UNIT)}
        certificate = Certificate.write(problem, test.claim(gamma), witness)
        if margin == _MARGINS[-1] or certificate.check():
            return gamma, certificate.require_accepted()
    return None


def refuted_by_pairs(
    counts: tuple[int, int, int, int], bet: Fraction, test: Hypothesis, most: Fraction | None = None
) -> tuple[Fraction, Certificate] | None:
    """Return the largest gamma that an e-value refutes, rounded down, with its certificate.

    Args:
        counts: the numbers of pairs with both responses in the set, only the first, only the second, and neither.
        bet: lambda, fixed in advance and equal for all levels.
        test: the hypothesis and its level.
        most: an upper limit of gamma.

    Returns:
        gamma and the certificate; ``None`` if no gamma above 1 is refuted.

    >>> found = refuted_by_pairs((0, 10, 0, 2), Fraction(1, 4), Hypothesis(Fraction(0), Fraction(1, 20)))
    >>> found is None
    True
    """
    delta, goal = float(test.delta), math.log(1 / float(test.level))
    greatest = 1 / bet - test.delta if bet else Fraction(0)
    if most is not None:
        greatest = min(greatest, most)
    low, high = 1.0, float(greatest)
    if high <= 1 or log_e_value(counts, float(bet), 1.0, delta) < goal:
        return None
    for _ in range(200):
        middle = (low + high) / 2
        if log_e_value(counts, float(bet), middle, delta) >= goal:
            low = middle
        else:
            high = middle
    for margin in _MARGINS:
        gamma = _floor(min(Fraction(low) * (1 - Fraction(2) ** margin), greatest))
        if gamma <= 1:
            return None
        names = ("both", "first", "second", "neither")
        problem = {"kind": "audit-pairs", **dict(zip(names, map(str, counts), strict=True))}
        certificate = Certificate.write(
            {**problem, "delta": as_text(test.delta)},
            test.claim(gamma),
            {"rule": "e-value", "lambda": as_text(bet)},
        )
        if margin == _MARGINS[-1] or certificate.check():
            return gamma, certificate.require_accepted()
    return None


def log_e_value(counts: Any, bet: float, gamma: float, delta: float) -> float:
    """Return the logarithm of the e-value of pairs: the sum of the logarithms of ``1 + bet (u - gamma v - delta)``."""
    factors = (1 + bet * (1 - gamma - delta), 1 + bet * (1 - delta), 1 - bet * (gamma + delta), 1 - bet * delta)
    total = 0.0
    for count, factor in zip(counts, factors, strict=True):
        if count:
            total += count * math.log(factor) if factor > 0 else -math.inf
    return total


def best_bet(pairs: int, p: float, q: float, test: Hypothesis) -> Fraction:
    """Return the lambda that refutes the largest gamma if the counts of independent pairs equal their expectation."""
    delta, goal = float(test.delta), math.log(1 / float(test.level))
    counts = [pairs * share for share in (p * q, p * (1 - q), (1 - p) * q, (1 - p) * (1 - q))]
    found, best = 0.0, 0.0
    for bet in np.geomspace(1e-6, 1 / (1 + delta), 200):
        low, high = 0.0, float(1 / bet - delta)
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if log_e_value(counts, bet, middle, delta) >= goal else (low, middle)
        if low > best:
            found, best = float(bet), low
    return Fraction(round(found * 2**32), 2**32)


def _rounded(p: Fraction, q: Fraction, delta: Fraction, most: Fraction | None) -> Fraction | None:
    """Return ``(p - delta)/q``, rounded down and at most ``most``; None if it is at most 1."""
    exact = (p - delta) / q
    gamma = _floor(exact if most is None else min(exact, most)) if exact > 1 else Fraction(1)
    return gamma if gamma > 1 else None


def _floor(value: Fraction) -> Fraction:
    """Round a nonnegative number down to ``_DIGITS`` significant digits."""
    places = _DIGITS - len(str(int(value)))
    unit = Fraction(10) ** places
    return Fraction(math.floor(value * unit)) / unit


def _dyadic(value: Fraction, *, up: bool) -> Fraction:
    """Round a number in [0, 1] to ``_BITS`` significant bits, up or down."""
    if not value:
        return value
    shift = _BITS + value.denominator.bit_length() - value.numerator.bit_length()
    scaled = value * 2**shift
    return Fraction(math.ceil(scaled) if up else math.floor(scaled), 2**shift)
