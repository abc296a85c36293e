"""The one result of estimates, ``Estimates`` with rows ``Estimate``, and the functions that make it from responses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.estimates.counted import Counted as Counted
    from rropt.estimates.counted_estimates import estimates_of_counts as estimates_of_counts
    from rropt.estimates.estimated import SIMPLE as SIMPLE
    from rropt.estimates.estimated import Estimate as Estimate
    from rropt.estimates.estimated import Estimates as Estimates
    from rropt.estimates.finite_estimates import estimate_dealt as estimate_dealt
    from rropt.estimates.group_comparisons import GroupComparison as GroupComparison
    from rropt.estimates.membership_rows import estimates_of_memberships as estimates_of_memberships
    from rropt.estimates.membership_rows import selected_memberships as selected_memberships
    from rropt.estimates.question_estimates import estimate_questions as estimate_questions

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
