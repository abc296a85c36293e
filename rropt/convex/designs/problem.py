"""Design problems in CVXPY: which file poses a problem, and the comparison of its value with the proved bracket."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.core.errors import UnsupportedProblemError
from rropt.core.results.twins import Twin


def program_of(asked: Any) -> Any:
    """Return a design problem, or that of a solution, as a ``cvxpy.Problem``.

    Raises:
        UnsupportedProblemError: no convex program has this optimum; the message says why.
    """
    raise UnsupportedProblemError("no posing is written")


def compared(problem: Any, lower: Fraction, upper: Fraction) -> Twin:
    """Return the twin of a problem whose optimum is proved to lie between two bounds."""
    raise UnsupportedProblemError("no posing is written")


def solution_twin(solution: Any) -> Twin:
    """Return the twin of a solution."""
    return compared(solution.problem, solution.lower, solution.upper)
