"""The certificate of a design over rays, or over the cells of rows under bounds of divergences."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.checker.design_bracket import OBJECTIVES
from rropt.core.certificates import Certificate
from rropt.core.exact import Bracket
from rropt.designs.certificates.design_bracket import efficient_estimator, state_bracket, stated_problem
from rropt.designs.problem import Problem
from rropt.designs.solution import ProvedDesign
from rropt.objectives.ray_form import RayForm
from rropt.privacy.region import RationalLevels

DIVERGENCE_DIGITS = 25  # precision of the interval arithmetic in a certificate of the way of cells


def form_of(problem: Problem, levels: RationalLevels) -> RayForm:
    """Return the objective as a function of the rows of a region."""
    odds = [Fraction(2)] if problem.region.has_divergences else [part.above.gamma for part in levels.listed]
    return problem.objective.on_rays(problem.population, max(odds))


def is_known(problem: Problem) -> bool:
    """Return whether the checker supports the objective; other objectives get no certificate."""
    return {*OBJECTIVES, "bayes"}.issuperset(problem.objective.kinds)


def certify_design(problem: Problem, levels: RationalLevels, best: ProvedDesign) -> Certificate:
    """Return the certificate that the mechanism is private and that ``lower <= optimum <= upper``.

    Args:
        problem: a problem whose objective the statement has.
        levels: rational levels around the problem's level. The mechanism is private at the level below, and the dual is
            feasible at the level above.
        best: the mechanism, whose value proves one bound; a ``RayDual``, which proves the other bound; and the other
            keys of the proof, without ``estimators`` if these are efficient (design_bracket.md, *Proof*).
    """
    dual, document = best.dual, problem.certified_dict()
    kind = stated_problem(document)["objective"]["kind"]
    has_cells = problem.region.has_divergences
    digits = [DIVERGENCE_DIGITS] * has_cells
    if problem.objective.is_on_rays:
        form = form_of(problem, levels)
        dual, digits = dual.raised(Fraction(1), form.linear), [*digits, form.digits or 0]
    if not is_known(problem):  # the checker refuses the objective, and the statement has no form for its matrix
        dual = dual._replace(matrix=None)
    terms: dict[str, Any] = {"slopes": [[str(x.level), *map(str, x.pair), x.value] for x in dual.slopes]}
    if has_cells:
        terms = {"curves": [{"order": x.order, "multipliers": x.multipliers} for x in dual.curves]}
    proof = {"alpha": dual.alpha, **terms, **dual.vectors(kind), **best.primal}
    if dual.matrix is not None and "estimators" not in proof:
        proof["estimators"] = [efficient_estimator(problem, best.mechanism)]
    if any(digits):
        proof["digits"] = max(digits)
    way = "cells" if has_cells else "rays"
    return state_bracket(document, levels, Bracket(best.lower, best.upper), best.mechanism, way, proof)
