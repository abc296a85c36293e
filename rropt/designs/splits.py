"""Optimal allocation of a privacy budget to independent yes/no questions: three routes.

*The routes* are the equal split, the split at a multiplier, and a geometric program in CVXPY. Each returns the rational
odds bound x of Warner's design for every question, and 1 for a question of weight 0. The product of the odds bounds is
at most gamma, exactly. Only the distance from the optimum depends on floats, and the slopes at the split prove how
small it is.

*The split at a multiplier* lambda satisfies ``w x (x+1) = lambda (x-1)^3`` for a question of weight w. With u = log x
and ``v = sinh(u/2)^2 = (x-1)^2/(4x)`` this is ``v^3 = k (v + 1)``, where ``k = (w/4 lambda)^2``. Cardano's formula
gives the only positive root. The sum of the u decreases in lambda. Bisection finds lambda in floats, and Newton's
method refines lambda and the odds bounds in decimals.

*The geometric program* writes ``x/(x-1)^2 <= t`` as ``1/x + (x t)^(-1/2) <= 1``. It writes ``(x^2+1)/(x-1)^2 <= t`` as
``1/x + (y/t)^(1/2)/x <= 1`` with ``(x^2+1)/y <= 1``. All these constraints are convex in log x, log y and log t.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from decimal import ROUND_FLOOR, Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from math import acos, asinh, cos, exp, expm1, isfinite, log, log10, prod, sqrt
from typing import Any

from rropt.core.exact.numbers import natural_log
from rropt.core.lazy_cvxpy import cvxpy as cp
from rropt.designs.bit_objectives import Objective

_SIMPLE = 10**6  # largest denominator of the simple odds bounds that are tried for an optimum without a gap
_HALVINGS = 200  # of the interval that contains the logarithm of the multiplier
_STEPS = 60  # of Newton's method: three or four are usual
_SPARE = 30  # additional digits of the decimals in computations
_BELOW = 1 - 1e-15  # factor that keeps the split within the budget: a few units in the last place
_LARGE, _SMALL = 200.0, -600.0  # logarithms of k beyond which the root is a power of k to float precision

Parities = tuple[Fraction, ...]


def equal_split(objective: Objective, gamma: Fraction, digits: int) -> Parities:
    """Return the odds bound ``gamma^(1/m)`` for each of the m questions of positive weight, and 1 for the others."""
    count = sum(map(bool, objective.shares))
    size = natural_log(gamma) / count
    with localcontext(_context(digits, [expm1(min(size, 1.0))])):
        root = (_logarithm(gamma) / count).exp() - 1
    return _rounded([root if share else Decimal(0) for share in objective.shares], gamma, digits)


def multiplier_split(objective: Objective, gamma: Fraction, digits: int) -> Parities:
    """Return the split at which the weighted slopes of all questions equal one multiplier (the optimum)."""
    positive = [share for share in objective.shares if share]
    if objective.is_product:
        start = [natural_log(gamma) / len(positive)] * len(positive)
    else:
        start = _bisected([float(share / max(positive)) for share in positive], natural_log(gamma))
    found = iter(_refined(objective, positive, [expm1(u) for u in start], gamma, digits))
    return _rounded([next(found) if share else Decimal(0) for share in objective.shares], gamma, digits)


def geometric_split(objective: Objective, gamma: Fraction, digits: int) -> Parities:
    """Return the split that a geometric program finds, or the equal split if the solver fails."""
    budget = natural_log(gamma)
    positive = [share for share in objective.shares if share]
    sizes = _programmed(objective.is_product, tuple(float(share / max(positive)) for share in positive), budget)
    if sizes is None:
        return equal_split(objective, gamma, digits)
    found = iter([Decimal(expm1(u * (budget / sum(sizes)) * _BELOW)) for u in sizes])
    return _rounded([next(found) if share else Decimal(0) for share in objective.shares], gamma, digits)


def _rounded(excesses: Sequence[Decimal], gamma: Fraction, digits: int) -> Parities:
    """Round the excesses y down to the given number of significant digits, and return the odds bounds 1 + y.

    Their product is at most gamma. If fractions with small denominators are equally close and their product is exactly
    gamma, the function returns these fractions.
    """
    simple = [Fraction(y).limit_denominator(_SIMPLE) for y in excesses]
    near = Fraction(1, 10 ** (digits - 2))
    if all(abs(s - Fraction(y)) <= near * Fraction(y) for s, y in zip(simple, excesses, strict=True)):
        parities = tuple(1 + s for s in simple)
        if prod(parities, start=Fraction(1)) == gamma:
            return parities
    context = Context(prec=digits, rounding=ROUND_FLOOR)
    shrunk = Decimal(10) ** -digits
    while True:
        parities = tuple(1 + Fraction(context.plus(y)) for y in excesses)
        if prod(parities, start=Fraction(1)) <= gamma:
            return parities
        excesses = [context.fma(y, -shrunk, y) for y in excesses]
        shrunk *= 4  # an excess from a float has an error far above these digits


def _context(digits: int, excesses: Sequence[float]) -> Context:
    """Return a decimal context in which 1 + y keeps the digits of the smallest y."""
    zeros = max(0, -int(log10(min(excesses))))
    return Context(prec=digits + _SPARE + 3 * zeros)


def _logarithm(gamma: Fraction) -> Decimal:
    return (Decimal(gamma.numerator) / Decimal(gamma.denominator)).ln()


def _bisected(weights: Sequence[float], budget: float) -> list[float]:
    """Return the u = log x at the multiplier for which they sum to the budget; the largest weight is 1."""

    def sizes(logarithm: float) -> list[float]:
        return [_at_multiplier(2 * (log(w / 4) - logarithm)) for w in weights]

    low, high = -1.0, 1.0
    while sum(sizes(low)) < budget:
        low *= 2
    while sum(sizes(high)) > budget:
        high *= 2
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if sum(sizes(middle)) > budget else (low, middle)
    return sizes(low)


def _at_multiplier(power: float) -> float:
    """Return u = 2 asinh(sqrt(v)) for the positive root of ``v^3 = k (v + 1)``, k = exp(power)."""
    if power > _LARGE:
        return 2 * log(2) + power / 2  # v = sqrt(k), exp(u) = 4 v
    if power < _SMALL:
        return 2 * exp(power / 6)  # v = k^(1/3)
    k = exp(power)
    if k < 27 / 4:
        root = (k / 2 + sqrt(k * k / 4 - k**3 / 27)) ** (1 / 3)
        v = root + k / 3 / root
    else:
        v = 2 * sqrt(k / 3) * cos(acos(1.5 * sqrt(3 / k)) / 3)
    return 2 * asinh(sqrt(v))


def _refined(
    objective: Objective, weights: Sequence[Fraction], excesses: Sequence[float], gamma: Fraction, digits: int
) -> list[Decimal]:
    """Return the excesses y = x - 1 by Newton's method for ``w g(u) = lambda``, ``sum u = log gamma``, in decimals."""
    with localcontext(_context(digits, excesses)) as context:
        y = [Decimal(each) for each in excesses]
        w = [Decimal((x := weight / max(weights)).numerator) / Decimal(x.denominator) for weight in weights]
        for _ in range(_STEPS):
            values, falls = zip(*map(objective.slope, y), strict=True)  # g, -dg/du
            rest = _logarithm(gamma) - sum((1 + each).ln() for each in y)
            above = sum(g / f for g, f in zip(values, falls, strict=True)) - rest
            multiplier = above / sum(1 / (each * f) for each, f in zip(w, falls, strict=True))
            steps = [(each * g - multiplier) / (each * f) for each, g, f in zip(w, values, falls, strict=True)]
            y = [(1 + each) * step.exp() - 1 for each, step in zip(y, steps, strict=True)]
            if max(abs(step / each) for step, each in zip(steps, y, strict=True)) < Decimal(10) ** -(digits // 2 + 8):
                break
        return [context.plus(each) for each in y]


@lru_cache(maxsize=8)
def _programmed(is_product: bool, weights: tuple[float, ...], budget: float) -> list[float] | None:
    """Return the u = log x that the geometric program finds; None if the solver fails."""
    x, t = cp.Variable(len(weights), pos=True), cp.Variable(len(weights), pos=True)
    rows: list[Any] = [cp.prod(x) <= exp(budget)]
    cost: Any = cp.sum(cp.multiply(weights, t))
    if is_product:
        y = cp.Variable(len(weights), pos=True)
        rows += [(x**2 + 1) / y <= 1, 1 / x + cp.sqrt(y / t) / x <= 1]
        cost = cp.prod(t)
    else:
        rows += [1 / x + cp.power(cp.multiply(x, t), -0.5) <= 1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an inaccurate split is refined or rejected
        try:
            cp.Problem(cp.Minimize(cost), rows).solve(solver=cp.CLARABEL, gp=True)
        except (cp.SolverError, ArithmeticError, ValueError):
            return None
    if x.value is None or not all(isfinite(each) and each > 1 for each in x.value):
        return None
    return [log(each) for each in x.value]


ROUTES = {"closed-form": equal_split, "multiplier": multiplier_split, "convex": geometric_split}
