r"""Models of the truth: the probabilities of its categories as functions of linear predictors, with two derivatives.

A row has Q linear predictors ``eta_q = B_q theta``. A model is a function that returns the probabilities q_x(eta) of
the k categories, their Jacobian J (k, Q) and their Hessians H (k, Q, Q). In all arrays the rows stand last, so that
each operation runs over contiguous numbers.

* binary (logit, probit, linear): k = 2, Q = 1, ``q_1 = F(eta)``.
* ordinal (ordinal-logit, ordinal-probit): ``Pr(X <= j) = F(eta_j)`` with ``eta_j = kappa_j - x.b``, Q = k - 1.
* multinomial: logits against category 0, Q = k - 1.
* a covariate that is itself a randomized response, with latent truth x: ``q_x = Pr(x | w) f(y | eta_{1 + x})``, where
  ``Pr(x = 1 | w)`` is a logit model and f the model of the outcome y.

The probability of a response z is ``sum_x P[z, x] q_x(eta)`` with P the matrix of the row's device. Models do not
depend on the device.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Cells = Callable[[Floats, slice], tuple[Floats, Floats, Floats]]

_SQRT_2PI = np.sqrt(2 * np.pi)


@dataclass(frozen=True, slots=True)
class Responses:
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

    @property
    def categories(self) -> int:
        """The number k of categories."""
        return int(self.matrices.shape[2])

    def rows(self) -> Floats:
        """Return the probabilities of each row's response given each true category, shape (n, k)."""
        found: Floats = self.matrices[self.device, self.answer]
        return found

    def debiased(self) -> Floats:
        """Return the unbiased estimates xhat of each row's true category, shape (n, k)."""
        found: Floats = self.inverses[self.device, :, self.answer]
        return found

    def are_direct(self) -> bool:
        """Return whether all rows were asked directly: the log-likelihoods of logit and probit models are concave."""
        used = self.matrices[np.unique(self.device)]
        return bool(((used == 0) | (used == 1)).all())

    def where(self, chosen: NDArray[np.bool_] | Ints) -> Responses:
        """Return the responses of the chosen rows."""
        return Responses(self.matrices, self.inverses, self.device[chosen], self.answer[chosen])


@dataclass(frozen=True, slots=True)
class Model:
    """A model of the truth for some rows.

    Attributes:
        name: the name of the model.
        cells: the probabilities of the categories with their derivatives, from eta, shape (Q, rows), and the rows.
        blocks: for each linear predictor its matrix B and the places of its coefficients.
        size: the number of coefficients.
    """

    name: str
    cells: Cells
    blocks: tuple[tuple[Floats, Ints], ...]
    size: int

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.blocks[0][0])

    def eta(self, theta: Floats, rows: slice) -> Floats:
        """Return the linear predictors, shape (Q, rows)."""
        return np.stack([B[rows] @ theta[places] for B, places in self.blocks])

    def gradients(self, u: Floats, rows: slice) -> Floats:
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


def inverse_link(name: str, p: Floats) -> Floats:
    """Return the t with F(t) = p."""
    if name == "probit":
        from scipy.special import ndtri

        return np.asarray(ndtri(p), np.float64)
    return np.log(p / (1 - p)) if name == "logit" else p


def binary(name: str, X: Floats) -> Model:
    """Return the model ``Pr(X = 1) = F(x.b)``."""

    def cells(eta: Floats, rows: slice) -> tuple[Floats, Floats, Floats]:
        F, G, f, slope = link(name, eta[0])
        return np.stack([G, F]), np.stack([-f, f])[:, None], np.stack([-slope, slope])[:, None, None]

    return Model(name, cells, ((X, np.arange(X.shape[1])),), X.shape[1])


def ordinal(name: str, X: Floats, k: int) -> Model:
    """Return the model ``Pr(X <= j) = F(kappa_j - x.b)``; the coefficients are b, then kappa.

    Some probabilities are negative if the thresholds do not increase.
    """
    p = X.shape[1]
    link_name = name.removeprefix("ordinal-")

    def cells(eta: Floats, rows: slice) -> tuple[Floats, Floats, Floats]:
        Q, n = eta.shape
        low, high, f, slope = link(link_name, eta)
        q, J, H = np.empty((k, n)), np.zeros((k, Q, n)), np.zeros((k, Q, Q, n))
        q[0], q[-1] = low[0], high[-1]
        # subtract in the tail with the smaller numbers, for accuracy
        q[1:-1] = np.where(eta[:-1] > 0, high[:-1] - high[1:], low[1:] - low[:-1])
        for j in range(Q):
            J[j, j], J[j + 1, j] = f[j], -f[j]
            H[j, j, j], H[j + 1, j, j] = slope[j], -slope[j]
        return q, J, H

    B = np.column_stack([-X, np.ones(len(X))])
    return Model(name, cells, tuple((B, np.r_[:p, p + j]) for j in range(k - 1)), p + k - 1)


