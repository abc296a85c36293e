"""Deal a deck of cards to the respondents, with exactly uniform randomness from the operating system."""

from __future__ import annotations

from rropt.accounting import DealtDeck
from rropt.core.errors import UnsupportedProblemError, required
from rropt.mechanisms.sampling import RandomBits

_MOST_DEALT = 10**6  # cards that are dealt within a second or two


def deal(deck: DealtDeck, bits: RandomBits | None = None) -> tuple[int, ...]:
    """Deal one card to each respondent; all deals are exactly equally likely.

    Anyone who knows both the cards and the responses knows the traits. Give the cards out and keep no record.

    Args:
        deck: the deck, with one card for each respondent.
        bits: the source of randomness (default: the operating system).

    Raises:
        UnsupportedProblemError: the deck has more than a million cards.

    >>> sorted(deal(DealtDeck([1, 2, 1])))
    [1, 2, 2, 3]
    """
    required(deck, DealtDeck, "the deck", "DealtDeck([1, 2, 1])")
    if bits is not None:
        required(bits, RandomBits, "`bits`", "RandomBits()")
    if deck.respondents > _MOST_DEALT:
        raise UnsupportedProblemError(
            f"the deck is too large to be dealt: received {deck.respondents} cards; at most {_MOST_DEALT} are; let "
            "each respondent draw instead"
        )
    cards = [card for card, count in enumerate(deck.deck, 1) for _ in range(count)]
    return tuple((bits or RandomBits()).shuffled(cards))
