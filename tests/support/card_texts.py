"""Files with one card, for the tests of cards."""

from __future__ import annotations

import json
from typing import Any

from rropt.claims.card_entries import claim_of
from rropt.claims.cards.card_files import Card, read_cards
from rropt.claims.outcomes import Outcome
from rropt.claims.runner import run_claim

DEFAULTS: dict[str, Any] = {
    "printed": "$x^2\\le x$",
    "for": ["0 <= x <= 1"],
    "says": ["x^2 <= x"],
    "false": ["x^2 <= x/2"],
}


def text(**parts: Any) -> str:
    """Return a file with one card, the default one with some keys changed; None leaves a key out."""
    said = {key: value for key, value in (DEFAULTS | parts).items() if value is not None and key != "define"}
    head = ['paper = "test"', f"define = {json.dumps(parts.get('define', []))}", '[card."one"]']
    return "\n".join([*head, *(f"{key} = {_toml(value)}" for key, value in said.items())]) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(part)}" for key, part in value.items()) + " }"
    return "[" + ", ".join(map(_toml, value)) + "]" if isinstance(value, list) else json.dumps(value)


def judge(card: Card) -> Outcome:
    """Return the outcome of a card."""
    return run_claim(claim_of(card))


def judged(**parts: Any) -> Outcome:
    """Return the outcome of the default card with some keys changed."""
    return judge(read_cards(text(**parts), "test.toml")["test.one"])
