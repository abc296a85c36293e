"""Options of which some state how a table is read."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import rropt_fieldwork
from rropt.answers.table_reports import TableReading
from rropt.core.errors import names_of
from rropt_fieldwork.reading.reading_options import OPTIONS


def split(data: Any, options: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Return the table of data as some options state it, and the other options."""
    stated = {name: value for name, value in options.items() if name in OPTIONS}
    return rropt_fieldwork.read(data, **stated), {name: value for name, value in options.items() if name not in OPTIONS}


def reading_of(
    data: Any, columns: Any, mechanism: Any = None, by: Any = (), weights: str | None = None
) -> TableReading:
    """Return the report on a table whose questions are estimated one by one."""
    data = data if weights is None else rropt_fieldwork.read(data).sampled(weights=weights)
    responses = rropt_fieldwork.TableResponses(columns, mechanism, data=data)
    responses.each_question(names_of(by, "by"), Fraction(19, 20))
    assert responses.reading is not None
    return responses.reading
