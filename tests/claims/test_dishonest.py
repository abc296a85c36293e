"""A package of claims: those that are false or dishonest never come out proved, the honest ones do."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import prod
from typing import Any

import pytest
import sympy as sp
from support.square_claim import UNIT, square_claim

from rropt.claims import Claim, Condition, Domain, Point, Proof, run_claim
from rropt.claims.claim import Proof as OldProof
from rropt.claims.outcomes import AT_SHAPES
from rropt.claims.positivity import Hypothesis, prove_identity, prove_positive

X = sp.Symbol("x")
LOW, HIGH = Fraction("0.00099"), Fraction("0.00101")
SQUARE = prove_positive(X - X**2, [Hypothesis(X), Hypothesis(1 - X)])


def _dip(p: Point) -> Fraction:
    """(x - low)(x - high) + 1: below 1 on an interval of width 0.00002 alone."""
    x = Fraction(p["x"])
    return (x - LOW) * (x - HIGH) + 1


def _hidden(p: Point) -> Fraction:
    """x^2, but 2 on a short interval."""
    x = Fraction(p["x"])
    return Fraction(2) if LOW < x < HIGH else x * x


def _not_negative(p: Point, a: Any) -> bool:
    return bool(a >= 0)


def _itself(p: Point, a: Any) -> Any:
    return a


def _in_square(p: Point, a: Any, b: Any) -> bool:
    return bool(0 <= a <= 1 and 0 <= b <= 1)


def _saddle(p: Point, a: Any, b: Any) -> Any:
    return a + b + p["x"] * a * b


def _best(p: Point) -> frozenset[tuple[Any, ...]]:
    grid = [(Fraction(a, 4), Fraction(b, 4)) for a in range(-1, 6) for b in range(-1, 6)]
    values = {design: _saddle(p, *design) for design in grid if _in_square(p, *design)}
    return frozenset(design for design, value in values.items() if value == min(values.values()))


def _old(**parts: Any) -> Callable[[], Proof]:
    return lambda: OldProof("all x in [0, 1]", "trust me", **parts)


def _draw(rng: random.Random) -> tuple[Fraction, ...]:
    return tuple(Fraction(rng.randint(0, 9), 9) for _ in range(rng.randint(1, 5)))


LISTS = Domain(
    "lists in [0, 1]", ((Fraction(1, 2),), (Fraction(1), Fraction(1, 3))), _draw, entries={(): "0 <= x <= 1"}
)
BERNOULLI: dict[str, Any] = {
    "variables": {"x": LISTS},
    "theory": lambda p: 1 - sum(p["x"]),
    "computed": lambda p: prod((1 - x for x in p["x"]), start=Fraction(1)),
    "mutant": lambda p: 1 - sum(p["x"]) / 2,
    "strength": "at-least",
}

DISHONEST: dict[str, tuple[Claim, str]] = {
    "the certificate of an unrelated identity": (
        square_claim(proof=_old(certificates=(("x = x", prove_identity(X, X)),))),
        "",
    ),
    "contradictory hypotheses": (
        square_claim(
            proof=_old(certificates=(("-1 >= 0", prove_positive(-1 - 0 * X, [Hypothesis(X), Hypothesis(-X - 1)])),))
        ),
        "",
    ),
    "the certificate of the claim": (
        square_claim(proof=_old(certificates=(("x^2 <= x", SQUARE),))),
        "",
    ),
    "false on a short interval, with the right expressions": (
        square_claim(
            computed=_dip,
            theory=lambda p: Fraction(1),
            strength="at-least",
            mutant=lambda p: Fraction(3, 2),
        ),
        "does not follow",
    ),
    "false on a short interval, hidden in a branch": (
        square_claim(computed=_hidden),
        "on a branch",
    ),
    "entries that are not what their domain says": (
        square_claim(
            **BERNOULLI | {"variables": {"x": replace(LISTS, entries={(): "x > 1/2"})}},
        ),
        "is not as its domain says",
    ),
    "a domain whose relation is not its own": (
        square_claim(
            variables={"x": Domain("0 <= x <= 1", UNIT.boundary, UNIT.draw, "1/10 <= x <= 1")},
        ),
        "false at a point",
    ),
}

A, B = sp.symbols("a b")
HONEST: dict[str, Claim] = {
    "traced": square_claim(),
    "induction": square_claim(**BERNOULLI),
}


@pytest.mark.parametrize("name", DISHONEST)
def test_what_is_false_or_dishonest_is_not_proved_and_is_told_why(name: str) -> None:
    claim, word = DISHONEST[name]
    outcome = run_claim(claim)
    assert outcome.evidence not in ("proved", AT_SHAPES)
    assert outcome.verdict == "fails" or word in " ".join((*outcome.unchecked_steps, *outcome.problems))


@pytest.mark.parametrize("name", HONEST)
def test_what_is_honest_is_proved(name: str) -> None:
    outcome = run_claim(HONEST[name])
    assert outcome.problems == ()
    assert outcome.evidence in ("proved", AT_SHAPES), outcome.unchecked_steps
    assert outcome.scope.startswith("all points")


def test_a_missing_condition_that_restates_the_claim_is_remarked() -> None:
    claim = square_claim(
        theory=lambda p: Fraction(p["x"]) / 2,
        missing=(Condition("the claim", lambda p: p["x"] ** 2 <= p["x"] / 2),),
    )
    outcome = run_claim(claim)
    assert outcome.verdict == "holds-with-assumption"
    assert any("read whether it restates it" in remark for remark in outcome.remarks)
