"""Linear design problems under several levels, a metric or bounds of entries: the optimal vertex with its prices.

Over QQ(gamma_0, delta_0, gamma_1, ...), or over QQ(gamma) if all levels are powers of one of them.
"""

from __future__ import annotations

from typing import Any

from rropt.symbolic.designs.parametric.every_level import costs_of
from rropt.symbolic.fields import Field
from rropt.symbolic.programs import EntryProgram, Line, Terms


def program(problem: Any) -> EntryProgram:
    """Return the linear program of a design problem, whose JSON is read.

    Raises:
        UnsupportedProblemError: the objective is not linear in the entries.
    """
    costs, sign = costs_of(problem)
    m, k = len(costs), len(costs[0])

    def pose(field: Field) -> tuple[Terms, list[Line]]:
        return {("p", i, j): field(sign * costs[i][j]) for i in range(m) for j in range(k)}, []

    return EntryProgram(problem.region.to_dict(), (m, k), sign, pose)
