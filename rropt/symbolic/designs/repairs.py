"""The nearest private mechanism in symbols: the definition, and the optimal vertex with its prices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from rropt.core.errors import UnsupportedProblemError
from rropt.symbolic.fields import Field
from rropt.symbolic.posing import Found, Posing
from rropt.symbolic.programs import WHY, EntryProgram, Line, Terms
from rropt.symbolic.regions import MOST_RELATIONS, definition
from rropt.symbolic.symbols import exact, matrix


def to_sympy(fixed: Any, form: Callable[[], Found] | str = WHY) -> Posing:
    """Return the problem: minimize the largest change (``max``) or the sum of changes (``l1``) over private P.

    Raises:
        UnsupportedProblemError: there are too many relations between entries.
    """
    m, k = fixed.mechanism.shape
    if m * k * (k - 1) > MOST_RELATIONS:
        raise UnsupportedProblemError("too many relations to write out")
    P = matrix(m, k)
    found = definition(fixed.region, P)
    changes = [sp.Abs(P[i, j] - exact(fixed.before.entries[i][j])) for i in range(m) for j in range(k)]
    # evaluate=False: to compare the changes pairwise takes SymPy minutes for 200 entries
    objective = sp.Max(*changes, evaluate=False) if fixed.norm == "max" else sp.Add(*changes)
    return Posing(P, objective, found.relations, "minimise", found.parameters, form=form)


def program(fixed: Any) -> EntryProgram:
    """Return the linear program over the entries of P and the changes t.

    The region of the repair, its norm and the given matrix are read.
    """
    given = fixed.before.entries
    m, k = len(given), len(given[0])

    def pose(field: Field) -> tuple[Terms, list[Line]]:
        objective: dict[Any, Any] = {}
        lines = []
        for i in range(m):
            for j in range(k):
                change = ("t",) if fixed.norm == "max" else ("t", i, j)
                objective[change], q = field.one, field(exact(given[i][j]))
                lines.append(Line(("up", i, j), {("p", i, j): field.one, change: -field.one}, q))
                lines.append(Line(("down", i, j), {("p", i, j): -field.one, change: -field.one}, -q))
        return objective, lines

    return EntryProgram(fixed.region.to_dict(), (m, k), 1, pose)
