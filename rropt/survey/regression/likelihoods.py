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

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from rropt.survey.regression.models import Floats, Model, Responses

_BLOCK_ENTRIES = 1 << 19  # entries of the largest array of a block: 4 MB, which stay in the cache


@dataclass(frozen=True, slots=True)
class Derivatives:
    """The value, gradient and Hessian at a point; the value is minus infinity where a probability is not positive."""

    value: float
    gradient: Floats
    hessian: Floats


@dataclass(frozen=True)
class Objective:
    """A weighted log-likelihood, or minus a corrected loss.

    Attributes:
        model: the model of the truth.
        responses: the responses of its rows.
        weights: the weight of each row.
        is_corrected: whether it is minus the corrected loss.
    """

    model: Model
    responses: Responses
    weights: Floats
    is_corrected: bool = False
    _last: dict[bytes, Derivatives] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def _table(self) -> Floats:
        """The probabilities (or the column of the inverse) of each response of a device, shape (devices, m, k)."""
        return self.responses.inverses.swapaxes(1, 2) if self.is_corrected else self.responses.matrices

    @cached_property
    def _given(self) -> Floats:
        """The row of the table for each row's response, shape (k, n)."""
        return np.ascontiguousarray(self._table[self.responses.device, self.responses.answer].T)

    def blocks(self) -> Iterator[slice]:
        """Iterate over blocks of rows that are small enough for the memory."""
        Q = len(self.model.blocks)
        step = max(1, _BLOCK_ENTRIES // max(self.model.size, self.responses.categories * Q * Q))
        for first in range(0, self.model.rows, step):
            yield slice(first, first + step)

    def _point(self, eta: Floats, rows: slice, a: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Return L, log L, u and h of some rows; of the corrected loss, L is 1."""
        if self.is_corrected:
            if self.model.name == "linear":
                gap = a[1] - eta[0]
                return np.ones_like(gap), -0.5 * gap * gap, gap[None], -np.ones((1, 1, len(gap)))
            q = self.model.cells(eta, rows)[0][1:]
            top = np.maximum(eta.max(axis=0), 0.0)
            total = np.exp(-top) + np.exp(eta - top).sum(axis=0)
            value = (a[1:] * eta).sum(axis=0) - top - np.log(total)
            return np.ones_like(value), value, a[1:] - q, _square(q) - np.eye(len(q))[:, :, None] * q
        q, J, H = self.model.cells(eta, rows)
        L = np.einsum("xn,xn->n", a, q)
        safe = np.where(L > 0, L, 1.0)
        u = np.einsum("xn,xqn->qn", a, J) / safe
        h = np.einsum("xn,xqrn->qrn", a, H) / safe - _square(u)
        is_inside = (L > 0) & (q >= 0).all(axis=0)  # thresholds that do not increase give negative probabilities
        return L, np.where(is_inside, np.log(safe), -np.inf), u, h

    def _points(self, theta: Floats) -> Iterator[tuple[slice, tuple[Floats, Floats, Floats, Floats]]]:
        """Iterate over blocks of rows, with L, log L, u and h of each."""
        for rows in self.blocks():
            yield rows, self._point(self.model.eta(theta, rows), rows, self._given[:, rows])

    def derivatives(self, theta: Floats) -> Derivatives:
        """Return the value with its gradient and Hessian; searches and standard errors ask for them several times."""
        key, size = theta.tobytes(), self.model.size
        if key in self._last:
            return self._last[key]
        total, gradient, hessian = 0.0, np.zeros(size), np.zeros((size, size))
        for rows, (_, value, u, h) in self._points(theta):
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
        return np.concatenate([self.model.gradients(u, rows) for rows, (_, _, u, _) in self._points(theta)])

    def outer(self, theta: Floats) -> Floats:
        """Return ``sum_i w_i s_i s_i^T``, where s_i is the gradient of row i."""
        return self._sum((rows, _square(u) * self.weights[rows]) for rows, (_, _, u, _) in self._points(theta))

    def _sum(self, parts: Iterable[tuple[slice, Floats]]) -> Floats:
        """Return the sum of ``B_q' diag(h_qr) B_r`` over blocks of rows and their h."""
        found = np.zeros((self.model.size, self.model.size))
        for rows, h in parts:
            found += self.model.hessian(h, rows)
        return found

    def _every(self, theta: Floats) -> Iterator[tuple[slice, Floats, Floats]]:
        """Yield blocks of rows with their L, shape (m, rows), and u, shape (m, Q, rows), for each possible response."""
        for rows in self.blocks():
            eta, tables = self.model.eta(theta, rows), self._table[self.responses.device[rows]]
            points = [self._point(eta, rows, a) for a in tables.transpose(1, 2, 0)]
            yield rows, np.stack([L for L, _, _, _ in points]), np.stack([u for _, _, u, _ in points])

    def expected(self, theta: Floats) -> Floats:
        """Return the expected information ``sum_i w_i sum_z L_z s_z s_z^T``, or the Hessian of a corrected loss."""
        if self.is_corrected:
            return -self.derivatives(theta).hessian
        return self._sum(
            (rows, np.einsum("zn,zqn,zrn->qrn", np.maximum(L, 0.0) * self.weights[rows], u, u))
            for rows, L, u in self._every(theta)
        )

    def device_noise(self, theta: Floats, factors: Floats) -> Floats:
        """Return ``sum_i factor_i Cov(score_i | truth_i)``, where each covariance has an unbiased estimate.

        Let C_x be the covariance of the score over the device, given truth x. Since xhat is unbiased for the indicator
        of the truth, ``sum_x xhat_x C_x`` has expectation C_x for a row with truth x. Scores are evaluated at theta.
        """
        xhat = self.responses.debiased()

        def covariances(rows: slice, u: Floats) -> Floats:
            P = self.responses.matrices[self.responses.device[rows]]  # (n, m, k)
            mean = np.einsum("nzx,zqn->xqn", P, u)
            square = np.einsum("nzx,zqn,zrn->xqrn", P, u, u)
            found: Floats = np.einsum("nx,xqrn->qrn", xhat[rows], square - mean[:, :, None] * mean[:, None, :])
            return found

        return self._sum((rows, covariances(rows, u) * factors[rows]) for rows, _, u in self._every(theta))


def _square(u: Floats) -> Floats:
    """Return ``u u'`` of each row, for u of shape (Q, rows)."""
    return np.multiply(u[:, None], u[None])
