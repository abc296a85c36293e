"""Inequalities proved with slack variables, and components without an expression: true ones alone."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from flint import fmpq
from support.row_claims import row_claim

from rropt.claims import Bound, Claim, Condition, Domain, Point, run_claim
from rropt.claims.outcomes import AT_SHAPES
from rropt.claims.symbols.entry_numbers import Ring
from rropt.claims.symbols.entry_signs import Budget, Range, Signs

HERE = Fraction(math.sqrt(2)) / 5
TINY = Fraction(1, 10**40)


def _draw(rng: random.Random) -> dict[str, Any]:
    size, g = rng.randint(1, 3), 1 + Fraction(rng.randint(0, 40), 10)
    low = [Fraction(rng.randint(1, 9), 9) for _ in range(size)]
    return {
        "g": g,
        "c": tuple(Fraction(rng.randint(1, 9), 9) for _ in range(size)),
        "P": tuple(g * x * Fraction(rng.randint(0, 8), 9) for x in low),
        "q": tuple(low),
    }


ROWS = Domain(
    "weights c, numbers P and q, and g",
    ({"g": Fraction(2), "c": (Fraction(1),), "P": (Fraction(1),), "q": (Fraction(1),)},),
    _draw,
    entries={**{(name,): "x >= 0" for name in ("c", "P", "q")}, ("g",): "x >= 1"},
)


def bounded(case: Any) -> bool:
    return all(p <= case["g"] * q for p, q in zip(case["P"], case["q"], strict=True))


def strictly_bounded(case: Any) -> bool:
    return all(p < case["g"] * q and c > 0 for c, p, q in zip(case["c"], case["P"], case["q"], strict=True))


def nearly_bounded(case: Any) -> bool:
    return all(p <= case["g"] * q + TINY for p, q in zip(case["P"], case["q"], strict=True))


def bounded_but_one(case: Any) -> bool:
    return all(p <= case["g"] * q for p, q in zip(case["P"][1:], case["q"][1:], strict=True)) and case["P"][0] <= HERE


def turned(case: Any) -> bool:
    return all(q <= case["g"] * p for p, q in zip(case["P"], case["q"], strict=True))


def bounded_above(case: Any) -> bool:
    return all(p <= q for p, q in zip(case["P"], case["q"], strict=True)) and case["g"] >= 1 + TINY


def excess(case: Any, g: Any = None) -> Any:
    g = case["g"] if g is None else g
    return sum((c * (g * q - p) for c, p, q in zip(case["c"], case["P"], case["q"], strict=True)), Fraction(0))


def claim(computed: Callable[[Any], Any], strength: str, condition: Callable[[Any], Any]) -> Claim:
    """The claim that a function of the case is at least 0, or greater, under a condition."""
    return row_claim(
        lambda _: Fraction(0),
        lambda point: computed(point["case"]),
        strength,
        mutant=lambda _: Fraction(999),
        variables={"case": ROWS},
        assumptions=(Condition("a condition", lambda point: condition(point["case"])),),
        count=40,
    )


@pytest.mark.parametrize(
    ("computed", "strength", "condition"),
    [
        (excess, "at-least", bounded),
        (excess, "greater", strictly_bounded),
        (lambda case: excess(case, case["g"] ** 2), "at-least", bounded_above),
        (lambda case: excess(case) * (1 + case["g"]), "at-least", bounded),
    ],
)
def test_sums_of_linear_facts_are_proved(
    computed: Callable[[Any], Any], strength: str, condition: Callable[[Any], Any]
) -> None:
    outcome = run_claim(claim(computed, strength, condition))
    assert (outcome.verdict, outcome.evidence) == ("holds", AT_SHAPES), outcome


@pytest.mark.parametrize(
    ("computed", "strength", "condition"),
    [
        (excess, "at-least", nearly_bounded),
        (excess, "greater", bounded),  # it is 0 where c is
        (excess, "at-least", bounded_but_one),
        (excess, "at-least", turned),
        (lambda case: excess(case, case["g"] - TINY), "at-least", bounded),
        (lambda case: excess(case) - TINY, "at-least", strictly_bounded),
        (lambda case: excess(case) * (case["c"][0] - HERE) ** 2 - TINY, "at-least", bounded),
        (lambda case: excess(case, 1 / case["g"]), "at-least", bounded),
    ],
)
def test_nearly_true_sums_are_not_proved(
    computed: Callable[[Any], Any], strength: str, condition: Callable[[Any], Any]
) -> None:
    assert run_claim(claim(computed, strength, condition)).evidence not in ("proved", AT_SHAPES)


def test_slacks_against_points(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Random facts and goals of three symbols; whatever is proved holds at every point of a grid that meets the
    facts. Facts may contradict each other, be of one symbol, or be constant."""
    ring = Ring(3, 0)
    x = ring.generators
    grid = [Fraction(n, 2) for n in range(-2, 7)]
    points = [(fmpq(a.numerator, a.denominator), fmpq(b.numerator, b.denominator)) for a in grid for b in grid]
    proved = 0
    for _ in range(size(150, 3000)):
        low = [rng.random() < 0.7 for _ in x]
        starts = [Fraction(rng.choice((0, 0, 1, -1))) for _ in x]
        free = rng.random() < 0.15
        ranges = [
            Range(low=closed, start=start, free=free and not i, shown=sp.Symbol(f"x{i}"))
            for i, (closed, start) in enumerate(zip(low, starts, strict=True))
        ]
        signs = Signs(ring, ranges, budget=Budget(0))
        for _ in range(rng.randint(0, 3)):
            a, b, c = rng.sample(x, 3)
            fact = rng.choice((1, -1)) * a * rng.choice((ring.one, a + b, c)) + rng.randint(-1, 1) * b * c
            signs.add(fact + rng.randint(-1, 2) * b + rng.choice((0, 0, 1)) * ring.one, rng.choice((">", ">=")))
        terms = [rng.choice(x) * rng.choice((ring.one, *x)) for _ in range(3)]
        goal = sum((term * rng.choice((1, 1, 2, -1)) for term in terms), ring.one * rng.choice((0, 0, 1)))
        sign = rng.choice((">", ">="))
        if goal.is_constant() or not signs._by_slacks(goal, sign):
            continue
        proved += 1
        for a, b in points:
            for c in (fmpq(0), fmpq(1, 3), fmpq(1), fmpq(2)):
                here = (a, b, c)
                if all(
                    one.free or value > fmpq(int(one.start)) or (one.low and value == fmpq(int(one.start)))
                    for value, one in zip(here, ranges, strict=True)
                ) and all(f(*here) > 0 or (said == ">=" and f(*here) == 0) for f, said in signs.known):
                    value = goal(*here)
                    assert value > 0 or (sign == ">=" and value == 0), (str(goal), sign, here, signs.known)
    assert proved >= size(20, 400)


