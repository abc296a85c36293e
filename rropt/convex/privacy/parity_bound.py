"""B(h) in CVXPY: maximize gamma subject to ``gamma p (1 - h(p)) <= h(p) (1 - p)`` at finitely many priors p.

Each row is divided by p (1 - p) and by its larger side: with ``a = (1-h)/(1-p)`` and ``b = h/p`` it is ``gamma a <=
b``, all of size about 1. The priors are a grid of log odds, and finer grids around the four tightest rows, round
after round. The program has a fixed number of rows, whose numbers are Parameters.

Finitely many rows are a relaxation: the value is at least B(h). It is larger by more than the tolerance if F approaches
its infimum so slowly that no row is near it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import inf, log
from threading import RLock
from typing import Any

import cvxpy as cp
import numpy as np
from flint import arb, ctx

from rropt.convex.posing import TOLERANCE, Solved, compare, explained, solve
from rropt.convex.privacy.expressions import Function, upper_functions
from rropt.core.errors import RouteDisagreementError, UnsupportedProblemError
from rropt.core.results.twins import EQUAL, Twin

_ROWS = 400
_REACH, _POINTS = 60.0, 241  # log odds of the first grid
_TAILS = (80, 110, 150, 220, 320, 480, 700, 1000, 1500)  # further log odds, for infima that are approached slowly
_TIGHTEST, _FINER, _SHRINK = 4, 33, 12.0
_MOST_ROUNDS = 16
_BITS = 266  # 80 digits
_NEAR_SEEDS = 1e-3  # log odds around a prior where the infimum is known to be
_SLACK = 1e-11  # largest violation at the end, of rows of size 1
_FINEST = 1e-9  # largest distance of the last points
_LARGEST_SCALED = 1e6  # of gamma divided by the ratio of the tightest row


@dataclass(frozen=True, slots=True)
class _Row:
    """The row of a function h at one prior: ``gamma a <= b``."""

    function: int
    z: float  # log odds of the prior
    a: float
    b: float

    @property
    def ratio(self) -> float:
        return self.b / self.a if self.a > 1e-300 else inf  # below it the quotient may overflow


class CuttingPlanes:
    """The rows of a criterion, refined around the tightest ones.

    Attributes:
        rows: the rows of the last round, the tightest one first; empty if no row limits gamma.
    """

    def __init__(self, functions: Iterable[Function], seeds: Iterable[float] = ()) -> None:
        self.functions, self.seeds = list(functions), list(seeds)
        self.known: dict[tuple[int, float], _Row | None] = {}
        self.rows: list[_Row] = []
        self.scale = 1.0

    def row(self, function: int, z: float) -> _Row | None:
        """Return the row of a prior; ``None`` if the function has no number there, or is 1."""
        key = (function, z)
        if key not in self.known:
            self.known[key] = self._computed(function, z)
        return self.known[key]

    def _computed(self, function: int, z: float) -> _Row | None:
        # exp(-|z|) has 0.434 |z| zeros: a difference from 1 loses as many digits, and a second one twice as many
        with ctx.workprec(_BITS + int(3 * abs(z))):
            try:
                p, q = 1 / (1 + arb(-z).exp()), 1 / (1 + arb(z).exp())
                value = self.functions[function](p)
                a, b = (1 - value) / q, value / p
                size = a.max(b)
                if not (size.is_finite() and a.mid() > 0 and b.mid() > 0):
                    return None
                return _Row(function, z, float((a / size).mid()), float((b / size).mid()))
            except (ArithmeticError, TypeError, ValueError):
                return None

    def refined(self) -> Solved | None:
        """Return the solution after the last round; ``None`` if no row limits gamma."""
        step = 2 * _REACH / (_POINTS - 1)
        grid = [*np.linspace(-_REACH, _REACH, _POINTS).tolist(), *_TAILS, *(-z for z in _TAILS)]
        grid += [z for seed in self.seeds for z in (seed, *_around(seed, _NEAR_SEEDS))]
        kept = [row for f in range(len(self.functions)) for z in grid if (row := self.row(f, float(z)))]
        solved = None
        for _ in range(_MOST_ROUNDS):
            # a smaller a is a rounding error, and the ratio b/a with it
            kept = sorted((row for row in kept if row.a > 1e-12), key=lambda row: row.ratio)[:_ROWS]
            if not kept:
                return None
            self.rows = kept
            found = kept[0].ratio  # what the program has; it is solved where the points are close together
            if step < _FINEST:
                solved = self.solved(kept)
                found = solved.value * self.scale
            near = [(row.function, z) for row in kept[:_TIGHTEST] if abs(row.z) <= _REACH for z in _around(row.z, step)]
            new = [row for key in dict.fromkeys(near) if (row := self.row(*key))]
            if step < _FINEST and max((found * row.a - row.b for row in new), default=0.0) <= _SLACK:
                break
            kept = list({(row.function, row.z): row for row in [*kept, *new]}.values())
            step /= _SHRINK
        return solved and Solved(solved.value * self.scale, solved.error * self.scale, solved.solver)

    def solved(self, rows: list[_Row]) -> Solved:
        """Return the solution of the program with some rows; gamma is measured in units of the tightest ratio."""
        self.scale = rows[0].ratio
        a, b = np.zeros(_ROWS), np.ones(_ROWS)
        a[: len(rows)] = [self.scale * row.a for row in rows]
        b[: len(rows)] = [row.b for row in rows]
        with _LOCK:
            program, unprotected, allowed = _program()
            unprotected.value, allowed.value = a, b
            return solve(program, once=False)


_LOCK = RLock()  # the program has one set of Parameters


@lru_cache(maxsize=1)
def _program() -> tuple[cp.Problem, cp.Parameter, cp.Parameter]:
    """Return the program and its Parameters, which all criteria share: CVXPY compiles it once."""
    gamma = cp.Variable(nonneg=True, name="gamma")
    a, b = (cp.Parameter(_ROWS, nonneg=True, name=name) for name in ("unprotected", "allowed"))
    return cp.Problem(cp.Maximize(gamma), [cp.multiply(a, gamma) <= b, gamma <= _LARGEST_SCALED]), a, b


def _around(z: float, step: float) -> list[float]:
    return [float(x) for x in np.linspace(z - step, z + step, _FINER)]


def to_cvxpy(bound: Any) -> cp.Problem:
    """Return the program of B(h) at the priors of the last round: ``gamma * unprotected <= allowed``.

    Raises:
        UnsupportedProblemError: every mechanism satisfies the criterion.
    """
    planes = CuttingPlanes(upper_functions(bound.criterion))
    if planes.refined() is None:
        raise UnsupportedProblemError("no prior limits the parity: every mechanism satisfies the criterion")
    gamma = cp.Variable(nonneg=True, name="gamma")
    values = {"unprotected": [row.a for row in planes.rows], "allowed": [row.b for row in planes.rows]}
    a, b = (cp.Parameter(len(x), nonneg=True, name=name, value=np.array(x)) for name, x in values.items())
    return explained(
        cp.Problem(cp.Maximize(gamma), [cp.multiply(a, gamma) <= b]),
        gamma="the largest likelihood ratio that the criterion allows, B(h)",
        unprotected="the coefficient of gamma in the condition at each prior",
        allowed="the bound in the condition at each prior",
    )


def cvxpy_twin(bound: Any) -> Twin:
    """Return the value of the cutting planes, compared with the bounds of B(h)."""
    planes = CuttingPlanes(upper_functions(bound.criterion))
    solved = planes.refined()
    if bound.upper is not None and (solved is None or solved.value > bound.upper * (1 + Fraction(TOLERANCE))):
        planes = CuttingPlanes(upper_functions(bound.criterion), _seeds(bound))  # perhaps it missed a narrow minimum
        solved = planes.refined()
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
