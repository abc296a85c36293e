"""Weights of candidate columns by CVXPY, and the bounds that their tangents prove: shared by the convex routes.

Let r be candidate rows of a mechanism, scaled to ``r.pi = 1``, and h_c(r) the use of a condition c by a unit of weight.
The objective has a CVXPY form (``RayForm.stated``): a concave function F of the weights w.

    maximize F(w)   subject to   sum w r = 1,   sum w h_c(r) <= b_c.

A tangent ``F(v) <= constant + phi.v`` proves a bound: if ``phi(r) <= alpha.r + beta.h(r)`` on the rows, then F is at
most ``constant + sum alpha + b.beta``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from rropt.core.errors import RroptError
from rropt.designs.convex import is_solved, load_cvxpy
from rropt.designs.problem import Problem
from rropt.designs.solution import RouteResult
from rropt.mechanisms import Mechanism
from rropt.objectives.ray_form import RayForm, Statement, contrast_basis

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

CLOSED = Fraction(1, 10**6)  # relative width to which a route closes its bracket
ROOM = 1e-12  # error of a float sum of some thirty products, relative to the sum of their absolute values
UNIT = 2**80  # weights are rounded to multiples of 1/UNIT
TRACES = tuple(Fraction(1, 10**p) for p in (10, 8, 7, 6))  # of a simple mechanism, if the information is singular
_FULL = 1e-5  # relative to its bound: a use that is smaller by less than this is set to the bound
_ACCURATE = {"tol_gap_abs": 1e-12, "tol_gap_rel": 1e-12, "tol_feas": 1e-12, "tol_ktratio": 1e-10}  # of Clarabel

_MOVES, _TIMES, _SEED = 3, 16, 34  # changes of rows that show the rounding error of phi; its multiple
_SHORTER = 0.9  # length of a step of Clarabel, as a fraction of the way to the boundary


class Columns(NamedTuple):
    """Candidate columns.

    Attributes:
        rows: scaled to ``r.pi = 1``, shape (n, k).
        uses: h_c(r) by condition, shape (q, n).
        allowed: the bounds b_c, shape (q,).
    """

    rows: Array
    uses: Array
    allowed: Array


class Tangent(NamedTuple):
    """Weights, and a tangent of F: phi as a function of rows with ``r.pi = 1``, and the constant."""

    weights: Array
    phi: Callable[[Array], Array]
    constant: float


def weighed(form: RayForm, columns: Columns) -> tuple[Statement, list[Tangent]]:
    """Solve the program in the weights; return the statement, and its solution or []."""
    import numpy as np

    cp = load_cvxpy()
    w = cp.Variable(len(columns.rows), nonneg=True)
    stated = form.stated(cp, w, columns.rows)
    assert stated is not None
    conditions = [columns.rows.T @ w == 1]
    if len(columns.uses):
        conditions.append(columns.uses @ w <= columns.allowed)
    if not is_answered(cp.Problem(cp.Maximize(stated.goal), [*conditions, *stated.conditions])):
        return stated, []
    weights = np.maximum(w.value, 0)
    tangent = stated.tangent
    return stated, [Tangent(weights, lambda rows: tangent(weights, rows)[0], tangent(weights)[1])]


def weighed_by_squares(columns: Columns, lines: Array, targets: Array) -> list[Tangent]:
    """Solve the dual in which the matrix W is a variable; return its weights and tangent, or [] if it fails.

    The program minimizes ``sum alpha + b.beta - 2 tr B^T W`` subject to ``abs(c W)^2 <= alpha.r + beta.h(r)`` for every
    column r with its line c. It finds W also where the information of the best weights is singular. The multipliers of
    the constraints are the weights.
    """
    import numpy as np

    cp = load_cvxpy()
    size, scale = float(np.linalg.norm(lines, axis=1).max()), float(np.abs(targets).max())
    w = cp.Variable(targets.shape)
    g, price, _ = _affine(cp, columns)
    above = cp.sum(cp.square(lines / size @ w), axis=1) <= g
    if not is_answered(cp.Problem(cp.Minimize(price - 2 * cp.sum(cp.multiply(targets / scale, w))), [above])):
        return []
    found = np.asarray(w.value) * scale / size
    basis = contrast_basis(columns.rows.shape[1])

    def phi(rows: Array) -> Array:
        return np.asarray(((rows @ basis @ found) ** 2).sum(1))

    return [Tangent(np.maximum(above.dual_value, 0), phi, -2 * float((targets * found).sum()))]


def multipliers(columns: Columns, phi: Array) -> tuple[Array, Array] | None:
    """Return alpha and beta that nearly minimize the bound for the values phi at the columns, or None."""
    import numpy as np

    cp = load_cvxpy()
    size = float(np.abs(phi).max()) or 1.0
    left, price, (alpha, beta) = _affine(cp, columns)
    if not is_answered(cp.Problem(cp.Minimize(price), [left >= phi / size])):
        return None
    found = np.maximum(beta.value, 0) if len(columns.uses) else np.zeros(0)
    return np.asarray(alpha.value) * size, found * size


def rounding_errors(phi: Callable[[Array], Array], rows: Array) -> Array:
    """Return an estimate of the rounding error of phi at each row: its change when entries change by rounding errors.

    For nearly constant rows most digits of phi cancel, so the error is not small relative to phi.
    """
    import numpy as np

    rng, values, found = np.random.default_rng(_SEED), phi(rows), np.zeros(len(rows))
    for _ in range(_MOVES):
        moved = rows * (1 + np.finfo(float).eps * rng.choice((-1.0, 1.0), rows.shape))
        found = np.maximum(found, np.abs(phi(moved) - values))
    return _TIMES * found


def lifted(columns: Columns, phi: Array, alpha: Array, beta: Array) -> float:
    """Return ``sum alpha + b.beta`` after alpha is moved along pi until the inequality is true on all columns."""
    import numpy as np

    g, sizes = columns.rows @ alpha, np.abs(columns.rows) @ np.abs(alpha)
    if len(columns.uses):
        g, sizes = g + columns.uses.T @ beta, sizes + columns.uses.T @ beta
    return total(columns.allowed, alpha, beta) + max(0.0, float((phi - g + ROOM * (sizes + np.abs(phi))).max()))


def total(allowed: Array, alpha: Array, beta: Array) -> float:
    """Return ``sum alpha + b.beta``, rounded upwards."""
    import numpy as np

    priced = float(allowed @ beta)
    return float(alpha.sum()) + priced + ROOM * (float(np.abs(alpha).sum()) + priced)


def bound(raised: float, constant: float, *, is_square: bool) -> float:
    """Return the bound on F from the sum of the multipliers and the constant, rounded upwards."""
    if is_square and raised > 0 > constant:  # with t W in place of W: the minimum of t^2 raised + t constant over t
        return -(constant**2) / (4 * raised) * (1 - ROOM)
    return constant + raised + ROOM * abs(constant)


def is_answered(program: Any) -> bool:
    """Solve a program to high precision, or else to the default precision; return whether it has a solution.

    The last attempt takes shorter steps: Clarabel sometimes fails on a log determinant with long ones.
    """
    return is_solved(program, **_ACCURATE) or is_solved(program) or is_solved(program, max_step_fraction=_SHORTER)


def balanced(rows: Sequence[Sequence[Fraction]], weights: Array, uses: Array, allowed: Array) -> list[list[Fraction]]:
    """Return the rows ``w_r r`` with corrected weights, for which all column sums are nearly exactly 1.

    A weight changes in proportion to its size. Uses near their bound or above it become the bound.
    """
    import numpy as np

    if not rows:
        return []
    table, w = np.array([[float(x) for x in row] for row in rows]), weights
    is_full = uses @ w > (1 - _FULL) * allowed
    table = np.hstack([table, uses[is_full].T])
    right = np.concatenate([np.ones(len(rows[0])), allowed[is_full]])
    for _ in range(4):
        change = np.linalg.lstsq((table * w[:, None]).T @ table, right - table.T @ w, rcond=1e-14)[0]
        w = np.maximum(w * (1 + table @ change), 0)
    exact = [Fraction(round(float(x) * UNIT), UNIT) for x in w]
    return [[x * y for y in row] for x, row in zip(exact, rows, strict=True)]


def shrunk(
    rows: Sequence[Sequence[Fraction]], shrinks: Sequence[Fraction], is_private: Callable[[Mechanism], bool]
) -> tuple[Mechanism, Fraction] | None:
    """Shrink the rows until the mechanism with one remainder row is private; return it with the amount, or None."""
    for shrink in shrinks:
        short = [[(1 - shrink) * x for x in row] for row in rows]
        rest = [1 - sum(column, Fraction(0)) for column in zip(*short, strict=True)]
        if min(rest) >= 0:
            mechanism = Mechanism([*short, rest])
            if is_private(mechanism):
                return mechanism, shrink
    return None


def values_near(problem: Problem, mechanism: Mechanism, simple: Mechanism) -> list[Fraction]:
    """Return the values of a mechanism mixed with a little of a simple one, for several small amounts."""
    values = []
    for trace in TRACES:
        parts = ((1 - trace, mechanism), (trace, simple))
        mixed = Mechanism([[part * x for x in row] for part, each in parts for row in each.matrix])
        values.append(problem.objective.value(mixed, problem.population))
    return values


def better(problem: Problem, values: Sequence[Fraction]) -> Fraction:
    """Return the best value of several mechanisms."""
    return min(values) if problem.objective.sense == "minimise" else max(values)


def bracket(problem: Problem, reached: Fraction, bounds: Sequence[float]) -> RouteResult:
    """Return the bracket between an attained value and the best bound; a trivial one replaces a missing bound."""
    proved = [Fraction(x) for x in bounds if math.isfinite(x)]
    if problem.objective.sense == "minimise":
        lower = max([Fraction(0), *proved])
        return RouteResult(lower, max(reached, lower))
    upper = min(proved) if proved else max(reached, _value_of_truth(problem))
    return RouteResult(min(reached, upper), upper)


def _value_of_truth(problem: Problem) -> Fraction:
    """Return an upper bound on a maximum: the value of reports of the truth, of which all others are garblings."""
    k = len(problem.population)
    truth = Mechanism([[Fraction(int(i == j)) for j in range(k)] for i in range(k)])
    try:
        value = problem.objective.value(truth, problem.population)
    except RroptError:  # it is infinite
        return Fraction(10**300)
    return value + abs(value) * CLOSED


def _affine(cp: Any, columns: Columns) -> tuple[Any, Any, tuple[Any, Any]]:
    """Return ``alpha.r + beta.h(r)`` for all columns, ``sum alpha + b.beta``, and the pair (alpha, beta)."""
    alpha, beta = cp.Variable(columns.rows.shape[1]), cp.Variable(max(len(columns.uses), 1), nonneg=True)
    left, price = columns.rows @ alpha, cp.sum(alpha)
    if len(columns.uses):
        left, price = left + columns.uses.T @ beta, price + columns.allowed @ beta
    return left, price, (alpha, beta)
