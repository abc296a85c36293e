"""Objectives in the form that the interior-point method uses: phi_Y on rays, the function psi of Y, and derivatives.

The program over weights w of rays has the dual form

    minimize  b.v - psi(Y)   subject to   phi_Y(c_r) <= F_r v for every ray r,

where c_r = L^T r / s are the contrasts of a ray (``designs.engine.interior_point``). The dual variable Y depends on the
objective:

* ``RayCriterion``, the base of all: there is no Y. phi is a number for each ray, such as the information of an output.
* ``Squares``: matrices W_b, one for each block of contrasts, phi = sum_b abs(f_b W_b)^2, psi = 2 sum_b tr B_b^T W_b:
  the variance of the estimates of B (A- and c-optimality, several distributions of the categories).
* ``WorstSquares``: W and a distribution pi in a polytope, phi = abs(c W)^2/(r.pi), psi = 2 tr B^T W: the worst case of
  this variance.
* ``Determinant``: X > 0, phi = c X c^T, psi = ln det X: D-optimality.
* ``Eigenvalue``: X >= 0, phi = c X c^T, psi = ln tr X: E-optimality. At the optimum b.v = 1, and 1/tr X is the smallest
  eigenvalue of the information.

For orbits, X is block-diagonal, with one number x_g for the contrasts inside each group before the block of c: phi =
sum_g x_g f_g^2 + c X c^T. ``alone`` returns these numbers, or those of W.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rropt.core.lazy import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_FLOOR = 1e-17  # relative floor of eigenvalues: rounding may make a matrix indefinite before its root is computed


class RayCriterion:
    """A criterion for which phi is a number for each ray; the base of all other criteria.

    A criterion has the functions phi_Y and psi. Y is a vector of parameters, whose first value ``start`` returns. It
    knows its rays; the numbers or features of rays are followed by zeros for conditions beta_t >= 0, which are no rays.

    Attributes:
        is_joint: whether the primal value depends on Y, so that the weights and Y are optimized together.
        takes_any_bound: whether ``proved`` is defined for bounds that are not positive.
        is_polished: whether the last digits need another method (``engine/polish.py``).
    """

    is_joint = False
    takes_any_bound = True
    is_polished = False

    def __init__(self, numbers: Array) -> None:
        self._numbers = numbers

    def free(self, y: Array) -> int:
        """Return the number of free coordinates of Y."""
        return len(y)

    def start(self, w: Array) -> Array:
        """Return the initial Y for given weights of the rays: an empty vector."""
        return np.zeros(0)

    def values(self, y: Array) -> Array:
        """Return phi_Y of each ray: the numbers."""
        return self._numbers

    def derivatives(self, w: Array, y: Array) -> tuple[Array, Array]:
        """Return the derivative of the values in Y, shape (n, p), and a root of the curvature: both without columns.

        The root R has ``R^T R`` equal to the second derivative of ``sum_r w_r phi - psi``.
        """
        return y[None, :].repeat(len(w), 0), y[None, :][:0]

    def residual(self, w: Array, y: Array, mu: float) -> Array:
        """Return ``psi'(Y) - sum_r w_r phi'(c_r)``: the empty vector.

        With a cone, mu is the target of its central path.
        """
        return y

    def room(self, y: Array, dy: Array) -> float:
        """Return the longest step, at most 1, that keeps the required matrices positive definite: there are none."""
        return 1.0

    def complementarity(self, w: Array, z: Array, y: Array) -> float:
        """Return the mean complementarity product of weights and slacks, and of the matrices of a cone."""
        return float(w @ z) / len(w)

    def whole_step(self, y: Array, dx: Array, mu: float) -> Array:
        """Return the step of Y that belongs to a step of its free coordinates: the step itself."""
        return dx

    def reached(self, w: Array, y: Array) -> float:
        """Return the value that the weights attain, to be minimized: minus the weighted sum of the numbers."""
        return -float(w @ self._numbers)

    def proved(self, y: Array, bound: float) -> float:
        """Return the lower bound that Y and ``bound = b.v`` prove: minus the bound."""
        return -bound

    def moments(self) -> Array:
        """Return for each ray what its weight multiplies in the value: the numbers, shape (n, 1)."""
        return self._numbers[:, None]


class Squares(RayCriterion):
    """phi = sum_b abs(f_b W_b)^2 and psi = 2 sum_b tr B_b^T W_b, where W_b has the shape of B_b.

    Args:
        parts: for each block its features f, shape (n, d), and B, shape (d, r).
        alone: how many of the blocks, the last ones, are numbers: those of the contrasts inside groups.
    """

    takes_any_bound = False

    def __init__(self, parts: Sequence[tuple[Array, Array]], alone: int = 0) -> None:
        self.parts, self._alone = list(parts), alone

    def moments(self) -> Array:
        """Return the entries of the information matrices of each ray."""
        return np.hstack([_products(f) for f, _ in self.parts])

    def blocks(self, y: Array) -> list[Array]:
        """Return the list of the W_b, with which Y begins."""
        ends = np.cumsum([target.size for _, target in self.parts])
        return [x.reshape(b.shape) for x, (_, b) in zip(np.split(y, ends), self.parts, strict=False)]

    def alone(self, y: Array) -> Array:
        """Return the W_b that are numbers."""
        return y[len(y) - self._alone :]

    def _along(self, y: Array) -> float:
        """Return ``sum_b tr B_b^T W_b``."""
        return float(sum((b * x).sum() for (_, b), x in zip(self.parts, self.blocks(y), strict=True)))

    def start(self, w: Array) -> Array:
        """Return the optimal W_b for the weights, the solutions of ``C_b W_b = B_b``."""
        return np.concatenate([np.linalg.solve((f * w[:, None]).T @ f, b).ravel() for f, b in self.parts])

    def values(self, y: Array) -> Array:
        """Return the sums of squares."""
        found: Array = sum(((f @ x) ** 2).sum(1) for (f, _), x in zip(self.parts, self.blocks(y), strict=True))
        return found

    def derivatives(self, w: Array, y: Array) -> tuple[Array, Array]:
        """Return ``2 f_b (f_b W_b)^T``, row by row for b = 1, 2, ..., and roots of 2 C_b for the columns of W_b."""
        from scipy.linalg import block_diag

        slopes, roots = [], []
        for (f, b), x in zip(self.parts, self.blocks(y), strict=True):
            slopes.append((2 * f[:, :, None] * (f @ x)[:, None, :]).reshape(len(f), -1))
            half = np.linalg.qr(f * np.sqrt(2 * w)[:, None], mode="r")
            roots.append(np.kron(half, np.eye(b.shape[1])))
        return (np.hstack(slopes), block_diag(*roots)) if len(roots) > 1 else (slopes[0], roots[0])

    def residual(self, w: Array, y: Array, mu: float) -> Array:
        """Return ``2 (B_b - C_b W_b)``."""
        pairs = zip(self.parts, self.blocks(y), strict=True)
        return np.concatenate([2 * (b - (f * w[:, None]).T @ (f @ x)).ravel() for (f, b), x in pairs])

    def reached(self, w: Array, y: Array) -> float:
        """Return ``sum_b tr B_b^T C_b^-1 B_b``."""
        return self._along(self.start(w))

    def proved(self, y: Array, bound: float) -> float:
        """Return ``(sum_b tr B_b^T W_b)^2 / bound``."""
        return self._along(y) ** 2 / bound


class WorstSquares(Squares):
    """phi = abs(c W)^2/s with s = r.pi, and psi = 2 tr B^T W, where pi is a variable in a polytope of distributions.

    A square divided by a positive number is jointly convex, so W and pi are optimized together. pi is given by weights
    ``x = moves u + 1/l`` of the vertices. The conditions x >= 0 follow after the rays. Y consists of W and u.

    Args:
        c: the contrasts of the rays, shape (n, d).
        target: B, shape (d, t).
        means: r.v for the rays r and the vertices v, shape (n, l).
    """

    is_joint = True

    def __init__(self, c: Array, target: Array, means: Array) -> None:
        super().__init__([(c, target)])
        self.c, self.target, self.means, count = c, target, means, means.shape[1]
        self._moves = orthogonal_to(np.ones(count))

    def shares(self, y: Array) -> Array:
        """Return x."""
        x: Array = self._moves @ y[self.target.size :] + 1 / len(self._moves)
        return x

    def start(self, w: Array) -> Array:
        """Return the optimal W for the weights at the mean of the vertices."""
        n, count = self.means.shape
        first = super().start(w[:n] / self.means.mean(1))
        return np.concatenate([first, np.zeros(count - 1)])

    def _moved(self, y: Array) -> tuple[Array, Array, Array]:
        """Return c W, s, and the derivative of s with respect to u."""
        return self.c @ self.blocks(y)[0], self.means @ self.shares(y), self.means @ self._moves

    def values(self, y: Array) -> Array:
        """Return the squares divided by s, followed by -x."""
        moved, s, _ = self._moved(y)
        return np.concatenate([(moved**2).sum(1) / s, -self.shares(y)])

    def derivatives(self, w: Array, y: Array) -> tuple[Array, Array]:
        """Return the derivatives, and a root of ``sum w (2/s) K^T K``; K is that of c W minus c W/s times that of s.

        The derivatives are ``2 c (c W)^T/s`` and ``-abs(c W)^2/s^2 s'``, followed by -x'.
        """
        moved, s, falls = self._moved(y)
        (n, t), ratio, weights = moved.shape, moved / s[:, None], np.sqrt(2 * w[: len(s)] / s)[:, None]
        rows = np.zeros((n, t, self.target.size + falls.shape[1]))
        for j in range(t):
            rows[:, j, j : self.target.size : t] = self.c * weights
        rows[:, :, self.target.size :] = -(ratio * weights)[:, :, None] * falls[:, None, :]
        return self._slopes(y), np.asarray(np.linalg.qr(rows.reshape(n * t, -1), mode="r"))

    def _slopes(self, y: Array) -> Array:
        moved, s, falls = self._moved(y)
        ratio = moved / s[:, None]
        own = (2 * self.c[:, :, None] * ratio[:, None, :]).reshape(len(s), -1)
        rays = np.hstack([own, -(ratio**2).sum(1)[:, None] * falls])
        return np.vstack([rays, np.hstack([np.zeros((len(self._moves), own.shape[1])), -self._moves])])

    def residual(self, w: Array, y: Array, mu: float) -> Array:
        """Return ``psi' - sum w phi'``."""
        left: Array = -self._slopes(y).T @ w
        left[: self.target.size] += 2 * self.target.ravel()
        return left

    def reached(self, w: Array, y: Array) -> float:
        """Return the worst-case variance of the estimator that is efficient at pi; it is unbiased everywhere."""
        (n, _), s = self.means.shape, self._moved(y)[1]
        lines, theta = self.c / s[:, None], w[:n]
        estimates = lines @ np.linalg.solve((lines * (theta * s)[:, None]).T @ lines, self.target)
        return float(((theta * (estimates**2).sum(1)) @ self.means).max())


class Smooth(RayCriterion):
    """A concave function F of ``S = sum_r w_r q_r``: phi_Y(r) = F'(Y).q_r, where Y = S at the optimum.

    Args:
        features: q, shape (n, p), the features of the rays.
        value: F as a function of S.
        gradient: F'(S), shape (p,).
        curvature: F''(S), shape (p, p), negative semidefinite.
    """

    def __init__(
        self,
        features: Array,
        value: Callable[[Array], float],
        gradient: Callable[[Array], Array],
        curvature: Callable[[Array], Array],
    ) -> None:
        self.features, self.value, self.gradient, self.curvature = features, value, gradient, curvature

    def moments(self) -> Array:
        """Return the features."""
        return self.features

    def start(self, w: Array) -> Array:
        """Return S for the weights."""
        return np.asarray(w @ self.features)

    def values(self, y: Array) -> Array:
        """Return ``F'(Y).q``."""
        return np.asarray(self.features @ self.gradient(y))

    def derivatives(self, w: Array, y: Array) -> tuple[Array, Array]:
        """Return ``q F''(Y)`` and a root of ``-F''(Y)``."""
        curvature = self.curvature(y)
        values, vectors = np.linalg.eigh(-curvature)
        root = (vectors * np.sqrt(np.maximum(values, _FLOOR * abs(values).max()))).T
        return np.asarray(self.features @ curvature), np.asarray(root)

    def residual(self, w: Array, y: Array, mu: float) -> Array:
        """Return ``F''(Y) (Y - S)``."""
        rest: Array = self.curvature(y) @ (y - self.start(w))
        return rest

    def room(self, y: Array, dy: Array) -> float:
        """Return the longest step, up to halving, at which F and its derivatives are finite."""
        length = 1.0
        # a shorter step would move nothing
        while length > 1e-10:
            with np.errstate(all="ignore"):
                moved = y + length * dy
                if np.isfinite(self.value(moved)) and np.isfinite(self.gradient(moved)).all():
                    break
            length /= 2
        return length

    def reached(self, w: Array, y: Array) -> float:
        """Return ``-F(S)``."""
        return -self.value(self.start(w))

    def proved(self, y: Array, bound: float) -> float:
        """Return ``-(F(Y) - F'(Y).Y + bound)``; the tangent at Y is an upper bound of F."""
        return -float(self.value(y) - self.gradient(y) @ y + bound)


