"""The objective of a program over the weights of rows: an expression of size about 1, with its unit.

The value is ``unit * expression + shift``. In a kept program, unit and shift are functions of the Parameters; as CVXPY
allows no product of two expressions with Parameters, a variable ``value`` then stands for the expression.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from rropt.convex.regions import Array, Rows
from rropt.core.errors import UnsupportedProblemError

_CANCELLED = 1e-9  # terms of a sum, relative to their parts, below which fewer than six digits are left


class Goal(NamedTuple):
    """The objective of a program.

    Attributes:
        expression: a CVXPY expression of size about 1.
        unit: a positive number or Parameter.
        shift: a number or Parameter.
        conditions: further conditions, of the variables that the objective adds.
        phi: of a sum over the outputs, the function of all rows that is added up; else None.
    """

    expression: Any
    unit: Any = 1.0
    shift: Any = 0.0
    conditions: tuple[Any, ...] = ()
    phi: Callable[[Array], Array] | None = None


def number(x: Any) -> float:
    """Return a number, or the value of a Parameter."""
    return float(getattr(x, "value", x))


def sum_of(rows: Rows, phi: Callable[[Array], Array], parts: Callable[[Array], Array] | None = None) -> Goal:
    """Return the sum of a function over the rows of the mechanism.

    Args:
        rows: the rows.
        phi: the function of all rows, shape (n, k), homogeneous of degree 1.
        parts: the size of the terms that ``phi`` adds up; None if nothing cancels.

    Raises:
        UnsupportedProblemError: the function is infinite, or its terms cancel in floats.
    """

    def values(listed: Array) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):
            found = np.asarray(phi(listed), dtype=float)
        if not np.isfinite(found).all():
            raise UnsupportedProblemError("a row has probability 0 under one of the distributions")
        if parts is not None and abs(found).max() < _CANCELLED * parts(listed).max():
            raise UnsupportedProblemError("the terms of the sum cancel in floating-point numbers")
        return found

    def size(listed: Array) -> float:
        return float(abs(values(listed)).max()) or 1.0

    unit = rows.of(size, name="unit", pos=True)
    return Goal(
        rows.of(lambda listed: values(listed) / size(listed), len(rows), name="phi") @ rows.weights, unit, phi=values
    )
