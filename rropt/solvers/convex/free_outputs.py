"""The convex route of designs with any number of outputs and delta > 0: CVXPY's own statement of the problem.

It shares no rays, rounding or duals with the engine. Its columns are the directions in which k - 1 independent ones
of the hyperplanes ``p_j = 0`` and ``p_j = gamma p_l`` meet, by trying all sets of them. With weights w of columns r,
scaled to ``r.pi = 1``, a mechanism has the information ``M = sum w r r^T``:

    A: minimise tr M^-1         c: minimise c^T M^-1 c       D: maximise ln det M
    E: maximise t with L^T M L >= t I                        sums: maximise sum w phi(r)

subject to ``sum w r = 1`` and ``sum w max(0, r_j - gamma r_l) <= delta``. The derivative of the objective at CVXPY's
weights gives phi on columns, and a second program of CVXPY the cheapest alpha and beta above it. Both ends of the
bracket are then worked out in fractions, with the slack that the solver's errors need: they hold whatever CVXPY says.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Any

from rropt.exact.brackets import ball, bracket
from rropt.exact.numbers import dot
from rropt.mechanisms import Mechanism
from rropt.mechanisms.left_inverse import flint_matrix
from rropt.privacy.region import RationalLevel, RationalLevels
from rropt.problem import Problem
from rropt.solvers.convex import is_solved, load_cvxpy
from rropt.solvers.solution import RouteResult

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

Column = tuple[Fraction, ...]

MOST_INPUTS = 4  # 560 sets of hyperplanes; of five inputs there are 12 650
_SHRINKS = [Fraction(1, 10**p) for p in (10, 9, 8, 7, 6, 5, 4, 3, 2)]  # by how much weights are shrunk, tried in turn
_DIGITS = 2**48  # fractions of floats are rounded to its inverse


def by_cvxpy(problem: Problem, levels: RationalLevels) -> RouteResult:
    """Return the bracket of the optimum that CVXPY's weights and multipliers prove."""
    import numpy as np

    ends, pi, objective = levels.one_level(), problem.population, problem.objective
    columns = [_scaled(column, pi) for column in meeting_directions(len(pi), ends.above.gamma)]
    floats = np.array([[float(x) for x in column] for column in columns])
    weights, slope = _solved(problem, floats, ends.above)
    reached = _mechanism_value(problem, columns, weights, ends)
    proved = _bound(problem, columns, floats, slope, ends.above)
    pair = (proved, reached) if objective.sense == "minimise" else (reached, proved)
    return RouteResult(*pair)


def meeting_directions(k: int, gamma: Fraction) -> list[Column]:
    """Return the nonnegative directions in which k - 1 independent hyperplanes meet, the largest entry 1.

    >>> len(meeting_directions(2, Fraction(3))), len(meeting_directions(3, Fraction(3)))
    (4, 21)
    """
    units = [[Fraction(int(i == j)) for i in range(k)] for j in range(k)]
    planes = units + [
        [a - gamma * b for a, b in zip(units[j], units[i], strict=True)] for j, i in permutations(range(k), 2)
    ]
    found: dict[Column, None] = {}
    for chosen in combinations(planes, k - 1):
        line = _common_line(chosen, k)
        if line is not None and (min(line) >= 0 or max(line) <= 0):
            largest = max(line, key=abs)
            found[tuple(x / largest for x in line)] = None
    return list(found)


def _common_line(planes: Sequence[Sequence[Fraction]], k: int) -> list[Fraction] | None:
    """Return a direction on all hyperplanes, or None where they have more than one."""
    minors = []
    for left_out in range(k):  # the cross product: signed minors of order k - 1
        square = [[x for j, x in enumerate(plane) if j != left_out] for plane in planes]
        minors.append((-1) ** left_out * _determinant(square))
    return minors if any(minors) else None


def _determinant(rows: list[list[Fraction]]) -> Fraction:
    if not rows:
        return Fraction(1)
    return sum(
        (
            (-1) ** i * row[0] * _determinant([other[1:] for n, other in enumerate(rows) if n != i])
            for i, row in enumerate(rows)
            if row[0]
        ),
        Fraction(0),
    )


def _scaled(column: Column, pi: Sequence[Fraction]) -> Column:
    s = dot(column, pi)
    return tuple(x / s for x in column)


def _excess(column: Sequence[Fraction], pair: tuple[int, int], gamma: Fraction) -> Fraction:
    return max(column[pair[0]] - gamma * column[pair[1]], Fraction(0))


def _float_excesses(columns: Array, gamma: float) -> Array:
    """Return ``max(0, r_j - gamma r_l)`` by ordered pair of inputs, shape (k (k - 1), n)."""
    import numpy as np

    pairs = permutations(range(columns.shape[1]), 2)
    return np.array([np.maximum(columns[:, j] - gamma * columns[:, i], 0) for j, i in pairs])


