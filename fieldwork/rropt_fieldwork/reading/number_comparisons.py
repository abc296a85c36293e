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
_CLOCK = r"[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?"
_ZONE = "(Z|[+-][0-9]{2}(:?[0-9]{2})?)"
_MOMENT = re.compile(f"{_DAY}([ T]{_CLOCK}{_ZONE}?)?")
TEXT_MOMENT = f"^{_DAY}([ T]{_CLOCK})?$"  # of a text, without a time zone
TEXT_ZONED = f"^{_DAY}[ T]{_CLOCK} ?{_ZONE}$"
TEXT_CLOCK = "^[0-9]{1,2}:[0-9]{2}([:. ].*)?$"  # a time of the day, in any form
_YEAR, _MONTH_OR_DAY = "(1[5-9]|2[01])[0-9]{2}", "(0?[1-9]|[12][0-9]|3[01])"
_MONTH_NAME = "(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[.]?"
_GAP = "[-./, ]+"
TEXT_OTHER_DATES = (  # a date in any form, with anything behind it
    f"^({_YEAR}{_GAP}{_MONTH_OR_DAY}{_GAP}{_MONTH_OR_DAY}|{_MONTH_OR_DAY}{_GAP}{_MONTH_OR_DAY}{_GAP}{_YEAR}"
    f"|{_MONTH_OR_DAY}/{_MONTH_OR_DAY}/[0-9]{{2}}|{_YEAR}-(0[1-9]|1[0-2])"
    f"|{_MONTH_OR_DAY}{_GAP}{_MONTH_NAME}{_GAP}{_YEAR}|{_MONTH_NAME}{_GAP}{_MONTH_OR_DAY}{_GAP}{_YEAR})([ Tt,].*)?$"
)


class StampForm(NamedTuple):
    """The texts that are compared as moments, or as times of the day.

    Attributes:
        texts: their regular expression.
        ends: what a text lacks for a fraction of a second, by its length.
        longest: the number of characters with microseconds.
    """

    texts: str
    ends: dict[int, str]
    longest: int


_MOMENT_STAMPS = StampForm(TEXT_MOMENT, {10: " 00:00:00.", 16: ":00.", 19: "."}, 26)
_CLOCK_STAMPS = StampForm(f"^{_CLOCK}$", {5: ":00.", 8: "."}, 15)

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


def stamp(text: str) -> tuple[str, StampForm] | None:
    """Return a date, with or without a time, or a time of the day, so that the order of texts is that in time.

    Returns:
        The text and the form of the texts that are comparable to it; ``None`` for another text.

    >>> [stamp(text)[0] for text in ("2026-03-01T12:30", "2026-03-01T12:30+01:00", "09:30")]
    ['2026-03-01 12:30:00.000000', '2026-03-01 11:30:00.000000', '09:30:00.000000']
    >>> stamp("March") is stamp("9:30") is None
    True
    """
    found = _moment(text)
    if found is not None:
        return found.whole.isoformat(" ", "microseconds"), _MOMENT_STAMPS
    try:
        own = time.fromisoformat(text) if re.search(_CLOCK_STAMPS.texts, text) else None
    except ValueError:
        return None
    return None if own is None else (own.isoformat("microseconds"), _CLOCK_STAMPS)


def moment(column: str, text: str) -> Moment:
    """Return the date and the time of a text of a condition.

    Raises:
        InvalidParameterError: it is none.

    >>> moment("day", "2026-03-01 12:30").whole.isoformat()
    '2026-03-01T12:30:00'
    """
    found = _moment(text)
    if found is None:
        raise InvalidParameterError(
            f"`where` compares dates with another text: received {shown(text)} for {shown(column)}, a column of dates; "
            "write a date as 2026-03-01, or with a time as 2026-03-01 12:30:00"
        )
    return found


def clock(column: str, text: str) -> time:
    """Return the time of the day of a text of a condition.

    Raises:
        InvalidParameterError: it is none.

    >>> clock("start", "12:30").isoformat()
    '12:30:00'
    """
    try:
        if re.fullmatch(_CLOCK, text):
            return time.fromisoformat(text)
    except ValueError:
        pass
    raise InvalidParameterError(
        f"`where` compares times of the day with another text: received {shown(text)} for {shown(column)}, a column of "
        "times; write a time as 12:30 or 12:30:30.0005, with at most six digits after the point"
    )


def _moment(text: str) -> Moment | None:
    try:
        when = datetime.fromisoformat(text) if _MOMENT.fullmatch(text) else None
        if when is not None and when.tzinfo is not None:
            when = when.astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):
        return None
    return None if when is None else Moment(when.date(), when.time())


def shape(text: str) -> str:
    """Return the regular expression of texts with digits and words in the places of those of a text.

    >>> shape("3.1.2026"), shape("1 March 2026")
    ('^[0-9][.][0-9][.][0-9]{4}$', '^[0-9] [a-z]+ [0-9]{4}$')
    """
    parts = re.findall("[0-9]+|[^\\W\\d_]+|.", text, re.DOTALL)
    return "^" + "".join(map(_part_shape, parts)) + "$"


def _part_shape(part: str) -> str:
    if part[0].isdigit():
        return f"[0-9]{{{len(part)}}}" if len(part) > 1 else "[0-9]"
    if part[0].isalpha():
        return "[a-z]+"
    return f"\\{part}" if part in "^\\[]" else part if part == " " else f"[{part}]"
