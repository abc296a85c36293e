r"""Covariances of linearized estimates from a complex survey: strata, clusters, finite populations, post-strata.

Every estimate is linearized: row i has an influence vector u_i, so that the error of the estimate is that of the total
``sum w_i u_i``. A proportion in a group has ``u = (z - p)/W`` in the group and 0 elsewhere, a total ``u = z``, and a
regression ``u = A^-1 s`` with the score s. A difference of estimates is a difference of columns. Let U_c be the sum of
w u over cluster c, n_h the number of sampled clusters of stratum h, and f_h the sampled fraction. Then

    ``V = sum_h (1 - f_h) n_h/(n_h - 1) sum_c (U_c - mean U_h)(U_c - mean U_h)^T``.

**A second stage.** If a fraction f_c of the respondents of each cluster is sampled, it adds
``f_h sum_c (1 - f_c) n_c/(n_c - 1) sum_{i in c} (w u_i - mean)(w u_i - mean)^T``.

**Post-strata.** If the weights are adjusted to known totals of cells, there is no variance between cells: u_i is
replaced by u_i minus the weighted mean of u over its cell, inside and outside the group.

**A stratum with a single cluster** has no term. Its replacement depends on the rule:

* ``certainty`` is 0.
* ``adjust`` is ``(1 - f_h) U_c U_c^T``, from the squared distance from 0.
* ``average`` multiplies the others by the number of all strata divided by the number of the others.

The rule replaces the first stage only. The second stage of the stratum is observed and is added in full, as in R.

**The device.** ``1 - f`` wrongly reduces the randomization of the device too, which would remain in a census. V omits a
fraction of the device's variance of row i (``Sampled.omitted``): f_h, with a second stage f_h f_c, and 1 in a stratum
under ``certainty``. The estimates add it back.

Source: Binder (1983); Cochran (1977), chapters 10 and 11; Saerndal, Swensson and Wretman (1992), chapters 5 and 7. V is
that of the R package ``survey``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from rropt.core.lazy import numpy as np
from rropt.inference.replicates import ReplicatedRows

if TYPE_CHECKING:
    from numpy.typing import NDArray

Floats: TypeAlias = "NDArray[np.float64]"
Ints: TypeAlias = "NDArray[np.int64]"


WHOLE = 1 - 1e-7  # a sampled fraction of a stratum above this counts as a census, as in R's survey
_MOST_ENTRIES = 1 << 22  # entries of all units and columns that are processed together, with post-strata


class _Stage(NamedTuple):
    """A stage of sampling: ``sum q u u^T - sum m S S^T`` over units, where S are the sums of u over each parent.

    Attributes:
        units: the matrix that sums rows to units; ``None`` if rows are units.
        q: the factor of each unit.
        parents: the matrix that sums units over their parent.
        m: the factor of each parent.
    """

    units: Any
    q: Floats
    parents: Any
    m: Floats


@dataclass(frozen=True)
class Sampled:
    """A sample of rows: their positions in the sampling design, and the design. A row may be several equal respondents.

    Attributes:
        weight, square: the sums of w and of w^2.
        stratum, cluster: the numbers of the stratum and of the cluster, from 0. Clusters are numbered over all strata.
            ``None`` for ``cluster``: each respondent is a cluster.
        post: the number of the cell of post-stratification; ``None`` without post-strata.
        units: n_h, the number of sampled clusters (or rows) of each stratum.
        fractions: f_h; 0 without a finite population.
        strata: the stratum of each cluster; ``None`` if each row is a cluster.
        within: n_c and f_c, the number of sampled rows of each cluster and the sampled fraction of the cluster;
            ``None`` if clusters are observed completely.
        single_psu: the rule for a stratum with a single PSU. ``refuse`` raises an error. ``certainty`` adds the
            variance due to the device only, as in a census of the stratum. ``average`` adds the mean contribution of
            the other strata. ``adjust`` adds the squared distance from 0.
        replicates: the replicate weights, which take the place of the design; ``None`` without them.
    """

    weight: Floats
    square: Floats
    stratum: Ints
    cluster: Ints | None
    post: Ints | None
    units: Floats
    fractions: Floats
    strata: Ints | None = None
    within: tuple[Floats, Floats] | None = None
    single_psu: str = "refuse"
    replicates: ReplicatedRows | None = None

    @property
    def alone(self) -> NDArray[np.bool_]:
        """Whether each stratum has only one sampled cluster although its population has more."""
        alone: NDArray[np.bool_] = (self.units == 1) & (self.fractions < WHOLE)
        return alone

    @property
    def omitted(self) -> Floats:
        """The fraction of the device's variance of each row that the covariance omits."""
        return self._parts[1]

    @cached_property
    def _parts(self) -> tuple[list[_Stage], Floats]:
        """The stages of sampling, and ``omitted``."""
        units, f, w, square = self.units, self.fractions, self.weight, self.square
        is_adjusted, is_certain = self.single_psu == "adjust", self.single_psu == "certainty"
        q, m = _factors(units, f, self.alone, is_adjusted)
        certain = self.alone & is_certain
        if self.cluster is None or self.strata is None:
            stages = [_Stage(None, q[self.stratum] * square, _summing(self.stratum, len(units), w), m)]
            return stages, np.where(certain, 1.0, f)[self.stratum]
        strata = self.strata
        clusters = _summing(self.cluster, len(strata), w)
        stages = [_Stage(clusters, q[strata], _summing(strata, len(units), np.ones(len(strata))), m)]
        kept = np.ones(len(strata))
        if self.within is not None:
            n, inside = self.within
            alone = (n == 1) & (inside < WHOLE)
            q, m = (f[strata] * one for one in _factors(n, inside, alone, is_adjusted))
            stages.append(_Stage(None, q[self.cluster] * square, clusters, m))
            kept = np.where(alone & is_certain, 1.0, inside)
        return stages, np.where(certain[strata], 1 - f[strata] + f[strata] * kept, f[strata] * kept)[self.cluster]

    def degrees_of_freedom(self, used: NDArray[np.bool_]) -> int:
        """Return the number of clusters minus the number of strata, counting the used rows of positive weight."""
        own = used & (self.weight > 0)
        if self.replicates is not None:
            return self.replicates.degrees_of_freedom(own)
        clusters = int(own.sum()) if self.cluster is None else len(np.unique(self.cluster[own]))
        return clusters - len(np.unique(self.stratum[own]))

    @cached_property
    def _cells(self) -> Any:
        """The matrix of the cells of post-stratification, shape (rows, cells)."""
        assert self.post is not None
        return _summing(self.post, int(self.post.max()) + 1, np.ones(len(self.post))).T.tocsr()

    def covariance(self, u: Any, average: Floats | None = None, *, is_diagonal: bool = False) -> Floats:
        """Return the covariance of the totals ``sum w u``, shape (columns, columns), or only its diagonal.

        The time of the diagonal is linear in the entries of a sparse array.

        Args:
            u: the linearized variables without their weights, shape (rows, columns), a sparse or a dense array.
            average: the factor of each column under the rule ``average``; ``None``: from all strata.
            is_diagonal: whether to return the variances only, shape (columns,).
        """
        from scipy.sparse import diags_array, issparse

        alone, post = self.alone, self.post is not None
        if average is None:
            is_averaged = self.single_psu == "average" and alone.any() and not alone.all()
            average = np.full(u.shape[1], len(alone) / (len(alone) - alone.sum()) if is_averaged else 1.0)
        step = max(1, _MOST_ENTRIES // max(len(self.units), u.shape[0]))
        if is_diagonal and post and u.shape[1] > step:
            u, parts = u.tocsc(), [slice(first, first + step) for first in range(0, u.shape[1], step)]
            return np.concatenate([self.covariance(u[:, part], average[part], is_diagonal=True) for part in parts])

        def product(a: Any, q: Floats, b: Any) -> Any:
            """Return ``a^T diag(q) b``, or its diagonal."""
            scaled = diags_array(q) @ b
            if is_diagonal:
                return np.asarray((a.multiply(scaled) if issparse(a) else a * scaled).sum(axis=0)).ravel()
            found = a.T @ scaled
            return np.asarray(found.toarray() if issparse(found) else found)

        if post:
            cells, weight = self._cells, self.weight
            below = cells.T @ weight
            means = diags_array(1 / np.where(below > 0, below, 1.0)) @ (cells.T @ (diags_array(weight) @ u))
        found: list[Floats] = []
        for units, q, parents, m in self._parts[0]:
            own = u if units is None else units @ u
            if post and units is not None:
                own = own - (units @ cells) @ means
            squares, sums = product(own, q, own), parents @ own
            if post and units is None:  # rows outside a group have minus the mean of their cell: only sums are needed
                both = product(cells.T @ (diags_array(q) @ own), np.ones(cells.shape[1]), means)
                squares = squares - both - both.T + product(means, cells.T @ q, means)
                sums = sums - (parents @ cells) @ means
            found.append(squares - product(sums, m, sums))
        found[0] = found[0] * (average if is_diagonal else np.sqrt(np.outer(average, average)))
        return np.asarray(sum(found))


def _factors(units: Floats, fractions: Floats, alone: NDArray[np.bool_], is_adjusted: bool) -> tuple[Floats, Floats]:
    """Return the factors of the squares and of the squared sums of each stratum."""
    q = (1 - fractions) * np.where(units > 1, units / np.maximum(units - 1, 1), 0.0)
    m = q / np.maximum(units, 1)
    return np.where(alone & is_adjusted, 1 - fractions, q), m


def _summing(places: Ints, size: int, values: Floats) -> Any:
    """Return the sparse matrix that sums rows by their place, each multiplied by its value."""
    from scipy.sparse import csc_array

    return csc_array((values, places, np.arange(len(places) + 1)), (size, len(places))).tocsr()
