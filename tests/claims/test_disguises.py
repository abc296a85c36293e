"""Disguises found by a second reading of the engine: false claims that were ``proved``, scopes that were too wide.

Every claim is false, or undefined, at sqrt(2)/5 alone, which no sweep meets.
"""

# ruff: noqa: SIM118, RUF015  # what is read is the view

from __future__ import annotations

import builtins
import math
import sys
import types
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp

from rropt.claims import Claim, Condition, Domain, Point, exact_cache, run_claim
from rropt.claims.outcomes import AT_SHAPES
from rropt.claims.relations import Relation, expression, relations
from rropt.core.errors import InvalidParameterError

pytestmark = [pytest.mark.filterwarnings("ignore:.*not callable:SyntaxWarning")]
UNIT = Domain.interval("0 <= x <= 1", 0, 1, also=("1/2",))
WHOLE = Domain("a whole number", (0, 1, 2, 3), lambda rng: rng.randint(0, 200), "x >= 0")


def _unit(rng: Any) -> dict[str, Fraction]:
    return {"a": Fraction(rng.randint(0, 97), 97)}


DICTS = Domain(
    "a number", ({"a": Fraction(0)}, {"a": Fraction(1, 3)}, {"a": Fraction(1)}), _unit, entries={(): "0 <= x <= 1"}
)


def _near(x: Any) -> bool:
    return bool(abs(x - Fraction(math.sqrt(2)) / 5) < Fraction(1, 10) ** 30)


def _here() -> Fraction:
    return Fraction(math.sqrt(2)) / 5


def _claim(computed: Callable[[Point], Any], **changes: Any) -> Claim:
    """Return the claim that ``computed``, which is x**2 but at one point, is at most x on [0, 1]."""
    parts: dict[str, Any] = {
        "theory": lambda p: Fraction(p["x"]),
        "variables": {"x": UNIT},
        "strength": "at-most",
        "mutant": lambda p: Fraction(p["x"]) - Fraction(1, 10),
    }
    return Claim(
        id="test.disguise", source="a test", printed="false", precise="false", computed=computed, **{**parts, **changes}
    )


def _entrywise(value: Callable[[Any], Any], domain: Domain = DICTS, **changes: Any) -> Claim:
    """Return the claim that a function of an entry is at least 0; only its run on symbols can prove it."""
    return _claim(
        lambda p: value(p["d"]),
        **{
            "theory": lambda p: Fraction(0),
            "variables": {"d": domain},
            "strength": "at-least",
            "mutant": lambda p: Fraction(99),
        }
        | changes,
    )


def _disguised(tells: Callable[[Point], Any]) -> Callable[[Point], Any]:
    def computed(p: Point) -> Any:
        x = p["x"]
        if tells(p):  # numbers
            return Fraction(2) if _near(x) else x**2
        return x**2

    return computed


def _evil(x: Any) -> Any:
    return Fraction(2) if _near(x) else builtins.abs(x)


def _defined(code: str, names: dict[str, Any]) -> Any:
    """Return the function that a text defines with global names of its own."""
    (compiled,) = (part for part in compile(code, "a text", "exec").co_consts if isinstance(part, types.CodeType))
    return types.FunctionType(compiled, names, "computed")


class _Names(dict[str, Any]):
    def __missing__(self, name: str) -> Any:
        if name == "abs":
            return _evil
        raise KeyError(name)


class _Module(types.ModuleType):
    def __getattribute__(self, name: str) -> Any:
        asks = "white_list" in sys._getframe(1).f_code.co_filename
        return (Fraction if asks else _evil) if name == "Fraction" else super().__getattribute__(name)


class _Dict(dict[str, Any]):
    def get(self, key: str, default: Any = None) -> Any:
        value = dict.get(self, key, default)
        return Fraction(-1) if _near(value) else value


ABS = "def computed(p):\n    return abs(p['x']) ** 2"
OWN_BUILTINS = {"__builtins__": {**vars(builtins), "abs": _evil}, "__name__": __name__}
MODULE = _Module("fractions")


