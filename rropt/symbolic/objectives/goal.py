"""What an objective is in symbols: an expression, with further unknowns if its definition needs them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import sympy as sp

Values = Mapping[sp.Symbol, sp.Expr]


class Goal(NamedTuple):
    """An objective as an expression in the entries of P.

    Attributes:
        value: the expression.
        relations: the equations of its further unknowns.
        completed: the values of the further unknowns at values of P and of the parameters.
    """

    value: sp.Expr
    relations: tuple[Any, ...] = ()
    completed: Callable[[Values], Values] | None = None


def total(terms: Any) -> sp.Expr:
    """Return the sum of expressions."""
    return sp.Add(*terms)


def dot(row: Sequence[Any], numbers: Sequence[Any]) -> sp.Expr:
    """Return ``sum_j row_j numbers_j``."""
    return total(x * y for x, y in zip(row, numbers, strict=True))


def x_log_x(x: sp.Expr, y: sp.Expr | None = None) -> sp.Expr:
    """Return ``x ln y`` (``x ln x`` without y), which is 0 at x = 0."""
    inside = x if y is None else y
    if x.is_number or inside.is_number:
        return sp.Piecewise((x * sp.log(inside), sp.Ne(x, 0)), (0, True))
    # SymPy takes milliseconds to find out that it cannot evaluate these
    log = sp.log(inside, evaluate=False)
    return sp.Piecewise((x * log, sp.Ne(x, 0, evaluate=False)), (sp.S.Zero, sp.true), evaluate=False)
