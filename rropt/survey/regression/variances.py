r"""Standard errors of a regression: from the information matrix, or from the design of a complex survey.

*Kinds.* Let A be the information and B the sum of the outer products of the rows' scores. There are four estimates of
the covariance:

* ``observed``: ``A^-1``, where A is minus the Hessian;
* ``expected``: ``A^-1``, where A is the expected information;
* ``outer-product`` (also called BHHH): ``B^-1``;
* ``sandwich``: ``A^-1 B A^-1`` with the observed information.

If the model is correct, they estimate the same matrix. In samples of practical size they differ by 10 % and more, so
every table names its kind.

*Design-based* (Binder 1983). The estimate is linearized: ``IF_i = w_i A^-1 s_i`` with s_i the score of row i. The
variance of the total of IF is then estimated as for any other variable (``weighted_shares``), with clusters within
strata, finite populations, a second stage, and post-strata. Rows outside the fit (missing values) are treated as in
domain estimation: their IF is 0 and they stay in their clusters. R's ``svyglm`` uses the expected information for A,
``svymle`` the observed one.

*The device.* A finite population correction ``1 - f`` wrongly reduces the variance of the device too, since the device
would still randomize in a census. Therefore ``f_h`` times the device's part of the variance,
``sum_i w_i^2 A^-1 Cov(s_i | truth) A^-1``, is added back. The covariance ``shrunk`` omits this correction, as R does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import InfeasibleError
from rropt.survey.populations.complex import Sampling, sums_by_index
from rropt.survey.regression.models import Floats, Ints
from rropt.survey.regression.search import Fit

KINDS = ("observed", "expected", "outer-product", "sandwich")


@dataclass(frozen=True, slots=True)
class Labels:
    """The positions of all rows of a sample in its design, including rows outside the fit.

    Attributes:
        used: a mask of the rows that are part of the fit, shape (all rows,).
        stratum, cluster: the numbers of the row's stratum and cluster, from 0; ``cluster = None`` if each row is a
            cluster.
        post: the cells of post-stratification; ``None`` if there are none.
        weights: the weights of all rows.
    """

    used: NDArray[np.bool_]
    stratum: Ints
    cluster: Ints | None
    post: Ints | None
    weights: Floats


def model_covariances(fit: Fit, *, is_latent: bool = False) -> dict[str, Floats]:
    """Return the covariance matrix of the parameters by kind, for independently drawn rows of weight 1."""
    objective, theta = fit.objective, fit.whitened
    observed = -objective.derivatives(theta).hessian
    outer = objective.outer(theta)
    inverse = _inverse(observed)
    found = {"sandwich": inverse @ outer @ inverse}
    if not objective.is_corrected:
        found = {"observed": inverse, **found, "outer-product": _inverse(outer)}
        if not is_latent:  # the outcome has no finite list of values
            found["expected"] = _inverse(objective.expected(theta))
    return {kind: _turned(fit.T, found[kind]) for kind in KINDS if kind in found}


def design_covariances(fit: Fit, labels: Labels, sampling: Sampling, information: str) -> dict[str, Floats]:
    """Return the covariance ``design`` and, with finite populations, ``shrunk``, which shrinks the device's part too.

    Args:
        fit: the fit of the used rows.
        labels: the positions of all rows in the design.
        sampling: the sampling design.
        information: ``observed`` or ``expected``.
    """
    objective, theta = fit.objective, fit.whitened
    A = objective.expected(theta) if information == "expected" else -objective.derivatives(theta).hessian
    inverse = _inverse(A)
    own = objective.weights
    influence = np.zeros((len(labels.used), len(theta)))
    influence[labels.used] = (objective.scores(theta) * own[:, None]) @ inverse
    if labels.post is not None:
        influence -= _by_cells(influence, labels)
    shrunk, factors = _total_variance(influence, labels, sampling)
    if not sampling.fractions.any():
        return {"design": _turned(fit.T, shrunk)}
    noise = inverse @ objective.device_noise(theta, factors[labels.used] * own**2) @ inverse
    return {"design": _turned(fit.T, shrunk + noise), "shrunk": _turned(fit.T, shrunk)}


def total_covariance(influence: Floats, labels: Labels, sampling: Sampling) -> Floats:
    """Return the covariance of the totals of linearized variables, one column each; rows outside the fit have 0."""
    return _total_variance(influence, labels, sampling)[0]


def degrees_of_freedom(labels: Labels, sampling: Sampling) -> int:
    """Return the number of clusters minus the number of strata, counting rows of positive weight in the fit."""
    own = labels.used & (labels.weights > 0)
    strata = len(np.unique(labels.stratum[own]))
    clusters = int(own.sum()) if labels.cluster is None else len(np.unique(labels.cluster[own]))
    return clusters - strata


def _turned(T: Floats, V: Floats) -> Floats:
    found: Floats = T @ V @ T.T
    return 0.5 * (found + found.T)


def _inverse(A: Floats) -> Floats:
    try:
        found = np.asarray(np.linalg.inv(A), np.float64)
    except np.linalg.LinAlgError:
        found = np.full_like(A, np.nan)
    if not np.isfinite(found).all():
        raise InfeasibleError(
            "the information is singular: the data do not determine all coefficients; leave columns out, or join levels"
        )
    return found


def _by_cells(influence: Floats, labels: Labels) -> Floats:
    """Return the correction of each row by post-stratification: its weight times the mean of its cell."""
    assert labels.post is not None
    size = int(labels.post.max()) + 1
    below = sums_by_index(labels.post, labels.weights, size)
    means = np.stack([sums_by_index(labels.post, column, size) for column in influence.T], axis=1)
    means /= np.where(below > 0, below, 1.0)[:, None]
    found: Floats = labels.weights[:, None] * means[labels.post]
    return found


def _sums(places: Ints, values: Floats, size: int) -> Floats:
    """Return the column sums of the rows with the same index, shape (size, columns)."""
    return np.stack([sums_by_index(places, column, size) for column in values.T], axis=1)


def _spread(
    values: Floats, places: Ints, units: Floats, fractions: Floats, single_psu: str, *, weights: Floats | None = None
) -> Floats:
    """Return ``sum_h v_h (1 - f_h) n_h/(n_h - 1) sum_c (U_c - mean)(U_c - mean)^T`` over strata h of units c.

    Args:
        values: U, one row for each unit that has respondents in the data.
        places: the stratum of each unit.
        units, fractions: n_h and f_h of each stratum.
        single_psu: the rule for strata with one unit.
        weights: v_h; by default 1.
    """
    size = len(units)
    alone = (units == 1) & (fractions < 1 - 1e-7)
    means = _sums(places, values, size) / np.maximum(units, 1)[:, None]
    factor = (1 - fractions) * units / np.maximum(units - 1, 1)
    if weights is not None:
        factor = factor * weights
    is_adjusted = alone & (single_psu == "adjust")
    centred = values - np.where(is_adjusted[:, None], 0.0, means)[places]
    present = sums_by_index(places, np.ones(len(places)), size)  # all other units have no respondents, so U = 0
    absent = factor * (units - present)
    found: Floats = (centred * factor[places][:, None]).T @ centred + (means * absent[:, None]).T @ means
    if single_psu == "average" and alone.any() and not alone.all():
        found = found * (size / (size - alone.sum()))
    return found


def _total_variance(influence: Floats, labels: Labels, sampling: Sampling) -> tuple[Floats, Floats]:
    """Return the variance of the total, and the proportion of the device's variance that it omits for each row."""
    f = sampling.fractions
    certain = sampling.alone & (sampling.single_psu == "certainty")
    if labels.cluster is None or sampling.strata is None:
        found = _spread(influence, labels.stratum, sampling.units, f, sampling.single_psu)
        return found, np.where(certain, 1.0, f)[labels.stratum]
    totals = _sums(labels.cluster, influence, len(sampling.strata))
    found = _spread(totals, sampling.strata, sampling.units, f, sampling.single_psu)
    kept = np.ones(len(sampling.strata))
    if sampling.within is not None:
        n, inside = sampling.within
        single_psu = "certainty" if sampling.single_psu == "average" else sampling.single_psu
        found = found + _spread(influence, labels.cluster, n, inside, single_psu, weights=f[sampling.strata])
        alone = (n == 1) & (inside < 1 - 1e-7) & (sampling.single_psu == "certainty")
        kept = np.where(alone, 1.0, inside)
    of = sampling.strata
    factors = np.where(certain[of], 1 - f[of] + f[of] * kept, f[of] * kept)
    return found, factors[labels.cluster]
