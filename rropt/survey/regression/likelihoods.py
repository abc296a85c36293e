r"""The log-likelihood of randomized responses with its exact derivatives, and the corrected loss.

The log-likelihood is ``l(theta) = sum_i w_i log(a_i . pi(eta_i))`` (see ``families``). The corrected loss replaces the
unknown truth by its unbiased estimate ``xhat_i = L e_{z_i}``, where L is the left inverse of the row's device:

    ``c(theta) = -sum_i w_i sum_x xhat_ix log pi_x(eta_i)``.

Its expectation over the device is the loss for the truth. For a canonical link (logit, multinomial) the corrected loss
is convex, since ``sum_x xhat_x = 1``. For the linear model it is replaced by the least-squares loss of xhat.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rropt.survey.regression.families import Binary, Family, Floats, Multinomial, Predictors

Ints = NDArray[np.int64]
_BLOCK_ENTRIES = 1 << 22  # entries of the largest array of a block: 32 MB


@dataclass(frozen=True, slots=True)
class Responses:
    """The randomized responses of some rows.

    Attributes:
        matrices: the matrix P of each device, shape (devices, m, k); devices with fewer outputs have rows of zeros.
        inverses: the left inverses of the matrices, shape (devices, k, m).
        device, answer: the device and the response of each row.
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
        """Return a: the probabilities of each row's response given each true category, shape (n, k)."""
        found: Floats = self.matrices[self.device, self.answer]
        return found

    def debiased(self) -> Floats:
        """Return xhat: the unbiased estimates of each row's true category, shape (n, k)."""
        found: Floats = self.inverses[self.device, :, self.answer]
        return found

    def where(self, chosen: NDArray[np.bool_] | Ints) -> Responses:
        """Return the responses of the chosen rows."""
        return Responses(self.matrices, self.inverses, self.device[chosen], self.answer[chosen])


@dataclass(frozen=True, slots=True)
class Derivatives:
    """The value, gradient and Hessian at a point."""

    value: float
    gradient: Floats
    hessian: Floats


