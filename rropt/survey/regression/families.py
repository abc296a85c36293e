r"""Families: the probabilities of the categories as functions of linear predictors, with two derivatives.

A row has q linear predictors eta, each linear in the parameters. A family returns ``pi(eta)``, shape (k,), with the
Jacobian J (k, q) and the Hessians K (k, q, q). Let a be the row of the mechanism's matrix for the given response, that
is, a_x = Pr(response | truth x). The log-likelihood of the row is ``l = log(a . pi)``, with

    ``grad l = a J / (a . pi)``,  ``Hess l = a K / (a . pi) - grad l grad l^T``.

The expected information is ``sum_z (a_z J)(a_z J)^T / (a_z . pi)`` over the responses z of the row's device. Every
device is a matrix of numbers; for direct questioning a is a unit vector. The families do not depend on the device.

Families: logit, probit and linear (k = 2, q = 1); ordinal-logit and ordinal-probit (cumulative: ``Pr(X <= j) =
F(kappa_j - x.b)``, q = k - 1); multinomial (logit against category 0, q = k - 1); and a randomized covariate
(``Covariate``), for which k is the number of latent categories.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_SQRT_2PI = np.sqrt(2 * np.pi)


def link(name: str, t: Floats) -> tuple[Floats, Floats, Floats]:
    """Return F, its density f and f' at t for the link ``logit``, ``probit`` or ``linear``."""
    if name == "logit":
        tail = np.exp(-np.abs(t))
        below = tail / (1 + tail)
        F = np.where(t >= 0, 1 / (1 + tail), below)
        f = tail / (1 + tail) ** 2
        return F, f, -f * np.sign(t) * (1 - tail) / (1 + tail)
    if name == "probit":
        from scipy.special import ndtr

        f = np.exp(-0.5 * t * t) / _SQRT_2PI
        return ndtr(t), f, -t * f
    return t, np.ones_like(t), np.zeros_like(t)


def inverse_link(name: str, p: float) -> float:
    """Return the t with F(t) = p."""
    if name == "logit":
        return float(np.log(p / (1 - p)))
    if name == "probit":
        from scipy.special import ndtri

        return float(ndtri(p))
    return p


class Family(Protocol):
    """The interface of a family."""

    @property
    def categories(self) -> int:
        """The number k of categories."""

    @property
    def predictors(self) -> int:
        """The number q of linear predictors."""

    def probabilities(self, eta: Floats) -> Floats:
        """Return the probabilities pi, shape (n, k)."""

    def derivatives(self, eta: Floats) -> tuple[Floats, Floats, Floats]:
        """Return pi, shape (n, k), its Jacobian J (n, k, q) and its Hessians K (n, k, q, q)."""

    def at(self, rows: slice) -> Family:
        """Return the family of some rows; only ``Covariate`` differs between rows."""


