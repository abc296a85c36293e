"""Solvers: one problem, several independent routes, one certified solution."""

from __future__ import annotations

from rropt.solvers.design_class import DESIGN_CLASSES, DesignClass, Route, register_design_class
from rropt.solvers.design_classes import BinaryVariance, LinearDesigns
from rropt.solvers.results import RouteResult
from rropt.solvers.solution import Solution
from rropt.solvers.solve import solve

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
