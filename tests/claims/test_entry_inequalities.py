"""Inequalities proved entry by entry, by squares, by factors and by facts that are divided: true ones alone."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq
from support.row_claims import row_claim

from rropt.claims import Claim, Condition, Domain, Point, run_claim
from rropt.claims.outcomes import AT_SHAPES
from rropt.claims.symbols.entry_numbers import Ring
from rropt.claims.symbols.entry_signs import quadratic_sign

HERE = Fraction(math.sqrt(2)) / 5  # no constant of the sweep: the statements below are false there alone
TINY = Fraction(1, 10**40)
PAIRS = Domain(
    "pairs of numbers from 0 to 1",
    ((Fraction(1), Fraction(1, 2)), (Fraction(1, 2), Fraction(1, 3))),
    lambda rng: (Fraction(rng.randint(0, 99), 99), Fraction(rng.randint(0, 99), 99)),
    entries={(): "0 <= x <= 1"},
)


def claim(computed: Callable[[Any, Any], Any], strength: str, condition: Callable[..., Any] | None = None) -> Claim:
    """The claim that a function of a pair is at least 0, or greater.

    A condition is a function of the pair, of which the engine knows nothing but what they find by running it.
    """

    def value(point: Point) -> Any:
        return computed(*point["x"])

    return row_claim(
        lambda _: Fraction(0),
        value,
        strength,
        mutant=lambda _: Fraction(99),
        variables={"x": PAIRS},
        assumptions=() if condition is None else (Condition("a condition", lambda point: condition(*point["x"])),),
        count=60,
    )


def a_square(a: Any, b: Any) -> Any:
    return a**2 + b**2 - 2 * a * b


def a_square_and_more(a: Any, b: Any) -> Any:
    return (a - b) ** 2 + (a - HERE) ** 2 + TINY


def of_factors(a: Any, b: Any) -> Any:
    return (a**2 + b**2 - a * b) * (2 - a) ** 3 * (1 + b)


def of_a_divided_fact(a: Any, b: Any) -> Any:
    return b - HERE if (a + 1) * (b - HERE) >= 0 else Fraction(0)


def of_a_product_that_is_0(a: Any, b: Any) -> Any:
    return HERE - b if (a + b - HERE) * b == 0 and b != 0 else Fraction(0)


@pytest.mark.parametrize(
    ("computed", "strength"),
    [
        (a_square, "at-least"),
        (a_square_and_more, "greater"),
        (of_factors, "at-least"),
        (of_a_divided_fact, "at-least"),
        (of_a_product_that_is_0, "at-least"),
    ],
)
def test_true_inequalities_are_proved_at_the_shapes(computed: Callable[[Any, Any], Any], strength: str) -> None:
    outcome = run_claim(claim(computed, strength))
    assert (outcome.verdict, outcome.evidence) in {("holds", AT_SHAPES), ("holds", "proved")}, outcome


def nearly_a_square(a: Any, b: Any) -> Any:
    return (a - b) ** 2 + (a - HERE) ** 2 - TINY


def a_square_that_is_0(a: Any, b: Any) -> Any:
    return (a - b) ** 2 + (a - HERE) ** 2


def a_factor_that_turns(a: Any, b: Any) -> Any:
    return ((a - HERE) ** 2 + (b - HERE) ** 2 - TINY) * (1 + b)


def a_square_factor_that_is_0(a: Any, b: Any) -> Any:
    return ((a - HERE) ** 2 + (b - HERE) ** 2) ** 2 * (1 + b)


def divided_by_what_may_be_0(a: Any, b: Any) -> Any:
    return b - HERE if (a - HERE) ** 2 * (b - HERE) >= 0 else Fraction(0)


def another_factor_is_0(a: Any, b: Any) -> Any:
    return -abs(b - HERE) if (a - HERE) * (b - HERE) == 0 and a != 2 else Fraction(0)


@pytest.mark.parametrize(
    ("computed", "strength"),
    [
        (nearly_a_square, "at-least"),
        (a_square_that_is_0, "greater"),
        (a_factor_that_turns, "at-least"),
        (a_square_factor_that_is_0, "greater"),
        (divided_by_what_may_be_0, "at-least"),
        (another_factor_is_0, "at-least"),
    ],
)
def test_false_inequalities_are_not_proved(computed: Callable[[Any, Any], Any], strength: str) -> None:
    assert run_claim(claim(computed, strength)).evidence not in ("proved", AT_SHAPES)


def above(a: Any, _: Any) -> Any:
    return a - HERE


def both_above(a: Any, b: Any) -> Any:
    return min(a, b) > HERE


def one_above(a: Any, b: Any) -> Any:
    return a >= HERE or b >= HERE


def in_a_case(a: Any, b: Any) -> Any:
    return a >= HERE if b > HERE else a >= 2 * HERE


def not_below(a: Any, b: Any) -> Any:
    return not (a < HERE or (b == 2 and a > 1))


def a_maximum_of_maxima_below(a: Any, b: Any) -> Any:
    return max(max(a, b), max(a * b, Fraction(0))) <= HERE


def a_square_above_0(a: Any, b: Any) -> Any:
    return (a - b) ** 2 * (2 - b) > 0


def a_square_at_least_0(a: Any, b: Any) -> Any:
    return (a - b) ** 2 * (2 - b) >= 0


def below_a_square(a: Any, b: Any) -> Any:
    return 2 * (1 - a) ** 2 >= b


TRUE_BY_A_CONDITION = {
    "a square in a positive product": (lambda a, b: (a - b) ** 4 * (1 + a), "greater", a_square_above_0),
    "by a sum of degree 4": (lambda a, b: Fraction(7, 5) - 4 * a * b, "at-least", below_a_square),
    "a part of a part of a maximum": (lambda a, b: HERE - b, "at-least", a_maximum_of_maxima_below),
    "greater by an extreme": (above, "greater", both_above),
    "the largest of two": (lambda a, b: max(a, b) - HERE, "at-least", one_above),
    "in a case": (above, "at-least", in_a_case),
    "by a negation": (above, "at-least", not_below),
}


@pytest.mark.parametrize("name", TRUE_BY_A_CONDITION)
def test_conditions_that_are_functions_are_used(name: str, rng: random.Random) -> None:
    """They are proved, with the condition in the scope; fresh points agree."""
    computed, strength, condition = TRUE_BY_A_CONDITION[name]
    outcome = run_claim(claim(computed, strength, condition))
    assert (outcome.verdict, outcome.evidence) in {("holds", AT_SHAPES), ("holds", "proved")}, outcome
    assert "a condition" in outcome.scope
    met = [x for x in ((Fraction(rng.random()), Fraction(rng.random())) for _ in range(600)) if condition(*x)]
    assert len(met) >= 20
    assert all(computed(*x) > 0 or (strength == "at-least" and computed(*x) == 0) for x in met)


def a_maximum_of_maxima_above(a: Any, b: Any) -> Any:
    return max(max(a, b), max(a * b, Fraction(0))) >= HERE


def a_minimum_of_maxima_below(a: Any, b: Any) -> Any:
    return min(max(a, Fraction(0)), max(b, Fraction(0))) <= HERE


def nearly_a_maximum_of_maxima(a: Any, b: Any) -> Any:
    return max(max(a, b), max(a * b, Fraction(0))) <= HERE + TINY


def a_product_that_is_0(a: Any, b: Any) -> Any:
    return a * b == 0


def a_product_that_is_0_beside(a: Any, b: Any) -> Any:
    return a * b * (1 - a) == 0 and b < HERE


def nearly_above(a: Any, b: Any) -> Any:
    return min(a, b) > HERE - TINY


def nearly_in_a_case(a: Any, b: Any) -> Any:
    return a >= HERE if b > HERE else a >= HERE - TINY


def in_floats(a: Any, _: Any) -> Any:
    return float(a) >= float(HERE)


def of_a_kind(a: Any, _: Any) -> Any:
    return a > HERE - TINY if type(a) is Fraction else a > HERE


def by_text(a: Any, _: Any) -> Any:
    return a > HERE - TINY if str(a)[0] in "0123456789" else a > HERE


def not_a_truth_value(a: Any, _: Any) -> Any:
    return 1 if a > HERE else int(a > HERE - TINY)


@pytest.mark.parametrize(
    ("computed", "strength", "condition"),
    [
        (above, "at-least", nearly_above),
        (lambda a, b: (a - b) ** 2, "greater", a_square_at_least_0),
        (lambda a, b: a - b, "greater", a_square_above_0),
        (lambda a, b: Fraction(32, 27) - TINY - 4 * a * b, "at-least", below_a_square),
        (above, "greater", not_below),  # it is 0 at an end
        (lambda a, b: max(a, b) - HERE - TINY, "at-least", one_above),
        (lambda a, b: min(a, b) - HERE, "at-least", in_a_case),
        (above, "at-least", nearly_in_a_case),
        (lambda a, b: HERE - b, "at-least", a_maximum_of_maxima_above),
        (lambda a, b: HERE - b, "at-least", a_minimum_of_maxima_below),
        (lambda a, b: HERE - b, "at-least", nearly_a_maximum_of_maxima),
        (lambda a, b: b - HERE, "at-least", a_maximum_of_maxima_below),
        (lambda a, b: -b, "at-least", a_product_that_is_0),
        (lambda a, b: -a, "at-least", a_product_that_is_0),
        (lambda a, b: -b, "at-least", a_product_that_is_0_beside),
        (above, "at-least", in_floats),
        (above, "at-least", of_a_kind),
        (above, "at-least", by_text),
        (above, "at-least", not_a_truth_value),
    ],
)
def test_false_inequalities_are_not_proved_by_a_condition(
    computed: Callable[[Any, Any], Any], strength: str, condition: Callable[..., Any]
) -> None:
    assert run_claim(claim(computed, strength, condition)).evidence not in ("proved", AT_SHAPES)


def test_the_sign_of_a_quadratic_polynomial_holds_at_every_point() -> None:
    """All polynomials a x^2 + b x y + c y^2 + d x + e y + f with small coefficients, held against points."""
    ring = Ring(2, 0)
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


@pytest.mark.parametrize(
    ("computed", "strength", "condition"),
    [
        (lambda a, b: b - a, "greater", lambda a, b: a <= b),
        (lambda a, b: (b - a) ** 2, "greater", lambda a, b: a <= b),
        (lambda a, b: 2 - a - b, "greater", lambda a, b: a + b >= 1),
        (lambda a, b: max(a, b) - a, "greater", lambda a, b: a <= b),
        (lambda a, b: a * b * (1 - a), "greater", lambda a, _: a < 1),
        (lambda a, b: (a - HERE) ** 2, "greater", lambda a, b: (a - HERE) ** 2 * b >= 0),
        (lambda a, b: (a - HERE) ** 2 - TINY**2, "at-least", lambda a, b: (a - HERE) ** 2 * (1 + b) > 0),
        (lambda _, b: b - HERE, "greater", lambda a, b: (a - HERE) ** 3 * (b - HERE) > 0 and b >= HERE - TINY),
        (
            lambda a, b: (a - HERE) * (b - HERE),
            "greater",
            lambda a, b: (a - HERE) ** 2 * (b - HERE) ** 2 > 0 and a >= HERE and b >= HERE - TINY,
        ),
        (lambda a, b: Fraction(1, 16) - TINY - a * (1 - a) * b * (1 - b), "at-least", lambda a, b: a + b > 0),
        (lambda a, b: a * (1 - a) * b * (HERE - b), "at-least", lambda _, b: b <= HERE + TINY),
        (
            lambda a, b: (b - a) * (a + b - 1) * a * b + TINY * (a - b),
            "at-least",
            lambda a, b: a <= b + TINY and a + b >= 1,
        ),
    ],
)
def test_weak_facts_give_no_strict_inequality(
    computed: Callable[[Any, Any], Any], strength: str, condition: Callable[[Any, Any], Any]
) -> None:
    """Slack variables, factors that are not 0, and sums of degree 4: each claim is false at few points."""
    assert run_claim(claim(computed, strength, condition)).evidence not in ("proved", AT_SHAPES)
