"""Forms in gamma and the proportions: their regions at points inside and outside, refusals, planted faults."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from few_rows import few_rows
from later import later

from rropt import objectives, plots
from rropt.core.errors import InvalidParameterError, RouteDisagreementError, UnsupportedProblemError
from rropt.core.exact import Epsilon
from rropt.designs import Problem, solve
from rropt.plots import draw_proportions
from rropt.symbolic import proportions
from rropt.symbolic.posing import holds
from rropt.symbolic.sums import plain
from rropt.symbolic.symbols import exact
from rropt.twins import proportions_form_of

sp = later("sympy")
F = Fraction
P3 = ["1/2", "3/10", "1/5"]


def asked(shares: Any = P3, gamma: Any = 6, **named: Any) -> Any:
    named = {"objective": "a-optimal", **named}
    return Problem.kary(epsilon=Epsilon.of_gamma(F(gamma)), population=list(map(str, shares)), **named)


@cache
def form_of_three() -> Any:
    return asked().to_sympy().form


def pair_condition(gamma: Any, p: Any, q: Any) -> Any:
    """The condition that no set of the two other categories has to be reported (by hand)."""
    return gamma**2 * p * q + gamma * (p + q) ** 2 - p**2 - 3 * p * q + 3 * p - q**2 + 3 * q - 1


@pytest.mark.slow
def test_three_categories_have_the_form_and_the_region_that_are_known() -> None:
    """k-ary response is A-optimal if and only if each pair of proportions meets its condition."""
    form = form_of_three()
    gamma, p, q = sorted(form.parameters, key=str)
    shares = [p, q, 1 - p - q]
    value = ((gamma + 2) ** 2 - sum((1 + (gamma - 1) * x) ** 2 for x in shares)) / (gamma - 1) ** 2
    assert sp.cancel(form.value - value) == 0
    inside = {gamma > 1, p > 0, q > 0, p + q < 1}
    found = {sp.expand(one.lhs - one.rhs) for one in sp.And.make_args(form.domain) if one not in inside}
    pairs = ((0, 1), (0, 2), (1, 2))
    assert found == {sp.expand(pair_condition(gamma, shares[i], shares[j])) for i, j in pairs}
    assert form.mechanism_at(gamma=4) == sp.Matrix(3, 3, lambda i, j: exact(F(4 if i + j == 2 else 1, 6)))


@pytest.mark.slow
def test_the_engine_finds_the_same_inside_and_less_outside(rng: random.Random, size: Callable[[int, int], int]) -> None:
    form, counts = form_of_three(), {True: 0, False: 0}
    while min(counts.values()) < size(2, 30):
        gamma = 1 + F(rng.randint(1, 60), 10)
        weights = [rng.randint(1, 9) for _ in range(3)]
        shares = [F(w, sum(weights)) for w in weights]
        point = {"gamma": gamma, "pi_0": shares[0], "pi_1": shares[1]}
        own = {symbol: exact(point[symbol.name]) for symbol in form.parameters}
        value, is_inside = F(str(form.value.xreplace(own))), bool(form.domain.xreplace(own))
        if counts[is_inside] >= size(2, 30):
            continue
        counts[is_inside] += 1
        single: Any = solve(asked(shares, gamma), fast=True)
        if is_inside:
            assert form.at(**point) == exact(value)
            assert single.lower <= value == single.upper
        else:
            assert single.upper < value
            with pytest.raises(InvalidParameterError, match="outside the domain"):
                form.at(**point)


@pytest.mark.slow
def test_the_map_shows_where_the_form_holds() -> None:
    """By the conditions that are known, at each point of the picture; where weights are free there is no form."""
    found = draw_proportions.proportion_map(asked(["1/2", "3/10", "1/5"]))
    names, x, y, best = found.phases.names, found.phases.x, found.phases.y, found.phases.best
    assert names == ("{0}, {1}, {2}", "no closed form")
    assert found.ratio == (F(3, 5), F(2, 5))
    for row in range(0, len(y), 12):
        for column in range(0, len(x), 12):
            shares = [y[row], (1 - y[row]) * 0.6, (1 - y[row]) * 0.4]
            slack = min(pair_condition(math.exp(x[column]), shares[i], shares[j]) for i, j in ((0, 1), (0, 2), (1, 2)))
            assert abs(slack) < 1e-9 or (best[row, column] == 0) == (slack > 0)
    assert "1 form" in plots.proportions(found).text
    with pytest.raises(UnsupportedProblemError, match="no form in the proportions"):
        plots.proportions(asked(["2/5", "3/10", "1/5", "1/10"]))
    with pytest.raises(InvalidParameterError, match="received 1"):
        plots.proportions(asked(["1", "0", "0"]))


def test_two_categories_have_one_form_everywhere() -> None:
    form = asked(["3/4", "1/4"], 3).to_sympy().form
    for gamma, share in ((F(11, 10), F(1, 100)), (F(50), F(1, 2)), (F(2), F(99, 100))):
        single: Any = solve(asked([share, 1 - share], gamma), fast=True)
        assert form.at(gamma=gamma, pi_0=share) == exact(single.value)


def sums() -> dict[str, Any]:
    against = ["1/5", "3/10", "1/2"]
    return {
        "chi-square": objectives.ChiSquare(against),
        "kullback-leibler": objectives.KullbackLeibler(against),
        "hellinger": objectives.Hellinger(against),
        "jensen-shannon": objectives.JensenShannon(against),
        "total-variation": objectives.TotalVariation(against),
        "mutual-information": "mutual-information",
        "contrast": objectives.Contrast([0, 1, 0]),
    }


def drawn_point(rng: random.Random) -> tuple[Fraction, list[Fraction]]:
    weights = [rng.randint(1, 9) for _ in range(3)]
    return 1 + F(rng.randint(1, 60), 10), [F(w, sum(weights)) for w in weights]


@pytest.mark.slow
@few_rows(1)
@pytest.mark.parametrize("kind", sorted(sums()))
def test_sums_are_those_of_the_engine_inside_and_less_outside(kind: str, size: Callable[[int, int], int]) -> None:
    """The region is complete: at a point outside, the engine finds a better design than the rows of the form."""
    rng = random.Random(kind)
    form = asked(objective=sums()[kind]).to_sympy().form
    is_rational = kind in ("chi-square", "total-variation", "contrast")
    assert {symbol.name for symbol in form.parameters} == {"gamma", "pi_0", "pi_1"}
    for _ in range(size(6, 60)):
        gamma, shares = drawn_point(rng)
        point = {"gamma": gamma, "pi_0": shares[0], "pi_1": shares[1]}
        own = {symbol: exact(point[symbol.name]) for symbol in form.parameters}
        value = form.value.xreplace(own)
        single: Any = solve(asked(shares, gamma, objective=sums()[kind]), fast=True)
        sense = -1 if kind == "contrast" else 1
        if holds(form.domain.xreplace(own)):
            assert form.at(**point) == value
            assert value == exact(single.value) if is_rational else single.lower <= value <= single.upper
            worst = form.mechanism_at(**point).tolist()
            assert all(max(row) == exact(gamma) * min(row) for row in worst)
            assert sp.Matrix(worst).T * sp.ones(len(worst), 1) == sp.ones(3, 1)
        else:
            assert sense * value < sense * exact(single.lower)
            with pytest.raises(InvalidParameterError, match="outside the domain"):
                form.at(**point)


@few_rows(1)
@pytest.mark.parametrize("kind", ["chi-square", "hellinger", "mutual-information"])
@pytest.mark.parametrize("fault", ["rows are missing", "a larger price", "a smaller price", "a wrong sign"])
def test_a_fault_in_the_region_of_a_sum_is_seen(kind: str, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows are no longer proved optimal, or the region is another one."""
    problem = asked(objective=sums()[kind])
    whole, own = proportions_form_of(problem), proportions.Basis.bracket
    if fault == "rows are missing":
        monkeypatch.setattr(proportions, "staircase_rows", lambda k: [(0, 1, 0), (0, 1, 1), (1, 0, 0), (1, 0, 1)])
    elif "price" in fault:
        less = -1 if fault == "a smaller price" else 1
        monkeypatch.setattr(
            proportions.Basis, "bracket", lambda self, n, row: own(self, n, row) + plain(less * self.asked.pi[0])
        )
    else:
        monkeypatch.setattr(proportions.Basis, "bracket", lambda self, n, row: own(self, n, row).times(-1))
    if fault in ("rows are missing", "a larger price"):
        assert proportions_form_of(problem).domain != whole.domain
    else:
        with pytest.raises(RouteDisagreementError, match="not optimal at these numbers"):
            proportions_form_of(problem)


