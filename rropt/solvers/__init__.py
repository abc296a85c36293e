"""Solvers: one problem, several independent routes, one certified solution.

The classes of designs are registered here.
"""

from __future__ import annotations

from rropt.solvers.binary_variance import BinaryVariance
from rropt.solvers.convex.a_optimality import AOptimalDesigns
from rropt.solvers.convex.any_output import AnyOutputDesigns
from rropt.solvers.convex.c_optimality import COptimalDesigns
from rropt.solvers.convex.ellipsoid_designs import EllipsoidDesigns
from rropt.solvers.convex.group_designs import GroupDesigns
from rropt.solvers.convex.saddle_designs import SaddleDesigns
from rropt.solvers.criterion_designs import CriterionDesigns
from rropt.solvers.design_class import DESIGN_CLASSES, DesignClass, Route, register_design_class, solve
from rropt.solvers.engine.designs import RayDesigns
from rropt.solvers.few_answers import FewAnswerDesigns
from rropt.solvers.linear_designs import LinearDesigns
from rropt.solvers.pattern_programmes import PatternProgrammes
from rropt.solvers.solution import RouteResult, Solution
from rropt.solvers.three_answers import ThreeAnswerDesigns

__all__ = [
    "DESIGN_CLASSES",
    "BinaryVariance",
    "DesignClass",
    "LinearDesigns",
    "Route",
    "RouteResult",
    "Solution",
    "register_design_class",
    "solve",
]

for _designs in (
    RayDesigns(),
    SaddleDesigns(),
    CriterionDesigns(),
    BinaryVariance(),
    LinearDesigns(),
    FewAnswerDesigns(),
    AnyOutputDesigns(),
    ThreeAnswerDesigns(),
    GroupDesigns(),
    AOptimalDesigns(),
    COptimalDesigns(),
    EllipsoidDesigns(),
    PatternProgrammes(),
):
    register_design_class(_designs)
