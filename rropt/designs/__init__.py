"""Designs: compute the optimal mechanism in a privacy region, with certified bounds on the optimum."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.designs.binary_optimum import closed_form_optimum as closed_form_optimum
    from rropt.designs.classes import DESIGN_CLASSES as DESIGN_CLASSES
    from rropt.designs.classes import register_design_class as register_design_class
    from rropt.designs.classes import solve as solve
    from rropt.designs.problem import Problem as Problem
    from rropt.designs.problem import WorstCaseProblem as WorstCaseProblem
    from rropt.designs.problem import binary_problem as binary_problem
    from rropt.designs.problem import kary_problem as kary_problem
    from rropt.designs.solution import RouteResult as RouteResult
    from rropt.designs.solution import Solution as Solution
    from rropt.designs.solving import DesignClass as DesignClass
    from rropt.designs.solving import Route as Route

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
