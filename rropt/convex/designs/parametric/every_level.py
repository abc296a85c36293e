"""Designs for every level in CVXPY: the linear program with gamma as a Parameter, solved between all breakpoints."""

from __future__ import annotations

from fractions import Fraction

import cvxpy as cp
import numpy as np

from rropt.convex.posing import compare, explained, solve
from rropt.core.results.twins import Twin
from rropt.designs.parametric.every_level import EveryLevel, LevelPiece

_MOST_SOLVED = 12  # levels at which the program is solved
_BEYOND = 2  # the last piece is asked at this multiple of its start


def to_cvxpy(result: EveryLevel) -> cp.Problem:
    """Return the linear program over the entries ``P`` and the least entries ``t`` of rows; ``gamma`` is a Parameter.

    The sum of the labelled costs is minimized. A payoff or a total variation is minus the optimum.
    """
    problem = result.problem
    costs = np.array([[float(c) for c in row] for row in problem.objective.labelled_costs(problem.population) or ()])
    outputs, inputs = costs.shape
    P = cp.Variable((outputs, inputs), name="P")
    t = cp.Variable((outputs, 1), nonneg=True, name="t")
    gamma = cp.Parameter(pos=True, name="gamma")
    gamma.value = 2.0
    conditions = [t <= P, gamma * t >= P, cp.sum(P, axis=0) == 1]
    program = cp.Problem(cp.Minimize(cp.sum(cp.multiply(costs, P))), conditions)
    return explained(program, t="the smallest entry of each row of the mechanism")


def cvxpy_twin(result: EveryLevel) -> Twin:
    """Return the twin: the optimum of the program at a level of each piece, each compared with the formula.

    Raises:
        RouteDisagreementError: a value is not on the curve.
    """
    program = to_cvxpy(result)
    (gamma,) = program.parameters()
    sign = 1 if result.problem.objective.sense == "minimise" else -1
    last, most = len(result.pieces) - 1, min(len(result.pieces), _MOST_SOLVED)
    pieces = [result.pieces[i * last // max(1, most - 1)] for i in range(most)]  # the first, the last, and others
    twins = []
    for piece in pieces:
        at = _inside(piece)
        gamma.value = float(at)
        value = sign * piece.value(at)
        size = max(1.0, *(abs(float(c)) for row in _costs(result) for c in row))
        what = f"{result.problem} at gamma = {at}"
        twins.append(compare(solve(program), value, value, what, size=size))
    agreeing = [twin for twin in twins if twin.agrees]
    worst = agreeing[-1] if agreeing else twins[-1]
    levels = f"{len(pieces)} level{'s' * (len(pieces) > 1)}"
    told = levels if len(pieces) == len(result.pieces) else f"{levels} of {len(result.pieces)} pieces"
    return Twin("CVXPY", True, told, worst.agrees, worst.why, solver=worst.solver)


def _costs(result: EveryLevel) -> tuple[tuple[Fraction, ...], ...]:
    return result.problem.objective.labelled_costs(result.problem.population) or ()


def _inside(piece: LevelPiece) -> Fraction:
    """Return a rational gamma between the ends of a piece."""
    low = float(piece.start)
    high = _BEYOND * low + 1 if piece.end is None else float(piece.end)
    return Fraction((low + high) / 2).limit_denominator(10**9)