@pytest.mark.parametrize("change", [lambda gap: gap / 2, lambda gap: gap + 1, lambda gap: -2 * gap])
def test_a_wrong_sign_of_a_difference_is_seen(change: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    own = proportions._signs

    def changed(asked: Any) -> list[Any]:
        return [asked.field(change(asked.field.domain.to_sympy(gap))) for gap in own(asked)]

    monkeypatch.setattr(proportions, "_signs", changed)
    with pytest.raises(RouteDisagreementError, match="not optimal at these numbers"):
        proportions_form_of(asked(objective=sums()["total-variation"]))


@pytest.mark.slow
def test_a_contrast_of_one_category_has_one_form_everywhere() -> None:
    """pi_1 (1 - pi_1) + gamma/(gamma - 1)^2: the category and the others, merged (by hand)."""
    form = asked(objective=objectives.Contrast([0, 1, 0])).to_sympy().form
    gamma, p, q = sorted(form.parameters, key=str)
    assert sp.cancel(form.value - q * (1 - q) - gamma / (gamma - 1) ** 2) == 0
    assert set(sp.And.make_args(form.domain)) == {gamma > 1, p > 0, q > 0, p + q < 1}
    with pytest.raises(InvalidParameterError, match="outside the domain"):
        form.at(pi_0="-1/10")


def test_equal_proportions_and_many_categories_keep_their_form() -> None:
    for shares in (["1/3"] * 3, ["2/5", "3/10", "1/5", "1/10"]):
        form = asked(shares, 20).to_sympy().form
        assert form is None or {symbol.name for symbol in form.parameters} == {"gamma"}


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(set(sums()) - {"contrast"}))
def test_the_map_of_a_sum_is_filled(kind: str) -> None:
    """Every level and prevalence has a form, but for the edges of areas, and points where proportions are equal."""
    found = draw_proportions.proportion_map(asked(objective=sums()[kind]))
    names, best = found.phases.names, found.phases.best
    free = names.index("no closed form") if "no closed form" in names else -2
    assert (best == free).mean() < 0.05, names
    assert "form" in plots.proportions(found).text


