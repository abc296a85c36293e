"""Cards as entries of the registry: the texts that pages and commands show."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rropt.claims.cards.card_files import Card
from rropt.claims.cards.card_outcomes import precise_text
from rropt.claims.claim import Claim, Reading
from rropt.claims.domains import Domain, not_drawn


def claim_of(card: Card) -> Claim:
    """Return the entry of the registry for a card; it has texts in place of functions."""
    raw = card.raw
    defined = [*card.definitions.values(), *_texts(card, "let")]
    told = {
        "What the statement says": tuple(raw["says"]),
        "How the true value is computed": tuple(defined) or ("Each side is written in full.",),
        "Missing": tuple(raw.get("assume", ())),
        "Conditions of the correction": tuple(raw.get("true_for", ())),
    }
    if card.true is not None:
        told["What the corrected statement says"] = tuple(raw.get("true", raw["says"]))
    return Claim(
        *(card.id, card.texts["source"], card.texts["printed"], precise_text(card)),
        variables={
            name: Domain(_meaning(each, name, card.told["symbols"]), (), not_drawn)
            for each in (*(reading for _, _, reading in card.readings), card)
            for name in each.printed.names
        },
        notes=card.texts["note"],
        place=card.place,
        readings=tuple(Reading(name, passage, {"card": each}) for name, passage, each in card.readings),
        card=card,
        told=told,
    )


def _texts(card: Card, key: str) -> list[str]:
    return [" ".join(text.split()) for text in card.raw.get(key, ())]


def _meaning(card: Card, name: str, symbols: Mapping[str, str]) -> str:
    """Return the meaning of a variable, and the conditions of the scope on it."""
    conditions = [text for text in _texts(card, "for") if re.search(rf"\b{name}\b", text)]
    return ", ".join([text for key, text in symbols.items() if key == name] + conditions)
