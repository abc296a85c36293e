"""The nearest private mechanism in symbols: the definition, and the repaired matrix put into it."""

from __future__ import annotations

import sympy as sp

from rropt.core.errors import UnsupportedProblemError
from rropt.core.results.twins import Twin
from rropt.designs.repairs import Repair
from rropt.symbolic.posing import Posing
from rropt.symbolic.regions import MOST_RELATIONS, definition
from rropt.symbolic.symbols import exact, matrix, number_text


def to_sympy(fixed: Repair) -> Posing:
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
    why = "the vertices of this linear program are no formula"
    return Posing(P, objective, found.relations, "minimise", found.parameters, form=why)


def sympy_twin(fixed: Repair) -> Twin:
    """Return the distance of the repaired matrix, whose constraints hold exactly, compared with the proved bounds."""
    found = to_sympy(fixed).check(fixed.mechanism)
    return Twin("SymPy", True, number_text(found.value), found.agrees(fixed.lower, fixed.loss))
