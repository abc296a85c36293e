"""Objectives in the form that the interior-point method uses: phi_Y on rays, the function psi of Y, and derivatives.

The program over weights w of rays has the dual form

    minimize  b.v - psi(Y)   subject to   phi_Y(c_r) <= F_r v for every ray r,

where c_r = L^T r / s are the contrasts of a ray (``solvers.engine.interior_point``). The dual variable Y depends on the
objective:

* ``Criterion``, the base of all: there is no Y. phi is a number for each ray, such as the information of an output.
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


class Criterion:
    """A criterion for which phi is a number for each ray; the base of all other criteria.

    A criterion has the functions phi_Y and psi. Y is a vector of parameters, whose first value ``start`` returns.

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

    def start(self, c: Array, w: Array) -> Array:
        """Return the initial Y for given weights of the rays: an empty vector."""
        return np.zeros(0)

    def values(self, c: Array, y: Array) -> Array:
        """Return phi_Y of each ray: the numbers, followed by 0 for conditions beta_t >= 0, which are not rays."""
        return np.asarray(np.pad(self._numbers, (0, len(c) - len(self._numbers))))

    def jacobian(self, c: Array, y: Array) -> Array:
        """Return the derivative of the values with respect to Y, shape (n, p): a matrix without columns."""
        return y[None, :].repeat(len(c), 0)

    def residual(self, c: Array, w: Array, y: Array, mu: float) -> Array:
        """Return ``psi'(Y) - sum_r w_r phi'(c_r)``: the empty vector.

        With a cone, mu is the target of its central path.
        """
        return y

    def root(self, c: Array, w: Array, y: Array) -> Array:
        """Return R with ``R^T R`` the second derivative of ``sum_r w_r phi - psi`` in Y: a matrix without entries."""
        return y[None, :][:0]

    def room(self, c: Array, w: Array, dw: Array, y: Array, dy: Array) -> float:
        """Return the longest step, at most 1, that keeps the required matrices positive definite: there are none."""
        return 1.0

    def cone(self, c: Array, w: Array, y: Array) -> tuple[float, int]:
        """Return what a cone adds to the duality gap, and the order of the cone: zeros."""
        return 0.0, 0

    def whole_step(self, y: Array, dx: Array, mu: float) -> Array:
        """Return the step of Y that belongs to a step of its free coordinates: the step itself."""
        return dx

    def reached(self, c: Array, w: Array, y: Array) -> float:
        """Return the value that the weights attain, to be minimized: minus the weighted sum of the numbers."""
        return -float(w[: len(self._numbers)] @ self._numbers)

    def proved(self, y: Array, bound: float) -> float:
        """Return the lower bound that Y and ``bound = b.v`` prove: minus the bound."""
        return -bound

    def moments(self, c: Array) -> Array:
        """Return for each ray what its weight multiplies in the value: the numbers, shape (n, 1)."""
        return self._numbers[:, None]


