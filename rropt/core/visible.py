"""Make untrusted text safe to display: control and format characters become escapes such as ``\\x1b``.

Values, column names, categories and file names come from untrusted sources. An escape sequence in them
could move the cursor, set the title of a terminal, or turn the reading order of a line around (CVE-2021-42574).
Code that shows such text calls ``visible``; pages call ``html_text``.
"""

from __future__ import annotations

import unicodedata
from html import escape
from math import log10

_LARGE = 10**15  # larger counts are written as powers of ten
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def visible(text: str, *, keep: str = "") -> str:
    r"""Escape all control, format, surrogate, private and unassigned characters, and line separators.

    Each of them becomes the escape that Python writes for it. Spaces of any width are kept.

    Args:
        text: any text, also from an untrusted source.
        keep: characters that stay as they are, for example line breaks in a text that rropt wrote.

    >>> print(visible("a\x1b[31m\u202e\n"), visible("é, ü, 3 €"))
    a\x1b[31m\u202e\n é, ü, 3 €
    """
    if text.isprintable():
        return text
    return "".join(
        one if one.isprintable() or one in keep or unicodedata.category(one) == "Zs" else _escaped(one) for one in text
    )


def with_noun(number: object, noun: str, nouns: str = "") -> str:
    """Return a number with its noun, which stands in the singular after 1.

    Args:
        number: the number, or its text.
        noun: the noun in the singular, and what follows it.
        nouns: the same in the plural; empty: with an s.

    >>> with_noun(1, "row"), with_noun("0.5", "point"), with_noun(2, "person", "people")
    ('1 row', '0.5 points', '2 people')
    """
    return f"{number} {noun if str(number) == '1' else nouns or noun + 's'}"


def all_of(number: int, nouns: str) -> str:
    """Return all of several things in words.

    >>> all_of(2, "responses"), all_of(3, "responses")
    ('both responses', 'all 3 responses')
    """
    return f"both {nouns}" if number == 2 else f"all {number} {nouns}"


def size_text(count: int) -> str:
    """Return a count of outputs or of entries as text; a very large one by its order of magnitude, a power of ten."""
    return str(count) if count < _LARGE else f"about 10^{int(count.bit_length() * log10(2))}"


def html_text(text: str, quote: bool = True) -> str:
    """Escape a text for HTML: ``visible``, with ``<``, ``>``, ``&`` and quotation marks escaped."""
    return escape(visible(text, keep="\n"), quote)


def _escaped(one: str) -> str:
    code = ord(one)
    if one in _SHORT:
        return _SHORT[one]
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
