"""Mutual information in symbols: ``sum_ij pi_j p_ij ln(p_ij/lambda_i)``; its form is the optimal basis (``bases``)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import sympy as sp

from rropt.designs.problem import Problem
from rropt.symbolic.bases import form_of_sum
from rropt.symbolic.objectives.goal import Goal, dot, total, x_log_x
from rropt.symbolic.posing import Form

IS_OF_INFORMATION = False


def term(objective: Any, row: Sequence[sp.Expr], population: Sequence[sp.Expr]) -> sp.Expr:
    """Return the contribution of a row."""
    return dot(population, [x_log_x(x) for x in row]) - x_log_x(dot(row, population))


def pose(objective: Any, P: sp.ImmutableMatrix, population: Sequence[sp.Expr]) -> Goal:
    """Return the mutual information of output and truth, in nats."""
    return Goal(total(term(objective, row, population) for row in P.tolist()))


def form(problem: Problem) -> Form | str:
    """Return the form of the basis that is optimal at the level of the problem, with its domain."""
    return form_of_sum(problem, partial(term, problem.objective))
