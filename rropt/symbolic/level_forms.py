"""Quotients of lines in gamma, and the closed form of a linear objective at one level: its piece for every level."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from rropt.designs.parametric.every_level import solve_every_level
from rropt.designs.parametric.level_formulas import LevelFormula, is_at_most
from rropt.designs.parametric.quadratic_formulas import LogInformation, QuadraticQuotient
from rropt.designs.problem import Problem
from rropt.privacy import EveryLevelRegion
from rropt.symbolic.posing import Form
from rropt.symbolic.symbols import exact, gamma, gamma_of

MOST_AT_A_LEVEL = 8
"""Categories up to which the closed form of a linear objective at one level is sought: below 0.2 seconds."""


def value_of(formula: LevelFormula | QuadraticQuotient | LogInformation) -> sp.Expr:
    """Return a formula of a piece in the symbol ``gamma``."""
    if isinstance(formula, LogInformation):
        k = sp.Integer(formula.categories)
        return sp.log(k) + (k - 1) * sp.log(value_of(formula.information))
    if isinstance(formula, QuadraticQuotient):
        above, below = (
            sum((exact(x) * gamma**n for n, x in enumerate(part)), sp.Integer(0))
            for part in (formula.above, formula.below)
        )
        return sp.factor(above / below)
    return sp.factor((exact(formula.a) + exact(formula.b) * gamma) / (exact(formula.c) + gamma))


def place_of(place: tuple[Fraction, Fraction, int]) -> sp.Expr:
    """Return ``p + q sqrt(D)``."""
    p, q, root = place
    return exact(p) + exact(q) * sp.sqrt(root)


def form_at(problem: Problem, why: str) -> Form | str:
    """Return the piece of a linear problem that holds its level, as its closed form; ``why`` if there is none.

    Args:
        problem: the problem, at one level with delta = 0.
        why: why no theorem gives it.
    """
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
