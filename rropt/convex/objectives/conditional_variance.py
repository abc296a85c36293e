"""The worst variance of an unbiased report of a number: a cone program over weights of rows.

With weights w_r, ``m_r = w_r z_r`` and ``s_r >= m_r^2/w_r``: minimize t subject to ``sum_r m_r r = x`` and ``sum_r s_r
r_j - x_j^2 <= t`` for all j. One value z for each row is enough: two outputs with one row merge to their mean.
"""

from __future__ import annotations

from typing import Any

import cvxpy as cp
import numpy as np

from rropt.convex.objectives.goal import Goal
from rropt.convex.regions import Array, Rows, numbers


def goal(objective: dict[str, Any], rows: Rows, pi: Array) -> Goal:
    """Return the largest variance; numbers from -1 to 1, divided by (gamma + 1)/(gamma - 1), are of size about 1."""
    given, n = np.array(numbers(objective["contrast"])), len(rows)
    middle, half = (given.max() + given.min()) / 2, (given.max() - given.min()) / 2
    x = (given - middle) / half

    def size(listed: Array) -> float:
        ratio = float((listed.max(1) / listed.min(1)).max())
        return (ratio + 1) / (ratio - 1)

    w, t = rows.weights, cp.Variable(name="worst")
    sums, squares = cp.Variable(n, name="sums"), cp.Variable(n, nonneg=True, name="squares")
    lines = rows.of(lambda listed: listed.T, len(x), n, name="lines")
    means = rows.of(lambda listed: x / size(listed), len(x), name="numbers")
    least = rows.of(lambda listed: (x / size(listed)) ** 2, len(x), name="squared")
    curved = cp.SOC(squares + w, cp.vstack([2 * sums, squares - w]), axis=0)
    unit = rows.of(lambda listed: float((half * size(listed)) ** 2), name="unit", pos=True)
    return Goal(t, unit, 0.0, (lines @ sums == means, lines @ squares - least <= t, curved))
