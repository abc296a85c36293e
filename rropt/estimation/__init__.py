"""From counts to estimates, intervals and sample sizes."""

from __future__ import annotations

from rropt.estimation.estimate import Estimate, estimate, estimate_prevalence, exact_contrast, unit
from rropt.estimation.interval_kinds import INTERVAL_KINDS
from rropt.estimation.intervals import (
    Interval,
    confidence_interval,
    confidence_intervals,
    coverage,
    prevalence_interval,
)
from rropt.estimation.likelihood import likelihood_gap, most_likely_population
from rropt.estimation.plans import Plan, margin, plan_margin, plan_power, plan_variance, power, variance

__all__ = [
    "INTERVAL_KINDS",
    "Estimate",
    "Interval",
    "Plan",
    "confidence_interval",
    "confidence_intervals",
    "coverage",
    "estimate",
    "estimate_prevalence",
    "exact_contrast",
    "likelihood_gap",
    "margin",
    "most_likely_population",
    "plan_margin",
    "plan_power",
    "plan_variance",
    "power",
    "prevalence_interval",
    "unit",
    "variance",
]
