"""Compare texts as their readers do: a letter with an accent is one text, whether it is composed or decomposed.

``é`` can be one character, or an ``e`` with a combining accent, as in many files from a Mac. Texts are compared in
normalization form C of Unicode (NFC), and printed as they were written. Of labels and codes, 1.0 is 1 (``label_form``).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable

_WHOLE = re.compile(r"([+-]?[0-9]+)\.0+")  # a whole number with a decimal point

BLANKS = " \t\r\n\v\f\u00a0\ufeff"


def normal(text: str) -> str:
    """Return the form in which a text is compared.

    >>> normal("Si\\u0301") == normal("S\\u00ed"), len(normal("Si\\u0301"))
    (True, 2)
    """
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def label_form(text: str) -> str:
    """Return the form in which labels and codes are compared: 30.0, as pandas writes 30 beside a missing value, is 30.

    >>> label_form("30.0"), label_form("30.5"), label_form("1.0.0")
    ('30', '30.5', '1.0.0')
    """
    found = _WHOLE.fullmatch(text)
    return found[1] if found else normal(text)


def labelled_in(label: str, labels: Iterable[str]) -> str | None:
    """Return the label among others that is the same to its readers; ``None`` if there is none.

    >>> labelled_in("1.0", ["0", "1"])
    '1'
    """
    own = label_form(label)
    return next((each for each in labels if label_form(each) == own), None)


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


def one_in_two_forms(texts: Iterable[str], form: Callable[[str], str] = normal) -> tuple[str, str] | None:
    """Return two different texts that are the same to their readers; ``None`` if there are none.

    Args:
        texts: the texts.
        form: the form in which they are compared: ``normal``, or ``label_form`` of labels and codes.
    """
    known: dict[str, str] = {}
    for text in texts:
        if (before := known.setdefault(form(text), text)) != text:
            return before, text
    return None


def text_of(value: object) -> str:
    """Return a value as text without surrounding blanks, '' for None and NaN; 1.0 and true become 1."""
    if value is None or value != value:  # NaN is the missing value of a column of floats
        return ""
    if isinstance(value, bool) or (isinstance(value, float) and value.is_integer() and abs(value) < 2**53):
        value = int(value)
    return str(value).strip(BLANKS)