def in_parts(point: Point, second: Callable[[Any], Any]) -> dict[str, Any]:
    return {"first": excess(point["case"]), "second": second(point["case"])}


def with_parts(second: Callable[[Any], Any], *, said: Callable[[Any], Any]) -> Claim:
    """A claim of two components, an inequality and an equation."""

    def told(least: int) -> Callable[[Point], Any]:
        return lambda point: {"first": Bound("at-least", Fraction(least)), "second": said(point["case"]) + least}

    whole = claim(excess, "at-least", bounded)

    def computed(point: Point) -> Any:
        return in_parts(point, second)

    return replace(whole, theory=told(0), computed=computed, mutants=((told(999), computed),))


def total(case: Any) -> Any:
    return sum(case["c"], Fraction(0))


def by_a_library(case: Any) -> Any:
    return Fraction(math.fsum(case["c"])) if len(case["c"]) > 9 else Fraction(sp.sympify(0)) + total(case)


def test_components_of_two_kinds_are_proved_together() -> None:
    outcome = run_claim(with_parts(lambda case: sum(reversed(case["c"]), Fraction(0)), said=total))
    assert (outcome.verdict, outcome.evidence) == ("holds", AT_SHAPES), outcome


@pytest.mark.parametrize(
    "second",
    [
        by_a_library,
        lambda case: total(case) + (TINY if case["c"][0] == HERE else 0),
        lambda case: total(case) + max(TINY - case["c"][0], Fraction(0)),
    ],
)
def test_a_component_that_is_not_proved_is_named(second: Callable[[Any], Any]) -> None:
    outcome = run_claim(with_parts(second, said=total))
    assert outcome.evidence not in ("proved", AT_SHAPES), outcome
    assert "not proved for all values: " in outcome.unchecked_steps[0]


NAMED = Domain(
    "numbers by name",
    ({"a": Fraction(1, 2)},),
    lambda rng: {"abc"[place]: Fraction(rng.randint(1, 89), 90) for place in range(rng.randint(1, 3))},
    entries={(): "0 <= x <= 1"},
)
JAGGED = Domain(
    "two lists of numbers",
    (((Fraction(1, 2),), (Fraction(1, 2), Fraction(1, 3))),),
    lambda rng: tuple(tuple(Fraction(rng.randint(1, 89), 90) for _ in range(rng.randint(1, 2))) for _ in range(2)),
    entries={(): "0 <= x <= 1"},
)


@pytest.mark.parametrize(
    ("domain", "numbers", "shapes"),
    [
        (NAMED, lambda case: list(case.values()), ("(a: *)", "(a: *, b: *)", "(a: *, b: *, c: *)")),
        (JAGGED, lambda case: [x for row in case for x in row], ("((*), (*, *))", "((*, *), (*))")),
    ],
)
def test_the_scope_tells_shapes_of_one_size_apart(
    domain: Domain, numbers: Callable[[Any], Any], shapes: tuple[str, ...]
) -> None:
    """A claim that is false for more than four numbers is not proved for all points, or for all lists of a length."""

    def computed(point: Point) -> Any:
        listed = numbers(point["case"])
        return sum(listed, Fraction(0)) if len(listed) <= 4 else Fraction(-1)

    outcome = run_claim(
        row_claim(
            lambda _: Fraction(0),
            computed,
            "at-least",
            mutant=lambda _: Fraction(999),
            variables={"case": domain},
            count=40,
        )
    )
    assert outcome.evidence == AT_SHAPES, outcome
    assert all(shape in outcome.scope for shape in shapes), outcome.scope
    assert "every entry x of case has x >= 0 and x <= 1" in outcome.scope
