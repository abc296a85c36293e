"""Parts of the posings in symbols at small sizes: by formulas, by enumeration, and by both sides of each limit."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations, product
from types import SimpleNamespace
from typing import Any

import mpmath as mp
import numpy as np
import pytest
import sympy as sp

import rropt
from rropt.core.errors import InvalidParameterError, RouteDisagreementError
from rropt.core.exact import Delta, Epsilon
from rropt.core.exact.algebraic_numbers import Algebraic
from rropt.designs import Problem, closed_forms
from rropt.designs.bits import design_bits
from rropt.designs.orders.admissibility import admissible
from rropt.designs.parametric.level_formulas import LevelFormula
from rropt.designs.prevalence_intervals import solve_over_interval
from rropt.mechanisms import Mechanism, named_mechanism
from rropt.plans.group_plans import plan_strata
from rropt.privacy import PrivacyRegion, parity_bound
from rropt.privacy.bound import judge
from rropt.privacy.criteria import canonical_information_privacy, information_privacy, rho_to_rho
from rropt.privacy.criteria.grammar import parse
from rropt.symbolic import Form, Posing, extents, fields, regions, sums, symbols
from rropt.symbolic.designs import bits, mean_designs, prevalence_intervals
from rropt.symbolic.designs.parametric import every_level
from rropt.symbolic.designs.parametric.every_level import place_of, value_of
from rropt.symbolic.objectives import (
    a_c_contrasts,
    conditional_variance,
    e_optimality,
    estimator_variance,
    mutual_information,
    trace,
)
from rropt.symbolic.orders import admissibility, garblings
from rropt.symbolic.plans import group_plans
from rropt.symbolic.posing import compared, holds, interval
from rropt.symbolic.privacy import breaches
from rropt.symbolic.privacy import parity_bound as bounds
from rropt.symbolic.privacy.expressions import in_symbols, p, upper_functions
from rropt.symbolic.series import Coefficient, NoSeriesError, PowerSeries, limit_at_zero, series
from rropt.symbolic.symbols import delta, exact, gamma, pi

F, R = Fraction, sp.Rational
t = sp.Symbol("t", positive=True)
LOG_T = sp.Symbol("log_t", negative=True)
POPULATION = [F(1, 2), F(1, 3), F(1, 6)]


def warner(probability: Fraction) -> list[list[Fraction]]:
    return [[probability, 1 - probability], [1 - probability, probability]]


def binary_variance(rows: Sequence[Sequence[Fraction]], prevalence: Fraction) -> Fraction:
    """``q (1-q)/(p00 + p11 - 1)^2`` for the probability q of output 1."""
    (p00, _), (p10, p11) = rows
    q = (1 - prevalence) * p10 + prevalence * p11
    return q * (1 - q) / (p00 + p11 - 1) ** 2


def number(expression: Any, digits: int = 40) -> Any:
    with mp.workdps(digits + 20):
        return mp.mpf(str(sp.N(expression, digits + 10)))


# series and limits


def test_series_are_those_of_taylor() -> None:
    """Coefficients by hand; at t = 10^-6 the rest is of the order that is claimed."""
    root = sp.sqrt(2)
    for expression, wanted in (
        ((1 + 2 * t) ** -3, {0: 1, 1: -6, 2: 24}),
        (sp.sqrt(4 + t), {0: 2, 1: R(1, 4), 2: -R(1, 64)}),
        ((t - 1) ** 3, {0: -1, 1: 3, 2: -3}),
        (sp.log(3 + t), {0: sp.log(3), 1: R(1, 3), 2: -R(1, 18)}),
        (sp.log(t + t**2), {0: LOG_T, 1: 1}),
        (sp.log(2 * t**2 + t**3), {0: sp.log(2) + 2 * LOG_T}),
        (sp.exp(1 + 2 * t), {0: sp.E, 1: 2 * sp.E, 2: 2 * sp.E}),
        (sp.exp(3 + root * sp.log(t)), {root: sp.exp(3)}),
        (t**t, {0: 1, 1: LOG_T, 2: LOG_T**2 / 2}),
        (3**t, {0: 1, 1: sp.log(3), 2: sp.log(3) ** 2 / 2}),
        ((t + t**2) ** root, {root: 1, 1 + root: root}),
        ((8 * t) ** R(1, 3) / (1 + t), {R(1, 3): 2, R(4, 3): -2}),
        (1 / sp.sqrt(t) + 3 * sp.sqrt(t), {-R(1, 2): 1, R(1, 2): 3}),
    ):
        with mp.workdps(60):
            found = series(expression, t)
            assert {e for e, *_ in found.terms} == set(wanted), expression
            for e, size, c in found.terms:
                assert sp.expand(c.exact - wanted[e]) == 0
                assert size == pytest.approx(float(e), abs=1e-12)
                assert abs(c.number - number(c.exact.subs(LOG_T, -137))) < 1e-35 * abs(c.number)
            at = mp.mpf(10) ** -6
            parts = [number(c.exact.subs(LOG_T, sp.log(sp.Integer(10) ** -6))) * at**size for _, size, c in found.terms]
            assert abs(number(expression.subs(t, sp.Integer(10) ** -6)) - sum(parts)) < 3000 * at**found.rest


def test_series_keep_what_is_known() -> None:
    """Terms of equal exponents are added, zeros are dropped, and 24 terms are kept."""

    def made(*terms: tuple[Any, Any], rest: float = math.inf) -> PowerSeries:
        return PowerSeries.of([(exact(e), float(e), Coefficient.of(exact(c))) for e, c in terms], rest)

    found = made((1, 2), (F(1, 2), 5), (1, 3), (2, 0))
    assert [(e, c.exact) for e, _, c in found.terms] == [(R(1, 2), 5), (1, 5)]
    assert (found.rest, made((-1, 1)).rest, made((1, 1), rest=2).rest) == (2.5, 1.5, 2)
    many = made(*((F(n, 16), n + 1) for n in range(30)))
    assert [e for e, *_ in many.terms] == [R(n, 16) for n in range(24)]
    assert many.rest == 24 / 16
    e, size, c, u = made((1, 3), (F(3, 2), 6), rest=2).split()
    assert (e, size, c.exact) == (1, 1.0, 3)
    assert [(a, b, d.exact, d.number) for a, b, d in u.terms] == [(R(1, 2), 0.5, 2, 2)]
    assert u.rest == 1
    assert (made((0, 2)) + made((1, 7), rest=1.25)).rest == 1.25
    for value, is_zero in ((R(1, 10**30), False), (-R(1, 10**30), False), (R(1, 10**31), True), (-R(1, 10**31), True)):
        assert Coefficient.of(value).is_zero is is_zero
    assert Coefficient.of(2 * LOG_T).number == -274
    for refused in (
        lambda: made().leading,
        lambda: Coefficient.of(t),
        lambda: made((0, 1), (1, 1)).composed(sp.Integer),
    ):
        with pytest.raises(NoSeriesError):
            refused()
    for function in (
        *(sp.sqrt(t - 1), sp.log(t - 1), sp.log(sp.log(t)), sp.exp(-1 / t), sp.exp(sp.log(t) ** 2), sp.sin(t)),
        sp.exp(t - sp.sqrt(t) / t),
    ):
        with pytest.raises(NoSeriesError):
            series(function, t)
        assert limit_at_zero(function, t) is None
    for function, limit in ((t * sp.log(t), 0), ((3 + t) / (2 - t), R(3, 2)), (sp.exp(t) / t, sp.oo), (2 * t**t, 2)):
        assert limit_at_zero(function, t) == limit
    assert limit_at_zero(2 + sp.log(t), t) is None


# the functions of a criterion


def test_functions_of_a_criterion_have_their_values() -> None:
    for text, values in (
        ("1 - (1-p)^2/2", {F(1, 3): F(7, 9)}),
        ("min(1, 3*p)", {F(1, 4): F(3, 4), F(1, 2): 1}),
        ("max(2*p, p + 1/5)", {F(1, 10): F(3, 10), F(1, 4): F(1, 2)}),
        ("2*p/(1 + p)", {F(1, 3): F(1, 2)}),
        ("sqrt(p) - exp(0) + log(1)", {F(1, 4): -F(1, 2)}),
        (
            "piecewise(1/2, 1/10 <= p < 1/5, p, p > 1/2, 1)",
            {F(1, 20): 1, F(1, 10): F(1, 2), F(1, 5): 1, F(3, 4): F(3, 4)},
        ),
        ("piecewise(1/2, p >= 1/5, 1)", {F(1, 5): F(1, 2), F(1, 6): 1}),
    ):
        for at, value in values.items():
            assert in_symbols(parse(text)).subs(p, exact(at)).doit() == exact(value), (text, at)
    criterion = information_privacy(lower="p^2/2", upper="1 - (1-p)^3/2")
    found = [h.subs(p, R(1, 3)) for h in upper_functions(criterion)]
    assert found == [1 - R(8, 27) / 2, 1 - R(4, 9) / 2]  # the second is 1 - h_l(2/3)


def test_roots_of_differences() -> None:
    """All roots above 0 of polynomials in a power of p, and with radicals; else the root of a function by inverses."""
    e, half = sp.exp(-1), R(1, 2)
    for expression, wanted in (
        (6 * p**2 - 5 * p + 1, {R(1, 3), half}),
        (p - 3 * sp.sqrt(p) / 4 + R(1, 8), {R(1, 16), R(1, 4)}),
        (p ** R(2, 3) - R(1, 4), {R(1, 8)}),
        (p**2 - R(1, 4), {half}),
        (4 * p**2 - p, {R(1, 4)}),
        (p**2 - 5 * p, {5}),
        (sp.sqrt(2) * p - 1, {sp.sqrt(2) / 2}),
        (sp.expand((p - e) * (p - half)), {e, half}),
        (sp.expand((p + e) * (p - half)), {half}),
        (sp.sqrt(1 - p) - p, {(sp.sqrt(5) - 1) / 2}),
        (sp.sqrt(1 + p) + sp.sqrt(1 - p) - R(19, 10), {19 * sp.sqrt(39) / 200}),
        (sp.exp(2 * p) - 2, {sp.log(2) / 2}),
        (3 * sp.log(p) + 1, {sp.exp(-R(1, 3))}),
        (2**p - R(5, 4), {sp.log(R(5, 4)) / sp.log(2)}),
        (p ** sp.sqrt(2) / 3 - R(1, 6), {half ** (1 / sp.sqrt(2))}),
        (sp.exp(p) + 1, set()),
        (sp.exp(p) - 2 * p, set()),
        (sp.sin(p) - half, set()),
        (p**40 - p**39 / 2, {half}),
        (p**41 - p**40 / 2, set()),
    ):
        found = bounds._roots(expression)
        assert len(found) == len(wanted), expression
        assert all(any(abs(number(a - b)) < 1e-35 for b in wanted) for a in found), expression
    (root,) = bounds._roots((1 - p) ** R(1, 3) - p)
    assert abs(number(root) ** 3 + number(root) - 1) < 1e-35
    line = [p, -half, *[sp.Integer(0)] * 400]
    count = 400 - sp.Add(p, -half, evaluate=False).count_ops()
    for more, found in ((0, [half]), (1, [])):
        written = sp.Add(*line[: 2 + count + more], evaluate=False)
        assert written.count_ops() == 400 + more
        assert bounds._roots(written) == found


def test_powers_and_radicals_of_a_difference() -> None:
    nested = sp.sqrt(1 + sp.sqrt(1 + p))
    for expression, q in (
        *((3 * p**2 - 1, 1), (sp.sqrt(p) + p ** R(1, 3), 6), ((1 + p) ** 2, 1), (p ** R(1, 40), 40)),
        *((p ** R(1, 41), None), (sp.sqrt(1 + p), None), (sp.exp(p), None), (p ** sp.sqrt(2), None), (2**p, None)),
    ):
        assert bounds._denominator(expression) == q, expression
    for expression, wanted in (
        (sp.sqrt(1 - p) - p, p**2 + p - 1),
        ((1 - p) ** R(1, 3) - p, p**3 + p - 1),
        ((1 - p) ** R(1, 4) - p, p**4 + p - 1),
        ((1 - p) ** R(1, 5) - p, None),
        (sp.sqrt(p / (1 + p)) - R(1, 3), 8 * p - 1),
        (p**2 - 1, None),
        (sp.exp(sp.sqrt(p)), None),
        (p ** sp.sqrt(2), None),
        (sp.sqrt(1 + p) + sp.sqrt(2 + p) + sp.sqrt(3 + p), None),
        (nested - 1, None),
    ):
        found = bounds._without_radicals(expression)
        if wanted is None:
            assert found is None, expression
        else:
            polynomial = found.as_expr().subs(found.gen, p)
            assert sp.rem(polynomial, wanted, p) == 0, expression
            assert 0 < sp.degree(polynomial, p) <= 2 * sp.degree(wanted, p)


def test_branches_of_extrema_and_cases() -> None:
    """Each prior has its formula, and every formula may be one of the branches."""
    low = sp.Min(2 * p, sp.Max(p**2, R(1, 2), evaluate=False), evaluate=False)
    cases = sp.Piecewise((R(1, 2), p < R(1, 5)), (p**2, (p >= R(1, 4)) & (p <= R(1, 2))), (1, True))
    for h, at, branch in (
        *((low, 0.2, 2 * p), (low, 0.3, R(1, 2)), (low, 0.8, p**2), (1 + low, 0.2, 1 + 2 * p)),
        *((cases, R(1, 10), R(1, 2)), (cases, R(1, 5), 1), (cases, R(1, 4), p**2), (cases, R(1, 2), p**2)),
        (cases, R(3, 4), 1),
    ):
        assert bounds._branch(h, at) == branch, at
    assert set(bounds._leaves(low)) == {2 * p, p**2, R(1, 2)}
    assert bounds._leaves(cases) == [R(1, 2), p**2, 1]
    assert bounds._leaves(1 + low) == [1 + low]
    assert set(bounds._formulas(1 - low)) == {1 - 2 * p, 1 - p**2, R(1, 2)}
    assert set(bounds._formulas(cases + p)) == {R(1, 2) + p, p**2 + p, 1 + p}
    differences = {abs(each.subs(p, R(1, 3))) for each in bounds._differences(low)}
    assert differences == {R(2, 3) - R(1, 9), R(2, 3) - R(1, 2), R(1, 2) - R(1, 9)}
    assert set(bounds._differences(cases)) == {p - R(1, 5), p - R(1, 4), p - R(1, 2)}
    for h, cuts in (
        (low, [R(1, 4), sp.sqrt(2) / 2]),
        (cases, [R(1, 5), R(1, 4), R(1, 2)]),
        (sp.Min(1, sp.exp(p) / 2, evaluate=False), [sp.log(2)]),
        (sp.Min(R(1, 2), p * sp.exp(p), evaluate=False), [sp.LambertW(R(1, 2))]),
        (sp.Max(p**2, 2, evaluate=False), []),
    ):
        found = bounds._cuts(h)
        assert len(found) == len(cuts), h
        assert all(abs(number(a - b)) < 1e-40 for a, b in zip(found, cuts, strict=True)), h
    (crossing,) = bounds._crossings(p * sp.exp(p) - R(1, 2))
    assert abs(number(crossing, 50) - number(sp.LambertW(R(1, 2)), 50)) < 1e-48
    assert bounds._crossings((p - R(1, 2)) ** 2 + 1) == []


def test_candidates_of_a_piece() -> None:
    """h = p + 1/10: F = h (1-p)/((1-h) p) is least at 9/20, where it is (11/9)^2."""
    h, least = p + R(1, 10), R(121, 81)
    piece = bounds.BoundPiece(sp.Integer(0), R(9, 10), h)
    assert piece.odds.subs(p, R(1, 4)) == R(21, 13)
    assert sp.expand(piece.equation.lhs - piece.equation.rhs) == p / 5 - R(9, 100)
    assert bounds._places(piece) == [R(9, 20)]
    one = bounds._stationary(piece, R(9, 20))
    assert one is not None
    assert (one.form, one.at, one.how) == (least, R(9, 20), "stationary")
    assert abs(one.number - number(least)) < 1e-40
    refined = bounds._refined(piece, bounds._on_grid(piece)[1])
    assert refined is not None
    assert abs(refined.number - number(least)) < 1e-40
    assert abs(refined.at - R(9, 20)) < 1e-35
    value, at = bounds._on_grid(piece)
    assert abs(value - number(least)) < 1e-14
    assert abs(at - 0.45) < 1e-6
    part = replace(piece, high=R(2, 5))
    assert (bounds._places(part), bounds._refined(part, mp.mpf("0.3"))) == ([], None)
    value, at = bounds._on_grid(part)
    assert (float(value), float(at)) == pytest.approx((1.5, 0.4), rel=1e-12)
    point = bounds.BoundPiece(R(9, 20), R(9, 20), h)
    assert (bounds._places(point), bounds._refined(point, mp.mpf("0.3"))) == ([], None)
    for low, high, formula, wanted in (
        (0, R(9, 10), h, []),  # infinite at both endpoints
        (0, R(1, 3), 3 * p, [(3, 0)]),
        (0, 1, sp.sqrt(p), [(2, 1)]),
        (R(1, 4), R(1, 2), R(2, 3), [(6, R(1, 4)), (2, R(1, 2))]),
        (R(1, 5), R(1, 5), R(1, 2), [(4, R(1, 5))]),
        (sp.Float("0.25"), R(1, 2), R(2, 3), [(2, R(1, 2))]),
    ):
        found = bounds._limits(bounds.BoundPiece(sp.sympify(low), sp.sympify(high), formula))
        assert [(each.form, each.at) for each in found] == wanted
    at_point = bounds._at(bounds.BoundPiece(mp.mpf("0.25"), mp.mpf("0.25"), R(2, 3)))
    assert at_point is not None
    assert at_point.number == pytest.approx(6)
    assert bounds._at(bounds.BoundPiece(mp.mpf("0.25"), mp.mpf("0.25"), sp.Integer(2))) is None
    logits = [float(bounds._logit(mp.mpf(x))) for x in ("0", "0.25", "0.5", "0.75", "1")]
    assert logits == pytest.approx([-60, -math.log(3), 0, math.log(3), 60])


def test_the_infimum_over_the_priors() -> None:
    """The least candidate, without any bound; the theorem names where it is."""
    stationary = "stationary value of the odds ratio, where p (1-p) h'(p) = h(p) (1 - h(p))"
    for text, form, at, theorem in (
        ("min(1, 3*p)", 3, 0, "limit of the odds ratio at p = 0"),
        ("min(1, p + 1/10)", R(121, 81), R(9, 20), stationary),
        ("piecewise(1/2, p < 1/5, 1)", 4, R(1, 5), "limit of the odds ratio at p = 1/5"),
        ("1", sp.oo, None, "every posterior is allowed"),
    ):
        found = bounds.infimum(canonical_information_privacy(text))
        assert (found.form, found.at, bounds._theorem(found)) == (form, at, theorem), text
    unknown = bounds.Infimum(None, mp.mpf(2), R(1, 3), "equation", sp.Eq(p, 1))
    assert bounds._unsolved(unknown).endswith("at the root of p (1-p) h'(p) = h(p) (1 - h(p)) near p = 0.333333")
    assert bounds._unsolved(replace(unknown, equation=None)).startswith("no limit and no stationary point")


def test_bounds_of_b_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal bounds, bounds up to a relative 10^-6 apart, wider ones, and such that do not contain the infimum 3."""
    bound = parity_bound(canonical_information_privacy("min(1, 3*p)"), fast=True)
    three = bounds.Infimum(sp.Integer(3), mp.mpf(3), sp.Integer(0), "limit")
    monkeypatch.setattr(bounds, "infimum", lambda *_: three)
    for low, high, agrees, why in (
        (3, 3, "equal", ""),
        (3, 3 + F(3, 10**9), "inside", "relative width 1e-9"),
        (3 - F(1, 10**9), 3, "inside", "relative width"),
        (3, 3 + F(29, 10**7), "inside", "relative width"),
        (3, 3 + F(31, 10**7), None, "the proved bounds are too wide"),
        (2, 4, None, "the proved bounds are too wide"),
    ):
        found = bounds.sympy_twin(replace(bound, lower=F(low), upper=F(high)))
        assert (found.value, found.form, found.agrees) == ("3", "3", agrees)
        assert why in found.why
        assert bool(found.why) is bool(why)
    for low, high, text in (
        (4, 5, "SymPy finds B(h) = 3 of "),
        (2, 3 - F(1, 10**9), "which is not in [2, 2.999999999]"),
    ):
        moved = replace(bound, lower=F(low), upper=F(high))
        with pytest.raises(RouteDisagreementError, match=re.escape(text)):
            bounds.sympy_twin(moved)
    monkeypatch.setattr(bounds, "infimum", lambda *_: bounds.Infimum(sp.oo, None, None, "constant"))
    with pytest.raises(RouteDisagreementError, match="another B"):
        bounds.sympy_twin(bound)
    assert bounds.sympy_twin(replace(bound, lower=None, upper=None)).value == "oo"


