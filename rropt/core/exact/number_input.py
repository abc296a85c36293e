"""Parse numbers as people type them: accept unambiguous forms; for other texts, suggest a form in the error message.

In addition to the grammar of ``numbers``, this module accepts a percentage (``"10%"``, ``"12,5 %"``, ``"1/3%"``) and a
decimal comma (``"0,1"``). Three digits after a comma could be thousands (``"1,000"``), so they are rejected unless the
whole part is 0 (``"0,125"``). The items of a list are separated by semicolons if there is one, else by commas:
``"0,1;0,9"``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from rropt.core.errors import shown

# One number without digit groups: an integer, a fraction, or a decimal with an optional power of ten.
NUMBER = r"[+-]?(?:[0-9]+(?:/[0-9]+)?|(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)(?:[eE][+-]?[0-9]{1,18})?)"
_PLAIN = re.compile(NUMBER)
_COMMA = re.compile(r"([+-]?[0-9]*),([0-9]+(?:[eE][+-]?[0-9]{1,18})?)")
_GROUPS = re.compile(r"([+-]?[0-9]{1,3})((?:[.,' _][0-9]{3})+)([.,][0-9]+)?")
_COMMA_LIST = re.compile(r"[0-9]+(?:,[0-9]+)+")

# characters that look like those of the grammar: minus, fraction slash, Arabic percent and decimal signs
_LOOKALIKES = str.maketrans({"\u2212": "-", "\u2044": "/", "\u066a": "%", "\u066b": ".", "\u066c": ",", "\u2019": "'"})


def read_number(text: str) -> tuple[str, bool] | None:
    """Convert a text without surrounding blanks to the plain grammar, and return whether it is a percentage.

    Returns ``None`` if the text is not a number, or if it can be read in more than one way.

    >>> read_number("12,5 %"), read_number("0,125"), read_number("1,000")
    (('12.5', True), ('0.125', False), None)
    """
    is_percent = text.endswith("%")
    body = text[:-1].rstrip() if is_percent else text
    if _PLAIN.fullmatch(body):
        return body, is_percent
    match = _COMMA.fullmatch(body)
    if match is None:
        return None
    whole, decimals = match.groups()
    if len(decimals) == 3 and whole.lstrip("+-0"):
        return None
    return f"{whole}.{decimals}", is_percent


def number_advice(text: str) -> str:
    """Suggest how to write an unreadable number, as the end of an error message; empty if there is no suggestion.

    >>> number_advice("1,000"), number_advice("1.000,5"), number_advice("0,1,0,9")
    ('; write 1000, or 1.000', '; write 1000.5', '; several numbers with decimal commas are written 0,1;0,9')
    """
    plain = " ".join(unicodedata.normalize("NFKC", text[:200].translate(_LOOKALIKES)).translate(_LOOKALIKES).split())
    plain = "".join(str(unicodedata.digit(sign, sign)) for sign in plain)
    ending = "%" if plain.endswith("%") else ""
    body = plain.removesuffix("%").strip()
    groups = _GROUPS.fullmatch(body)
    if groups is not None and len({sign for sign in groups[2] if not sign.isdigit()}) == 1:
        whole = groups[1] + re.sub(r"\D", "", groups[2])
        if groups[3] is None and groups[2].count(",") == 1:
            return f"; write {whole}{ending}, or {body.replace(',', '.')}{ending}"
        if groups[3] is None or groups[3][0] != groups[2][0]:
            return f"; write {whole}{(groups[3] or '').replace(',', '.')}{ending}"
    listed = without_decimal_commas(body)
    if listed is not None:
        return f"; several numbers with decimal commas are written {listed}"
    found = read_number(plain)
    if found is None or plain == text.strip():
        return ""
    return f"; write {found[0]}{'%' if found[1] else ''}"


def without_decimal_commas(text: str) -> str | None:
    """Rewrite a comma-separated list of numbers with decimal commas in the accepted form.

    Returns ``None`` if the text does not look like such a list: pairs of digit groups, of which at least one begins
    with 0.

    >>> without_decimal_commas("0,1,0,9"), without_decimal_commas("0,5"), without_decimal_commas("1,2,5,10")
    ('0,1;0,9', '0.5', None)
    """
    items = text.split(",")
    if not _COMMA_LIST.fullmatch(text) or len(items) % 2 or "0" not in items[::2]:
        return None
    if len(items) == 2:
        return text.replace(",", ".")
    return ";".join(f"{whole},{decimals}" for whole, decimals in zip(items[::2], items[1::2], strict=True))


def decimal_comma_hint(words: Iterable[str]) -> str:
    """Return a hint for an error message if some words look like numbers with decimal commas; else an empty text.

    In the name of a design with parameters, such as ``warner:0,75``, only the parameters are examined.

    >>> decimal_comma_hint(["privacy", "warner:0,75"])
    " ('0,75' with decimal commas is '0.75')"
    """
    lists = dict.fromkeys(word.rpartition(":")[2] for word in words)
    meant = [(typed, without_decimal_commas(typed)) for typed in lists]
    texts = [f"{shown(typed)} with decimal commas is {shown(text)}" for typed, text in meant if text]
    return f" ({'; '.join(texts)})" if texts else ""


def split_list(text: str) -> list[str]:
    """Split a list at its semicolons, or at its commas if it has no semicolon, and strip the items.

    Args:
        text: numbers with commas or semicolons between them; a decimal comma asks for semicolons.

    >>> split_list("1/2, 1/3"), split_list("0,5; 0,25")
    (['1/2', '1/3'], ['0,5', '0,25'])
    """
    return [item.strip() for item in text.split(";" if ";" in text else ",")]
