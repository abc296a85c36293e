"""Inequalities proved entry by entry, by squares, factors, divided facts and slack variables: true ones alone.

Each claim says that a function of the entries is at least 0, or greater, perhaps under a condition: a function of the
same entries, of which the engine knows nothing but what it finds by running it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from few_rows import few_rows
from flint import fmpq
from support.row_claims import row_claim

from rropt.claims import Claim, Condition, Domain, run_claim
from rropt.claims.outcomes import AT_SHAPES
from rropt.claims.symbolic_runs.entry_numbers import EntryRing
from rropt.claims.symbolic_runs.entry_signs import Range, RemainingWork, Signs, quadratic_sign

HERE = Fraction(math.sqrt(2)) / 5  # no constant of the sweep: the statements below are false there alone
TINY = Fraction(1, 10**40)
ZERO = Fraction(0)
PAIRS = Domain(
    "pairs of numbers from 0 to 1",
    ((Fraction(1), Fraction(1, 2)), (Fraction(1, 2), Fraction(1, 3))),
    lambda rng: (Fraction(rng.randint(0, 99), 99), Fraction(rng.randint(0, 99), 99)),
    entries={(): "0 <= x <= 1"},
)


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


def claim(computed: Callable[..., Any], strength: str, condition: Callable[..., Any] | None = None) -> Claim:
    """The claim about a pair of numbers."""
    return _claim(PAIRS, lambda x: computed(*x), strength, condition and (lambda x: condition(*x)))


def of_lists(computed: Callable[[Any], Any], strength: str, condition: Callable[[Any], Any]) -> Claim:
    """The claim about weights c and numbers P and q."""
    return _claim(ROWS, computed, strength, condition)


def _claim(domain: Domain, computed: Any, strength: str, condition: Any = None) -> Claim:
    return row_claim(
        lambda _: ZERO,
        lambda point: computed(point["case"]),
        strength,
        mutant=lambda _: Fraction(999),
        variables={"case": domain},
        assumptions=() if condition is None else (Condition("a condition", lambda point: condition(point["case"])),),
        count=60 if domain is PAIRS else 40,
    )


def each(meets: Callable[..., Any]) -> Callable[[Any], Any]:
    """The condition that g, the weight and both numbers of each place meet."""
    return lambda case: all(meets(case["g"], *x) for x in zip(case["c"], case["P"], case["q"], strict=True))


def excess(case: Any, g: Any = None) -> Any:
    g = case["g"] if g is None else g
    return sum((c * (g * q - p) for c, p, q in zip(case["c"], case["P"], case["q"], strict=True)), ZERO)


def bounded_but_one(case: Any) -> bool:
    return all(p <= case["g"] * q for p, q in zip(case["P"][1:], case["q"][1:], strict=True)) and case["P"][0] <= HERE


bounded = each(lambda g, _, p, q: p <= g * q)
strictly_bounded = each(lambda g, c, p, q: p < g * q and c > 0)


def above(a: Any, _: Any) -> Any:
    return a - HERE


def maximum_of_maxima_below(a: Any, b: Any) -> Any:
    return max(max(a, b), max(a * b, ZERO)) <= HERE


def one_above(a: Any, b: Any) -> Any:
    return a >= HERE or b >= HERE


def in_a_case(a: Any, b: Any) -> Any:
    return a >= HERE if b > HERE else a >= 2 * HERE


def not_below(a: Any, b: Any) -> Any:
    return not (a < HERE or (b == 2 and a > 1))


def square_above_0(a: Any, b: Any) -> Any:
    return (a - b) ** 2 * (2 - b) > 0


def below_a_square(a: Any, b: Any) -> Any:
    return 2 * (1 - a) ** 2 >= b


# a function of a pair, how it compares with 0, and a condition
TRUE: dict[str, tuple[Any, ...]] = {
    "a square": (lambda a, b: a**2 + b**2 - 2 * a * b, "at-least"),
    "a square and more": (lambda a, b: (a - b) ** 2 + (a - HERE) ** 2 + TINY, "greater"),
    "factors": (lambda a, b: (a**2 + b**2 - a * b) * (2 - a) ** 3 * (1 + b), "at-least"),
    "a divided fact": (lambda a, b: b - HERE if (a + 1) * (b - HERE) >= 0 else ZERO, "at-least"),
    "a product that is 0": (lambda a, b: HERE - b if (a + b - HERE) * b == 0 and b != 0 else ZERO, "at-least"),
    "a square in a positive product": (lambda a, b: (a - b) ** 4 * (1 + a), "greater", square_above_0),
    "by a sum of degree 4": (lambda a, b: Fraction(7, 5) - 4 * a * b, "at-least", below_a_square),
    "a part of a part of a maximum": (lambda a, b: HERE - b, "at-least", maximum_of_maxima_below),
    "greater by an extreme": (above, "greater", lambda a, b: min(a, b) > HERE),
    "the largest of two": (lambda a, b: max(a, b) - HERE, "at-least", one_above),
    "in a case": (above, "at-least", in_a_case),
    "by a negation": (above, "at-least", not_below),
}
FALSE: dict[str, tuple[Any, ...]] = {
    "nearly a square": (lambda a, b: (a - b) ** 2 + (a - HERE) ** 2 - TINY, "at-least"),
    "a square that is 0": (lambda a, b: (a - b) ** 2 + (a - HERE) ** 2, "greater"),
    "a factor that turns": (lambda a, b: ((a - HERE) ** 2 + (b - HERE) ** 2 - TINY) * (1 + b), "at-least"),
    "a square factor that is 0": (lambda a, b: ((a - HERE) ** 2 + (b - HERE) ** 2) ** 2 * (1 + b), "greater"),
    "divided by what may be 0": (lambda a, b: b - HERE if (a - HERE) ** 2 * (b - HERE) >= 0 else ZERO, "at-least"),
    "another factor is 0": (
        lambda a, b: -abs(b - HERE) if (a - HERE) * (b - HERE) == 0 and a != 2 else ZERO,
        "at-least",
    ),
    "nearly above": (above, "at-least", lambda a, b: min(a, b) > HERE - TINY),
    "a square at least 0": (lambda a, b: (a - b) ** 2, "greater", lambda a, b: (a - b) ** 2 * (2 - b) >= 0),
    "the root of a square": (lambda a, b: a - b, "greater", square_above_0),
    "nearly below a square": (lambda a, b: Fraction(32, 27) - TINY - 4 * a * b, "at-least", below_a_square),
    "0 at an end": (above, "greater", not_below),
    "nearly the largest": (lambda a, b: max(a, b) - HERE - TINY, "at-least", one_above),
    "the least in a case": (lambda a, b: min(a, b) - HERE, "at-least", in_a_case),
    "nearly in a case": (above, "at-least", lambda a, b: a >= HERE if b > HERE else a >= HERE - TINY),
    "a maximum above": (lambda a, b: HERE - b, "at-least", lambda a, b: max(max(a, b), max(a * b, ZERO)) >= HERE),
    "a minimum": (lambda a, b: HERE - b, "at-least", lambda a, b: min(max(a, ZERO), max(b, ZERO)) <= HERE),
    "nearly a maximum": (
        lambda a, b: HERE - b,
        "at-least",
        lambda a, b: max(max(a, b), max(a * b, ZERO)) <= HERE + TINY,
    ),
    "a maximum turned": (lambda a, b: b - HERE, "at-least", maximum_of_maxima_below),
    "one factor of 0": (lambda a, b: -b, "at-least", lambda a, b: a * b == 0),
    "the other factor of 0": (lambda a, b: -a, "at-least", lambda a, b: a * b == 0),
    "three factors of 0": (lambda a, b: -b, "at-least", lambda a, b: a * b * (1 - a) == 0 and b < HERE),
    "of a kind": (above, "at-least", lambda a, _: a > HERE - TINY if type(a) is Fraction else a > HERE),
    "no truth value": (above, "at-least", lambda a, _: 1 if a > HERE else int(a > HERE - TINY)),
    # weak facts give no strict inequality: slack variables, factors that are not 0, and sums of degree 4
    "a difference": (lambda a, b: b - a, "greater", lambda a, b: a <= b),
    "a squared difference": (lambda a, b: (b - a) ** 2, "greater", lambda a, b: a <= b),
    "a sum": (lambda a, b: 2 - a - b, "greater", lambda a, b: a + b >= 1),
    "a maximum that is reached": (lambda a, b: max(a, b) - a, "greater", lambda a, b: a <= b),
    "a quotient that turns": (lambda a, _: 1 / ((a - HERE) ** 2 - TINY), "at-least"),
    "a part that may be 0": (lambda a, b: max(a - HERE, b - HERE), "greater", lambda a, _: a >= HERE),
    "a maximum that may be 0": (
        lambda a, b: -max(HERE - a, HERE - b),
        "greater",
        lambda a, b: a >= HERE and b >= HERE,
    ),
    "a product with an end": (lambda a, b: a * b * (1 - a), "greater", lambda a, _: a < 1),
    "a square in a product": (lambda a, b: (a - HERE) ** 2, "greater", lambda a, b: (a - HERE) ** 2 * b >= 0),
    "less than a square": (
        lambda a, b: (a - HERE) ** 2 - TINY**2,
        "at-least",
        lambda a, b: (a - HERE) ** 2 * (1 + b) > 0,
    ),
    "a cube in a product": (
        lambda _, b: b - HERE,
        "greater",
        lambda a, b: (a - HERE) ** 3 * (b - HERE) > 0 and b >= HERE - TINY,
    ),
    "squares in a product": (
        lambda a, b: (a - HERE) * (b - HERE),
        "greater",
        lambda a, b: (a - HERE) ** 2 * (b - HERE) ** 2 > 0 and a >= HERE and b >= HERE - TINY,
    ),
    "nearly 1/16": (
        lambda a, b: Fraction(1, 16) - TINY - a * (1 - a) * b * (1 - b),
        "at-least",
        lambda a, b: a + b > 0,
    ),
    "nearly below": (lambda a, b: a * (1 - a) * b * (HERE - b), "at-least", lambda _, b: b <= HERE + TINY),
    "degree 4": (
        lambda a, b: (b - a) * (a + b - 1) * a * b + TINY * (a - b),
        "at-least",
        lambda a, b: a <= b + TINY and a + b >= 1,
    ),
}
OF_LISTS: list[tuple[Any, ...]] = [  # proved or not, a function of the lists, how it compares with 0, a condition
    (True, excess, "at-least", bounded),
    (True, excess, "greater", strictly_bounded),
    (True, lambda case: excess(case, case["g"] ** 2), "at-least", each(lambda g, _, p, q: p <= q and g >= 1 + TINY)),
    (True, lambda case: excess(case) * (1 + case["g"]), "at-least", bounded),
    (False, excess, "at-least", each(lambda g, _, p, q: p <= g * q + TINY)),
    (False, excess, "greater", bounded),  # it is 0 where c is
    (False, excess, "at-least", bounded_but_one),
    (False, excess, "at-least", each(lambda g, _, p, q: q <= g * p)),
    (False, lambda case: excess(case, case["g"] - TINY), "at-least", bounded),
    (False, lambda case: excess(case) - TINY, "at-least", strictly_bounded),
    (False, lambda case: excess(case) * (case["c"][0] - HERE) ** 2 - TINY, "at-least", bounded),
    (False, lambda case: excess(case, 1 / case["g"]), "at-least", bounded),
]


@pytest.mark.parametrize("name", TRUE)
def test_true_inequalities_are_proved(name: str, rng: random.Random) -> None:
    """A condition is in the scope, and fresh points that meet it agree."""
    computed, strength, *conditions = TRUE[name]
    outcome = run_claim(claim(*TRUE[name]))
    assert (outcome.verdict, outcome.evidence) in {("holds", AT_SHAPES), ("holds", "proved")}, outcome
    for condition in conditions:
        assert "a condition" in outcome.scope
        met = [x for x in ((Fraction(rng.random()), Fraction(rng.random())) for _ in range(600)) if condition(*x)]
        assert len(met) >= 20
        assert all(computed(*x) > 0 or (strength == "at-least" and computed(*x) == 0) for x in met)


@few_rows(2)
@pytest.mark.parametrize("name", FALSE)
def test_false_inequalities_are_not_proved(name: str) -> None:
    assert run_claim(claim(*FALSE[name])).evidence not in ("proved", AT_SHAPES)


@pytest.mark.parametrize(("is_true", "computed", "strength", "condition"), OF_LISTS)
def test_only_true_sums_of_linear_facts_are_proved(is_true: bool, computed: Any, strength: str, condition: Any) -> None:
    outcome = run_claim(of_lists(computed, strength, condition))
    assert ((outcome.verdict, outcome.evidence) == ("holds", AT_SHAPES)) is is_true, outcome
    assert is_true or outcome.evidence != "proved"


@pytest.mark.slow
def test_the_sign_of_a_quadratic_polynomial_holds_at_every_point() -> None:
    """All polynomials a x^2 + b x y + c y^2 + d x + e y + f with small coefficients, held against points."""
    ring = EntryRing(sp.symbols("x y"), 0)
    x, y = ring.generators
    points = [(Fraction(p, 3), Fraction(q, 3)) for p in range(-9, 10) for q in range(-9, 10)]
    met = set()
    for number in range(3**6):
        a, b, c, d, e, f = (number // 3**i % 3 - 1 for i in range(6))
        polynomial = a * x**2 + b * x * y + c * y**2 + d * x + e * y + f * ring.one
        sign = quadratic_sign(polynomial)
        met.add(sign)
        if sign:
            for p, q in points:
                value = a * p * p + b * p * q + c * q * q + d * p + e * q + f
                assert {">": value > 0, ">=": value >= 0, "<": value < 0, "<=": value <= 0}[sign], (number, p, q)
    assert met == {"", ">", ">=", "<", "<="}
    nearly = x**2 - 2 * x * y + y**2 + fmpq(1, 10**30) * ring.one
    assert quadratic_sign(nearly) == ">="  # it is positive, but 1 and x - y alone are squared


def test_slacks_against_points(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Random facts and goals of three symbols; whatever is proved holds at every point of a grid that meets the
    facts. Facts may contradict each other, be of one symbol, or be constant."""
    ring = EntryRing(sp.symbols("x:3"), 0)
    x = ring.generators
    grid = [Fraction(n, 2) for n in range(-2, 7)]
    points = [(fmpq(a.numerator, a.denominator), fmpq(b.numerator, b.denominator)) for a in grid for b in grid]
    proved = 0
    for _ in range(size(150, 3000)):
        low = [rng.random() < 0.7 for _ in x]
        starts = [Fraction(rng.choice((0, 0, 1, -1))) for _ in x]
        free = rng.random() < 0.15
        ranges = [
            Range(None if free and not i else start, low=closed)
            for i, (closed, start) in enumerate(zip(low, starts, strict=True))
        ]
        signs = Signs(ring, ranges, budget=RemainingWork(0))
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
                    one.start is None or value > int(one.start) or (one.low and value == int(one.start))
                    for value, one in zip(here, ranges, strict=True)
                ) and all(f(*here) > 0 or (said == ">=" and f(*here) == 0) for f, said in signs.known):
                    value = goal(*here)
                    assert value > 0 or (sign == ">=" and value == 0), (str(goal), sign, here, signs.known)
    assert proved >= size(20, 400)


