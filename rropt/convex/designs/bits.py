"""The split of a privacy budget over yes/no questions as a geometric program.

The odds bounds ``x_l > 1`` of the questions have a product of at most gamma. For ``marginals`` the constraint
``x/(x-1)^2 <= t`` is ``1/x + (x t)^(-1/2) <= 1``. For ``joint`` the constraint ``(x^2+1)/(x-1)^2 <= t`` is
``1/x + (y/t)^(1/2)/x <= 1`` with ``(x^2+1)/y <= 1``. All of them are convex in the logarithms of x, y and t.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import cvxpy as cp
import numpy as np

from rropt.convex.posing import Solved, compare, explained, solve
from rropt.core.errors import UnsupportedProblemError
from rropt.core.results.twins import Twin
from rropt.designs.bits import BitsDesign
from rropt.designs.splits import JointTrace, Marginals

_MOST_QUESTIONS = 64
_MEANINGS = {
    "budget": "exp(epsilon) of the full report, the bound of the product of the odds",
    "odds": "exp(epsilon) of each question with positive weight",
    "t": "the part of the objective that belongs to each question",
    "weights": "the weight of each question in the objective",
    "y": "the square of the odds, and 1 in addition",
}


def to_cvxpy(design: BitsDesign) -> cp.Problem:
    """Return the geometric program, to be solved by ``solve(gp=True)``.

    The variables ``odds`` are those of the questions of positive weight. The Parameters are ``budget``, the bound of
    their product, and ``weights`` (of the marginals). The value is the objective without a constant: ``shift`` of the
    design is added to it.

    Raises:
        UnsupportedProblemError: there are too many questions.
    """
    shares = [float(share) for share in design.objective.shares if share]
    gamma = float(design.level)
    if len(shares) > _MOST_QUESTIONS:
        raise UnsupportedProblemError("too many questions")
    x, t = (cp.Variable(len(shares), pos=True, name=name) for name in ("odds", "t"))
    budget = cp.Parameter(pos=True, name="budget", value=float(np.exp(gamma)))
    limits: list[Any] = [cp.prod(x) <= budget]
    if isinstance(design.objective, JointTrace):
        y = cp.Variable(len(shares), pos=True, name="y")
        limits += [(x**2 + 1) / y <= 1, 1 / x + cp.sqrt(y / t) / x <= 1]
        return explained(cp.Problem(cp.Minimize(cp.prod(t)), limits), **_MEANINGS)
    weights = cp.Parameter(len(shares), pos=True, name="weights", value=np.array(shares))
    limits.append(1 / x + cp.power(cp.multiply(x, t), -0.5) <= 1)
    return explained(cp.Problem(cp.Minimize(cp.sum(cp.multiply(weights, t))), limits), **_MEANINGS)


def shift(objective: Marginals | JointTrace) -> Fraction:
    """Return the part of the objective that no split changes."""
    if isinstance(objective, JointTrace):
        return -objective.squares
    pairs = zip(objective.weights, objective.prevalences, strict=True)
    return sum((w * pi * (1 - pi) for w, pi in pairs), Fraction(0))


def cvxpy_twin(design: BitsDesign) -> Twin:
    """Return the value of the geometric program, compared with the proved bounds."""
    solved = solve(to_cvxpy(design), gp=True)
    found = Solved(solved.value + float(shift(design.objective)), solved.error, solved.solver)
    return compare(found, design.lower, design.upper, "a split of a budget", trivial=(float(shift(design.objective)),))
