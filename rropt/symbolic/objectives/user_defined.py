"""User-defined objectives in symbols, where their function accepts SymPy numbers.

A ``ConvexSum`` is posed by its ``of_row``, called once with symbols. A function of the information may define
``in_sympy(M)``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

from rropt.core.errors import UnsupportedProblemError
from rropt.symbolic.objectives.goal import Goal, total
from rropt.symbolic.objectives.information_matrix import information
from rropt.symbolic.posing import Form

IS_OF_INFORMATION = False


def pose(objective: Any, P: sp.ImmutableMatrix, population: Sequence[sp.Expr]) -> Goal:
    """Return the user's function of the rows, or of the information, in symbols.

    Raises:
        UnsupportedProblemError: the function does not accept symbols.
    """
    if not hasattr(objective, "of_row"):
        if not hasattr(objective, "in_sympy"):
            raise UnsupportedProblemError(f"the objective {objective.kind} has no function in_sympy(M)")
        return Goal(sp.sympify(objective.in_sympy(information(P.tolist(), population))))
    try:
        terms = [sp.sympify(objective.of_row(row, list(population))) for row in P.tolist()]
    except Exception as error:  # whatever a function of somebody else raises at symbols
        raise UnsupportedProblemError(
            f"of_row of the objective {objective.kind} does not accept SymPy numbers ({type(error).__name__})"
        ) from error
    return Goal(total(terms))


def form(problem: Any) -> Form | str:
    """Return why there is no form."""
    return f"no closed form of the objective {problem.objective.kind}"