def test_posteriors_of_breaches() -> None:
    """Warner's device with 5/6 has the parity 5: at the prior p the largest posterior is ``5 p/(1 + 4 p)``."""
    for a, b, prior, g in ((F(1, 2), F(1), F(1, 3), F(2)), (F(3), F(2, 5), F(3, 4), F(7)), (F(3), F(1), F(1, 3), F(7))):
        values = {breaches.a: exact(a), breaches.b: exact(b), p: exact(prior), gamma: exact(g)}
        most = g * prior / (1 - prior + g * prior)
        assert breaches.certificate.xreplace(values) == exact(most - prior * a)
    device = Mechanism(warner(F(5, 6)))
    found = judge(device, rho_to_rho("1/5", "1/2"), fast=True)
    assert found.breach is not None
    prior = found.breach.prior.rational
    assert isinstance(prior, F)
    most = 5 * prior / (1 + 4 * prior)
    twin, posing = found.sympy_twin(), found.to_sympy()
    assert (twin.value, twin.agrees) == (str(most), "equal")
    assert sp.sympify(twin.form, {"gamma": sp.Integer(5), "p": exact(prior)}) == exact(most)
    assert posing.form.at() == exact(most)
    other = F(1, 1 + 4 * prior)  # b, with p a + (1-p) b = 1 and a = 5 b
    for extra, failed in ((F(0), 0), (F(1, 9), 2)):
        checked = posing.check({breaches.a: 5 * other + extra, breaches.b: other})
        assert (checked.value, len(checked.failed)) == (exact(prior * (5 * other + extra)), failed)
    for moved in (most + F(1, 10**9), most - F(1, 10**9)):
        wrong = replace(found, breach=replace(found.breach, posterior=Algebraic.of(moved)))
        with pytest.raises(RouteDisagreementError, match="another posterior of the breach"):
            wrong.sympy_twin()
    everything = canonical_information_privacy("1")
    for top, bottom, text in (
        (99_999_999_999, 100_000_000_003, "99999999999/100000000003"),  # 24 characters
        (100_000_000_001, 100_000_000_003, "0.999999999980"),
    ):
        free = judge(Mechanism(warner(F(top, bottom))), everything, fast=True)
        assert free.breach is None
        assert (free.sympy_twin().value, free.to_sympy().form.at()) == (text, R(top, bottom))
    with pytest.raises(RouteDisagreementError, match="the largest ratio"):
        replace(free, parity=free.parity + 1).sympy_twin()
    certain = judge(Mechanism([[1, 0], [0, 1]]), everything, fast=True)
    assert certain.to_sympy().form.at() == 1


