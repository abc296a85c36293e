r"""Models of the truth, and the likelihood of randomized responses: their values with two exact derivatives.

*Models.* A model gives the probabilities of the categories as functions of linear predictors.

A row has Q linear predictors ``eta_q = B_q theta``. A model is a function that returns the probabilities q_x(eta) of
the k categories, their Jacobian J (k, Q) and their Hessians H (k, Q, Q). In all arrays the rows stand last, so that
each operation runs over contiguous numbers.

* binary (logit, probit, linear): k = 2, Q = 1, ``q_1 = F(eta)``.
* ordinal (ordinal-logit, ordinal-probit): ``Pr(X <= j) = F(eta_j)`` with ``eta_j = kappa_j - x.b``, Q = k - 1.
* multinomial: logits against category 0, Q = k - 1.
* a covariate that is itself a randomized response, with latent truth x, and the truth y of the outcome: categories
  (x, y) in the order 00, 01, 10, 11 with ``q_xy = Pr(x | w) Pr(y | eta_{1 + x})``, where ``Pr(x = 1 | w)`` is a logit
  model. If the outcome is a number y, the categories are those of x, and its density replaces ``Pr(y | eta)``.

The probability of a response z is ``sum_x P[z, x] q_x(eta)`` with P the matrix of the row's device. Models do not
depend on the device.

*Likelihood.* Row i has the log-likelihood ``log L_i`` with ``L_i = sum_x a_ix q_x(eta_i)`` and ``a_ix = P[z_i, x]`` of
its device. With ``u_q = sum_x a_x J_xq / L`` and ``h_qr = sum_x a_x H_xqr / L - u_q u_r``, the score of the row is
``sum_q u_q B_q`` and the observed information is ``-sum_i w_i sum_qr h_qr B_q' B_r``.

*Corrected loss.* It replaces the unknown truth by its unbiased estimate ``xhat``, the column of its response in the
left inverse of the row's device: minus it is ``sum_i w_i sum_x xhat_ix log q_x(eta_i)``. Its expectation over the
device is that of the truth. For the logit and the multinomial model it is concave, since ``sum_x xhat_x = 1``. For the
linear model it is minus half the sum of squares of ``xhat_1 - eta``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.typing import NDArray

from rropt.answers.response_codes import MISSING
from rropt.core.errors import FileFormatError
from rropt.mechanisms import Mechanism
from rropt.mechanisms.left_inverse import left_inverse

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Cells = Callable[[Floats], tuple[Floats, Floats, Floats]]

_SQRT_2PI = np.sqrt(2 * np.pi)
_ALL = slice(None)


@dataclass(frozen=True, slots=True)
class DeviceResponses:
    """The randomized responses of some rows.

    Attributes:
        matrices: the matrix P of each device, shape (devices, m, k); devices with fewer outputs have rows of zeros.
        inverses: the left inverses of the matrices, shape (devices, k, m).
        device, answer: the device and the response of each row; a missing response, -1, is in no likelihood.
    """

    matrices: Floats
    inverses: Floats
    device: Ints
    answer: Ints

    def with_outcome(self, other: DeviceResponses) -> DeviceResponses:
        """Return the pairs of these responses, which have one device, and those to a second question."""
        pairs = ((self.matrices, other.matrices), (self.inverses, other.inverses))
        matrices, inverses = (np.stack([np.kron(first[0], each) for each in second]) for first, second in pairs)
        return DeviceResponses(matrices, inverses, other.device, self.answer * other.matrices.shape[1] + other.answer)

    def debiased(self) -> Floats:
        """Return the unbiased estimates xhat of each row's true category, shape (n, k)."""
        found: Floats = self.inverses[self.device, :, self.answer]
        return found

    def contrast_weights(self, c: Floats) -> Floats | None:
        """Return the weights L of the responses to each device that estimate a contrast, shape (devices, m).

        They are those of ``contrast_weights``; ``None`` if the devices together do not determine the contrast.
        """
        used = np.unique(self.device)
        n = np.bincount(self.device, minlength=len(self.matrices)).astype(np.float64)
        P = self.matrices[used]
        variance = P.sum(axis=2) / (P.shape[2] * n[used, None])
        scaled = np.divide(P, variance[:, :, None], out=np.zeros_like(P), where=variance[:, :, None] > 0)
        M = np.einsum("dzi,dzj->ij", scaled, P)
        mu = np.linalg.lstsq(M, c, rcond=1e-12)[0]  # singular values of the size of rounding count as zero
        # least squares leave a residual of the size of rounding if the devices determine the contrast
        if not np.allclose(M @ mu, c, rtol=0, atol=1e-9 * max(1.0, float(np.abs(c).max()))):
            return None
        found = np.zeros((len(self.matrices), P.shape[1]))
        found[used] = scaled @ mu
        return found

    def sums(self, weights: Floats) -> Floats:
        """Return the sums of the weights of each response to each device, shape (devices, m)."""
        found = np.zeros(self.matrices.shape[:2])
        np.add.at(found, (self.device, self.answer), weights)
        return found

    def of_contrast(self, table: Floats, weights: Floats) -> DeviceResponses:
        """Return these responses with unbiased estimates of a contrast, of which several devices give one together.

        With the weights L (``contrast_weights``) the estimates are ``R_i + m``, with ``R_i = (L_d[z_i] - l_d) W/W_d``
        and ``m = sum_d l_d``; l_d is the mean of L over the rows with device d, and W_d their weight. Where devices are
        assigned at random, their mean given covariates x is ``c . pi(x)``; their mean over each device is m.

        Returns:
            Responses with two categories and without matrices.
        """
        used, counts = np.unique(self.device), self.sums(weights)
        whole, L = counts[used].sum(axis=1), table[used]
        means = (L * counts[used]).sum(axis=1) / whole
        L = (L - means[:, None]) * (weights.sum() / whole)[:, None] + means.sum()
        inverses = np.zeros((len(self.matrices), 2, L.shape[1]))
        inverses[used] = np.stack([1 - L, L], axis=1)
        return DeviceResponses(np.zeros((len(self.matrices), L.shape[1], 2)), inverses, self.device, self.answer)

    def where(self, chosen: NDArray[np.bool_] | Ints) -> DeviceResponses:
        """Return the responses of the chosen rows."""
        return DeviceResponses(self.matrices, self.inverses, self.device[chosen], self.answer[chosen])


