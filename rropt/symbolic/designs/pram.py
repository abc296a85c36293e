"""Invariant post-randomization in symbols: the definition, and the design put into it."""

from __future__ import annotations

import sympy as sp

from rropt.core.errors import UnsupportedProblemError
from rropt.core.results.twins import Twin
from rropt.designs.pram import PramDesign
from rropt.symbolic.posing import Posing
from rropt.symbolic.regions import MOST_RELATIONS, definition
from rropt.symbolic.symbols import exacts, matrix, number_text


def to_sympy(design: PramDesign) -> Posing:
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
    why = "the vertices of this linear program are no formula"
    return Posing(P, objective, [*found.relations, *kept], "maximise", found.parameters, form=why)


def sympy_twin(design: PramDesign) -> Twin:
    """Return the objective at the design, whose constraints hold exactly, compared with the proved bounds."""
    found = to_sympy(design).check(design.mechanism)
    return Twin("SymPy", True, number_text(found.value), found.agrees(design.unchanged, design.upper))
