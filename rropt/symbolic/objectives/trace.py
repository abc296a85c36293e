"""Weighted trace in symbols: its definition, and the largest value as a theorem.

``sum_i w_i p_ii`` with ``w >= 0``. Where the m categories of largest weight are outputs of every input, a true response
has the probability ``told`` and each other one ``rare``, with ``told + (m - 1) rare = 1`` and ``told = gamma rare``. So
the value is ``gamma W/(gamma + m - 1)``, W the sum of the m largest weights, and one more category with weight w is
better iff ``w (gamma + m - 1) > W`` (``derive``). With probability delta the truth is revealed in addition.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.symbolic import symbols
from rropt.symbolic.active import NO_THEOREM, is_derived
from rropt.symbolic.objectives.goal import Goal, total
from rropt.symbolic.posing import Form
from rropt.symbolic.programs import numbers_of
from rropt.symbolic.symbols import delta, exact, gamma

IS_OF_INFORMATION = False

_MOST_WRITTEN = 300  # categories whose matrix is written in symbols


def pose(objective: Any, P: sp.ImmutableMatrix, population: Sequence[sp.Expr]) -> Goal:
    """Return ``sum_i w_i p_ii``."""
    return Goal(total(exact(w) * P[i, i] for i, w in enumerate(objective.weights)))


def coefficients(own: Mapping[str, Any], pi: Sequence[sp.Expr]) -> list[list[sp.Expr]]:
    """Return the coefficients of the entries of P."""
    weights = numbers_of(own["weights"])
    return [[w if i == j else sp.Integer(0) for j in range(len(weights))] for i, w in enumerate(weights)]


def derive() -> dict[str, sp.Expr]:
    """Return the value with m categories reported, and the gain of one more, from the equations of the pattern."""
    weight, more = sp.symbols("W w", positive=True)
    m = sp.Symbol("m", positive=True, integer=True)
    told, rare = sp.symbols("told rare")
    (point,) = sp.solve([sp.Eq(told + (m - 1) * rare, 1), sp.Eq(told, gamma * rare)], [told, rare], dict=True)
    value = sp.factor(weight * point[told])
    larger = value.subs({m: m + 1, weight: weight + more}, simultaneous=True)
    return {"value": value, "gain": sp.numer(sp.factor(larger - value))}


def form(problem: Any) -> Form | str:
    """Return the largest weighted trace, or the least loss that is equivalent to one."""
    region = problem.region
    if is_derived(problem):
        return NO_THEOREM
    runs = problem.objective.weight_runs()
    if runs is not None:  # many categories, of which most have equal weights
        if not region.has_one_level or min(w for _, w in runs.runs) < 0:
            return "no closed form with negative weights"
        weights, offset = list(runs.runs), sum((n * w for n, w in runs.runs), Fraction(0))
        return _largest(problem, weights, offset, [])
    if not region.has_one_level or region.family != "all" or region.inputs != region.outputs:
        return "no closed form for several levels, bounds, or other numbers of outputs"
    sign = -1 if problem.objective.sense == "maximise" else 1
    costs = [[sign * c for c in row] for row in problem.objective.costs(problem.population)]
    listed, offset = [], Fraction(0)
    for j, column in enumerate(zip(*costs, strict=True)):  # cost b_j - w_j [i = j] of output i at category j
        others = {c for i, c in enumerate(column) if i != j}
        if len(others) > 1 or column[j] > max(others):
            return "no closed form: the loss is no weighted trace with weights >= 0; others have one up to 8 categories"
        listed.append(max(others) - column[j])
        offset += max(others)
    return _largest(problem, [(1, w) for w in listed], offset, listed)


def _largest(problem: Any, runs: list[tuple[int, Fraction]], offset: Fraction, listed: list[Fraction]) -> Form:
    """Return the form for the categories that are chosen at the level of the problem."""
    k = problem.region.inputs
    level = problem.region.one_level()
    at = symbols.gamma_of(level.epsilon)
    order = sorted(range(len(runs)), key=lambda i: -runs[i][1])
    m, weight, chosen = 0, Fraction(0), 0
    low, high = sp.Integer(1), sp.oo
    for place, i in enumerate(order):
        n, w = runs[i]
        edge = None if not w else exact((weight - w * (m - 1)) / w) if m else sp.Integer(1)
        if edge is None or symbols.sign_of(at - edge) < 0:  # one more is better from gamma = edge on
            high = sp.oo if edge is None else edge
            break
        low = sp.Max(low, edge)
        m, weight, chosen = m + n, weight + n * w, place + 1
    if not m:
        m, weight, chosen = runs[order[0]][0], runs[order[0]][1] * runs[order[0]][0], 1
    slack = delta if level.delta.rational != 0 else sp.Integer(0)
    told = slack * exact(sum((n * w for n, w in runs), Fraction(0)))
    value = told + (1 - slack) * exact(weight) * gamma / (gamma + m - 1)
    if problem.objective.sense == "minimise":
        value = exact(offset) - value
    names = frozenset(order[:chosen])
    mechanism = None
    if listed and k <= _MOST_WRITTEN:
        mechanism = sp.ImmutableMatrix(_rows(names, k, slack))
    domain = sp.Ge(gamma, low) if high == sp.oo else sp.And(sp.Ge(gamma, low), sp.Le(gamma, high))
    parameters = {gamma: at} | ({} if slack == 0 else {delta: symbols.delta_of(level.delta)})
    return Form(
        value,
        f"weighted trace (Chai and Nayak 2018, Theorem 4.4, for equal weights): {m} of {k} outputs are given at every "
        "truth",
        domain,
        mechanism,
        parameters,
    )


def _rows(chosen: frozenset[int], k: int, slack: Any) -> list[list[Any]]:
    """Return P: only the chosen categories are outputs of every input; with probability delta the truth is revealed."""
    m = len(chosen)
    rare, uniform = (1 - slack) / (gamma + m - 1), (1 - slack) / sp.Integer(m)

    def entry(i: int, j: int) -> Any:
        of_truth = slack if i == j else sp.Integer(0)
        if i not in chosen:
            return of_truth
        return of_truth + (uniform if j not in chosen else gamma * rare if i == j else rare)

    return [[entry(i, j) for j in range(k)] for i in range(k)]
