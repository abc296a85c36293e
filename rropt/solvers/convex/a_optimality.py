"""A-optimal designs: the convex programme over the weights of all patterns, by CVXPY and by Newton's method.

*The programme.* A mechanism of rows ``theta_j S_j``, S_j in {1, gamma}^k, is as good as any (FORMAT.md, rule 5). With
``s_j = S_j . pi``, ``w_j = theta_j s_j`` (the chance of answer j) and ``L`` an orthonormal basis of the contrasts (the
vectors orthogonal to 1), ``c_j = L^T S_j / s_j``:

    minimise  tr (sum_j w_j c_j c_j^T)^-1   subject to   w >= 0,   sum_j w_j = 1,   sum_j w_j c_j = 0,

for ``M = 1 1^T + L (sum_j w_j c_j c_j^T) L^T`` and ``M^-1 = pi pi^T + L (sum_j w_j c_j c_j^T)^-1 L^T``. It is convex:
the trace of the inverse is a convex function of a matrix, which is linear in w.

*The dual*: maximise ``2 tr W - a_0`` subject to ``abs(W c_j)^2 <= a_0 + a . c_j`` for all j; its multipliers are w. A
cone solver stops near 1e-7. Newton's method on the optimality conditions with ``w_j z_j = mu``, z the slacks (a
primal-dual interior-point method), goes to the end of the floats, about 1e-14. The bracket depends on none of them:
``certificates.pattern_dual`` makes an exact mechanism and dual.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from rropt.certificates import Certificate
from rropt.certificates.pattern_dual import certify_patterns, exact_dual, pattern_mechanism, rounded_dual
from rropt.errors import UnsupportedProblemError
from rropt.mechanisms import Mechanism
from rropt.privacy.region import RationalLevels
from rropt.problem import Problem
from rropt.solvers.convex import is_solved, load_cvxpy
from rropt.solvers.design_class import DesignClass, Route
from rropt.solvers.solution import ProvedDesign, RouteResult

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

# 2^k patterns: 1024 of ten inputs take a second or two; the semidefinite programme of seven takes several.
MOST_INPUTS = 10
_CONVEX_INPUTS = 6

# Newton's method: steps at most (ten to thirty are made), and steps without progress after which it stops: at the end
# of the floats.
_STEPS, _IDLE, _NEAR = 100, 5, 1e-10

_DAMPING, _LEAST_CENTRE = 0.995, 1e-4  # how much of the way to the boundary a step goes; how much smaller mu gets
_NEGLIGIBLE = 1e-13  # weights below are roundings of 0: optimal designs at shares of 1e-4 have some of 1e-9


class _Patterns(NamedTuple):  # all but the constant ones, in floats
    bits: list[tuple[int, ...]]
    s: Array  # S . pi, shape (n,)
    c: Array  # L^T S / s / unit, shape (n, k - 1)
    basis: Array  # L, shape (k, k - 1)
    unit: float  # of c, so that its largest entry is 1


class _Point(NamedTuple):  # an approximate solution of primal and dual
    w: Array
    matrix: Array  # W, shape (k - 1, k - 1)
    a: Array  # (a_0, a), shape (k,)


_Step = tuple["Array", "Array", "Array"]  # the changes of x, w and z


def _patterns(gamma: Fraction, population: tuple[Fraction, ...]) -> _Patterns:
    import numpy as np

    k = len(population)
    bits = list(product((0, 1), repeat=k))[1:-1]
    table = np.array(bits, dtype=float)
    s = 1 + float(gamma - 1) * (table @ np.array([float(p) for p in population]))
    basis = np.linalg.qr(np.column_stack([np.ones(k), np.eye(k)[:, 1:]]))[0][:, 1:]
    c = (table @ basis) / s[:, None]
    return _Patterns(bits, s, c / np.abs(c).max(), basis, float(gamma - 1) * float(np.abs(c).max()))


def _convex_point(c: Array) -> _Point | None:
    """Return the solution of the programme by CVXPY, or None if its solver fails."""
    import numpy as np

    cp = load_cvxpy()

    w = cp.Variable(len(c), nonneg=True)
    information = c.T @ cp.diag(w) @ c
    conditions = [cp.sum(w) == 1, c.T @ w == 0]
    programme = cp.Problem(cp.Minimize(cp.tr_inv((information + information.T) / 2)), conditions)
    if not is_solved(programme) or np.linalg.eigvalsh(information.value).min() <= 0:
        return None
    multipliers = [np.ravel(condition.dual_value) for condition in conditions]
    return _Point(np.maximum(w.value, 0), np.linalg.inv(information.value), np.concatenate(multipliers))


def _linearised(c: Array, units: Array, z: Array, point: _Point) -> tuple[float, Callable[[float], _Step]]:
    """Return by how much the conditions of the dual fail at a point, and the step from there to ``w_j z_j = mu``.

    With ``z = a_0 + c a - abs(c W)^2`` and M = sum_j w_j c_j c_j^T: ``M W + W M = 2 I``, ``sum_j w_j (1, c_j) = e_0``
    and ``w_j z_j = mu``. A step solves ``(P + J^T diag(w/z) J) x = r`` for x = (W, a), W in orthonormal units of
    symmetric matrices, P the derivative of M W + W M, J that of -z. It is solved with a root of the matrix, as w/z
    ranges over thirty decades; QR is accurate in rows in order.
    """
    import numpy as np
    from scipy.linalg import solve_triangular

    (n, d), (w, matrix, a) = c.shape, point
    information, moved, affine = (c * w[:, None]).T @ c, c @ matrix, np.column_stack([np.ones(n), c])
    excess = z - affine @ a + (moved**2).sum(1)  # by how much z is more than it should be
    stationary = (2 * np.eye(d) - matrix @ information - information @ matrix).ravel() @ units
    rest = np.concatenate([stationary, affine.T @ w - np.eye(d + 1)[0]])  # by how much the other conditions fail
    jacobian = np.hstack([2 * np.einsum("ni,nj->nij", moved, c).reshape(n, -1) @ units, -affine])
    values, vectors = np.linalg.eigh(np.kron(information, np.eye(d)) + np.kron(np.eye(d), information))
    curvature = (np.sqrt(np.maximum(values, 0))[:, None] * vectors.T) @ units  # a root of P
    curvature = np.pad(curvature, ((0, 0), (0, d + 1)))
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

    return float((w @ z + np.abs(excess).max()) / a[0] + np.abs(rest).max()), step


def _newton_point(s: Array, c: Array) -> _Point:
    """Return the solution by Newton's method on the conditions of the dual, from equal theta (Mehrotra's centring)."""
    import numpy as np

    (n, d), units = c.shape, _units(c.shape[1])
    equal = s / s.sum()
    point = _Point(equal, np.linalg.inv((c * equal[:, None]).T @ c), np.zeros(d + 1))
    lengths = ((c @ point.matrix) ** 2).sum(1)
    point.a[0] = 2 * lengths.max()
    z, best, least, idle = point.a[0] - lengths, point, np.inf, 0
    for _ in range(_STEPS):
        failure, step = _linearised(c, units, z, point)
        best, least, idle = (point, failure, 0) if failure < least else (best, least, idle + 1)
        if (idle > _IDLE and least < _NEAR) or not np.isfinite(failure):
            break
        w, product_now = point.w, point.w @ z
        _, dw, dz = step(0.0)
        length = min(_room(w, dw), _room(z, dz))
        centre = ((w + length * dw) @ (z + length * dz) / product_now) ** 2
        x, dw, dz = step(product_now / n * min(max(centre, _LEAST_CENTRE), 0.5))
        length = min(_room(w, dw), _room(z, dz))
        z, change = z + length * dz, length * x
        matrix = point.matrix + (units @ change[: -d - 1]).reshape(d, d)
        point = _Point(w + length * dw, matrix, point.a + change[-d - 1 :])
    return best


def _units(d: int) -> Array:
    """Return an orthonormal basis of the symmetric d x d matrices, one in each column."""
    import numpy as np

    i, j = np.triu_indices(d)
    units = np.zeros((d, d, len(i)))
    units[i, j, range(len(i))] = units[j, i, range(len(i))] = np.where(i == j, 1, 0.5**0.5)
    return units.reshape(d * d, -1)


def _room(x: Array, dx: Array) -> float:
    """Return how long a step may be, at most 1, for x to remain positive."""
    import numpy as np

    return float(min(1.0, _DAMPING * np.min(-x[dx < 0] / dx[dx < 0], initial=np.inf)))


def _support(patterns: _Patterns, w: Array) -> tuple[list[int], list[float]]:
    """Return k(k+1)/2 patterns at most that have the same information, with their theta; k independent ones first."""
    import numpy as np
    from scipy.linalg import qr
    from scipy.optimize import nnls

    kept = np.flatnonzero(w > _NEGLIGIBLE * w.max())
    c = patterns.c[kept]
    rows = np.column_stack([np.ones(len(kept)), c])
    columns = (rows[:, :, None] * rows[:, None, :]).reshape(len(kept), -1)
    weights = nnls(columns.T, columns.T @ w[kept])[0]
    order = qr((rows * weights[:, None]).T, mode="r", pivoting=True)[1]
    chosen = [j for j in order if weights[j] > _NEGLIGIBLE * weights.max()]
    return [int(kept[j]) for j in chosen], [float(weights[j] / patterns.s[kept[j]]) for j in chosen]


def _design(problem: Problem, levels: RationalLevels, patterns: _Patterns, point: _Point) -> ProvedDesign:
    """Return the exact mechanism at the level below and the exact dual at the level above."""
    import numpy as np

    pi, ends = problem.population, levels.one_level()
    k, gamma, basis = len(pi), ends.above.gamma, patterns.basis
    chosen, weights = _support(patterns, point.w)
    support = [patterns.bits[j] for j in chosen]
    mechanism = pattern_mechanism(support, weights, ends.below.gamma) or _direct(problem, levels)
    every = list(product((0, 1), repeat=k))
    slopes = 2 * point.matrix @ (basis.T @ np.array([float(p) for p in pi])) * patterns.unit + point.a[1:]
    z, beta = basis @ point.matrix @ basis.T / patterns.unit**2, basis @ slopes / patterns.unit**3
    duals = [rounded_dual(z.tolist(), beta.tolist(), every, gamma, pi)]
    if len(support) == k:
        exact = exact_dual(support, every, gamma, pi)
        duals += [exact] if exact else []
    dual = max(duals, key=lambda each: each.bound(pi))
    upper = problem.objective.value(mechanism, pi)
    return ProvedDesign(dual.bound(pi), upper, mechanism, dual)


def _direct(problem: Problem, levels: RationalLevels) -> Mechanism:
    """Return k-ary randomized response: what can always be handed out, and what is optimal at large epsilon."""
    k, gamma = problem.region.inputs, levels.one_level().below.gamma
    return Mechanism([[(gamma if i == j else 1) / (gamma + k - 1) for j in range(k)] for i in range(k)])


def _by_cvxpy(problem: Problem, levels: RationalLevels) -> RouteResult:
    patterns = _patterns(levels.one_level().above.gamma, problem.population)
    point = _convex_point(patterns.c)
    if point is None:  # nothing is below 0
        return RouteResult(Fraction(0), problem.objective.value(_direct(problem, levels), problem.population))
    return _design(problem, levels, patterns, point)


def _by_newton(problem: Problem, levels: RationalLevels) -> ProvedDesign:
    patterns = _patterns(levels.one_level().above.gamma, problem.population)
    return _design(problem, levels, patterns, _newton_point(patterns.s, patterns.c))


def _few_inputs(problem: Problem) -> bool:
    return problem.region.inputs <= _CONVEX_INPUTS


@dataclass(frozen=True)
class AOptimalDesigns(DesignClass[ProvedDesign]):
    """Designs of the least total variance of the estimated population, over all mechanisms under one level."""

    name = "A-optimal"
    routes = (
        Route("convex", _by_cvxpy, _few_inputs),
        Route("exact", _by_newton),
    )
    found = ProvedDesign

    def accepts(self, problem: Problem) -> bool:
        """Return whether the objective is A-optimality.

        Raises:
            UnsupportedProblemError: it is, with delta > 0 or more inputs than patterns can be tried of.
        """
        if problem.objective.kind != "a-optimal":
            return False
        if problem.region.form != "parity" or problem.region.inputs > MOST_INPUTS:
            raise UnsupportedProblemError(
                f"the objective a-optimal is solved over all patterns: received {problem.region}; allowed are delta = "
                f"0 and at most {MOST_INPUTS} categories; merge categories"
            )
        return True

    def certificate(self, problem: Problem, levels: RationalLevels, best: ProvedDesign) -> Certificate:
        """Return the certificate of the pattern rule."""
        return certify_patterns(
            problem, levels, mechanism=best.mechanism, dual=best.dual, lower=best.lower, upper=best.upper
        )
