"""Sample sizes: the least number of answers for a margin, a power, or a variance; and what a number achieves."""

from __future__ import annotations

from rropt.estimation.plans.margin import margin, plan_margin, plan_variance, variance
from rropt.estimation.plans.plan import Plan
from rropt.estimation.plans.power import plan_power, power

__all__ = ["Plan", "margin", "plan_margin", "plan_power", "plan_variance", "power", "variance"]