def _sum_values(problem: Problem, columns: Array) -> Array | None:
    """Return phi of the columns of an objective that is a sum over outputs, None of others."""
    import numpy as np

    kind, pi = problem.objective.kind, np.array([float(p) for p in problem.population])
    if kind == "mutual-information":
        with np.errstate(all="ignore"):
            return np.asarray(np.where(columns > 0, columns * np.log(columns), 0.0) @ pi)
    if kind not in ("chi-square", "total-variation"):
        return None
    q = np.array([float(x) for x in problem.objective.against])  # type: ignore[attr-defined]
    apart = columns @ (pi - q)
    return np.asarray(np.abs(apart) / 2 if kind == "total-variation" else apart**2 / (columns @ q))


def _solved(problem: Problem, columns: Array, level: RationalLevel) -> tuple[Array, Array | None]:
    """Return the weights, and the derivative of the objective in M at them: nothing where the solver fails."""
    import numpy as np

    cp = load_cvxpy()
    (n, k), kind = columns.shape, problem.objective.kind
    w = cp.Variable(n, nonneg=True)
    conditions = [columns.T @ w == 1, _float_excesses(columns, float(level.gamma)) @ w <= float(level.delta)]
    values = _sum_values(problem, columns)
    if values is not None:
        size = float(np.abs(values).max()) or 1.0
        fails = not is_solved(cp.Problem(cp.Maximize((values / size) @ w), conditions))
        return (np.zeros(n) if fails else np.maximum(w.value, 0)), None
    information = columns.T @ cp.diag(w) @ columns
    symmetric = (information + information.T) / 2
    basis = np.linalg.qr(np.column_stack([np.ones(k), np.eye(k)[:, 1:]]))[0][:, 1:]
    cone: Any = None
    if kind == "a-optimal":
        goal = cp.Minimize(cp.tr_inv(symmetric))
    elif kind == "c-optimal":
        contrast = np.array([float(x) for x in problem.objective.contrast])  # type: ignore[attr-defined]
        goal = cp.Minimize(cp.matrix_frac(contrast / np.linalg.norm(contrast), symmetric))
    elif kind == "d-optimal":
        goal = cp.Maximize(cp.log_det(symmetric))
    else:
        t = cp.Variable()
        cone = basis.T @ symmetric @ basis - t * np.eye(k - 1) >> 0
        conditions, goal = [*conditions, cone], cp.Maximize(t)
    if not is_solved(cp.Problem(goal, conditions)):
        return np.zeros(n), None
    found = np.maximum(w.value, 0)
    if cone is not None:
        x = np.asarray(cone.dual_value)
        return found, basis @ (x + x.T) @ basis.T / 2
    inverse = np.linalg.pinv((columns * found[:, None]).T @ columns)
    if kind == "c-optimal":
        return found, (inverse @ contrast)[:, None]
    return found, inverse


def _mechanism_value(problem: Problem, columns: Sequence[Column], weights: Array, ends: Any) -> Fraction:
    """Return the value of a private mechanism near the weights, else that of a simple one."""
    below, pi, k = ends.below, problem.population, len(problem.population)
    made = [_scaled(column, pi) for column in meeting_directions(k, below.gamma)] if below != ends.above else columns
    truthful = [[below.delta * (i == j) for j in range(k)] for i in range(k)]  # with chance delta the truth is told
    likely = [[(below.gamma if i == j else 1) / (below.gamma + k - 1) for j in range(k)] for i in range(k)]
    direct = [*truthful, *([(1 - below.delta) * x for x in row] for row in likely)]
    exact = [(Fraction(round(float(w) * _DIGITS), _DIGITS), r) for w, r in zip(weights, made, strict=True)]
    rows = [[w * x for x in r] for w, r in exact if w]
    for shrink in _SHRINKS if rows else ():
        kept = [[(1 - shrink) * x for x in row] for row in rows]
        rest = [1 - sum(column, Fraction(0)) for column in zip(*kept, strict=True)]
        if min(rest) < 0:
            continue
        trace = shrink / 1000  # of the simple one, so that all categories are told apart
        mixed = [[(1 - trace) * x for x in row] for row in (*kept, rest)] + [[trace * x for x in row] for row in direct]
        mechanism = Mechanism(mixed)
        if problem.region.contains(mechanism):
            return problem.objective.value(mechanism, pi)
    return problem.objective.value(Mechanism(direct), pi)


def _bound(
    problem: Problem, columns: Sequence[Column], floats: Array, slope: Array | None, level: RationalLevel
) -> Fraction:
    """Return the bound of the cheapest alpha and beta above phi, exact; where there is none what everything meets."""
    import numpy as np

    kind, pi, k = problem.objective.kind, problem.population, len(problem.population)
    w = None if slope is None else _rounded(slope, centred=kind == "e-optimal")
    values = _sum_values(problem, floats)
    if values is None:
        if w is None:
            return Fraction(0) if problem.objective.sense == "minimise" else Fraction(10**6)
        matrix = np.array([[float(x) for x in row] for row in w])
        squares = kind in ("a-optimal", "c-optimal")
        values = ((floats @ matrix) ** 2).sum(1) if squares else ((floats @ matrix) * floats).sum(1)
    alpha, beta = _cheapest(values, floats, level)
    pairs = list(permutations(range(k), 2))
    needed = Fraction(0)
    for column in columns:
        excesses = (b * _excess(column, pair, level.gamma) for b, pair in zip(beta, pairs, strict=True))
        g = dot(alpha, column) + sum(excesses, Fraction(0))
        needed = max(needed, _phi(problem, w, column) - g)
    alpha = [a + needed * p for a, p in zip(alpha, pi, strict=True)]
    total = sum(alpha, Fraction(0)) + level.delta * sum(beta, Fraction(0))
    return _proved(problem, w, total)


