"""A dealt deck to print: one box for each respondent, to be cut out, with what to do."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from rropt.report.pages import page

_STYLE = """
* { box-sizing: border-box; }
body { font: 16px/1.4 system-ui, sans-serif; margin: 0 auto; max-width: 50rem; padding: 1rem; }
h1 { font-size: 1.2rem; } main { display: grid; gap: 0; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); }
section { border: 1px dashed #888; break-inside: avoid; padding: .6rem .8rem; overflow-wrap: anywhere; }
section p { margin: .2rem 0; } .card { font-size: 2.4rem; font-weight: 600; line-height: 1.1; }
@page { size: A4; margin: 12mm; }
@media print { body { max-width: none; padding: 0; } .keep { display: none; } section { font-size: 10pt; } }
"""


def deck_instruction(kinds: int) -> str:
    """Return what a respondent with a card of 1 to L is told, in at most 25 words.

    >>> deck_instruction(3)
    "If your answer is yes, tell 4 minus your card's number; otherwise tell its number. Show your card to nobody."
    """
    return (
        f"If your answer is yes, tell {kinds + 1} minus your card's number; otherwise tell its number. Show your card "
        "to nobody."
    )


def deck_page(cards: Sequence[int], kinds: int, *, names: Sequence[str] | None = None, question: str = "") -> str:
    """Return the page: each respondent's card, in the order of the respondents."""
    asked = f"<p><b>{escape(question)}</b></p>" if question else ""
    told = f"{asked}<p>{escape(deck_instruction(kinds))}</p>"
    called = names or [f"respondent {i}" for i in range(1, len(cards) + 1)]
    boxes = "".join(
        f'<section><p>{escape(name)}</p><p class="card">{card}</p>{told}</section>'
        for name, card in zip(called, cards, strict=True)
    )
    warning = (
        '<p class="keep">Cut along the lines and hand each card over folded. Who keeps this page beside the answers '
        "knows what each means: destroy it.</p>"
    )
    return page(f"{len(cards)} cards, numbered 1 to {kinds}", f"{warning}<main>{boxes}</main>", style=_STYLE)
