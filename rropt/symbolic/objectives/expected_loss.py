"""Expected loss in symbols: ``sum_ij pi_j L_ij p_ij``; a loss that is equivalent to a weighted trace has its form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

from rropt.core.errors import UnsupportedProblemError
from rropt.objectives.expected_loss import ZeroOneShares
from rropt.symbolic.objectives.goal import Goal, total
from rropt.symbolic.objectives.trace import form as form
from rropt.symbolic.symbols import exact

IS_OF_INFORMATION = False


def pose(objective: Any, P: sp.ImmutableMatrix, population: Sequence[sp.Expr]) -> Goal:
    """Return ``sum_ij pi_j L_ij p_ij``."""
    if isinstance(objective.matrix, ZeroOneShares):
        raise UnsupportedProblemError(f"too many categories to be written out: {len(objective.matrix)}")
    m, k = P.shape
    return Goal(total(exact(objective.matrix[i][j]) * population[j] * P[i, j] for i in range(m) for j in range(k)))
