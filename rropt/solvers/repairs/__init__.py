"""Repair: the private mechanism nearest to a matrix that is not one."""

from __future__ import annotations

from rropt.solvers.repairs.repair import NORMS, Repair, repair

__all__ = ["NORMS", "Repair", "repair"]
