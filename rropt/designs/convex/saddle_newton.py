"""The saddle point of designs over a polytope of populations: the interior-point method, in floats.

The variance of a mechanism with an estimate is concave in pi and convex in the two (``saddle_designs``), and the least
at one pi has the dual of ``engine.interior_point``. Together, over the polytope of the vertices v_l:

    maximise  2 tr W - sum alpha - pi . pi   subject to   abs(S W)^2/(S . pi) <= alpha . S  for all patterns S,

pi = sum_l x_l v_l, x >= 0, sum x = 1, W symmetric with W 1 = pi (which the optimum has); of a contrast c a vector y,
``2 c . y - sum alpha - (c . pi)^2`` and ``(S . y)^2/(S . pi)``. A square over a positive number is convex in both, so
that this is a convex programme in (W, alpha, x) together; the multiplier of S is its weight theta in the mechanism.

With L an orthonormal basis of the contrasts, ``W = (1 pi^T + pi 1^T)/k - 1 1^T/k^2 + L G L^T``, ``y = (c . pi) 1/k + L
v`` and ``alpha = t 1/k + L beta``. No certificate depends on what is found here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from rropt.designs.convex import is_solved, load_cvxpy
from rropt.designs.engine.newton_step import room, rooted_step
from rropt.objectives.criteria import orthogonal_to, symmetric_units

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_STEPS, _IDLE = 100, 6  # twenty to forty are made
_LEAST_CENTRE, _NEAR = 1e-4, 1e-9


class SaddlePoint(NamedTuple):
    """An approximate saddle point.

    Attributes:
        shares: x, the weights of the vertices.
        bits: the patterns.
        theta: their weights in the mechanism.
        matrix: W, shape (k, k), or y, shape (k, 1).
    """

    shares: Array
    bits: list[tuple[int, ...]]
    theta: Array
    matrix: Array


_Step = tuple["Array", "Array", "Array"]  # the changes of y, w and z


class _Programme(NamedTuple):
    """Minimise ``abs(square y + base)^2 - gain . y`` with ``abs(q_i)^2/s_i <= a_i . y`` and ``share_l >= 0``."""

    q: Array  # shape (n, r, d): q_i = q[i] y + q0[i]
    q0: Array
    s: Array  # shape (n, d): s_i = s[i] y + s0[i]
    s0: Array
    a: Array  # shape (n, d)
    share: Array  # shape (l, d): x = share y + 1/l
    square: Array
    base: Array
    gain: Array


def saddle_point(gamma: float, vertices: Sequence[Sequence[float]], contrast: Sequence[float] | None) -> SaddlePoint:
    """Return the saddle point over the convex hull of populations, of all shares or of one contrast.

    Args:
        gamma: > 1.
        vertices: populations, shape (l, k).
        contrast: shape (k,), not all equal; None for the sum of the variances of all shares.
    """
    import numpy as np

    corners = np.array(vertices, dtype=float)
    k = corners.shape[1]
    bits = list(product((0, 1), repeat=k))[1:-1]
    table, basis = np.array(bits, dtype=float), orthogonal_to(np.ones(k))
    c = None if contrast is None else np.array(contrast) - np.mean(contrast)
    scale = 1.0 if c is None else float(np.linalg.norm(c))
    programme, units = _programme(gamma - 1, corners, table, None if c is None else c / scale)
    with np.errstate(all="ignore"):  # past the end of the floats nothing is taken
        y, w = _descent(programme, units.shape[1])
    x = np.maximum(programme.share @ y + 1 / len(corners), 0)
    pi = x / x.sum() @ corners
    inner = (units @ y[: units.shape[1]]).reshape(k - 1, -1) / min(1.0, gamma - 1) ** 2
    if c is None:
        matrix = np.add.outer(pi, pi) / k - 1 / k**2 + basis @ inner @ basis.T
    else:  # of the contrast itself, not less its mean
        matrix = c @ pi / k + scale * basis @ inner + np.mean(np.array(contrast)) * pi[:, None]
    return SaddlePoint(x / x.sum(), bits, w / (1 + (gamma - 1) * table.mean(1)), matrix)


def convex_saddle(gamma: float, vertices: Sequence[Sequence[float]], contrast: Sequence[float] | None) -> SaddlePoint:
    """Return the saddle point by CVXPY; randomized response and the mean of the vertices if its solver fails."""
    import numpy as np

    cp = load_cvxpy()
    corners = np.array(vertices)
    count, k = corners.shape
    bits = list(product((0, 1), repeat=k))[1:-1]
    shares = cp.Variable(count, nonneg=True)
    alpha, pi = cp.Variable(k), corners.T @ shares
    if contrast is None:
        matrix = cp.Variable((k, k), symmetric=True)
        gain, less = cp.trace(matrix), cp.sum_squares(pi)
    else:
        c = np.array([contrast])
        matrix = cp.Variable((k, 1))
        gain, less = cp.sum(c @ matrix), cp.square(c @ pi)
    rows = 1 + (gamma - 1) * np.array(bits)
    conditions = [cp.quad_over_lin(row @ matrix, row @ pi) <= row @ alpha for row in rows]
    conditions.append(cp.sum(shares) == 1)
    if not is_solved(cp.Problem(cp.Maximize(2 * gain - cp.sum(alpha) - cp.sum(less)), conditions)):
        single = np.array([float(sum(row) == 1) for row in bits])
        return SaddlePoint(np.full(count, 1 / count), bits, single, np.eye(k)[:, : matrix.shape[1]])
    theta = np.array([float(np.ravel(condition.dual_value)[0]) for condition in conditions[:-1]])
    found = np.maximum(shares.value, 0)
    return SaddlePoint(found / found.sum(), bits, np.maximum(theta, 0), matrix.value)


def _programme(step: float, corners: Array, table: Array, c: Array | None) -> tuple[_Programme, Array]:
    """Return the programme in y = (G or v, t, beta, x less its mean), and the units of G or v.

    With e = min(1, gamma - 1) the first three are scaled by 1/e^2, so that no entry is large; each inequality is
    divided by the mean of S.
    """
    import numpy as np

    (count, k), n = corners.shape, len(table)
    d, basis, moves, e = k - 1, orthogonal_to(np.ones(k)), orthogonal_to(np.ones(count)), min(1.0, step)
    units = symmetric_units(d) if c is None else np.eye(d)
    p = units.shape[1]
    inner, rest, last = slice(0, p), slice(p + 1, p + 1 + d), slice(p + 1 + d, None)
    width = p + 1 + d + count - 1
    population, centre = np.zeros((k, width)), corners.mean(0)  # pi = population y + centre
    population[:, last] = corners.T @ moves
    share = np.zeros((count, width))
    share[:, last] = moves
    size, along = 1 + step * table.mean(1), table @ basis
    a, gain = np.zeros((n, width)), np.zeros(width)
    a[:, p], a[:, rest] = 1, step / e * along / size[:, None]
    q = np.zeros((n, k if c is None else 1, width))
    changes = step / e * np.einsum("ni,ijp->njp", along, units.reshape(d, -1, p))
    if c is None:
        square, base, target = e * population, e * centre, np.eye(d)
        q[:, :, inner] = np.einsum("ki,nip->nkp", basis, changes)
        q += size[:, None, None] * square + step / k * (table @ square)[:, None, :]
        q0 = size[:, None] * base + step / k * (table @ base - e * table.mean(1))[:, None]
    else:
        square, base, target = e * (c @ population)[None], e * (c @ centre)[None], (basis.T @ c)[:, None]
        q[:, :, inner] = changes
        q += size[:, None, None] * square
        q0 = size[:, None] * base
    root = np.sqrt(size)[:, None]
    gain[inner], gain[p] = 2 * target.ravel() @ units, -1
    s, s0 = step * table @ population, 1 + step * table @ centre
    return _Programme(q / root[:, :, None], q0 / root, s, s0, a, share, square, base, gain), units


def _descent(programme: _Programme, p: int) -> tuple[Array, Array]:
    """Return y and the multipliers of the patterns: the best point on the way (Mehrotra's steps)."""
    import numpy as np

    n, count = len(programme.s0), len(programme.share)
    y = np.zeros(programme.a.shape[1])
    y[:p] = _start(programme, p)
    sides = ((programme.q @ y + programme.q0) ** 2).sum(1) / programme.s0
    y[p] = 2 * sides.max()
    z = np.concatenate([y[p] - sides, np.full(count, 1 / count)])
    w = np.full(n + count, 1 / n)
    w[n:] = w[:n] @ z[:n] / n * count
    best, least, idle = (y, w), np.inf, 0
    for _ in range(_STEPS):
        failure, step = _linearised(programme, y, w, z)
        best, least, idle = ((y, w), failure, 0) if failure < least else (best, least, idle + 1)
        if (idle > _IDLE and least < _NEAR) or not np.isfinite(failure):
            break
        now = float(w @ z)
        _, dw, dz = step(0.0)
        length = min(room(w, dw), room(z, dz))
        centre = float(((w + length * dw) @ (z + length * dz) / now) ** 2)
        dy, dw, dz = step(now / len(w) * min(max(centre, _LEAST_CENTRE), 0.5))
        length = min(room(w, dw), room(z, dz), room(programme.s @ y + programme.s0, programme.s @ dy))
        y, w, z = y + length * dy, w + length * dw, z + length * dz
    return best[0], best[1][:n]


def _start(programme: _Programme, p: int) -> Array:
    """Return the part of y that belongs to equal weights at the mean of the vertices."""
    import numpy as np

    q, q0, theta = programme.q[:, :, :p], programme.q0, 1 / programme.s0 / len(programme.s0)
    matrix, along = np.einsum("n,nri,nrj->ij", theta, q, q), np.einsum("n,nri,nr->i", theta, q, q0)
    return np.asarray(np.linalg.solve(matrix, programme.gain[:p] / 2 - along))


def _linearised(programme: _Programme, y: Array, w: Array, z: Array) -> tuple[float, Callable[[float], _Step]]:
    """Return by how much the conditions fail at a point, and the step from there to ``w_i z_i = mu``.

    The curvature of ``abs(q)^2/s`` is ``(2/s) B^T B`` with ``B = q' - (q/s) s'``: like that of the objective it has a
    root (``rooted_step``).
    """
    import numpy as np

    q, q0, s, s0, a, share, square, base, gain = programme
    n, means, moved = len(s), s @ y + s0, q @ y + q0
    ratio = moved / means[:, None]
    slopes = 2 * np.einsum("nr,nrd->nd", ratio, q) - (ratio**2).sum(1)[:, None] * s - a
    jacobian = np.vstack([slopes, -share])
    excess = z + np.concatenate([(moved * ratio).sum(1) - a @ y, -(share @ y + 1 / len(share))])
    rest = gain - 2 * square.T @ (square @ y + base) - jacobian.T @ w
    bend = (q - ratio[:, :, None] * s[:, None, :]) * np.sqrt(2 * w[:n] / means)[:, None, None]
    curvature = np.vstack([bend.reshape(-1, len(y)), 2**0.5 * square])
    step = rooted_step(jacobian, curvature, w, z, excess, rest)
    return float((w @ z + np.abs(excess).max()) / np.abs(y).max() + np.abs(rest).max()), step
