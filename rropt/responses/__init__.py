"""Answers as people have them, a row for each respondent: read and counted by DuckDB, estimated, randomized."""

from __future__ import annotations

from rropt.responses.counting import Reading
from rropt.responses.estimating import estimate_table, read_answers
from rropt.responses.group_estimates import GroupEstimates
from rropt.responses.weighted_estimates import WeightedEstimates

__all__ = ["GroupEstimates", "Reading", "WeightedEstimates", "estimate_table", "read_answers"]
