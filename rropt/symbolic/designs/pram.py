"""Invariant post-randomization in symbols: the definition, and the optimal vertex with its prices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from rropt.core.errors import UnsupportedProblemError
from rropt.symbolic.fields import Field
from rropt.symbolic.posing import Found, Posing
from rropt.symbolic.programs import WHY, EntryProgram, Line, Terms
from rropt.symbolic.regions import MOST_RELATIONS, definition
from rropt.symbolic.symbols import exacts, matrix


def to_sympy(design: Any, form: Callable[[], Found] | str = WHY) -> Posing:
    """Return the problem: maximize ``sum_j pi_j p_jj`` over private P with ``P pi = pi``.

    Raises:
        UnsupportedProblemError: there are too many relations between entries.
    """
    pi, k = exacts(design.population), len(design.population)
    if k * k * (k - 1) > MOST_RELATIONS:
        raise UnsupportedProblemError("too many relations to write out")
    P = matrix(k, k)
    found = definition(design.problem.region, P)
    kept = [sp.Eq(sum(P[i, j] * pi[j] for j in range(k)), pi[i], evaluate=False) for i in range(k)]
    objective = sum(pi[j] * P[j, j] for j in range(k))
    return Posing(P, objective, [*found.relations, *kept], "maximise", found.parameters, form=form)


def program(design: Any) -> EntryProgram:
    """Return the linear program: minus the largest probability of an unchanged record is minimized.

    The problem of the design and its population are read.
    """
    k = len(design.population)

    def pose(field: Field) -> tuple[Terms, list[Line]]:
        pi = [field(x) for x in exacts(design.population)]
        lines = []
        for i in range(k - 1):  # the last one is the sum of the columns, minus the others
            terms = {("p", i, j): pi[j] for j in range(k)}
            lines.append(Line(("kept", i), terms, pi[i], is_equation=True))
        return {("p", j, j): -pi[j] for j in range(k)}, lines

    return EntryProgram(design.problem.region.to_dict(), (k, k), -1, pose)
