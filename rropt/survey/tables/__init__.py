"""Tables of responses with one row for each respondent: reading, counting (by DuckDB), estimating and randomizing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.survey.tables.answers import read_answers as read_answers
    from rropt.survey.tables.counting import Reading as Reading
    from rropt.survey.tables.estimating import estimate_table as estimate_table
    from rropt.survey.tables.group_estimates import GroupEstimates as GroupEstimates
    from rropt.survey.tables.weighted_estimates import WeightedEstimates as WeightedEstimates

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