class Determinant(RayCriterion):
    """phi = c X c^T and psi = ln det X, with X in orthonormal coordinates of the symmetric matrices.

    With numbers x_g, phi has the terms ``x_g f_g^2`` and psi the terms ``m_g ln x_g``. They are the first entries of X.

    Args:
        features: f, shape (n, q + d): those of the numbers, then the contrasts.
        sizes: the multiplicities m_g, shape (q,).
    """

    takes_any_bound = False

    def __init__(self, features: Array, sizes: Sequence[float] = ()) -> None:
        self.features, self.q = features, len(sizes)
        self.d: int = features.shape[1]
        self.times = np.array([*sizes, *np.ones(self.d - self.q)])
        self.units = symmetric_units(self.d - self.q, self.q)

    def _information(self, w: Array) -> Array:
        """Return C; with numbers x_g, its blocks."""
        whole: Array = (self.features * w[:, None]).T @ self.features
        return (self.units @ (self.units.T @ whole.ravel())).reshape(whole.shape) if self.q else whole

    def moments(self) -> Array:
        """Return the entries of the information of each ray that belong to a block."""
        return np.hstack([self.features[:, : self.q] ** 2, _products(self.features[:, self.q :])])

    def matrix(self, y: Array) -> Array:
        """Return X."""
        x: Array = (self.units @ y).reshape(self.d, self.d)
        return x

    def alone(self, y: Array) -> Array:
        """Return the numbers x_g."""
        return np.diag(self.matrix(y))[: self.q]

    def between(self, y: Array) -> Array:
        """Return the block of c."""
        return self.matrix(y)[self.q :, self.q :]

    def start(self, w: Array) -> Array:
        """Return ``m C^-1`` in coordinates."""
        return np.asarray(self.units.T @ (self.times[:, None] * np.linalg.inv(self._information(w))).ravel())

    def values(self, y: Array) -> Array:
        """Return phi for each ray."""
        values: Array = ((self.features @ self.matrix(y)) * self.features).sum(1)
        return values

    def derivatives(self, w: Array, y: Array) -> tuple[Array, Array]:
        """Return the derivatives ``f^T f`` in coordinates of X, and the map by ``m^(1/4) X^(-1/2)`` on both sides."""
        half = self.times[:, None] ** 0.25 * _roots(self.matrix(y))[1]
        return self._slopes(), np.asarray(np.kron(half, half) @ self.units)

    def _slopes(self) -> Array:
        f = self.features
        return np.asarray((f[:, :, None] * f[:, None, :]).reshape(len(f), -1) @ self.units)

    def residual(self, w: Array, y: Array, mu: float) -> Array:
        """Return ``m X^-1 - C``."""
        left = self.times[:, None] * np.linalg.inv(self.matrix(y)) - self._information(w)
        return np.asarray(self.units.T @ left.ravel())

    def room(self, y: Array, dy: Array) -> float:
        """Return the longest step, at most 1, for which X remains positive definite."""
        return _cone_room(self.matrix(y), self.matrix(dy))

    def reached(self, w: Array, y: Array) -> float:
        """Return ``-ln det C``, with the multiplicities of the numbers."""
        return -self._log_det(self._information(w))

    def proved(self, y: Array, bound: float) -> float:
        """Return ``ln det(X/m) - d ln(bound/d)``, where d counts the multiplicities."""
        d = self.times.sum()
        return self._log_det(self.matrix(y) / self.times[:, None]) - float(d * np.log(bound / d))

    def _log_det(self, blocks: Array) -> float:
        """Return ``sum_g m_g ln x_g + ln det X`` of these blocks."""
        logs = np.log(np.diag(blocks)[: self.q])
        return float(self.times[: self.q] @ logs + np.linalg.slogdet(blocks[self.q :, self.q :])[1])


