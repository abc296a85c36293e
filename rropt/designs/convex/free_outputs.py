"""The convex route of designs with any number of outputs: an independent computation with CVXPY.

It shares no rays, rounding or duals with the engine.

*Candidate columns* r are possible rows of a mechanism. If delta is 0, they are all vectors of {1, gamma}^k. Otherwise
they are the directions in which k - 1 independent hyperplanes among ``p_j = 0`` and ``p_j = gamma p_l`` meet; all sets
of k - 1 hyperplanes are tried.

*The program.* The objective has a CVXPY form (``RayForm.stated``): a concave function F of the weights w of the columns
r, which are scaled to ``r.pi = 1``. F is, for example, a matrix-fractional function, ln det or the least eigenvalue.

    maximize F(w)   subject to   sum w r = 1,   sum w max(0, r_j - gamma r_l) <= delta.

*The bracket.* One endpoint is the exact value of a private mechanism near the weights of CVXPY. For the other one, let
``F(v) <= constant + phi.v`` be the tangent at these weights. A linear program minimizes
``constant + sum alpha + delta sum beta`` subject to ``phi(r) <= alpha.r + beta.h(r)``, where h(r) is the vector of the
excesses ``max(0, r_j - gamma r_l)``. Then alpha is moved along pi until the inequality is satisfied on all columns,
with a margin for the rounding of floats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, islice, permutations, product
from typing import TYPE_CHECKING, Any, NamedTuple

from rropt.core.exact.numbers import dot
from rropt.designs.convex import is_solved, load_cvxpy
from rropt.designs.problem import Problem
from rropt.designs.solution import RouteResult
from rropt.mechanisms import Mechanism
from rropt.privacy.region import RationalLevel, RationalLevels

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

Exponents = tuple[int, ...]

MOST_INPUTS = 10  # with delta = 0: 1024 columns
MOST_INPUTS_WITH_DELTA = 6  # 376 992 sets of hyperplanes; seven inputs have 12 million

_BATCH = 20_000  # sets of hyperplanes that are processed together
_SHRINKS = [Fraction(1, 10**p) for p in (11, 9, 8, 7, 6, 4, 2)]  # relative shrinkage of the weights, tried in turn
_TRACES = [Fraction(1, 10**p) for p in (10, 8, 7, 6)]  # of a simple mechanism, mixed in if the information is singular
_CLOSED = Fraction(1, 10**6)  # relative width to which the route closes its bracket
_NEGLIGIBLE = (1e-7, 1e-9, 1e-11)  # smaller weights, relative to the largest one, are dropped; tried in turn
_MOST_ROWS = 400  # of a mechanism that is computed in fractions
_FEW_ROWS = 50  # more rows than that are replaced by a few for a sum over outputs; 37 are enough for six categories
_FINE = Fraction(1, 10**9)  # if the weights are shrunk by at most this, no other threshold is tried
_FULL = 1e-5  # relative to delta: an excess that is smaller by less than this is set to delta
_UNIT = 2**80  # weights are rounded to multiples of 1/_UNIT
_ROOM = 1e-12  # error of a float sum of some thirty products, relative to the sum of their absolute values
_ACCURATE = {"tol_gap_abs": 1e-12, "tol_gap_rel": 1e-12, "tol_feas": 1e-12, "tol_ktratio": 1e-10}  # of Clarabel


class _Columns(NamedTuple):
    """Candidate columns of a level.

    Attributes:
        exponents: of gamma in the entries; -1 denotes an entry 0.
        rows: the columns as floats, scaled to ``r.pi = 1``, shape (n, k).
        excesses: ``max(0, r_j - gamma r_l)`` by ordered pair (j, l), shape (k (k - 1), n), or (0, n) if delta is 0.
        level: gamma and delta.
    """

    exponents: Sequence[Exponents]
    rows: Array
    excesses: Array
    level: RationalLevel


def by_cvxpy(problem: Problem, levels: RationalLevels) -> RouteResult:
    """Return a bracket of the optimum from the weights and multipliers that CVXPY computes."""
    import numpy as np

    ends, pi = levels.one_level(), problem.population
    form = problem.objective.on_rays(pi, ends.above.gamma)
    columns = _columns(pi, ends.above, has_delta=problem.region.form == "excess")
    cp = load_cvxpy()
    w = cp.Variable(len(columns.rows), nonneg=True)
    stated = form.stated(cp, w, columns.rows)
    assert stated is not None
    conditions = [columns.rows.T @ w == 1]
    if len(columns.excesses):
        conditions.append(columns.excesses @ w <= float(ends.above.delta))
    is_answered = _is_answered(cp.Problem(cp.Maximize(stated.goal), [*conditions, *stated.conditions]))
    tried = []
    if is_answered:
        weights = np.maximum(w.value, 0)
        tried.append((weights, *stated.tangent(weights)))
    is_square = stated.squares is not None
    found = _best(problem, form, columns, tried, ends.below, is_square=is_square)
    if stated.squares is None or found.gap <= _CLOSED * max(abs(found.lower), abs(found.upper)):
        return found
    more = _by_squares(columns, *stated.squares)
    return _best(problem, form, columns, [*tried, *more], ends.below, is_square=is_square)


def _best(
    problem: Problem, form: Any, columns: _Columns, tried: Sequence[Any], below: RationalLevel, *, is_square: bool
) -> RouteResult:
    """Return the bracket between the best value that the weights reach and the best bound of their tangents."""
    import numpy as np

    minimises = problem.objective.sense == "minimise"
    none = np.zeros(len(columns.rows))
    given = [(_of_few(columns, weights, phi) if form.is_sum else weights) for weights, phi, _ in tried]
    values = [_reached(problem, columns, weights, below) for weights in given or [none]]
    bounds = [_bound(columns, np.asarray(phi), constant, is_square=is_square) for _, phi, constant in tried]
    ends = [form.from_statement(bound) for bound in bounds if bound is not None]
    reached = min(values) if minimises else max(values)
    return _bracket(problem, reached, (max(ends) if minimises else min(ends)) if ends else None)


def _by_squares(columns: _Columns, lines: Array, targets: Array) -> list[tuple[Array, Array, float]]:
    """Solve the dual in which the matrix W is a variable; return its weights and tangent, or [] if it fails.

    The program minimizes ``sum alpha + delta sum beta - 2 tr B^T W`` subject to
    ``abs(c W)^2 <= alpha.r + beta.h(r)`` for every column r with its line c. It finds W also where the information of
    the best weights is singular. The multipliers of the constraints are the weights.
    """
    import numpy as np

    cp = load_cvxpy()
    size, scale = float(np.linalg.norm(lines, axis=1).max()), float(np.abs(targets).max())
    w = cp.Variable(targets.shape)
    g, price, _ = _affine(cp, columns)
    above = cp.sum(cp.square(lines / size @ w), axis=1) <= g
    if not _is_answered(cp.Problem(cp.Minimize(price - 2 * cp.sum(cp.multiply(targets / scale, w))), [above])):
        return []
    found = np.asarray(w.value) * scale / size
    phi, constant = ((lines @ found) ** 2).sum(1), -2 * float((targets * found).sum())
    return [(np.maximum(above.dual_value, 0), np.asarray(phi), constant)]


def _is_answered(program: Any) -> bool:
    """Solve a program to high precision, or else to the default precision; return whether it has a solution."""
    return is_solved(program, **_ACCURATE) or is_solved(program)


def states(problem: Problem) -> bool:
    """Return whether the route applies: it can list the candidate columns, and the objective has a CVXPY form."""
    region = problem.region
    most = MOST_INPUTS_WITH_DELTA if region.form == "excess" else MOST_INPUTS
    fits = region.has_one_level and region.form in ("parity", "excess") and region.inputs <= most
    return fits and problem.objective.is_stated


def seconds(problem: Problem) -> float:
    """Return the estimated running time of the route in seconds, from measured times."""
    k = problem.region.inputs
    if problem.region.form == "excess":
        return {2: 0.1, 3: 0.2, 4: 0.4, 5: 2.0}.get(k, 25.0)
    return 0.05 * 2.0 ** (k - 4)


def meeting_directions(k: int) -> tuple[Exponents, ...]:
    """Return the nonnegative directions in which k - 1 independent hyperplanes meet, as exponents of gamma.

    The equations ``r_j = gamma r_l`` of a direction form a tree, so the exponents are the same for every gamma > 1. The
    search uses gamma = 2. The smallest exponent of a nonzero entry is 0, and -1 denotes an entry 0.

    >>> len(meeting_directions(2)), len(meeting_directions(3))
    (4, 21)
    """
    return tuple(sorted(_found_directions(k)))


@lru_cache(maxsize=4)
def _found_directions(k: int) -> frozenset[Exponents]:
    import numpy as np

    units = np.eye(k)
    planes = np.array([*units, *(units[j] - 2 * units[i] for j, i in permutations(range(k), 2))])
    found: set[Exponents] = set()
    sets = combinations(range(len(planes)), k - 1)
    while chosen := list(islice(sets, _BATCH)):
        found |= set(_common_lines(planes[np.array(chosen)]))
    return frozenset(found)


def _common_lines(systems: Array) -> Iterator[Exponents]:
    """Iterate over the nonnegative directions in which the hyperplanes of a set meet, as exponents of 2.

    Sets of hyperplanes whose intersection is not a line are ignored. The direction is the generalized cross product of
    the normals: its entries are signed minors of order k - 1, which are integers.
    """
    import numpy as np

    k = systems.shape[2]
    minors = np.stack(
        [(-1) ** j * np.linalg.det(np.delete(systems, j, axis=2)) if k > 1 else systems[:, 0] for j in range(k)], axis=1
    )
    lines = np.rint(minors)
    lines = lines[(lines != 0).any(1) & ((lines >= 0).all(1) | (lines <= 0).all(1))]
    lines = np.unique(np.abs(lines), axis=0)
    with np.errstate(all="ignore"):
        powers = np.where(lines > 0, np.rint(np.log2(np.where(lines > 0, lines, 1))), np.inf)
    least = powers.min(1, keepdims=True)
    exponents = np.where(lines > 0, powers - least, -1).astype(int)
    yield from map(tuple, np.unique(exponents, axis=0).tolist())


def _columns(pi: Sequence[Fraction], level: RationalLevel, *, has_delta: bool) -> _Columns:
    import numpy as np

    k, gamma = len(pi), float(level.gamma)
    exponents = meeting_directions(k) if has_delta else tuple(product((0, 1), repeat=k))
    table = np.array(exponents)
    rows = np.where(table < 0, 0.0, gamma ** (table - table.max(1, keepdims=True)))
    shares = np.array([float(p) for p in pi])
    rows = rows / (rows @ shares)[:, None]
    pairs = list(permutations(range(k), 2)) if has_delta else []
    beyond = [np.where(table[:, j] - table[:, i] == 1, 0, rows[:, j] - gamma * rows[:, i]) for j, i in pairs]
    alone = [(table[:, j] >= 0) & (table[:, i] < 0) for j, i in pairs]
    excesses = [np.where(a, rows[:, j], np.maximum(b, 0)) for (j, _), a, b in zip(pairs, alone, beyond, strict=True)]
    return _Columns(exponents, rows, np.array(excesses).reshape(len(pairs), len(rows)), level)


def _reached(problem: Problem, columns: _Columns, weights: Array, level: RationalLevel) -> Fraction:
    """Return the value of a private mechanism near the weights, or of a simple one if it is better."""
    pi, k, gamma, delta = problem.population, len(problem.population), level.gamma, level.delta
    truth = [[delta * (i == j) for j in range(k)] for i in range(k)] if delta else []  # reports of the truth
    likely = [[(1 - delta) * (gamma if i == j else 1) / (gamma + k - 1) for j in range(k)] for i in range(k)]
    simple = Mechanism([*truth, *likely])
    values = [problem.objective.value(simple, pi)]
    for negligible in _NEGLIGIBLE:
        kept = [int(n) for n in (weights > negligible * max(weights.max(), 1e-300)).nonzero()[0]]
        if not kept or len(kept) > _MOST_ROWS:
            break
        rows = [_exact_column(columns.exponents[n], gamma, pi) for n in kept]
        made = _balanced(rows, weights[kept], columns.excesses[:, kept], float(delta))
        found = _private(problem, made)
        if found is None:
            continue
        mechanism, shrink = found
        for trace in _TRACES:
            parts = ((1 - trace, mechanism), (trace, simple))
            mixed = Mechanism([[part * x for x in row] for part, each in parts for row in each.matrix])
            values.append(problem.objective.value(mixed, pi))
        if shrink <= _FINE:
            break
    return min(values) if problem.objective.sense == "minimise" else max(values)


def _of_few(columns: _Columns, weights: Array, phi: Array) -> Array:
    """Return weights of few columns with the same sums of columns, excesses and phi.

    An interior-point method returns positive weights of all columns that some optimal design uses. They can be
    thousands, for example for total variation. By Caratheodory's theorem, few of them are enough.
    """
    import numpy as np
    from scipy.optimize import nnls

    kept = (weights > 0).nonzero()[0]
    if len(kept) <= _FEW_ROWS:
        return weights
    table = np.vstack([columns.rows[kept].T, columns.excesses[:, kept], phi[kept]])
    table = table / np.maximum(np.abs(table).max(1, keepdims=True), 1e-300)
    try:
        fewer = nnls(table, table @ weights[kept])[0]
    except RuntimeError:  # too many iterations
        return weights
    found = np.zeros_like(weights)
    found[kept] = fewer
    return found


def _private(problem: Problem, rows: Sequence[Sequence[Fraction]]) -> tuple[Mechanism, Fraction] | None:
    """Shrink the rows until the mechanism with one remainder row is private; return it with the amount, or None."""
    for shrink in _SHRINKS:
        short = [[(1 - shrink) * x for x in row] for row in rows]
        rest = [1 - sum(column, Fraction(0)) for column in zip(*short, strict=True)]
        if min(rest) >= 0:
            mechanism = Mechanism([*short, rest])
            if problem.region.contains(mechanism):
                return mechanism, shrink
    return None


def _exact_column(exponents: Exponents, gamma: Fraction, pi: Sequence[Fraction]) -> list[Fraction]:
    row = [Fraction(0) if x < 0 else gamma**x for x in exponents]
    s = dot(row, pi)
    return [x / s for x in row]


def _balanced(
    rows: Sequence[Sequence[Fraction]], weights: Array, excesses: Array, delta: float
) -> list[list[Fraction]]:
    """Return the rows ``w_r r`` with corrected weights, for which all column sums are nearly exactly 1.

    A weight changes in proportion to its size. Sums of excesses near delta or above it become delta.
    """
    import numpy as np

    if not rows:
        return []
    table, w = np.array([[float(x) for x in row] for row in rows]), weights
    full = excesses[excesses @ w > (1 - _FULL) * delta]
    table = np.hstack([table, full.T])
    right = np.concatenate([np.ones(len(rows[0])), np.full(len(full), delta)])
    for _ in range(4):
        change = np.linalg.lstsq((table * w[:, None]).T @ table, right - table.T @ w, rcond=1e-14)[0]
        w = np.maximum(w * (1 + table @ change), 0)
    exact = [Fraction(round(float(x) * _UNIT), _UNIT) for x in w]
    return [[x * y for y in row] for x, row in zip(exact, rows, strict=True)]


def _bound(columns: _Columns, phi: Array, constant: float, *, is_square: bool) -> float | None:
    """Return the bound ``constant + sum alpha + delta sum beta`` of a nearly optimal dual, rounded upwards; or None."""
    import numpy as np

    cp = load_cvxpy()
    delta, size = float(columns.level.delta), float(np.abs(phi).max()) or 1.0
    left, price, (alpha, beta) = _affine(cp, columns)
    if not _is_answered(cp.Problem(cp.Minimize(price), [left >= phi / size])):
        return None
    a, b = np.asarray(alpha.value) * size, np.maximum(beta.value, 0) * size
    g, sizes = columns.rows @ a, np.abs(columns.rows) @ np.abs(a)
    if len(columns.excesses):
        g, sizes = g + columns.excesses.T @ b, sizes + columns.excesses.T @ b
    else:
        b = b[:0]
    sizes = sizes + np.abs(phi)
    lift = float((phi - g + _ROOM * sizes).max())
    total = float(a.sum()) + delta * float(b.sum()) + max(lift, 0.0)
    total += _ROOM * float(np.abs(a).sum() + delta * b.sum())
    if is_square and total > 0 > constant:  # with t W in place of W: the minimum of t^2 total + t constant over t
        return -(constant**2) / (4 * total) * (1 - _ROOM)
    return constant + total + _ROOM * abs(constant)


def _affine(cp: Any, columns: _Columns) -> tuple[Any, Any, tuple[Any, Any]]:
    """Return ``alpha.r + beta.h(r)`` for all columns, ``sum alpha + delta sum beta``, and the pair (alpha, beta)."""
    alpha, beta = cp.Variable(columns.rows.shape[1]), cp.Variable(max(len(columns.excesses), 1), nonneg=True)
    left = columns.rows @ alpha
    if len(columns.excesses):
        left = left + columns.excesses.T @ beta
    return left, cp.sum(alpha) + float(columns.level.delta) * cp.sum(beta), (alpha, beta)


def _bracket(problem: Problem, reached: Fraction, bound: float | None) -> RouteResult:
    """Return the bracket between an attained value and a bound; a trivial bound replaces a missing one."""
    import math

    if problem.objective.sense == "minimise":
        lower = Fraction(bound) if bound is not None and math.isfinite(bound) and bound > 0 else Fraction(0)
        return RouteResult(lower, max(reached, lower))
    upper = Fraction(bound) if bound is not None and math.isfinite(bound) else abs(reached) + 10**6
    return RouteResult(min(reached, upper), upper)