class Squares(Criterion):
    """phi = sum_b abs(f_b W_b)^2 and psi = 2 sum_b tr B_b^T W_b, where W_b has the shape of B_b.

    Args:
        parts: for each block its features f, shape (n, d), or None for the contrasts c themselves, and B, shape (d, r).
    """

    takes_any_bound = False

    def __init__(self, parts: Sequence[tuple[Array | None, Array]]) -> None:
        self.parts = list(parts)

    def _features(self, c: Array) -> list[Array]:
        """Return the features of each block, followed by zeros for conditions that are not rays."""
        return [c if f is None else np.pad(f, ((0, len(c) - len(f)), (0, 0))) for f, _ in self.parts]

    def moments(self, c: Array) -> Array:
        """Return the entries of the information matrices of each ray."""
        return np.hstack([_products(f) for f in self._features(c)])

    def blocks(self, y: Array) -> list[Array]:
        """Return the list of the W_b, with which Y begins."""
        ends = np.cumsum([target.size for _, target in self.parts])
        return [x.reshape(b.shape) for x, (_, b) in zip(np.split(y, ends), self.parts, strict=False)]

    def alone(self, y: Array) -> Array:
        """Return the W_b that are numbers: those of the contrasts inside groups."""
        return np.array([x[0, 0] for x, (f, _) in zip(self.blocks(y), self.parts, strict=True) if f is not None])

    def _along(self, given: Sequence[Array]) -> float:
        return float(sum((b * x).sum() for (_, b), x in zip(self.parts, given, strict=True)))

    def _solved(self, c: Array, w: Array) -> list[Array]:
        pairs = zip(self._features(c), self.parts, strict=True)
        return [np.asarray(np.linalg.solve((f * w[:, None]).T @ f, b)) for f, (_, b) in pairs]

    def start(self, c: Array, w: Array) -> Array:
        """Return the optimal W_b for the weights, the solutions of ``C_b W_b = B_b``."""
        return np.concatenate([x.ravel() for x in self._solved(c, w)])

    def values(self, c: Array, y: Array) -> Array:
        """Return the sums of squares."""
        found: Array = sum(((f @ x) ** 2).sum(1) for f, x in zip(self._features(c), self.blocks(y), strict=True))
        return found

    def jacobian(self, c: Array, y: Array) -> Array:
        """Return the derivatives with respect to all W_b: row by row ``2 f_b (f_b W_b)^T``, for b = 1, 2, ..."""
        pairs = zip(self._features(c), self.blocks(y), strict=True)
        parts = [(2 * f[:, :, None] * (f @ x)[:, None, :]).reshape(len(f), -1) for f, x in pairs]
        return np.hstack(parts) if len(parts) > 1 else parts[0]

    def residual(self, c: Array, w: Array, y: Array, mu: float) -> Array:
        """Return ``2 (B_b - C_b W_b)``."""
        three = zip(self._features(c), self.blocks(y), self.parts, strict=True)
        return np.concatenate([2 * (b - (f * w[:, None]).T @ (f @ x)).ravel() for f, x, (_, b) in three])

    def root(self, c: Array, w: Array, y: Array) -> Array:
        """Return a block-diagonal matrix with a root of 2 C_b for each column of W_b."""
        from scipy.linalg import block_diag

        halves = [np.linalg.qr(f * np.sqrt(2 * w)[:, None], mode="r") for f in self._features(c)]
        roots = [np.kron(half, np.eye(b.shape[1])) for half, (_, b) in zip(halves, self.parts, strict=True)]
        return np.asarray(block_diag(*roots)) if len(roots) > 1 else roots[0]

    def reached(self, c: Array, w: Array, y: Array) -> float:
        """Return ``sum_b tr B_b^T C_b^-1 B_b``."""
        return self._along(self._solved(c, w))

    def proved(self, y: Array, bound: float) -> float:
        """Return ``(sum_b tr B_b^T W_b)^2 / bound``."""
        return self._along(self.blocks(y)) ** 2 / bound


