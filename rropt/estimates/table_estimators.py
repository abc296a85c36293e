"""The estimators of a table whose rows a reader has counted: the door for packages that read tables themselves.

The reader of ``rropt_fieldwork`` counts rows in DuckDB, and hands the counts to one of these functions. ``Responses``
calls the same functions for columns in memory. Each is imported when it is first used, as some of them need NumPy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.estimates.asked_questions import estimate_random_questions as estimate_random_questions
    from rropt.estimates.contrast_groups import contrasts_of_groups as contrasts_of_groups
    from rropt.estimates.finite_estimates import estimates_of_population as estimates_of_population
    from rropt.estimates.from_counts import estimate_of_options as estimate_of_options
    from rropt.estimates.from_counts import require_one_number as require_one_number
    from rropt.estimates.grouping import proportions_of_groups as proportions_of_groups
    from rropt.estimates.grouping import proportions_of_sets as proportions_of_sets
    from rropt.estimates.grouping import require_sets_fit as require_sets_fit
    from rropt.estimates.mean_estimates import means_of_groups as means_of_groups
    from rropt.estimates.mean_estimates import require_one_column as require_one_column
    from rropt.estimates.weighting import MOST_CELLS as MOST_CELLS
    from rropt.estimates.weighting import sets_of_questions as sets_of_questions
    from rropt.estimates.weighting import weighted_estimates as weighted_estimates
    from rropt.inference.count_estimates import estimate_of_counts as estimate_of_counts
    from rropt.inference.finite_populations import finite_population as finite_population

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
