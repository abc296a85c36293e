"""Linear design problems under several levels, a metric or bounds of entries: the optimal vertex with its prices.

Over QQ(gamma_0, delta_0, gamma_1, ...), or over QQ(gamma) if all levels are powers of one of them.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from rropt.symbolic.designs.parametric.every_level import costs_of
from rropt.symbolic.fields import Field
from rropt.symbolic.posing import Form
from rropt.symbolic.programs import Label, Vertex, form_of, levels_of, private, proved


def vertex(problem: Any, tight: Collection[Label]) -> Vertex:
    """Return the optimal vertex in symbols.

    Args:
        problem: the design problem; its JSON is read.
        tight: the labels of the tight conditions.

    Raises:
        ProofRefusedError: they belong to no optimal vertex.
    """
    costs, sign = costs_of(problem)
    m, k = len(costs), len(costs[0])
    region = problem.region.to_dict()
    levels = levels_of(region, k)
    field = Field({symbol: value for level in levels for symbol, value in level.values.items()})
    objective = {("p", i, j): field(sign * costs[i][j]) for i in range(m) for j in range(k)}
    return proved(field, objective, private(field, m, k, levels, region), tight)


def form(found: Vertex, problem: Any) -> Form:
    """Return the optimum as a form, with the optimal mechanism."""
    costs, sign = costs_of(problem)
    names = [[("p", i, j) for j in range(len(costs[0]))] for i in range(len(costs))]
    return form_of(found, sign, names)
