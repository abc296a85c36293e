"""Options of which some state how a table is read."""

from __future__ import annotations

from typing import Any

import rropt_fieldwork
from rropt.answers.table_reports import TableReading
from rropt_fieldwork.from_tables.estimating import TableEstimateArguments, asked_of_table
from rropt_fieldwork.reading.reading_options import OPTIONS


def split(data: Any, options: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Return the table of data as some options state it, and the other options."""
    stated = {name: value for name, value in options.items() if name in OPTIONS}
    return rropt_fieldwork.read(data, **stated), {name: value for name, value in options.items() if name not in OPTIONS}


def reading_of(data: Any, columns: Any, mechanism: Any = None, **options: Any) -> TableReading:
    """Return the report on a table whose questions are estimated one by one."""
    return asked_of_table(TableEstimateArguments(data, columns, mechanism, **options))[1]
