"""The ``repr`` of results: the answer that was asked for, in one short line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rropt.core.exact import Bounded, Bracket, as_text, decimal_text
from rropt.core.exact.real_numbers import RealNumber

_DIGITS = 6  # significant digits of a decimal
_SHORT_FRACTION, _SHORT_NUMBER = 7, 14  # characters of a fraction and of another exact number that is shown as it is
_LONGEST_TEXT = 60
_LISTED = 4  # numbers of a list


def answer_parts(result: Any, names: Iterable[str]) -> list[str]:
    """Return ``name=value`` for each name of ``Result.ANSWER``; missing values are left out.

    Args:
        result: the result.
        names: attributes, methods without arguments, or paths such as ``found.n``, which is shown as ``n``; of
            ``at=path`` the first word is shown.
    """
    found = []
    for name in names:
        label, _, path = name.rpartition("=")
        value = result
        for part in path.split("."):
            value = getattr(value, part, None)
            value = value() if callable(value) else value
        if text := value_text(value):
            found.append(f"{label or path.rpartition('.')[2]}={text}")
    return found


def value_text(value: Any) -> str:
    """Return a value in a few characters: a number with six digits, a few numbers, or how many things there are.

    >>> value_text(Fraction(3, 10)), value_text(Fraction(1, 3)), value_text(Fraction(889, 4870)), value_text(0.1 + 0.2)
    ('0.3', '1/3', '~0.182546', '0.3')
    >>> value_text((Fraction(3, 10), Fraction(7, 10))), value_text([object()] * 5), value_text({"age": 0.25})
    ('(0.3, 0.7)', '5', '{age: 0.25}')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return _cut(" ".join(value.split()))
    if isinstance(value, int):
        return decimal_text(Fraction(value), _DIGITS) if abs(value) >= 10**12 else str(value)
    if isinstance(value, float):
        return decimal_text(value, _DIGITS)
    if isinstance(value, Fraction):
        return _fraction_text(value)
    if isinstance(value, Bounded):
        return _bracket_text(value.bracket)
    if isinstance(value, RealNumber):
        text = str(value)
        return text if len(text) <= _SHORT_NUMBER else f"~{decimal_text(float(value), _DIGITS)}"
    if isinstance(value, Mapping):
        return _listed([f"{key}: {value_text(item)}" for key, item in value.items()], "{}")
    if isinstance(value, (Sequence, frozenset)):
        items = sorted(value) if isinstance(value, frozenset) else value
        if all(isinstance(item, (int, float, Fraction, str, RealNumber)) for item in items[:_LISTED]):
            return _listed([*map(value_text, items[: _LISTED + 1])], "()")
        return str(len(items))
    return "" if hasattr(value, "tolist") else _cut(" ".join(str(value).split()))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else f"{text[: _LONGEST_TEXT - 3]}..."


def _listed(texts: Sequence[str], ends: str) -> str:
    more = ["..."] if len(texts) > _LISTED else []
    return f"{ends[0]}{', '.join([*texts[:_LISTED], *more])}{ends[1]}"


def _fraction_text(value: Fraction) -> str:
    if value.denominator == 1:
        return value_text(value.numerator)
    if (scaled := value * 10**_DIGITS).denominator == 1 and abs(scaled) < 10 ** (2 * _DIGITS):
        return decimal_text(value)
    text = as_text(value) if max(abs(value.numerator), value.denominator) < 10**_SHORT_FRACTION else ""
    return text if 0 < len(text) <= _SHORT_FRACTION else f"~{decimal_text(value, _DIGITS)}"


def _bracket_text(value: Bracket) -> str:
    if value.is_exact:
        return _fraction_text(value.lower)
    low, high = (decimal_text(end, _DIGITS) for end in value)
    return f"~{low}" if low == high else f"[{low}, {high}]"
