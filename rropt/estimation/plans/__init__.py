"""Sample sizes: the least number of answers for a margin, a power, or a variance; and what a number achieves."""

from __future__ import annotations

from rropt.estimation.plans.achieved import (
    Achieved,
    ExpectedPrecision,
    achieved,
    achieved_contrast,
    achieved_marginals,
    expected_precision,
)
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

__all__ = [
    "Achieved",
    "AffordableOrder",
    "ExpectedPrecision",
    "MechanismPlan",
    "Plan",
    "SurveyPlan",
    "achieved",
    "achieved_contrast",
    "achieved_marginals",
    "affordable_order",
    "contrast_margin",
    "expected_precision",
    "margin",
    "marginal_margin",
    "marginal_variance",
    "plan_answers",
    "plan_contrast_margin",
    "plan_contrast_variance",
    "plan_deck",
    "plan_margin",
    "plan_marginal_margin",
    "plan_marginal_variance",
    "plan_power",
    "plan_survey",
    "plan_variance",
    "power",
    "variance",
]
