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
``sum_i w_i^2 A^-1 Cov(s_i | truth) A^-1``, is added back. The covariance ``shrunk`` omits this correction, as R does.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import InfeasibleError
from rropt.survey.populations.linearization import Sampled
from rropt.survey.regression.models import Floats
from rropt.survey.regression.search import Fit

KINDS = ("observed", "expected", "outer-product", "sandwich")


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


def design_covariances(fit: Fit, used: NDArray[np.bool_], sample: Sampled, information: str) -> dict[str, Floats]:
    """Return the covariance ``design`` and, with finite populations, ``shrunk``, which shrinks the device's part too.

    Args:
        fit: the fit of the used rows.
        used: a mask of the rows of the sample that are part of the fit.
        sample: all rows of the sample.
        information: ``observed`` or ``expected``.
    """
    objective, theta = fit.objective, fit.whitened
    A = objective.expected(theta) if information == "expected" else -objective.derivatives(theta).hessian
    inverse = _inverse(A)
    influence = np.zeros((len(used), len(theta)))
    influence[used] = objective.scores(theta) @ inverse
    shrunk = sample.covariance(influence)
    if not sample.sampling.fractions.any():
        return {"design": _turned(fit.T, shrunk)}
    noise = inverse @ objective.device_noise(theta, (sample.omitted * sample.rows.square)[used]) @ inverse
    return {"design": _turned(fit.T, shrunk + noise), "shrunk": _turned(fit.T, shrunk)}


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
