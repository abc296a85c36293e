"""Aggregated counts of millions of responses: count on each machine, merge the counts, and estimate from them."""

from __future__ import annotations

from rropt.survey.aggregates.counts import AggregatedCounts, count, is_counts, merge
from rropt.survey.aggregates.estimates import HeavyHitters, MembershipEstimate, estimate_counts, heavy_hitters
from rropt.survey.aggregates.prefix_trees import PrefixTree, PrefixTreeFound

__all__ = [
    "AggregatedCounts",
    "HeavyHitters",
    "MembershipEstimate",
    "PrefixTree",
    "PrefixTreeFound",
    "count",
    "estimate_counts",
    "heavy_hitters",
    "is_counts",
    "merge",
]
