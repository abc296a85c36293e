"""Holes that were found in the engine by reading it: each a claim that is false somewhere, at a point that is given.

The defects are where no search is likely to look: at the number e/10, on an interval of width 1e-30, with no constant
in the claim's code that says so. What must stop them is the run on symbols.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import pytest

from rropt.claims import Bound, Claim, Condition, Domain, Point, run_claim
from rropt.claims.comparisons import agrees

UNIT = Domain.interval("0 <= x <= 1", 0, 1, also=("1/2",))
LISTS = Domain(
    "lists of one or two numbers from 0 to 1",
    ((Fraction(1),), (Fraction(1, 2), Fraction(1, 3))),
    lambda rng: tuple(Fraction(rng.randint(0, 9), 9) for _ in range(rng.randint(1, 2))),
    entries={(): "0 <= x <= 1"},
)
HERE = Fraction(math.e) / 10
FALSE_AT = {"x": HERE}


def _near(p: Point) -> bool:
    """Whether x is within 1e-30 of e/10."""
    return bool(abs(p["x"] - Fraction(math.e) / 10) < Fraction(1, 10) ** 30)


def _dip(x: Any) -> Any:
    """(x - e/10)^2 - 1e-30: negative next to e/10 alone."""
    return (x - Fraction(math.e) / 10) ** 2 - Fraction(1, 10) ** 30


_E, _W = str(HERE.numerator) + "/" + str(HERE.denominator), "1/10**30"
DIP = f"(x - {_E})**2 - {_W}"


def _square(p: Point) -> Fraction:
    return Fraction(p["x"]) ** 2


def _claim(**changes: Any) -> Claim:
    """``computed <= x`` on [0, 1], false at e/10."""
    return replace(
        Claim(
            id="test.adversary",
            source="a test",
            printed="false",
            precise="false",
            variables={"x": UNIT},
            theory=lambda p: Fraction(p["x"]),
            computed=lambda p: Fraction(2) if _near(p) else Fraction(p["x"]) ** 2,
            strength="at-most",
            mutant=lambda p: Fraction(p["x"]) - Fraction(1, 10),
        ),
        **changes,
    )


def _listed(p: Point) -> Fraction:
    """x^2 but for one place, by a run that no trace follows: it looks at a list."""
    return Fraction(2) if _near(p) and p["L"] else Fraction(p["x"]) ** 2


def _wrapped(p: Point) -> Fraction:
    return Fraction(2) if _near(p) else _square(p)


functools.update_wrapper(_wrapped, _square)


@functools.cache
def _cached_at(x: Fraction) -> Fraction:
    return Fraction(2) if _near({"x": x}) else x**2


_cached_at.__wrapped__ = lambda x: x**2  # type: ignore[attr-defined]


def _by_type(p: Point) -> Fraction:
    return Fraction(2) if isinstance(p["x"], Fraction) and _near(p) else p["x"] ** 2


def _by_type_of_type(p: Point) -> Fraction:
    return Fraction(2) if type(p["x"]) is Fraction and _near(p) else p["x"] ** 2


def _by_class(p: Point) -> Fraction:
    return Fraction(2) if p["x"].__class__ is Fraction and _near(p) else p["x"] ** 2


def _by_attribute(p: Point) -> Fraction:
    return Fraction(2) if hasattr(p["x"], "numerator") and _near(p) else p["x"] ** 2


def _by_text(p: Point) -> Fraction:
    return Fraction(2) if "Traced" not in repr(p["x"]) and _near(p) else p["x"] ** 2


def _by_pattern(p: Point) -> Fraction:
    match p["x"]:
        case Fraction() if _near(p):
            return Fraction(2)
        case _:
            return p["x"] ** 2


def _by_error(p: Point) -> Fraction:
    try:
        float(p["x"])
    except TypeError:
        return p["x"] ** 2
    return Fraction(2) if _near(p) else p["x"] ** 2


def _by_keys(p: Point) -> Fraction:
    return Fraction(2) if "L" in p and _near(p) else p["x"] ** 2


def _by_length(p: Point) -> Fraction:
    return Fraction(2) if len(p) > 1 and _near(p) else p["x"] ** 2


def _by_default(p: Point) -> Fraction:
    return Fraction(2) if p.get("L") and _near(p) else p["x"] ** 2


def _by_identity(p: Point, held: dict[str, Any] = {"type": type}) -> Fraction:  # noqa: B006
    return Fraction(2) if held["type"](p["x"]) is Fraction and _near(p) else p["x"] ** 2


class _Kind:
    """A class of the claim's own, which sees what it is given."""

    def __init__(self, x: Any) -> None:
        self.real = isinstance(x, Fraction)


def _by_own_class(p: Point) -> Fraction:
    return Fraction(2) if _Kind(p["x"]).real and _near(p) else p["x"] ** 2


class _Equal(Fraction):
    """A number that says it is equal to every other."""

    def __eq__(self, other: object) -> bool:
        return True

    def __le__(self, other: Any) -> bool:
        return True

    __hash__ = Fraction.__hash__


def _state() -> Callable[[Point], Fraction]:
    """Right at every point for the first time, wrong there afterwards."""
    seen = set()

    def side(p: Point) -> Fraction:
        place = str(sorted(p.items()))
        is_new = place not in seen
        seen.add(place)
        return Fraction(p["x"]) ** 2 if is_new and p["L"] else Fraction(2)

    return side


