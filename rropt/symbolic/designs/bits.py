"""The split of a privacy budget over yes/no questions in symbols: the definition, a form, and an enclosure of its own.

With u = log x for the odds bounds x, the slope of ``h = x/(x-1)^2`` is ``-x (x+1)/(x-1)^3``. At the optimum all slopes
times weights are one number lambda: ``w x (x+1) = lambda (x-1)^3``. For equal weights x is the m-th root of gamma;
otherwise lambda is no formula, but every lambda > 0 proves a bound, since h is convex in u (weak duality):

    sum w_l h(u_l) >= sum min_u (w_l h(u) + lambda u) - lambda epsilon,   sum u_l <= epsilon.

``enclosure`` solves for lambda in 50 digits and evaluates this bound and the split itself in interval arithmetic. For
the joint distribution the same holds for the logarithms of its factors ``(x^2+1)/(x-1)^2``.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from math import log
from typing import Any, NamedTuple

import mpmath as mp
import sympy as sp

from rropt.core.errors import RouteDisagreementError, UnsupportedProblemError
from rropt.core.exact.display import decimal_text
from rropt.core.results.twins import EQUAL, INSIDE, Twin, require_closed
from rropt.symbolic.posing import Form, Posing, compared
from rropt.symbolic.symbols import exact, gamma, gamma_of, number_text

MOST_QUESTIONS = 40
_DIGITS, _STEPS = 50, 12  # of Newton's method, which doubles the digits of a float: 16, 32, 64
_WIDEST = Fraction(1, 10**20)  # relative width of an enclosure; 50 digits lose a few in the sums
x, weight, multiplier = sp.symbols("x w lambda", positive=True)
slope = sp.factor(-x * sp.diff(x / (x - 1) ** 2, x))
"""Minus the slope of ``x/(x-1)^2`` in log x."""
stationary = sp.Eq(weight * x * (x + 1), multiplier * (x - 1) ** 3)
"""The condition of each question at the optimum of ``marginals``."""


def to_sympy(design: Any) -> Posing:
    """Return the problem over the odds bounds ``x_l`` of the questions of positive weight.

    Raises:
        UnsupportedProblemError: there are too many questions.
    """
    own, asked = design.objective, [n for n, share in enumerate(design.objective.shares) if share]
    if len(asked) > MOST_QUESTIONS:
        raise UnsupportedProblemError("too many questions to write out")
    odds = tuple(sp.Symbol(f"x_{n}", positive=True) for n in asked)
    limits = [sp.Le(sp.Mul(*odds), gamma), *(sp.Gt(each, 1, evaluate=False) for each in odds)]
    budget = gamma_of(design.level)
    equal = gamma ** sp.Rational(1, len(asked))
    if own.is_product:
        squares = sp.Mul(*(exact(pi) ** 2 + (1 - exact(pi)) ** 2 for pi in own.prevalences))
        objective = sp.Mul(*((each**2 + 1) / (each - 1) ** 2 for each in odds)) - squares
    else:
        given = zip(own.weights, own.prevalences, strict=True)
        terms = [(exact(w), exact(pi)) for w, pi in given if w]
        objective = sum(
            (w * (pi * (1 - pi) + each / (each - 1) ** 2) for (w, pi), each in zip(terms, odds, strict=True)),
            sp.Integer(0),
        )
    form: Any = f"no closed form: {stationary} for each weight, with the product gamma"
    if len({own.shares[n] for n in asked}) == 1:
        value = objective.xreplace(dict.fromkeys(odds, equal))
        form = Form(
            value,
            "equal weights: a convex function of log x, so all x are equal",
            sp.Gt(gamma, 1),
            parameters={gamma: budget},
        )
    return Posing(odds, objective, limits, "minimise", {gamma: budget}, form=form)


class SplitEnclosure(NamedTuple):
    """Bounds of the optimum that know nothing of the engine.

    Attributes:
        lower: by weak duality.
        upper: the objective of a split.
        multiplier: lambda, with 40 digits.
    """

    lower: Fraction
    upper: Fraction
    multiplier: Any


def enclosure(design: Any) -> SplitEnclosure:
    """Return bounds of the optimum from the multiplier, in interval arithmetic; the problem alone is read."""
    own = design.objective
    counts = Counter(Fraction(share) for share in own.shares if share)
    weights, numbers = list(counts), list(counts.values())
    before = mp.iv.dps
    mp.iv.dps = 2 * _DIGITS
    try:
        with mp.workdps(_DIGITS):
            budget = _budget(design.level)
            near = _split_in_floats([float(w) for w in weights], numbers, float(budget.mid), own.is_product)
            u, m = _refined(weights, numbers, budget.mid, own.is_product, near)
            number = mp.exp(m)
        total = sum((n * mp.iv.mpf(value) for n, value in zip(numbers, u, strict=True)), mp.iv.mpf(0))
        scale = (budget / total).a  # then the levels add up to at most the budget
        lam = mp.iv.exp(mp.iv.mpf(m))
        upper, lower = mp.iv.mpf(0), -lam * budget
        for w, n, value in zip(weights, numbers, u, strict=True):
            weighted = mp.iv.mpf(w.numerator) / w.denominator
            point = mp.iv.mpf(value)
            error = abs(lam - weighted * _slope(point, own.is_product))
            lower += n * (weighted * _term(point, own.is_product) + lam * point - error * budget)
            upper += n * weighted * _term(point * scale, own.is_product)
        if own.is_product:
            lower, upper = mp.iv.exp(lower), mp.iv.exp(upper)
        constant = _constant(own)
        return SplitEnclosure(_end(lower, 0) + constant, _end(upper, 1) + constant, number)
    finally:
        mp.iv.dps = before


def _budget(level: Any) -> Any:
    """Return the level in nats as an interval."""
    times = mp.iv.mpf(level.times.numerator) / level.times.denominator
    if level.kind == "rational":
        return times
    return times * mp.iv.log(mp.iv.mpf(level.base.numerator) / level.base.denominator)


def _constant(objective: Any) -> Fraction:
    """Return the part of the objective that no split changes."""
    if not objective.is_product:
        pairs = zip(objective.weights, objective.prevalences, strict=True)
        return sum((w * pi * (1 - pi) for w, pi in pairs), Fraction(0))
    product = Fraction(1)
    for pi in objective.prevalences:
        product *= pi * pi + (1 - pi) ** 2
    return -product


def _term(u: Any, is_product: bool) -> Any:
    """Return h(u), or the logarithm of a factor."""
    z = mp.iv.exp(u)
    return mp.iv.log((z * z + 1) / (z - 1) ** 2) if is_product else z / (z - 1) ** 2


def _slope(u: Any, is_product: bool) -> Any:
    """Return minus the slope of ``_term``."""
    z = mp.iv.exp(u)
    if is_product:
        return 2 * z * (z + 1) / ((z - 1) * (z * z + 1))
    return z * (z + 1) / (z - 1) ** 3


def _logarithm(u: Any, is_product: bool, lib: Any) -> tuple[Any, Any]:
    """Return the logarithm of minus the slope, and its own slope, at numbers."""
    z = lib.expm1(u)  # x - 1
    if is_product:
        y = z + 1
        value = lib.log(2) + u + lib.log(y + 1) - lib.log(z) - lib.log(y * y + 1)
        return value, 1 + y / (y + 1) - y / z - 2 * y * y / (y * y + 1)
    return lib.log(z + 1) + lib.log(z + 2) - 3 * lib.log(z), 1 + (z + 1) / (z + 2) - 3 * (z + 1) / z


def _split_in_floats(weights: list[float], numbers: list[int], budget: float, is_product: bool) -> tuple[Any, float]:
    """Return the split and log lambda in floats, by bisection."""

    def sizes(m: float) -> list[float]:
        found = []
        for w in weights:
            low, high = log(budget) - 60, log(2 * budget + 60)
            for _ in range(60):
                middle = (low + high) / 2
                value, _ = _logarithm(math.exp(middle), is_product, math)
                low, high = (middle, high) if value + log(w) > m else (low, middle)
            found.append(math.exp(low))
        return found

    low, high = -200.0, 200.0
    low, high = low + log(min(weights)), high + log(max(weights))
    for _ in range(60):
        middle = (low + high) / 2
        spent = sum(n * u for n, u in zip(numbers, sizes(middle), strict=True))
        low, high = (middle, high) if spent > budget else (low, middle)
    return sizes(low), low


def _refined(
    weights: list[Fraction], numbers: list[int], budget: Any, is_product: bool, near: tuple[Any, float]
) -> tuple[list[Any], Any]:
    """Return the split and log lambda by Newton's method from floats."""
    u, m = [mp.mpf(value) for value in near[0]], mp.mpf(near[1])
    logs = [mp.log(mp.mpf(w.numerator) / w.denominator) for w in weights]
    for _ in range(_STEPS):
        pairs = [_logarithm(value, is_product, mp.mp) for value in u]
        rest = [value + own - m for (value, _), own in zip(pairs, logs, strict=True)]
        slopes = [slope for _, slope in pairs]
        spent = sum(n * value for n, value in zip(numbers, u, strict=True)) - budget
        step = -spent + sum(n * r / d for n, r, d in zip(numbers, rest, slopes, strict=True))
        step /= sum(n / d for n, d in zip(numbers, slopes, strict=True))
        u = [max(value + (step - r) / d, value / 2) for value, r, d in zip(u, rest, slopes, strict=True)]
        m += step
    return u, m