class Likelihood:
    """The weighted log-likelihood.

    Attributes:
        family, predictors: the family and the linear predictors of the model.
        a: Pr(response | truth) for each row, shape (n, k).
        weights: the weight of each row.
    """

    def __init__(self, family: Family, predictors: Predictors, responses: Responses, weights: Floats) -> None:
        self.family, self.predictors, self.responses, self.weights = family, predictors, responses, weights
        self.a = responses.rows()

    def blocks(self) -> Iterator[slice]:
        """Iterate over blocks of rows that are small enough for the memory."""
        width = max(sum(X.shape[1] for X in self.predictors.X), self.family.categories * self.family.predictors**2)
        step = max(1, _BLOCK_ENTRIES // width)
        for first in range(0, self.predictors.rows, step):
            yield slice(first, first + step)

    def value(self, theta: Floats) -> float:
        """Return the log-likelihood; minus infinity if a response has probability 0 or less."""
        total = 0.0
        for rows in self.blocks():
            pi = self.family.at(rows).probabilities(self.predictors.eta(theta, rows))
            chance = np.einsum("nx,nx->n", self.a[rows], pi)
            w = self.weights[rows]
            if not (chance[w > 0] > 0).all() or not np.isfinite(chance).all() or not (pi >= 0).all():
                return -np.inf  # thresholds that are not increasing give negative probabilities
            with np.errstate(divide="ignore"):
                total += float(np.sum(np.where(w > 0, w * np.log(np.where(w > 0, chance, 1.0)), 0.0)))
        return total

    def derivatives(self, theta: Floats) -> Derivatives:
        """Return the log-likelihood with its gradient and Hessian."""
        size = self.predictors.size
        total, gradient, hessian = 0.0, np.zeros(size), np.zeros((size, size))
        for rows in self.blocks():
            w = self.weights[rows]
            chance, first, second = self._parts(theta, rows)
            total += float(np.sum(w * np.log(np.where(w > 0, chance, 1.0))))
            second = second - first[:, :, None] * first[:, None, :]
            gradient += self.predictors.gradient(first * w[:, None], rows)
            hessian += self.predictors.hessian(second * w[:, None, None], rows)
        return Derivatives(total, gradient, hessian)

    def _parts(self, theta: Floats, rows: slice) -> tuple[Floats, Floats, Floats]:
        """Return ``a . pi``, ``a J / (a . pi)`` and ``a K / (a . pi)``."""
        pi, J, K = self.family.at(rows).derivatives(self.predictors.eta(theta, rows))
        a = self.a[rows]
        chance = np.einsum("nx,nx->n", a, pi)
        safe = np.where(self.weights[rows] > 0, chance, 1.0)
        first = np.einsum("nx,nxj->nj", a, J) / safe[:, None]
        second = np.einsum("nx,nxjl->njl", a, K) / safe[:, None, None]
        return chance, first, second

    def expected(self, theta: Floats) -> Floats:
        """Return the expected information ``sum_i w_i sum_z (a_z J)(a_z J)^T / (a_z . pi)``."""
        size = self.predictors.size
        found = np.zeros((size, size))
        for rows in self.blocks():
            pi, J, _ = self.family.at(rows).derivatives(self.predictors.eta(theta, rows))
            each = np.zeros((len(pi), J.shape[2], J.shape[2]))
            for z in range(self.responses.matrices.shape[1]):
                a = self.responses.matrices[self.responses.device[rows], z]
                chance = np.einsum("nx,nx->n", a, pi)
                slope = np.einsum("nx,nxj->nj", a, J)
                there = chance > 0
                own = slope / np.sqrt(np.where(there, chance, 1.0))[:, None] * there[:, None]
                each += own[:, :, None] * own[:, None, :]
            found += self.predictors.hessian(each * self.weights[rows][:, None, None], rows)
        return found

    def scores(self, theta: Floats) -> Floats:
        """Return the gradient of each row without its weight, shape (n, parameters)."""
        return np.concatenate(
            [self.predictors.scores(self._parts(theta, rows)[1], rows) for rows in self.blocks()], axis=0
        )

    def outer(self, theta: Floats) -> Floats:
        """Return ``sum_i w_i s_i s_i^T``, where s_i is the gradient of row i."""
        size = self.predictors.size
        found = np.zeros((size, size))
        for rows in self.blocks():
            s = self.predictors.scores(self._parts(theta, rows)[1], rows)
            found += (s * self.weights[rows][:, None]).T @ s
        return found

    def device_noise(self, theta: Floats, factors: Floats) -> Floats:
        """Return ``sum_i factor_i Cov(score_i | truth_i)``, where each covariance has an unbiased estimate.

        Let C_x be the covariance of the score over the device, given truth x. Since xhat is unbiased for the indicator
        of the truth, ``sum_x xhat_x C_x`` has expectation C_x for a row with truth x. Scores are evaluated at theta.
        """
        size = self.predictors.size
        found = np.zeros((size, size))
        responses = self.responses
        xhat = responses.debiased()
        for rows in self.blocks():
            first = self._every(theta, rows)  # (m, n, q)
            P = responses.matrices[responses.device[rows]]  # (n, m, k)
            mean = np.einsum("nzx,znj->nxj", P, first)
            square = np.einsum("nzx,znj,znl->nxjl", P, first, first)
            each = np.einsum("nx,nxjl->njl", xhat[rows], square - mean[:, :, :, None] * mean[:, :, None, :])
            found += self.predictors.hessian(each * factors[rows][:, None, None], rows)
        return found

    def _every(self, theta: Floats, rows: slice) -> Floats:
        """Return the derivative of each row's log-likelihood in eta for every possible response, shape (m, n, q)."""
        pi, J, _ = self.family.at(rows).derivatives(self.predictors.eta(theta, rows))
        found = []
        for z in range(self.responses.matrices.shape[1]):
            a = self.responses.matrices[self.responses.device[rows], z]
            chance = np.einsum("nx,nx->n", a, pi)
            slope = np.einsum("nx,nxj->nj", a, J)
            found.append(slope / np.where(chance > 0, chance, 1.0)[:, None] * (chance > 0)[:, None])
        return np.stack(found)

    def fitted(self, theta: Floats) -> Floats:
        """Return the probabilities pi of each row, shape (n, k)."""
        return np.concatenate(
            [self.family.at(rows).probabilities(self.predictors.eta(theta, rows)) for rows in self.blocks()], axis=0
        )


class CorrectedLoss(Likelihood):
    """Minus the corrected loss of a logit or multinomial model, to be maximized like a log-likelihood.

    For the linear model it is ``-1/2 sum_i w_i (xhat_i1 - eta_i)^2``.
    """

    def __init__(
        self, family: Binary | Multinomial, predictors: Predictors, responses: Responses, weights: Floats
    ) -> None:
        super().__init__(family, predictors, responses, weights)
        self.xhat = responses.debiased()
        self.is_linear = isinstance(family, Binary) and family.name == "linear"

    def value(self, theta: Floats) -> float:
        """Return minus the corrected loss."""
        total = 0.0
        for rows in self.blocks():
            total += float(np.sum(self.weights[rows] * self._values(self.predictors.eta(theta, rows), rows)))
        return total

    def _values(self, eta: Floats, rows: slice) -> Floats:
        xhat = self.xhat[rows]
        if self.is_linear:
            loss: Floats = -0.5 * (xhat[:, 1] - eta[:, 0]) ** 2
            return loss
        full = np.concatenate([np.zeros((len(eta), 1)), eta], axis=1)
        top = full.max(axis=1)
        log_sum = top + np.log(np.exp(full - top[:, None]).sum(axis=1))
        found: Floats = np.einsum("nx,nx->n", xhat[:, 1:], eta) - log_sum
        return found

    def derivatives(self, theta: Floats) -> Derivatives:
        """Return minus the corrected loss, with its gradient and Hessian."""
        size = self.predictors.size
        total, gradient, hessian = 0.0, np.zeros(size), np.zeros((size, size))
        for rows in self.blocks():
            w, eta = self.weights[rows], self.predictors.eta(theta, rows)
            total += float(np.sum(w * self._values(eta, rows)))
            first, second = self._slopes(eta, rows)
            gradient += self.predictors.gradient(first * w[:, None], rows)
            hessian += self.predictors.hessian(second * w[:, None, None], rows)
        return Derivatives(total, gradient, hessian)

    def _slopes(self, eta: Floats, rows: slice) -> tuple[Floats, Floats]:
        if self.is_linear:
            return self.xhat[rows][:, 1:] - eta, -np.ones((len(eta), 1, 1))
        pi = self.family.probabilities(eta)[:, 1:]
        second = pi[:, :, None] * pi[:, None, :] - pi[:, :, None] * np.eye(pi.shape[1])
        return self.xhat[rows][:, 1:] - pi, second

    def scores(self, theta: Floats) -> Floats:
        """Return the gradient of each row without its weight, shape (n, parameters)."""
        found = [
            self.predictors.scores(self._slopes(self.predictors.eta(theta, rows), rows)[0], rows)
            for rows in self.blocks()
        ]
        return np.concatenate(found, axis=0)

    def outer(self, theta: Floats) -> Floats:
        """Return ``sum_i w_i s_i s_i^T``, where s_i is the gradient of row i."""
        scores = self.scores(theta)
        found: Floats = (scores * self.weights[:, None]).T @ scores
        return found

    def expected(self, theta: Floats) -> Floats:
        """Return the information, which does not depend on the responses."""
        return -self.derivatives(theta).hessian

    def _every(self, theta: Floats, rows: slice) -> Floats:
        eta = self.predictors.eta(theta, rows)
        truth = eta if self.is_linear else self.family.probabilities(eta)[:, 1:]
        inverses = self.responses.inverses[self.responses.device[rows]][:, 1:]  # (n, k - 1, m)
        found: Floats = np.moveaxis(inverses, 2, 0) - truth[None]
        return found