# designs


def test_pieces_for_every_level() -> None:
    """0-1 loss at 1/2, 1/3, 1/6: the m largest proportions are reported, from gamma = 3/2 two, from 4 three."""
    found = rropt.every_level(
        Problem.kary(level=rropt.privacy.span(), objective="loss:zero-one", population=POPULATION), fast=True
    )
    formula = every_level.to_sympy(found)
    for level in map(F, ("1", "5/4", "3/2", "2", "4", "5", "100")):
        least = 1 - max(sum(POPULATION[:m]) * level / (level + m - 1) for m in (1, 2, 3))
        assert formula.subs(gamma, exact(level)) == exact(least)
    twin = found.sympy_twin()
    assert (twin.value, twin.agrees, twin.form) == ("3 formulas", "equal", str(formula))
    first, second, third = found.pieces

    def line(a: Any, b: Any = 0) -> LevelFormula:
        return LevelFormula(F(a), F(b), F(2))

    def other(told: LevelFormula, rare: LevelFormula, value: LevelFormula) -> Any:
        rows = tuple(tuple(told if i == j else rare for j in range(3)) for i in range(3))
        return SimpleNamespace(problem=found.problem, pieces=(replace(third, mechanism=rows, value=value),))

    every_level.require_definitions(other(line(0, 1), line(1), line(2)))
    for told, rare, value in (
        (line(0, 1), line(1), line(F(5, 2))),  # another value
        (line(0, 1), line(1), line(2, F(1, 5))),
        (line(2, 1), line(0), line(0)),  # the truth, which is not private
        (line(F(1, 2), 1), line(F(3, 4)), line(F(3, 2))),
        (line(-F(1, 2), 1), line(F(5, 4)), line(F(5, 2))),  # a negative coefficient
        (line(0, 1), line(F(3, 2)), line(3)),  # columns that sum to more than 1
    ):
        with pytest.raises(RouteDisagreementError, match="is not of its definition"):
            every_level.require_definitions(other(told, rare, value))
    for place in ((F(2), F(0), 1), (F(1), F(1), 2)):
        moved = SimpleNamespace(problem=found.problem, pieces=(replace(first, place=place), second, third))
        with pytest.raises(RouteDisagreementError, match="two formulas of"):
            every_level.require_definitions(moved)
    assert place_of((F(2), F(3), 5)) == 2 + 3 * sp.sqrt(5)
    assert value_of(LevelFormula(F(1), F(2), F(3))).subs(gamma, 5) == R(11, 8)


