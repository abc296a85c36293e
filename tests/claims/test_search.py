"""The search: planted claims, false only on a short interval or next to a boundary, are found without hints."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rropt.claims import Claim, Domain, Point, run_claim

Side = Callable[[Point], Any]


def _claim(theory: Side, computed: Side, strength: str, variables: dict[str, Domain]) -> Claim:
    return Claim(
        id="test.planted",
        source="a test",
        printed="planted",
        precise="planted",
        variables=variables,
        theory=theory,
        computed=computed,
        strength=strength,
        mutant=lambda p: computed(p) + 1 if strength != "at-most" else computed(p) - 1,
    )


def _planted(rng: random.Random) -> Claim:
    """A true statement with a defect on a short interval of one variable."""
    unit, odds = Domain.interval("x", 0, 1), Domain.odds()
    if rng.random() < 0.5:
        variables, name = {"x": unit, "gamma": odds}, "x"
        low = Fraction(rng.randint(1, 9999), 10_000)
    else:
        variables, name = {"gamma": odds, "x": unit}, "gamma"
        low = 1 + Fraction(rng.randint(1, 99_999), 1000)
    high = low * (1 + Fraction(1, 10_000))
    kind = rng.choice(("branch", "decimals", "dip", "bump"))
    if kind == "branch":
        return _claim(lambda p: p["x"], lambda p: p["x"] + (low < p[name] < high), "equality", variables)
    if kind == "decimals":
        return _claim(
            lambda p: p["x"],
            lambda p: p["x"] * (2 if float(low) < float(p[name]) < float(high) else 1),
            "equality",
            variables,
        )
    if kind == "dip":
        return _claim(lambda p: Fraction(0), lambda p: (p[name] - low) * (p[name] - high), "at-least", variables)
    middle, width = (low + high) / 2, (high - low) / 2
    return _claim(
        lambda p: Fraction(1), lambda p: max(1 - abs(p[name] - middle) / width, Fraction(0)) + 1, "at-most", variables
    )


def _beside(rng: random.Random) -> Claim:
    """False only within 1e-12 of an end of the domain, and not at the end."""
    end, variables = Fraction(rng.choice((0, 1))), {"x": Domain.interval("x", 0, 1), "y": Domain.interval("y", 0, 1)}
    return _claim(
        lambda p: p["y"], lambda p: p["y"] + (0 < abs(p["x"] - end) < Fraction(1, 10**12)), "equality", variables
    )


def test_planted_defects_are_found(rng: random.Random, size: Callable[[int, int], int]) -> None:
    count = size(50, 400)
    found = sum(run_claim(_planted(rng)).verdict == "fails" for _ in range(count))
    assert found >= 0.9 * count
    beside = size(10, 50)
    assert all(run_claim(_beside(rng)).verdict == "fails" for _ in range(beside))
