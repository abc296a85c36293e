"""Answers as people have them, a row for each respondent: read and counted by DuckDB, estimated, randomized."""

from __future__ import annotations

from rropt.responses.counting import Reading
from rropt.responses.estimating import estimate_table, read_answers
from rropt.responses.group_estimates import GroupEstimates

__all__ = ["GroupEstimates", "Reading", "estimate_table", "read_answers"]