def _with_types() -> Any:
    """Return a function whose constants are types, which no compiler writes."""
    text = ABS.replace(
        "return abs(p['x']) ** 2", "x = p['x']\n    return 2 if 'KIND'(x) == 'OF' and near(x) else x ** 2"
    )
    function = _defined(text, {"__builtins__": vars(builtins), "near": _near, "__name__": __name__})
    kinds = {"KIND": type, "OF": Fraction}
    constants = tuple(kinds.get(part, part) for part in function.__code__.co_consts)
    function.__code__ = function.__code__.replace(co_consts=constants)
    return function


@exact_cache
def _first(listed: Any) -> Any:
    return listed[0]


def _groups(value: Any) -> list[list[tuple[str]]]:
    return [[("a",), ("b",)]] if value["a"] + value["b"] == 1 else []


SOME_GROUPS = Domain(
    "two numbers",
    ({"a": Fraction(1, 2), "b": Fraction(1, 2)}, {"a": Fraction(1, 3), "b": Fraction(1, 5)}),
    lambda rng: {"a": Fraction(rng.randint(0, 97), 97), "b": Fraction(rng.randint(0, 89), 89)},
    entries={(): "0 <= x <= 1"},
    whole_groups=_groups,
)
OWN_DICTS = Domain(
    "a number",
    (_Dict(a=Fraction(0)), _Dict(a=Fraction(1, 3)), _Dict(a=Fraction(1))),
    lambda rng: _Dict(_unit(rng)),
    entries={(): "0 <= x <= 1"},
)
ALWAYS = Condition("always", lambda p: p.keys() == {"d"})

DISGUISES: dict[str, Callable[[], Claim]] = {
    "identity with a value or None": lambda: _claim(
        _disguised(lambda p: (p["n"] + 0) is (p["n"] + 0 or None)), variables={"x": UNIT, "n": WHOLE}
    ),
    "identity of a maximum": lambda: _entrywise(
        lambda d: Fraction(-1) if max(d["a"], Fraction(0)) is (d["a"] or None) and _near(d["a"]) else d["a"]
    ),
    "the names as a set": lambda: _claim(_disguised(lambda p: p.keys() == {"x"})),
    "the items as a set": lambda: _claim(_disguised(lambda p: p.items() == p.items())),
    "the text of an iterator": lambda: _claim(_disguised(lambda p: "dict" in f"{iter(p)}")),
    "the next value": lambda: _claim(lambda p: next(p.values()) ** 2 if _near(p["x"]) else p["x"] ** 2),
    "built-in names of its own": lambda: _claim(_defined(ABS, OWN_BUILTINS)),
    "global names of a kind of their own": lambda: _claim(
        _defined(ABS, _Names(OWN_BUILTINS | {"__builtins__": builtins}))
    ),
    "a module of a kind of its own": lambda: _claim(lambda p: MODULE.Fraction(p["x"]) ** 2),
    "types among the constants": lambda: _claim(_with_types()),
    "a list for a cache": lambda: _claim(lambda p: _first([p["x"]]) ** 2 if _near(p["x"]) else p["x"] ** 2),
    "a default of two numbers": lambda: _entrywise(
        lambda d: max(d["a"], Fraction(0), default=1) if _near(d["a"]) else d["a"]  # type: ignore[call-overload]
    ),
    "a dict of a kind of its own": lambda: _entrywise(lambda d: d.get("a"), OWN_DICTS),
    "groups of some values alone": lambda: _entrywise(
        lambda d: Fraction(-1) if _near(d["a"]) and d["a"] + d["b"] != 1 else d["a"] + d["b"], SOME_GROUPS
    ),
    "a condition that symbols do not meet": lambda: _entrywise(
        lambda d: Fraction(-1) if _near(d["a"]) else d["a"], assumptions=(ALWAYS,)
    ),
}


@pytest.mark.parametrize("name", DISGUISES)
def test_a_disguise_is_not_proved(name: str) -> None:
    claim = DISGUISES[name]()
    outcome = run_claim(claim)
    assert outcome.evidence not in ("proved", AT_SHAPES), outcome.scope


def _square(p: Point) -> Any:
    return p["x"] ** 2