@pytest.mark.slow
def test_designs_over_an_interval_of_prevalences() -> None:
    """The worst case and the regret of each design by the definition; the optimum at a prevalence is at a vertex."""
    r, s, low, high = (
        prevalence_intervals.r,
        prevalence_intervals.s,
        prevalence_intervals.low,
        prevalence_intervals.high,
    )
    assert prevalence_intervals._point(Mechanism.binary("3/4", "2/3")) == (R(3, 5), R(4, 5))
    for prevalence in (F(0), F(1, 7), F(1)):
        given = {r: R(3, 5), s: R(4, 5), pi: exact(prevalence)}
        rows = [[F(3, 4), F(1, 3)], [F(1, 4), F(2, 3)]]
        assert prevalence_intervals.variance.xreplace(given) == exact(binary_variance(rows, prevalence))
    for x, y, begin, end in ((F(1, 2), F(1), F(0), F(1, 2)), (F(1, 2), F(1), F(0), F(1)), (F(1), F(0), F(1, 5), F(1))):
        grid = [begin + (end - begin) * F(n, 60) for n in range(61)]
        worst = max(grid, key=lambda q: (x + q) * (y + 1 - q))
        given = {r: exact(x), s: exact(y), low: exact(begin), high: exact(end)}
        assert prevalence_intervals.at.xreplace(given) == exact(worst)
    numbers = {gamma: sp.Integer(2), delta: R(1, 2)}
    vertices = prevalence_intervals.vertices
    found = {
        name: tuple(x.subs(numbers) for x in point) for name, point in vertices(2, R(1, 2), is_warner=False).items()
    }
    assert found == {"diagonal": (R(1, 4), R(1, 4)), "corner_p00": (0, 1), "corner_p11": (1, 0)}
    assert set(vertices(2, R(1, 2), is_warner=True)) == set(vertices(2, 0, is_warner=False)) == {"diagonal"}
    assert set(vertices(2, 1, is_warner=False)) == {"diagonal"}
    assert set(vertices(1, R(1, 2), is_warner=False)) == {"corner_p00", "corner_p11"}

    solution = solve_over_interval(PrivacyRegion("log(2)", "1/2"), "0..3/4", fast=True)
    best = [warner(F(5, 6)), [[F(1), F(1, 2)], [F(0), F(1, 2)]], [[F(1, 2), F(0)], [F(1, 2), F(1)]]]
    for p00, p11 in ((F(5, 6), F(5, 6)), (F(1), F(1, 2)), (F(1, 2), F(1)), (F(9, 10), F(7, 10))):
        rows = [[p00, 1 - p11], [1 - p00, p11]]
        regret = max(
            binary_variance(rows, end) - min(binary_variance(each, end) for each in best) for end in (F(0), F(3, 4))
        )
        assert prevalence_intervals._regret(solution, Mechanism(rows)) == (exact(regret), exact(regret))
    twin = prevalence_intervals.sympy_twin(solution)
    assert (twin.value, twin.agrees) == ("9/16, regret 1/4", "equal")


def test_budgets_of_questions() -> None:
    """Minus the slope in u = log x is ``x (x+1)/(x-1)^3``; equal questions have the m-th root of gamma each."""
    for x in (2.0, 5.0):
        step = 1e-5
        h = [v / (v - 1) ** 2 for v in (x * math.exp(step), x * math.exp(-step))]
        assert float(bits.slope.subs(bits.x, x)) == pytest.approx((h[1] - h[0]) / (2 * step), rel=1e-7)
    assert sp.solve(bits.stationary.subs({bits.x: 3}), bits.multiplier) == [bits.weight * R(3, 2)]
    posing = design_bits("log(8)", prevalences=["1/2", "1/4", 0], fast=True).to_sympy()
    assert posing.form.at() == 3 * 2 + R(1, 4) + R(3, 16)
    assert posing.check(dict(zip(posing.variables, (2, 2, 2), strict=True))).value == posing.form.at()
    assert posing.check(dict(zip(posing.variables, (4, 2, 1), strict=True))).failed
    joint = design_bits("log(9)", questions=2, objective="joint", fast=True).to_sympy()
    assert joint.form.at() == R(10, 4) ** 2 - R(1, 4)
    weighted = design_bits("log(8)", weights=[1, 0, 2], fast=True)
    odds = [F(x) for x, w in zip(weighted.parities, (1, 0, 2), strict=True) if w]
    value = sum(w * (F(1, 4) + x / (x - 1) ** 2) for w, x in zip((1, 2), odds, strict=True))
    posing = weighted.to_sympy()
    assert (posing.form, str(posing.variables)) == (None, "(x_0, x_2)")
    assert posing.check(dict(zip(posing.variables, odds, strict=True))).value == exact(value)


def test_thresholds_of_a_range_of_numbers() -> None:
    """The mechanism of the first form in numbers, at gamma = 2: it is unbiased, and each number has the variance."""
    _t = mean_designs._t
    assert mean_designs._integral(_t**3, 3 * _t**2, sp.Integer(1), sp.Integer(3)) == 26
    with pytest.raises(AssertionError, match="is no antiderivative"):
        mean_designs._integral(_t**3, _t**2, sp.Integer(1), sp.Integer(3))
    value, n = 3 / math.tanh(1 / 3) - 1, 1 / math.sinh(1 / 3) ** 2
    assert float(mean_designs.first_form().subs(gamma, 2)) == pytest.approx(value)
    thresholds = (np.arange(4000) + 0.5) / 2000 - 1
    distance = np.sqrt(thresholds**2 + n)
    mass = 3 / (2 * distance) / 2000
    for x in (0.0, 0.5, -1.0):
        above = np.where(x > thresholds, 2 / 3, 1 / 3)
        means = [
            (mass * (above * (thresholds + distance) ** e + (1 - above) * (thresholds - distance) ** e)).sum()
            for e in (0, 1, 2)
        ]
        assert means == pytest.approx([1, x, value + x * x], abs=1e-6)


def test_exchanges_of_respondents() -> None:
    """Neyman's sizes for the spreads 1, 4, 9 and six respondents are 1, 2, 3; a full stratum takes no one more."""
    some = plan_strata("warner:3/4", ["1/2", "1/3", "1/6"], ["1/10", "1/2", "1/3"], n=60, fast=True)

    def plan(spreads: list[int], sizes: list[int], **more: Any) -> Any:
        value = sum((F(a) / n for a, n in zip(spreads, sizes, strict=True)), -more.get("correction", F(0)))
        return replace(some, spreads=tuple(map(F, spreads)), sizes=tuple(sizes), variance=value, **more)

    whole = plan([1, 4, 9], [1, 2, 3])
    form = group_plans.to_sympy(whole).form
    assert form is not None
    assert (form.at(), list(form.mechanism_at())) == (6, [1, 2, 3])
    assert (form.at(N=12), list(form.mechanism_at(N=12))) == (3, [2, 4, 6])
    for given, is_written in ((whole, True), (plan([1] * 4, [1] * 4), True), (plan([1] * 5, [1] * 5), False)):
        assert (group_plans.sympy_twin(given).form is not None) is is_written
    finite = {"populations": (1, 3), "correction": F(1, 10)}
    for spreads, sizes, more in (([1, 1], [1, 2], {}), ([1, 1], [1, 3], finite), ([2, 1], [1, 1], {})):
        assert group_plans.sympy_twin(plan(spreads, sizes, **more)).agrees == "equal"
    limited = group_plans.to_sympy(plan([1, 1], [1, 3], **finite))
    assert limited.form is not None
    assert limited.form.at() == 1 - R(1, 10)
    assert limited.check(dict(zip(limited.variables, (2, 2), strict=True))).failed
    for spreads, sizes, more in (([1, 1], [1, 3], {}), ([1, 1], [1, 3], finite | {"populations": (2, 3)})):
        with pytest.raises(RouteDisagreementError, match="an exchange of one respondent"):
            group_plans.sympy_twin(plan(spreads, sizes, **more))
    with pytest.raises(RouteDisagreementError, match="another variance of the allocation: 6"):
        group_plans.sympy_twin(replace(whole, variance=F(7)))


# orders


