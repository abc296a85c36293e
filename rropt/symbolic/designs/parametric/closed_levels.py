"""Closed forms of every level in symbols: binary designs, weighted traces with delta, and equal proportions.

Each form is derived at a level inside a piece, with the interval of gamma on which it is the optimum (``LevelForm``).

*Binary designs*: the best vertex of the region, and n Var at the others (``estimator_variance``).

*Weighted traces and 0/1 losses*: the vertex of the linear program over the entries, from CVXPY's tight conditions.

*A-, D- and E-optimality at equal proportions.* Let M be the information of a design and T its trace without the
eigenvalue k of the vector 1. By the inequalities of the means, the sum of the inverse eigenvalues is at least
``(k-1)^2/T``, the product at most ``(T/(k-1))^(k-1)``, and the least at most ``T/(k-1)``; a design that is symmetric
under permutations attains all three. With rows r, ``s = sum r`` and ``E = sum_jl (r_j - gamma r_l)+``,

    T = sum phi(r),   phi = k |r|^2/s - s,   sum s = k,   sum E <= k (k-1) delta.

If ``phi(r) <= y s + z E`` on the edges of the cells, then ``T <= k y + k (k-1) delta z``. Subsets of d categories give
y, and rows that reveal the category give z. Edges have the entries 0 and ``gamma^n`` for consecutive n.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations
from typing import Any, NamedTuple

import sympy as sp

from rropt.core.errors import UnsupportedProblemError
from rropt.core.results import twin_work
from rropt.symbolic.designs.parametric.every_level import costs_of
from rropt.symbolic.fields import Field, ProofRefusedError, ends
from rropt.symbolic.objectives.estimator_variance import condition_of, vertices_of_two
from rropt.symbolic.programs import Label, Level, Vertex, number_of, private, proved
from rropt.symbolic.symbols import delta, gamma, pi, sign_of

MOST_ENTRIES_CATEGORIES, MOST_EDGES_CATEGORIES = 4, 9


class LevelForm(NamedTuple):
    """The optimum around a level.

    Attributes:
        value: the optimum in gamma.
        low, high: the ends of an interval of gamma on which it is the optimum.
        how: what was derived, in words.
        tested: the number of conditions.
        kind: the kind of proof.
        vertex: of a linear program the vertex, with its prices.
    """

    value: sp.Expr
    low: sp.Expr
    high: sp.Expr
    how: str
    tested: int
    kind: str
    vertex: Vertex | None = None


def needs_vertex(problem: Any) -> bool:
    """Return whether the form is derived from the tight conditions of a linear program."""
    try:
        costs_of(problem)
    except UnsupportedProblemError:
        return False
    return True


def level_form(problem: Any, level: sp.Expr, tight: Collection[Label] = ()) -> LevelForm:
    """Return the optimum of a problem around a level.

    Args:
        problem: the problem at every level; its JSON is read.
        level: gamma, a rational number.
        tight: of a linear program the labels of its tight conditions.

    Raises:
        ProofRefusedError: the conditions belong to no optimal vertex.
        UnsupportedProblemError: there are too many categories.
    """
    record = problem.to_dict()
    kind, slack = record["objective"]["kind"], number_of(record["region"]["delta"])
    if kind == "variance":
        return _binary(level, slack, number_of(record["population"][1]))
    if needs_vertex(problem):
        return _linear(problem, level, slack, tight)
    return _equal_proportions(kind, int(record["region"]["inputs"]), level, slack)


def _binary(level: sp.Expr, slack: sp.Expr, prevalence: sp.Expr) -> LevelForm:
    numbers = {delta: slack, pi: prevalence}
    possible = [
        each for each in vertices_of_two() if sign_of(sum(each.point).xreplace({**numbers, gamma: level}) - 1) > 0
    ]
    values = [each.variance.xreplace({**numbers, gamma: level}) for each in possible]
    best = possible[values.index(min(values))]
    field = Field({gamma: level})
    conditions = [field(condition_of(best, each).xreplace(numbers)) for each in possible if each is not best]
    low, high = ends(field, [each for each in conditions if each])
    return LevelForm(
        sp.factor(best.variance.xreplace(numbers)),
        low,
        high,
        f"the vertex {best.name if slack != 0 else best.name.replace(' + delta', '')}",
        len(conditions),
        "vertex of the region",
    )


def _linear(problem: Any, level: sp.Expr, slack: sp.Expr, tight: Collection[Label]) -> LevelForm:
    costs, sign = costs_of(problem)
    m, k = len(costs), len(costs[0])
    if k > MOST_ENTRIES_CATEGORIES:
        raise UnsupportedProblemError("too many categories for a vertex in symbols")
    field = Field({gamma: level})
    pairs = [(j, other) for j in range(k) for other in range(k) if j != other]
    own = Level(gamma, None if slack == 0 else slack, {}, pairs)
    lines = private(field, m, k, [own], {"kind": "differential-privacy"})
    objective = {("p", i, j): field(sign * costs[i][j]) for i in range(m) for j in range(k)}
    found = proved(field, objective, lines, tight)
    conditions = [each for each in found.conditions.values() if each]
    low, high = ends(field, conditions)
    value = field.expression(field.one * sign * found.value)
    return LevelForm(value, low, high, "the vertex of the linear program", len(conditions), "linear program", found)


def _equal_proportions(kind: str, k: int, level: sp.Expr, slack: sp.Expr) -> LevelForm:
    if k > MOST_EDGES_CATEGORIES and slack != 0:
        raise UnsupportedProblemError("too many categories to list the edges")
    field = Field({gamma: level})
    g = field(gamma)
    rows = [(0,) * (k - d) + (1,) * d for d in range(1, k)]
    y = max((_phi(field, g, row, k) / _sum(field, g, row) for row in rows), key=lambda each: field.fraction(each) or 0)
    z = (field.one * (k - 1) - y) / (k - 1)
    edges = rows if slack == 0 else list(_edges(k))
    twin_work.require("edges", len(edges))
    conditions = []
    for row in edges:
        rest = y * _sum(field, g, row) + z * _excess(field, g, row) - _phi(field, g, row, k)
        if rest:
            conditions.append(rest)
    if any(field.sign(condition) < 0 for condition in conditions):
        raise ProofRefusedError("SymPy: no subset of the categories is optimal at the level")
    low, high = ends(field, conditions)
    mean = field.expression(y * k / (k - 1)) * (1 - slack) + k * slack
    values = {
        "a-optimal": (k - 1) / mean,
        "e-optimal": 1 / mean,
        "d-optimal": sp.log(k) + (k - 1) * sp.log(sp.factor(mean)),
    }
    if kind not in values:
        raise UnsupportedProblemError(f"no symmetric bound is written for the objective {kind}")
    value = values[kind] if kind == "d-optimal" else sp.factor(values[kind])
    return LevelForm(value, low, high, "subsets of the categories", len(conditions), "trace")


def _edges(k: int) -> Iterator[tuple[int | None, ...]]:
    """Yield the edges up to permutations: zeros (None), and positive entries with consecutive exponents."""
    for positive in range(1, k + 1):
        for number in range(positive):
            for cuts in combinations(range(1, positive), number):
                steps = [sum(place >= cut for cut in cuts) for place in range(positive)]
                yield (None,) * (k - positive) + tuple(steps)


def _entry(field: Field, g: Any, exponent: int | None) -> Any:
    return field.zero if exponent is None else g**exponent


def _sum(field: Field, g: Any, row: Any) -> Any:
    return sum((_entry(field, g, each) for each in row), field.zero)


def _phi(field: Field, g: Any, row: Any, k: int) -> Any:
    squares = sum((_entry(field, g, each) ** 2 for each in row), field.zero)
    return squares * k / _sum(field, g, row) - _sum(field, g, row)


def _excess(field: Field, g: Any, row: Any) -> Any:
    total = field.zero
    for one in row:
        for other in row:
            if one is not None and (other is None or one > other + 1):
                total += _entry(field, g, one) - g * _entry(field, g, other)
    return total
