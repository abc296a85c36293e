"""Cards sampled without replacement, one for each respondent: as a table, and as a page of cards to cut out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rropt.accounting import DealtDeck
from rropt.core.errors import InvalidParameterError
from rropt.core.results import Result, labelled
from rropt.core.visible import html_text
from rropt.reports.pages import page
from rropt_fieldwork.devices.dealing import deal

_MOST_PRINTED = 10_000  # cards on a page
_LONGEST_NAME = 200


def deck_instruction(kinds: int) -> str:
    """Return the instruction for a respondent with a card of 1 to L, in at most 25 words.

    >>> deck_instruction(3)
    'If your answer is yes, say 4 minus the number on your card; otherwise say the number. Show your card to nobody.'
    """
    return (
        f"If your answer is yes, say {kinds + 1} minus the number on your card; otherwise say the number. Show your "
        "card to nobody."
    )


def deck_page(cards: Sequence[int], kinds: int, *, names: Sequence[str] | None = None, question: str = "") -> str:
    """Return the page with each respondent's card, in the order of the respondents."""
    asked = f"<p><b>{html_text(question)}</b></p>" if question else ""
    told = f"{asked}<p>{html_text(deck_instruction(kinds))}</p>"
    called = names or [f"respondent {i}" for i in range(1, len(cards) + 1)]
    boxes = "".join(
        f'<section><p>{html_text(name)}</p><p class="card">{card}</p>{told}</section>'
        for name, card in zip(called, cards, strict=True)
    )
    warning = (
        '<p class="keep">Cut along the lines and hand each card over folded. Anyone with this page and the responses '
        "can decode them: destroy it.</p>"
    )
    return page(f"{len(cards)} cards, numbered 1 to {kinds}", f'{warning}<div class="deck">{boxes}</div>')


@dataclass(frozen=True, slots=True)
class DealtCards(Result):
    """The card of each respondent. Only the owner of the survey may see it.

    Attributes:
        deck: the numbers of cards of the shuffled deck.
        cards: the card of each respondent, in order.
        names: the names of the respondents; ``None`` if they are numbered.
    """

    deck: DealtDeck
    cards: tuple[int, ...]
    names: tuple[str, ...] | None

    LABELS = labelled(n="respondents")

    @property
    def n(self) -> int:
        """The number of respondents."""
        return len(self.cards)

    @classmethod
    def recompute(cls, deck: tuple[int, ...], cards: tuple[int, ...], names: tuple[str, ...] | None) -> DealtCards:
        """Return the same cards after a check that they are the cards of the deck."""
        dealt = [cards.count(kind) for kind in range(1, len(deck) + 1)]
        if dealt != list(deck) or len(cards) != sum(deck) or (names is not None and len(names) != len(cards)):
            raise InvalidParameterError(
                f"these are not the cards of the deck: received {dealt} of each kind, {len(cards)} in all; allowed are "
                f"{list(deck)}, and a name for each or none"
            )
        return cls(DealtDeck(deck), cards, names)

    def lines(self) -> list[tuple[str, str]]:
        """Return the deck and the instruction, but not who holds which card."""
        deck = ", ".join(f"{count} x {card}" for card, count in enumerate(self.deck.deck, 1))
        one, every = self.epsilon.values()
        levels = f"{one} for an observer of one response, {every} for an observer of all responses"
        return [("cards", deck), ("instruction", self.instruction), ("epsilon", levels)]

    @property
    def instruction(self) -> str:
        """The instruction for each respondent."""
        return deck_instruction(len(self.deck.deck))

    @property
    def epsilon(self) -> dict[str, str]:
        """Epsilon for an observer of one response, and for an observer of all responses."""
        return {name: str(self.deck.view(name).epsilon) for name in ("one", "all")}

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row for each respondent: the name or number, and the card."""
        respondents = self.names or range(1, len(self.cards) + 1)
        return [{"respondent": one, "card": card} for one, card in zip(respondents, self.cards, strict=True)]

    def to_dict(self) -> dict[str, Any]:
        """Return the cards for JSON, and the description of the device."""
        record = {"n": self.n, "deck": list(self.deck.deck), "cards": list(self.cards)}
        names = None if self.names is None else list(self.names)
        return {**record, "names": names, "instruction": self.instruction, "epsilon": self.epsilon}

    def page(self, question: str = "") -> str:
        """Return the page to print.

        Raises:
            InvalidParameterError: too many cards for a page.
        """
        if len(self.cards) > _MOST_PRINTED:
            raise InvalidParameterError(
                f"the cards are too many for a page: received {len(self.cards)}; allowed are {_MOST_PRINTED}; print "
                "the table"
            )
        return deck_page(self.cards, len(self.deck.deck), names=self.names, question=question)

    def remarks(self) -> tuple[str, ...]:
        """Return the warnings for the owner of the file."""
        told = dict(self.lines())
        return (
            told["instruction"],
            f"epsilon = {told['epsilon']}",
            "anyone who knows the cards can decode the responses: hand out the cards and keep no copy",
        )


def deal_cards(deck: DealtDeck, names: Sequence[str] | None = None) -> DealtCards:
    """Deal one card to each respondent; all deals are equally likely, by the operating system's randomness.

    Raises:
        InvalidParameterError: the names are not distinct and printable, or their number is wrong.
        InfeasibleError: the responses to this deck do not depend on the truth.
    """
    n, given = deck.respondents, None if names is None else tuple(names)
    if given is not None:
        fits = len(given) == n == len(set(given))
        if not fits or not all(name.isprintable() and len(name) <= _LONGEST_NAME for name in given):
            raise InvalidParameterError(
                f"the names do not name the respondents: received {len(given)}, {len(set(given))} different; allowed "
                f"are {n} different names of at most {_LONGEST_NAME} printable characters, one for each card"
            )
    deck.slope()  # a deck that reveals nothing is not dealt
    return DealtCards(deck, deal(deck), given)
