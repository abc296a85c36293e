"""Allocation of respondents to strata in CVXPY: minimize ``sum_h a_h/n_h`` over whole numbers with a given total.

``a/n`` is convex, so the line through its values at the whole numbers i and i + 1 is below it at every other one:

    a/n >= a/i - (n - i) a/(i (i + 1)).

The largest of these lines is a/n at whole numbers, and linear between them. So the linear program over ``n_h`` and the
largest lines has a solution in whole numbers, and its value is the least variance. A few lines on both sides of
Neyman's sizes are enough, since whole numbers are next to them; fewer lines would give a lower bound.
"""

from __future__ import annotations

from typing import Any

import cvxpy as cp
import numpy as np

from rropt.convex.posing import Solved, compare, explained, solve
from rropt.convex.regions import Array
from rropt.core.errors import UnsupportedProblemError
from rropt.core.results.twins import Twin

_MOST_STRATA = 1000
_LINES = 4  # on each side of Neyman's size of a stratum
_STEPS = 200  # of the search for Neyman's sizes within bounds


def to_cvxpy(plan: Any) -> cp.Problem:
    """Return the program over whole ``sizes``; ``spreads`` (a_h) and ``respondents`` (their sum) are Parameters.

    In a finite population ``most`` is the Parameter of the people who respond, and ``correction`` is taken off. The
    value is the least variance over all allocations to whole numbers of people.

    Raises:
        UnsupportedProblemError: there are too many strata.
    """
    return _program(plan, is_whole=True)


def _program(plan: Any, *, is_whole: bool) -> cp.Problem:
    """Return the program; over real sizes it has the same value."""
    count = len(plan.sizes)
    if count > _MOST_STRATA:
        raise UnsupportedProblemError("too many strata")
    a = cp.Parameter(count, nonneg=True, name="spreads", value=np.array([float(x) for x in plan.spreads]))
    total = cp.Parameter(pos=True, name="respondents", value=float(plan.n))
    unit = cp.CallbackParam(callback=lambda: _unit(a.value, total.value), pos=True, name="unit")
    correction = cp.Parameter(nonneg=True, name="correction", value=float(plan.correction))
    most = None
    if plan.most is not None:
        most = cp.Parameter(count, nonneg=True, name="most", value=np.array(plan.most, float))
    n, t = cp.Variable(count, integer=is_whole, name="sizes"), cp.Variable(count, nonneg=True, name="variances")

    def near() -> Array:
        """Return the whole numbers i of the lines of each stratum."""
        sizes = _real_sizes(a.value, float(total.value), None if most is None else most.value)
        first = np.maximum(1, np.floor(sizes) - _LINES)
        return np.asarray(first[:, None] + np.arange(2 * _LINES + 2))

    shape = (count, 2 * _LINES + 2)

    def falls() -> Array:
        return np.asarray(a.value[:, None] / (near() * (near() + 1)) / unit.value)

    ends = cp.CallbackParam(callback=lambda: falls() * (2 * near() + 1), shape=shape, name="ends")
    slopes = cp.CallbackParam(callback=falls, shape=shape, nonneg=True, name="slopes")
    ones = np.ones((1, shape[1]))
    wide_n, wide_t = (cp.reshape(x, (count, 1), order="C") @ ones for x in (n, t))
    limits = [wide_t + cp.multiply(slopes, wide_n) >= ends, n >= 1, cp.sum(n) == total, a >= 0]
    if most is not None:
        limits.append(n <= most)
    return explained(
        cp.Problem(cp.Minimize(unit * cp.sum(t) - correction), limits),
        sizes="the number of respondents of each stratum",
        variances="the part of each stratum in the variance, in the unit",
        unit="the size of the variance",
        spreads="the variance of one response in each stratum, times its squared part of the population",
        slopes="minus the slopes of the lines below a/n",
        ends="the values of these lines at n = 0",
        respondents="the number of all respondents",
        correction="what a finite population takes off the variance",
        most="the number of people of each stratum who respond",
    )


def _unit(spreads: Array, total: float) -> float:
    """Return the size of the variance, by which the program is scaled."""
    return float(spreads.max() * len(spreads) / total) or 1.0


def _real_sizes(spreads: Array, total: float, most: Array | None) -> Array:
    """Return real sizes between 1 and ``most`` that are proportional to the roots of the spreads in between."""
    roots = np.sqrt(spreads)
    upper = np.full(len(roots), total) if most is None else most
    if not roots.any():
        return np.minimum(upper, total / len(roots))
    low, high = 1e-12, 2 * total / roots[roots > 0].min()
    for _ in range(_STEPS):
        middle = (low * high) ** 0.5
        low, high = (middle, high) if np.clip(middle * roots, 1, upper).sum() < total else (low, middle)
    return np.asarray(np.clip(low * roots, 1, upper))


def cvxpy_twin(plan: Any) -> Twin:
    """Return the least variance over allocations to whole numbers of people, compared with that of the plan."""
    program = _program(plan, is_whole=False)
    if not any(plan.spreads):
        raise UnsupportedProblemError("no content here: the variance is 0 for all sizes")
    unit, variances = program.param_dict["unit"].value, program.var_dict["variances"]
    solved = solve(cp.Problem(cp.Minimize(cp.sum(variances)), program.constraints), solvers=(cp.SCIPY, cp.CLARABEL))
    found = Solved(solved.value * unit - float(plan.correction), solved.error * unit, solved.solver)
    size = float(plan.variance + plan.correction)
    return compare(found, plan.variance, plan.variance, "an allocation to strata", size=size)