class Eigenvalue(Determinant):
    """phi = c X c^T over X >= 0 with <unit, X> = 1, and psi = 0; the multiplier S of X satisfies ``C - S = t unit``.

    Y consists of (x, S) in coordinates: ``X = X_0 + U x``, where U spans the directions that preserve <unit, X>. S is a
    separate variable, which keeps both X and S far from the boundary. ``unit`` replaces the identity matrix if the
    coordinates are not orthonormal. With numbers x_g it is diagonal: their multiplicities, and then ones.
    """

    def __init__(self, features: Array, unit: Array, sizes: Sequence[float] = ()) -> None:
        super().__init__(features, sizes)
        self.unit, self.is_polished = unit, not self.q
        line = self.units.T @ unit.ravel()
        self._first = unit / float((unit * unit).sum())
        self._turn = np.linalg.qr(np.column_stack([line, np.eye(len(line))]))[0][:, 1:]

    def free(self, y: Array) -> int:
        """Return the number of coordinates of X, which come first in Y."""
        return int(self._turn.shape[1])

    def matrix(self, y: Array) -> Array:
        """Return X."""
        return self._first + super().matrix(self._turn @ y[: self.free(y)])

    def _slack(self, y: Array) -> Array:
        return super().matrix(y[self.free(y) :])

    def coordinates(self, x: Array, slack: Array) -> Array:
        """Return Y for given X and S."""
        return np.concatenate([self._turn.T @ (self.units.T @ (x - self._first).ravel()), self.units.T @ slack.ravel()])

    def start(self, w: Array) -> Array:
        """Return multiples of C^-1 and C."""
        information = self._information(w)
        x = np.linalg.inv(information)
        return self.coordinates(x / (self.unit * x).sum(), information)

    def derivatives(self, w: Array, y: Array) -> tuple[Array, Array]:
        """Return the derivatives ``c^T c`` in the coordinates of X, and the map X -> K X K.

        K is the Nesterov-Todd scaling, which maps X to S.
        """
        scaling = self._scaling(y)
        return self._slopes() @ self._turn, np.asarray(np.kron(scaling, scaling) @ self.units @ self._turn)

    def residual(self, w: Array, y: Array, mu: float) -> Array:
        """Return ``mu X^-1 - C`` in the coordinates of X; S cancels."""
        left = mu * np.linalg.inv(self.matrix(y)) - self._information(w)
        return np.asarray(self._turn.T @ (self.units.T @ left.ravel()))

    def _scaling(self, y: Array) -> Array:
        lower, back = _roots(self.matrix(y))
        singular, right = np.linalg.svd(_roots(self._slack(y))[0] @ lower)[1:]
        scaling: Array = (np.sqrt(singular)[:, None] * right) @ back
        return scaling

    def whole_step(self, y: Array, dx: Array, mu: float) -> Array:
        """Return the step of Y: ``dS = mu X^-1 - S - K^2 dX K^2``, where K^2 is the scaling matrix."""
        g = self._scaling(y)
        k = g.T @ g
        moved = k @ super().matrix(self._turn @ dx) @ k
        ds = mu * np.linalg.inv(self.matrix(y)) - self._slack(y) - moved
        return np.concatenate([dx, self.units.T @ ds.ravel()])

    def room(self, y: Array, dy: Array) -> float:
        """Return the longest step, at most 1, for which X and S remain positive definite."""
        dx = super().matrix(self._turn @ dy[: self.free(y)])
        return min(_cone_room(self.matrix(y), dx), _cone_room(self._slack(y), self._slack(dy)))

    def complementarity(self, w: Array, z: Array, y: Array) -> float:
        """Return the mean with <X, S>, a sum of d products."""
        inside = float((self.matrix(y) * self._slack(y)).sum())
        return float(w @ z + inside) / (len(w) + self.d)

    def reached(self, w: Array, y: Array) -> float:
        """Return 1/t for the smallest t with ``C - t unit`` singular."""
        return float(np.linalg.eigvals(np.linalg.solve(self._information(w), self.unit)).real.max())

    def proved(self, y: Array, bound: float) -> float:
        """Return ``<unit, X> / bound``."""
        return float((self.unit * self.matrix(y)).sum() / bound)


