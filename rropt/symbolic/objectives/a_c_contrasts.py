"""Sums of variances in symbols: A, c, and several contrasts; subset selection at equal proportions.

``derive`` computes n Var of a unit contrast for symbolic k, d and gamma: the output is a subset of d of the k
categories, gamma times as likely if it contains the true one.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import sympy as sp

from rropt.designs.problem import Problem
from rropt.symbolic import symbols
from rropt.symbolic.bases import MOST_CATEGORIES, all_rows, domain_of, interval, row_of, solved
from rropt.symbolic.objectives import estimator_variance
from rropt.symbolic.objectives.goal import Goal, dot, total
from rropt.symbolic.objectives.information import variances
from rropt.symbolic.posing import Form
from rropt.symbolic.symbols import exacts, gamma

IS_OF_INFORMATION = True

_MOST_ROWS = 300  # of a matrix in symbols; beyond it, its first row is given


def pose(objective: Any, P: sp.ImmutableMatrix, population: Sequence[sp.Expr], name: str = "z") -> Goal:
    """Return n times the sum of the variances of the efficient estimates: ``tr C Z - abs(C pi)^2``, ``M Z = C^T``."""
    targets = sp.ImmutableMatrix([exacts(row) for row in objective.targets(P.shape[1])])
    return variances(P, population, targets, name)[1]


def derive() -> dict[str, sp.Expr]:
    """Return n Var of a unit contrast by subsets of d of k categories at equal proportions, and the best real d.

    The keys are ``column`` (a sum of entries of P, which is 1), ``variance`` and ``stationary``.
    """
    k, d = sp.symbols("k d", positive=True)
    size = d * gamma + k - d
    theta = k / (sp.binomial(k, d) * size)
    inside, outside = sp.binomial(k - 1, d - 1), sp.binomial(k - 1, d)
    column = sp.gammasimp((theta * (inside * gamma + outside)).rewrite(sp.gamma))
    same = inside * gamma**2 + outside
    other = sp.binomial(k - 2, d - 2) * gamma**2 + 2 * sp.binomial(k - 2, d - 1) * gamma + sp.binomial(k - 2, d)
    mean = size / k
    eigenvalue = sp.factor(sp.gammasimp((theta / mean * (same - other)).rewrite(sp.gamma)))
    variance = sp.factor(1 / eigenvalue)
    best = [root for root in sp.solve(sp.numer(sp.factor(sp.diff(variance, d))), d) if root != 0]
    return {"column": sp.simplify(column), "variance": variance, "stationary": best[0]}


def contrast_variance(k: int, d: int) -> sp.Expr:
    """Return n Var of a unit contrast, as ``derive`` finds it."""
    return sp.Integer(k - 1) * (d * gamma + k - d) ** 2 / (k * d * (k - d) * (gamma - 1) ** 2)


def edge(k: int, d: int) -> sp.Expr:
    """Return the level at which subsets of d and of d + 1 categories have the same variance; d is better above it."""
    one, other = sp.sqrt(d * (k - d)), sp.sqrt((d + 1) * (k - d - 1))
    return sp.radsimp((other * (k - d) - one * (k - d - 1)) / (one * (d + 1) - other * d))


def subsets(problem: Problem) -> tuple[int, sp.Expr, dict[str, Any]] | None:
    """Return the best size d at the level, n Var of a unit contrast, and what a form of subset selection contains.

    None unless the proportions are equal, and the region is one level with delta = 0 and any number of outputs.
    """
    region, k = problem.region, problem.region.inputs
    if region.form != "parity" or region.outputs or len(set(problem.population)) > 1:
        return None
    at = symbols.gamma_of(region.one_level().epsilon)
    d = 1
    while d < k - 1 and symbols.sign_of(at - edge(k, d)) < 0:
        d += 1
    low = edge(k, d) if d < k - 1 else sp.Integer(1)
    low = None if symbols.sign_of(low - 1) <= 0 else low
    m = comb(k, d)
    chosen = list(combinations(range(k), d)) if m <= _MOST_ROWS else [tuple(range(d))]
    theta = sp.Rational(k, m) / (d * gamma + k - d)
    first = "" if m <= _MOST_ROWS else "; of its rows the first is given, the others are its rearrangements"
    parts = {
        "theorem": f"subset selection (Ye and Barg 2018): the output is a set of {d} of {k} categories{first}",
        "domain": interval(low, edge(k, d - 1) if d > 1 else None),
        "mechanism": sp.ImmutableMatrix([[theta * (gamma if j in one else 1) for j in range(k)] for one in chosen]),
        "parameters": {gamma: at},
    }
    return d, contrast_variance(k, d), parts


def form(problem: Problem) -> Form | str:
    """Return the form of a sum of variances: two groups of categories, equal proportions, or k-ary responses."""
    region, k = problem.region, problem.region.inputs
    targets = problem.objective.targets(k)
    if not region.has_one_level or region.outputs:
        return "no theorem gives it beyond one level and any number of outputs"
    groups = list(zip(*targets, strict=True))
    values = sorted(set(groups))
    if len(values) == 2 or (k == 2 and problem.objective.is_total):
        times = sum((a - b) ** 2 for a, b in zip(*values, strict=True))
        share = sum((p for p, group in zip(problem.population, groups, strict=True) if group == values[1]), Fraction(0))
        return estimator_variance.any_outputs(problem, [group == values[1] for group in groups], share, times)
    found = subsets(problem) if problem.objective.is_total else None
    if found is not None:
        return Form((k - 1) * found[1], **found[2])
    return of_randomized_response(
        problem,
        lambda inverse: (
            total(dot(row, inverse * sp.Matrix(row)) for row in map(exacts, targets))
            - total(dot(exacts(row), exacts(problem.population)) ** 2 for row in targets)
        ),
        lambda inverse, row: total(dot(exacts(c), inverse * sp.Matrix(row)) ** 2 for c in targets),
    )


def of_randomized_response(problem: Problem, value: Any, slope: Any) -> Form | str:
    """Return the form of k-ary randomized response, where it is optimal at the level; or why there is none.

    The objective is a convex function F of the information M, which decreases. By its derivative, k rows with the
    weights w are optimal iff ``phi(S) <= y.S`` for all rows S, with equality for the rows themselves, where
    ``phi(S) = slope(M^-1, S)/(S.pi)``.

    Args:
        problem: the problem.
        value: a function from ``M^-1`` to the value.
        slope: a function from ``M^-1`` and S to ``-S F'(M) S^T``.
    """
    region, k = problem.region, problem.region.inputs
    if region.form != "parity" or region.outputs:
        return "no theorem gives it beyond one level with delta = 0 and any number of outputs"
    if k > MOST_CATEGORIES:
        return f"no theorem gives it at these proportions; at most {MOST_CATEGORIES} categories are tried in symbols"
    population, at = exacts(problem.population), symbols.gamma_of(region.one_level().epsilon)
    rows = [tuple(int(i == j) for j in range(k)) for i in range(k)]
    pair = solved(rows)
    if pair is None or at == 1:
        return "no theorem gives it: the level leaves no information"
    inverse, weights = pair
    means = [dot(row_of(bits), population) for bits in rows]
    scaled = sp.diag(*(mean / w for mean, w in zip(means, weights, strict=True)))
    covariance = (inverse.T * scaled * inverse).applyfunc(sp.cancel)  # M^-1
    phi = {bits: sp.cancel(slope(covariance, row_of(bits)) / dot(row_of(bits), population)) for bits in all_rows(k)}
    dual = inverse.T * sp.Matrix([phi[bits] for bits in rows])
    conditions = [sp.cancel(dot(list(dual), row_of(bits)) - each) for bits, each in phi.items() if bits not in rows]
    if any(symbols.sign_of(each.xreplace({gamma: at})) < 0 for each in conditions):
        return "no theorem gives it: more than k rows, or other rows than those of k-ary randomized response, are best"
    low, high = domain_of(conditions, at)
    mechanism = sp.ImmutableMatrix([[w * x for x in row_of(bits)] for w, bits in zip(weights, rows, strict=True)])
    return Form(
        value(covariance),
        "k-ary randomized response: by the derivative of the objective no other row is better on the domain",
        interval(low, high),
        mechanism,
        {gamma: at},
    )