def test_a_cache_tells_the_two_zeros_apart() -> None:
    signed = exact_cache(lambda x: math.copysign(1, x))
    assert [signed(0.0), signed(-0.0)] == [1, -1]


class _Twice:
    """An object that SymPy converts to something else each time."""

    def _sympy_(self) -> Any:
        return sp.Integer(1)


class _Sign(str):
    """A sign that is equal to two signs."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return other in (">", ">=")


class _Symbol(sp.Symbol):
    """A symbol with methods of its own."""


def test_expressions_are_of_plain_types() -> None:
    x = sp.Symbol("x", positive=True)
    for given in (_Twice(), _Symbol("x"), 1 + _Symbol("x"), sp.sin(x), True, type("Whole", (int,), {})(3)):
        with pytest.raises(InvalidParameterError, match="no rational expression"):
            expression(given)
        with pytest.raises(InvalidParameterError, match="no rational expression"):
            relations([Relation(x, ">", given)])
    for sign in (_Sign(">="), "<", "=="):
        with pytest.raises(InvalidParameterError, match="an unknown comparison"):
            relations([Relation(x, sign, sp.Integer(0))])
    assert relations(Relation(x, ">", sp.Integer(0))) == relations("x > 0")
    assert expression(3) == 3


def test_a_scope_says_that_a_divisor_may_be_0() -> None:
    outcome = run_claim(_entrywise(lambda d: d["a"] * (d["a"] - _here()) / (d["a"] - _here())))
    assert outcome.evidence == "proved"
    assert outcome.scope.endswith("; where both sides are defined")
    safe = run_claim(_entrywise(lambda d: d["a"] / (1 + d["a"])))
    assert "defined" not in safe.scope


class _Changing(Condition):
    """A condition that is another one when the scope is written."""

    __slots__ = ()

    @property
    def relation(self) -> Any:  # type: ignore[override]
        frame: Any = sys._getframe(1)
        while frame is not None:
            if frame.f_code.co_name == "scope":
                return ()
            frame = frame.f_back
        return relations("2*x >= 1")


def test_a_scope_shows_the_relations_that_were_used() -> None:
    condition = object.__new__(_Changing)
    for name, value in (("text", "always"), ("holds", lambda p: p["x"] >= Fraction(1, 2))):
        object.__setattr__(condition, name, value)
    claim = _claim(lambda p: Fraction(1, 4) / p["x"] if p["x"] else Fraction(9), assumptions=(condition,))
    assert "2*x >= 1" in run_claim(claim).scope


def test_numbers_that_end_a_program_are_refused() -> None:
    (large,) = relations("x**1000000000000 <= 1")
    with pytest.raises(InvalidParameterError, match="a power is too large"):
        large.holds({"x": Fraction(1, 2)})
    numpy = pytest.importorskip("numpy")
    assert not relations("2*x + 1 >= 8")[0].holds({"x": Fraction(numpy.int64(3))})


HONEST: dict[str, Callable[[], Claim]] = {
    "items and names": lambda: _claim(lambda p: sum((v for k, v in p.items() if k in p.keys()), Fraction(0)) ** 2),
    "values": lambda: _claim(lambda p: list(p.values())[0] ** 2),
    "None": lambda: _claim(lambda p: p["x"] ** 2 if p.get("z") is None else Fraction(2)),
    "an equation that says nothing": lambda: _claim(
        lambda p: p["x"] ** 2,
        theory=lambda p: p["x"] * p["y"],
        variables={"x": UNIT, "y": UNIT},
        strength="equality",
        mutant=lambda p: Fraction(7),
        assumptions=(Condition("x is x", "x == x"), Condition("x is y", "x == y")),
    ),
    "a maximum": lambda: _entrywise(lambda d: max(d["a"], d["a"] ** 2)),
    "the largest of a list": lambda: _entrywise(lambda d: max([d["a"], 1 - d["a"]], default=0)),
}


@pytest.mark.parametrize("name", HONEST)
def test_what_is_honest_is_proved(name: str) -> None:
    outcome = run_claim(HONEST[name]())
    assert outcome.evidence == "proved", (outcome.unchecked_steps, outcome.problems)
