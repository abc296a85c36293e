"""Mutual information in symbols: ``sum_ij pi_j p_ij ln(p_ij/lambda_i)``.

The form is that of the optimal vertex (``active``). For many categories with equal proportions it is that of subset
selection: the output is a set of d of the k categories, gamma times as likely if it contains the true one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from typing import Any

import mpmath
import sympy as sp

from rropt.symbolic import symbols
from rropt.symbolic.active import NO_THEOREM, is_derived
from rropt.symbolic.fields import Field
from rropt.symbolic.objectives.a_c_contrasts import has_equal_proportions
from rropt.symbolic.objectives.goal import Goal, dot, total, x_log_x
from rropt.symbolic.posing import Form, interval
from rropt.symbolic.sums import Sum, is_zero, logarithm
from rropt.symbolic.sums import total as added
from rropt.symbolic.symbols import gamma

IS_OF_INFORMATION = False

_DIGITS = 40  # of the ends of a domain


def term(objective: Any, row: Sequence[sp.Expr], population: Sequence[sp.Expr]) -> sp.Expr:
    """Return the contribution of a row."""
    return dot(population, [x_log_x(x) for x in row]) - x_log_x(dot(row, population))


def phi(field: Field, own: Mapping[str, Any], row: Sequence[Any], pi: Sequence[Any]) -> Sum:
    """Return the contribution of a row whose entries are rational functions of the level."""
    parts = [x * p for x, p in zip(row, pi, strict=True)]
    mean = sum(parts, field.zero)
    return added(
        logarithm(field, x / mean).times(part) for x, part in zip(row, parts, strict=True) if not is_zero(part)
    )


def pose(objective: Any, P: sp.ImmutableMatrix, population: Sequence[sp.Expr]) -> Goal:
    """Return the mutual information of output and truth, in nats."""
    return Goal(total(term(objective, row, population) for row in P.tolist()))


def form(problem: Any) -> Form | str:
    """Return the form of subset selection, for many categories with equal proportions."""
    region, k = problem.region, problem.region.inputs
    if is_derived(problem):
        return NO_THEOREM
    if (
        not has_equal_proportions(problem)
        or region.form != "parity"
        or region.outputs
        or region.one_level().epsilon.gamma == 1
    ):
        return NO_THEOREM
    at = symbols.gamma_of(region.one_level().epsilon)
    level = float(at)
    middle = k * (level * log(level) / (level - 1) - 1) / (level - 1)  # the best real d
    near = sorted({min(max(int(middle) + x, 1), k - 1) for x in (-1, 0, 1, 2)})
    d = near[0]
    for other in near[1:]:
        if symbols.sign_of((by_subsets(k, other) - by_subsets(k, d)).xreplace({gamma: at})) > 0:
            d = other
    low, high = _edge(k, d), _edge(k, d - 1)
    return Form(
        by_subsets(k, d),
        f"subset selection (Wang and others 2016): the output is a set of {d} of {k} categories",
        interval(low, high),
        parameters={gamma: at},
    )


def by_subsets(k: int, d: int) -> sp.Expr:
    """Return the information of subset selection, ``d gamma ln gamma/(d gamma + k - d) + ln(k/(d gamma + k - d))``."""
    size = sp.factor(d * gamma + k - d)
    return sp.factor(d * gamma / size) * sp.log(gamma) + sp.log(sp.factor(k / size))


def _edge(k: int, d: int) -> sp.Expr | None:
    """Return the level at which sets of d and of d + 1 categories have the same information, to 40 digits.

    None if there is none above 1: one of the sizes is not allowed, or d is better at all levels.
    """
    if not 1 <= d <= k - 2:
        return None
    with mpmath.workdps(_DIGITS):
        gain = sp.lambdify(gamma, by_subsets(k, d) - by_subsets(k, d + 1), "mpmath")
        # near 1 the gain is (gamma - 1)^2 times the sign of d (k - d) - (d + 1) (k - d - 1) = 2 d + 1 - k
        if 2 * d + 1 >= k:
            return None
        low, high = mpmath.mpf("1.0001"), mpmath.mpf(2)
        while gain(high) < 0:
            low, high = high, high * 2
        return sp.Float(str(mpmath.findroot(gain, (low, high), solver="anderson", maxsteps=500, verify=False)), _DIGITS)