def test_weak_facts_prove_nothing_strict(rng: random.Random) -> None:
    """Homogeneous facts and goals are all 0 at the origin."""
    ring, proved = EntryRing(sp.symbols("x:3"), 0), 0
    for _ in range(120):
        signs = Signs(ring, [Range(ZERO)] * 3)
        goal, *facts = (
            sum((rng.randint(-1, 1) * x for x in ring.generators), ring.constant(0)) for _ in range(rng.randint(2, 4))
        )
        for fact in facts:
            signs.add(fact, ">=")
        proved += signs._by_slacks(goal, ">=")
        assert not signs._by_slacks(goal, ">"), (str(goal), signs.known)
    assert proved >= 20


def with_parts(second: Callable[[Any], Any], *, said: Callable[[Any], Any]) -> Claim:
    """A claim of two components, an inequality and an equation."""

    def rows(case: Any, least: int) -> Any:
        return [("first", excess(case), ">=", Fraction(least)), ("second", second(case), "=", said(case) + least)]

    whole = of_lists(excess, "at-least", bounded)
    return replace(whole, rows=lambda p: rows(p["case"], 0), mutants=(lambda p: rows(p["case"], 999),))


def total(case: Any) -> Any:
    return sum(case["c"], ZERO)


def by_a_library(case: Any) -> Any:
    return Fraction(math.fsum(case["c"])) if len(case["c"]) > 9 else Fraction(sp.sympify(0)) + total(case)


def test_components_of_two_kinds_are_proved_together() -> None:
    outcome = run_claim(with_parts(lambda case: sum(reversed(case["c"]), ZERO), said=total))
    assert (outcome.verdict, outcome.evidence) == ("holds", AT_SHAPES), outcome


@pytest.mark.parametrize(
    "second",
    [
        by_a_library,
        lambda case: total(case) + (TINY if case["c"][0] == HERE else 0),
        lambda case: total(case) + max(TINY - case["c"][0], ZERO),
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

    def computed(case: Any) -> Any:
        listed = numbers(case)
        return sum(listed, ZERO) if len(listed) <= 4 else Fraction(-1)

    outcome = run_claim(_claim(domain, computed, "at-least"))
    assert outcome.evidence == AT_SHAPES, outcome
    assert all(shape in outcome.scope for shape in shapes), outcome.scope
    assert "every entry x of case has x >= 0 and x <= 1" in outcome.scope
