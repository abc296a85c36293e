"""Holes that were found in the engine by reading it: each a claim that is false somewhere, at a point that is given.

The defects are where no search is likely to look: at the number e/10, on an interval of width 1e-30, with no constant
in the claim's code that says so. What must stop them is the proof.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import pytest

from rropt.claims import (
    Anchored,
    ArgMin,
    ArgMinEnds,
    Bound,
    Claim,
    Condition,
    Domain,
    Entry,
    Exp,
    Fold,
    Least,
    Max,
    Point,
    Truth,
    Value,
    run_claim,
)
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


def _one(point: Point, at: Any) -> list[dict[str, Any]]:
    return [{"e": Entry("L", 0)}]


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


def _family(point: Point) -> list[dict[str, Any]]:
    return [{"w": Fraction(1), "q": Entry("L", 0)}]


@dataclass(frozen=True)
class Attack:
    """A claim, a point at which it is false, and a word of the answer."""

    claim: Claim
    at: Point
    word: str = ""


def _proof(*shapes: Any, **parts: Any) -> Callable[[], Anchored]:
    return lambda: Anchored(*shapes, **parts)


TWO = {"x": UNIT, "L": LISTS}
HIDDEN_AT = {"x": HERE, "L": (Fraction(1),)}


def _by(side: Callable[[Point], Any], **more: Any) -> Attack:
    return Attack(_claim(computed=side, variables=TWO, proof=_proof(Value(computed="x**2")), **more), HIDDEN_AT)


ATTACKS: dict[str, Attack] = {
    "a divisor that is not 0, of unknown sign": Attack(
        _claim(
            variables={"x": UNIT},
            assumptions=(Condition("no division by 0", f"{DIP} != 0"),),
            theory=lambda p: Fraction(0),
            computed=lambda p: (1 + p["x"]) / _dip(p["x"]),
            strength="at-least",
            mutant=lambda p: Fraction(10**9),
            proof=_proof(Value()),
        ),
        FALSE_AT,
        "sign",
    ),
    "a number that differs from itself": Attack(
        _claim(proof=_proof(Value(computed="x**2"), folds=[Fold(_one, {"y": 0}, {"y": "y"}, "y != y")]), variables=TWO),
        HIDDEN_AT,
    ),
    "an extreme in the place of an expression hides a branch": Attack(
        _claim(proof=_proof(Value(computed=Max("x**2", "x**2")))), FALSE_AT, "branch"
    ),
    "a least bound in the place of an expression hides a branch": Attack(
        _claim(proof=_proof(Value(computed=Least("x**2 <= g")))), FALSE_AT, "branch"
    ),
    "a truth value hides a branch": Attack(
        _claim(
            theory=lambda p: p["x"] <= Fraction(1, 2),
            computed=lambda p: p["x"] <= Fraction(1, 2) and not _near(p),
            strength="iff",
            mutant=lambda p: True,
            proof=_proof(Truth("x <= 1/2", "2*x <= 1")),
        ),
        FALSE_AT,
        "branch",
    ),
    "a bound that is of another kind on a branch": Attack(
        _claim(
            theory=lambda p: {"a": Bound("at-least" if _near(p) else "at-most", Fraction(p["x"]))},
            computed=lambda p: {"a": Fraction(p["x"]) ** 2},
            mutant=lambda p: {"a": Bound("at-most", Fraction(0))},
            strength="equality",
            proof=_proof(Value(of="a")),
        ),
        FALSE_AT,
        "branch",
    ),
    "a component that is there on a branch alone": Attack(
        _claim(
            theory=lambda p: {"a": Fraction(1)} | ({"b": 1} if _near(p) else {}),
            computed=lambda p: {"a": Fraction(1)} | ({"b": 2} if _near(p) else {}),
            mutant=lambda p: {"a": Fraction(2)},
            strength="equality",
            proof=_proof(Value(of="a")),
        ),
        FALSE_AT,
        "branch",
    ),
    "an extreme compared as printed": Attack(
        _claim(
            theory=lambda p: Fraction(p["x"]) ** 2,
            computed=_listed,
            variables=TWO,
            strength="as-printed",
            mutant=lambda p: Fraction(2),
            proof=_proof(Value("x**2", Max("x**2", "x**2 - 1"))),
        ),
        HIDDEN_AT,
        "compare",
    ),
    "truth values compared as printed": Attack(
        _claim(
            theory=lambda p: p["x"] <= Fraction(1, 2),
            computed=lambda p: p["x"] <= Fraction(1, 2) and _dip(p["x"]) > 0,
            strength="as-printed",
            mutant=lambda p: True,
            proof=_proof(Truth("x <= 1/2", ("2*x <= 1", f"{DIP} > 0"))),
        ),
        FALSE_AT,
        "compare",
    ),
    "a wrapper that says it is another function": Attack(_claim(computed=_wrapped, proof=_proof(Value())), FALSE_AT),
    "a cache that says it is of another function": Attack(
        _claim(computed=lambda p: _cached_at(Fraction(p["x"])), proof=_proof(Value())), FALSE_AT
    ),
    "isinstance": Attack(_claim(computed=_by_type, proof=_proof(Value())), FALSE_AT),
    "type": Attack(_claim(computed=_by_type_of_type, proof=_proof(Value())), FALSE_AT),
    "the class": Attack(_claim(computed=_by_class, proof=_proof(Value())), FALSE_AT),
    "an attribute": Attack(_claim(computed=_by_attribute, proof=_proof(Value())), FALSE_AT),
    "text": Attack(_claim(computed=_by_text, proof=_proof(Value())), FALSE_AT),
    "a pattern": Attack(_claim(computed=_by_pattern, proof=_proof(Value())), FALSE_AT),
    "an error that is caught": Attack(_claim(computed=_by_error, proof=_proof(Value())), FALSE_AT),
    "a type that is held": Attack(_claim(computed=_by_identity, proof=_proof(Value())), FALSE_AT),
    "a class of its own": Attack(_claim(computed=_by_own_class, proof=_proof(Value())), FALSE_AT),
    "a variable that is missing": Attack(_claim(computed=_by_keys, variables=TWO, proof=_proof(Value())), HIDDEN_AT),
    "how many variables": Attack(_claim(computed=_by_length, variables=TWO, proof=_proof(Value())), HIDDEN_AT),
    "a variable's default": Attack(_claim(computed=_by_default, variables=TWO, proof=_proof(Value())), HIDDEN_AT),
    "a number that is equal to all": Attack(
        _claim(computed=lambda p: _Equal(2), variables=TWO, proof=_proof(Value("x", "x**2"))), HIDDEN_AT, "number"
    ),
    "another value at the second time": Attack(
        _claim(computed=_state(), variables=TWO, proof=_proof(Value(computed="x**2"))), {}, "second"
    ),
    "a side that changes its point": Attack(
        _claim(
            theory=_changes_its_point,
            computed=lambda p: Fraction(p["x"]) if len(p["L"]) else Fraction(2),
            variables=TWO,
            strength="equality",
            mutant=lambda p: Fraction(0),
            proof=_proof(Value("1/2", "x", where="x >= 0")),
        ),
        HIDDEN_AT,
    ),
    "a bound variable without values, whose domain is empty": Attack(
        _claim(
            bound={"q": Domain("no number", (), relation="x >= 1 and x <= 0")},
            variables=TWO,
            computed=_listed,
            proof=_proof(Value(computed="x**2", where="x >= 1/3")),
        ),
        HIDDEN_AT,
        "value",
    ),
    "a bound variable with the name of a free one": Attack(
        _claim(
            bound={"x": UNIT},
            variables=TWO,
            theory=lambda p: Fraction(p["x"]) ** 2 if len(p["L"]) else 2,
            computed=_listed,
            mutant=lambda p: Fraction(-1),
            proof=_proof(Value("x", "x"), at=lambda p: {"x": p["x"] ** 2}),
        ),
        HIDDEN_AT,
        "name",
    ),
    "a state that overwrites a variable": Attack(
        _claim(
            variables=TWO,
            theory=lambda p: Fraction(0),
            computed=lambda p: _dip(p["x"]) if p["L"] else 0,
            strength="at-least",
            mutant=lambda p: Fraction(2),
            proof=_proof(Value(0, "x"), folds=[Fold(_one, {"n": 0}, {"n": "n + 1", "x": DIP}, "n >= 0")]),
        ),
        HIDDEN_AT,
        "names",
    ),
    "a state with a reserved name": Attack(
        _claim(
            variables=TWO, computed=_listed, proof=_proof(Value(), folds=[Fold(_one, {"g": 0}, {"g": "g"}, "g>=0")])
        ),
        HIDDEN_AT,
        "taken",
    ),
    "a variable with a reserved name": Attack(
        _claim(
            variables={"x": UNIT, "L": LISTS, "count": Domain.whole("count", 0, 5)},
            theory=lambda p: Fraction(6),
            computed=lambda p: Fraction(len(p["L"])),
            mutant=lambda p: Fraction(0),
            proof=_proof(
                Value(6, "n"),
                folds=[
                    Fold(
                        lambda point, at: [{} for _ in point["L"]],
                        {"n": 0},
                        {"n": "n + 1"},
                        ("n == count", "n <= 6"),
                    )
                ],
            ),
        ),
        {"x": HERE, "L": (Fraction(1),) * 7, "count": 0},
        "taken",
    ),
    "an element with the name of an inner state": Attack(
        _claim(
            variables=TWO,
            theory=lambda p: Fraction(len(p["L"])),
            computed=lambda p: sum(1 if _near(p) else x for x in p["L"]) + _near(p),
            mutant=lambda p: Fraction(-1),
            proof=_proof(
                Value("n", "s"),
                folds=[
                    Fold(
                        lambda point, at: [{"m": Entry("L", i)} for i in range(len(point["L"]))],
                        {"n": 0, "s": 0},
                        {"n": "n + 1", "s": "s + m"},
                        "s <= n",
                        inner=Fold(
                            lambda point, at, element: [{"e": element["m"]}],
                            {"m": 0},
                            {"m": "m + e"},
                            "m >= 0",
                        ),
                    )
                ],
            ),
        ),
        {"x": HERE, "L": (Fraction(1),)},
        "taken",
    ),
    "a case that looks at the state in the middle": Attack(
        _claim(
            variables={
                "L": Domain(
                    "lists of numbers from -1 to 1",
                    ((Fraction(1), Fraction(1, 2)), (Fraction(0),)),
                    lambda rng: tuple(Fraction(rng.randint(0, 9), 9) for _ in range(rng.randint(2, 4))),
                    entries={(): "-1 <= x <= 1"},
                )
            },
            theory=lambda p: Fraction(0),
            computed=lambda p: sum(p["L"][:-1], Fraction(0)) if p["L"][-1] >= 0 else Fraction(0),
            strength="at-least",
            mutant=lambda p: Fraction(1),
            proof=_proof(
                Value(0, "m", where="y >= 0"),
                Value(0, 0, where="y < 0"),
                folds=[
                    Fold(
                        lambda point, at: [{"e": Entry("L", i)} for i in range(len(point["L"]))],
                        {"y": 0, "m": 0},
                        {"y": "e", "m": "m + y"},
                        "m >= 0",
                        where="y >= 0",
                    )
                ],
            ),
        ),
        {"L": (Fraction(-1), Fraction(1))},
    ),
    "an exponential at one point, a number at others": Attack(
        _claim(
            variables=TWO,
            theory=lambda p: 1 + p["x"],
            computed=lambda p: Fraction(0) if _near(p) and p["L"] else Fraction(3),
            strength="at-least",
            mutant=lambda p: Fraction(4),
            proof=_proof(Value("1 + x", "e"), at=lambda p: {"e": Fraction(3) if p["x"] else Exp("x")}),
        ),
        HIDDEN_AT,
    ),
    "two bounds with one name": Attack(
        _claim(
            variables=TWO,
            theory=lambda p: {"a": max(p["L"]), "b": Fraction(1)},
            computed=lambda p: {"a": max(p["L"]), "b": 1 - _near(p) * Fraction(1, 2)},
            mutant=lambda p: {"a": Fraction(-1), "b": Fraction(0)},
            strength="equality",
            proof=_proof(
                Value(of="a", theory=Least("p <= g", lambda p: [{"p": Entry("L", i)} for i in range(len(p["L"]))])),
                Value(of="b", theory=Least("r <= g", lambda p: [{"r": 1}], floor=1), computed=1),
            ),
        ),
        HIDDEN_AT,
    ),
    "points without an instance": Attack(
        _claim(
            variables=TWO,
            theory=lambda p: Fraction(p["x"]),
            computed=lambda p: Fraction(2) if _near(p) and p["L"] else Fraction(p["x"]) * (1 - p["x"]),
            proof=_proof(Value("x", "0"), at=lambda p: [] if 0 < p["x"] < 1 else {"q": Fraction(1)}),
        ),
        HIDDEN_AT,
        "instance",
    ),
    "minimisers that are ends, for an equality": Attack(
        _claim(
            theory=lambda p: frozenset({Fraction(0), Fraction(1)}),
            computed=lambda p: frozenset(
                t for t in (Fraction(0), Fraction(1)) if _bow(p, t) == 0 and not (_near(p) and t)
            ),
            strength="unique",
            mutant=lambda p: frozenset(),
            proof=_proof(ArgMinEnds("t*(1 - t)", "t", 0, 1, "1 - t", _bow)),
        ),
        FALSE_AT,
        "contained",
    ),
    "the members of another claim": Attack(
        _claim(
            theory=lambda p: frozenset({(Fraction(0),)}),
            computed=lambda p: frozenset({(Fraction(_near(p)),)}),
            mutant=lambda p: frozenset({(Fraction(1),)}),
            strength="unique",
            proof=_proof(
                ArgMin("a", "a >= 0", {"a": 0}, lambda p, a: a >= 0, lambda p, a: a, "a >= 0"),
            ),
        ),
        FALSE_AT,
        "branch",
    ),
    "a claim that fails, with a proof from the points that agree": Attack(
        _claim(
            variables=TWO,
            computed=lambda p: Fraction(2) if p["x"] == Fraction(1, 2) and p["L"] else Fraction(p["x"]) ** 2,
            proof=_proof(Value(computed="x**2")),
        ),
        {"x": Fraction(1, 2), "L": (Fraction(1),)},
    ),
    "a family told by a plain number": Attack(
        _claim(
            variables=TWO,
            theory=lambda p: Fraction(p["L"][0]),
            computed=lambda p: Fraction(2) if _near(p) else Fraction(p["L"][0]),
            mutant=lambda p: Fraction(-1),
            proof=_proof(
                Value(Least("w*q <= g", _family), "z"),
                folds=[
                    Fold(
                        lambda point, at: [{"w": Fraction(1), "q": Entry("L", 0)}],
                        {"z": 0},
                        {"z": "w*q"},
                        "z <= theory",
                        family=True,
                    )
                ],
            ),
        ),
        HIDDEN_AT,
    ),
    "theory that calls computed": Attack(
        _claim(
            theory=lambda p: _listed(p),
            computed=_listed,
            variables=TWO,
            strength="equality",
            mutant=lambda p: Fraction(-1),
            proof=_proof(Value("x**2", "x**2")),
        ),
        {},
        "calls",
    ),
    "well defined where it is true": Attack(
        _claim(
            theory=lambda p: Fraction(p["x"]) / 2,
            computed=_square,
            defined=(Condition("defined", "x <= 1/2"),),
            proof=_proof(Value()),
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
    assert told
    assert attack.word in " ".join(told), told