def _end(interval: Any, which: int) -> Fraction:
    """Return the lower (0) or upper (1) end of an interval, exactly."""
    sign, whole, power, _ = interval._mpi_[which]
    return Fraction(-int(whole) if sign else int(whole)) * Fraction(2) ** int(power)


def sympy_twin(design: Any) -> Twin:
    """Return the form for equal weights, and an enclosure of its own, compared with the design and the proved bounds.

    Raises:
        RouteDisagreementError: the design spends more than the budget, its objective is another one than claimed, or
            the enclosure and the proved bounds have no number in common, or the bounds are wide.
    """
    posing = to_sympy(design)
    asked = [parity for share, parity in zip(design.objective.shares, design.parities, strict=True) if share]
    checked = posing.check(dict(zip(posing.variables, asked, strict=True)))
    agrees = checked.agrees(design.lower, design.upper)
    if checked.value != exact(design.value):
        raise RouteDisagreementError(f"SymPy finds another objective of the design: {sp.N(checked.value, 17)}")
    own = enclosure(design)
    if own.lower > design.upper or own.upper < design.lower or design.value < own.lower:
        ends = f"[{decimal_text(own.lower, 17)}, {decimal_text(own.upper, 17)}]"
        raise RouteDisagreementError(
            f"SymPy encloses the optimum of the split in {ends}, which is outside the proved bounds "
            f"[{decimal_text(design.lower, 17)}, {decimal_text(design.upper, 17)}]"
        )
    if own.upper - own.lower > _WIDEST * max(abs(own.upper), Fraction(1)):
        raise RouteDisagreementError("SymPy's enclosure of the split is too wide: the multiplier was not found")
    require_closed(design)
    if posing.form is not None:
        value = posing.form.at()
        agrees = compared(value, design.lower, design.upper)
        compared(value, own.lower, own.upper)
        return Twin("SymPy", True, number_text(value), agrees, form=str(posing.form), domain=posing.form.where)
    is_equal = design.lower == design.upper == design.value
    return Twin("SymPy", True, number_text(checked.value), EQUAL if is_equal else INSIDE)
