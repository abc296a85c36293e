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

from rropt.claims import (
    Anchored,
    ArgMin,
    Bound,
    Claim,
    Condition,
    Domain,
    Entry,
    Exp,
    Fold,
    Least,
    Point,
    Proof,
    Step,
    Truth,
    Value,
    run_claim,
)
from rropt.claims.claim import Proof as OldProof
from rropt.claims.outcomes import AT_SHAPES, SWEPT
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


def _anchored(*shapes: Any, **parts: Any) -> Callable[[], Anchored]:
    return lambda: Anchored(*shapes, **parts)


def _draw(rng: random.Random) -> tuple[Fraction, ...]:
    return tuple(Fraction(rng.randint(0, 9), 9) for _ in range(rng.randint(1, 5)))


LISTS = Domain(
    "lists in [0, 1]", ((Fraction(1, 2),), (Fraction(1), Fraction(1, 3))), _draw, entries={(): "0 <= x <= 1"}
)
PRODUCT = Fold(
    over=lambda point, at: [{"e": Entry("x", i)} for i in range(len(point["x"]))],
    start={"y": 1, "s": 0},
    update={"y": "y*(1 - e)", "s": "s + e"},
    invariants=("y >= 1 - s", "s >= 0", "y >= 0", "y <= 1"),
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
    "a step that is false": (square_claim(proof=_anchored(Value(), steps=["x < 9/10"])), "false"),
    "an old proof that calls itself anchored": (
        square_claim(proof=_old(certificates=(("x^2 <= x", SQUARE),), anchored=("everything",), links=("traced",))),
        "",
    ),
    "x = x in the place of the claim": (
        square_claim(proof=_anchored(Value(theory="x", computed="x"))),
        "computed is not",
    ),
    "false on a short interval, with the right expressions": (
        square_claim(
            computed=_dip,
            theory=lambda p: Fraction(1),
            strength="at-least",
            proof=_anchored(Value()),
            mutant=lambda p: Fraction(3, 2),
        ),
        "does not follow",
    ),
    "false on a short interval, hidden in a branch": (
        square_claim(computed=_hidden, proof=_anchored(Value())),
        "branch",
    ),
    "false on a short interval, hidden in a branch that the expressions leave out": (
        square_claim(computed=_hidden, proof=_anchored(Value("x", "x**2"))),
        "branch",
    ),
    "true of a truth value that never changes": (
        square_claim(
            theory=lambda p: True,
            computed=lambda p: p["x"] ** 2 <= p["x"],
            strength="iff",
            mutant=lambda p: False,
            proof=_anchored(Truth("x >= 0", "x <= 1")),
        ),
        "one truth value",
    ),
    "a missing condition that restates the claim": (
        square_claim(
            theory=lambda p: Fraction(p["x"]) / 2,
            missing=(Condition("the claim", lambda p: p["x"] ** 2 <= p["x"] / 2),),
            proof=_anchored(Value()),
        ),
        "does not follow",
    ),
    "a case that is left out": (square_claim(proof=_anchored(Value(where="x > 0"))), "cover"),
    "a component that is left out": (
        square_claim(
            theory=lambda p: {"a": Fraction(1), "b": Fraction(0)},
            computed=lambda p: {"a": Fraction(1), "b": _dip(p) * 0},
            mutant=lambda p: {"a": Fraction(2), "b": Fraction(0)},
            strength="equality",
            proof=_anchored(Value(of="a")),
        ),
        "no shape for b",
    ),
    "a variable that is given another value": (
        square_claim(proof=_anchored(Value(theory="x", computed="x"), at=lambda p: {"x": p["x"] ** 2})),
        "taken",
    ),
    "an induction whose invariant is false": (
        square_claim(
            **BERNOULLI, proof=_anchored(Value("1 - s", "y"), folds=[replace(PRODUCT, invariants="y >= 1 - s/2")])
        ),
        "false",
    ),
    "an element with the name of a variable": (
        square_claim(
            **BERNOULLI | {"variables": {"x": LISTS, "e": UNIT}},
            proof=_anchored(Value("1 - s", "y"), folds=[PRODUCT]),
        ),
        "taken",
    ),
    "entries that are not what their domain says": (
        square_claim(
            **BERNOULLI | {"variables": {"x": replace(LISTS, entries={(): "x > 1/2"})}},
            proof=_anchored(Value("1 - s", "y"), folds=[PRODUCT]),
        ),
        "is false at a point",
    ),
    "a minimiser whose coordinates are variables": (
        square_claim(
            theory=lambda p: frozenset({(Fraction(0),)}),
            computed=lambda p: frozenset({(Fraction(0),)} if _not_negative(p, 0) and not _itself(p, 0) else set()),
            mutant=lambda p: frozenset({(Fraction(1),)}),
            strength="unique",
            proof=_anchored(
                ArgMin("x", "x >= 0", {"x": 0}, _not_negative, _itself, "x >= 0"),
            ),
        ),
        "taken",
    ),
    "an induction over other lists": (
        square_claim(
            **BERNOULLI, proof=_anchored(Value("1 - s", "y"), folds=[replace(PRODUCT, over=lambda p, at: [])])
        ),
        "empty",
    ),
    "the least bound of some members": (
        square_claim(
            variables={"x": LISTS},
            theory=lambda p: Fraction(1),
            computed=lambda p: max(p["x"]),
            mutant=lambda p: Fraction(1, 2),
            proof=_anchored(Value(1, Least("a <= g")), at=lambda p: {"a": Entry("x", 0)}),
        ),
        "the bound of its members",
    ),
    "a domain whose relation is not its own": (
        square_claim(
            variables={"x": Domain("0 <= x <= 1", UNIT.boundary, UNIT.draw, "1/10 <= x <= 1")},
            proof=_anchored(Value()),
        ),
        "false at a point",
    ),
}

