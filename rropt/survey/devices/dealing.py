"""Deal a deck of cards to the respondents, with exactly uniform randomness from the operating system."""

from __future__ import annotations

from collections.abc import Sequence

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError, required
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import required_list
from rropt.mechanisms.imports import required_mechanism
from rropt.mechanisms.sampling.fair_bits import RandomBits
from rropt.survey.devices.decks import DealtDeck

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


def deal_to(
    deck: DealtDeck | Sequence[int] | None = None,
    *,
    mechanism: Mechanism | str | None = None,
    respondents: int | None = None,
) -> tuple[int, ...]:
    """Deal one card to each respondent from a shuffled deck, as ``rropt sheet --deal`` does.

    Args:
        deck: the numbers of cards 1, ..., L, with one card for each respondent.
        mechanism: instead of a deck, a card design such as ``"christofides:1/4,1/4,1/2"``.
        respondents: the number of cards in the deck, together with ``mechanism``.

    Raises:
        InvalidParameterError: both or neither of deck and mechanism are given, or there is no such deck.
        UnsupportedProblemError: the deck has more than a million cards.

    >>> sorted(deal_to(mechanism="christofides:1/4,1/4,1/2", respondents=8))
    [1, 1, 2, 2, 3, 3, 3, 3]
    """
    if (deck is None) == (mechanism is None):
        raise InvalidParameterError("the deck is given once: received deck and mechanism, or neither; give one of them")
    if mechanism is not None:
        if respondents is None:
            raise InvalidParameterError(
                "a mechanism gives proportions only: received no respondents; give their number"
            )
        return deal(DealtDeck.of(required_mechanism(mechanism), respondents))
    return deal(
        deck
        if isinstance(deck, DealtDeck)
        else DealtDeck(required_list(deck, "the deck", "a list of the numbers of cards 1, ..., L"))
    )