def test_kernels_between_devices_of_warner() -> None:
    """The kernel from 3/4 to 2/3 is Warner's with 5/6, since 2 (3/4) - 1 = 1/2 becomes 1/3; back it has -1/4."""
    found = rropt.compare("warner:3/4", "warner:2/3", fast=True)
    assert [garblings.smallest_entry(each) for each in (found.forward, found.backward)] == [F(1, 6), -F(1, 4)]
    twin = garblings.sympy_twin(found)
    assert (twin.value, twin.form) == ("better", "A*P**(-1)")
    posing = garblings.to_sympy(found)
    assert posing.form is not None
    assert posing.form.mechanism == sp.ImmutableMatrix([[R(5, 6), R(1, 6)], [R(1, 6), R(5, 6)]])
    for rows, failed in ((warner(F(5, 6)), 0), (warner(F(1)), 4), ([[F(5, 6), F(1, 6)], [F(1, 3), F(5, 6)]], 3)):
        assert len(posing.check(rows).failed) == failed
    swapped = rropt.compare("warner:3/4", Mechanism(warner(F(1, 4))), fast=True)  # the kernel exchanges the outputs
    assert garblings.smallest_entry(swapped.forward) == 0
    assert garblings.sympy_twin(swapped).form == "A*P**(-1)"
    for part in (found.forward, swapped.backward):
        with pytest.raises(RouteDisagreementError, match="C P is not A"):
            garblings.verified(replace(part, kernel=Mechanism(warner(F(2, 3)))))
    x, q = sp.symbols("x q", positive=True)
    kernel = garblings.kernel(sp.Matrix([[x, 1 - x], [1 - x, x]]), sp.Matrix([[q, 1 - q], [1 - q, q]]))
    assert (
        sp.simplify(kernel[0, 0] - (q + x - 1) / (2 * q - 1)) == sp.simplify(kernel[0, 1] - (q - x) / (2 * q - 1)) == 0
    )
    assert len(garblings.region(kernel)) == 2
    entry = sp.Symbol("entry")
    wanted = {sp.true, entry >= 0, 1 - entry >= 0}
    assert set(garblings.region(sp.Matrix([[1, 0, entry], [0, 1, 1 - entry]]))) == wanted


def test_layers_of_a_row() -> None:
    """The row is the sum of its layers; one layer is an extreme ray."""
    for values, level in (([1, 2, 3], 3), ([1, 2, 3], 4), ([2, 3], 2), ([1, 5, 6, 10], 12)):
        found = admissibility.layers([sp.Integer(v) for v in values])
        constant, steps = found.constant.subs(gamma, level), [c.subs(gamma, level) for c in found.steps]
        assert constant == R(level * values[0] - values[-1], level - 1)
        for place, value in enumerate(values):
            assert constant + sum(c * (level if place > i else 1) for i, c in enumerate(steps)) == value
    for device, level, told in (("warner:2/3", "log(2)", "admissible"), ("warner:2/3", "log(3)", "not admissible")):
        answer = admissible(named_mechanism(device), level, fast=True)
        assert admissibility.sympy_twin(answer).value == told
        posing = admissibility.to_sympy(answer)
        assert posing.form is not None
        assert posing.form.at() == (0 if answer.admissible else R(1, 6))
        assert posing.check(dict(zip(posing.variables, posing.form.mechanism_at(), strict=True))).failed == ()


# objectives


def test_divergences_at_a_design() -> None:
    """Each by its formula in floats; the design of the total variation outputs the sign of pi - q."""
    against, rows = [F(1, 6), F(1, 3), F(1, 2)], [[F(1, 2), F(1, 4), F(1, 4)], [F(1, 2), F(3, 4), F(3, 4)]]
    a, b = ([float(sum(x * y for x, y in zip(row, q, strict=True))) for row in rows] for q in (POPULATION, against))
    pairs = list(zip(a, b, strict=True))
    formulas = {
        "total-variation": sum(abs(x - y) for x, y in pairs) / 2,
        "chi-square": sum((x - y) ** 2 / y for x, y in pairs),
        "hellinger": 1 - sum(math.sqrt(x * y) for x, y in pairs),
        "kullback-leibler": sum(x * math.log(x / y) for x, y in pairs),
        "jensen-shannon": sum(x * math.log(2 * x / (x + y)) / 2 + y * math.log(2 * y / (x + y)) / 2 for x, y in pairs),
        "alpha-divergence": (sum(x**3 / y**2 for x, y in pairs) - 1) / 6,
    }
    for name, value in formulas.items():
        more = {"order": 3} if name == "alpha-divergence" else {}
        problem = Problem.kary(
            epsilon="log(3)", objective=rropt.objectives.OBJECTIVES[name](against, **more), population=POPULATION
        )
        assert float(problem.to_sympy().check(rows).value) == pytest.approx(value, rel=1e-12), name
    posing = Problem.kary(
        epsilon="log(3)", objective=rropt.objectives.TotalVariation(against), population=POPULATION
    ).to_sympy()
    sign = [[R(3, 4), R(1, 4), R(1, 4)], [R(1, 4), R(3, 4), R(3, 4)]]
    assert posing.check(posing.form.mechanism_at().tolist()).value == R(1, 6)
    assert posing.form.at() == posing.check(sign).value == R(1, 6)


def test_two_categories_are_best_given_by_warner() -> None:
    """Every private mechanism of two inputs is a garbling of Warner's, so its value is the form at all levels."""
    population, against = [F(1, 3), F(2, 3)], [F(3, 5), F(2, 5)]
    for name, objective in (
        ("mutual-information", "mutual-information"),
        ("chi-square", rropt.objectives.ChiSquare(against)),
    ):
        form = Problem.kary(epsilon="log(3)", objective=objective, population=population).to_sympy().form
        # the two rows of Warner are the only ones: no condition is left
        assert form.where == "(gamma > 1) & (pi_0 > 0) & (pi_0 < 1)"
        for level in (F(3), F(7)):
            rows = warner(level / (level + 1))
            a, b = (
                [float(sum(x * y for x, y in zip(row, q, strict=True))) for row in rows] for q in (population, against)
            )
            value = {
                "mutual-information": sum(
                    float(q * x) * math.log(x / mean)
                    for row, mean in zip(rows, a, strict=True)
                    for q, x in zip(population, row, strict=True)
                ),
                "chi-square": sum((x - y) ** 2 / y for x, y in zip(a, b, strict=True)),
            }[name]
            assert float(form.at(gamma=level)) == pytest.approx(value, rel=1e-12), name
            assert form.mechanism_at(gamma=level) in (sp.ImmutableMatrix(rows), sp.ImmutableMatrix(rows[::-1]))


