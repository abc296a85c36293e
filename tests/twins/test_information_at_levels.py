"""The information with 6 to 8 categories, or 4 and 5 with delta: forms in fractions, at their level alone."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp

import rropt
from rropt.core.errors import RouteDisagreementError, UnsupportedProblemError
from rropt.designs import Problem
from rropt.information_twins import _guess_of, kkt_of
from rropt.objectives import Contrast, Contrasts
from rropt.symbolic import information

KINDS = ("a-optimal", "c-optimal", "contrasts", "d-optimal", "e-optimal")
SIZES = ((6, "0"), (7, "0"), (8, "0"), (4, "1/20"), (5, "1/50"))


def problem_of(rng: random.Random, kind: str, k: int, delta: str, *, is_uneven: bool = True) -> Any:
    parts = [rng.randint(1, 9) if is_uneven else 1 + (j == 0) for j in range(k)]
    own: dict[str, Any] = {"objective": kind, "population": [f"{x}/{sum(parts)}" for x in parts]}
    if kind == "c-optimal":
        own["objective"] = Contrast([1, *[0] * (k - 2), -1])
    if kind == "contrasts":
        own["objective"] = Contrasts([[int(i == j) - int(i == j + 1) for i in range(k)] for j in (0, 1)])
    return Problem.kary(epsilon=rng.choice(["log(3)", "log(20)"]), delta=delta, **own)


@pytest.mark.parametrize(
    ("kind", "k", "delta"),
    [pytest.param("e-optimal", 6, "0", marks=pytest.mark.slow), ("d-optimal", 7, "0"), ("a-optimal", 4, "1/20")],
)
def test_a_form_at_the_level_is_in_the_bracket(kind: str, k: int, delta: str) -> None:
    solution = rropt.solve(problem_of(random.Random(4), kind, k, delta, is_uneven=False), fast=True)
    form = kkt_of(solution).form()
    assert "at this level" in form.theorem
    assert form.where.startswith("at this level alone: ")
    value = form.at()
    assert sp.sign(value - sp.Rational(solution.lower.numerator, solution.lower.denominator)) >= 0
    assert sp.sign(value - sp.Rational(solution.upper.numerator, solution.upper.denominator)) <= 0
    twin = solution.sympy_twin()
    assert twin.form is not None
    assert solution.derivation().markdown()


def test_a_changed_weight_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the level alone the proof sees a quadratic form that is a thousandth too large, and other weights."""
    problem = problem_of(random.Random(4), "d-optimal", 7, "0", is_uneven=False)
    assert kkt_of(problem).asked.is_at_level
    own = information._form
    monkeypatch.setattr(information, "_form", lambda *given: own(*given) * given[0](Fraction(1001, 1000)))
    with pytest.raises(RouteDisagreementError):
        kkt_of(problem)


def test_an_irrational_level_has_bounds_alone() -> None:
    problem = Problem.kary(epsilon="1", objective="d-optimal", population=["2/7", *["1/7"] * 5])
    with pytest.raises(UnsupportedProblemError, match="takes too long"):
        kkt_of(problem)
    assert problem.enclosure().width < Fraction(1, 10**9)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.slow) for n in range(2, 12))])
def test_random_problems_raise_no_alarm_and_forms_are_in_their_bounds(seed: int) -> None:
    rng, found = random.Random(seed), Counter[str]()
    for kind in KINDS:
        k, delta = rng.choice(SIZES)
        problem = problem_of(rng, kind, k, delta, is_uneven=bool(rng.randint(0, 1)))
        _guess_of.cache_clear()
        try:
            value = kkt_of(problem).form().at()
        except UnsupportedProblemError:
            found["none"] += 1
            continue
        own = problem.enclosure()
        assert sp.sign(value - sp.Rational(own.lower.numerator, own.lower.denominator)) >= 0
        assert sp.sign(value - sp.Rational(own.upper.numerator, own.upper.denominator)) <= 0
        found["form"] += 1
    assert found["form"] + found["none"] == len(KINDS)