@dataclass(frozen=True, slots=True)
class Binary:
    """A variable with two categories: ``Pr(X = 1) = F(eta)``."""

    name: str
    categories: int = 2
    predictors: int = 1

    def probabilities(self, eta: Floats) -> Floats:
        """Return the probabilities pi, shape (n, 2)."""
        t = eta[:, 0]
        if self.name == "linear":
            return np.stack([1 - t, t], axis=1)
        return np.stack([link(self.name, -t)[0], link(self.name, t)[0]], axis=1)  # both links are symmetric

    def derivatives(self, eta: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the probabilities pi, their Jacobian J and their Hessians K."""
        _, f, slope = link(self.name, eta[:, 0])
        return (
            self.probabilities(eta),
            np.stack([-f, f], axis=1)[:, :, None],
            np.stack([-slope, slope], axis=1)[:, :, None, None],
        )

    def at(self, rows: slice) -> Binary:
        """Return the family itself, which is the same for all rows."""
        return self


@dataclass(frozen=True, slots=True)
class Ordinal:
    """A variable with ordered categories: ``Pr(X <= j) = F(eta_j)``, where ``eta_j = kappa_j - x.b`` increases in j."""

    name: str
    categories: int

    @property
    def predictors(self) -> int:
        """The number of linear predictors, q = k - 1."""
        return self.categories - 1

    def probabilities(self, eta: Floats) -> Floats:
        """Return the probabilities pi; some are negative if the thresholds are not in increasing order."""
        low, high = link(self.name, eta)[0], link(self.name, -eta)[0]
        found = np.empty((len(eta), self.categories))
        found[:, 0], found[:, -1] = low[:, 0], high[:, -1]
        for j in range(1, self.categories - 1):  # subtract in the tail with the smaller numbers, for accuracy
            found[:, j] = np.where(eta[:, j - 1] > 0, high[:, j - 1] - high[:, j], low[:, j] - low[:, j - 1])
        return found

    def derivatives(self, eta: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the probabilities pi, their Jacobian J and their Hessians K."""
        n, q = eta.shape
        _, f, slope = link(self.name, eta)
        J, K = np.zeros((n, self.categories, q)), np.zeros((n, self.categories, q, q))
        for j in range(q):
            J[:, j, j], J[:, j + 1, j] = f[:, j], -f[:, j]
            K[:, j, j, j], K[:, j + 1, j, j] = slope[:, j], -slope[:, j]
        return self.probabilities(eta), J, K

    def at(self, rows: slice) -> Ordinal:
        """Return the family itself, which is the same for all rows."""
        return self


@dataclass(frozen=True, slots=True)
class Multinomial:
    """A variable with unordered categories: ``Pr(X = j)`` is proportional to ``exp(eta_j)``, with ``eta_0 = 0``."""

    categories: int

    @property
    def predictors(self) -> int:
        """The number of linear predictors, q = k - 1."""
        return self.categories - 1

    def probabilities(self, eta: Floats) -> Floats:
        """Return the probabilities pi, shape (n, k)."""
        full = np.concatenate([np.zeros((len(eta), 1)), eta], axis=1)
        weights = np.exp(full - full.max(axis=1, keepdims=True))
        found: Floats = weights / weights.sum(axis=1, keepdims=True)
        return found

    def derivatives(self, eta: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the probabilities pi, their Jacobian ``J_xj = pi_x (1[x = j] - pi_j)`` and their Hessians K."""
        pi = self.probabilities(eta)
        own = np.eye(self.categories)[:, 1:] - pi[:, None, 1:]  # (n, k, q)
        J = pi[:, :, None] * own
        spread = np.einsum("nj,jl->njl", pi[:, 1:], np.eye(self.predictors)) - np.einsum(
            "nj,nl->njl", pi[:, 1:], pi[:, 1:]
        )
        K = pi[:, :, None, None] * (own[:, :, :, None] * own[:, :, None, :] - spread[:, None])
        return pi, J, K

    def at(self, rows: slice) -> Multinomial:
        """Return the family itself, which is the same for all rows."""
        return self


@dataclass(frozen=True, slots=True)
class Covariate:
    """A latent binary covariate x, reported through a device, in the regression of an outcome.

    With ``eta = (gamma.w, b.x at x = 0, b.x at x = 1)``, ``pi_x = Pr(x | w) f(y | eta_{1 + x})``, where
    ``Pr(x = 1 | w)`` is a logit model. The outcome has one of two forms:

    * ``logit`` or ``probit``: a binary outcome, which may also be reported through a device. ``outcome``, shape (n, 2),
      contains the row of that device's matrix for the given response.
    * ``linear``: a normal outcome with ``eta_3 = log sigma``. ``outcome``, shape (n, 1), contains its values.
    """

    name: str
    outcome: Floats
    categories: int = 2

    @property
    def predictors(self) -> int:
        """The number q of linear predictors: 4 for the linear model, otherwise 3."""
        return 4 if self.name == "linear" else 3

    def probabilities(self, eta: Floats) -> Floats:
        """Return the probabilities (densities) pi, shape (n, 2)."""
        return self.derivatives(eta)[0]

    def derivatives(self, eta: Floats) -> tuple[Floats, Floats, Floats]:
        """Return pi, its Jacobian J and its Hessians K."""
        n, q = len(eta), self.predictors
        F, f, slope = link("logit", eta[:, 0])
        prior = ((link("logit", -eta[:, 0])[0], -f, -slope), (F, f, slope))
        pi, J, K = np.empty((n, 2)), np.zeros((n, 2, q)), np.zeros((n, 2, q, q))
        for x, (p, dp, ddp) in enumerate(prior):
            at = 1 + x
            if self.name == "linear":
                e = (self.outcome[:, 0] - eta[:, at]) * np.exp(-eta[:, 3])
                density = np.exp(-0.5 * e * e - eta[:, 3]) / _SQRT_2PI
                mean, log_sigma = e * np.exp(-eta[:, 3]), e * e - 1  # derivatives of log density
                d_mm = -np.exp(-2 * eta[:, 3]) + mean**2
                d_ms = -2 * mean + mean * log_sigma
                d_ss = -2 * e * e + log_sigma**2
                J[:, x, 3], K[:, x, 3, 3] = p * density * log_sigma, p * density * d_ss
                K[:, x, at, 3] = K[:, x, 3, at] = p * density * d_ms
                K[:, x, 0, 3] = K[:, x, 3, 0] = dp * density * log_sigma
                first, second = density * mean, density * d_mm
            else:
                G, g, bend = link(self.name, eta[:, at])
                no, yes = self.outcome[:, 0], self.outcome[:, 1]
                density = no * link(self.name, -eta[:, at])[0] + yes * G
                first, second = (yes - no) * g, (yes - no) * bend
            pi[:, x] = p * density
            J[:, x, 0], J[:, x, at] = dp * density, p * first
            K[:, x, 0, 0], K[:, x, at, at] = ddp * density, p * second
            K[:, x, 0, at] = K[:, x, at, 0] = dp * first
        return pi, J, K

    def at(self, rows: slice) -> Covariate:
        """Return the family of some rows."""
        return Covariate(self.name, self.outcome[rows])


@dataclass(frozen=True, slots=True)
class Predictors:
    """Linear predictors as functions of the parameters: ``eta_j = sum over its parts of sign * X_part theta_part``.

    Attributes:
        X: the matrices, each of shape (n, columns).
        parts: the parts of each predictor, as (matrix, sign, index of the first parameter); a part uses all columns of
            its matrix and as many consecutive parameters.
        size: the number of parameters.
    """

    X: tuple[Floats, ...]
    parts: tuple[tuple[tuple[int, float, int], ...], ...]
    size: int

    def eta(self, theta: Floats, rows: slice) -> Floats:
        """Return the linear predictors eta, shape (n, q)."""
        columns = []
        for own in self.parts:
            total: Floats | float = 0.0
            for matrix, sign, first in own:
                X = self.X[matrix]
                total = total + sign * (X[rows] @ theta[first : first + X.shape[1]])
            columns.append(np.asarray(total))
        return np.stack(columns, axis=1)

    def gradient(self, values: Floats, rows: slice) -> Floats:
        """Return the gradient in the parameters, summed over rows, from derivatives in eta, shape (n, q)."""
        found = np.zeros(self.size)
        for j, own in enumerate(self.parts):
            for matrix, sign, first in own:
                X = self.X[matrix]
                found[first : first + X.shape[1]] += sign * (X[rows].T @ values[:, j])
        return found

    def hessian(self, values: Floats, rows: slice) -> Floats:
        """Return the Hessian in the parameters, summed over rows, from second derivatives in eta, shape (n, q, q)."""
        found = np.zeros((self.size, self.size))
        for j, left in enumerate(self.parts):
            for m, right in enumerate(self.parts):
                if m < j or not values[:, j, m].any():
                    continue
                for one, sign, at in left:
                    A = self.X[one]
                    scaled = A[rows] * (sign * values[:, j, m])[:, None]
                    for other, sign_of, to in right:
                        B = self.X[other]
                        block = sign_of * (scaled.T @ B[rows])
                        found[at : at + A.shape[1], to : to + B.shape[1]] += block
                        if m != j:
                            found[to : to + B.shape[1], at : at + A.shape[1]] += block.T
        return found

    def scores(self, values: Floats, rows: slice) -> Floats:
        """Return the gradient of each row in the parameters, shape (n, size)."""
        found = np.zeros((len(values), self.size))
        for j, own in enumerate(self.parts):
            for matrix, sign, first in own:
                X = self.X[matrix]
                found[:, first : first + X.shape[1]] += sign * X[rows] * values[:, j, None]
        return found

    @property
    def rows(self) -> int:
        """The number n of rows."""
        return len(self.X[0])


def binary_predictors(X: Floats) -> Predictors:
    """Return the predictors ``eta = X b`` of a binary model."""
    return Predictors((X,), (((0, 1.0, 0),),), X.shape[1])


def ordinal_predictors(X: Floats, categories: int) -> Predictors:
    """Return the predictors ``eta_j = kappa_j - X b`` of an ordinal model; the parameters are b, then kappa."""
    p = X.shape[1]
    parts = tuple(((0, -1.0, 0), (1, 1.0, p + j)) for j in range(categories - 1))
    return Predictors((X, np.ones((len(X), 1))), parts, p + categories - 1)


def multinomial_predictors(X: Floats, categories: int) -> Predictors:
    """Return the predictors ``eta_j = X b_j`` of a multinomial model; the parameters are b_1, ..., b_{k-1}."""
    p = X.shape[1]
    return Predictors((X,), tuple(((0, 1.0, j * p),) for j in range(categories - 1)), p * (categories - 1))


def covariate_predictors(X: Floats, effects: Floats, W: Floats, *, is_linear: bool) -> Predictors:
    """Return the predictors of ``Covariate``; the parameters are b, the effects of x, gamma, and log sigma.

    Args:
        X: the columns that do not involve x.
        effects: the columns that x multiplies; a column of ones gives its main effect.
        W: the covariates of the model of x.
        is_linear: whether the model has a standard deviation sigma.
    """
    p, r, s = X.shape[1], effects.shape[1], W.shape[1]
    parts: Sequence[tuple[tuple[int, float, int], ...]] = (
        ((2, 1.0, p + r),),
        ((0, 1.0, 0),),
        ((0, 1.0, 0), (1, 1.0, p)),
        *((((3, 1.0, p + r + s),),) if is_linear else ()),
    )
    return Predictors((X, effects, W, np.ones((len(X), 1))), tuple(parts), p + r + s + is_linear)