def _roots(matrix: Array) -> tuple[Array, Array]:
    """Return the symmetric root of a positive definite matrix and its inverse, with a floor on eigenvalues."""
    values, vectors = np.linalg.eigh(matrix)
    roots = np.sqrt(np.maximum(values, _FLOOR * values[-1]))
    return (vectors * roots) @ vectors.T, (vectors / roots) @ vectors.T


def _cone_room(x: Array, dx: Array, damping: float = 0.98) -> float:
    """Return the longest step, at most 1, for which x remains positive definite, ``damping`` of the way to the limit.

    Interior points stay 2 % away from the boundary, as is usual in predictor-corrector methods (Mehrotra 1992).
    """
    back = _roots(x)[1]
    least = float(np.linalg.eigvalsh(back @ dx @ back)[0])
    return min(1.0, damping / -least) if least < 0 else 1.0


def _products(c: Array) -> Array:
    """Return the products ``c_i c_j``, i <= j, of each row."""
    i, j = np.triu_indices(c.shape[1])
    return np.asarray(c[:, i] * c[:, j])


def symmetric_units(d: int, q: int = 0) -> Array:
    """Return an orthonormal basis of the symmetric d x d matrices in columns, each matrix flattened.

    The matrices have q further rows and columns in front, of which only the diagonal is not 0.
    """
    i, j = np.triu_indices(d)
    i, j = np.concatenate([np.arange(q), q + i]), np.concatenate([np.arange(q), q + j])
    units = np.zeros((q + d, q + d, len(i)))
    units[i, j, range(len(i))] = units[j, i, range(len(i))] = np.where(i == j, 1, 0.5**0.5)
    return units.reshape((q + d) ** 2, len(i))


def orthogonal_to(x: Array) -> Array:
    """Return an orthonormal basis of the vectors orthogonal to a vector without zeros, in columns."""
    return np.asarray(np.linalg.qr(np.column_stack([x, np.eye(len(x))[:, 1:]]))[0][:, 1:])
