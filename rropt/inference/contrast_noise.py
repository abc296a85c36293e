r"""The part of the devices in the variance of a contrast that several devices determine together.

Finite population corrections need this part, since the devices would randomize in a census too (``complex``). With the
weights L of ``contrast_weights``, the response of a person of category x to device d has the variance
``v_d(x) = sum_z P_d[z, x] L_dz^2 - (sum_z P_d[z, x] L_dz)^2``. Its mean over the categories is estimated without bias
if v_d is a combination ``sum_e P_e^T h_de`` of the rows of all devices. Otherwise it lies between bounds, and the least
combination ``g_d >= v_d`` at the observed proportions, a linear program, gives an upper bound. This bound is never
above the whole variance of a response.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

CONTRAST_NOISE = (
    "the finite population correction shrinks the sampling error only; the devices' own part of the variance is "
    "estimated from all devices, or bounded from above where they do not determine it"
)
Floats = NDArray[np.float64]
_SPANNED = 1e-9  # largest gap of a combination of the rows, relative to the largest variance, that is a rounding error


def noise_table(P: Floats, L: Floats, weights: Floats) -> tuple[Floats, bool]:
    """Return numbers t of the responses whose mean is the variance of the devices, or an upper bound, and which it is.

    The sum ``sum_i a_i (W/W_d)^2 v_d(x_i)`` over rows i with device d has the estimate ``sum_i a_i t[d, z_i]``, where
    devices are assigned at random: ``t[e, z] = sum_d W^2/(W_d W_e) h_de[z]``.

    Args:
        P: the matrices of the devices, shape (devices, m, k).
        L: the weights of their responses, shape (devices, m).
        weights: the sums of the weights of each response, shape (devices, m), positive for each device.

    Returns:
        t, shape (devices, m), and whether it is only an upper bound.
    """
    size, m, k = P.shape
    rows, below = P.reshape(size * m, k), weights.sum(axis=1)
    means = np.einsum("dzx,dz->dx", P, L)
    variances = np.einsum("dzx,dz->dx", P, L**2) - means**2
    found, is_bound = np.zeros(size * m), False
    for v, own in zip(variances, below, strict=True):
        h = np.linalg.lstsq(rows.T, v, rcond=None)[0]
        if np.abs(rows.T @ h - v).max() > _SPANNED * max(float(v.max()), 1e-300):
            h, is_bound = np.linalg.lstsq(rows.T, _least_above(rows, v, weights / below[:, None]), rcond=None)[0], True
        found += h / own
    return below.sum() ** 2 * found.reshape(size, m) / below[:, None], is_bound


def _least_above(rows: Floats, v: Floats, shares: Floats) -> Floats:
    """Return the combination of the rows that is at least v, and is least at the proportions nearest to the shares."""
    from scipy.optimize import linprog, nnls

    ones = np.full((1, rows.shape[1]), 1e3)  # heavy, so that the proportions sum to 1
    nearest = nnls(np.vstack([rows, ones]), np.append(shares.ravel(), 1e3))[0]
    solved = linprog(-v, A_eq=rows, b_eq=rows @ (nearest / nearest.sum()), method="highs")
    if solved.status != 0:  # rows that are equal up to rounding
        return np.full_like(v, v.max())
    above: Floats = rows.T @ -solved.eqlin.marginals
    return above + max(0.0, float((v - above).max()))
