"""The weighted trace ``sum_j w_j p_jj``: linear in the entries of P."""

from __future__ import annotations

from typing import Any

import numpy as np

from rropt.convex.regions import Array, numbers
from rropt.core.errors import UnsupportedProblemError


def lines(objective: dict[str, Any], pi: Array) -> Array:
    """Return the diagonal matrix of the weights."""
    if not isinstance(objective["weights"], list):  # in runs of equal numbers
        raise UnsupportedProblemError("too many categories")
    return np.diag(numbers(objective["weights"]))
