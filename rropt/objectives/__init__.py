"""Objectives: what is made small or large over a privacy region."""

from __future__ import annotations

from rropt.objectives.ellipsoids import DOptimality, EOptimality
from rropt.objectives.information import ChiSquare, MutualInformation, TotalVariation
from rropt.objectives.linear import ExpectedLoss, Trace
from rropt.objectives.objective import (
    OBJECTIVES,
    LinearObjective,
    Objective,
    objective_from_dict,
    register_objective,
)
from rropt.objectives.populations import Populations
from rropt.objectives.variances import AOptimality, COptimality, EstimatorVariance, binary_variance

__all__ = [
    "OBJECTIVES",
    "AOptimality",
    "COptimality",
    "ChiSquare",
    "DOptimality",
    "EOptimality",
    "EstimatorVariance",
    "ExpectedLoss",
    "LinearObjective",
    "MutualInformation",
    "Objective",
    "Populations",
    "TotalVariation",
    "Trace",
    "binary_variance",
    "objective_from_dict",
    "register_objective",
]
