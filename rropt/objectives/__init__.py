"""Objectives: the functions that designs minimize or maximize over a privacy region.

Each objective has a class with its value at a mechanism, its form on rays, its JSON and its options. The form on
rays (``ray_form``) consists of value, gradient and curvature in floats, and of the bounds that a mechanism and a dual
solution prove.
"""

from __future__ import annotations

from rropt.mechanisms.fisher_information import binary_variance
from rropt.objectives.a_c_contrasts import AOptimality, Contrast, Contrasts
from rropt.objectives.bayes_mixture import BayesMixture
from rropt.objectives.conditional_variance import ConditionalVariance
from rropt.objectives.d_optimality import DOptimality
from rropt.objectives.divergences import (
    AlphaDivergence,
    ChiSquare,
    Hellinger,
    JensenShannon,
    KullbackLeibler,
    TotalVariation,
)
from rropt.objectives.e_optimality import EOptimality
from rropt.objectives.estimator_variance import EstimatorVariance
from rropt.objectives.expected_loss import Loss
from rropt.objectives.greenwood import (
    GreenwoodLoss,
    greenwood_loss,
    greenwood_moments,
    independent_loss,
    loss_bounds,
    spreads,
)
from rropt.objectives.mutual_information import MutualInformation
from rropt.objectives.objective import (
    OBJECTIVES,
    LinearObjective,
    Objective,
    objective_from_dict,
    objective_of_text,
    register_objective,
)
from rropt.objectives.payoff import Payoff
from rropt.objectives.possible_populations import Populations
from rropt.objectives.trace import Trace
from rropt.objectives.user_defined import ConvexSum, InformationObjective, RationalSum

__all__ = [
    "OBJECTIVES",
    "AOptimality",
    "AlphaDivergence",
    "BayesMixture",
    "ChiSquare",
    "ConditionalVariance",
    "Contrast",
    "Contrasts",
    "ConvexSum",
    "DOptimality",
    "EOptimality",
    "EstimatorVariance",
    "GreenwoodLoss",
    "Hellinger",
    "InformationObjective",
    "JensenShannon",
    "KullbackLeibler",
    "LinearObjective",
    "Loss",
    "MutualInformation",
    "Objective",
    "Payoff",
    "Populations",
    "RationalSum",
    "TotalVariation",
    "Trace",
    "binary_variance",
    "greenwood_loss",
    "greenwood_moments",
    "independent_loss",
    "loss_bounds",
    "objective_from_dict",
    "objective_of_text",
    "register_objective",
    "spreads",
]
