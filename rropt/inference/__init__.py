"""From scores to inference: estimates, variances, intervals and tests, as exact numbers and arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.inference.contingency_tables import TableEstimate as TableEstimate
    from rropt.inference.contingency_tables import cell_variances as cell_variances
    from rropt.inference.contingency_tables import estimate_cells as estimate_cells
    from rropt.inference.contingency_tables import estimate_marginals as estimate_marginals
    from rropt.inference.count_estimates import Estimate as Estimate
    from rropt.inference.count_estimates import estimate as estimate
    from rropt.inference.count_estimates import exact_contrast as exact_contrast
    from rropt.inference.count_estimates import unit as unit
    from rropt.inference.finite_populations import VarianceParts as VarianceParts
    from rropt.inference.finite_populations import survey_variance as survey_variance
    from rropt.inference.interval_estimates import Interval as Interval
    from rropt.inference.interval_estimates import confidence_interval as confidence_interval
    from rropt.inference.interval_estimates import confidence_intervals as confidence_intervals
    from rropt.inference.interval_estimates import coverage as coverage
    from rropt.inference.interval_kinds import INTERVAL_KINDS as INTERVAL_KINDS
    from rropt.inference.joint_likelihood import Likelihood as Likelihood
    from rropt.inference.joint_likelihood import estimate_joint as estimate_joint
    from rropt.inference.likelihood import likelihood_gap as likelihood_gap
    from rropt.inference.likelihood import most_likely_population as most_likely_population
    from rropt.inference.linearization import Sampled as Sampled
    from rropt.inference.precision import covariance_at as covariance_at
    from rropt.inference.precision import efficient_variances as efficient_variances
    from rropt.inference.precision import variance_at as variance_at
    from rropt.inference.replicates import ReplicatedRows as ReplicatedRows
    from rropt.inference.simultaneous import PairEstimates as PairEstimates
    from rropt.inference.simultaneous import SimultaneousIntervals as SimultaneousIntervals
    from rropt.inference.simultaneous import estimate_pairs as estimate_pairs
    from rropt.inference.simultaneous import simultaneous_intervals as simultaneous_intervals
    from rropt.inference.utilities import Utility as Utility
    from rropt.inference.utilities import utility as utility

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
