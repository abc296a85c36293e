"""Expected loss in symbols: ``sum_ij pi_j L_ij p_ij``.

The form is that of the optimal vertex (``active``); a loss of many categories that is equivalent to a weighted trace
has its form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy as sp

from rropt.core.errors import UnsupportedProblemError
from rropt.symbolic.objectives import trace
from rropt.symbolic.objectives.goal import Goal, total
from rropt.symbolic.posing import Form
from rropt.symbolic.symbols import exact, exacts

IS_OF_INFORMATION = False


def pose(objective: Any, P: sp.ImmutableMatrix, population: Sequence[sp.Expr]) -> Goal:
    """Return ``sum_ij pi_j L_ij p_ij``."""
    if not isinstance(objective.matrix, (list, tuple)):  # a 0/1 loss of proportions in runs
        raise UnsupportedProblemError(f"too many categories to be written out: {len(objective.matrix)}")
    m, k = P.shape
    return Goal(total(exact(objective.matrix[i][j]) * population[j] * P[i, j] for i in range(m) for j in range(k)))


def coefficients(own: Mapping[str, Any], pi: Sequence[sp.Expr]) -> list[list[sp.Expr]]:
    """Return the coefficients of the entries, with one line for each output."""
    if own["matrix"] == "zero-one":  # of proportions in runs
        return [[share * int(i != j) for j, share in enumerate(pi)] for i in range(len(pi))]
    if not isinstance(own["matrix"], list):
        raise UnsupportedProblemError("too many categories to be written out")
    return [[x * share for x, share in zip(exacts(line), pi, strict=True)] for line in own["matrix"]]


def form(problem: Any) -> Form | str:
    """Return the least loss of many categories as that of a weighted trace, where it is equivalent to one."""
    return trace.form(problem)
