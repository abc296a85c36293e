"""Mutual information: maximize ``sum_r w_r (sum_j pi_j r_j log r_j - r.pi log r.pi)`` over weights of rows."""

from __future__ import annotations

from typing import Any

from scipy.special import xlogy

from rropt.convex.objectives.goal import Goal, sum_of
from rropt.convex.regions import Array, Rows


def goal(objective: dict[str, Any], rows: Rows, pi: Array) -> Goal:
    """Return the mutual information of truth and output, in nats."""
    return sum_of(rows, lambda r: xlogy(r, r) @ pi - xlogy(r @ pi, r @ pi), parts=lambda r: r @ pi)
