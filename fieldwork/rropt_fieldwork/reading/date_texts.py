"""Refuse conditions on dates and times that stand as texts, if a comparison of these texts would be another one.

CSV files, workbooks and JSON have no type of dates. ``2026-03-01`` is compared as the moment that it is; in any other
form a time is only a text, whose order is not that in time and which is equal to its own form alone. Parquet refuses
such a condition, so the other formats do too.
"""

from __future__ import annotations

import re
from functools import reduce
from typing import Any

from rropt.core.errors import FileFormatError, InvalidParameterError, shown
from rropt.core.visible import with_noun
from rropt_fieldwork.reading.conditions import ColumnComparison, RowCondition
from rropt_fieldwork.reading.number_comparisons import (
    TEXT_CLOCK,
    TEXT_MOMENT,
    TEXT_OTHER_DATES,
    TEXT_ZONED,
    shape,
    stamp,
)
from rropt_fieldwork.reading.sources import Source

_WRITE = "write dates as 2026-03-01 or 2026-03-01 12:30, and times as 09:30, in the data and in the condition"


def require_comparable_dates(source: Source, terms: Any, where: RowCondition) -> None:
    """Check that each text of a condition is comparable to the dates and times of its column.

    Args:
        source: the table.
        terms: the terms of its conditions.
        where: the condition.

    Raises:
        InvalidParameterError: the text of the condition is no date of the form that the column has.
        FileFormatError: the column has dates in several forms, or times with a time zone.
    """
    for one in where.comparisons:
        if isinstance(one.value, str) and one.column not in source.orders and terms.is_text(one.column):
            _require_comparable(source, terms, one, one.value)


def _require_comparable(source: Source, terms: Any, one: ColumnComparison, text: str) -> None:
    is_known, stamped = terms.negated(terms.is_missing(one.column)), stamp(text)

    def matching(pattern: str) -> Any:
        return terms.both(is_known, terms.matches(one.column, pattern))

    is_own = matching(shape(text.lower()) if stamped is None else stamped[1].texts)
    is_zoned, is_clock = matching(TEXT_ZONED), matching(TEXT_CLOCK)
    is_time = reduce(terms.either, [matching(TEXT_OTHER_DATES), is_zoned, is_clock])
    own, zoned, times, known, _ = source.times(terms.both(is_time, is_own), is_zoned, is_time, is_known)
    if not times:
        return
    column, told = shown(one.column), f"`where` compares dates or times: received {shown(_written(one))}"
    is_date = any(re.search(each, text.lower()) for each in (TEXT_OTHER_DATES, TEXT_CLOCK))
    if stamped is None and re.search(f"{TEXT_MOMENT}|{TEXT_ZONED}", text):
        raise InvalidParameterError(f"{told}, and no calendar has it; {_WRITE}")
    if zoned and is_date:
        raise FileFormatError(
            f"{told}, and {with_noun(zoned, 'value')} of {column} that are texts with a time zone; save the column as "
            "times (Parquet), or in UTC without a zone"
        )
    if own < times if is_date else times == known:
        raise InvalidParameterError(
            f"{told}, and {with_noun(times, 'date')} or times in {column}, of which {own} have this form; {_WRITE}"
        )
    if is_date and one.sign not in ("=", "!="):
        if stamped is None:
            raise InvalidParameterError(f"{told}, texts whose order is not that in time; {_WRITE}")
        if times < known:
            raise FileFormatError(
                f"{told}, and {with_noun(known - times, 'value')} of {column} that are no dates or times; name the "
                "texts for missing values (`missing`)"
            )


def _written(one: ColumnComparison) -> str:
    return f"{one.column} {one.sign} '{one.value}'"
