"""Parts of the posings in symbols at small inputs: series, roots, and results whose twins are known by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from mpmath import mp

import rropt
from rropt.core.errors import RouteDisagreementError
from rropt.core.results.twins import EQUAL, INSIDE
from rropt.designs import kary_problem
from rropt.designs.prevalence_intervals import solve_over_interval
from rropt.mechanisms import Mechanism, named_mechanism
from rropt.privacy import PrivacyRegion, parity_bound
from rropt.privacy.bound import judge
from rropt.privacy.criteria import beta_factor, information_privacy, rho_to_rho
from rropt.survey.plans.group_plans import plan_strata
from rropt.symbolic.designs import prevalence_intervals
from rropt.symbolic.designs.parametric import every_level
from rropt.symbolic.orders import garblings
from rropt.symbolic.privacy import breaches
from rropt.symbolic.privacy import parity_bound as bounds
from rropt.symbolic.series import DIGITS, NoSeriesError, leading_term, limit_at_zero, series
from rropt.symbolic.survey import group_plans

t, p = sp.Symbol("t", positive=True), bounds.p
F = Fraction


# series and roots


def test_first_terms_of_series() -> None:
    """The first term of each, as SymPy's own series has it or as it is known."""
    for expression, exponent, coefficient in (
        (sp.exp(t) - 1 - t, 2, sp.Rational(1, 2)),
        (sp.log(1 + t) - t, 2, -sp.Rational(1, 2)),
        (sp.log(1 + 2 * t) - 2 * t, 2, sp.Integer(-2)),
        (sp.sqrt(1 + t) - 1 - t / 2, 2, -sp.Rational(1, 8)),
        (1 / (1 - 3 * t) - 1, 1, sp.Integer(3)),
        (sp.sqrt(4 * t) * (1 + t), sp.Rational(1, 2), sp.Integer(2)),
        ((1 - t) ** 5 - 1 + 5 * t, 2, sp.Integer(10)),
        (sp.exp(2 + t), 0, sp.exp(2)),
        (t**-2 + 1 / t, -2, sp.Integer(1)),
    ):
        with mp.workdps(DIGITS):
            found, size, c = leading_term(expression, t)
        assert (found, sp.simplify(c.exact - coefficient)) == (exponent, 0), expression
        assert size == pytest.approx(float(exponent))
        assert float(c.number) == pytest.approx(float(coefficient))
    with pytest.raises(NoSeriesError):
        leading_term(sp.sin(t), t)
    with pytest.raises(NoSeriesError):
        leading_term(sp.log(-1 + t), t)


def test_limits_at_zero() -> None:
    for expression, limit in (
        ((sp.exp(t) - 1) / t, 1),
        (sp.log(1 + 3 * t) / sp.log(1 + t), 3),
        (t * sp.log(t), 0),
        (1 / t, sp.oo),
        (t**t, 1),
        (sp.sqrt(t), 0),
        (sp.sin(t), None),
        (sp.log(t), None),
    ):
        assert limit_at_zero(expression, t) == limit, expression
    one = series(1 + t + t**2, t)
    inverse = series(1 / (1 + t + t**2), t)
    product = {exponent: c.exact for exponent, _, c in (one * inverse).terms}
    assert product == {0: 1}
    assert {exponent: c.exact for exponent, _, c in (one + one).terms} == {0: 2, 1: 2, 2: 2}


def test_roots_in_a_proportion() -> None:
    """All positive roots of a polynomial in a power of p; denominators of exponents; radicals of sums."""
    for expression, roots in (
        ((p - sp.Rational(1, 3)) * (p - 2) * (p + 1), [sp.Rational(1, 3), 2]),
        (sp.sqrt(p) - sp.Rational(1, 2), [sp.Rational(1, 4)]),
        (p ** sp.Rational(2, 3) - 4, [8]),
        (p**2 - sp.sqrt(2) * p, [sp.sqrt(2)]),
        (p - sp.sqrt(3), [sp.sqrt(3)]),
        (p**2 + 1, []),
        (1 / p - 4, [sp.Rational(1, 4)]),
    ):
        assert [sp.simplify(x) for x in bounds._roots(expression)] == roots, expression
    for expression, q in ((p, 1), (sp.sqrt(p) + p ** sp.Rational(1, 3), 6), (sp.sqrt(1 - p), None), (sp.exp(p), None)):
        assert bounds._denominator(expression) == q
    assert [bounds._positive(x) for x in (sp.Rational(1, 10**20), sp.Integer(0), -sp.sqrt(2))] == [True, False, False]
    polynomial = bounds._without_radicals(sp.sqrt(1 - p) - p)
    golden = (sp.sqrt(5) - 1) / 2
    assert polynomial is not None
    assert sp.simplify(polynomial.as_expr().subs(polynomial.gen, golden)) == 0
    assert bounds._without_radicals(p + 1) is None
    assert bounds._without_radicals(sp.exp(p)) is None


# results and their twins


@pytest.mark.parametrize(
    ("criterion", "form", "agrees"),
    [
        (beta_factor(2), "2", EQUAL),
        (rho_to_rho("1/5", "1/2"), "4", EQUAL),
        (information_privacy(lower="p^2/2", upper="1 - (1-p)^2/2"), "2*sqrt(2) + 4", INSIDE),
    ],
)
def test_bounds_that_are_known(criterion: Any, form: str, agrees: str) -> None:
    """B(h) of beta-factor privacy is beta, of rho1 and rho2 their odds ratio; a wrong bracket is an error."""
    bound = parity_bound(criterion, fast=True)
    found = bounds.sympy_twin(bound)
    assert (found.posed, found.agrees, found.form) == (True, agrees, form)
    assert bound.lower is not None
    assert float(bound.lower) == pytest.approx(float(sp.N(sp.sympify(form))), rel=1e-12)
    with pytest.raises(RouteDisagreementError):
        bounds.sympy_twin(replace(bound, lower=bound.lower * F(101, 100), upper=bound.lower * F(102, 100)))


