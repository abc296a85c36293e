"""Rows under Renyi and zCDP conditions: a lattice of log ratios, refined where rows have weight.

These regions have infinitely many extreme directions. The value over a lattice is that of mechanisms with these rows,
so that it approaches the optimum from one side.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from rropt.convex.regions import Limits, Rows

_LATTICE = {2: (160, 6), 3: (16, 9)}  # by k: steps of the lattice to either side, refinements to half the step
_KEPT = 1e-7  # relative weight of a row that is kept: weights of an interior-point solver


def over_lattice(limits: Limits, solved: Callable[[Rows], Any]) -> Any:
    """Solve a problem over rows on a lattice, which is halved around the rows that have weight.

    Args:
        limits: the conditions; they give the reach of the lattice.
        solved: a function that solves the problem over given rows, whose weights then have values.

    Returns:
        What ``solved`` returns for the last lattice.
    """
    k, kept, found = limits.k, np.zeros((1, limits.k)), None
    count, refinements = _LATTICE[k]
    step = limits.reach / count
    for _ in range(refinements):
        near = np.array([(0.0, *each) for each in product(range(-count, count + 1), repeat=k - 1)]) * step
        logs = np.unique((kept[:, None] + near).reshape(-1, k), axis=0)
        rows = Rows(limits, listed=np.exp(logs - logs.max(1)[:, None]))
        found = solved(rows)
        weights = np.asarray(rows.weights.value)
        kept = logs[weights > _KEPT * weights.max()]
        count, step = 2, step / 2
    return found
