"""Solvers: one problem, several independent routes, one certified solution."""

from __future__ import annotations

from rropt.solvers.routes import ROUTES, Route, RouteResult
from rropt.solvers.solution import Solution
from rropt.solvers.solve import solve

__all__ = ["ROUTES", "Route", "RouteResult", "Solution", "solve"]
