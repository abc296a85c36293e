"""Invariant post-randomization in CVXPY: maximize ``sum_j pi_j p_jj`` over private P with ``P pi = pi``."""

from __future__ import annotations

from typing import Any

import cvxpy as cp
import numpy as np

from rropt.convex.posing import compare, explained, solve
from rropt.convex.programs import Label, LabelledProgram, entries_of, private, tight
from rropt.convex.regions import entries, limits_of
from rropt.core.results.twins import Twin


def to_cvxpy(design: Any) -> cp.Problem:
    """Return the linear program over the entries ``P``; ``gamma`` and ``delta`` are Parameters.

    Raises:
        UnsupportedProblemError: there are too many entries.
    """
    pi = np.array([float(x) for x in design.population])
    P, conditions = entries(len(pi), limits := limits_of(design.problem.region.to_dict(), len(pi)))
    return explained(cp.Problem(cp.Maximize(pi @ cp.diag(P)), [*conditions, *limits.named, P @ pi == pi]))


def cvxpy_twin(design: Any) -> Twin:
    """Return the largest probability of an unchanged record, compared with its proved bounds."""
    return compare(solve(to_cvxpy(design)), design.unchanged, design.upper, "a PRAM design", trivial=(1.0,))


def active(design: Any, seed: int = 0) -> frozenset[Label]:
    """Return the conditions that are tight at a vertex; that the last category is kept follows from the others."""
    pi = np.array([float(x) for x in design.population])
    P = entries_of(len(pi), len(pi))
    equations = [cp.sum(P, axis=0) == 1, P[:-1] @ pi == pi[:-1]]
    blocks = private(P, limits_of(design.problem.region.to_dict(), len(pi)))
    return tight(LabelledProgram(-(pi @ cp.diag(P)), equations, blocks), seed)