def _cheapest(values: Array, columns: Array, level: RationalLevel) -> tuple[list[Fraction], list[Fraction]]:
    """Return alpha and beta >= 0 of about the least ``sum alpha + delta sum beta`` above the values."""
    import numpy as np

    cp = load_cvxpy()
    k = columns.shape[1]
    beyond = _float_excesses(columns, float(level.gamma))
    size = float(np.abs(values).max()) or 1.0
    alpha, beta = cp.Variable(k), cp.Variable(len(beyond), nonneg=True)
    program = cp.Problem(
        cp.Minimize(cp.sum(alpha) + float(level.delta) * cp.sum(beta)),
        [columns @ alpha + beyond.T @ beta >= values / size],
    )
    if not is_solved(program):
        return [Fraction(0)] * k, [Fraction(0)] * len(beyond)
    scale = Fraction(size)
    return (
        [Fraction(round(float(a) * _DIGITS), _DIGITS) * scale for a in alpha.value],
        [max(Fraction(round(float(b) * _DIGITS), _DIGITS), Fraction(0)) * scale for b in beta.value],
    )


def _phi(problem: Problem, w: list[list[Fraction]] | None, column: Column) -> Fraction:
    """Return the left side of the inequality at a column with ``r.pi = 1``, from above."""
    kind, pi = problem.objective.kind, problem.population
    if kind in ("a-optimal", "c-optimal"):
        assert w is not None
        return sum((dot(column, line) ** 2 for line in zip(*w, strict=True)), Fraction(0))
    if kind in ("d-optimal", "e-optimal"):
        assert w is not None
        return dot(column, [dot(row, column) for row in w])
    if kind == "mutual-information":
        return sum((p * x * _log(x).upper for p, x in zip(pi, column, strict=True) if p * x), Fraction(0))
    q = problem.objective.against  # type: ignore[attr-defined]
    apart = dot(column, pi) - dot(column, q)
    return abs(apart) / 2 if kind == "total-variation" else apart**2 / dot(column, q)


def _proved(problem: Problem, w: list[list[Fraction]] | None, total: Fraction) -> Fraction:
    """Return what the sum of phi over the rows of any mechanism, at most ``total``, says of the objective."""
    kind, pi, k = problem.objective.kind, problem.population, len(problem.population)
    if w is None:
        return total
    if total <= 0:
        return Fraction(0)
    if kind == "a-optimal":  # tr M^-1 >= 2 t tr W - t^2 tr W^2 M for every t
        return sum((w[i][i] for i in range(k)), Fraction(0)) ** 2 / total - dot(pi, pi)
    if kind == "c-optimal":
        contrast = problem.objective.contrast  # type: ignore[attr-defined]
        return dot(contrast, [x for (x,) in w]) ** 2 / total - dot(contrast, pi) ** 2
    if kind == "e-optimal":  # the least eigenvalue of M on contrasts times tr W is at most tr W M
        return sum((w[i][i] for i in range(k)), Fraction(0)) / total
    found = flint_matrix(w).det()  # D: det(W M) <= (tr(W M)/k)^k
    determinant = Fraction(int(found.p), int(found.q))
    return k * _log(total / k).upper - _log(determinant).lower if determinant > 0 else Fraction(10**6)


def _rounded(matrix: Array, *, centred: bool) -> list[list[Fraction]]:
    """Return a matrix of floats in fractions, symmetric where it is square; ``centred``: rows and columns sum to 0."""
    import numpy as np

    size = Fraction(float(np.abs(matrix).max()) or 1.0)
    rows = [[Fraction(round(float(x / float(size)) * _DIGITS), _DIGITS) for x in row] for row in matrix]
    k = len(rows)
    if len(rows[0]) == k:
        rows = [[(rows[i][j] + rows[j][i]) / 2 for j in range(k)] for i in range(k)]
    if centred:  # C W C with C = I - 1 1^T/k, and a little of C, so that it is positive semidefinite
        mean = [sum(row, Fraction(0)) / k for row in rows]
        middle = sum(mean, Fraction(0)) / k
        little = Fraction(1, 10**9)
        rows = [
            [rows[i][j] - mean[i] - mean[j] + middle + little * ((i == j) - Fraction(1, k)) for j in range(k)]
            for i in range(k)
        ]
    return [[size * x for x in row] for row in rows]


def _log(x: Fraction) -> Any:
    """Return an enclosure of ln x."""
    from flint import ctx

    with ctx.workprec(160):
        return bracket(ball(x).log())
