"""The expected payoff of the best decision after each output.

With one output for each decision it is linear in the entries of P. In a mixture of distributions it is a sum over
rows: ``max_i sum_j pi_j u_ij r_j``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rropt.convex.objectives.goal import Goal, sum_of
from rropt.convex.regions import Array, Rows, numbers


def lines(objective: dict[str, Any], pi: Array) -> Array:
    """Return the payoff of each decision for each truth, with its probability."""
    return np.array([numbers(row) for row in objective["matrix"]]) * pi


def goal(objective: dict[str, Any], rows: Rows, pi: Array) -> Goal:
    """Return the expected payoff."""
    payoffs = lines(objective, pi)
    return sum_of(rows, lambda r: np.asarray((r @ payoffs.T).max(1)))
