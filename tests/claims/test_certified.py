"""The label `certified` asks what the certificates say, and `enumerated` goes through the product of the domains."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import Any

import pytest
import sympy as sp

from rropt.claims import Claim, Condition, Domain, Enclosure, Point, run_claim
from rropt.claims.positivity import prove_identity
from rropt.claims.sweeps import is_certified, stated
from rropt.core.certificates import Certificate, certify_optimal
from rropt.core.linear import LinearProgram, ProgramBuilder, solve

UNIT = Domain.interval("0 <= x <= 1", 0, 1, also=("1/2",))


def _programme(point: Point) -> LinearProgram:
    """The least y >= x with y >= 1/3."""
    builder = ProgramBuilder("minimise")
    y = builder.variable("y", cost=1)
    builder.row("x", {y: 1}, ">=", Fraction(point["x"]))
    builder.row("a third", {y: 1}, ">=", Fraction(1, 3))
    return builder.build()


def _certificate(point: Point, _: Any = None) -> Certificate:
    return certify_optimal(_programme(point), solve(_programme(point)))


def _problem(point: Point) -> dict[str, Any]:
    """The document, written without the solver."""
    rows = [{"coefficients": [["0", "1"]], "relation": ">=", "bound": str(b)} for b in (point["x"], Fraction(1, 3))]
    return {"kind": "linear-programme", "sense": "minimise", "cost": ["1"], "signs": ["nonnegative"], "rows": rows}


def _opaque(point: Point) -> Fraction:
    """x, by way of a text: what the engine cannot run on symbols, and so does not prove."""
    return Fraction(str(point["x"]))


def _claim(**changes: Any) -> Claim:
    return replace(
        Claim(
            id="test.certified",
            source="a test",
            printed="the larger one",
            precise="the larger one of x and 1/3",
            variables={"x": UNIT},
            theory=lambda p: max(Fraction(p["x"]), Fraction(1, 3)),
            computed=lambda p: max(_opaque(p), Fraction(1, 3)),
            mutant=lambda p: Fraction(p["x"]),
            certify=_certificate,
            poses=_problem,
            count=20,
        ),
        **changes,
    )


def test_a_certificate_of_the_value_at_every_point() -> None:
    outcome = run_claim(_claim())
    assert (outcome.evidence, outcome.problems) == ("certified", ())


def _forged(point: Point, _: Any) -> Certificate:
    return Certificate(_certificate(point).text.replace('"optimal-value"', '"infeasible"'))


IDENTITY = prove_identity(sp.Symbol("x"), sp.Symbol("x"))
HALF = {"x": Fraction(1, 2)}
WRONG: dict[str, dict[str, Any]] = {
    "an identity": {"certify": lambda p, v: IDENTITY},
    "an identity, posed": {"certify": lambda p, v: IDENTITY, "poses": lambda p: IDENTITY.problem},
    "no problem is posed": {"poses": None},
    "rejected": {"certify": _forged},
    "another problem": {"certify": lambda p, v: _certificate(HALF)},
    "one problem for all points": {"certify": lambda p, v: _certificate(HALF), "poses": lambda p: _problem(HALF)},
    "another value": {
        "theory": lambda p: Fraction(p["x"]),
        "computed": _opaque,
        "mutant": lambda p: Fraction(p["x"]) / 2,
    },
    "another kind of value": {
        "theory": lambda p: True,
        "computed": lambda p: _opaque(p) >= 0,
        "mutant": lambda p: False,
    },
}


@pytest.mark.parametrize("changes", WRONG.values(), ids=list(WRONG))
def test_certificates_of_something_else_certify_nothing(changes: dict[str, Any]) -> None:
    outcome = run_claim(_claim(**changes))
    assert (outcome.verdict, outcome.evidence) == ("holds", "tested")


def test_an_enclosure_holds_the_bracket() -> None:
    """A bracket within the enclosure certifies it, one that reaches beyond does not."""
    points = [{"x": Fraction(n, 7)} for n in range(3, 7)]
    width = Fraction(1, 100)
    for low, high, right in ((width, width, True), (Fraction(0), Fraction(0), True), (-width, 2 * width, False)):
        values = [(p, Enclosure(p["x"] - low, p["x"] + high)) for p in points]
        assert is_certified(_claim(), values) is right


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ({"kind": "parity", "parity": "2"}, (Fraction(2), Fraction(2))),
        ({"kind": "parity", "parity": "infinite"}, inf),
        ({"kind": "infimum", "lower": "4", "upper": "9/2"}, (Fraction(4), Fraction(9, 2))),
        ({"kind": "infimum", "lower": "infinite", "upper": "infinite"}, inf),
        ({"kind": "no-garbling"}, False),
        ({"kind": "admissible"}, True),
        ({"kind": "identity"}, None),
        ({"kind": "nonnegative"}, None),
    ],
)
def test_what_a_certificate_states(said: dict[str, Any], value: Any) -> None:
    assert stated(said) == value


def _finite(draw: Callable[[random.Random], Any] | None = None) -> dict[str, Domain]:
    values = (Fraction(0), Fraction(1, 2), Fraction(1))
    return {"x": Domain("x", values, draw), "y": Domain.values("y", *map(Fraction, range(20)))}


def test_the_scope_of_an_enumeration_is_computed() -> None:
    whole = _claim(variables=_finite(), certify=None)
    outcome = run_claim(whole)
    assert outcome.evidence == "enumerated"
    assert outcome.scope == "all 60 cases of x in {0, 1/2, 1} and y in {0, 1, 2, ..., 19}"
    positive = Condition("x is positive", "x > 0")
    outcome = run_claim(replace(whole, assumptions=(positive,), mutant=lambda p: Fraction(0)))
    assert outcome.scope.endswith("; 40 of them with x is positive")
    outcome = run_claim(replace(whole, variables=_finite(lambda rng: Fraction(1, 3))))
    assert (outcome.evidence, "all" in outcome.scope) == ("tested", False)


def test_a_product_that_is_too_large_is_not_enumerated() -> None:
    many = {name: Domain.values(name, *map(Fraction, range(12))) for name in ("x", "y", "z")}
    assert run_claim(_claim(variables=many, certify=None)).evidence == "tested"
