r"""The log-likelihood of randomized responses with its exact derivatives, and the corrected loss.

Row i has the log-likelihood ``log L_i`` with ``L_i = sum_x a_ix q_x(eta_i)`` and ``a_ix = P[z_i, x]`` of its device.
With ``u_q = sum_x a_x J_xq / L`` and ``h_qr = sum_x a_x H_xqr / L - u_q u_r``, the score of the row is
``sum_q u_q B_q`` and the observed information is ``-sum_i w_i sum_qr h_qr B_q' B_r``.

The corrected loss replaces the unknown truth by its unbiased estimate ``xhat``, the column of its response in the left
inverse of the row's device: minus it is ``sum_i w_i sum_x xhat_ix log q_x(eta_i)``. Its expectation over the device is
that of the truth. For the logit and the multinomial model it is concave, since ``sum_x xhat_x = 1``. For the linear
model it is minus half the sum of squares of ``xhat_1 - eta``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rropt.survey.regression.models import Floats, Model, Responses

_Point = tuple[Floats, Floats, Floats, Floats]
_BLOCK_ENTRIES = 1 << 19  # entries of the largest array of a block: 4 MB, which stay in the cache


@dataclass(frozen=True, slots=True)
class Derivatives:
    """The value, gradient and Hessian at a point; the value is minus infinity where a probability is not positive."""

    value: float
    gradient: Floats
    hessian: Floats


class WeightedLikelihood:
    """A weighted log-likelihood, or minus a corrected loss.

    Attributes:
        model: the model of the truth.
        responses: the responses of its rows.
        weights: the weight of each row.
        is_corrected: whether it is minus the corrected loss.
    """

    def __init__(self, model: Model, responses: Responses, weights: Floats, *, is_corrected: bool = False) -> None:
        self.model, self.responses, self.weights, self.is_corrected = model, responses, weights, is_corrected
        # the probabilities (or the column of the inverse) of each response of a device, shape (devices, m, k)
        self._table = responses.inverses.swapaxes(1, 2) if is_corrected else responses.matrices
        self._given = np.ascontiguousarray(self._table[responses.device, responses.answer].T)  # of each row's response
        self._last: dict[bytes, Derivatives] = {}

    def point(self, eta: Floats, a: Floats) -> _Point:
        """Return L, log L, u and h of some rows; of the corrected loss, L is 1."""
        if self.is_corrected and self.model.name == "linear":
            gap = a[1] - eta[0]
            return np.ones_like(gap), -0.5 * gap * gap, gap[None], -np.ones((1, 1, len(gap)))
        q, J, H = self.model.cells(eta)
        if self.is_corrected:
            q, top = q[1:], np.maximum(eta.max(axis=0), 0.0)
            total = np.exp(-top) + np.exp(eta - top).sum(axis=0)
            value = (a[1:] * eta).sum(axis=0) - top - np.log(total)
            return np.ones_like(value), value, a[1:] - q, q[:, None] * q - np.eye(len(q))[:, :, None] * q
        L = np.einsum("xn,xn->n", a, q)
        safe = np.where(L > 0, L, 1.0)
        u = np.einsum("xn,xqn->qn", a, J) / safe
        h = np.einsum("xn,xqrn->qrn", a, H) / safe - u[:, None] * u
        is_inside = (L > 0) & (q >= 0).all(axis=0)  # thresholds that do not increase give negative probabilities
        return L, np.where(is_inside, np.log(safe), -np.inf), u, h

    def given(self, rows: slice) -> Floats:
        """Return ``a_x`` of the responses of some rows, shape (k, rows)."""
        return self._given[:, rows]

    def _points(self, theta: Floats, *, every: bool = False) -> Iterator[tuple[slice, list[_Point]]]:
        """Yield blocks of rows that fit into the memory, with the point of their response, or of each possible one."""
        Q = len(self.model.blocks)
        step = max(1, _BLOCK_ENTRIES // max(self.model.size, self.responses.matrices.shape[2] * Q * Q))
        for first in range(0, len(self.weights), step):
            rows = slice(first, first + step)
            eta = self.model.eta(theta, rows)
            tables = self._table[self.responses.device[rows]].transpose(1, 2, 0) if every else [self._given[:, rows]]
            yield rows, [self.point(eta, a) for a in tables]

    def derivatives(self, theta: Floats) -> Derivatives:
        """Return the value with its gradient and Hessian; searches and standard errors ask for them several times."""
        key, size = theta.tobytes(), self.model.size
        if key in self._last:
            return self._last[key]
        total, gradient, hessian = 0.0, np.zeros(size), np.zeros((size, size))
        for rows, [(_, value, u, h)] in self._points(theta):
            w = self.weights[rows]
            total += float(np.sum(w * value))
            if not np.isfinite(total):
                total = -np.inf
                break
            gradient += self.model.gradient(u * w, rows)
            hessian += self.model.hessian(h * w, rows)
        self._last.clear()
        self._last[key] = Derivatives(total, gradient, hessian)
        return self._last[key]

    def scores(self, theta: Floats) -> Floats:
        """Return the gradient of each row without its weight, shape (n, coefficients)."""
        return np.concatenate([self.model.gradients(u, rows) for rows, [(_, _, u, _)] in self._points(theta)])

    def expected(self, theta: Floats) -> Floats:
        """Return the expected information ``sum_i w_i sum_z L_z s_z s_z^T``, or the Hessian of a corrected loss."""
        if self.is_corrected:
            return -self.derivatives(theta).hessian
        found = np.zeros((self.model.size, self.model.size))
        for rows, points in self._points(theta, every=True):
            h = sum(np.maximum(L, 0.0) * (u[:, None] * u) for L, _, u, _ in points)
            found += self.model.hessian(self.weights[rows] * h, rows)
        return found

    def device_noise(self, theta: Floats, factors: Floats) -> Floats:
        """Return ``sum_i factor_i Cov(score_i | truth_i)``, where each covariance has an unbiased estimate.

        Let C_x be the covariance of the score over the device, given truth x. Since xhat is unbiased for the indicator
        of the truth, ``sum_x xhat_x C_x`` has expectation C_x for a row with truth x. Scores are evaluated at theta.
        """
        xhat, found = self.responses.debiased(), np.zeros((self.model.size, self.model.size))
        for rows, points in self._points(theta, every=True):
            P = self.responses.matrices[self.responses.device[rows]]  # (n, m, k)
            u = np.stack([each for _, _, each, _ in points])
            mean = np.einsum("nzx,zqn->xqn", P, u)
            square = np.einsum("nzx,zqn,zrn->xqrn", P, u, u)
            h = np.einsum("nx,xqrn->qrn", xhat[rows], square - mean[:, :, None] * mean[:, None, :])
            found += self.model.hessian(h * factors[rows], rows)
        return found