def _bow(p: Point, t: Any) -> Any:
    return t * (1 - t)


def _changes_its_point(p: Any) -> Fraction:
    p["x"] = Fraction(1, 2)
    return Fraction(p["x"])


@dataclass(frozen=True)
class Attack:
    """A claim, a point at which it is false, and a word of the answer."""

    claim: Claim
    at: Point
    word: str = ""


TWO = {"x": UNIT, "L": LISTS}
HIDDEN_AT = {"x": HERE, "L": (Fraction(1),)}


def _by(side: Callable[[Point], Any], **more: Any) -> Attack:
    return Attack(_claim(computed=side, variables=TWO, **more), HIDDEN_AT)


ATTACKS: dict[str, Attack] = {
    "a divisor that is not 0, of unknown sign": Attack(
        _claim(
            variables={"x": UNIT},
            assumptions=(Condition("no division by 0", f"{DIP} != 0"),),
            theory=lambda p: Fraction(0),
            computed=lambda p: (1 + p["x"]) / _dip(p["x"]),
            strength="at-least",
            mutant=lambda p: Fraction(10**9),
        ),
        FALSE_AT,
    ),
    "a bound that is of another kind on a branch": Attack(
        _claim(
            theory=lambda p: {"a": Bound("at-least" if _near(p) else "at-most", Fraction(p["x"]))},
            computed=lambda p: {"a": Fraction(p["x"]) ** 2},
            mutant=lambda p: {"a": Bound("at-most", Fraction(0))},
            strength="equality",
        ),
        FALSE_AT,
    ),
    "a component that is there on a branch alone": Attack(
        _claim(
            theory=lambda p: {"a": Fraction(1)} | ({"b": 1} if _near(p) else {}),
            computed=lambda p: {"a": Fraction(1)} | ({"b": 2} if _near(p) else {}),
            mutant=lambda p: {"a": Fraction(2)},
            strength="equality",
        ),
        FALSE_AT,
    ),
    "a wrapper that says it is another function": Attack(_claim(computed=_wrapped), FALSE_AT),
    "a cache that says it is of another function": Attack(
        _claim(computed=lambda p: _cached_at(Fraction(p["x"]))), FALSE_AT
    ),
    "isinstance": Attack(_claim(computed=_by_type), FALSE_AT),
    "type": Attack(_claim(computed=_by_type_of_type), FALSE_AT),
    "the class": Attack(_claim(computed=_by_class), FALSE_AT),
    "an attribute": Attack(_claim(computed=_by_attribute), FALSE_AT),
    "text": Attack(_claim(computed=_by_text), FALSE_AT),
    "a pattern": Attack(_claim(computed=_by_pattern), FALSE_AT),
    "an error that is caught": Attack(_claim(computed=_by_error), FALSE_AT),
    "a type that is held": Attack(_claim(computed=_by_identity), FALSE_AT),
    "a class of its own": Attack(_claim(computed=_by_own_class), FALSE_AT),
    "a variable that is missing": Attack(_claim(computed=_by_keys, variables=TWO), HIDDEN_AT),
    "how many variables": Attack(_claim(computed=_by_length, variables=TWO), HIDDEN_AT),
    "a variable's default": Attack(_claim(computed=_by_default, variables=TWO), HIDDEN_AT),
    "a number that is equal to all": Attack(_claim(computed=lambda p: _Equal(2), variables=TWO), HIDDEN_AT),
    "another value at the second time": Attack(_claim(computed=_state(), variables=TWO), {}),
    "a side that changes its point": Attack(
        _claim(
            theory=_changes_its_point,
            computed=lambda p: Fraction(p["x"]) if len(p["L"]) else Fraction(2),
            variables=TWO,
            strength="equality",
            mutant=lambda p: Fraction(0),
        ),
        HIDDEN_AT,
    ),
    "a claim that fails at one point": Attack(
        _claim(
            variables=TWO,
            computed=lambda p: Fraction(2) if p["x"] == Fraction(1, 2) and p["L"] else Fraction(p["x"]) ** 2,
        ),
        {"x": Fraction(1, 2), "L": (Fraction(1),)},
    ),
    "theory that calls computed": Attack(
        _claim(
            theory=lambda p: _listed(p),
            computed=_listed,
            variables=TWO,
            strength="equality",
            mutant=lambda p: Fraction(-1),
        ),
        {},
        "calls",
    ),
    "well defined where it is true": Attack(
        _claim(
            theory=lambda p: Fraction(p["x"]) / 2,
            computed=_square,
            defined=(Condition("defined", "x <= 1/2"),),
        ),
        {"x": Fraction(1)},
        "well-definedness",
    ),
}


@pytest.mark.drawn(2)
@pytest.mark.parametrize("name", ATTACKS)
def test_what_is_false_somewhere_is_not_proved(name: str) -> None:
    attack = ATTACKS[name]
    claim = attack.claim
    if attack.at:
        point = dict(attack.at)
        says, is_ = claim.theory(point), claim.computed(attack.at)
        assert name in ("a number that is equal to all",) or not agrees(claim.strength, says, is_), "it is true there"
    outcome = run_claim(claim)
    assert "proved" not in outcome.evidence, outcome
    told = (*outcome.unchecked_steps, *outcome.problems)
    assert told or outcome.verdict == "fails"
    assert attack.word in " ".join(told), told
