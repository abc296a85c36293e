"""Designs for every level in symbols: the optimum as a ``Piecewise`` in gamma, and the design put into its definition.

``sympy_twin`` puts the mechanism of each piece into the definition as a rational function of gamma: columns that sum to
1, ratios of at most gamma, and the value. At a breakpoint the formulas of both pieces are equal.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from rropt.core.errors import RouteDisagreementError
from rropt.core.results.twins import EQUAL, Twin
from rropt.designs.parametric.closed_levels import ClosedLevels, ClosedPiece
from rropt.designs.parametric.every_level import EveryLevel, LevelPiece
from rropt.designs.problem import Problem
from rropt.symbolic.level_forms import place_of, value_of
from rropt.symbolic.symbols import exact, gamma

_LONGEST = 300


def to_sympy(result: EveryLevel | ClosedLevels) -> sp.Expr:
    """Return the optimum as a ``Piecewise`` in ``gamma``; a plain expression if there is one formula.

    >>> from rropt.designs import kary_problem, solve
    >>> print(to_sympy(solve(kary_problem("all", categories=3, objective="trace"), fast=True)))
    3*gamma/(gamma + 2)
    """
    pieces: tuple[LevelPiece | ClosedPiece, ...] = result.pieces
    return sp.Piecewise(*[(value_of(_formula(piece)), _until(piece)) for piece in pieces])


def _formula(piece: LevelPiece | ClosedPiece) -> Any:
    return piece.value if isinstance(piece, LevelPiece) else piece.formula


def to_latex(result: EveryLevel | ClosedLevels) -> str:
    """Return the ``Piecewise`` as a displayed formula of LaTeX, for the package amsmath if it has several pieces."""
    return f"\\[\n{sp.latex(to_sympy(result))}\n\\]"


def _until(piece: LevelPiece | ClosedPiece) -> Any:
    return sp.true if piece.place is None else sp.Le(gamma, place_of(piece.place))


def sympy_twin(result: EveryLevel) -> Twin:
    """Return the twin: each design in its definition, and equal formulas at each breakpoint.

    Raises:
        RouteDisagreementError: a design is not private at every level, or has another value.
    """
    problem = result.problem
    costs = problem.objective.labelled_costs(problem.population)
    sign = 1 if problem.objective.sense == "minimise" else -1
    for piece in result.pieces:
        _require_definition(piece, costs, sign, problem)
    for one, two in zip(result.pieces, result.pieces[1:], strict=False):
        assert one.place is not None
        at = place_of(one.place)
        if sp.simplify(value_of(one.value).subs(gamma, at) - value_of(two.value).subs(gamma, at)) != 0:
            raise RouteDisagreementError(f"SymPy: two formulas of {problem} differ at gamma = {at}")
    form = str(to_sympy(result))
    return Twin(
        "SymPy",
        True,
        f"{len(result.pieces)} formula{'s' * (len(result.pieces) > 1)}",
        EQUAL,
        form=form if len(form) <= _LONGEST else None,
    )


def _require_definition(piece: LevelPiece, costs: Any, sign: int, problem: Problem) -> None:
    """Raise unless the entries of a piece are a mechanism, private for gamma >= 1, with its value."""
    over = exact(piece.value.c) + gamma  # the denominator of all entries
    above = [[sp.expand(exact(x.a) + exact(x.b) * gamma) for x in row] for row in piece.mechanism]
    fits = all(sp.expand(sum(column) - over) == 0 for column in zip(*above, strict=True))
    value = sum(exact(c) * x for row, line in zip(costs, above, strict=True) for c, x in zip(row, line, strict=True))
    fits &= sp.expand(sign * value - exact(piece.value.a) - exact(piece.value.b) * gamma) == 0
    for row in piece.mechanism:
        for x in set(row):
            fits &= x.a >= 0 and x.b >= 0
            # gamma (a' + b' gamma) - (a + b gamma) has nonnegative coefficients in gamma - 1
            fits &= all(y.a + y.b >= x.a + x.b and y.a + 2 * y.b >= x.b and y.b >= 0 for y in set(row))
    if not fits:
        raise RouteDisagreementError(f"SymPy: the design of {problem} for {piece.where} is not of its definition")
