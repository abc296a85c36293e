"""Payoff of a decision problem in symbols: ``sum_i max_d sum_j pi_j U_dj p_ij``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy as sp

from rropt.core.errors import UnsupportedProblemError
from rropt.symbolic.active import NO_THEOREM
from rropt.symbolic.objectives.goal import Goal, dot, total
from rropt.symbolic.posing import Form
from rropt.symbolic.symbols import exacts

IS_OF_INFORMATION = False


def pose(objective: Any, P: sp.ImmutableMatrix, population: Sequence[sp.Expr]) -> Goal:
    """Return the expected payoff of the best decision after each output."""
    gains = [[u * share for u, share in zip(exacts(row), population, strict=True)] for row in objective.matrix]
    return Goal(total(sp.Max(*(dot(gain, row) for gain in gains), evaluate=False) for row in P.tolist()))


def coefficients(own: Mapping[str, Any], pi: Sequence[sp.Expr]) -> list[list[sp.Expr]]:
    """Return the coefficients of the entries, with one line for each decision."""
    if not isinstance(own["matrix"], list):
        raise UnsupportedProblemError("too many categories to be written out")
    return [[x * share for x, share in zip(exacts(line), pi, strict=True)] for line in own["matrix"]]


def form(problem: Any) -> Form | str:
    """Return that no theorem gives a form."""
    return NO_THEOREM
