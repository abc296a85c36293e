"""Binary designs when the prevalence is known only to lie in an interval: worst case and regret, exactly."""

from __future__ import annotations

from rropt.solvers.prevalence_intervals.robust_designs import PrevalenceInterval
from rropt.solvers.prevalence_intervals.solutions import IntervalDesign, IntervalOptimum, IntervalSolution
from rropt.solvers.prevalence_intervals.solve_over_interval import solve_over_interval

__all__ = ["IntervalDesign", "IntervalOptimum", "IntervalSolution", "PrevalenceInterval", "solve_over_interval"]