class WorstSquares(Squares):
    """phi = abs(c W)^2/s with s = r.pi, and psi = 2 tr B^T W, where pi is a variable in a polytope of distributions.

    A square divided by a positive number is jointly convex, so W and pi are optimized together. pi is given by weights
    ``x = moves u + 1/l`` of the vertices. The conditions x >= 0 follow after the rays. Y consists of W and u.

    Args:
        target: B, shape (d, t).
        means: r.v for the rays r and the vertices v, shape (n, l).
    """

    is_joint = True

    def __init__(self, target: Array, means: Array) -> None:
        super().__init__([(None, target)])
        self.target, self.means, count = target, means, means.shape[1]
        self._moves = orthogonal_to(np.ones(count))

    def shares(self, y: Array) -> Array:
        """Return x."""
        x: Array = self._moves @ y[self.target.size :] + 1 / len(self._moves)
        return x

    def start(self, c: Array, w: Array) -> Array:
        """Return the optimal W for the weights at the mean of the vertices."""
        n, count = self.means.shape
        first = super().start(c[:n], w[:n] / self.means.mean(1))
        return np.concatenate([first, np.zeros(count - 1)])

    def _moved(self, c: Array, y: Array) -> tuple[Array, Array, Array]:
        """Return c W, s, and the derivative of s with respect to u."""
        n = len(self.means)
        return c[:n] @ self.blocks(y)[0], self.means @ self.shares(y), self.means @ self._moves

    def values(self, c: Array, y: Array) -> Array:
        """Return the squares divided by s, followed by -x."""
        moved, s, _ = self._moved(c, y)
        return np.concatenate([(moved**2).sum(1) / s, -self.shares(y)])

    def jacobian(self, c: Array, y: Array) -> Array:
        """Return the derivatives ``2 c (c W)^T/s`` and ``-abs(c W)^2/s^2 s'``, followed by -x'."""
        moved, s, slopes = self._moved(c, y)
        ratio = moved / s[:, None]
        own = (2 * c[: len(s), :, None] * ratio[:, None, :]).reshape(len(s), -1)
        rays = np.hstack([own, -(ratio**2).sum(1)[:, None] * slopes])
        return np.vstack([rays, np.hstack([np.zeros((len(self._moves), own.shape[1])), -self._moves])])

    def residual(self, c: Array, w: Array, y: Array, mu: float) -> Array:
        """Return ``psi' - sum w phi'``."""
        left: Array = -self.jacobian(c, y).T @ w
        left[: self.target.size] += 2 * self.target.ravel()
        return left

    def root(self, c: Array, w: Array, y: Array) -> Array:
        """Return a root of ``sum w (2/s) K^T K``, with K the derivative of c W minus c W/s times that of s."""
        moved, s, slopes = self._moved(c, y)
        (n, t), weights = moved.shape, np.sqrt(2 * w[: len(s)] / s)[:, None]
        rows = np.zeros((n, t, self.target.size + slopes.shape[1]))
        for j in range(t):
            rows[:, j, j : self.target.size : t] = c[:n] * weights
        rows[:, :, self.target.size :] = -(moved / s[:, None] * weights)[:, :, None] * slopes[:, None, :]
        return np.asarray(np.linalg.qr(rows.reshape(n * t, -1), mode="r"))

    def reached(self, c: Array, w: Array, y: Array) -> float:
        """Return the worst-case variance of the estimator that is efficient at pi; it is unbiased everywhere."""
        (n, _), s = self.means.shape, self._moved(c, y)[1]
        lines, theta = c[:n] / s[:, None], w[:n]
        estimates = lines @ np.linalg.solve((lines * (theta * s)[:, None]).T @ lines, self.target)
        return float(((theta * (estimates**2).sum(1)) @ self.means).max())


class Smooth(Criterion):
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

    def moments(self, c: Array) -> Array:
        """Return the features."""
        return self.features

    def _sum(self, w: Array) -> Array:
        total: Array = w[: len(self.features)] @ self.features
        return total

    def start(self, c: Array, w: Array) -> Array:
        """Return S for the weights."""
        return self._sum(w)

    def values(self, c: Array, y: Array) -> Array:
        """Return ``F'(Y).q``, followed by 0 for conditions that are not rays."""
        return np.asarray(np.pad(self.features @ self.gradient(y), (0, len(c) - len(self.features))))

    def jacobian(self, c: Array, y: Array) -> Array:
        """Return ``q F''(Y)``."""
        return np.asarray(np.pad(self.features @ self.curvature(y), ((0, len(c) - len(self.features)), (0, 0))))

    def residual(self, c: Array, w: Array, y: Array, mu: float) -> Array:
        """Return ``F''(Y) (Y - S)``."""
        rest: Array = self.curvature(y) @ (y - self._sum(w))
        return rest

    def root(self, c: Array, w: Array, y: Array) -> Array:
        """Return a root of ``-F''(Y)``."""
        values, vectors = np.linalg.eigh(-self.curvature(y))
        return np.asarray((vectors * np.sqrt(np.maximum(values, _FLOOR * abs(values).max()))).T)

    def room(self, c: Array, w: Array, dw: Array, y: Array, dy: Array) -> float:
        """Return the longest step, up to halving, at which F and its derivatives are finite."""
        length = 1.0
        while length > 1e-10:
            with np.errstate(all="ignore"):
                moved = y + length * dy
                if np.isfinite(self.value(moved)) and np.isfinite(self.gradient(moved)).all():
                    break
            length /= 2
        return length

    def reached(self, c: Array, w: Array, y: Array) -> float:
        """Return ``-F(S)``."""
        return -self.value(self._sum(w))

    def proved(self, y: Array, bound: float) -> float:
        """Return ``-(F(Y) - F'(Y).Y + bound)``; the tangent at Y is an upper bound of F."""
        return -float(self.value(y) - self.gradient(y) @ y + bound)


