"""Threshold cards: "is your number above the card?", answered by Warner's device; the reports are unbiased numbers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from rropt.mechanisms.mechanism import Mechanism


def threshold_cards_of(numbers: Sequence[Fraction], truth: Fraction) -> Mechanism:
    """Return the mechanism of threshold cards for different numbers.

    A card halfway between two neighbouring numbers is drawn in proportion to their distance. The respondent answers
    truthfully with the probability ``truth``, above 1/2. With the half range s and ``A = 1/(2 truth - 1)`` the report
    is the card plus s A for yes and minus s A for no. Its mean is the true number: given x, the mean of the sign times
    A is the proportion of cards below x minus that of those above. Outputs ascend: each card with no, then with yes.

    Args:
        numbers: the numbers of the categories, in any order.
        truth: the probability of a true answer.

    >>> cards = threshold_cards_of([Fraction(1), Fraction(2), Fraction(3)], Fraction(2, 3))
    >>> print(*cards.responses)
    -1.5 -0.5 4.5 5.5
    """
    ordered = sorted(numbers)
    reach = ordered[-1] - ordered[0]
    cards = [((low + high) / 2, (high - low) / reach) for low, high in pairwise(ordered)]
    rows, values = [], []
    for is_yes in (False, True):
        for card, share in cards:
            rows.append([share * (truth if (x > card) == is_yes else 1 - truth) for x in numbers])
            values.append(card + (reach / 2 if is_yes else -reach / 2) / (2 * truth - 1))
    return Mechanism(rows).valued(list(numbers), values)
