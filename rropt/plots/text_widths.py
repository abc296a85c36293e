"""Widths of texts in the font of the pictures, without a library of fonts.

The widths are those of DejaVu Sans, which matplotlib draws with; Verdana, which takes its place in browsers, has nearly
the same. Most other fonts are narrower, so that what fits with these widths fits with theirs.
"""

# ruff: noqa: RUF001  (typographic signs are meant)

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

FONTS = "'DejaVu Sans', Verdana, 'Bitstream Vera Sans', sans-serif"
LINE = 1.25  # of the font size: from one line of a text to the next

# of the characters from the blank to the tilde, in thousandths of the font size
_PLAIN = tuple(
    map(
        int,
        [
            "318",
            "401",
            "460",
            "838",
            "636",
            "950",
            "780",
            "275",
            "390",
            "390",
            "500",
            "838",
            "318",
            "361",
            "318",
            "337",
            "636",
            "636",
            "636",
            "636",
            "636",
            "636",
            "636",
            "636",
            "636",
            "636",
            "337",
            "337",
            "838",
            "838",
            "838",
            "531",
            "1000",
            "684",
            "686",
            "698",
            "770",
            "632",
            "575",
            "775",
            "752",
            "295",
            "295",
            "656",
            "557",
            "863",
            "748",
            "787",
            "603",
            "787",
            "695",
            "635",
            "611",
            "732",
            "684",
            "989",
            "685",
            "611",
            "685",
            "390",
            "337",
            "390",
            "838",
            "500",
            "500",
            "613",
            "635",
            "550",
            "635",
            "615",
            "352",
            "635",
            "634",
            "278",
            "278",
            "579",
            "278",
            "974",
            "634",
            "612",
            "635",
            "635",
            "411",
            "521",
            "392",
            "634",
            "592",
            "818",
            "592",
            "592",
            "525",
            "636",
            "337",
            "636",
            "838",
        ],
    )
)
_SIGNS = {
    401: "₀₁₂₃₄₅₆₇₈₉²³⁴⁵",
    838: "≈−×≤≥±",
    1000: "—…",
    500: "–",
    541: "ε",
    227: "′",
    318: "·’\N{NO-BREAK SPACE}",
    833: "∞",
}
_WIDTHS = {chr(32 + i): width for i, width in enumerate(_PLAIN)} | {
    sign: width for width, signs in _SIGNS.items() for sign in signs
}
_LETTER = 680  # of another letter: few are wider
_WIDE = 1000  # of a sign that East Asian scripts set on a full square
_GLUED = re.compile(r" [=≈<≤>+\N{MINUS SIGN}] |\bn Var\b|\([^() ]+, [^() ]+\)")  # stays on one line


def text_width(text: str) -> float:
    """Return the width of the longest line of a text, as a multiple of the font size."""
    return max(sum(map(_width, line)) for line in text.split("\n")) / 1000


def _width(character: str) -> int:
    if character in _WIDTHS:
        return _WIDTHS[character]
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return _WIDE if unicodedata.east_asian_width(character) in "WF" else _LETTER


def wrapped(texts: Iterable[str], room: float) -> list[str]:
    """Return texts in lines of at most so many times the font size; a word that is longer is broken."""
    return [_in_lines(text, room) for text in texts]


def _in_lines(text: str, room: float) -> str:
    words = _GLUED.sub(lambda match: match[0].replace(" ", "\N{NO-BREAK SPACE}"), text).split(" ")
    return "\n".join(_lines_of(words, room)).replace("\N{NO-BREAK SPACE}", " ")


def _lines_of(words: list[str], room: float) -> list[str]:
    """Return words in lines that fit; a word that does not is broken at its glued blanks, or anywhere."""
    lines = [""]
    for word in words:
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if text_width(longer) <= room:
            lines[-1] = longer
            continue
        pieces = [word]
        if text_width(word) > room:
            glued = word.split("\N{NO-BREAK SPACE}")
            pieces = _lines_of(glued, room) if len(glued) > 1 else _pieces(word, room)
        lines = [*lines, *pieces] if lines[-1] else pieces
    return lines


def _pieces(word: str, room: float) -> list[str]:
    pieces = [""]
    for character in word:
        if pieces[-1] and text_width(pieces[-1] + character) > room:
            pieces.append("")
        pieces[-1] += character
    return pieces
