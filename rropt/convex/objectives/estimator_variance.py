"""The variance of the estimated prevalence.

*Any number of outputs*: the contrast (0, 1) over weights of rows (``a_c_contrasts``).

*Two outputs.* With ``v = p11 - p01``, ``r = p01/v`` and ``s = (1 - p11)/v``, n Var is ``(r + pi)(s + 1 - pi)``, and all
conditions are linear in r and s: ``(gamma - 1 + delta) r + delta s >= 1 - delta`` and its mirror image. A product is
not convex, but ``a b = min_t (t a + b/t)^2/4``. For a fixed t the program is linear, and ``t = sqrt(b/a)`` is the
best t of a solution. *All optima are reached*: the region has at most three vertices, in which r is 0, or r = s, or s
is 0. With ``c = (gamma - 1 + delta)/delta`` the linear program of t has its solution at the vertex r = s if
``1/c < t^2 < c``, and otherwise at one of the others. So three values of t find every vertex, and n Var, which is
concave along each edge, is least at one of them.

For a small or large t, and for levels whose vertices are far apart, ``t r`` and ``s/t`` are the variables, and each
condition is divided by its largest coefficient.
"""

from __future__ import annotations

from functools import cache
from threading import RLock
from typing import Any, NamedTuple

import cvxpy as cp
import numpy as np

from rropt.convex.objectives.a_c_contrasts import of_targets
from rropt.convex.objectives.goal import Goal
from rropt.convex.posing import Solved, explained, solve
from rropt.convex.regions import Array, PairCondition, Rows

_STARTS, _STEPS = 3, 8  # mostly two: the second one has the accuracy of the solver at the best t
_LARGEST = 1e60  # of t and 1/t, where a factor of n Var is 0
_NEAR = 1e-2  # n Var has its least value at t, and differs by the square of this
_LOCK = RLock()  # the kept program has one set of Parameters


def goal(objective: dict[str, Any], rows: Rows, pi: Array) -> Goal:
    """Return n Var for any number of outputs."""
    return of_targets(np.array([[0.0, 1.0]]), rows, pi)


class _Kept(NamedTuple):
    program: Any
    first: Any  # t r, in units
    second: Any  # s/t
    parameters: list[Any]


@cache
def _kept(is_symmetric: bool) -> _Kept:
    """Return the linear program for three values of t at once, with all coefficients as Parameters."""
    first, second = (cp.Variable(_STARTS, nonneg=True) for _ in range(2))
    a, b, c, d, e, f, g, h = found = [cp.Parameter(_STARTS, nonneg=True) for _ in range(8)]
    conditions = [
        cp.multiply(a, first) + cp.multiply(b, second) >= c,
        cp.multiply(d, first) + cp.multiply(e, second) >= f,
    ]
    conditions += [cp.multiply(g, first) == cp.multiply(h, second)] * is_symmetric
    return _Kept(cp.Problem(cp.Minimize(cp.sum(first + second)), conditions), first, second, found)


def least(condition: PairCondition, pi: Array, *, is_symmetric: bool) -> tuple[Solved, float]:
    """Return the least n Var of two outputs, and its t.

    Args:
        condition: the level.
        pi: the proportions of no and yes.
        is_symmetric: whether p00 = p11 (Warner's designs).
    """
    delta = 0.0 if condition.delta is None else float(condition.delta.value)
    need, own = 1 - delta, float(condition.gamma.value) - 1 + delta
    spread = 2 * (own / delta) ** 0.5 if delta else 2.0
    t = np.array([min(spread, _LARGEST), 1.0, max(1 / spread, 1 / _LARGEST)])
    best, error, at = np.inf, np.inf, 1.0
    with _LOCK:
        kept = _kept(is_symmetric)
        for _ in range(_STEPS):
            one, two = np.maximum(own / t, delta * t), np.maximum(delta / t, own * t)
            unit = np.maximum(need / one, need / two)
            unit[unit == 0] = 1.0
            tied = np.maximum(1 / t, t)
            values = [own / t / one, delta * t / one, need / one / unit]
            values += [delta / t / two, own * t / two, need / two / unit, 1 / t / tied, t / tied]
            for parameter, value in zip(kept.parameters, values, strict=True):
                parameter.value = value
            found = solve(kept.program, once=False)
            r, s = (np.maximum(x.value, 0) * unit for x in (kept.first, kept.second))
            a, b = r / t + pi[1], s * t + pi[0]
            products = a * b
            place = int(products.argmin())
            best, at = float(products[place]), float(t[place])  # of this step: the last one is the most accurate
            error = float(found.error * unit[place] * (a[place] * t[place] + b[place] / t[place]) / 2)
            before, t = t, np.clip(np.sqrt(b / np.maximum(a, 1e-300)), 1 / _LARGEST, _LARGEST)
            if abs(t[place] / before[place] - 1) < _NEAR:
                break
    return Solved(best, error, found.solver), float(np.clip(at, 1 / _LARGEST, _LARGEST))


_MEANINGS = {
    "r": "(1 - p00)/(p00 + p11 - 1): p00 is 1 - r/(r + s + 1)",
    "s": "(1 - p11)/(p00 + p11 - 1): p11 is 1 - s/(r + s + 1)",
    "t": "a number > 0; n Var is the least value of the program over all t, which is taken at this one for this level",
    "1/t": "1/t",
}


def program(condition: PairCondition, pi: Array, *, is_symmetric: bool) -> Any:
    """Return the convex program of a fixed t, the Parameter ``t``, which has the value that is best for this level.

    With D = p00 + p11 - 1 the variables are ``r = (1 - p00)/D`` and ``s = (1 - p11)/D``, so that 1/D is r + s + 1. The
    chances of both outputs, divided by D, are r + pi and s + 1 - pi, and n Var is their product. It is not convex; by
    the inequality of the means it is the least value of ``((t (r + pi) + (s + 1 - pi)/t)/2)^2`` over all t > 0.

    At another level, set ``gamma.value`` and then ``t.value``; the least n Var is the least value over all t > 0.
    """
    r, s = cp.Variable(nonneg=True, name="r"), cp.Variable(nonneg=True, name="s")
    t = cp.Parameter(pos=True, name="t", value=least(condition, pi, is_symmetric=is_symmetric)[1])
    inverse = cp.CallbackParam(callback=lambda: 1 / t.value, shape=(), pos=True, name="1/t")
    gamma, delta, _ = condition
    zero = 0.0 if delta is None else delta
    conditions = [gamma * each + zero * (r + s + 1) >= each + 1 for each in (r, s)]
    half = (t * (r + float(pi[1])) + inverse * (s + float(pi[0]))) / 2
    program = cp.Problem(cp.Minimize(cp.square(half)), conditions + [r == s] * is_symmetric)
    return explained(program, **_MEANINGS)
