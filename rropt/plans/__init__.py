"""Sample sizes: the least n for a margin, a power or a variance, and the precision that a given n achieves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.plans.combined_responses import DesignPrecision as DesignPrecision
    from rropt.plans.combined_responses import PrecisionComparison as PrecisionComparison
    from rropt.plans.combined_responses import compare_precision as compare_precision
    from rropt.plans.finite_plans import Respondents as Respondents
    from rropt.plans.finite_plans import SurveyPlan as SurveyPlan
    from rropt.plans.finite_plans import asked_variance as asked_variance
    from rropt.plans.finite_plans import plan_deck as plan_deck
    from rropt.plans.finite_plans import plan_survey as plan_survey
    from rropt.plans.goals import MechanismPlan as MechanismPlan
    from rropt.plans.marginals import AffordableOrder as AffordableOrder
    from rropt.plans.marginals import affordable_order as affordable_order
    from rropt.plans.marginals import marginal_variance as marginal_variance
    from rropt.plans.plan import Achieved as Achieved
    from rropt.plans.plan import Plan as Plan
    from rropt.plans.plan import expected_precision as expected_precision

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