def device_responses(
    devices: Sequence[Mechanism], device: Ints, answer: Ints, *, is_contrast: bool = False
) -> DeviceResponses:
    """Return responses with the matrices of their devices.

    Args:
        devices: the devices, of the same categories.
        device, answer: the device and the response of each row.
        is_contrast: whether the devices determine the truth only together; their inverses are then 0.

    Raises:
        FileFormatError: a response is impossible under its device.
        InfeasibleError: a device does not identify the distribution of the categories.
    """
    k, outputs = devices[0].inputs, max(one.outputs for one in devices)
    matrices, inverses = np.zeros((len(devices), outputs, k)), np.zeros((len(devices), k, outputs))
    for place, one in enumerate(devices):
        matrices[place, : one.outputs] = one.matrix
        if not is_contrast:
            inverses[place, :, : one.outputs] = left_inverse(one, (Fraction(1, k),) * k)
    impossible = ~matrices[device, answer].any(axis=1) & (answer != MISSING)
    if impossible.any():
        raise FileFormatError(
            f"{int(impossible.sum())} responses are impossible under their device: received responses whose row of "
            "the matrix is zero; check the mechanism, the categories and the column of devices"
        )
    return DeviceResponses(matrices, inverses, device, answer)


@dataclass(frozen=True, slots=True)
class Model:
    """A model of the truth for some rows.

    Attributes:
        name: the name of the model.
        cells: the probabilities of the categories with their derivatives, from eta, shape (Q, rows).
        blocks: for each linear predictor its matrix B and the places of its coefficients.
        size: the number of coefficients.
        offset: numbers that are added to the linear predictors, shape (Q, n); ``None`` for 0.
    """

    name: str
    cells: Cells
    blocks: tuple[tuple[Floats, Ints], ...]
    size: int
    offset: Floats | None = None

    def eta(self, theta: Floats, rows: slice = _ALL) -> Floats:
        """Return the linear predictors, shape (Q, rows)."""
        found = np.stack([B[rows] @ theta[places] for B, places in self.blocks])
        return found if self.offset is None else found + self.offset[:, rows]

    def gradients(self, u: Floats, rows: slice = _ALL) -> Floats:
        """Return the derivative of each row in the coefficients from that in eta, shape (rows, size)."""
        found = np.zeros((u.shape[-1], self.size))
        for own, (B, places) in zip(u, self.blocks, strict=True):
            found[:, places] += B[rows] * own[:, None]
        return found

    def gradient(self, u: Floats, rows: slice) -> Floats:
        """Return the sum of the rows' derivatives in the coefficients."""
        found = np.zeros(self.size)
        for own, (B, places) in zip(u, self.blocks, strict=True):
            found[places] += own @ B[rows]
        return found

    def hessian(self, h: Floats, rows: slice) -> Floats:
        """Return ``sum_qr B_q' diag(h_qr) B_r``, for h of shape (Q, Q, rows)."""
        found = np.zeros((self.size, self.size))
        for q, (B, own) in enumerate(self.blocks):
            for r, (C, others) in enumerate(self.blocks[: q + 1]):
                if h[q, r].any():
                    part = (B[rows] * h[q, r][:, None]).T @ C[rows]
                    found[np.ix_(own, others)] += part
                    if r < q:
                        found[np.ix_(others, own)] += part.T
        return found


