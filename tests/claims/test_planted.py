"""Fifty planted claims in further forms: false on a relative width of 1e-4, or within 1e-12 of a boundary, no hints.

Several parameters, lists inside the claim, integers up to 60, gamma beyond 1000: the defect is where a product, a
posterior, a trace, a polynomial or an order statistic of them takes a value, not where one variable does.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate
from math import comb, prod
from typing import Any

import pytest

from rropt.claims import Claim, Domain, Point, run_claim

Side = Callable[[Point], Any]
UNIT = Domain.interval("0 <= x <= 1", 0, 1)
VARIABLES = {"x": UNIT, "y": UNIT, "gamma": Domain.odds(), "n": Domain.whole("n", 1, 60)}
NARROW, TINY = Fraction(1, 20_000), Fraction(1, 10**12)


def _claim(condition: Side, slack: Side | None = None) -> Claim:
    """``computed`` is ``y`` but where the condition holds; or the slack is at least 0, but where it dips."""
    theory: Side = (lambda p: Fraction(0)) if slack else (lambda p: p["y"])
    computed: Side = slack or (lambda p: p["y"] + (Fraction(1, 7) if condition(p) else 0))
    return Claim(
        id="test.planted",
        source="a test",
        printed="planted",
        precise="planted",
        variables=VARIABLES,
        theory=theory,
        computed=computed,
        strength="at-least" if slack else "equality",
        mutant=lambda p: computed(p) + 1,
    )


def _at(value: Any, middle: Any) -> bool:
    """Whether a value is within a relative distance of 1/20000 of the middle, a width of 1e-4."""
    return bool(abs(value - middle) < abs(middle) * NARROW)


def _listed(p: Point) -> list[Any]:
    """A list of posteriors of three categories."""
    weights = [p["x"] * p["gamma"], 1 - p["x"], p["y"] + 1]
    return [weight / sum(weights) for weight in weights]


def _inside(rng: random.Random) -> list[Claim]:
    """Claims that are false on an interval of relative width 1e-4 somewhere."""
    share, n = Fraction(rng.randint(500, 9500), 10_000), rng.randint(3, 60)
    large = Fraction(rng.randint(2000, 10**7))
    conditions: list[Side] = [
        lambda p: _at(max(_listed(p)), Fraction(1, 3) + share * Fraction(2, 3)),
        lambda p: _at(sorted(_listed(p))[1], share / 2),
        lambda p: _at(prod(1 - x for x in _listed(p)), share * Fraction(8, 27)),
        lambda p: p["n"] == n and _at(p["x"] * p["n"], share * n),
        lambda p: p["n"] >= n and _at(p["x"] ** 2 * (3 - 2 * p["x"]), share),
        lambda p: p["n"] % 7 == n % 7 and _at(p["x"] - p["y"] ** 2, share - 1),
        lambda p: _at(p["gamma"], large) and p["x"] < Fraction(9, 10),
        lambda p: _at(p["gamma"] / (p["gamma"] + p["n"] - 1), 1 - 1 / large),
        lambda p: _at((p["gamma"] - 1) * p["x"] + 1, large * share),
        lambda p: p["gamma"] > 1000 and _at(p["x"], share),
        lambda p: _at(sum(abs(a - b) for a, b in zip(_listed(p), _listed(p)[1:], strict=False)), share),
        lambda p: _at(p["x"] * (1 - p["x"]) * 4, share),
        lambda p: _at(comb(p["n"], 2) * p["x"] / 1770, share * comb(n, 2) / 1770),
        lambda p: _at(list(accumulate([p["x"], p["y"], p["x"] * p["y"]]))[-1], 3 * share),
        lambda p: p["x"] > p["y"] > Fraction(1, 5) and _at(p["x"] / p["y"], 1 + 3 * share),
    ]
    slacks: list[Side] = [
        lambda p: (p["x"] * p["y"] - share) ** 2 - (share * NARROW) ** 2,
        lambda p: abs(p["gamma"] - large) - large * NARROW,
        lambda p: (p["x"] + p["n"] - n - share) ** 2 - (share * NARROW) ** 2,
        lambda p: max((a - share) ** 2 for a in _listed(p)[:1]) - (share * NARROW) ** 2,
        lambda p: (p["x"] ** 3 - share) ** 2 + (p["n"] - n) ** 2 - (share * NARROW) ** 2,
    ]
    return [*map(_claim, conditions), *(_claim(lambda p: False, slack) for slack in slacks)]


def _beside(rng: random.Random) -> list[Claim]:
    """Claims that are false within 1e-12 of a boundary, and not on it."""
    n = rng.randint(3, 60)
    return [
        _claim(lambda p: 0 < p["x"] < TINY and p["n"] == n),
        _claim(lambda p: 0 < 1 - p["y"] < TINY and p["gamma"] >= 1),
        _claim(lambda p: 0 < (p["gamma"] - 1) * (p["n"] + 1) < TINY),
        _claim(lambda p: 0 < min(_listed(p)) < TINY / 100),
        _claim(lambda p: False, lambda p: p["x"] * (p["x"] - TINY)),
    ]


def planted(seed: int) -> list[Claim]:
    """Return fifty claims: two of each of the twenty forms inside and of the five beside a boundary."""
    rng = random.Random(seed)
    return [*_inside(rng), *_beside(rng), *_inside(rng), *_beside(rng)]


@pytest.mark.drawn(3)
def test_none_is_proved(size: Callable[[int, int], int]) -> None:
    claims = planted(11)
    assert len(claims) == 50
    outcomes = [run_claim(claim) for claim in claims[: size(12, 50)]]
    assert {(outcome.verdict, outcome.evidence) for outcome in outcomes} <= {("fails", "refuted"), ("holds", "tested")}
