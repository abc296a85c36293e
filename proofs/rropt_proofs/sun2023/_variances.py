"""Variances of the four mechanisms at a level, in numbers that a trace can follow; odds is e^epsilon.

The answers of one person have a variance v and move by d with the truth. With coins or cards of one's own the
estimator has the variance v/(N d^2) (equations (1) and (2), Theorem 3.1); with cards of one deck
4 pi_A (1 - pi_A) v/((N - 1) d^2) (Theorem 4.1). These entries are proved from the distributions of all answers.
"""

from __future__ import annotations

from typing import Any


def warner(odds: Any, size: Any) -> Any:
    """Return the variance of modified Warner with p = 1/(e^epsilon + 1)."""
    p = 1 / (odds + 1)
    return p * (1 - p) / (size * (2 * p - 1) ** 2)


def simmons(odds: Any, other: Any, share: Any, size: Any) -> Any:
    """Return the variance of modified Simmons with pi_B = other, and p such that its larger ratio is e^epsilon."""
    rare = other if 2 * other <= 1 else 1 - other
    p = (odds - 1) * rare / (1 + (odds - 1) * rare)
    yes, no = p + (1 - p) * other, (1 - p) * other
    return (share * yes * (1 - yes) + (1 - share) * no * (1 - no)) / (size * p**2)


def unit(p1: Any, p2: Any, p3: Any) -> Any:
    """Return v/d^2 of an answer from cards 1, 2, 3: Var Y/(4 - 2 E Y)^2."""
    first, second = p1 + 2 * p2 + 3 * p3, p1 + 4 * p2 + 9 * p3
    return (second - first**2) / (4 - 2 * first) ** 2


def lower(odds: Any, p2: Any) -> Any:
    """Return p_1 with p_3 = e^epsilon p_1."""
    return (1 - p2) / (odds + 1)


def modified(odds: Any, p2: Any, size: Any) -> Any:
    """Return the variance of modified Christofides with L = 3 and p_3 = e^epsilon p_1."""
    p1 = lower(odds, p2)
    return unit(p1, p2, odds * p1) / size


def improved(odds: Any, p2: Any, share: Any, size: Any) -> Any:
    """Return the variance of the improved mechanism with L = 3 and p_3 = e^epsilon p_1."""
    p1 = lower(odds, p2)
    return 4 * share * (1 - share) * unit(p1, p2, odds * p1) / (size - 1)
