"""The rows of the ethics page: a pictogram of each device, what its response can change, and how precise it is.

A strip is an axis of the probability that somebody gives to a statement about a respondent. It stands at 50 % before
the response; the arrows reach the largest and the smallest probability after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rropt.core.visible import html_text
from rropt.reports.pages import SCROLLS

_WIDTH, _HEIGHT = 200, 34  # of a strip, in units of its drawing
_LEFT, _RIGHT = 10, 190  # where the axis has 0 and 100 %
_AXIS = 12  # height of the axis
_HEAD = 5  # of an arrow
_ALL = ' class="all"'
_PIPS = {"die": ((7, 7), (17, 7), (12, 12), (7, 17), (17, 17))}
_DRAWN = {  # pictograms of 24 by 24; what no other one fits is drawn by a computer
    "die": '<rect x="2" y="2" width="20" height="20" rx="4"/>',
    "dice": '<rect x="1" y="1" width="14" height="14" rx="3"/><rect x="9" y="9" width="14" height="14" rx="3"/>',
    "coin": '<circle cx="12" cy="12" r="10"/><circle cx="12" cy="12" r="7"/>',
    "cards": '<rect x="2" y="5" width="12" height="17" rx="2"/><rect x="9" y="2" width="12" height="17" rx="2"/>',
    "birthday": '<rect x="2" y="4" width="20" height="18" rx="2"/><path d="M2 9h20M7 1v5M17 1v5"/>',
    "a program": '<rect x="2" y="3" width="20" height="14" rx="2"/><path d="M8 21h8M12 17v4"/>',
    "openly": '<path d="M2 4h20v13H11l-5 5v-5H2z"/>',
}


@dataclass(frozen=True, slots=True)
class Strip:
    """A row of the ethics page.

    Attributes:
        text: the question, or what the row is about.
        device: the kind of device, a key of the pictograms; empty for all questions together.
        factor: the factor of the odds, in words.
        low, high: the probabilities after a response of a statement believed with 50 % before.
        after: both in words.
        margin: the margin of error; empty without one.
    """

    text: str
    device: str
    factor: str
    low: Fraction
    high: Fraction
    after: str
    margin: str = ""


def kind_of(device: str) -> str:
    """Return the pictogram of a kind of device that ``sheet`` describes.

    >>> kind_of("forced: die (6)"), kind_of("crosswise: cards (4)"), kind_of("a program")
    ('die', 'cards', 'a program')
    """
    if device.startswith(("direct", "truth")):
        return "openly"
    known = ("dice", "die", "coin", "cards", "birthday")
    return next((kind for kind in known if f" {kind}" in device), "a program")


def strips_html(strips: Sequence[Strip], header: Sequence[str]) -> str:
    """Return rows as a table of HTML whose pictures are drawn in its cells."""
    head = "".join(f"<th>{html_text(name)}</th>" for name in header)
    rows = "".join(
        f"<tr{_ALL * (not one.device)}><td>{_pictogram(one.device)}</td><td>{html_text(one.text)}</td>"
        f"<td>{html_text(one.factor)}</td><td>{strip_svg(one)}</td><td>{html_text(one.margin)}</td></tr>"
        for one in strips
    )
    return f'{SCROLLS}<table class="strips"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'


def _pictogram(kind: str) -> str:
    if not kind:
        return ""
    pips = "".join(f'<circle cx="{x}" cy="{y}" r="1.6" class="pip"/>' for x, y in _PIPS.get(kind, ()))
    return (
        f'<svg class="pictogram" viewBox="0 0 24 24" width="24" height="24" role="img" aria-label="{html_text(kind)}">'
        f"{_DRAWN[kind]}{pips}</svg>"
    )


def strip_svg(one: Strip) -> str:
    """Return the axis of a row with its arrows from 50 %, and both ends in words below it."""
    middle, low, high = (_place(value) for value in (Fraction(1, 2), one.low, one.high))
    return (
        f'<svg class="strip" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{html_text(one.after)}">'
        f'<path class="axis" d="M{_LEFT} {_AXIS}H{_RIGHT}M{_LEFT} 8v8M{_RIGHT} 8v8M{middle} 6v12"/>'
        f"{_arrow(middle, low, 'down')}{_arrow(middle, high, 'up')}"
        f'<text x="{middle}" y="{_HEIGHT - 3}">{html_text(one.after)}</text></svg>'
    )


def _place(value: Fraction) -> float:
    return round(_LEFT + (_RIGHT - _LEFT) * float(value), 2)


def _arrow(start: float, end: float, look: str) -> str:
    """Return an arrow along the axis; none where it would be shorter than its head."""
    size = _HEAD if end > start else -_HEAD
    if abs(end - start) < _HEAD:
        return ""
    neck = round(end - size, 2)
    return (
        f'<path class="{look}" d="M{start} {_AXIS}H{neck}"/>'
        f'<path class="{look} head" d="M{neck} {_AXIS - _HEAD}L{end} {_AXIS}L{neck} {_AXIS + _HEAD}z"/>'
    )
