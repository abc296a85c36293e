"""Confidence intervals, each named and with its guarantee in words."""

from __future__ import annotations

from rropt.estimation.intervals.confidence_interval import (
    Interval,
    confidence_interval,
    confidence_intervals,
    prevalence_interval,
)
from rropt.estimation.intervals.coverage import coverage
from rropt.estimation.intervals.kinds import INTERVAL_KINDS, IntervalKind

__all__ = [
    "INTERVAL_KINDS",
    "Interval",
    "IntervalKind",
    "confidence_interval",
    "confidence_intervals",
    "coverage",
    "prevalence_interval",
]
