"""The interior-point method behind D- and E-optimal designs: weights of all patterns, and a positive definite matrix.

In the notation of ``pattern_newton``, with ``C = sum_j w_j c_j c_j^T``, the information on contrasts, over the weights
w >= 0 with ``sum_j w_j = 1`` and ``sum_j w_j c_j = 0``:

    D   maximise  ln det C             E   maximise  t   subject to   C >= t I  (in Loewner's order).

*The duals*, over positive definite X with ``c_j^T X c_j <= a_0 + a . c_j`` for all j: D maximise ``ln det X - a_0`` (X
is C^-1 at the optimum, a_0 = d); E minimise ``a_0`` with ``tr X = 1`` (X has the eigenvectors of the least eigenvalue
alone). Both are one set of conditions, with z the slacks of the dual and S = C - t I:

    w_j z_j = mu,    X S = nu I,    nu = 1 and t = 0 for D, nu = mu and tr X = 1 for E,

solved by Newton's method in the scaling of Nesterov and Todd, in coordinates in which C is the identity at the start
(the unit I of E is then another matrix). For D it ends near 1e-14, for E near 1e-9, as X S is 0 there; Newton's method
on ``X = F F^T`` with as many columns as the least eigenvalue is multiple, and on the patterns that have weight, goes on
from there. No certificate depends on it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from rropt.designs.convex.pattern_newton import Point, room
from rropt.objectives.criteria import symmetric_units

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rropt.designs.convex.pattern_newton import Array

_STEPS, _NEAR = 200, 1e-6
_IDLE_D, _IDLE_E = 6, 25  # steps without progress after which it stops
_DAMPING, _LEAST_CENTRE = 0.98, 1e-3
_RANK = 1e-11  # singular values below, relative, are 0
# Of E: steps of the second method, how far below 0 a weight of it may be, and what weights it may leave out.
_POLISHES, _ROUNDING, _LEAST = 10, 1e-7, (1.0, 1e-2, 1e2, 1e-4)
_TURNS, _ENOUGH = 5, 5e-9  # of E: from how many coordinates it sets out at most, and the relative gap that ends it


class _Programme(NamedTuple):
    """The patterns, and what stands for I in E; None for D."""

    c: Array
    unit: Array | None


class _State(NamedTuple):
    """Where the method is."""

    w: Array
    z: Array
    x: Array  # X, shape (d, d)
    a: Array  # (a_0, a)
    t: float

    def slack(self, programme: _Programme) -> Array:
        """Return S."""
        information: Array = (programme.c * self.w[:, None]).T @ programme.c
        return information if programme.unit is None else information - self.t * programme.unit


def cone_point(s: Array, c: Array, *, is_e: bool) -> Point:
    """Return the solution from equal theta: w, X and a.

    Where the least eigenvalue of E is nearly multiple rounding ends the method some 1e-8 early, mostly in w, by what
    depends on the coordinates. Then it sets out again from turned ones, and the best w and the best X count.

    Args:
        s: ``S_j . pi``, shape (n,).
        c: shape (n, d).
        is_e: whether E-optimality is asked, not D.
    """
    import numpy as np

    d = c.shape[1]
    point, value, bound = _solved(s, c, is_e=is_e)
    for turn in range(1, _TURNS):
        if not is_e or 1 - value / bound <= _ENOUGH:
            break
        q = np.linalg.qr(np.random.default_rng(turn).normal(size=(d, d)))[0]
        other, its_value, its_bound = _solved(s, c @ q, is_e=True)
        if its_value > value:
            point, value = point._replace(w=other.w), its_value
        if its_bound < bound:
            a = np.append(other.a[0], q @ other.a[1:])
            point, bound = point._replace(matrix=q @ other.matrix @ q.T, a=a), its_bound
    return point


def _solved(s: Array, c: Array, *, is_e: bool) -> tuple[Point, float, float]:
    """Return the solution in these coordinates; of E also its value and the bound of X and a."""
    import numpy as np

    d, w = c.shape[1], s / s.sum()
    root = np.linalg.cholesky(np.linalg.inv((c * w[:, None]).T @ c))  # C is the identity in c @ root
    moved, unit = c @ root, root.T @ root if is_e else None
    x = np.eye(d) if unit is None else np.eye(d) / np.trace(unit)
    t = 0.0 if unit is None else 0.5 / float(np.linalg.norm(unit, 2))
    sides = ((moved @ x) * moved).sum(1)
    a = np.append(2 * sides.max(), np.zeros(d))
    ends = 0.0, np.inf
    with np.errstate(all="ignore"):  # past the end of the floats nothing is taken
        programme = _Programme(moved, unit)
        state = _descent(programme, _State(w, a[0] - sides, x, a, t))
        if unit is not None:
            tries = (_polished(programme, unit, state, least) for least in _LEAST)
            both = [(each, _ends(programme, root, each)) for each in (state, *tries)]
            state, ends = min(both, key=lambda each: 1 - each[1][0] / each[1][1])
    return Point(state.w / state.w.sum(), root @ state.x @ root.T, np.append(state.a[0], root @ state.a[1:])), *ends


def _descent(programme: _Programme, state: _State) -> _State:
    """Return the best point on the way."""
    import numpy as np

    (n, d), is_e = programme.c.shape, programme.unit is not None
    best, least, idle = state, np.inf, 0

    def gap(at: _State) -> float:
        return float(at.w @ at.z) + (float((at.x * at.slack(programme)).sum()) if is_e else 0.0)

    for _ in range(_STEPS):
        try:
            failure, step = _linearised(programme, state)
            best, least, idle = (state, failure, 0) if failure < least else (best, least, idle + 1)
            if (idle > (_IDLE_E if is_e else _IDLE_D) and least < _NEAR) or not np.isfinite(failure):
                break
            ahead = step(0.0)
            left = gap(_moved(state, ahead, _length(programme, state, ahead))) / gap(state)
            change = step(gap(state) / (n + d * is_e) * min(max(left**2, _LEAST_CENTRE), 0.5))
            state = _moved(state, change, _length(programme, state, change))
        except np.linalg.LinAlgError:  # X or S has left the cone by a rounding
            break
    return best


def _moved(state: _State, change: _State, length: float) -> _State:
    return _State(
        state.w + length * change.w,
        state.z + length * change.z,
        state.x + length * change.x,
        state.a + length * change.a,
        state.t + length * change.t,
    )


def _length(programme: _Programme, state: _State, change: _State) -> float:
    """Return how long a step may be for w, z, X and S to remain in their cones."""
    before = state.slack(programme)
    after = _moved(state, change, 1.0).slack(programme)
    longest = min(room(state.w, change.w), room(state.z, change.z))
    return min(longest, _cone_room(state.x, change.x), _cone_room(before, after - before))


def _cone_room(x: Array, dx: Array) -> float:
    """Return how long a step may be, at most 1, for x to remain positive definite."""
    import numpy as np
    from scipy.linalg import solve_triangular

    root = np.linalg.cholesky(x)
    half = solve_triangular(root, dx, lower=True)
    least = float(np.linalg.eigvalsh(solve_triangular(root, half.T, lower=True))[0])
    return min(1.0, _DAMPING / -least) if least < 0 else 1.0


def _linearised(programme: _Programme, state: _State) -> tuple[float, Callable[[float], _State]]:
    """Return by how much the conditions fail at a point, and the step from there to ``w_j z_j = mu``, ``X S = nu I``.

    A step solves ``(P + J^T diag(w/z) J) y = r`` for y = (X, a), X in orthonormal units and J the derivative of -z;
    ``P dX = K dX K`` with K X K = S. For E a multiplier of ``tr X`` is eliminated. By a root of the matrix, as in
    ``pattern_newton``.
    """
    import numpy as np
    from scipy.linalg import solve_triangular

    (c, unit), (w, z, x, a, _) = programme, state
    (n, d), is_e = c.shape, unit is not None
    units, affine = symmetric_units(d), np.column_stack([np.ones(n), c])
    excess = z - affine @ a + ((c @ x) * c).sum(1)
    slack = state.slack(programme)
    lower, root_of_s = np.linalg.cholesky(x), np.linalg.cholesky(slack)
    _, singular, right = np.linalg.svd(root_of_s.T @ lower)
    scaling = (np.sqrt(singular)[:, None] * right) @ np.linalg.inv(lower)  # g, K = g^T g
    inverse = np.linalg.inv(x)
    jacobian = np.hstack([(c[:, :, None] * c[:, None, :]).reshape(n, -1) @ units, -affine])
    curvature = np.pad(np.kron(scaling, scaling) @ units, ((0, 0), (0, d + 1)))
    rows = np.vstack([jacobian * np.sqrt(w / z)[:, None], curvature])
    scale = 1 / np.sqrt((rows**2).sum(0))
    order = np.argsort(-np.abs(rows).max(1), kind="stable")
    root = np.asarray(np.linalg.qr(rows[order] * scale, mode="r"))
    trace = np.append((np.zeros(d * d) if unit is None else unit.ravel()) @ units, np.zeros(d + 1))
    rest = np.append(np.zeros(units.shape[1]), affine.T @ w - np.eye(d + 1)[0])

    long = np.longdouble  # of residuals: half of the digits of a step would be lost near the end
    fine, bent, ratio = jacobian.astype(long), curvature.astype(long), w.astype(long) / z

    def solved(right: NDArray[Any]) -> NDArray[Any]:
        y, left = np.zeros(len(right), long), right.astype(long)
        for _ in range(4):
            y = y + scale * solve_triangular(root, solve_triangular(root, left.astype(float) * scale, trans="T"))
            left = right - fine.T @ (ratio * (fine @ y)) - bent.T @ (bent @ y)
        return y

    beside = solved(trace)

    def step(mu: float) -> _State:
        push = (mu - w.astype(long) * z + w * excess) / z
        cone = np.append((((mu if is_e else 1.0) * inverse - slack).ravel()) @ units, np.zeros(d + 1))
        y, dt = solved(cone + rest - fine.T @ push), 0.0
        if unit is not None:
            dt = float((1 - (x * unit).sum() - float(trace @ y)) / float(trace @ beside))
            y = y + dt * beside
        dx = (units @ y[: -d - 1].astype(float)).reshape(d, d)
        dw, dz = push + ratio * (fine @ y), -excess - fine @ y
        return _State(dw.astype(float), dz.astype(float), dx, y[-d - 1 :].astype(float), dt)

    failure = float((w @ z + np.abs(excess).max()) / a[0] + np.abs(rest).max())
    product = x @ slack / a[0] if is_e else np.eye(d) - x @ slack
    return failure + float(np.abs(product).max()), step


def _ends(programme: _Programme, root: Array, state: _State) -> tuple[float, float]:
    """Return the value of w, with 1 as its sum and less by as much as the other sums fail, and the bound of X and a."""
    import numpy as np

    c, w = programme.c, state.w / state.w.sum()
    back = np.linalg.solve(root.T, (c * w[:, None]).T @ c) @ np.linalg.inv(root)
    sides = ((c @ state.x) * c).sum(1)
    bound = float((sides - c @ state.a[1:]).max()) / float(np.trace(root @ state.x @ root.T))
    return float(np.linalg.eigvalsh(back)[0]) - float(np.abs(c.T @ w).max()) * bound, bound


def _polished(programme: _Programme, unit: Array, state: _State, least: float) -> _State:
    """Return the solution of E on the patterns of weight, with X = F F^T; the state itself where there is none.

    Conditions: ``(C - t I) F = 0``, ``abs(c_j F)^2 = a_0 + a . c_j`` on these patterns, ``tr X = 1`` and those of w.
    F may be turned and w need not be unique: the least step is taken. What is not 0 is larger than what it is
    complementary to, in coordinates in which C is about the identity.
    """
    import numpy as np

    values, vectors = np.linalg.eigh(state.x)
    is_kept = values > state.a[0] * np.abs((vectors * (state.slack(programme) @ vectors)).sum(0))
    f = (vectors * np.sqrt(np.maximum(values, 0)))[:, is_kept]
    kept = np.flatnonzero(state.w > least * state.z / state.a[0])
    if not len(kept) or not is_kept.any():
        return state
    c, (d, r), n = programme.c[kept], f.shape, len(kept)
    affine, w, a, t = np.column_stack([np.ones(n), c]), state.w[kept], state.a, state.t
    sizes = w.copy()
    for _ in range(_POLISHES):
        moved, slack = c @ f, (c * w[:, None]).T @ c - t * unit
        parts = [(slack @ f).ravel(), (moved**2).sum(1) - affine @ a, [(f * (unit @ f)).sum() - 1]]
        residual = np.concatenate([*parts, affine.T @ w - np.eye(d + 1)[0]])
        by_w = (c[:, :, None] * moved[:, None, :]).reshape(n, -1).T
        rows = [np.hstack([np.kron(slack, np.eye(r)), by_w, np.zeros((d * r, d + 1)), -(unit @ f).reshape(-1, 1)])]
        by_f = 2 * (c[:, :, None] * moved[:, None, :]).reshape(n, -1)
        rows.append(np.hstack([by_f, np.zeros((n, n)), -affine, np.zeros((n, 1))]))
        rows.append(np.append(2 * (unit @ f).ravel(), np.zeros(n + d + 2))[None, :])
        rows.append(np.hstack([np.zeros((d + 1, d * r)), affine.T, np.zeros((d + 1, d + 2))]))
        size = np.concatenate([np.ones(d * r), sizes, np.ones(d + 2)])
        change = size * np.linalg.lstsq(np.vstack(rows) * size, -residual, rcond=_RANK)[0]
        f = f + change[: d * r].reshape(d, r)
        w, a, t = w + change[d * r : d * r + n], a + change[d * r + n : -1], t + float(change[-1])
        if not np.isfinite(f).all():
            return state
    if not w.min() > -_ROUNDING:
        return state
    whole = np.zeros(len(state.w))
    whole[kept] = np.maximum(w, 0)
    return state._replace(w=whole, x=f @ f.T, a=a, t=t)
