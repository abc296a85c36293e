"""The nearest private mechanism in symbols: the definition, and the optimal vertex with its prices."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import sympy as sp

from rropt.core.errors import UnsupportedProblemError
from rropt.symbolic.fields import Field
from rropt.symbolic.posing import Form, Found, Posing
from rropt.symbolic.programs import WHY, Label, Line, Vertex, form_of, levels_of, private, proved
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


def form(found: Vertex, fixed: Any) -> Form:
    """Return the least distance as a form, with the nearest mechanism."""
    m, k = fixed.mechanism.shape
    return form_of(found, 1, [[("p", i, j) for j in range(k)] for i in range(m)])


def vertex(fixed: Any, tight: Collection[Label]) -> Vertex:
    """Return the optimal vertex in symbols, over the entries of P and the changes t.

    Args:
        fixed: the repair; its region, its norm and the given matrix are read.
        tight: the labels of the tight conditions.

    Raises:
        ProofRefusedError: they belong to no optimal vertex.
    """
    given, region = fixed.before.entries, fixed.region.to_dict()
    m, k = len(given), len(given[0])
    levels = levels_of(region, k)
    field = Field({symbol: value for level in levels for symbol, value in level.values.items()})
    lines, objective = private(field, m, k, levels, region), {}
    for i in range(m):
        for j in range(k):
            change = ("t",) if fixed.norm == "max" else ("t", i, j)
            objective[change], q = field.one, field(exact(given[i][j]))
            lines.append(Line(("up", i, j), {("p", i, j): field.one, change: -field.one}, q))
            lines.append(Line(("down", i, j), {("p", i, j): -field.one, change: -field.one}, -q))
    return proved(field, objective, lines, tight)
