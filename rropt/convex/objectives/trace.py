"""The weighted trace ``sum_j w_j p_jj``: linear in the entries of P."""

from __future__ import annotations

from typing import Any

import numpy as np

from rropt.convex.regions import Array, numbers
from rropt.core.errors import UnsupportedProblemError

_MOST = 100  # categories in runs: their program has the square of this many entries


def lines(objective: dict[str, Any], pi: Array) -> Array:
    """Return the diagonal matrix of the weights."""
    return np.diag(listed(objective["weights"]))


def listed(given: Any) -> Array:
    """Return numbers that are listed, or given in runs of equal ones.

    Raises:
        UnsupportedProblemError: runs have too many of them.
    """
    if isinstance(given, list):
        return np.array(numbers(given))
    counts = [int(n) for n, _ in given["runs"]]
    require_few(sum(counts))
    return np.repeat(numbers([x for _, x in given["runs"]]), counts)


def require_few(k: int) -> None:
    """Require that a program over the entries is not too large.

    Raises:
        UnsupportedProblemError: it has too many categories.
    """
    if k > _MOST:
        raise UnsupportedProblemError("too many categories")
