"""Objectives: what is made small or large over a privacy region."""

from __future__ import annotations

from rropt.objectives.variance import EstimatorVariance, binary_variance

__all__ = ["EstimatorVariance", "binary_variance"]
