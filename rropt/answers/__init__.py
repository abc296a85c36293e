"""Randomized responses as they were given, and the sample that gave them: counts, rows, scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.answers.respondents import Answers as Answers
    from rropt.answers.respondents import answers_of_counts as answers_of_counts
    from rropt.answers.respondents import answers_of_rows as answers_of_rows
    from rropt.answers.table_reports import TableReading as TableReading

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
