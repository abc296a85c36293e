"""Forms and series by their definitions, without solving: merged outputs, subsets, domains, products, exchanges."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import inf, log
from typing import Any

import pytest
import sympy as sp
from few_rows import few_rows

import rropt
from rropt.core.errors import InvalidParameterError, RouteDisagreementError
from rropt.designs import Problem
from rropt.plans.group_plans import plan_strata
from rropt.privacy.criteria import differential_local_privacy
from rropt.symbolic.objectives import a_c_contrasts
from rropt.symbolic.plans.group_plans import sympy_twin
from rropt.symbolic.privacy.expressions import p, upper_functions
from rropt.symbolic.series import Coefficient, PowerSeries
from rropt.symbolic.symbols import gamma

F = Fraction


def rows_of_four(g: Fraction, delta: Fraction) -> list[tuple[Fraction, Fraction]]:
    """Return the rows of the four outputs of two inputs (Kairouz, Oh and Viswanath 2016)."""
    c = (1 - delta) / (1 + g)
    return [(delta, F(0)), (c * g, c), (c, c * g), (F(0), delta)]


def variance(rows: list[tuple[Fraction, Fraction]], pi: Fraction) -> Any:
    """Return n Var of the efficient estimator of the prevalence."""
    found = sum(((b - a) ** 2 / (a * (1 - pi) + b * pi) for a, b in rows if a or b), F(0))
    return 1 / found if found else inf


@pytest.mark.slow
@pytest.mark.parametrize("pi", ["1/4", "2/3", "1/50"])
@pytest.mark.parametrize("delta", ["1/10", "2/3", "0"])
def test_three_outputs_are_the_best_merger_of_four(delta: str, pi: str) -> None:
    """By all six pairs, and all four outputs without a merger for any number of outputs."""
    rows = rows_of_four(F(3), F(delta))
    merged = []
    for i, j in combinations(range(4), 2):
        kept = [rows[y] for y in range(4) if y not in (i, j)]
        merged.append(variance([*kept, (rows[i][0] + rows[j][0], rows[i][1] + rows[j][1])], F(pi)))
    three = Problem.binary(pi, epsilon="log(3)", delta=delta, outputs=3).to_sympy().form
    free = Problem.binary(pi, epsilon="log(3)", delta=delta, outputs="any").to_sympy().form
    assert three.at() == sp.Rational(min(merged))
    assert free.at() == sp.Rational(variance(rows, F(pi)))
    assert three.at(gamma=3, delta=delta, pi=pi) == three.at()  # inside its own domain


def test_the_domain_of_two_outputs_depends_on_the_family() -> None:
    """Theorem 3 of Holohan, Leith and Mason (2016) has a corner at small prevalences; Warner's family has none."""
    every = Problem.binary("1/2", epsilon="log(3)", delta="1/10").to_sympy().form
    warner = Problem.binary("1/2", epsilon="log(3)", delta="1/10", symmetric=True).to_sympy().form
    assert every.at() == warner.at() == sp.Rational(variance([(F(31, 40), F(9, 40)), (F(9, 40), F(31, 40))], F(1, 2)))
    with pytest.raises(InvalidParameterError, match="outside the domain"):
        every.at(pi="1/1000")
    assert warner.at(pi="1/1000") == sp.Rational(variance([(F(31, 40), F(9, 40)), (F(9, 40), F(31, 40))], F(1, 1000)))


@few_rows(1)
@pytest.mark.parametrize(("k", "level"), [(3, 2), (4, 9), (5, 30), (7, 5), (9, 60), (10, 5)])
def test_subsets_have_the_size_of_the_largest_information(k: int, level: int) -> None:
    """By every size in floats; at the ends of the domain a neighbour is as good. One of three is best everywhere."""

    def information(d: int, g: float) -> float:
        total = d * g + k - d
        return (d * g * log(g * k / total) + (k - d) * log(k / total)) / total

    form = Problem.kary(k, epsilon=f"log({level})", objective="mutual-information").to_sympy().form
    best = max(range(1, k), key=lambda d: information(d, level))
    assert float(form.at()) == pytest.approx(information(best, level), rel=1e-12)
    assert k <= 8 or f"a set of {best} of {k} " in form.theorem
    ends = [float(part.rhs) for part in form.domain.atoms(sp.Ge, sp.Le, sp.Gt, sp.Lt) if part.rhs != 1]
    ends = [end for end in ends if end not in (1.01, 10_000)]  # nothing is claimed beyond
    assert bool(ends) == (k > 3)
    for end in ends:
        other = best + 1 if end < level else best - 1
        assert information(best, end) == pytest.approx(information(other, end), rel=1e-9)


def test_the_rest_of_a_product() -> None:
    """With y = x^(1/16), of (y + y^2 + O(y^4)) (3 y^4 + O(y^10)) it is O(y^8); of O(y^4) O(y^10) it is O(y^14)."""

    def series(rest: float, *terms: tuple[int, int]) -> PowerSeries:
        listed = [(sp.Rational(e, 16), e / 16, Coefficient.of(sp.Integer(c))) for e, c in terms]
        return PowerSeries.of(listed, rest / 16)

    one, other = series(4, (1, 1), (2, 1)), series(10, (4, 3))
    for made in (one * other, other * one):
        assert made.rest == 8 / 16
        terms = [(exponent, c.exact) for exponent, _, c in made.terms]
        assert terms == [(sp.Rational(5, 16), 3), (sp.Rational(6, 16), 3)]
    assert (one * series(10)).rest == (series(10) * one).rest == 11 / 16
    assert (series(4) * series(10)).rest == 14 / 16


def test_the_function_of_a_level() -> None:
    """The posterior probability after an output with the odds gamma is ``gamma p/(1 - p + gamma p)``."""
    (h,) = upper_functions(differential_local_privacy("1/2"))
    g = sp.exp(sp.Rational(1, 2))
    assert sp.simplify(h - g * p / (1 - p + g * p)) == 0


def test_the_best_size_of_a_subset_is_stationary() -> None:
    """The derivation ends at d = k/(gamma + 1), and at the variance of the closed form of Ye and Barg (2018)."""
    k, d = sp.symbols("k d", positive=True)
    found = a_c_contrasts.derive()
    assert found["column"] == 1
    assert sp.simplify(found["stationary"] - k / (gamma + 1)) == 0
    for size in (1, 2, 3):
        value = found["variance"].subs({k: 5, d: size})
        assert sp.simplify(value - a_c_contrasts.contrast_variance(5, size)) == 0


def test_an_exchange_of_one_respondent_is_noticed() -> None:
    plan = plan_strata("warner:3/4", ["1/2", "1/3", "1/6"], ["1/10", "1/2", "1/3"], n=60, fast=True)
    assert sympy_twin(plan).agrees == "equal"
    for i, j in ((0, 1), (1, 0), (2, 0)):
        sizes = list(plan.sizes)
        sizes[i], sizes[j] = sizes[i] + 1, sizes[j] - 1
        parts: Any = zip(plan.spreads, sizes, strict=True)
        moved = replace(plan, sizes=tuple(sizes), variance=sum((F(a) / n for a, n in parts), F(0)))
        with pytest.raises(RouteDisagreementError, match="an exchange of one respondent"):
            sympy_twin(moved)


def test_weights_below_0_have_no_form_in_runs() -> None:
    problem = Problem.kary(1000, epsilon="log(3)", objective="trace")
    assert problem.to_sympy().form.at() == sp.Rational(3000, 1002)
    assert rropt.solve(problem, fast=True).value == F(3000, 1002)