class Determinant(Criterion):
    """phi = c X c^T and psi = ln det X, with X in orthonormal coordinates of the symmetric matrices.

    With numbers x_g, phi has the terms ``x_g f_g^2`` and psi the terms ``m_g ln x_g``. They are the first entries of X.

    Args:
        d: the order of the block of c.
        alone: f, shape (n, q).
        sizes: the multiplicities m_g, shape (q,).
    """

    takes_any_bound = False

    def __init__(self, d: int, alone: Array | None = None, sizes: Sequence[float] = ()) -> None:
        q = len(sizes)
        self.d, self._width, self._alone, self.times = q + d, d, alone, np.array([*sizes, *np.ones(d)])
        self.units = symmetric_units(d, q)

    def _features(self, c: Array) -> Array:
        return c if self._alone is None else np.hstack([self._alone, c])

    def _information(self, c: Array, w: Array) -> Array:
        """Return C; with numbers x_g, its blocks."""
        f = self._features(c)
        whole: Array = (f * w[:, None]).T @ f
        return whole if self._alone is None else (self.units @ (self.units.T @ whole.ravel())).reshape(whole.shape)

    def moments(self, c: Array) -> Array:
        """Return the entries of the information of each ray that belong to a block."""
        own = _products(c)
        return own if self._alone is None else np.hstack([self._alone**2, own])

    def matrix(self, y: Array) -> Array:
        """Return X."""
        x: Array = (self.units @ y).reshape(self.d, self.d)
        return x

    def alone(self, y: Array) -> Array:
        """Return the numbers x_g."""
        return np.diag(self.matrix(y))[: len(self.times) - self._width]

    def between(self, y: Array) -> Array:
        """Return the block of c."""
        q = len(self.times) - self._width
        return self.matrix(y)[q:, q:]

    def start(self, c: Array, w: Array) -> Array:
        """Return ``m C^-1`` in coordinates."""
        return np.asarray(self.units.T @ (self.times[:, None] * np.linalg.inv(self._information(c, w))).ravel())

    def values(self, c: Array, y: Array) -> Array:
        """Return phi for each ray."""
        f = self._features(c)
        values: Array = ((f @ self.matrix(y)) * f).sum(1)
        return values

    def jacobian(self, c: Array, y: Array) -> Array:
        """Return the derivatives ``f^T f`` of the values, in the coordinates of X."""
        f = self._features(c)
        products: Array = (f[:, :, None] * f[:, None, :]).reshape(len(f), -1) @ self.units
        return products

    def residual(self, c: Array, w: Array, y: Array, mu: float) -> Array:
        """Return ``m X^-1 - C``."""
        left = self.times[:, None] * np.linalg.inv(self.matrix(y)) - self._information(c, w)
        return np.asarray(self.units.T @ left.ravel())

    def root(self, c: Array, w: Array, y: Array) -> Array:
        """Return the linear map that multiplies by ``m^(1/4) X^(-1/2)`` on both sides."""
        half = self.times[:, None] ** 0.25 * _roots(self.matrix(y))[1]
        return np.asarray(np.kron(half, half) @ self.units)

    def room(self, c: Array, w: Array, dw: Array, y: Array, dy: Array) -> float:
        """Return the longest step, at most 1, for which X remains positive definite."""
        return _cone_room(self.matrix(y), self.matrix(dy))

    def reached(self, c: Array, w: Array, y: Array) -> float:
        """Return ``-ln det C``, with the multiplicities of the numbers."""
        return -self._log_det(self._information(c, w))

    def proved(self, y: Array, bound: float) -> float:
        """Return ``ln det(X/m) - d ln(bound/d)``, where d counts the multiplicities."""
        d = self.times.sum()
        return self._log_det(self.matrix(y) / self.times[:, None]) - float(d * np.log(bound / d))

    def _log_det(self, blocks: Array) -> float:
        """Return ``sum_g m_g ln x_g + ln det X`` of these blocks."""
        q = len(self.times) - self._width
        return float(self.times[:q] @ np.log(np.diag(blocks)[:q]) + np.linalg.slogdet(blocks[q:, q:])[1])


