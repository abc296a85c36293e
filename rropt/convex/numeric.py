"""What CVXPY finds for a design problem, in floats: the value, its error, and the design."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rropt.convex.designs.problem import design_of
from rropt.convex.regions import Array
from rropt.core.errors import UnsupportedProblemError


class Numeric(NamedTuple):
    """A solved program.

    Attributes:
        value: the optimal value.
        error: an estimate of its absolute error.
        design: the mechanism, rows are outputs.
    """

    value: float
    error: float
    design: Array


def numeric_of(problem: Any) -> Numeric:
    """Return what CVXPY finds for a problem.

    Raises:
        UnsupportedProblemError: no convex program has this optimum, or the solver did not reach its accuracy.
    """
    found, design = design_of(problem)
    if not np.isfinite(design).all():
        raise UnsupportedProblemError("CVXPY found no design")
    return Numeric(found.value, found.error, design)
