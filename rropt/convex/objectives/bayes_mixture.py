"""The mean of an objective over several distributions of the categories: a sum of its terms at each of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cvxpy as cp
import numpy as np

from rropt.convex.objectives.goal import Goal, number
from rropt.convex.regions import Array, Rows, numbers


def goal(
    objective: dict[str, Any],
    rows: Rows,
    part: Callable[[dict[str, Any], Rows, Array], Goal],
    *,
    is_minimised: bool,
) -> Goal:
    """Return the mean.

    Args:
        objective: the mixture in JSON.
        rows: the rows.
        part: the goal of the mixed objective at one distribution.
        is_minimised: whether the mixture is minimized.
    """
    parts = [part(objective["objective"], rows, np.array(numbers(pi))) for pi in objective["populations"]]
    shares = np.array(numbers(objective["weights"]))
    values = cp.Variable(len(parts), name="values")
    conditions = [condition for one in parts for condition in one.conditions]
    conditions += [
        values[i] >= one.expression if is_minimised else values[i] <= one.expression for i, one in enumerate(parts)
    ]

    def unit(_: Array) -> float:
        return max(number(one.unit) for one in parts)

    def ratios(listed: Array) -> Array:
        return np.asarray(shares * [number(one.unit) for one in parts] / unit(listed))

    return Goal(
        rows.of(ratios, len(parts), name="ratios") @ values,
        rows.of(unit, name="unit", pos=True),
        0.0,
        tuple(conditions),
    )
