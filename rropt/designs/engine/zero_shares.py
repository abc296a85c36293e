"""Extend designs to categories of proportion 0, under one level with delta > 0.

Let category j have proportion 0. Give j an output of its own with probability eta. This output reveals j, which uses
eta of the budget delta. It never occurs under pi, so an estimator can use it without adding variance. As eta can be
arbitrarily small, the optimum equals the optimum for the categories of positive proportion:

* The dual is extended by alpha_j = 0, no slope for j, and a zero row of W. Its inequality then depends only on the
  other categories.
* The column of j is ``(1 - eta)`` times the column of another category, plus eta at the new output. Before
  this step, the mechanism is mixed with a constant row, so that its excess is less than delta by at least eta. The
  estimator is corrected at the new output.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from rropt.core.exact.numbers import dot
from rropt.designs.certificates.design_bracket import RayDual
from rropt.designs.drawing import drawable
from rropt.designs.problem import Problem
from rropt.mechanisms import Mechanism
from rropt.objectives.ray_form import RayForm
from rropt.privacy import PrivacyRegion
from rropt.privacy.region import RationalLevels

_ROOM, _MOST_ROOM = Fraction(1, 10**13), Fraction(1, 10**10)  # probability of the constant row, the objective's loss
_LEAST_REVEALED = Fraction(1, 2**56)  # eta, so that it remains in the short numbers of a client


def without_zero_shares(problem: Problem) -> Problem | None:
    """Return the problem for the categories of positive proportion, or None if the reduction does not apply.

    The reduction requires a region with one level and delta > 0, a category of proportion 0, and an objective that does
    not depend on such categories.
    """
    region = problem.region
    kept = [j for j, share in enumerate(problem.population) if share]
    if region.form != "excess" or not 2 <= len(kept) < region.inputs:
        return None
    objective = problem.objective.restricted(kept)
    if objective is None:
        return None
    one = region.one_level()
    smaller = PrivacyRegion(one.epsilon, one.delta, inputs=len(kept), outputs="any")
    return Problem(smaller, objective, [problem.population[j] for j in kept])


def extended_dual(dual: RayDual, population: Sequence[Fraction]) -> RayDual:
    """Extend a dual for the categories of positive proportion to all categories."""
    kept = [j for j, share in enumerate(population) if share]
    alpha = [Fraction(0)] * len(population)
    for j, a in zip(kept, dual.alpha, strict=True):
        alpha[j] = a
    slopes = tuple(slope._replace(pair=(kept[slope.pair[0]], kept[slope.pair[1]])) for slope in dual.slopes)
    matrix: Any = dual.matrix
    if matrix is not None:
        if len(matrix[0]) == len(kept):  # one column per proportion
            columns = [dict(zip(kept, row, strict=True)) for row in matrix]
            matrix = [[own.get(j, Fraction(0)) for j in range(len(population))] for own in columns]
        width = len(matrix[0])
        rows = dict(zip(kept, matrix, strict=True))
        matrix = tuple(tuple(rows.get(j, (Fraction(0),) * width)) for j in range(len(population)))
    return RayDual(tuple(alpha), slopes, matrix)


def extended_mechanism(
    mechanism: Mechanism,
    form: RayForm,
    population: Sequence[Fraction],
    levels: RationalLevels,
    is_private: Callable[[Mechanism], bool],
    contrasts: Any,
) -> tuple[Mechanism, Fraction, dict[str, Any]] | None:
    """Return a mechanism for all categories, its proved value and its witness, or None if it is not private.

    Args:
        mechanism: the mechanism for the categories of positive proportion.
        form: the objective for these categories.
        population: the distribution of all categories.
        levels: the levels of the region.
        is_private: the exact test of privacy for all categories.
        contrasts: the contrasts of a sum of variances, for all categories; None if every proportion is estimated.
    """
    level = levels.below
    kept = [j for j, share in enumerate(population) if share]
    missing = [j for j, share in enumerate(population) if not share]
    room = min(_MOST_ROOM, max(_ROOM, _LEAST_REVEALED * 4 * level.gamma / level.delta))
    mixed = [[(1 - room) * x for x in row] for row in mechanism.matrix]
    largest = max(range(len(mixed)), key=lambda i: max(mixed[i]))
    mixed[largest] = [x + room for x in mixed[largest]]
    eta = room * level.delta / (4 * level.gamma)
    place = {j: i for i, j in enumerate(kept)}
    rows = [[row[place[j]] if j in place else (1 - eta) * row[0] for j in range(len(population))] for row in mixed]
    rows += [[eta if j == own else Fraction(0) for j in range(len(population))] for own in missing]
    short = drawable(rows, is_private)
    made = short if short is not None and short.outputs == len(rows) else Mechanism(rows)
    inner = [[row[j] for j in kept] for row in made.matrix[: -len(missing)]]
    proved = form.proved(Mechanism(inner)) if is_private(made) else None
    if proved is None:
        return None
    value, primal = proved
    found = [_extended(rows, kept, missing, made, contrasts) for rows in primal.get("estimators", ())]
    return made, value, {"estimators": found} if found else {}


def _extended(part: Any, kept: list[int], missing: list[int], made: Mechanism, contrasts: Any) -> Any:
    """Extend an estimator to all categories."""
    zero, k = Fraction(0), len(kept) + len(missing)
    rows = dict(zip(kept, part, strict=True)) if contrasts is None else dict(enumerate(part))
    found = []
    for i, c in enumerate(_identity(k) if contrasts is None else contrasts):
        own = list(rows.get(i, [zero] * len(part[0])))  # unbiased for the categories of positive proportion
        columns = {j: made.column(j) for j in missing}
        told = {j: dot(own, columns[j][: len(own)]) for j in missing}
        found.append([*own, *((c[j] - told[j]) / columns[j][len(own) + n] for n, j in enumerate(missing))])
    return found


def _identity(k: int) -> list[list[Fraction]]:
    return [[Fraction(int(i == j)) for j in range(k)] for i in range(k)]
