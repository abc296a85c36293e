"""Designs for every level in symbols: the optimum as a ``Piecewise`` in gamma, and the design put into its definition.

``sympy_twin`` puts the mechanism of each piece into the definition as a rational function of gamma: columns that sum to
1, ratios of at most gamma, and the value. At a breakpoint the formulas of both pieces are equal.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import sympy as sp

from rropt.core.errors import RouteDisagreementError
from rropt.core.results.twins import EQUAL, Twin
from rropt.designs.parametric.every_level import EveryLevel, LevelPiece, solve_every_level
from rropt.designs.parametric.level_formulas import LevelFormula, is_at_most
from rropt.designs.problem import Problem
from rropt.symbolic.symbols import exact, gamma, gamma_of

if TYPE_CHECKING:
    from rropt.symbolic.posing import Form

MOST_AT_A_LEVEL = 8
"""Categories up to which the closed form of a linear objective at one level is sought: below 0.2 seconds."""

_LONGEST = 300


def to_sympy(result: EveryLevel) -> sp.Expr:
    """Return the optimum as a ``Piecewise`` in ``gamma``; a plain expression if there is one formula.

    >>> from rropt.designs import kary_problem, solve
    >>> print(to_sympy(solve(kary_problem("all", categories=3, objective="trace"), fast=True)))
    3*gamma/(gamma + 2)
    """
    return sp.Piecewise(*[(value_of(piece.value), _until(piece)) for piece in result.pieces])


def to_latex(result: EveryLevel) -> str:
    """Return the ``Piecewise`` as a formula of LaTeX."""
    return str(sp.latex(to_sympy(result)))


def value_of(formula: LevelFormula) -> sp.Expr:
    """Return ``(a + b gamma)/(c + gamma)``."""
    return sp.factor((exact(formula.a) + exact(formula.b) * gamma) / (exact(formula.c) + gamma))


def place_of(place: tuple[Fraction, Fraction, int]) -> sp.Expr:
    """Return ``p + q sqrt(D)``."""
    p, q, root = place
    return exact(p) + exact(q) * sp.sqrt(root)


def _until(piece: LevelPiece) -> Any:
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


def form_at(problem: Problem, why: str) -> Form | str:
    """Return the piece of a linear problem that holds its level, as its closed form; ``why`` if there is none.

    Args:
        problem: the problem, at one level with delta = 0.
        why: why no theorem gives it.
    """
    from rropt.privacy import EveryLevelRegion
    from rropt.symbolic.posing import Form

    region = problem.region
    if not region.has_one_level or region.form != "parity" or region.criterion is not None:
        return why
    if problem.is_uniform or problem.populations is not None or region.inputs > MOST_AT_A_LEVEL:
        return why
    costs = problem.objective.labelled_costs(problem.population)
    if costs is None or len(costs) > 2 * MOST_AT_A_LEVEL:
        return why
    level = region.one_level().epsilon
    every = EveryLevelRegion("all", inputs=region.inputs, outputs=region.outputs or "any")
    found = solve_every_level(Problem(every, problem.objective, problem.population))
    piece = next(piece for piece in found.pieces if is_at_most(level, piece.place))
    number = found.pieces.index(piece)
    low = sp.Integer(1) if not number else place_of(found.pieces[number - 1].place)  # type: ignore[arg-type]
    conditions = [sp.Ge(gamma, low), *([] if piece.place is None else [sp.Le(gamma, place_of(piece.place))])]
    return Form(
        value_of(piece.value),
        f"the optimum for every level has {len(found.pieces)} formulas; the certificate every-level proves them",
        sp.And(*conditions),
        sp.ImmutableMatrix([[value_of(entry) for entry in row] for row in piece.mechanism]),
        {gamma: gamma_of(level)},
    )