class Eigenvalue(Determinant):
    """phi = c X c^T over X >= 0 with <unit, X> = 1, and psi = 0; the multiplier S of X satisfies ``C - S = t unit``.

    Y consists of (x, S) in coordinates: ``X = X_0 + U x``, where U spans the directions that preserve <unit, X>. S is a
    separate variable, which keeps both X and S far from the boundary. ``unit`` replaces the identity matrix if the
    coordinates are not orthonormal. With numbers x_g it is diagonal: their multiplicities, and then ones.
    """

    def __init__(self, d: int, unit: Array, alone: Array | None = None, sizes: Sequence[float] = ()) -> None:
        super().__init__(d, alone, sizes)
        self.unit, self.is_polished = unit, alone is None
        line = self.units.T @ unit.ravel()
        self._first = unit / float((unit * unit).sum())
        self._turn = np.linalg.qr(np.column_stack([line, np.eye(len(line))]))[0][:, 1:]

    @property
    def free(self) -> int:
        """The number of coordinates of X, which come first in Y."""
        return int(self._turn.shape[1])

    def matrix(self, y: Array) -> Array:
        """Return X."""
        return self._first + super().matrix(self._turn @ y[: self.free])

    def _slack(self, y: Array) -> Array:
        return super().matrix(y[self.free :])

    def coordinates(self, x: Array, slack: Array) -> Array:
        """Return Y for given X and S."""
        return np.concatenate([self._turn.T @ (self.units.T @ (x - self._first).ravel()), self.units.T @ slack.ravel()])

    def start(self, c: Array, w: Array) -> Array:
        """Return multiples of C^-1 and C."""
        information = self._information(c, w)
        x = np.linalg.inv(information)
        return self.coordinates(x / (self.unit * x).sum(), information)

    def jacobian(self, c: Array, y: Array) -> Array:
        """Return the derivatives ``c^T c`` of the values, in the coordinates of X."""
        products: Array = super().jacobian(c, y) @ self._turn
        return products

    def residual(self, c: Array, w: Array, y: Array, mu: float) -> Array:
        """Return ``mu X^-1 - C`` in the coordinates of X; S cancels."""
        left = mu * np.linalg.inv(self.matrix(y)) - self._information(c, w)
        return np.asarray(self._turn.T @ (self.units.T @ left.ravel()))

    def root(self, c: Array, w: Array, y: Array) -> Array:
        """Return the linear map X -> K X K, with the Nesterov-Todd scaling K that maps X to S."""
        scaling = self._scaling(y)
        return np.asarray(np.kron(scaling, scaling) @ self.units @ self._turn)

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

    def room(self, c: Array, w: Array, dw: Array, y: Array, dy: Array) -> float:
        """Return the longest step, at most 1, for which X and S remain positive definite."""
        dx = super().matrix(self._turn @ dy[: self.free])
        return min(_cone_room(self.matrix(y), dx), _cone_room(self._slack(y), self._slack(dy)))

    def cone(self, c: Array, w: Array, y: Array) -> tuple[float, int]:
        """Return <X, S> and d."""
        return float((self.matrix(y) * self._slack(y)).sum()), self.d

    def reached(self, c: Array, w: Array, y: Array) -> float:
        """Return 1/t for the smallest t with ``C - t unit`` singular."""
        return float(np.linalg.eigvals(np.linalg.solve(self._information(c, w), self.unit)).real.max())

    def proved(self, y: Array, bound: float) -> float:
        """Return ``<unit, X> / bound``."""
        return float((self.unit * self.matrix(y)).sum() / bound)


def _roots(matrix: Array) -> tuple[Array, Array]:
    """Return the symmetric root of a positive definite matrix and its inverse, with a floor on eigenvalues."""
    values, vectors = np.linalg.eigh(matrix)
    roots = np.sqrt(np.maximum(values, _FLOOR * values[-1]))
    return (vectors * roots) @ vectors.T, (vectors / roots) @ vectors.T


def _cone_room(x: Array, dx: Array, damping: float = 0.98) -> float:
    """Return the longest step, at most 1, for which x remains positive definite."""
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
