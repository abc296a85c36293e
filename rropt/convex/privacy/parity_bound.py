"""B(h) in CVXPY: maximize gamma subject to ``gamma p (1 - h(p)) <= h(p) (1 - p)`` at finitely many priors p.

Each row is divided by p (1 - p) and by its larger side: with ``a = (1-h)/(1-p)`` and ``b = h/p`` it is ``gamma a <=
b``, all of size about 1. The priors are a grid of log odds, and golden sections around the lowest local minima of
``b/a`` on it. The program has a fixed number of rows, the tightest ones, whose numbers are Parameters.

Finitely many rows are a relaxation: the value is at least B(h). It is larger by more than the tolerance if F approaches
its infimum so slowly that no row is near it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import inf, log, sqrt
from threading import RLock
from typing import Any

import cvxpy as cp
import numpy as np
from flint import arb, ctx

from rropt.convex.posing import TOLERANCE, Solved, compare, explained, solve
from rropt.convex.privacy.expressions import Function, upper_functions
from rropt.core.errors import RouteDisagreementError, UnsupportedProblemError
from rropt.core.results.twins import EQUAL, Twin

_ROWS = 8  # of the program that is solved: a program of one variable has one tight row, and copies of it
_MOST_ROWS = 400  # of the program that a user reads
_REACH, _POINTS = 60.0, 241  # log odds of the grid
_TAILS = (80, 110, 150, 220, 320, 480, 700, 1000, 1500)  # further log odds, for infima that are approached slowly
_GRID = sorted([*np.linspace(-_REACH, _REACH, _POINTS).tolist(), *map(float, _TAILS), *(-float(z) for z in _TAILS)])
_MINIMA = 4  # lowest local minima of the grid that are refined
_GOLDEN = (sqrt(5) - 1) / 2
_FINEST = 1e-11  # log odds between the last points of a golden section
_FLAT = 1e-13  # relative difference below which ratios are equal up to the rounding of floats
_FINER = 33
_BITS = 266  # 80 digits
_NEAR_SEEDS = 1e-3  # log odds around a prior where the infimum is known to be
_LARGEST_SCALED = 1e6  # of gamma divided by the ratio of the tightest row
_SMALL, _LARGE = 1e-290, 1e290  # floats outside may have lost digits
_FLOAT_BITS = 53  # of an interval whose midpoint is used


@dataclass(frozen=True, slots=True)
class _Row:
    """The row of a function h at one prior: ``gamma a <= b``."""

    z: float  # log odds of the prior
    a: float  # 0: the row does not limit gamma
    b: float

    @property
    def ratio(self) -> float:
        return self.b / self.a if self.a else inf


class CuttingPlanes:
    """The rows of a criterion, refined around the tightest ones.

    Attributes:
        rows: the rows, the tightest one first; empty if no row limits gamma.
    """

    def __init__(self, functions: Iterable[Function], seeds: Iterable[float] = ()) -> None:
        grid = [*_GRID, *(z for seed in seeds for z in (seed, *_around(seed)))]
        with ctx.workprec(_BITS):  # restores the precision that the rows set
            found = [row for h in functions for row in _refined(h, sorted(grid))]
        self.rows = sorted((row for row in found if row.a), key=lambda row: row.ratio)[:_MOST_ROWS]

    def solved(self) -> Solved | None:
        """Return the solution; ``None`` if no row limits gamma, which is in units of the tightest ratio."""
        if not self.rows:
            return None
        rows, scale = self.rows[:_ROWS], self.rows[0].ratio
        a, b = np.zeros(_ROWS), np.ones(_ROWS)
        a[: len(rows)] = [scale * row.a for row in rows]
        b[: len(rows)] = [row.b for row in rows]
        with _LOCK:
            program, unprotected, allowed = _program()
            unprotected.value, allowed.value = a, b
            found = solve(program, once=False)
        return Solved(found.value * scale, found.error * scale, found.solver)


def _refined(h: Function, grid: list[float]) -> list[_Row]:
    """Return the rows of a function at the priors of a grid, and around the lowest local minima of their ratios."""
    rows = [_row(h, z) for z in grid]
    ratios = [row.ratio for row in rows]
    lowest = []
    for i in range(1, len(rows) - 1):
        beside = ratios[i - 1], ratios[i + 1]
        if ratios[i] <= min(beside) and ratios[i] * (1 + _FLAT) < max(beside):
            lowest.append(i)
    for i in sorted(lowest, key=lambda i: ratios[i])[:_MINIMA]:
        rows += _sections(h, rows[i - 1], rows[i], rows[i + 1])
    return rows


def _sections(h: Function, low: _Row, inner: _Row, high: _Row) -> list[_Row]:
    """Return the rows of golden sections around a row whose ratio is smaller than those at both ends."""
    found: list[_Row] = []
    while high.z - low.z > _FINEST and max(low.ratio, high.ratio) > inner.ratio * (1 + _FLAT):
        is_left = inner.z - low.z > high.z - inner.z
        end = low if is_left else high
        row = _row(h, inner.z + (1 - _GOLDEN) * (end.z - inner.z))
        found.append(row)
        if row.ratio < inner.ratio:
            low, inner, high = (low, row, inner) if is_left else (inner, row, high)
        else:
            low, high = (row, high) if is_left else (low, row)
    return found


def _row(h: Function, z: float) -> _Row:
    """Return the row of a prior; it limits nothing if the function has no number there, or is 1. Sets ``ctx.prec``."""
    ctx.prec, p, q = _prior(z)
    try:
        value = h(p)
        a, b = (1 - value) / q, value / p
        if min(a.rel_accuracy_bits(), b.rel_accuracy_bits()) < _FLOAT_BITS:
            return _Row(z, 0.0, 1.0)
        left, right = float(a), float(b)
        if not (_SMALL < left < _LARGE and _SMALL < right < _LARGE):
            size = a.max(b)
            left, right = float(a / size), float(b / size)
    except (ArithmeticError, TypeError, ValueError):
        return _Row(z, 0.0, 1.0)
    size = max(left, right)
    # a smaller a is a rounding error, and the ratio b/a with it
    return _Row(z, left / size, right / size) if right > 0 and left > 1e-12 * size else _Row(z, 0.0, 1.0)


@lru_cache(maxsize=512)
def _prior(z: float) -> tuple[int, Any, Any]:
    """Return the bits of a row, the prior with some log odds, and 1 minus it.

    exp(-|z|) has 0.434 |z| zeros: a difference from 1 loses as many digits, and a second one twice as many.
    """
    bits = _BITS + int(3 * abs(z))
    with ctx.workprec(bits):
        return bits, 1 / (1 + arb(-z).exp()), 1 / (1 + arb(z).exp())


_LOCK = RLock()  # the program has one set of Parameters


@lru_cache(maxsize=1)
def _program() -> tuple[cp.Problem, cp.Parameter, cp.Parameter]:
    """Return the program and its Parameters, which all criteria share: CVXPY compiles it once."""
    gamma = cp.Variable(nonneg=True, name="gamma")
    a, b = (cp.Parameter(_ROWS, nonneg=True, name=name) for name in ("unprotected", "allowed"))
    return cp.Problem(cp.Maximize(gamma), [cp.multiply(a, gamma) <= b, gamma <= _LARGEST_SCALED]), a, b


def _around(z: float) -> list[float]:
    return [float(x) for x in np.linspace(z - _NEAR_SEEDS, z + _NEAR_SEEDS, _FINER)]


def to_cvxpy(bound: Any) -> cp.Problem:
    """Return the program of B(h) at the priors of the grid and its refinements: ``gamma * unprotected <= allowed``.

    Raises:
        UnsupportedProblemError: every mechanism satisfies the criterion.
    """
    rows = CuttingPlanes(upper_functions(bound.criterion)).rows
    if not rows:
        raise UnsupportedProblemError("no prior limits the parity: every mechanism satisfies the criterion")
    gamma = cp.Variable(nonneg=True, name="gamma")
    values = {"unprotected": [row.a for row in rows], "allowed": [row.b for row in rows]}
    a, b = (cp.Parameter(len(x), nonneg=True, name=name, value=np.array(x)) for name, x in values.items())
    return explained(
        cp.Problem(cp.Maximize(gamma), [cp.multiply(a, gamma) <= b]),
        gamma="the largest likelihood ratio that the criterion allows, B(h)",
        unprotected="the coefficient of gamma in the condition at each prior",
        allowed="the bound in the condition at each prior",
    )


def cvxpy_twin(bound: Any) -> Twin:
    """Return the value of the cutting planes, compared with the bounds of B(h)."""
    functions = upper_functions(bound.criterion)
    planes = CuttingPlanes(functions)
    solved = planes.solved()
    if bound.upper is not None and (solved is None or solved.value > bound.upper * (1 + Fraction(TOLERANCE))):
        planes = CuttingPlanes(functions, _seeds(bound))  # perhaps it missed a narrow minimum
        solved = planes.solved()
    if bound.lower is None or solved is None:
        if bound.lower is None and solved is None:
            return Twin("CVXPY", True, "inf", EQUAL)
        if solved is None:
            return Twin("CVXPY", True, "inf", None, _ONE_PRIOR)
        raise RouteDisagreementError(
            f"CVXPY finds B(h) = {solved.value!r}, which is infinite elsewhere: {bound.criterion}"
        )
    upper = Fraction(solved.value) if bound.upper is None else bound.upper
    if solved.value > upper * (1 + Fraction(TOLERANCE)):  # rows at finitely many priors: the value is at least B(h)
        if any(place.cell.is_point for place in bound.places):
            return Twin("CVXPY", True, solved.value, None, _ONE_PRIOR, solver=solved.solver)
        if abs(planes.rows[0].z) > _REACH:
            return Twin("CVXPY", True, solved.value, None, _SLOW, solver=solved.solver)
    return compare(solved, bound.lower, max(upper, bound.lower), f"B(h) of {bound.criterion}")


def _seeds(bound: Any) -> list[float]:
    """Return the log odds of the priors where the exact route found the infimum."""
    priors = [float(place.at) for place in bound.places]
    return [log(p / (1 - p)) for p in priors if 0 < p < 1]


_ONE_PRIOR = "the infimum is the value at a single prior, which is none of those of the program"
_SLOW = "the infimum is approached slowly at an end of (0, 1); the program has an upper bound"
