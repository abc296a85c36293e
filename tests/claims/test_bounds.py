"""The least and the greatest bound of members: in every order, with an end of their own, of one name."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from rropt.claims import Anchored, Bound, Claim, Domain, Entry, Fold, Greatest, Least, Point, Value, run_claim
from rropt.claims.anchors.bounds import _root

PAIRS = Domain(
    "two numbers from 0 to 1",
    ((Fraction(1, 2), Fraction(1)), (Fraction(1), Fraction(1, 3))),
    lambda rng: (Fraction(rng.randint(1, 9), 9), Fraction(rng.randint(1, 9), 9)),
    entries={(): "0 <= x <= 1"},
)


def _members(point: Point) -> list[dict[str, Any]]:
    return [{"p": Entry("L", i)} for i in range(2)]


def _claim(
    theory: Callable[[Point], Any], bound: Least, computed: str, value: Callable[[Point], Any], says: str
) -> Claim:
    return Claim(
        id="test.bounds",
        source="a test",
        printed="bounds",
        precise="bounds",
        variables={"L": PAIRS},
        theory=lambda p: {"a": Bound(says, theory(p))},
        computed=lambda p: {"a": value(p)},
        mutant=lambda p: {"a": Bound(says, Fraction(9 if says == "at-least" else -9))},
        proof=lambda: Anchored(Value(of="a", theory=bound, computed=computed)),
    )


def test_bounds_of_members_in_every_order() -> None:
    members = [{"x": Fraction(x), "y": Fraction(y)} for x, y in ((1, 9), (1, 3), (2, 5), (4, 7))]
    ratios = [each["x"] / each["y"] for each in members]
    for order in permutations(members):
        assert _root(Greatest("x >= g*y"), order, {}) == min(ratios)
        assert _root(Least("x <= g*y"), order, {}) == max(ratios)


def test_the_floor_of_a_greatest_bound_is_above_it_and_that_of_a_least_one_below() -> None:
    """min(1/2, L) <= 1/2 is proved by the floor alone; that it is at least 1/2, which is false, is not."""

    def low(p: Point) -> Fraction:
        return min(Fraction(1, 2), *p["L"])

    def high(p: Point) -> Fraction:
        return max(Fraction(1, 2), *p["L"])

    greatest, least = Greatest("p >= g", _members, floor="1/2"), Least("p <= g", _members, floor="1/2")
    above = run_claim(_claim(low, greatest, "1/2", lambda p: Fraction(1, 2), "at-least"))
    assert above.unchecked_steps in ((), (_TRIVIAL,))  # it is the floor, restated
    below = run_claim(_claim(high, least, "1/2", lambda p: Fraction(1, 2), "at-most"))
    assert below.unchecked_steps in ((), (_TRIVIAL,))
    # the other way round each is false where the entries are beyond 1/2, here at no point of the sweep
    for bound, value, says in ((greatest, "1/3", "at-most"), (least, "2/3", "at-least")):
        side = high if says == "at-least" else low
        near = Domain(
            "two halves", ((Fraction(1, 2),) * 2,), lambda rng: (Fraction(1, 2),) * 2, entries={(): "0 <= x <= 1"}
        )
        claim = _claim(side, bound, "1/2", lambda p: Fraction(1, 2), says)
        outcome = run_claim(Claim(**{**_fields(claim), "variables": {"L": near}}))
        assert outcome.evidence == "argued", (value, outcome.anchored)
        assert "does not follow" in " ".join(outcome.unchecked_steps)


_TRIVIAL = "every certificate restates a relation, or that equal expressions are equal"


def _fields(claim: Claim) -> dict[str, Any]:
    return {name: getattr(claim, name) for name in claim.__dataclass_fields__}


@pytest.mark.parametrize("where", ["x", "y"])
def test_a_group_is_of_one_variable(where: str) -> None:
    """Entries of two variables are no group, though their places and their sum are those of one."""
    halves = Domain(
        "a distribution",
        ((Fraction(1, 2),) * 2,),
        lambda rng: (Fraction(1, 2),) * 2,
        entries={(): "x >= 0"},
        whole_groups=lambda x: [[(0,), (1,)]],
    )
    claim = Claim(
        id="test.groups",
        source="a test",
        printed="the first entry of x and the second of y sum to 1: false",
        precise="the same",
        variables={"x": halves, "y": halves},
        theory=lambda p: Fraction(1),
        computed=lambda p: p["x"][0] + p[where][1],
        mutant=lambda p: Fraction(2),
        proof=lambda: Anchored(
            Value(1, "s"),
            folds=[
                Fold(
                    lambda point, at: [{"e": Entry("x", 0)}, {"e": Entry(where, 1)}], {"s": 0}, {"s": "s + e"}, "s >= 0"
                )
            ],
        ),
    )
    outcome = run_claim(claim)
    assert ("proved" if where == "x" else "argued") in outcome.evidence, outcome.unchecked_steps
