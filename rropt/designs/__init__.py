"""Designs: compute the optimal mechanism in a privacy region, with certified bounds on the optimum."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.designs.block_designs import optimal_subsets as optimal_subsets
    from rropt.designs.optimality_judgements import Optimality as Optimality
    from rropt.designs.optimality_judgements import judge_optimality as judge_optimality
    from rropt.designs.optimality_judgements import optimality as optimality
    from rropt.designs.orders.printed_orders import PrintedComparison as PrintedComparison
    from rropt.designs.orders.printed_orders import printed_comparison as printed_comparison
    from rropt.designs.parametric.closed_levels import ClosedLevels as ClosedLevels
    from rropt.designs.parametric.every_level import EveryLevel as EveryLevel
    from rropt.designs.printed_objectives import PrintedOptimality as PrintedOptimality
    from rropt.designs.printed_objectives import printed_optimality as printed_optimality
    from rropt.designs.problem import Problem as Problem
    from rropt.designs.problem import uniform as uniform
    from rropt.designs.routes import Route as Route
    from rropt.designs.routes import RouteResult as RouteResult
    from rropt.designs.solution import Solution as Solution
    from rropt.designs.solving import every_level_of as every_level_of
    from rropt.designs.solving import solve as solve
    from rropt.designs.two_inputs import closed_form_optimum as closed_form_optimum
    from rropt.designs.way_table import Way as Way
    from rropt.designs.way_table import register_way as register_way

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
