"""Allocation of respondents to strata in CVXPY: minimize ``sum_h a_h/n_h`` with a given total, for real n_h."""

from __future__ import annotations

from fractions import Fraction

import cvxpy as cp
import numpy as np

from rropt.convex.posing import Solved, compare, explained, solve
from rropt.core.errors import UnsupportedProblemError
from rropt.core.results.twins import Twin
from rropt.survey.plans.group_plans import StrataPlan

_MOST_STRATA = 1000


def to_cvxpy(plan: StrataPlan) -> cp.Problem:
    """Return the program over real ``sizes``; ``spreads`` (a_h) and ``respondents`` (their sum) are Parameters.

    In a finite population ``most`` is the parameter of the people who respond, and ``plan.correction`` is taken off the
    value of the program.

    The variable ``scaled`` is ``n_h/sqrt(a_h)``: the solver keeps its accuracy if the spreads differ by orders of
    magnitude.

    Raises:
        UnsupportedProblemError: there are too many strata.
    """
    count = len(plan.sizes)
    if count > _MOST_STRATA:
        raise UnsupportedProblemError("too many strata")
    a = cp.Parameter(count, nonneg=True, name="spreads", value=np.array([float(x) for x in plan.spreads]))
    total = cp.Parameter(pos=True, name="respondents", value=float(plan.n))
    n, scaled = cp.Variable(count, nonneg=True, name="sizes"), cp.Variable(count, pos=True, name="scaled")
    root = cp.CallbackParam(callback=lambda: np.sqrt(a.value), shape=(count,), nonneg=True, name="roots")
    variance = cp.sum(cp.multiply(root, cp.inv_pos(scaled)))
    limits = [n == cp.multiply(root, scaled), cp.sum(n) == total, a >= 0]
    if plan.most is not None:
        limits.append(n <= cp.Parameter(count, nonneg=True, name="most", value=np.array(plan.most, float)))
    return explained(
        cp.Problem(cp.Minimize(variance), limits),
        sizes="the number of respondents of each stratum, not rounded",
        scaled="the number of respondents of each stratum, divided by the root of its spread",
        spreads="the variance of one response in each stratum, times its squared part of the population",
        roots="the roots of the spreads",
        respondents="the number of all respondents",
        most="the number of people of each stratum who respond",
    )


def cvxpy_twin(plan: StrataPlan) -> Twin:
    """Return the variance of the best real sizes, a lower bound of that of the integers of the plan."""
    program, size = to_cvxpy(plan), max(map(float, plan.spreads))
    if not size:
        raise UnsupportedProblemError("no content here: the variance is 0 for all sizes")
    program.param_dict["spreads"].value = np.array([float(x) for x in plan.spreads]) / size
    program.param_dict["respondents"].value = 1.0  # sizes as parts of the total
    if plan.most is not None:
        program.param_dict["most"].value = np.array(plan.most, float) / plan.n
    solved, unit = solve(program), size / plan.n
    found = Solved(solved.value * unit - float(plan.correction), solved.error * unit, solved.solver)
    twin = compare(found, min(plan.variance, Fraction(found.value)), plan.variance, "an allocation to strata")
    return Twin(
        "CVXPY",
        True,
        twin.value,
        twin.agrees,
        twin.why or "real sizes: at most the variance of integers",
        solver=solved.solver,
    )
