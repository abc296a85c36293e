"""The worst case over a polytope of distributions in symbols: P with one estimator T for all distributions.

At a distribution pi the sum of variances is ``f = sum_i abs(T_i)^2 (p_i . pi) - abs(C pi)^2``, which is concave in
pi. So at any ``pi_0`` it is at most its tangent ``sum_i abs(T_i)^2 (p_i . pi) - 2 (C pi_0) . (C pi) + abs(C
pi_0)^2``, a linear function, whose largest value over the polytope is at a vertex. The objective is this bound.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from rropt.core.errors import UnsupportedProblemError
from rropt.core.results.twins import Twin
from rropt.symbolic.polytopes import vertices_of
from rropt.symbolic.posing import Posing
from rropt.symbolic.regions import MOST_RELATIONS, definition
from rropt.symbolic.symbols import exact, matrix, number_text

_WHY = "the worst case over a polytope has no closed form; give one distribution"


def to_sympy(problem: Any, outputs: int | None = None) -> Posing:
    """Return the problem over the entries of P, of the estimator T and of the distribution ``pi_0``.

    Args:
        problem: the problem.
        outputs: the number of outputs; by default the number of categories.

    Raises:
        UnsupportedProblemError: there are too many relations between entries.
    """
    assert problem.populations is not None
    k = problem.region.inputs
    m = outputs or k
    if m * k * (k - 1) > MOST_RELATIONS:
        raise UnsupportedProblemError("too many relations to write out")
    targets = [[exact(x) for x in row] for row in problem.objective.targets(k)]
    P, T = matrix(m, k), sp.ImmutableMatrix(len(targets), m, lambda i, o: sp.Symbol(f"t_{i}_{o}", real=True))
    point = tuple(sp.Symbol(f"pi_{j}", nonnegative=True) for j in range(k))
    C = sp.ImmutableMatrix(targets)
    found = definition(problem.region, P)
    unbiased = [sp.Eq(x, y, evaluate=False) for x, y in zip(T * P, C, strict=True)]
    limits = [*found.relations, *unbiased, sp.Eq(sum(point), 1, evaluate=False)]
    means = C * sp.Matrix(point)
    squares = [sum(t**2 for t in T[:, i]) for i in range(m)]

    def tangent(vertex: Any) -> Any:
        pi = sp.Matrix([exact(x) for x in vertex])
        spread = sum(squares[i] * (P[i, :] * pi)[0] for i in range(m))
        return spread - 2 * (means.T * C * pi)[0] + (means.T * means)[0]

    vertices = vertices_of(problem.to_dict()["population"], k)
    objective = sp.Max(*map(tangent, vertices), evaluate=False)
    return Posing((*P, *T, *point), objective, limits, "minimise", found.parameters, form=_WHY)


def solution_twin(solution: Any) -> Twin:
    """Return the bound at the design, its estimator and its distribution, compared with the proved bounds."""
    found, problem = solution.found, solution.problem
    posing = to_sympy(problem, found.mechanism.outputs)
    rows = (*found.mechanism.matrix, *found.estimator, found.population)
    numbers = [exact(x) for row in rows for x in row]
    checked = posing.check(dict(zip(posing.variables, numbers, strict=True)))
    agrees = checked.agrees(solution.lower, solution.upper)
    return Twin("SymPy", True, number_text(checked.value), agrees)
