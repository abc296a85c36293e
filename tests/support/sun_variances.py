"""The variances that the cards of Sun, Zhou and Yan (2023) define."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from rropt.claims.cards.card_files import Card
from rropt.claims.language import evaluate
from rropt.claims.registry import find_claims


@cache
def _card() -> Card:
    found = find_claims(["sun2023.figure-2"])["sun2023.figure-2"][0].card
    assert found is not None
    return found


def variance(name: str, *values: Fraction | int) -> Fraction:
    """Return the variance that a definition of the cards gives."""
    made = _card().names[name]
    return Fraction(evaluate(made.tree, dict(zip(made.arguments, map(Fraction, values), strict=True))))
