"""The expected loss ``sum_ij pi_j L_ij p_ij``: linear in the entries of P."""

from __future__ import annotations

from typing import Any

import numpy as np

from rropt.convex.regions import Array, numbers
from rropt.core.errors import UnsupportedProblemError


def lines(objective: dict[str, Any], pi: Array) -> Array:
    """Return the loss of each output for each truth, with its probability."""
    if not isinstance(objective["matrix"], list):  # the 0/1 loss of proportions in runs
        raise UnsupportedProblemError("too many categories")
    return np.array([numbers(row) for row in objective["matrix"]]) * pi
