"""Tables of responses with one row for each respondent: reading, counting (by DuckDB), estimating and randomizing."""

from __future__ import annotations

from rropt.survey.tables.counting import Reading
from rropt.survey.tables.estimating import estimate_table, read_answers
from rropt.survey.tables.group_estimates import GroupEstimates
from rropt.survey.tables.weighted_estimates import WeightedEstimates

__all__ = ["GroupEstimates", "Reading", "WeightedEstimates", "estimate_table", "read_answers"]