def link(name: str, t: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return F(t), F(-t), the density f and f' at t for the link ``logit``, ``probit`` or ``linear``."""
    if name == "logit":
        tail = np.exp(-np.abs(t))
        large = 1 / (1 + tail)
        small = tail * large
        F, G = np.where(t >= 0, large, small), np.where(t >= 0, small, large)
        f = large * small
        return F, G, f, f * (G - F)
    if name == "probit":
        from scipy.special import ndtr

        f = np.exp(-0.5 * t * t) / _SQRT_2PI
        return ndtr(t), ndtr(-t), f, -t * f
    return t, 1 - t, np.ones_like(t), np.zeros_like(t)


def model_of(name: str, X: Floats, k: int) -> Model:
    """Return the model of k categories with these covariates: one of the first three of this module.

    The coefficients of an ordinal model are b, then kappa; some probabilities are negative if kappa does not increase.
    """
    p = X.shape[1]
    if name.startswith("ordinal"):
        B = np.column_stack([-X, np.ones(len(X))])
        cells: Cells = partial(_ordinal, name.removeprefix("ordinal-"))
        return Model(name, cells, tuple((B, np.r_[:p, p + j]) for j in range(k - 1)), p + k - 1)
    cells = _multinomial if name == "multinomial" else partial(_binary, name)
    return Model(name, cells, tuple((X, np.arange(p) + j * p) for j in range(k - 1)), p * (k - 1))


def _binary(name: str, eta: Floats) -> tuple[Floats, Floats, Floats]:
    F, G, f, slope = link(name, eta[0])
    return np.stack([G, F]), np.stack([-f, f])[:, None], np.stack([-slope, slope])[:, None, None]


def _ordinal(name: str, eta: Floats) -> tuple[Floats, Floats, Floats]:
    Q, n = eta.shape
    low, high, f, slope = link(name, eta)
    J, H = np.zeros((Q + 1, Q, n)), np.zeros((Q + 1, Q, Q, n))
    # subtract in the tail with the smaller numbers, for accuracy
    inner = np.where(eta[:-1] > 0, high[:-1] - high[1:], low[1:] - low[:-1])
    for j in range(Q):
        J[j, j], J[j + 1, j] = f[j], -f[j]
        H[j, j, j], H[j + 1, j, j] = slope[j], -slope[j]
    return np.concatenate([low[:1], inner, high[-1:]]), J, H


def _multinomial(eta: Floats) -> tuple[Floats, Floats, Floats]:
    full = np.concatenate([np.zeros((1, eta.shape[1])), eta])
    q = np.exp(full - full.max(axis=0))
    q /= q.sum(axis=0)
    own = np.eye(len(q))[:, 1:, None] - q[None, 1:]
    spread = np.eye(len(eta))[:, :, None] * q[1:] - q[1:, None] * q[None, 1:]
    return q, q[:, None] * own, q[:, None, None] * (own[:, :, None] * own[:, None, :] - spread)


def latent_covariate(name: str, unit: float, X: Floats, effects: Floats, outcome: Floats | None = None) -> Model:
    """Return the model of an outcome with a latent covariate x; the coefficients are b, effects, gamma, log sigma.

    Args:
        name: ``logit`` or ``probit`` for a yes-or-no outcome; ``linear`` for a normal one with deviation sigma. Its
            mean eta takes the place of ``Pr(y = 1)`` if ``outcome`` is not given, for predictions.
        unit: the unit of a number.
        X: the columns that do not involve x; they are the covariates of the logit model of x too.
        effects: the columns that x multiplies; a column of ones gives its main effect.
        outcome: the numbers of a normal outcome in multiples of ``unit``.
    """
    (n, p), r = X.shape, effects.shape[1]

    def outcomes(eta: Floats, at: int) -> Iterator[tuple[Floats, Floats, Floats]]:
        """Yield the probability of each outcome with its gradient and Hessian in eta."""
        for sign in (-1, 1):
            F, G, f, df = link(name, eta[at])
            slope, bend = np.zeros_like(eta), np.zeros((len(eta), *eta.shape))
            slope[at], bend[at, at] = sign * f, sign * df
            yield (F if sign > 0 else G), slope, bend

    def densities(eta: Floats, at: int) -> Iterator[tuple[Floats, Floats, Floats]]:
        small = np.exp(-eta[3])
        e = -eta[at] * small
        value = np.exp(-0.5 * e * e) * small / (_SQRT_2PI * unit)
        slope, bend = np.zeros_like(eta), np.zeros((len(eta), *eta.shape))
        slope[at], slope[3] = value * e * small, value * (e * e - 1)
        bend[at, at], bend[3, 3] = value * (e * e - 1) * small**2, value * ((e * e - 1) ** 2 - 2 * e * e)
        bend[3, at] = bend[at, 3] = value * e * (e * e - 3) * small
        yield value, slope, bend

    def cells(eta: Floats) -> tuple[Floats, Floats, Floats]:
        F, G, f, df = link("logit", eta[0])
        parts = []
        for at, (prior, first, second) in enumerate(((G, -f, -df), (F, f, df)), 1):
            for value, slope, bend in (outcomes if outcome is None else densities)(eta, at):
                J, H = prior * slope, prior * bend
                J[0], H[0, 0] = first * value, second * value
                H[0, 1:] = H[1:, 0] = first * slope[1:]
                parts.append((prior * value, J, H))
        q, J, H = (np.stack(each) for each in zip(*parts, strict=True))
        return q, J, H

    blocks = ((X, np.arange(p + r, 2 * p + r)), (X, np.arange(p)), (np.hstack([X, effects]), np.arange(p + r)))
    size = 2 * p + r + (name == "linear")
    if outcome is None:
        return Model(name, cells, blocks, size)
    last = (np.ones((n, 1)), np.array([2 * p + r]))
    return Model(name, cells, (*blocks, last), size, np.outer([0, -1, -1, 0], outcome))


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

    def __init__(
        self, model: Model, responses: DeviceResponses, weights: Floats, *, is_corrected: bool = False
    ) -> None:
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
        found = np.empty((len(self.weights), self.model.size))
        for rows, [(_, _, u, _)] in self._points(theta):
            found[rows] = self.model.gradients(u, rows)
        return found

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