@few_rows(4)
@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: asked(objective=objectives.Contrast([1, -1, 0])), "no closed form: 1 of 4 weights are free"),
        (lambda: asked(["1/3"] * 3, objective="e-optimal"), "no form in the proportions"),
        (lambda: asked(["2/5", "3/10", "1/5", "1/10"]), "at most 3 categories"),
        (lambda: asked(delta="1/10"), "no form in the proportions"),
        (lambda: asked(objective="loss:absolute"), "no form in the proportions"),
        (lambda: asked(objective=objectives.ChiSquare(P3), delta="1/10"), "no form in the proportions"),
        (lambda: asked(objective=objectives.TotalVariation(P3)), "both distributions are equal"),
        (lambda: asked(["1/2", "1/2", "0"], objective=objectives.Hellinger(P3)), "no form in the proportions"),
    ],
)
def test_what_has_no_such_form_says_why(make: Callable[[], Any], words: str) -> None:
    with pytest.raises(UnsupportedProblemError, match=words):
        proportions_form_of(make())


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("_square", lambda own: lambda self, row: own(self, row) / 2),
        ("_square", lambda own: lambda self, row: own(self, row) * 2),
        ("_entries", lambda own: lambda self, row: own(self, [1 - n for n in row])),
    ],
)
def test_a_planted_fault_is_refused(name: str, change: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    problem = asked()
    own = getattr(proportions._Basis, name)
    monkeypatch.setattr(proportions._Basis, name, change(own))
    with pytest.raises(RouteDisagreementError):
        proportions_form_of(problem)


@pytest.mark.slow
@pytest.mark.parametrize("objective", ["a-optimal", "chi-square", "kullback-leibler", "mutual-information"])
def test_another_proportion_of_the_last_category_is_seen(objective: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows stay optimal for the wrong proportions; by the definition their mechanism has another value."""
    problem = asked(objective=sums().get(objective, objective))
    own = proportions._field_of

    def changed(level: Any, numbers: Any) -> tuple[Any, list[Any]]:
        field, shares = own(level, numbers)
        return field, [*shares[:-1], shares[-1] * F(99, 100)]

    assert proportions_form_of(problem).at() > 0
    monkeypatch.setattr(proportions, "_field_of", changed)
    with pytest.raises(RouteDisagreementError):
        proportions_form_of(problem)


def test_rows_that_are_not_optimal_are_refused() -> None:
    problem = asked(["8/10", "1/10", "1/10"], "11/10")
    rows = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    with pytest.raises(RouteDisagreementError, match="not optimal at these numbers"):
        proportions.form_in_proportions(problem.to_dict(), rows)
