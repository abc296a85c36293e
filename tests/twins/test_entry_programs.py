"""Linear programs over the entries that are too large for symbols: a vertex in fractions, or bounds of their own."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from math import exp, log
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from later import later

import rropt
from rropt.core.errors import RouteDisagreementError
from rropt.core.results import twin_work
from rropt.designs import Problem
from rropt.information_twins import compared_with
from rropt.symbolic import program_bounds, programs
from rropt.twins import enclosure_of

linprog = later("scipy.optimize", "linprog")

POPULATION = ["1/2", "1/4", "1/8", "1/8"]
COSTS = {
    "loss": [[0, 1, 2, 3], [1, 0, 1, 2], [2, 1, 0, 1], [3, 2, 1, 0]],
    "payoff": [[3, -1, 2, 0], [-2, 4, 1, 0], [0, 1, -1, 5]],
    "trace": np.eye(4).tolist(),
}
LEVELS = {
    "rational": [(log(2), 0.2), (log(5), 0.02)],
    "irrational": [(log(2), 0.2), (1.0, 0.02)],
}


def solution_of(kind: str, level: str) -> Any:
    second = "log(5)" if level == "rational" else "1"
    both = rropt.privacy.levels(("log(2)", "1/5"), (second, "1/50"))
    if kind == "trace":
        return Problem.kary(4, level=both, objective="trace").solve(fast=True)
    made = {"loss": rropt.objectives.Loss, "payoff": rropt.objectives.Payoff}[kind]
    return Problem.kary(level=both, objective=made(COSTS[kind]), population=POPULATION).solve(fast=True)


def by_scipy(kind: str, level: str) -> float:
    """Return the optimum by a linear program that shares nothing with rropt."""
    own = np.array(COSTS[kind], float)
    costs = own if kind == "trace" else own * [float(Fraction(x)) for x in POPULATION]
    m, k = costs.shape
    sign = 1 if kind == "loss" else -1
    pairs = list(permutations(range(k), 2))
    size = m * k + len(LEVELS[level]) * m * len(pairs)
    above, bounds, at = [], [], m * k
    for epsilon, delta in LEVELS[level]:
        for j, other in pairs:
            total = np.zeros(size)
            for i in range(m):
                line = np.zeros(size)
                line[[i * k + j, i * k + other, at]] = 1, -exp(epsilon), -1
                above.append(line)
                bounds.append(0.0)
                total[at] = 1
                at += 1
            above.append(total)
            bounds.append(delta)
    sums = np.zeros((k, size))
    for j in range(k):
        sums[j, [i * k + j for i in range(m)]] = 1
    goal = np.concatenate([sign * costs.ravel(), np.zeros(size - m * k)])
    found = linprog(goal, A_ub=np.array(above), b_ub=bounds, A_eq=sums, b_eq=np.ones(k), method="highs")
    return float(sign * found.fun)


@few_rows(1)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kind", COSTS)
def test_four_categories_with_two_levels_and_delta(kind: str, level: str) -> None:
    """By default a form at the level, or bounds; both as SciPy finds the optimum."""
    solution = solution_of(kind, level)
    twin = solution.twins.sympy
    assert "left out by default" in twin.why
    assert twin_work.ON_REQUEST in twin.why
    wanted = by_scipy(kind, level)
    if level == "rational":
        assert twin.agrees == "equal"
        assert float(Fraction(twin.form)) == pytest.approx(wanted, abs=1e-8)
        assert "gamma_0 = 2" in twin.domain or "Eq(gamma_0, 2)" in twin.domain
    else:
        assert twin.agrees == "inside"
        assert "proved within" in twin.why
    own = enclosure_of(solution)
    own.check()
    assert own.width < Fraction(1, 10**25)
    assert own.lower <= solution.upper
    assert own.upper >= solution.lower
    assert float(own.lower) == pytest.approx(wanted, abs=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("kind", COSTS)
def test_symbols_on_request(kind: str) -> None:
    solution = solution_of(kind, "rational")
    form = solution.to_sympy().form
    assert form.at() == solution.value
    assert "gamma_1" in form.where
    assert solution.sympy_twin().form == str(form)


@pytest.mark.parametrize("epsilon", ["log(3)", "1"])
def test_pram_of_five_categories_with_delta(epsilon: str) -> None:
    design = rropt.design.pram(["1/3", "1/4", "1/5", "1/8", "11/120"], epsilon=epsilon, delta="1/10", fast=True)
    twin = design.twins.sympy
    assert "left out by default" in twin.why
    assert (twin.form is not None) == (epsilon == "log(3)")


def test_repairs_of_five_categories_with_delta() -> None:
    from rropt.designs.repairs import repair

    given = [[Fraction(3, 5) if i == j else Fraction(1, 10) for j in range(5)] for i in range(5)]
    for epsilon in ("log(2)", "1/2"):
        twin = repair(given, epsilon, "1/10", norm="l1", fast=True).twins.sympy
        assert twin.form is not None or "proved within" in twin.why


# --- planted faults ---------------------------------------------------------------------------------------------------


def test_forged_bounds_are_seen() -> None:
    own = enclosure_of(solution_of("loss", "irrational"))
    higher = replace(own, lower=own.lower + Fraction(1, 10**20))
    lower = replace(own, upper=own.upper - Fraction(1, 10**20))
    label = next(label for label, y in own.prices.items() if y > 0 and label[0] == "delta")
    unpaid = replace(own, prices={**own.prices, label: -own.prices[label]})
    doubled = replace(own, prices={**own.prices, label: 2 * own.prices[label]})
    moved = replace(own, point={**own.point, ("p", 0, 0): own.point["p", 0, 0] + own.program.sign})
    for forged in (higher, lower, unpaid, doubled, moved):
        with pytest.raises(RouteDisagreementError):
            forged.check()


def test_a_claim_beside_the_bounds_is_seen() -> None:
    solution = solution_of("payoff", "irrational")
    for change in (Fraction(1, 10**6), -Fraction(1, 10**6)):
        forged = replace(solution, lower=solution.lower + change, upper=solution.upper + change)
        object.__setattr__(forged, "value", solution.value)  # which the design has
        with pytest.raises(RouteDisagreementError, match="disagree"):
            _ = forged.twins
        with pytest.raises(RouteDisagreementError, match="bounds that SymPy proves"):
            compared_with(enclosure_of(solution), forged)


@pytest.mark.parametrize("place", ["gamma", "delta", "costs"])
def test_a_wrong_program_is_seen(monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    """The vertex of another program is not optimal, or has another value."""
    solution = solution_of("loss", "rational")
    true = programs.private

    def wrong(field: Any, m: int, k: int, levels: Any, region: Any) -> Any:
        own = levels[0]
        if place == "gamma":
            levels = [own._replace(gamma=own.gamma * Fraction(11, 10)), *levels[1:]]
        if place == "delta":
            levels = [own._replace(delta=own.delta * Fraction(9, 10)), *levels[1:]]
        return true(field, m, k, levels, region)

    monkeypatch.setattr(programs, "private", wrong)
    if place == "costs":
        from rropt.symbolic import levels as posed

        costs, sign = posed.costs_of(solution.problem)
        monkeypatch.setattr(posed, "costs_of", lambda _: ([[2 * x for x in row] for row in costs], sign))
    with pytest.raises(RouteDisagreementError):
        _ = solution.twins


@pytest.mark.slow
def test_another_program_for_the_bounds_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Levels on the wrong sides prove nothing: the bounds would change places."""
    solution = solution_of("loss", "irrational")
    true = program_bounds.rational_levels
    monkeypatch.setattr(
        program_bounds,
        "rational_levels",
        lambda region, end: [
            level._replace(gamma=level.gamma * (Fraction(99, 100) if end == "upper" else Fraction(101, 100)))
            for level in true(region, end)
        ],
    )
    with pytest.raises(RouteDisagreementError):
        enclosure_of(solution)
