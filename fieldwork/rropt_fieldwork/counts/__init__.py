"""Aggregated counts of millions of responses: count on each machine, merge the counts, and estimate from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt_fieldwork.counts.aggregated_counts import AggregatedCounts as AggregatedCounts
    from rropt_fieldwork.counts.aggregated_counts import merge as merge
    from rropt_fieldwork.counts.membership_estimates import estimate_counts as estimate_counts
    from rropt_fieldwork.counts.membership_estimates import heavy_hitters as heavy_hitters
    from rropt_fieldwork.counts.membership_estimates import nearest_distribution as nearest_distribution
    from rropt_fieldwork.counts.prefix_trees import PrefixTree as PrefixTree

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
