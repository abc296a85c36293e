"""The split of a privacy budget over yes/no questions as a convex program.

With ``u = epsilon`` of a question and ``t = exp(s)``, the odds bound is ``x = exp(u)``. For ``marginals`` the
constraint ``x/(x-1)^2 <= t`` is ``1/x + (x t)^(-1/2) <= 1``, that is ``exp(-u) + exp(-(u+s)/2) <= 1``. For ``joint``
the constraint ``(x^2+1)/(x-1)^2 <= t`` is ``1/x + (y/t)^(1/2) <= 1`` with ``y = 1 + x^-2``, whose logarithm v
satisfies ``exp(-v) + exp(-2u-v) <= 1``.
"""

from __future__ import annotations

from fractions import Fraction
from math import exp
from typing import Any

import cvxpy as cp
import numpy as np

from rropt.convex.posing import Solved, compare, explained, solve
from rropt.core.errors import UnsupportedProblemError
from rropt.core.results.twins import Twin

_MOST_QUESTIONS = 64
_MEANINGS = {
    "budget": "epsilon of the full report, the bound of the sum of the levels",
    "levels": "epsilon of each question with positive weight",
    "s": "the logarithm of the part of the objective that belongs to each question",
    "log weights": "the logarithms of the weights",
    "weights": "the weight of each question in the objective",
    "v": "the logarithm of 1 + exp(-2 epsilon) of each question",
    "shift": "the part of the objective that no split changes",
}


def to_cvxpy(design: Any) -> cp.Problem:
    """Return the convex program; its value is the objective.

    The variables ``levels`` are those of the questions of positive weight. The Parameters are ``budget``, the bound of
    their sum, ``shift``, and ``weights`` (of the marginals).

    Raises:
        UnsupportedProblemError: there are too many questions.
    """
    logarithm, limits = _conditions(design)
    constant = cp.Parameter(name="shift", value=float(shift(design.objective)))
    return explained(cp.Problem(cp.Minimize(cp.sum(cp.exp(logarithm)) + constant), limits), **_MEANINGS)


def _conditions(design: Any) -> tuple[Any, list[Any]]:
    """Return the logarithms of the terms that are added up, and the conditions on them."""
    own = design.objective
    shares = [float(share) for share in own.shares if share]
    if len(shares) > _MOST_QUESTIONS:
        raise UnsupportedProblemError("too many questions")
    u, s = cp.Variable(len(shares), nonneg=True, name="levels"), cp.Variable(len(shares), name="s")
    limits: list[Any] = [cp.sum(u) <= cp.Parameter(pos=True, name="budget", value=float(design.level))]
    if own.is_product:
        v = cp.Variable(len(shares), name="v")
        return cp.sum(s), [*limits, cp.exp(-v) + cp.exp(-2 * u - v) <= 1, cp.exp(-u) + cp.exp((v - s) / 2) <= 1]
    weights = cp.Parameter(len(shares), pos=True, name="weights", value=np.array(shares))
    logarithms = cp.CallbackParam(callback=lambda: np.log(weights.value), shape=weights.shape, name="log weights")
    limits += [cp.exp(-u) + cp.exp(-(u + s) / 2) <= 1, weights >= 0]
    return s + logarithms, limits


def shift(objective: Any) -> Fraction:
    """Return the part of the objective that no split changes, from the prevalences by its definition."""
    total = Fraction(1) if objective.is_product else Fraction(0)
    if objective.is_product:
        for pi in objective.prevalences:
            total *= pi * pi + (1 - pi) ** 2
        return -total
    for weight, pi in zip(objective.weights, objective.prevalences, strict=True):
        total += weight * pi * (1 - pi)
    return total


def cvxpy_twin(design: Any) -> Twin:
    """Return the optimum, compared with the proved bounds; its logarithm is minimized, whose size is moderate."""
    logarithm, limits = _conditions(design)
    found = solve(cp.Problem(cp.Minimize(cp.log_sum_exp(logarithm)), limits))
    constant, part = float(shift(design.objective)), exp(found.value)
    solved = Solved(part + constant, found.error * part, found.solver)
    return compare(solved, design.lower, design.upper, "a split of a budget", trivial=(constant,))
