r"""Standard errors of a regression: from the information matrix, or from the design of a complex survey.

*Kinds.* Let A be the information and B the sum of the outer products of the rows' scores. There are four estimates of
the covariance:

* ``observed``: ``A^-1``, where A is minus the Hessian;
* ``expected``: ``A^-1``, where A is the expected information;
* ``outer-product`` (also called BHHH): ``B^-1``;
* ``sandwich``: ``A^-1 B A^-1`` with the observed information.

If the model is correct, they estimate the same matrix. In samples of practical size they differ by 10 % and more, so
every table names its kind.

*Design-based* (Binder 1983). The estimate is linearized: ``u_i = A^-1 s_i`` with s_i the score of row i. The covariance
of the total of w u is that of any other total (``linearization``), with clusters within strata, finite populations, a
second stage, and post-strata. Rows outside the fit (missing values) have u = 0 and stay in their clusters. R's
``svyglm`` uses the expected information for A, ``svymle`` the observed one.

*The device.* A finite population correction ``1 - f`` wrongly reduces the variance of the device too, since the device
would still randomize in a census. Therefore ``f_h`` times the device's part of the variance,
``sum_i w_i^2 A^-1 Cov(s_i | truth) A^-1``, is added back; all of it in a stratum with one cluster under the rule
``certainty``, which is a census of the stratum. The covariance ``shrunk`` of finite populations omits this, as R does.
Of a contrast that several devices determine together, the device's part is estimated from all of them, or bounded from
above where they do not determine it (``contrast_noise``).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import InfeasibleError
from rropt.inference.contrast_noise import noise_table
from rropt.inference.linearization import Sampled
from rropt.regression.models import DeviceResponses, Floats, WeightedLikelihood
from rropt.regression.random_intercepts import MixedFit
from rropt.regression.search import Fit, climb

_EXACT = 1e-22  # relative variance below which all residuals are rounding errors: where equal responses determine it
_ROWS = 1 << 16  # rows whose scores are copied at a time
_ROUNDING = 2**-50  # relative rounding error of the score of a row
KINDS = ("observed", "expected", "outer-product", "sandwich")


class DeviceContrast(NamedTuple):
    """A contrast that several devices determine together.

    Attributes:
        Z: the whitened covariates.
        table: the weights L of the responses to each device (``Responses.contrast_weights``).
        responses: the responses, with the matrices of their devices.
    """

    Z: Floats
    table: Floats
    responses: DeviceResponses


def covariances_of(
    fit: Fit,
    T: Floats,
    sampled: tuple[NDArray[np.bool_], Sampled] | None = None,
    information: str = "observed",
    *,
    is_latent: bool = False,
    contrasted: DeviceContrast | None = None,
) -> tuple[dict[str, Floats], Floats]:
    """Return the covariance matrix of the coefficients by kind, and how far a step of Newton's method moves each one.

    The length of the step includes the rounding error of the gradient.

    Args:
        fit: the fit of the used rows.
        T: the derivative of the coefficients in the whitened ones.
        sampled: a mask of the rows of a sample that are part of the fit, and the sample. Its covariance is ``design``,
            and with finite populations also ``shrunk``, which shrinks the device's part too. ``None``: rows of weight 1
            that are drawn independently.
        information: ``observed`` or ``expected``, for a sample.
        is_latent: whether a covariate is latent; there is then no covariance ``expected``.
        contrasted: a contrast that devices determine together; ``None`` for the categories of each device.
    """
    objective, theta, found = fit.objective, fit.end.theta, {}
    is_expected = sampled is not None and information == "expected"
    here, scores = objective.derivatives(theta), objective.scores(theta)
    if contrasted is not None:
        scores = scores + _of_devices(objective, contrasted.Z)
    observed = _inverse(-here.hessian)
    inverse = _inverse(objective.expected(theta)) if is_expected else observed
    weighted = scores if (objective.weights == 1).all() else scores * objective.weights[:, None]
    sizes = sum(np.abs(weighted[first : first + _ROWS]).sum(axis=0) for first in range(0, len(weighted), _ROWS))
    step = np.abs(T @ observed) @ (np.abs(here.gradient) + _ROUNDING * sizes)
    if sampled is None:
        outer = weighted.T @ scores
        if not objective.is_corrected:
            found["observed"] = inverse
            if not is_latent:
                found["expected"] = _inverse(objective.expected(theta))
            found["outer-product"] = _inverse(outer)
        found["sandwich"] = inverse @ outer @ inverse
    else:
        used, sample = sampled
        influence = np.zeros((len(used), len(theta)))
        influence[used] = scores @ inverse
        is_linear = sample.replicates is None
        covariance = sample.covariance(influence) if is_linear else _replicated(fit, used, sample, contrasted)
        found["design"] = covariance
        if sample.omitted.any():
            factors = (sample.omitted * sample.square)[used]
            if contrasted is None:
                noise = objective.device_noise(theta, factors)
            else:
                noise = _noise_of_devices(objective, contrasted, factors)
            found["design"] = covariance + inverse @ noise @ inverse
        if sample.fractions.any():
            found["shrunk"] = covariance
    return _turned(found, T, inverse, objective.weights), step


def _of_devices(objective: WeightedLikelihood, Z: Floats) -> Floats:
    """Return what the means over devices add to the scores, shape (rows, columns).

    The equation of a contrast is ``sum_d cov_d(Z, L) + mean(Z) m = mean(Z F)``, with the covariance over the rows of
    each device and m as in ``Responses.of_contrast``. Its derivative in the weights of row i is the score of the row,
    ``+ (mean(Z) - mean_d(Z)) R_i - cov_d(Z, R) + sum_d W_d/W cov_d(Z, R)``.
    """
    device, w = objective.responses.device, objective.weights
    estimates = objective.responses.debiased()[:, 1]
    R = estimates - w @ estimates / w.sum()
    below = np.maximum(np.bincount(device, w), np.finfo(float).tiny)

    def means(values: Floats) -> Floats:
        return np.stack([np.bincount(device, w * column) / below for column in values.T], axis=1)

    own, joint = means(Z), means(Z * R[:, None])
    found: Floats = (w @ Z / w.sum() - own[device]) * R[:, None] - joint[device] + w @ joint[device] / w.sum()
    return found


def _noise_of_devices(objective: WeightedLikelihood, contrasted: DeviceContrast, factors: Floats) -> Floats:
    """Return the sum of factors times the covariances of the scores over the devices, or an upper bound of it.

    The derivative of the equation (``_of_devices``) in ``L_d[z_i]`` is ``w_i W/W_d a_i`` with
    ``a_i = Z_i - mean_d(Z) + mean(Z)``. The factors contain ``w_i^2``.
    """
    Z, responses, w = contrasted.Z, contrasted.responses, objective.weights
    used, device = np.unique(responses.device, return_inverse=True)
    sums = responses.sums(w)[used]
    t, _ = noise_table(responses.matrices[used], contrasted.table[used], sums)
    means = np.stack([np.bincount(device, w * column) for column in Z.T], axis=1) / sums.sum(axis=1)[:, None]
    a = Z - means[device] + w @ Z / w.sum()
    found: Floats = (a * (factors * t[device, responses.answer])[:, None]).T @ a
    return found


def mixed_covariances(fit: MixedFit, T: Floats) -> tuple[dict[str, Floats], Floats]:
    """Return the covariances of a mixed model, whose units are its groups, and the steps, as ``covariances_of``.

    On the boundary sigma = 0, sigma has the variance 0.

    Args:
        fit: the fit, sigma last.
        T: the derivative of the coefficients in the whitened ones.
    """
    here, scores = fit.objective.derivatives(fit.end.theta), fit.objective.scores(fit.end.theta)
    inverse, outer, kept = _inverse(-here.hessian), scores.T @ scores, slice(None if fit.end.theta[-1] else -1)
    step = np.abs(T @ inverse) @ (np.abs(here.gradient) + _ROUNDING * np.abs(scores).sum(axis=0))
    opposite = np.zeros_like(outer)
    opposite[kept, kept] = _inverse(outer[kept, kept])
    found = {"observed": inverse, "outer-product": opposite, "sandwich": inverse @ outer @ inverse}
    for V in found.values():
        V[kept.stop or len(V) :], V[:, kept.stop or len(V) :] = 0.0, 0.0
    return _turned(found, T, inverse, fit.objective.weights), step


def _turned(found: dict[str, Floats], T: Floats, inverse: Floats, weights: Floats) -> dict[str, Floats]:
    """Return covariances in the coefficients from those in whitened ones, without variances that are rounding errors.

    Args:
        found: the covariances by kind.
        T: the derivative of the coefficients in the whitened ones.
        inverse: the inverse of the information.
        weights: the weights of the units.
    """
    turned = {kind: T @ V @ T.T for kind, V in found.items()}
    unit = np.diag(T @ inverse @ T.T) * weights.mean()  # variances where the scores have the size 1
    for V in turned.values():
        is_rounding = np.diag(V) < _EXACT * unit
        V[is_rounding], V[:, is_rounding] = 0.0, 0.0
    return {kind: 0.5 * (V + V.T) for kind, V in turned.items()}


def _replicated(fit: Fit, used: NDArray[np.bool_], sample: Sampled, contrasted: DeviceContrast | None) -> Floats:
    """Return the covariance of the estimates of all replicates, each of which climbs from the estimate.

    Raises:
        InfeasibleError: a replicate has no proper maximum near the estimate, or no response to a device of a contrast.
    """
    assert sample.replicates is not None
    found, whole = [], fit.objective
    for number, weights in enumerate(sample.replicates.weights[used].T, 1):
        responses = whole.responses
        if contrasted is not None:
            asked = contrasted.responses
            if not (asked.sums(weights)[np.unique(asked.device)].sum(axis=1) > 0).all():
                raise InfeasibleError(
                    f"replicate {number} has no response to a device: the devices determine the contrast only "
                    "together; leave the device out, or name the clusters and strata in place of the replicate weights"
                )
            responses = asked.of_contrast(contrasted.table, weights)
        own = WeightedLikelihood(whole.model, responses, weights, is_corrected=whole.is_corrected)
        with np.errstate(all="ignore"):
            found.append(climb(own, fit.end.theta))
    if lost := sum(not end.is_proper for end in found):
        raise InfeasibleError(
            f"{lost} of {len(found)} replicates have no maximum near the estimate: the replicate weights show no "
            "variance of it; leave columns out, or join levels"
        )
    return sample.replicates.covariance(np.stack([end.theta for end in found]), fit.end.theta)


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