def multinomial(X: Floats, k: int) -> Model:
    """Return the model with ``Pr(X = j)`` proportional to ``exp(x.b_j)`` and ``b_0 = 0``."""
    p = X.shape[1]

    def cells(eta: Floats, rows: slice) -> tuple[Floats, Floats, Floats]:
        full = np.concatenate([np.zeros((1, eta.shape[1])), eta])
        q = np.exp(full - full.max(axis=0))
        q /= q.sum(axis=0)
        own = np.eye(k)[:, 1:, None] - q[None, 1:]
        spread = np.eye(k - 1)[:, :, None] * q[1:] - q[1:, None] * q[None, 1:]
        return q, q[:, None] * own, q[:, None, None] * (own[:, :, None] * own[:, None, :] - spread)

    return Model("multinomial", cells, tuple((X, np.arange(p) + j * p) for j in range(k - 1)), p * (k - 1))


def model_of(name: str, X: Floats, k: int) -> Model:
    """Return the model of k categories with these covariates."""
    if name.startswith("ordinal"):
        return ordinal(name, X, k)
    return multinomial(X, k) if name == "multinomial" else binary(name, X)


def latent_covariate(name: str, X: Floats, effects: Floats, outcome: Floats, unit: float = 1.0) -> Model:
    """Return the model of an outcome with a latent covariate x; the coefficients are b, effects, gamma, log sigma.

    Args:
        name: ``logit`` or ``probit`` for a yes-or-no outcome, ``linear`` for a normal one with deviation sigma.
        X: the columns that do not involve x; they are the covariates of the logit model of x too.
        effects: the columns that x multiplies; a column of ones gives its main effect.
        outcome: for ``linear`` the values in multiples of ``unit``, shape (n, 1); otherwise the row of the outcome's
            device for the given response, shape (n, 2). With the rows (0, 1) the sum of the cells is the mean outcome.
        unit: the unit of the outcome.
    """
    p, r = X.shape[1], effects.shape[1]
    is_number = outcome.shape[1] == 1

    def density(eta: Floats, rows: slice, x: int) -> tuple[Floats, Floats, Floats]:
        """Return f(y | eta_{1 + x}) with its gradient and Hessian in eta."""
        (Q, n), at, y = eta.shape, 1 + x, outcome[rows].T
        slope, bend = np.zeros((Q, n)), np.zeros((Q, Q, n))
        if not is_number:
            F, G, f, df = link(name, eta[at])
            slope[at], bend[at, at] = (y[1] - y[0]) * f, (y[1] - y[0]) * df
            return y[0] * G + y[1] * F, slope, bend
        small = np.exp(-eta[3])
        e = (y[0] - eta[at]) * small
        value = np.exp(-0.5 * e * e) * small / (_SQRT_2PI * unit)
        slope[at], slope[3] = value * e * small, value * (e * e - 1)
        bend[at, at], bend[3, 3] = value * (e * e - 1) * small**2, value * ((e * e - 1) ** 2 - 2 * e * e)
        bend[3, at] = bend[at, 3] = value * e * (e * e - 3) * small
        return value, slope, bend

    def cells(eta: Floats, rows: slice) -> tuple[Floats, Floats, Floats]:
        F, G, f, df = link("logit", eta[0])
        parts = []
        for x, (prior, first, second) in enumerate(((G, -f, -df), (F, f, df))):
            value, slope, bend = density(eta, rows, x)
            J, H = prior * slope, prior * bend
            J[0], H[0, 0] = first * value, second * value
            H[0, 1:] = H[1:, 0] = first * slope[1:]
            parts.append((prior * value, J, H))
        q, J, H = (np.stack(each) for each in zip(*parts, strict=True))
        return q, J, H

    blocks = [(X, np.arange(p + r, 2 * p + r)), (X, np.arange(p)), (np.hstack([X, effects]), np.arange(p + r))]
    if is_number:
        blocks.append((np.ones((len(X), 1)), np.array([2 * p + r])))
    return Model(name, cells, tuple(blocks), 2 * p + r + (name == "linear"))
