"""Estimation: from counts to estimates, intervals and sample sizes."""

from __future__ import annotations

from rropt.estimation.answers import Answers, answers_of_counts, answers_of_rows
from rropt.estimation.combined_answers import DesignPrecision, PrecisionComparison, compare_precision
from rropt.estimation.estimate import Estimate, estimate, estimate_prevalence, exact_contrast, unit
from rropt.estimation.finite_populations import (
    FiniteEstimate,
    SurveyVariance,
    estimate_finite,
    fixed_population_variance,
    superpopulation_variance,
    survey_variance,
)
from rropt.estimation.greenwood import GreenwoodLoss, greenwood_loss, greenwood_moments, loss_bounds
from rropt.estimation.interval_kinds import INTERVAL_KINDS
from rropt.estimation.intervals import (
    Interval,
    confidence_interval,
    confidence_intervals,
    coverage,
    prevalence_interval,
)
from rropt.estimation.joint_likelihood import JointEstimate, estimate_joint
from rropt.estimation.likelihood import likelihood_gap, most_likely_population
from rropt.estimation.plans.achieved import (
    Achieved,
    ExpectedPrecision,
    achieved,
    achieved_contrast,
    achieved_marginals,
    expected_precision,
)
from rropt.estimation.plans.contrast_power import contrast_power, plan_contrast_power
from rropt.estimation.plans.contrasts import contrast_margin, plan_contrast_margin, plan_contrast_variance
from rropt.estimation.plans.finite import SurveyPlan, plan_deck, plan_survey
from rropt.estimation.plans.goals import MechanismPlan, plan_answers
from rropt.estimation.plans.margin import margin, plan_margin, plan_variance, variance
from rropt.estimation.plans.marginals import (
    AffordableOrder,
    affordable_order,
    marginal_margin,
    marginal_variance,
    plan_marginal_margin,
    plan_marginal_variance,
)
from rropt.estimation.plans.plan import Plan
from rropt.estimation.plans.power import plan_power, power
from rropt.estimation.precision import covariance_at, variance_at
from rropt.estimation.questions import QuestionsEstimate, estimate_questions
from rropt.estimation.simultaneous import PairEstimates, SimultaneousIntervals, estimate_pairs, simultaneous_intervals
from rropt.estimation.survey_estimates import SurveyEstimate, survey_estimate
from rropt.estimation.tables import TableEstimate, cell_variances, estimate_cells, estimate_marginals
from rropt.estimation.utility import Utility, spreads, utility

__all__ = [
    "INTERVAL_KINDS",
    "Achieved",
    "AffordableOrder",
    "Answers",
    "DesignPrecision",
    "Estimate",
    "ExpectedPrecision",
    "FiniteEstimate",
    "GreenwoodLoss",
    "Interval",
    "JointEstimate",
    "MechanismPlan",
    "PairEstimates",
    "Plan",
    "PrecisionComparison",
    "QuestionsEstimate",
    "SimultaneousIntervals",
    "SurveyEstimate",
    "SurveyPlan",
    "SurveyVariance",
    "TableEstimate",
    "Utility",
    "achieved",
    "achieved_contrast",
    "achieved_marginals",
    "affordable_order",
    "answers_of_counts",
    "answers_of_rows",
    "cell_variances",
    "compare_precision",
    "confidence_interval",
    "confidence_intervals",
    "contrast_margin",
    "contrast_power",
    "covariance_at",
    "coverage",
    "estimate",
    "estimate_cells",
    "estimate_finite",
    "estimate_joint",
    "estimate_marginals",
    "estimate_pairs",
    "estimate_prevalence",
    "estimate_questions",
    "exact_contrast",
    "expected_precision",
    "fixed_population_variance",
    "greenwood_loss",
    "greenwood_moments",
    "likelihood_gap",
    "loss_bounds",
    "margin",
    "marginal_margin",
    "marginal_variance",
    "most_likely_population",
    "plan_answers",
    "plan_contrast_margin",
    "plan_contrast_power",
    "plan_contrast_variance",
    "plan_deck",
    "plan_margin",
    "plan_marginal_margin",
    "plan_marginal_variance",
    "plan_power",
    "plan_survey",
    "plan_variance",
    "power",
    "prevalence_interval",
    "simultaneous_intervals",
    "spreads",
    "superpopulation_variance",
    "survey_estimate",
    "survey_variance",
    "unit",
    "utility",
    "variance",
    "variance_at",
]