A, B = sp.symbols("a b")
HONEST: dict[str, Claim] = {
    "traced": square_claim(proof=_anchored(Value())),
    "cases and a step": square_claim(
        theory=lambda p: {"root": 1 / (1 + Fraction(p["x"])), "most": Bound("at-most", 1)},
        computed=lambda p: {"root": 1 - p["x"] / (1 + Fraction(p["x"])), "most": abs(2 * p["x"] - 1)},
        mutant=lambda p: {"root": Fraction(1, 2), "most": Bound("at-most", 1)},
        strength="equality",
        proof=_anchored(
            Value(of="root", theory="1/(1 + x)", computed="1 - x/(1 + x)"),
            Value(of="most", theory=1, computed="2*x - 1", where="x >= 1/2"),
            Value(of="most", where="x < 1/2"),
            steps=[Step("1 + x > 0")],
        ),
    ),
    "induction": square_claim(**BERNOULLI, proof=_anchored(Value("1 - s", "y"), folds=[PRODUCT])),
    "a minimiser": square_claim(
        theory=lambda p: frozenset({(Fraction(0), Fraction(0))}),
        computed=_best,
        mutant=lambda p: frozenset({(Fraction(1), Fraction(0))}),
        strength="unique",
        proof=_anchored(
            ArgMin(
                objective="a + b + x*a*b",
                within=("a >= 0", "b >= 0", "a <= 1", "b <= 1"),
                tight=("a >= 0", "b >= 0"),
                best={"a": 0, "b": 0},
                member=_in_square,
                value=_saddle,
            )
        ),
    ),
    "an exponential": square_claim(
        theory=lambda p: Fraction(1),
        computed=lambda p: _exp(-Fraction(p["x"])),
        mutant=lambda p: Fraction(1, 2),
        proof=_anchored(Value(1, "e"), at=lambda p: {"e": Exp("-x")}),
    ),
}


def _exp(x: Fraction) -> Any:
    from rropt.core.exact import ExactReal

    return ExactReal.exponential(x)


def test_there_are_at_least_twenty() -> None:
    assert len(DISHONEST) >= 15
    assert len(HONEST) >= 5


@pytest.mark.parametrize("name", DISHONEST)
def test_what_is_false_or_dishonest_is_not_proved_and_is_told_why(name: str) -> None:
    claim, word = DISHONEST[name]
    outcome = run_claim(claim)
    assert outcome.evidence not in ("proved", AT_SHAPES, SWEPT)
    assert word in " ".join((*outcome.unchecked_steps, *outcome.problems))
    assert outcome.evidence == "argued" or outcome.problems or outcome.verdict != "holds"


@pytest.mark.parametrize("name", HONEST)
def test_what_is_honest_is_proved(name: str) -> None:
    outcome = run_claim(HONEST[name])
    assert outcome.problems == ()
    assert outcome.evidence in ("proved", AT_SHAPES, SWEPT), outcome.unchecked_steps
    assert outcome.links
    assert outcome.scope.startswith("all points")
