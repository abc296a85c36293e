"""The Fisher information on contrasts, ``B = sum_r w_r (U^T r)(U^T r)^T/(r.pi)``, for the criteria A, c, D and E.

U is an orthonormal basis of the vectors of sum 0. Let ``M = sum_i p_i p_i^T/(p_i.pi)`` be the information. ``M pi = 1``
gives ``M Cov = I - 1 pi^T`` and ``Cov 1 = 0``, so that ``(U^T M U)(U^T Cov U) = I``. The criteria are functions of B.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cvxpy as cp
import numpy as np

from rropt.convex.regions import Array, Rows, contrasts, scaled
from rropt.core.errors import UnsupportedProblemError


def lines_of(rows: Array, pi: Array) -> Array:
    """Return ``U^T r/sqrt(r.pi)`` for all rows r, shape (n, k - 1)."""
    chances = rows @ pi
    if chances.min() <= 0:
        raise UnsupportedProblemError("a row has probability 0 at these proportions")
    return np.asarray(rows @ contrasts(rows.shape[1]) / np.sqrt(chances)[:, None])


def basis_of(rows: Array, pi: Array) -> Array:
    """Return the factor L that scales the rows: the mean of ``(L^-1 l)(L^-1 l)^T`` over their lines l is I."""
    return scaled(lines_of(rows, pi))[1]


def information(rows: Rows, pi: Array, change: Callable[[Array, Array], Array]) -> Any:
    """Return B as an expression in the weights, in another basis.

    Args:
        rows: the rows.
        pi: the proportions.
        change: a function from the lines (``lines_of``), shape (n, k - 1), and L (``basis_of``) to the lines in the
            other basis, shape (k - 1, n).
    """
    size = rows.limits.k - 1

    def squares(listed: Array) -> Array:
        lines = change(lines_of(listed, pi), basis_of(listed, pi))
        return np.asarray(np.einsum("in,jn->ijn", lines, lines).reshape(size**2, -1))

    B = cp.reshape(rows.of(squares, size**2, len(rows), name="information") @ rows.weights, (size, size), order="C")
    return (B + B.T) / 2