def test_breaches_that_are_known() -> None:
    """Warner's device with p/(1 - p) = 5 breaches a ratio of 4 and none of 5; a changed mechanism is an error."""
    device, criterion = named_mechanism("warner:5/6"), rho_to_rho("1/5", "1/2")
    found = judge(device, criterion, fast=True)
    twin = breaches.sympy_twin(found)
    assert (twin.posed, twin.agrees) == (True, EQUAL)
    other = Mechanism.binary("4/5", "5/6")
    with pytest.raises(RouteDisagreementError):
        breaches.sympy_twin(replace(found, mechanism=other))
    allowed = judge(named_mechanism("warner:4/5"), criterion, fast=True)
    assert breaches.sympy_twin(allowed).agrees == EQUAL


def test_orders_that_are_known() -> None:
    for one, other, words in (("3/4", "2/3", "better"), ("2/3", "3/4", "worse"), ("2/3", "1/3", "equivalent")):
        found = rropt.compare(f"warner:{one}", f"warner:{other}", fast=True)
        twin = garblings.sympy_twin(found)
        assert (twin.posed, twin.agrees) == (True, EQUAL)
        assert twin.value == words, (one, other)


def test_designs_at_every_level() -> None:
    """Each design has its value for every gamma; a moved value or mechanism is an error."""
    for own in ({"categories": 3}, {"population": ["1/2", "1/3", "1/6"]}):
        problem = kary_problem(epsilon="all", objective="trace", categories=3) if "categories" in own else None
        problem = problem or kary_problem(epsilon="all", objective="loss", loss="zero-one", **own)
        found = rropt.solve(problem, fast=True)
        twin = every_level.sympy_twin(found)
        assert (twin.posed, twin.agrees) == (True, EQUAL)
        count = len(found.pieces)
        assert twin.value == f"{count} formula{'s' * (count > 1)}"
        value, first = every_level.to_sympy(found), found.pieces[0]
        at = sp.Rational(11, 10)
        level = rropt.solve(
            kary_problem(epsilon="log(11/10)", **{"objective": "trace", **own})
            if "categories" in own
            else kary_problem(epsilon="log(11/10)", objective="loss", loss="zero-one", **own),
            fast=True,
        )
        assert sp.nsimplify(sp.N(value.subs(every_level.gamma, at), 30), rational=True) == pytest.approx(
            float(level.lower)
        )
        for moved in (
            replace(first, value=replace(first.value, a=first.value.a + first.value.b)),
            replace(first, mechanism=(first.mechanism[0],) * len(first.mechanism)),
        ):
            costs = problem.objective.labelled_costs(problem.population)
            sign = 1 if problem.objective.sense == "minimise" else -1
            every_level._require_definition(first, costs, sign, problem)
            with pytest.raises(RouteDisagreementError):
                every_level._require_definition(moved, costs, sign, problem)


def test_designs_over_an_interval() -> None:
    """The worst case and the regret of each design; the regret is the same at both ends."""
    found = solve_over_interval(PrivacyRegion("log(3)"), "0..1/4", fast=True)
    twin = prevalence_intervals.sympy_twin(found)
    assert (twin.posed, twin.agrees) == (True, EQUAL)
    best = found.minimax_regret.design.mechanism
    assert prevalence_intervals._point(best) == (
        (1 - sp.Rational(best.p00)) / (sp.Rational(best.p00) + sp.Rational(best.p11) - 1),
        (1 - sp.Rational(best.p11)) / (sp.Rational(best.p00) + sp.Rational(best.p11) - 1),
    )
    low, high = prevalence_intervals._regret(found, best)
    assert low == high >= 0


def test_respondents_of_strata() -> None:
    """The variance of the integers is the sum of a/n; Neyman's allocation bounds it; an exchange is noticed."""
    plan = plan_strata(named_mechanism("warner:3/4"), ["1/4", "3/4"], ["1/10", "1/2"], n=101, fast=True)
    twin = group_plans.sympy_twin(plan)
    assert (twin.posed, twin.agrees) == (True, EQUAL)
    variance = sum(a / n for a, n in zip(plan.spreads, plan.sizes, strict=True))
    assert sum(plan.sizes) == 101
    assert plan.variance == variance
    posing: Any = group_plans.to_sympy(plan)
    roots = sum(sp.sqrt(sp.Rational(a)) for a in plan.spreads)
    assert sp.simplify(posing.form.at() - roots**2 / 101) == 0
    assert 0 <= float(variance) - float(posing.form.at()) < 1e-4
    shares = posing.form.mechanism.xreplace(posing.form.parameters)
    assert sp.simplify(sum(shares) - 101) == 0
    assert sp.simplify(shares[0] ** 2 / shares[1] ** 2 - sp.Rational(plan.spreads[0] / plan.spreads[1])) == 0
    n, m = plan.sizes
    for sizes in ((n + 5, m - 5), (n - 5, m + 5)):
        worse = replace(
            plan, sizes=sizes, variance=sum((a / k for a, k in zip(plan.spreads, sizes, strict=True)), F(0))
        )
        with pytest.raises(RouteDisagreementError):
            group_plans.sympy_twin(worse)