@pytest.mark.slow
def test_the_ends_are_the_nearest_roots(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Products of factors whose roots are known, some of them equal, or closer than intervals of 200 bits can tell."""
    near = 0
    for _ in range(size(60, 2000)):
        at = R(rng.randint(5, 40), rng.choice([2, 3, 4]))
        tiny = sp.Rational(1, 10 ** rng.choice([1, 30, 70, 90]))
        near += bool(tiny < sp.Rational(1, 10**60))
        odd: set[sp.Expr] = set()  # the roots where a sign changes
        conditions, field = [], fields.Field({gamma: at})
        for _ in range(rng.randint(0, 4)):
            product_, own = sp.Integer(1), dict[sp.Expr, int]()
            for _ in range(rng.randint(1, 3)):
                power = rng.choice([1, 1, 2, 3, -1])
                root = rng.choice([R(rng.randint(0, 30), 2), at + tiny, at - tiny, at + 2 * tiny])
                square = rng.randint(2, 200)
                kind = rng.choice(["rational", "rational", "square root", "none"])
                if kind == "rational" and root != at:
                    product_, own[root] = product_ * (gamma - root) ** power, own.get(root, 0) + power
                elif kind == "square root" and sp.sqrt(square) != at:
                    root = sp.sqrt(square)
                    product_, own[root] = product_ * (gamma**2 - square) ** power, own.get(root, 0) + power
                else:
                    product_ *= (gamma**2 + square) ** power
            odd |= {root for root, power in own.items() if power % 2}
            element = field(product_)
            conditions.append(element * field.sign(element))
        low = max([sp.Integer(1), *(root for root in odd if 1 < root < at)])
        high = min([sp.oo, *(root for root in odd if root > at)])
        assert fields.ends(field, conditions) == (low, high)
        assert fields.ends(field, [*conditions, field(gamma - at)]) == (at, high)  # the level itself is an end
    assert near > 5


@pytest.mark.slow
def test_the_roots_of_a_polynomial_are_those_of_sympy(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """In its order, each in its interval; with none, one, and two that differ by 10^-9."""
    found = [sp.Poly(gamma**2 + 1, gamma), sp.Poly(7 * gamma - 3, gamma), sp.Poly(gamma**4 - (10**9 * gamma - 1) ** 2)]
    while len(found) < size(40, 1000):
        drawn = [sp.Rational(rng.randint(-9, 9), rng.randint(1, 5)) for _ in range(rng.randint(2, 8))]
        found += [sp.Poly(factor, gamma) for factor, _ in sp.factor_list(sp.Poly(drawn, gamma).as_expr(), gamma)[1]]
    for polynomial in found:
        roots = fields._roots(polynomial)
        exact = polynomial.real_roots(radicals=polynomial.degree() <= 2)
        assert [root.exact() for root in roots] == exact
        for root, number in zip(roots, exact, strict=True):
            assert abs(sp.N(number, 40) - sp.Float(str(float(root.ball.mid())), 40)) < 1e-9 * (1 + abs(number))
            assert float(root.ball.rad()) < 1e-40


def test_roots_that_are_counted_otherwise_are_no_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interval that is lost would give the exact root of another place."""
    polynomial = sp.Poly(gamma**3 - 3 * gamma + 1, gamma)
    monkeypatch.setattr(fields.sp.Poly, "real_roots", lambda *_, **__: [sp.Integer(1)])
    with pytest.raises(RouteDisagreementError, match=r"1 exact real root of .*, and 3 intervals around roots"):
        fields._roots(polynomial)[0].exact()


def test_the_ends_of_an_interval() -> None:
    """Sign changes around a level, poles included; even powers change no sign."""
    for at, ends in (
        *((R(3, 2), (1, 2)), (R(5, 2), (2, 2 * sp.sqrt(2))), (R(4), (2 * sp.sqrt(2), 5)), (R(6), (5, sp.oo))),
    ):
        field = fields.Field({gamma: at})
        conditions = [field(x) for x in (gamma - 2, 1 / (gamma - 5), (gamma - 3) ** 2, (gamma**2 - 8) ** 3)]
        assert fields.ends(field, [each * field.sign(each) for each in conditions]) == ends
    both = fields.Field({gamma: R(3), delta: R(1, 10)})  # delta keeps its value; at the level the first element is 0
    conditions = [both(x) for x in (gamma - 3, 5 - gamma - 10 * delta, 1 / (gamma - 1), (gamma - 3) ** 2)]
    assert fields.ends(both, conditions) == (3, 4)
    assert fields.interval(both, [both(1 / (gamma - 2))]) == (gamma > 2)
    assert fields.ends(both, [both(-((gamma - 3) ** 3))]) == (1, 3)
    assert fields.ends(both, [both(-((gamma - 3) ** 2))]) == (3, 3)
    assert fields.ends(both, [both((gamma - 3) * (10 * delta - 1))]) == (1, sp.oo)
    irrational = fields.Field({gamma: R(3), delta: 1 / sp.E})
    assert fields.ends(irrational, [irrational(gamma - 2 - delta)]) == (3, 3)
    assert irrational.sign(irrational(gamma - 3 + delta**2)) == irrational.sign(irrational(1 - 2 * delta)) == 1
    assert interval(None, None) == (gamma > 1)
    assert interval(sp.Integer(2), None) == (gamma >= 2)
    assert interval(None, sp.Integer(2)) == sp.And(gamma > 1, gamma <= 2)


def _elements(field: fields.Field, rng: random.Random, count: int) -> list[Any]:
    """Draw quotients of polynomials of degree 2; some are 0."""

    def polynomial() -> Any:
        return sum((field(rng.randint(-4, 4)) * field.gamma**power for power in range(3)), field.zero)

    return [polynomial() / (polynomial() or field.one) for _ in range(count)]


@pytest.mark.parametrize("size", [1, 2, 3, pytest.param(4, marks=pytest.mark.slow)])
def test_sums_and_inverses_in_one_symbol_are_those_of_sympy(size: int) -> None:
    """FLINT computes them; elements are in lowest terms, so that equal ones have equal parts."""
    field, rng = fields.Field({gamma: R(3)}), random.Random(size)
    for _ in range(10):
        one, other = (_elements(field, rng, size) for _ in range(2))
        wanted = sum((a * b for a, b in zip(one, other, strict=True)), field.zero)
        found = field.summed(zip(one, other, strict=True))
        assert (found.numer, found.denom) == (wanted.numer, wanted.denom)
        rows = [_elements(field, rng, size) for _ in range(size)]
        rows[0][0] = field.zero if size > 1 else rows[0][0]  # the first pivot is in another row
        if not field.matrix(rows).det():
            with pytest.raises(fields.NoVertexError):
                field.inverse(rows)
            continue
        parts = [[(x.numer, x.denom) for x in row] for row in field.inverse(rows)]
        assert parts == [[(x.numer, x.denom) for x in row] for row in field.matrix(rows).inv().to_list()]


def test_a_singular_matrix_in_one_symbol_has_no_inverse() -> None:
    field = fields.Field({gamma: R(3)})
    with pytest.raises(fields.NoVertexError):
        field.inverse([[field.gamma, field.one], [field.gamma**2, field.gamma]])


def test_where_a_logarithm_is_large_enough_is_proved() -> None:
    """``2 ln gamma >= 2/5 (gamma + 1)`` between two roots, which no rational number is; the ends are inside them."""
    field = fields.Field({gamma: R(3)})
    condition = sums.logarithm(field, field(gamma)).times(2) - sums.plain(field(R(2, 5) * (gamma + 1)))
    low, high = extents.extent(field, [condition], sp.Integer(1), sp.oo)
    with mp.workdps(50):
        roots = [mp.findroot(lambda x: 2 * mp.log(x) - mp.mpf(2) / 5 * (x + 1), start) for start in (2, 9)]
        assert 0 < number(low) - roots[0] < 1e-18
        assert 0 < roots[1] - number(high) < 1e-18
    assert extents.extent(field, [sums.logarithm(field, field(gamma))], sp.Integer(2), sp.Integer(5)) == (2, 5)


def test_an_interval_ends_before_a_pole_and_near_one() -> None:
    """Above 5 the first condition is negative; the denominator of the second one is nearly 0 near gamma = 1."""
    field = fields.Field({gamma: R(3)})
    conditions = [
        sums.logarithm(field, field(gamma)),
        sums.logarithm(field, field(gamma)) - sums.plain(field(1 / (gamma - 5))),
    ]
    low, high = extents.extent(field, conditions, sp.Integer(1), sp.oo)
    assert low == extents.NEAREST
    assert 0 < 5 - high < R(1, 10**18)
    both = fields.Field({gamma: sp.exp(R(87, 52)), delta: sp.exp(-17)})
    for at in (R(9, 8), R(51, 50), R(1001, 1000)):
        price = sums.plain(both((gamma - at) / (gamma**2 - 1)))
        low, high = extents.extent(both, [price], sp.Integer(1), sp.oo)
        assert 0 <= low - max(at, extents.NEAREST) < R(1, 10**18)
        assert high == extents.FARTHEST


def test_information_and_variance_of_subsets() -> None:
    """By the outputs of the mechanism in floats, every size; the best size at each level, and levels of equal ones."""
    for k, d, g in ((4, 1, 3.0), (5, 2, 2.0)):
        chosen = list(combinations(range(k), d))
        rows = np.array([[g if j in one else 1.0 for j in range(k)] for one in chosen])
        rows *= k / (math.comb(k, d) * (d * g + k - d))
        assert rows.sum(axis=0) == pytest.approx(np.ones(k))
        means = rows.sum(axis=1) / k
        covariance = np.linalg.inv((rows.T / means) @ rows) - 1 / k**2
        unit = np.array([1, -1] + [0] * (k - 2)) / math.sqrt(2)
        assert float(a_c_contrasts.contrast_variance(k, d).subs(gamma, g)) == pytest.approx(unit @ covariance @ unit)
        information = (rows * np.log(rows / means[:, None])).sum() / k
        assert float(mutual_information.by_subsets(k, d).subs(gamma, g)) == pytest.approx(information)
        level = a_c_contrasts.edge(k, d)
        if level != 1:
            gap = a_c_contrasts.contrast_variance(k, d) - a_c_contrasts.contrast_variance(k, d + 1)
            assert abs(number(gap.subs(gamma, level))) < 1e-30
            assert gap.subs(gamma, level + R(1, 100)).evalf() < 0
    for k, d, is_level in ((5, 0, 0), (5, 2, 0), (5, 4, 0), (4, 1, 1), (4, 2, 0), (3, 1, 0)):
        level = mutual_information._edge(k, d)
        assert (level is not None) == bool(is_level), (k, d)
        if level is not None:
            gain = mutual_information.by_subsets(k, d) - mutual_information.by_subsets(k, d + 1)
            assert abs(gain.subs(gamma, level).evalf(30)) < 1e-30
            assert gain.subs(gamma, level * 2).evalf() > 0 > gain.subs(gamma, (1 + level) / 2).evalf()
    for k, g in ((3, 100), (20, 3)):

        def told(d: int, k: int = k, g: int = g) -> float:
            size = d * g + k - d
            return d * g * math.log(g) / size + math.log(k / size)

        form = Problem.kary(k, epsilon=f"log({g})", objective="mutual-information").to_sympy().form
        best = max(range(1, k), key=told)
        assert k <= 5 or f"a set of {best} of {k}" in form.theorem
        assert float(form.at()) == pytest.approx(told(best))


def test_subsets_of_the_best_size() -> None:
    """A form has all of at most 300 rows, else the first; the size is nearest to k/(gamma + 1) in variance."""
    for k, g, rows in ((5, 2, 10), (12, 2, 1), (301, 400, 0)):
        problem = Problem.kary(k, epsilon=f"log({g})", objective="e-optimal")
        found = a_c_contrasts.subsets(problem)
        assert found is not None
        size, value, parts = found
        values = {d: F((k - 1) * (d * g + k - d) ** 2, k * d * (k - d) * (g - 1) ** 2) for d in range(1, k)}
        assert value.subs(gamma, g) == exact(min(values.values()))
        assert values[size] == min(values.values())
        assert f"the outputs are sets of {size} of {k}" in parts["theorem"]
        assert ("of its rows the first is given" in parts["theorem"]) is (math.comb(k, size) > 300 and k <= 300)
        assert (0 if parts["mechanism"] is None else parts["mechanism"].rows) == rows
        if rows > 1:
            assert all(sum(parts["mechanism"][:, j]).subs(gamma, g) == 1 for j in range(k))
    low, high = (a_c_contrasts.edge(6, d) for d in (2, 1))
    domain = a_c_contrasts.subsets(Problem.kary(6, epsilon="log(2)", objective="e-optimal"))[2]["domain"]  # type: ignore[index]
    assert domain == sp.And(gamma >= low, gamma <= high)
    largest = a_c_contrasts.subsets(Problem.kary(3, epsilon="log(9)", objective="e-optimal"))
    assert largest is not None
    assert largest[2]["domain"] == (gamma > 1)


@pytest.mark.slow
def test_variances_of_a_prevalence() -> None:
    """The best vertex of the region at small, middle and large prevalences, and the design in its definition."""
    for prevalence, family in ((F(1, 10), "all"), (F(1, 2), "all"), (F(9, 10), "all"), (F(1, 10), "warner")):
        vertices = [warner(F(5, 6)), [[F(1), F(1, 2)], [F(0), F(1, 2)]], [[F(1, 2), F(0)], [F(1, 2), F(1)]]]
        least = min(binary_variance(each, prevalence) for each in vertices[: 1 if family == "warner" else 3])
        posing = Problem.binary(prevalence, epsilon="log(2)", delta="1/2", symmetric=family == "warner").to_sympy()
        assert posing.form.at() == exact(least)
        checked = posing.check(posing.form.mechanism_at().tolist())
        assert (checked.value, checked.failed) == (exact(least), ())
    threshold = estimator_variance._ratio(closed_forms.threshold(gamma, delta))  # here (1/4) (9/4)/(3/2)^2
    assert threshold.subs({gamma: 2, delta: R(1, 4)}) == R(1, 4)
    for prevalence, point in (
        ("1/5", "best (Holohan, Leith and Mason 2016): p00 = 1 and"),
        ("1/4", "2016): p00 = gamma"),
        ("4/5", "2016): p11 = 1 and"),
    ):
        form = Problem.binary(prevalence, epsilon="log(2)", delta="1/4").to_sympy().form
        assert point in form.theorem
        assert form.at(pi=prevalence) == form.at()
        with pytest.raises(InvalidParameterError, match="outside the domain"):
            form.at(pi="1/8" if prevalence == "1/4" else "1/2")
    rows = [tuple(x.subs(gamma, 3) for x in row) for row in estimator_variance.four_rows(R(1, 5))]
    assert rows == [(R(1, 5), 0), (R(3, 5), R(1, 5)), (R(1, 5), R(3, 5)), (0, R(1, 5))]
    numbers = {gamma: sp.Integer(3), delta: R(1, 5)}
    merged = [tuple(sp.sympify(x).xreplace(numbers) for x in row) for row in estimator_variance._merged((1, 3))]
    assert merged == [(R(1, 5), 0), (R(3, 5), R(2, 5)), (R(1, 5), R(3, 5))]
    assert estimator_variance._information((R(1, 4), R(3, 4)), R(1, 2)) == R(1, 2)
    assert estimator_variance._information((0, 0), sp.Integer(0)) == 0


def test_the_derivation_of_the_binary_design(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its points are in the definition of n Var, and at the threshold a corner and the diagonal point tie.

    Its identities are tested at rational points: to simplify them takes most of the time of the derivation.
    """
    with pytest.raises(ArithmeticError, match="fails at: example; left over 1"):
        estimator_variance._require_zero(sp.Integer(1), "example")

    def is_zero(expression: Any, what: str) -> None:
        names = sorted(expression.free_symbols, key=str)
        for first in (F(3, 7), F(5, 3)):
            if expression.subs({name: exact(first + F(n, 11)) for n, name in enumerate(names)}) != 0:
                raise ArithmeticError(what)

    monkeypatch.setattr(estimator_variance, "_require_zero", is_zero)
    found = estimator_variance.derive()
    gamma_, delta_, pi_ = estimator_variance._gamma, estimator_variance._delta, estimator_variance._pi
    g, d, share = F(2), F(1, 4), F(1, 5)
    given = {gamma_: exact(g), delta_: exact(d), pi_: exact(share)}
    a = (g + d) / (g + 1)
    corners = {"corner_p00": [[F(1), 1 - d], [F(0), d]], "corner_p11": [[d, F(0)], [1 - d, F(1)]]}
    assert found["diagonal_probability"].subs(given) == exact(a)
    assert found["diagonal_variance"].subs(given) == exact(binary_variance(warner(a), share))
    for name, rows in corners.items():
        assert found[f"{name}_variance"].subs(given) == exact(binary_variance(rows, share))
    at = found["threshold"].subs(given)
    assert at == R(1, 4)
    assert binary_variance(warner(a), F(1, 4)) == binary_variance(corners["corner_p00"], F(1, 4))
    with pytest.raises(ArithmeticError, match="slope in"):
        estimator_variance._require_monotone(2 * estimator_variance.variance(*sp.symbols("a b", real=True), pi_))


def test_numbers_of_an_unbiased_report() -> None:
    """Values z of the outputs by hand: of 3/4 for 1 and 3; of three outputs, with z = 0 at the free one."""
    for x, rows, value in (
        ((1, 3), [["3/4", "1/4"], ["1/4", "3/4"]], 3),
        ((0, 2), [["1/2", "1/4"], ["1/4", "1/2"], ["1/4", "1/4"]], 12),
        ((0, 1), [["1/2", "1/2"], ["1/2", "1/2"]], None),
    ):
        P = symbols.matrix(len(rows), 2)
        goal = conditional_variance.pose(SimpleNamespace(contrast=x), P, [R(1, 2)] * 2)
        point = {symbol: R(number) for symbol, number in zip(P, chain.from_iterable(rows), strict=True)}
        assert goal.completed is not None
        point |= goal.completed(point)
        assert goal.completed(point) == {}
        assert all(holds(each.xreplace(point)) for each in goal.relations) is (value is not None)
        if value is not None:
            assert goal.value.xreplace(point).doit() == value
    form = Problem.kary(2, epsilon="log(3)", objective=rropt.objectives.ConditionalVariance([1, 3])).to_sympy().form
    assert (form.at(), form.at(gamma=2)) == (3, 8)


@pytest.mark.slow
def test_the_largest_weighted_trace() -> None:
    """The best number m of reported categories, ``W gamma/(gamma + m - 1)``, and with delta the truth beside it."""
    for level, slack in ((F(5, 4), F(0)), (F(2), F(1, 10)), (F(3), F(0)), (F(6), F(1, 10))):
        posing = Problem.kary(
            3, epsilon=f"log({level})", delta=slack, objective=rropt.objectives.Trace([3, 1, 2])
        ).to_sympy()
        inner = max(sum((3, 2, 1)[:m]) * level / (level + m - 1) for m in (1, 2, 3))
        assert posing.form.at() == exact(6 * slack + (1 - slack) * inner)
        checked = posing.check(posing.form.mechanism_at().tolist())
        assert (checked.value, checked.failed) == (posing.form.at(), ())
    low, high = R(3, 2), sp.Integer(4)
    form = Problem.kary(3, epsilon="log(2)", objective=rropt.objectives.Trace([3, 1, 2])).to_sympy().form
    assert form.domain == sp.And(gamma >= low, gamma <= high)
    many = Problem.kary(1000, epsilon="log(9)", objective="trace").to_sympy().form
    assert many.at() == R(9000, 1008)
    found = trace.derive()
    names = {each.name: each for each in found["gain"].free_symbols}
    given = {names["W"]: 5, names["w"]: 1, names["m"]: 2}
    assert [sp.sign(found["gain"].subs(given | {gamma: g})) for g in (3, 4, 5)] == [-1, 0, 1]


# definitions, forms and numbers


def test_definitions_of_regions() -> None:
    """For each matrix of a grid, the relations hold iff the definition does."""
    grid = [F(n, 6) for n in (0, 1, 2, 3, 5)]
    matrices = [[[a, b], [1 - a, 1 - b]] for a, b in product(grid, repeat=2)] + [[[F(1, 2)] * 2, [F(1, 3)] * 2]]
    P = symbols.matrix(2, 2)

    def excess(rows: Any, j: int, other: int, g: Fraction) -> Fraction:
        return sum((max(F(0), row[j] - g * row[other]) for row in rows), F(0))

    def both(rows: Any, g: Fraction, slack: Fraction) -> bool:
        return max(excess(rows, 0, 1, g), excess(rows, 1, 0, g)) <= slack

    levels = Problem.kary(2, level=rropt.privacy.levels(("log(2)", "1/6"), ("log(4)", 0)), objective="a-optimal").region
    bounded = Problem.kary(2, epsilon="log(5)", objective="trace", bounds=("1/3", None)).region
    renyi = Problem.kary(2, level=rropt.privacy.renyi("2", "1/2"), objective="payoff").region
    for region, wanted in (
        (PrivacyRegion("log(2)"), lambda rows: both(rows, F(2), F(0))),
        (PrivacyRegion("log(2)", "1/3"), lambda rows: both(rows, F(2), F(1, 3))),
        (levels, lambda rows: both(rows, F(2), F(1, 6)) and both(rows, F(4), F(0))),
        (bounded, lambda rows: both(rows, F(5), F(0)) and min(map(min, rows)) >= F(1, 3)),
        (
            renyi,
            lambda rows: (
                min(map(min, rows)) > 0
                and max(sum(row[j] ** 2 / row[1 - j] for row in rows) for j in (0, 1)) <= math.exp(0.5)
            ),
        ),
    ):
        found = regions.definition(region, P)
        for rows in matrices:
            if region is renyi and min(map(min, rows)) == 0:
                continue  # a power of 0
            point = found.parameters | dict(zip(P, map(exact, chain.from_iterable(rows)), strict=True))
            is_in = all(holds(each.xreplace(point).doit()) for each in found.relations)
            sums = all(sum(row[j] for row in rows) == 1 for j in (0, 1))
            assert is_in is (sums and wanted(rows)), (region, rows)
    even = regions.definition(PrivacyRegion("log(2)", family="warner"), P)
    assert even.relations[-1] == sp.Eq(P[0, 0], P[1, 1])


def test_texts_and_refusals_of_forms() -> None:
    for domain, text in (
        (sp.true, "everywhere"),
        (gamma > 1, "gamma > 1"),
        (gamma <= R(3, 2), "gamma <= 3/2"),
        (sp.And(gamma >= 2, gamma < sp.sqrt(7)), "2 <= gamma < sqrt(7)"),
        (gamma >= R(101, 100), "gamma >= 1.01"),
        (gamma >= R(10**19 + 1, 3), "gamma >= 3.33333333e+18"),
        (sp.Ge(gamma, sp.Float("2.5", 30)), "gamma >= 2.50000000"),
        (sp.Ge(pi, gamma), "pi >= gamma"),
    ):
        assert Form(gamma, "an example", domain).where == text
    form = Form((gamma**2 - 1) / (gamma + 2), "an example", sp.And(gamma >= 2, gamma <= 5), parameters={gamma: 3})
    assert (str(form), form.at(), form.at(epsilon="log(4)")) == (
        "(gamma - 1)*(gamma + 1)/(gamma + 2)",
        R(8, 5),
        R(5, 2),
    )
    assert (form.at(gamma=2, delta=0), form.at(gamma=5)) == (R(3, 4), R(24, 7))
    for values, why in (
        ({"gamma": "199/100"}, "outside the domain of the form: received gamma = 199/100"),
        ({"gamma": "501/100"}, "outside the domain"),
        ({"delta": "1/10"}, "the form has no symbol 'delta': allowed are gamma"),
    ):
        with pytest.raises(InvalidParameterError, match=re.escape(why)):
            form.at(**values)
    x = sp.Symbol("x")
    posing = Posing((x,), x**2 + gamma, [sp.Ge(x, gamma), sp.Le(x, 9)], "minimise", {gamma: 2}, form=form)
    for design, more, value, failed in ((3, {}, 11, 0), (1, {}, 3, 1), (10, {}, 102, 1), (3, {"gamma": 4}, 13, 1)):
        checked = posing.check({x: design}, **more)
        assert (checked.value, len(checked.failed)) == (value, failed)
    assert repr(posing) == "<Posing with 1 variables, 2 constraints>"
    assert str(posing).startswith("minimise gamma + x**2 (1 variables, 2 constraints); closed form: (gamma - 1)*(gamma")
    assert posing.latex().count("\\\\") == 2
    with pytest.raises(InvalidParameterError, match="no parameter 'delta': allowed are gamma"):
        posing.check({x: 3}, delta=1)
    for value, low, high, agrees in (
        (2, 2, 3, "equal"),
        (3, 2, 3, "equal"),
        (R(5, 2), 2, 3, "inside"),
        (sp.E, 2, 3, "inside"),
    ):
        assert compared(sp.sympify(value), F(low), F(high)) == agrees
    for value in (R(2 * 10**9 - 1, 10**9), R(3 * 10**9 + 1, 10**9), sp.pi):
        with pytest.raises(RouteDisagreementError, match="SymPy and the certified bracket disagree"):
            compared(value, F(2), F(3))
    root = sp.sqrt(2)
    for kind, signs in ((sp.Eq, "0"), (sp.Ne, "-+"), (sp.Le, "-0"), (sp.Lt, "-"), (sp.Ge, "0+"), (sp.Gt, "+")):
        for sign, left in (("-", R(7, 5)), ("0", root), ("+", R(3, 2))):
            relation = kind(left, root, evaluate=False)
            assert holds(relation) is (sign in signs)
            assert holds(sp.And(relation, gamma > 1, evaluate=False).subs(gamma, 2)) is (sign in signs)
    assert holds(sp.Or(sp.Lt(root, 1, evaluate=False), sp.Lt(1, root, evaluate=False), evaluate=False))


def test_levels_and_signs_of_numbers() -> None:
    for text, value in (("log(3)", 3), ("1/2", sp.exp(R(1, 2))), ("log(4)/2", 2), ("0", 1)):
        assert symbols.gamma_of(Epsilon.of(text)) == value
    assert symbols.delta_of(Delta.of("1/7")) == R(1, 7)
    assert symbols.delta_of(Delta.of("exp(-3)")) == sp.exp(-3)
    root = sp.sqrt(2)
    near = sp.Rational(math.isqrt(2 * 10**200), 10**100)  # below the root by less than 10^-100
    for expression, sign in (
        *((sp.Integer(0), 0), (R(1, 10**500), 1), (-R(1, 10**500), -1), (sp.oo, 1), (-sp.oo, -1)),
        *((root - near, 1), (near - root, -1), (root**2 * sp.E - 2 * sp.E, 0), (sp.pi - R(22, 7), -1)),
        ((root - 1) * (root + 1) * sp.exp(1) - sp.exp(1), 0),
    ):
        assert symbols.sign_of(expression) == sign
    with pytest.raises(ArithmeticError, match="not a real number"):
        symbols.sign_of(sp.sqrt(-2) + 1)
    assert symbols.number_text(sp.Integer(10) ** 23) == "1" + "0" * 23
    assert symbols.number_text(sp.Integer(10) ** 24) == "1.00000000000e+24"
    assert symbols.as_fraction(R(3, 7)) == F(3, 7)
    assert [symbol.name for symbol in symbols.matrix(2, 3, "q")] == [
        "q_0_0",
        "q_0_1",
        "q_0_2",
        "q_1_0",
        "q_1_1",
        "q_1_2",
    ]


def test_forms_of_e_optimality() -> None:
    """Twice n Var of a proportion for two categories, one formula for equal ones, and a reason for all others."""
    two = e_optimality.form(Problem.kary(epsilon="log(3)", objective="e-optimal", population=["1/4", "3/4"]))
    assert isinstance(two, Form)
    found = rropt.solve(Problem.kary(epsilon="log(3)", objective="e-optimal", population=["1/4", "3/4"]), fast=True)
    assert float(found.lower) <= float(two.at()) * (1 + 1e-12)
    assert float(two.at()) <= float(found.upper) * (1 + 1e-12)
    three = e_optimality.form(Problem.kary(3, epsilon="log(3)", objective="e-optimal"))
    assert isinstance(three, Form)
    for named in (
        {"population": POPULATION},
        {"categories": 3, "delta": "1/10"},
    ):
        form = e_optimality.form(Problem.kary(epsilon="log(3)", objective="e-optimal", **named))
        assert form == "no theorem gives a closed form"


def test_the_twin_of_a_solution_is_between_its_bounds() -> None:
    """With a formula and without one; a bracket that is moved is noticed."""
    for objective, has_form in (("trace", True), (rropt.objectives.ConditionalVariance([1, 2, 4]), False)):
        found = rropt.solve(Problem.kary(3, epsilon="log(3)", objective=objective), fast=True)
        twin = found.sympy_twin()
        assert (twin.form is not None) is has_form
        assert float(sp.sympify(twin.value)) == pytest.approx(float(found.value))
        moved = replace(found, lower=found.lower + F(1, 100), upper=found.upper + F(1, 100))
        with pytest.raises(RouteDisagreementError):
            moved.sympy_twin()
