"""The interior-point method behind designs of least variance: the weights of all patterns, in floats.

A mechanism of rows ``theta_j S_j``, S_j in {1, gamma}^k, is as good as any (FORMAT.md, rule 5). With ``s_j = S_j .
pi``, ``w_j = theta_j s_j`` (the chance of answer j), ``L`` an orthonormal basis of the contrasts (the vectors
orthogonal to 1) and ``c_j = L^T S_j / s_j``:

    minimise  tr B^T (sum_j w_j c_j c_j^T)^- B   subject to   w >= 0,   sum_j w_j = 1,   sum_j w_j c_j = 0,

for with C the sum, as ``M pi = 1``, the matrix ``(pi, L)^T M (pi, L)`` is 1 and C in blocks: ``M^-1 = pi pi^T + L C^-1
L^T``, and ``M = 1 1^T + Q C Q^T`` with ``Q = (I - 1 pi^T) L``, which is L at equal shares. B is the identity of
A-optimality, and one column for the variance of one contrast. The programme is convex.

*The dual*: maximise ``2 tr B^T W - a_0`` subject to ``abs(c_j W)^2 <= a_0 + a . c_j`` for all j; its multipliers are w.
A cone solver stops near 1e-7. Newton's method on the optimality conditions with ``w_j z_j = mu``, z the slacks (a
primal-dual interior-point method), goes to the end of the floats, about 1e-14. No certificate depends on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from rropt.objectives.criteria import orthogonal_to

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

# Newton's method: steps at most (ten to thirty are made), and steps without progress after which it stops: at the end
# of the floats.
_STEPS, _IDLE, _NEAR = 100, 5, 1e-10

_DAMPING, _LEAST_CENTRE = 0.995, 1e-4  # how much of the way to the boundary a step goes; how much smaller mu gets
_SUPPORT = 1e-9  # weights above count when a solution is polished
_NEGLIGIBLE = 1e-13  # weights below are roundings of 0: optimal designs at shares of 1e-4 have some of 1e-9


class Patterns(NamedTuple):
    """Patterns in floats."""

    bits: list[tuple[int, ...]]
    s: Array  # S . pi, shape (n,)
    c: Array  # L^T S / s / unit, shape (n, k - 1)
    basis: Array  # L, shape (k, k - 1)
    unit: float  # of c, so that its largest entry is 1


class Point(NamedTuple):
    """An approximate solution of primal and dual."""

    w: Array
    matrix: Array  # W, shape (k - 1, r)
    a: Array  # (a_0, a), shape (k,)


_Step = tuple["Array", "Array", "Array"]  # the changes of x, w and z


def all_patterns(gamma: Fraction, population: Sequence[Fraction]) -> Patterns:
    """Return all patterns but the constant ones, which tell nothing."""
    import numpy as np

    k = len(population)
    bits = list(product((0, 1), repeat=k))[1:-1]
    table = np.array(bits, dtype=float)
    s = 1 + float(gamma - 1) * (table @ np.array([float(p) for p in population]))
    basis = orthogonal_to(np.ones(k))
    c = (table @ basis) / s[:, None]
    return Patterns(bits, s, c / np.abs(c).max(), basis, float(gamma - 1) * float(np.abs(c).max()))


def products_with(c: Array, others: Array | None = None) -> Array:
    """Return the products of 1 and each column of c with each other column: with 1 and those of c if left out."""
    import numpy as np

    lines = np.column_stack([np.ones(len(c)), c])
    return np.asarray((lines[:, :, None] * (lines if others is None else others)[:, None, :]).reshape(len(c), -1))


def _linearised(
    c: Array, target: Array, units: Array, z: Array, point: Point
) -> tuple[float, Callable[[float], _Step]]:
    """Return by how much the conditions of the dual fail at a point, and the step from there to ``w_j z_j = mu``.

    With ``z = a_0 + c a - abs(c W)^2`` and M = sum_j w_j c_j c_j^T: ``2 M W = 2 B`` (its part in the units),
    ``sum_j w_j (1, c_j) = e_0`` and ``w_j z_j = mu``. A step is one of ``rooted_step`` for x = (W, a), W in orthonormal
    units, P the derivative of 2 M W, J that of -z.
    """
    import numpy as np

    n, r, (w, matrix, a) = len(c), target.shape[1], point
    b = len(a) - 1
    moved, affine = c @ matrix, np.column_stack([np.ones(n), c[:, :b]])
    excess = z - affine @ a + (moved**2).sum(1)  # by how much z is more than it should be
    stationary = 2 * (target - (c * w[:, None]).T @ moved).ravel() @ units
    rest = np.concatenate([stationary, affine.T @ w - np.eye(b + 1)[0]])  # by how much the other conditions fail
    jacobian = np.hstack([2 * np.einsum("nj,ni->nji", c, moved).reshape(n, -1) @ units, -affine])
    root_of_m = np.asarray(np.linalg.qr(c * np.sqrt(2 * w)[:, None], mode="r"))
    curvature = np.kron(root_of_m, np.eye(r)) @ units  # a root of P
    curvature = np.pad(curvature, ((0, 0), (0, b + 1)))
    step = rooted_step(jacobian, curvature, w, z, excess, rest)
    return float((w @ z + np.abs(excess).max()) / a[0] + np.abs(rest).max()), step


def rooted_step(
    jacobian: Array, curvature: Array, w: Array, z: Array, excess: Array, rest: Array
) -> Callable[[float], _Step]:
    """Return the step from a point to ``w_j z_j = mu``, as a function of mu.

    It solves ``(P + J^T diag(w/z) J) x = r`` with a root of the matrix, as w/z ranges over thirty decades; QR is
    accurate in rows in order.

    Args:
        jacobian: J, the derivative of -z, shape (n, p).
        curvature: a root of P, shape (q, p).
        w: the multipliers, shape (n,).
        z: the slacks, shape (n,).
        excess: by how much z is more than it should be.
        rest: by how much the other conditions fail, shape (p,).
    """
    import numpy as np
    from scipy.linalg import solve_triangular

    rows = np.vstack([jacobian * np.sqrt(w / z)[:, None], curvature])
    scale = 1 / np.sqrt((rows**2).sum(0))
    order = np.argsort(-np.abs(rows).max(1), kind="stable")
    root = np.asarray(np.linalg.qr(rows[order] * scale, mode="r"))  # R^T R is the matrix of the step, scaled

    def step(mu: float) -> _Step:
        push = (mu - w * z + w * excess) / z
        left = right = rest - jacobian.T @ push
        x = np.zeros_like(right)
        for _ in range(3):  # two refinements: what QR has lost of the small parts
            x = x + scale * solve_triangular(root, solve_triangular(root, left * scale, trans="T"))
            along = w / z * (jacobian @ x)
            left = right - jacobian.T @ along - curvature.T @ (curvature @ x)
        return x, push + along, -excess - jacobian @ x

    return step


def newton_point(s: Array, c: Array, target: Array, units: Array, balanced: int | None = None) -> Point:
    """Return the solution by Newton's method on the conditions of the dual, from equal theta (Mehrotra's centring).

    Args:
        s: shape (n,).
        c: shape (n, d).
        target: B, shape (d, r).
        units: orthonormal, shape (d r, p): the matrices that W may be.
        balanced: how many of the first columns of c have ``sum_j w_j c_j = 0``; all of them where it is left out.
    """
    import numpy as np

    equal = s / s.sum()
    start = np.kron((c * equal[:, None]).T @ c, np.eye(target.shape[1]))  # M W = B, among what W may be
    first = (units @ np.linalg.solve(units.T @ start @ units, units.T @ target.ravel())).reshape(target.shape)
    point = Point(equal, first, np.zeros((c.shape[1] if balanced is None else balanced) + 1))
    lengths = ((c @ point.matrix) ** 2).sum(1)
    point.a[0] = 2 * lengths.max()
    z = point.a[0] - lengths
    with np.errstate(all="ignore"):  # past the end of the floats nothing is taken
        return _descent(c, target, units, z, point)


def _descent(c: Array, target: Array, units: Array, z: Array, point: Point) -> Point:
    """Return the best point on the way."""
    import numpy as np

    n, best, least, idle = len(c), point, np.inf, 0
    for _ in range(_STEPS):
        failure, step = _linearised(c, target, units, z, point)
        best, least, idle = (point, failure, 0) if failure < least else (best, least, idle + 1)
        if (idle > _IDLE and least < _NEAR) or not np.isfinite(failure):
            break
        w, product_now = point.w, float(point.w @ z)
        _, dw, dz = step(0.0)
        length = min(room(w, dw), room(z, dz))
        centre = float(((w + length * dw) @ (z + length * dz) / product_now) ** 2)
        x, dw, dz = step(product_now / n * min(max(centre, _LEAST_CENTRE), 0.5))
        length = min(room(w, dw), room(z, dz))
        z, change = z + length * dz, length * x
        b = len(point.a)
        matrix = point.matrix + (units @ change[:-b]).reshape(target.shape)
        point = Point(w + length * dw, matrix, point.a + change[-b:])
    return best


def polished(patterns: Patterns, point: Point, target: Array, units: Array) -> Point | None:
    """Return the solution over the patterns that matter alone, and the best a for its W over all, a linear programme.

    Where the solution is nearly degenerate the method over all patterns ends near 1e-9; over those of its support it
    does not, and W is that of the support, if that is right. None where it is wrong or the programme is not solved.
    """
    import numpy as np
    from scipy.optimize import linprog

    kept = np.flatnonzero(point.w > _SUPPORT * point.w.max())
    if np.linalg.matrix_rank(patterns.c[kept]) < patterns.c.shape[1]:
        return None
    found = newton_point(patterns.s[kept], patterns.c[kept], target, units)
    w = np.zeros(len(point.w))
    w[kept] = found.w
    sides = ((patterns.c @ found.matrix) ** 2).sum(1)
    size, affine = sides.max(), np.column_stack([np.ones(len(sides)), patterns.c])
    fine = dict.fromkeys(("primal_feasibility_tolerance", "dual_feasibility_tolerance"), 1e-10)  # HiGHS takes no less
    first = np.eye(affine.shape[1])[0]
    solved = linprog(first, A_ub=-affine, b_ub=-sides / size, bounds=(None, None), method="highs-ds", options=fine)
    return Point(w, found.matrix, solved.x * size) if solved.status == 0 else None


def room(x: Array, dx: Array, damping: float = _DAMPING) -> float:
    """Return how long a step may be, at most 1, for x to remain positive."""
    import numpy as np

    return float(min(1.0, damping * np.min(-x[dx < 0] / dx[dx < 0], initial=np.inf)))


def support_of(patterns: Patterns, w: Array, sides: Array) -> tuple[list[int], list[float], int]:
    """Return few patterns that serve as well, their theta, and how many of the first are linearly independent.

    Args:
        patterns: all of them.
        w: their weights.
        sides: shape (n, p): ``sum_j w_j sides_j`` stays what it is.
    """
    import numpy as np
    from scipy.linalg import qr
    from scipy.optimize import nnls

    kept = np.flatnonzero(w > _NEGLIGIBLE * w.max())
    rows = np.column_stack([np.ones(len(kept)), patterns.c[kept]])
    columns = np.column_stack([rows, sides[kept]])
    weights = nnls(columns.T, columns.T @ w[kept])[0]
    triangle, order = qr((rows * weights[:, None]).T, mode="r", pivoting=True)
    chosen = [j for j in order if weights[j] > _NEGLIGIBLE * weights.max()]
    diagonal = np.abs(np.diag(triangle))
    rank = int((diagonal > _NEGLIGIBLE * diagonal[0]).sum())
    return [int(kept[j]) for j in chosen], [float(weights[j] / patterns.s[kept[j]]) for j in chosen], rank
