"""Claims proved entry by entry at the shapes of their sweep: true ones are, and false ones never."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from support.row_claims import row_claim

from rropt.claims import Claim, Domain, Point, StatedBound, run_claim
from rropt.claims.outcomes import AT_SHAPES

HERE = Fraction(math.sqrt(2)) / 5
LISTS = Domain(
    "lists of numbers from 0 to 1",
    ((Fraction(1), Fraction(1, 2)), (Fraction(1, 2), Fraction(1, 3))),
    lambda rng: tuple(Fraction(rng.randint(0, 9), 9) for _ in range(rng.randint(2, 3))),
    entries={(): "0 <= x <= 1"},
)
SHARES = Domain(
    "shares that sum to 1",
    ((Fraction(1, 2), Fraction(1, 2)), (Fraction(1), Fraction(0))),
    lambda rng: (Fraction(n := rng.randint(0, 9), 9), 1 - Fraction(n, 9)),
    entries={(): "0 <= x <= 1"},
    whole_groups=lambda x: [[(i,) for i in range(len(x))]],
)


def near(x: Any) -> bool:
    """Whether x is within 1e-30 of sqrt(2)/5, which no constant of the code is."""
    return bool(abs(x - HERE) < Fraction(1, 10) ** 30)


def claim(computed: Callable[[Point], Any], **changes: Any) -> Claim:
    """A claim about lists: twice the sum."""
    parts: dict[str, Any] = {
        "variables": {"x": LISTS},
        "theory": lambda p: 2 * sum(p["x"], Fraction(0)),
        "computed": computed,
        "mutant": lambda p: 3 * sum(p["x"], Fraction(0)) + 1,
        "count": 60,
    }
    return row_claim(**(parts | changes))


def by_products(point: Point) -> Fraction:
    """Twice the sum, as (x + 1)^2 - x^2 - 1 of each entry."""
    return sum(((x + 1) ** 2 - x**2 - 1 for x in point["x"]), Fraction(0))


TRUE: dict[str, Callable[[Point], Any]] = {  # twice the sum
    "by products": by_products,
    "zeros left out, a branch for each entry": lambda p: sum((2 * x for x in p["x"] if x), Fraction(0)),
    "by absolute values": lambda p: sum((x + abs(x) for x in p["x"]), Fraction(0)),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_claims_are_proved_at_the_shapes(name: str) -> None:
    outcome = run_claim(claim(TRUE[name]))
    assert (outcome.verdict, outcome.evidence) == ("holds", AT_SHAPES), outcome.unchecked_steps
    assert "2 shapes with x of size 2, 3" in outcome.scope


def test_shares_that_sum_to_1() -> None:
    told = claim(
        lambda p: 1 + p["x"][0] ** 2 - p["x"][0] ** 2,
        variables={"x": SHARES},
        theory=lambda p: sum(p["x"], Fraction(0)),
        mutant=lambda p: Fraction(2),
    )
    outcome = run_claim(told)
    assert outcome.verdict == "holds"
    assert outcome.evidence == AT_SHAPES


def hidden_error(point: Point) -> Fraction:
    if near(point["x"][1]):
        raise ValueError("nothing")
    return by_products(point)


def by_order(point: Point) -> Any:
    x = sorted([*point["x"], HERE])
    return by_products(point) + (1 if x.index(HERE) != x[::-1].index(HERE) and near(x[0]) else 0)


FALSE: dict[str, Callable[[Point], Any]] = {
    "a hidden value": lambda p: by_products(p) + (1 if near(p["x"][0]) else 0),
    "a hidden error": hidden_error,
    "a hidden infinity": lambda p: math.inf if near(p["x"][0]) else by_products(p),
    "a hidden part": lambda p: {"a": 1} if near(p["x"][0]) else by_products(p),
    "hidden in a largest": lambda p: by_products(p) + max(Fraction(0), Fraction(1, 10) ** 30 - abs(p["x"][0] - HERE)),
    "by order": by_order,
}


@pytest.mark.parametrize("name", FALSE)
def test_false_claims_are_not_proved(name: str) -> None:
    assert run_claim(claim(FALSE[name])).evidence not in ("proved", AT_SHAPES)


PAIRS = Domain(
    "pairs of numbers from 0 to 1",
    ((Fraction(0), Fraction(1)), (Fraction(1, 3), Fraction(1, 2))),
    lambda rng: (Fraction(rng.randint(0, 97), 97), Fraction(rng.randint(0, 89), 89)),
    entries={(): "0 <= x <= 1"},
)
NESTED = Domain(
    "a dict with two entries whose paths make one name",
    ({"a_b": Fraction(1, 3), "a": {"b": Fraction(1, 5)}}, {"a_b": Fraction(0), "a": {"b": Fraction(1)}}),
    lambda rng: {"a_b": Fraction(rng.randint(0, 97), 97), "a": {"b": Fraction(rng.randint(0, 89), 89)}},
    entries={(): "0 <= x <= 1"},
)
UNIT = Domain.interval("a number from 0 to 1", 0, 1)


def _twice(point: Point) -> Fraction:
    """2 x[0], and 1 more where another number is smaller than it by a little and positive."""
    x, other = point["x"][0], point["x_0"]
    return 2 * x + (1 if x != other and 0 < x - other < HERE / 10**30 else 0)


def _twice_of_keys(point: Point) -> Fraction:
    x, other = point["x"]["a_b"], point["x"]["a"]["b"]
    return 2 * x + (1 if x != other and 0 < x - other < HERE / 10**30 else 0)


def _twice_of_largest(point: Point) -> Fraction:
    """The same where a maximum that is named like the other number is 0 or more."""
    x, other = point["x"][0], point["largest_0"]
    if max(x, point["x"][1]) < 0:
        return 2 * x
    return 2 * x + (1 if other < x and 3 * other + x < HERE / 10**30 * point["x"][1] else 0)


ALIKE: list[tuple[Callable[[Point], Fraction], dict[str, Domain], tuple[Any, ...]]] = [
    (_twice, {"x": PAIRS, "x_0": UNIT}, (0,)),
    (_twice_of_keys, {"x": NESTED}, ("a_b",)),
    (_twice_of_largest, {"x": PAIRS, "largest_0": UNIT}, (0,)),
]


@pytest.mark.parametrize(("theory", "variables", "path"), ALIKE, ids=lambda f: getattr(f, "__name__", ""))
def test_entries_of_one_name_do_not_count_as_equal(
    theory: Callable[[Point], Fraction], variables: dict[str, Domain], path: tuple[Any, ...]
) -> None:
    """The statement is false only where two numbers differ by 10^-30, which are one symbol if names are all."""
    told = claim(
        lambda p: (p["x"][path[0]] + 1) ** 2 - p["x"][path[0]] ** 2 - 1,
        theory=theory,
        variables=variables,
        mutant=lambda p: Fraction(-7),
    )
    assert run_claim(told).evidence not in ("proved", AT_SHAPES)


LOW = tuple((Fraction(n, 9), Fraction(m, 9)) for n in range(5, 9) for m in range(5))
LYING: dict[str, dict[str, Any]] = {
    "groups that do not sum to 1": {
        "variables": {"x": replace(LISTS, whole_groups=lambda x: [[(i,) for i in range(len(x))]])},
        "theory": lambda p: sum(p["x"], Fraction(0)) * 2 if sum(p["x"]) == 1 else 2 * sum(p["x"], Fraction(0)),
    },
    "entries that are larger": {
        "variables": {"x": replace(LISTS, entries={(): "0 <= x <= 1/2"})},
    },
    "the largest is the first on the sweep": {
        "variables": {"x": replace(LISTS, boundary=LOW, draw=lambda rng: rng.choice(LOW))},
        "theory": lambda p: max(p["x"]),
        "computed": lambda p: p["x"][0],
    },
    "another kind of bound where nobody looks": {
        "theory": lambda p: StatedBound("at-most", Fraction(99)) if near(p["x"][0]) else 2 * sum(p["x"], Fraction(0)),
        "computed": lambda p: Fraction(7) if near(p["x"][0]) else by_products(p),
    },
    "whole numbers alone": {
        "variables": {"x": Domain("lists", ((1, 2), (2, 1)), lambda rng: (rng.randint(1, 60), rng.randint(1, 60)))},
        "computed": lambda p: by_products(p) + (1 if p["x"][0] % 101 == 97 else 0),
    },
    "a strict bound that is attained": {
        "theory": lambda p: StatedBound("greater", 2 * sum(p["x"], Fraction(0)) - max(p["x"]) * 3),
        "computed": lambda p: -max(p["x"]) + 2 * sum(p["x"], Fraction(0)) - 2 * min(p["x"]),
        "variables": {"x": replace(LISTS, boundary=LOW, draw=lambda rng: rng.choice(LOW))},
    },
}


@pytest.mark.parametrize("name", LYING)
def test_claims_that_lie_about_their_points_are_not_proved(name: str) -> None:
    lying = claim(**({"computed": by_products} | LYING[name]))
    assert run_claim(lying).evidence not in ("proved", AT_SHAPES)
