"""Options of which some state how a table is read."""

from __future__ import annotations

from typing import Any

import rropt
from rropt.survey.tables.reading_options import OPTIONS


def split(data: Any, options: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Return the table of data as some options state it, and the other options."""
    stated = {name: value for name, value in options.items() if name in OPTIONS}
    return rropt.survey.read(data, **stated), {name: value for name, value in options.items() if name not in OPTIONS}
