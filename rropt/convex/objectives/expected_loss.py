"""The expected loss ``sum_ij pi_j L_ij p_ij``: linear in the entries of P."""

from __future__ import annotations

from typing import Any

import numpy as np

from rropt.convex.objectives.trace import require_few
from rropt.convex.regions import Array, numbers


def lines(objective: dict[str, Any], pi: Array) -> Array:
    """Return the loss of each output for each truth, with its probability."""
    if not isinstance(objective["matrix"], list):  # the 0/1 loss of proportions in runs
        require_few(len(pi))
        return np.asarray((1 - np.eye(len(pi))) * pi)
    return np.array([numbers(row) for row in objective["matrix"]]) * pi
