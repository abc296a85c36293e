"""The label `enumerated` goes through the product of the domains."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from support.row_claims import UNIT, row_claim

from rropt.claims import Claim, Condition, Domain, Point, run_claim


def _opaque(point: Point) -> Fraction:
    """x, by way of a text: what the engine cannot run on symbols, and so does not prove."""
    return Fraction(str(point["x"]))


def _claim(**changes: Any) -> Claim:
    """The larger one of x and 1/3."""
    parts: dict[str, Any] = {
        "theory": lambda p: max(Fraction(p["x"]), Fraction(1, 3)),
        "computed": lambda p: max(_opaque(p), Fraction(1, 3)),
        "mutant": lambda p: Fraction(0),
        "variables": {"x": UNIT},
        "count": 20,
    }
    return row_claim(**(parts | changes))


def _finite(draw: Callable[[random.Random], Any] | None = None) -> dict[str, Domain]:
    values = (Fraction(0), Fraction(1, 2), Fraction(1))
    return {"x": Domain("x", values, draw), "y": Domain.values("y", *map(Fraction, range(20)))}


def test_the_scope_of_an_enumeration_is_computed() -> None:
    whole = _claim(variables=_finite())
    outcome = run_claim(whole)
    assert outcome.evidence == "enumerated"
    assert outcome.scope == "all 60 cases of x in {0, 1/2, 1} and y in {0, 1, 2, ..., 19}"
    positive = Condition("x is positive", "x > 0")
    outcome = run_claim(replace(whole, assumptions=(positive,)))
    assert outcome.scope.endswith("; 40 of them with x is positive")
    outcome = run_claim(replace(whole, variables=_finite(lambda rng: Fraction(1, 3))))
    assert (outcome.evidence, "all" in outcome.scope) == ("tested", False)


def test_a_product_that_is_too_large_is_not_enumerated() -> None:
    many = {name: Domain.values(name, *map(Fraction, range(12))) for name in ("x", "y", "z")}
    assert run_claim(_claim(variables=many)).evidence == "tested"
