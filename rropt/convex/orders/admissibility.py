"""Admissibility in CVXPY: split every row of a mechanism into staircase rows as finely as possible.

The rows of parity at most gamma form a cone, whose extreme rays are the rows S in {1, gamma}^k. For a strictly convex
function ``phi(r) = abs(r)^2/sum r``, homogeneous of degree 1, maximize ``sum_i sum_S w_iS phi(S)`` over w >= 0 with
``sum_S w_iS S = p_i`` for every row p_i. Each splitting is a mechanism of which P is a garbling: its rows are those
with weight, and w is the kernel. The value exceeds ``sum_i phi(p_i)`` iff a row is no extreme ray, that is, iff P is
not admissible (Chai and Nayak 2018, Theorems 4.2 and 4.3). Coq proves it for every k
(``chai_nayak_theorem_4_3_linear_program_of_the_finest_splitting`` in rropt_proofs/coq/Admissibility.v).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import cvxpy as cp
import numpy as np

from rropt.convex.posing import Solved, compare, explained, solve
from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact.numbers import dot
from rropt.core.results.twins import NO_CONTENT, Twin

_MOST_INPUTS = 10  # 1023 rays
_MOST_WEIGHTS = 50_000
_TELLING = 1e-7  # a smaller gain may be 0


def to_cvxpy(answer: Any) -> cp.Problem:
    """Return the linear program of the finest splitting; its value is the gain, which is 0 iff P is admissible.

    ``weights`` has the shape (rows of P, rays); the rays are ``itertools.product`` of {1, gamma} without the first one.
    ``gamma`` is a Parameter.

    Raises:
        UnsupportedProblemError: there are too many rays.
    """
    m, k = answer.merged.mechanism.shape
    if k > _MOST_INPUTS or m * 2**k > _MOST_WEIGHTS:
        raise UnsupportedProblemError("too many rows")
    rows = np.array([[float(x) for x in row] for row in answer.merged.mechanism.matrix])
    gamma = cp.Parameter(pos=True, name="gamma", value=float(answer.level.exact_gamma()))
    bits = np.array(list(product((0.0, 1.0), repeat=k))[1:])  # 1 and gamma 1 are one ray

    def sizes() -> Any:
        rays = 1 + (gamma.value - 1) * bits
        return (rays**2).sum(1) / rays.sum(1)

    w = cp.Variable((m, len(bits)), nonneg=True, name="weights")
    phi = cp.CallbackParam(callback=sizes, shape=(len(bits),), nonneg=True, name="sizes")
    total = cp.reshape(cp.sum(w, axis=1), (m, 1), order="C") @ np.ones((1, k))
    own = float(((rows**2).sum(1) / rows.sum(1)).sum())
    program = cp.Problem(cp.Maximize(cp.sum(w @ phi) - own), [total + (gamma - 1) * (w @ bits) == rows])
    return explained(
        program,
        weights="for each row of the mechanism, how much of it is split off to each ray of entries 1 and gamma",
        sizes="the gain of each ray, for weight 1",
    )


def gain_of(answer: Any) -> Fraction:
    """Return the exact gain of the dominating mechanism: a lower bound of the value of the program."""
    if answer.domination is None:
        return Fraction(0)
    better, kernel, own = answer.domination.mechanism.matrix, answer.domination.kernel.matrix, answer.merged.mechanism
    split = sum((c * _phi(row) for line in kernel for c, row in zip(line, better, strict=True)), Fraction(0))
    return split - sum(map(_phi, own.matrix), Fraction(0))


def _phi(row: Sequence[Fraction]) -> Fraction:
    return dot(row, row) / sum(row)


def cvxpy_twin(answer: Any) -> Twin:
    """Return the gain of the finest splitting, compared with 0 or with the gain of the dominating mechanism."""
    solved, gain = solve(to_cvxpy(answer)), gain_of(answer)
    if answer.domination is not None and gain < _TELLING:
        return Twin("CVXPY", True, solved.value, None, NO_CONTENT, solver=solved.solver)
    value = 0.0 if abs(solved.value) < _TELLING else solved.value
    upper = Fraction(0) if answer.domination is None else max(gain, Fraction(solved.value))
    found = compare(Solved(value, solved.error, solved.solver), gain, upper, "admissibility", size=1.0)
    return Twin("CVXPY", True, f"gain {value:.6g}", found.agrees, found.why, solver=solved.solver)
