"""Unbiased reports of a number from the literature, with exact probabilities; no design may be worse than these.

``number_designs`` compares what it finds with them, and ``mean_designs`` prints their variances.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rropt.mechanisms import Mechanism
from rropt.mechanisms.named.threshold_cards import threshold_cards_of


def direct_reports(numbers: Sequence[Fraction], gamma: Fraction) -> Mechanism:
    """Return k-ary randomized response with its only unbiased reports: a square matrix has one solution.

    With p for the true category and q for each other one, the report of x_i is ``(x_i - q sum x)/(p - q)``.
    """
    k, whole = len(numbers), gamma + len(numbers) - 1
    p, q = gamma / whole, 1 / whole
    reports = [(x - q * sum(numbers)) / (p - q) for x in numbers]
    return Mechanism([[p if i == j else q for j in range(k)] for i in range(k)]).valued(numbers, reports)


def threshold_cards(numbers: Sequence[Fraction], gamma: Fraction) -> Mechanism:
    """Return the mechanism of threshold cards for ascending or other different numbers.

    The outputs are (card, yes) and (card, no), with the values ``card + s A`` and ``card - s A``.
    """
    return threshold_cards_of(numbers, gamma / (gamma + 1))


def two_reports(numbers: Sequence[Fraction], gamma: Fraction) -> Mechanism:
    """Return the mechanism of Duchi, Jordan and Wainwright (2018), whose reports are ``c - s A`` and ``c + s A``.

    c is the middle of the numbers, s half of their range and ``A = (gamma + 1)/(gamma - 1)``. The larger report has
    the probability ``1/2 + (x - c)/(2 s A)``.

    >>> two_reports([Fraction(0), Fraction(1), Fraction(2)], Fraction(3)).matrix[1] == (1/4, 1/2, 3/4)
    True
    """
    middle, half = (min(numbers) + max(numbers)) / 2, (max(numbers) - min(numbers)) / 2
    far = half * (gamma + 1) / (gamma - 1)
    above = [(1 + (x - middle) / far) / 2 for x in numbers]
    return Mechanism([[1 - p for p in above], above]).valued(numbers, [middle - far, middle + far])


def known_reports(numbers: Sequence[Fraction], gamma: Fraction) -> list[Mechanism]:
    """Return the mechanisms of the literature for different numbers."""
    return [threshold_cards(numbers, gamma), two_reports(numbers, gamma), direct_reports(numbers, gamma)]
