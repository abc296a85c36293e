"""Invariant post-randomization in CVXPY: maximize ``sum_j pi_j p_jj`` over private P with ``P pi = pi``."""

from __future__ import annotations

import cvxpy as cp
import numpy as np

from rropt.convex.posing import compare, explained, solve
from rropt.convex.regions import entries, limits_of
from rropt.core.results.twins import Twin
from rropt.designs.pram import PramDesign


def to_cvxpy(design: PramDesign) -> cp.Problem:
    """Return the linear program over the entries ``P``; ``gamma`` and ``delta`` are Parameters.

    Raises:
        UnsupportedProblemError: there are too many entries.
    """
    pi = np.array([float(x) for x in design.population])
    P, conditions = entries(len(pi), limits := limits_of(design.problem.region.to_dict(), len(pi)))
    return explained(cp.Problem(cp.Maximize(pi @ cp.diag(P)), [*conditions, *limits.named, P @ pi == pi]))


def cvxpy_twin(design: PramDesign) -> Twin:
    """Return the largest probability of an unchanged record, compared with its proved bounds."""
    return compare(solve(to_cvxpy(design)), design.unchanged, design.upper, "a PRAM design", trivial=(1.0,))
