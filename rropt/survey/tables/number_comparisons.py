"""Comparisons of a column with an exact number or with a time, in the type of the column.

A number of a condition is a fraction, and is never rounded to a type that the column does not have. Whole numbers and
decimals are compared exactly. A column of floats is compared in its own precision, as in Polars, DuckDB and Stata: the
number is rounded to the nearest float, so that 0.1 is equal to a double or a single that was written as 0.1. Dates and
times are moments also where they stand as texts, as in CSV files and workbooks: 2026-03-01 12:30 is 12:30:00.
``table_terms`` and ``engines`` write the comparisons for their engines.
"""

from __future__ import annotations

import operator
import re
import struct
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from fractions import Fraction
from math import inf, isinf, nextafter
from typing import Any, NamedTuple

from rropt.core.errors import InvalidParameterError, shown

SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}
WHOLE_FLOATS = 2**53  # beyond, not every whole number is a double
MOST_DIGITS = 1000  # characters of a number
_MOST_POWER = 3000  # beyond any number of a table: a larger exponent is replaced by this one
_INTEGERS = {"int8": 7, "int16": 15, "int32": 31, "int64": 63, "int128": 127}
RANGES = {kind: (-(2**bits), 2**bits - 1) for kind, bits in _INTEGERS.items()}
RANGES |= {f"u{kind}": (0, 2 ** (bits + 1) - 1) for kind, bits in _INTEGERS.items()}
_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_TIME = r"[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?"
_MOMENT = re.compile(f"{_DAY}([ T]{_TIME})?")
TEXT_MOMENT = f"^{_DAY}([ T][0-9]{{2}}:[0-9]{{2}}(:[0-9]{{2}}([.][0-9]{{1,6}})?)?)?$"  # of a text, without a time zone
STAMP_ENDS = {10: " 00:00:00.", 16: ":00.", 19: "."}  # what a text lacks for a fraction of a second, by its length
LONGEST_STAMP = 26

Reduced = tuple[str, Any] | bool  # a sign and a value of the type of the column, or whether it is true of every value


def exact_number(text: str) -> Fraction:
    """Return the number of a text, such as ``-3.3e-4``.

    Raises:
        InvalidParameterError: it is too long.
    """
    if len(text) > MOST_DIGITS:
        raise InvalidParameterError(
            f"a number is too long: received one of {len(text)} characters, which begins with {shown(text[:20])}; "
            f"allowed are {MOST_DIGITS} characters"
        )
    mantissa, _, power = text.lower().partition("e")
    return Fraction(mantissa) * Fraction(10) ** min(max(int(power or 0), -_MOST_POWER), _MOST_POWER)


def on_integers(sign: str, number: Fraction, low: int, high: int) -> Reduced:
    """Return a comparison of the integers from ``low`` to ``high`` with a number as one with such an integer.

    >>> on_integers(">=", Fraction(5, 2), 0, 9), on_integers("=", Fraction(5, 2), 0, 9)
    (('>', 2), False)
    """
    at = number.numerator // number.denominator
    if number.denominator != 1:
        if sign in ("=", "!="):
            return sign == "!="
        sign = ">" if sign in (">", ">=") else "<="
    if not low <= at <= high:
        return sign in ((">", ">=", "!=") if at < low else ("<", "<=", "!="))
    return sign, at


def on_floats(sign: str, number: Fraction, *, is_single: bool = False) -> Reduced:
    """Return a comparison of floats with a number as one with the nearest float.

    A number that lies beyond all finite floats, or between 0 and its neighbours, is not rounded to infinity or to 0.

    >>> on_floats(">=", Fraction(33, 10), is_single=True), on_floats(">=", Fraction(10**400))
    (('>=', 3.299999952316284), ('>', 1.7976931348623157e+308))
    """
    near = _nearest(number, is_single=is_single)
    if not isinf(near) and (near or not number):
        return sign, near
    if sign in ("=", "!="):
        return sign == "!="
    least = 2.0**-149 if is_single else 2.0**-1074
    largest = (2.0 - 2.0**-23) * 2.0**127 if is_single else nextafter(inf, 0.0)
    below = (largest if number > 0 else -inf) if isinf(near) else (0.0 if number > 0 else -least)
    return (">" if sign in (">", ">=") else "<="), below


def _nearest(number: Fraction, *, is_single: bool) -> float:
    """Return the nearest float; an infinite one for a number beyond all."""
    try:
        near = float(number)
        return float(struct.unpack("f", struct.pack("f", near))[0]) if is_single else near
    except OverflowError:
        return inf if number > 0 else -inf


def whole_digits(number: int) -> tuple[bool, int, str]:
    """Return whether an integer is negative, how many digits it has, and its digits; 0 has none."""
    digits = str(abs(number)).lstrip("0")
    return number < 0, len(digits), digits


class Moment(NamedTuple):
    """A date, or a date with a time.

    Attributes:
        day: the date.
        time: the time of the day, in UTC if it was written with a time zone; midnight without one.
    """

    day: date
    time: time

    @property
    def whole(self) -> datetime:
        """The date and the time."""
        return datetime.combine(self.day, self.time)

    def on_days(self, sign: str) -> Reduced:
        """Return a comparison of dates with this moment as one with its day."""
        if self.time == time():
            return sign, self.day
        if sign in ("=", "!="):
            return sign == "!="
        return (">" if sign in (">", ">=") else "<="), self.day


def stamp(text: str) -> str:
    """Return a date, with or without a time, in the form in which texts are ordered as moments; "" for another text.

    >>> stamp("2026-03-01T12:30"), stamp("2026-03-01") < stamp("2026-03-01 00:00:00.5"), stamp("March")
    ('2026-03-01 12:30:00.000000', True, '')
    """
    if not re.search(TEXT_MOMENT, text):
        return ""
    return f"{text}{STAMP_ENDS.get(len(text), '')}000000"[:LONGEST_STAMP].replace("T", " ")


def moment(column: str, text: str) -> Moment:
    """Return the date and the time of a text of a condition.

    Raises:
        InvalidParameterError: it is none.

    >>> moment("day", "2026-03-01 12:30").whole.isoformat()
    '2026-03-01T12:30:00'
    """
    found = _MOMENT.fullmatch(text)
    try:
        if found is None:
            raise ValueError
        when = datetime.fromisoformat(text)
        if when.tzinfo is not None:
            when = when.astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):
        raise InvalidParameterError(
            f"`where` compares dates with another text: received {shown(text)} for {shown(column)}, a column of dates; "
            "write a date as 2026-03-01, or with a time as 2026-03-01 12:30:00"
        ) from None
    return Moment(when.date(), when.time())
