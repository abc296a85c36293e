"""Fair bits of the operating system, uniform integers, and a deck of cards that is dealt: all exact."""

from __future__ import annotations

import os
from collections.abc import Sequence

from rropt.errors import UnsupportedProblemError, required
from rropt.mechanisms import DealtDeck
from rropt.sampling.inversion import ByteSource

_BLOCK = 64  # bytes that are fetched at once
_MOST_DEALT = 10**6  # cards: a second or two


class RandomBits:
    """Independent fair bits, from the operating system unless told otherwise, and what is uniform made of them.

    Args:
        source: returns that many uniform random bytes.

    >>> RandomBits(lambda count: bytes([0b10110010] * count)).bits(3)
    5
    """

    __slots__ = ("_held", "_left", "_source")

    def __init__(self, source: ByteSource = os.urandom) -> None:
        self._source, self._held, self._left = source, 0, 0

    def bits(self, count: int) -> int:
        """Return an integer of so many fair bits."""
        while self._left < count:
            self._held = self._held << 8 * _BLOCK | int.from_bytes(self._source(_BLOCK), "big")
            self._left += 8 * _BLOCK
        self._left -= count
        found = self._held >> self._left
        self._held &= (1 << self._left) - 1
        return found

    def below(self, n: int) -> int:
        """Return a uniform integer of 0, ..., n - 1, by rejection: less than 2 times the bits of n - 1 on average."""
        count = (n - 1).bit_length()
        while True:
            found = self.bits(count)
            if found < n:
                return found

    def shuffled(self, items: Sequence[int]) -> list[int]:
        """Return the items in an order of which all are equally likely (Fisher and Yates)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order


def deal(deck: DealtDeck, bits: RandomBits | None = None) -> tuple[int, ...]:
    """Return the card of each respondent of a dealt deck: every deal is equally likely, exactly.

    Who keeps the cards beside the answers knows the traits: hand them out, and forget them.

    Args:
        deck: how many cards there are of 1 to L, one for each respondent.
        bits: where the randomness is from; the operating system's when left out.

    Raises:
        UnsupportedProblemError: more than a million cards.

    >>> sorted(deal(DealtDeck([1, 2, 1])))
    [1, 2, 2, 3]
    """
    required(deck, DealtDeck, "the deck", "DealtDeck([1, 2, 1])")
    if deck.respondents > _MOST_DEALT:
        raise UnsupportedProblemError(
            f"the deck is too large to be dealt: received {deck.respondents} cards; at most {_MOST_DEALT} are; let "
            "each respondent draw instead"
        )
    cards = [card for card, count in enumerate(deck.deck, 1) for _ in range(count)]
    return tuple((bits or RandomBits()).shuffled(cards))
