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

from rropt.symbolic import symbols
from rropt.symbolic.objectives import estimator_variance
from rropt.symbolic.objectives.goal import Goal
from rropt.symbolic.objectives.information_matrix import variances
from rropt.symbolic.posing import Form, interval
from rropt.symbolic.symbols import exacts, gamma

IS_OF_INFORMATION = True

NO_THEOREM = "no theorem gives a closed form"

_MOST_ROWS = 300  # of a matrix in symbols; beyond it, its first row is given, and none beyond as many categories


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
    roots = sp.solve(sp.numer(sp.factor(sp.diff(variance, d))), d)
    (best,) = [root for root in roots if root.subs({k: 1, gamma: 2}) > 0]
    return {"column": sp.simplify(column), "variance": variance, "stationary": best}


def contrast_variance(k: int, d: int) -> sp.Expr:
    """Return n Var of a unit contrast, as ``derive`` finds it."""
    return sp.Integer(k - 1) * (d * gamma + k - d) ** 2 / (k * d * (k - d) * (gamma - 1) ** 2)


def edge(k: int, d: int) -> sp.Expr:
    """Return the level at which subsets of d and of d + 1 categories have the same variance; d is better above it."""
    one, other = sp.sqrt(d * (k - d)), sp.sqrt((d + 1) * (k - d - 1))
    return sp.radsimp((other * (k - d) - one * (k - d - 1)) / (one * (d + 1) - other * d))


def has_equal_proportions(problem: Any) -> bool:
    """Return whether all proportions are equal; many of them may be stored as one number."""
    return problem.is_uniform or len(set(problem.population)) == 1


def subsets(problem: Any) -> tuple[int, sp.Expr, dict[str, Any]] | None:
    """Return the best size d at the level, n Var of a unit contrast, and what a form of subset selection contains.

    None unless the proportions are equal, and the region is one level with delta = 0 and any number of outputs.
    """
    region, k = problem.region, problem.region.inputs
    if region.form != "parity" or region.outputs or not has_equal_proportions(problem):
        return None
    at = symbols.gamma_of(region.one_level().epsilon)
    d = min(max(int(k / (float(at) + 1)) - 1, 1), k - 1)  # below the best real d, which is k/(gamma + 1)
    while d < k - 1 and symbols.sign_of(at - edge(k, d)) < 0:
        d += 1
    low = edge(k, d) if d < k - 1 else sp.Integer(1)
    low = None if symbols.sign_of(low - 1) <= 0 else low
    rows, first = None, ""
    if k <= _MOST_ROWS:
        m = comb(k, d)
        chosen = list(combinations(range(k), d)) if m <= _MOST_ROWS else [tuple(range(d))]
        first = "" if m <= _MOST_ROWS else "; of its rows the first is given, the others are its rearrangements"
        theta = sp.Rational(k, m) / (d * gamma + k - d)
        rows = sp.ImmutableMatrix([[theta * (gamma if j in one else 1) for j in range(k)] for one in chosen])
    parts = {
        "theorem": f"rropt.subset-selection (argued; Ye and Barg 2018): the outputs are sets of {d} of {k}{first}",
        "domain": interval(low, edge(k, d - 1) if d > 1 else None),
        "mechanism": rows,
        "parameters": {gamma: at},
    }
    return d, contrast_variance(k, d), parts


def form(problem: Any) -> Form | str:
    """Return the form of a sum of variances that a theorem gives: two groups of categories, or equal proportions."""
    region, k = problem.region, problem.region.inputs
    if region.outputs:
        return "no closed form for a given number of outputs"
    if not region.has_one_level:
        return "no closed form for conditions other than one level"
    found = subsets(problem) if problem.objective.is_total and k > 2 else None
    if found is not None:
        return Form((k - 1) * found[1], **found[2])
    if k > _MOST_ROWS:
        return "no closed form for delta > 0 or unequal proportions of many categories"
    targets = problem.objective.targets(k)
    groups = list(zip(*targets, strict=True))
    values = sorted(set(groups))
    if len(values) == 2 or (k == 2 and problem.objective.is_total):
        times = sum((a - b) ** 2 for a, b in zip(*values, strict=True))
        share = sum((p for p, group in zip(problem.population, groups, strict=True) if group == values[1]), Fraction(0))
        return estimator_variance.any_outputs(problem, [group == values[1] for group in groups], share, times)
    return NO_THEOREM
