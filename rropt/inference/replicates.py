"""Covariances of estimates from replicate weights: sums over rows in each replicate, and their degrees of freedom.

The formulas are in ``answers/replicate_weights.py``. A randomized response adds nothing: the debiased responses of a
cluster contain the device, whose variance is part of that between replicates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from rropt.core.lazy import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Floats: TypeAlias = "NDArray[np.float64]"
Ints: TypeAlias = "NDArray[np.int64]"
_RANK = 1e-10  # squared norm of what a column adds to the others, relative to its own: dependent below, as in R


@dataclass(frozen=True, slots=True)
class ReplicatedRows:
    """The replicate weights of rows.

    Attributes:
        weights: the replicate weights, shape (rows, R).
        factors: c_r, shape (R,).
        is_mean: whether the center is the mean of the replicates.
    """

    weights: Floats
    factors: Floats
    is_mean: bool

    def covariance(self, found: Floats, estimate: Floats) -> Floats:
        """Return the covariance of estimates, from those of each replicate, shape (R, columns)."""
        center = found[self.factors > 0].mean(axis=0) if self.is_mean else estimate
        gap = (found - center) * np.sqrt(np.maximum(self.factors, 0.0))[:, None]
        return np.asarray(gap.T @ gap)

    def sums(self, rows: Ints, group: Ints, values: Floats | None, size: int) -> Floats:
        """Return the sums of weights times values over each group, shape (R, size)."""
        own = self.weights[rows].T
        return np.stack([np.bincount(group, w if values is None else w * values, size) for w in own])

    def degrees_of_freedom(self, rows: NDArray[np.bool_]) -> int:
        """Return the rank of the replicate weights of some rows, minus 1."""
        return self.freedom_of(self.gram(np.flatnonzero(rows)))

    def freedom_of(self, gram: Floats) -> int:
        """Return the degrees of freedom, given the products of the columns (``gram``)."""
        return max(_rank(gram) - 1, 0)

    def gram(self, rows: Ints) -> Floats:
        """Return the matrix of products of the columns of some rows, each column scaled by its norm over all rows."""
        own = self.weights[rows] / np.sqrt(np.maximum((self.weights**2).sum(axis=0), 1e-300))
        return np.asarray(own.T @ own)


def _rank(gram: Floats) -> int:
    """Return the rank of a matrix from the products of its columns; one that adds less than 1e-5 is dependent."""
    left, rank = gram.copy(), 0
    norms = np.diag(gram).copy()
    for j in range(len(gram)):
        if left[j, j] > _RANK * norms[j] and norms[j] > 0:
            rank += 1
            left -= np.outer(left[:, j], left[j]) / left[j, j]
    return rank
