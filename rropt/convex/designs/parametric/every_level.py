"""Designs for every level in CVXPY: the linear program with gamma as a Parameter, at levels around all breakpoints.

``active`` solves it over the weights of labelled rows: a row S in {1, gamma}^k of the decision d has the part
``c_d . S`` in the objective. The sums of the columns are moved, so that exactly k rows have weight.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import cvxpy as cp
import numpy as np

from rropt.convex.posing import compare, explained, solve
from rropt.convex.regions import Array, numbers
from rropt.core.errors import UnsupportedProblemError
from rropt.core.results.twins import Twin

MOST_CATEGORIES = 6  # whose rows are listed
_MOST_SOLVED = 24  # levels at which the program is solved
_AROUND = (Fraction(9, 10), Fraction(998, 1000), Fraction(1002, 1000), Fraction(11, 10))  # of each breakpoint
_BEYOND = 2  # the last piece is asked at this multiple of its start
_MOVED, _POSITIVE = 1e-5, 1e-9
_LARGEST = 1e6  # gamma at which a program is solved


def costs_of(problem: Any) -> tuple[Array, bool]:
    """Return the part of each entry of P in the objective, shape (m, k), and whether the objective is minimized.

    Raises:
        UnsupportedProblemError: the objective is not linear in the entries.
    """
    record = problem.to_dict()
    own, pi = record["objective"], _proportions(record)
    if own["kind"] == "trace":
        return np.diag(numbers(own["weights"])), False
    if own["kind"] in ("loss", "payoff") and "matrix" in own:
        return np.array([numbers(row) for row in own["matrix"]]) * pi, own["kind"] == "loss"
    if own["kind"] == "total-variation":
        half = (pi - np.array(numbers(own["against"]))) / 2
        return np.array([half, -half]), False
    raise UnsupportedProblemError(f"no linear program is written for the objective {own['kind']}")


def _proportions(record: dict[str, Any]) -> Array:
    region, listed = record["region"], record["population"]
    k = int(region.get("region", region)["inputs"])  # bounds of entries are written around a region
    return np.array(numbers(listed)) if isinstance(listed, list) else np.full(k, 1 / k)


def to_cvxpy(result: Any) -> cp.Problem:
    """Return the linear program over the entries ``P`` and the least entries ``t`` of rows; ``gamma`` is a Parameter.

    Its value is the optimum at ``gamma``, which is 2 at first.

    Raises:
        UnsupportedProblemError: the objective is not linear in the entries, or delta is positive.
    """
    if result.problem.to_dict()["region"]["delta"] != "0":
        raise UnsupportedProblemError("no program with gamma as a Parameter is written for delta > 0")
    costs, is_minimised = costs_of(result.problem)
    P = cp.Variable(costs.shape, name="P")
    t = cp.Variable((costs.shape[0], 1), nonneg=True, name="t")
    gamma = cp.Parameter(pos=True, name="gamma", value=2.0)
    goal = cp.sum(cp.multiply(costs, P))
    conditions = [t <= P, gamma * t >= P, cp.sum(P, axis=0) == 1]
    program = cp.Problem(cp.Minimize(goal) if is_minimised else cp.Maximize(goal), conditions)
    return explained(program, t="the smallest entry of each row of the mechanism")


def active(result: Any, gamma: Fraction, seed: int = 0) -> list[tuple[int, tuple[int, ...]]]:
    """Return the k rows with weight at a level: the decision, and the exponents of gamma.

    Raises:
        UnsupportedProblemError: there are too many categories.
    """
    costs, is_minimised = costs_of(result.problem)
    k = costs.shape[1]
    if k > MOST_CATEGORIES:
        raise UnsupportedProblemError("too many categories to list the rows")
    powers = list(product((0, 1), repeat=k))[:-1]
    rows = float(gamma) ** np.array(powers, float)
    phi = (costs @ rows.T).ravel() * (1 if is_minimised else -1)
    w = cp.Variable(len(phi), nonneg=True)
    sums = 1 + _MOVED * np.random.default_rng(seed).uniform(0.5, 1.0, k)
    solve(cp.Problem(cp.Minimize(phi @ w), [np.tile(rows, (len(costs), 1)).T @ w == sums]), solvers=(cp.SCIPY,))
    return [(int(n) // len(powers), powers[int(n) % len(powers)]) for n in np.flatnonzero(w.value > _POSITIVE)]


def cvxpy_twin(result: Any) -> Twin:
    """Return the twin: the optimum of the program at levels around the breakpoints, each compared with the formula.

    Raises:
        RouteDisagreementError: a value is not on the curve.
    """
    program = to_cvxpy(result)
    (gamma,) = program.parameters()
    levels = levels_of(result)
    size = max(1.0, float(np.abs(costs_of(result.problem)[0]).max()))
    twins = []
    for at in levels:
        gamma.value = float(at)
        value = next(piece for piece in result.pieces if holds(piece, at)).value(at)
        what = f"{result.problem} at gamma = {at}"
        twins.append(compare(solve(program), value, value, what, size=size))
    agreeing = [twin for twin in twins if twin.agrees]
    worst = agreeing[-1] if agreeing else twins[-1]
    told = f"{len(levels)} level{'s' * (len(levels) > 1)}"
    return Twin("CVXPY", True, told, worst.agrees, worst.why, solver=worst.solver)


def levels_of(result: Any) -> list[Fraction]:
    """Return rational levels inside the pieces, and on both sides of their ends."""
    return sorted({*_inside(result), *_around(result)})


def holds(piece: Any, gamma: Fraction) -> bool:
    """Return whether a level is at most the end of a piece, ``p + q sqrt(D)``."""
    if piece.place is None:
        return True
    p, q, root = piece.place
    rest = gamma - p
    return bool(rest <= 0 and q >= 0) or _square(rest) <= _square(q) * root


def _square(number: Fraction) -> Fraction:
    """Return a square with the sign of its number."""
    return number * abs(number)


def _inside(result: Any) -> Iterator[Fraction]:
    """Yield a rational gamma between the ends of each of at most ``_MOST_SOLVED`` pieces."""
    last, most = len(result.pieces) - 1, min(len(result.pieces), _MOST_SOLVED)
    for piece in [result.pieces[i * last // max(1, most - 1)] for i in range(most)]:  # the first, the last, and others
        low = float(piece.start)
        high = _BEYOND * low + 1 if piece.end is None else float(piece.end)
        yield Fraction((low + high) / 2).limit_denominator(10**9)


def _around(result: Any) -> Iterator[Fraction]:
    """Yield levels on both sides of the breakpoints, within the levels of the problem."""
    first, last = float(result.pieces[0].start), result.pieces[-1].end
    breakpoints = [float(piece.end) for piece in result.pieces[:-1]]
    step = max(1, len(breakpoints) // _MOST_SOLVED + 1)
    for end in breakpoints[::step]:
        for factor in _AROUND:
            at = Fraction(end).limit_denominator(10**6) * factor
            if max(first, 1) < at < min(_LARGEST, _LARGEST if last is None else float(last)):
                yield at
