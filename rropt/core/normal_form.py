"""Compare texts as their readers do: a letter with an accent is one text, whether it is composed or decomposed.

``é`` can be one character, or an ``e`` with a combining accent, as in many files from a Mac. Texts are compared in
normalization form C of Unicode (NFC), and printed as they were written.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable


def normal(text: str) -> str:
    """Return the form in which a text is compared.

    >>> normal("Si\\u0301") == normal("S\\u00ed"), len(normal("Si\\u0301"))
    (True, 2)
    """
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def decomposed(text: str) -> str:
    """Return the other form of a text, in which each accent is a character of its own (NFD)."""
    return unicodedata.normalize("NFD", text)


def normal_caseless(text: str) -> str:
    """Return the form in which a text is compared if upper and lower case are the same (Unicode, D145)."""
    return text.casefold() if text.isascii() else normal(unicodedata.normalize("NFD", text).casefold())


def spelled(text: str) -> str:
    """Return a text with escapes for all letters that are not ASCII, which shows how texts that look alike differ.

    >>> print(spelled("S\\u00ed"), spelled("Si\\u0301"))
    S\\xed Si\\u0301
    """
    return ascii(text)[1:-1]


def named_in(name: str, names: Iterable[str]) -> str | None:
    """Return the name among others that is the same to its readers; ``None`` if there is none."""
    own = normal(name)
    return next((each for each in names if each == name or normal(each) == own), None)


def one_in_two_forms(texts: Iterable[str]) -> tuple[str, str] | None:
    """Return two different texts that are the same to their readers; ``None`` if there are none."""
    known: dict[str, str] = {}
    for text in texts:
        if (before := known.setdefault(normal(text), text)) != text:
            return before, text
    return None
