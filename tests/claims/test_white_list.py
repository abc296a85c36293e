"""The white list: no way of distinguishing a symbol from a number, and no state, makes a false claim proved.

Every claim here says that ``computed`` is at most x on [0, 1]. It is x**2, but 2 within 1e-30 of sqrt(2)/5, which no
sweep meets; and ``computed`` tries to show the run another face than the number.
"""

# ruff: noqa: E721, UP030, UP031  # ways of looking at a type

from __future__ import annotations

import functools
import itertools
import math
import operator
import sys
from collections import deque
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import pytest
from few_rows import few_rows
from support.row_claims import square_claim

from rropt.claims import Point, StatedBound, run_claim
from rropt.claims.outcomes import AT_SHAPES
from rropt.claims.symbolic_runs import white_list


def _near(x: Any) -> bool:
    return bool(abs(x - Fraction(math.sqrt(2)) / 5) < Fraction(1, 10) ** 30)


HERE = Fraction(math.sqrt(2)) / 5


# what a function keeps outside itself
KIND = type
PARTIAL = functools.partial(type)
QUEUE = deque([type])
FROZEN = frozenset({type})
KEYS = {type: 1}
TABLE = {Fraction(1, 2): "number"}
STATE: list[int] = []
MEMORY: dict[str, int] = {}
LAMBDA_TABLE = [lambda x: type(x)]
FEW, MANY, DEEP = (1,) * 2, (1,) * 2001, (((((((((1,),),),),),),),),)
ITERATOR = iter([1] * 10**6)
calls = 0


@lru_cache
def _cached(x: Any) -> bool:
    return type(x) is Fraction


def _recursive(x: Any, depth: int = 3, kind: Any = type) -> Any:
    return kind(x) is Fraction if depth == 0 else _recursive(x, depth - 1)


def _closure() -> Callable[[Any], Any]:
    kind = type
    return lambda x: kind(x) is Fraction


CLOSED = _closure()


def _match(x: Any) -> bool:
    match x:
        case Fraction():
            return True
    return False


def _try(x: Any) -> bool:
    try:
        return bool(float(x) >= -1)
    except Exception:
        return False


def _imports(x: Any) -> bool:
    from numbers import Rational

    return isinstance(x, Rational)


def _class_inside(x: Any) -> bool:
    class Inner:
        kind = type(x)

    return Inner.kind is Fraction


# name -> whether a number is distinguished from a symbol
TELLS: dict[str, Callable[[Any], Any]] = {
    "type": lambda x: type(x) == Fraction,
    "an alias of type": lambda x: KIND(x) == Fraction,
    "a partial of type": lambda x: PARTIAL(x) == Fraction,
    "a deque": lambda x: QUEUE[0](x) == Fraction,
    "a format": lambda x: "Fraction" in "{0.__class__}".format(x),  # noqa: UP032
    "an f-string": lambda x: "/" in f"{x}" or len(f"{x}") < 3,
    "an f-string of a list": lambda x: "Fraction" in f"{[x]}",
    "a percent sign": lambda x: "Fraction" in "%r" % (x,),
    "an f-string of Fraction": lambda x: "class" in f"{Fraction}",
    "a text of a helper": lambda x: str(_near).startswith("<function _near"),
    "str": lambda x: str(x)[0] in "0123456789",
    "hash": lambda x: hash(x) == hash(Fraction(x)),
    "len": lambda x: not hasattr(x, "trace") and len([x]) == 1,
    "isinstance": lambda x: isinstance(x, Fraction),
    "a pattern": _match,
    "a try": _try,
    "a look-up of a symbol": lambda x: TABLE.get(x, "number") == "number",
    "a symbol in a set": lambda x: x in {Fraction(1), x},
    "a set of types": lambda x: Fraction in FROZEN or type(x) in FROZEN,
    "a key that is a type": lambda x: next(iter(KEYS))(x) == Fraction,
    "int": lambda x: int(x) >= 0,
    "float": lambda x: float(x) >= 0,
    "round": lambda x: round(x) >= 0,
    "a slice": lambda x: [1, 2, 3][: x.denominator] != [],
    "numerator": lambda x: x.numerator >= 0,
    "identity": lambda x: (x + 0) is not (x + 0) and Fraction is type(x),
    "sorted by type": lambda x: sorted([x], key=type)[0] == x,
    "a table of helpers": lambda x: LAMBDA_TABLE[0](x) == Fraction,
    "globals of a helper": lambda x: _near.__globals__["KIND"](x) == Fraction,
    "the name of the module": lambda x: __name__ in sys.modules and type(x) == Fraction,
    "frames": lambda x: "tracing" not in sys._getframe(3).f_code.co_filename,
    "eval": lambda x: eval("type(x)") == Fraction,
    "an import": _imports,
    "a class inside": _class_inside,
    "a cached helper": _cached,
    "a default": _recursive,
    "a closure": CLOSED,
    "a map of types": lambda x: list(map(type, [x])) == [Fraction],
    "a reduction": lambda x: functools.reduce(lambda a, b: KIND(b), [0, x]) == Fraction,
    "a method of list": lambda x: list.__class__(x) == Fraction,
}


def _telling(tells: Callable[[Any], Any]) -> Callable[[Point], Any]:
    def computed(p: Point) -> Any:
        x = p["x"]
        if tells(x):  # a number
            return Fraction(2) if _near(x) else x**2
        return x**2

    return computed


def _default_list(p: Point, calls: list[int] = []) -> Any:  # noqa: B006
    calls.append(1)
    return p["x"] ** 2


def _default_dict(p: Point, calls: dict[str, int] = {}) -> Any:  # noqa: B006
    calls["n"] = calls.get("n", 0) + 1
    return p["x"] ** 2


def _global_list(p: Point) -> Any:
    STATE.append(1)
    return Fraction(2) if len(STATE) < 0 else p["x"] ** 2


def _global_dict(p: Point) -> Any:
    MEMORY["n"] = 1
    return p["x"] ** 2


def _global_in_place(p: Point) -> Any:
    found = STATE
    found += [1]
    return p["x"] ** 2


def _global_name(p: Point) -> Any:
    global calls
    calls += 1
    return p["x"] ** 2


def _iterator(p: Point) -> Any:
    return p["x"] ** 2 * next(ITERATOR)


def _attribute(p: Point) -> Any:
    _attribute.calls = getattr(_attribute, "calls", 0) + 1  # type: ignore[attr-defined]
    return p["x"] ** 2


def _counting() -> Callable[[Point], Any]:
    count = 0

    def computed(p: Point) -> Any:
        nonlocal count
        count += 1
        return p["x"] ** 2 if count > 0 else Fraction(2)

    return computed


STATEFUL: dict[str, Callable[[Point], Any]] = {
    "a default list": _default_list,
    "a default dict": _default_dict,
    "a global list": _global_list,
    "a global dict": _global_dict,
    "a list changed in place": _global_in_place,
    "a global name": _global_name,
    "an iterator": _iterator,
    "an attribute of a function": _attribute,
    "a closure that counts": _counting(),
}


@few_rows(26)
@pytest.mark.parametrize("name", TELLS)
def test_what_tells_a_symbol_from_a_number_ends_the_run(name: str) -> None:
    outcome = run_claim(square_claim(computed=_telling(TELLS[name])))
    assert outcome.evidence not in ("proved", AT_SHAPES), outcome.scope
    told = (*outcome.unchecked_steps, *outcome.problems)
    assert told or outcome.verdict != "holds"


@pytest.mark.parametrize("name", STATEFUL)
def test_state_ends_the_run(name: str) -> None:
    outcome = run_claim(square_claim(computed=STATEFUL[name]))
    assert outcome.evidence not in ("proved", AT_SHAPES), outcome.unchecked_steps


def test_a_run_that_ends_names_the_object_and_the_function() -> None:
    for name, said in (
        ("a partial of type", "PARTIAL, an object of the type partial, in <lambda>"),
        ("a deque", "QUEUE, an object of the type deque, in <lambda>"),
        ("a try", "a try or a with in _try"),
        ("a class inside", "a class in _class_inside"),
    ):
        told = " ".join(run_claim(square_claim(computed=_telling(TELLS[name]))).unchecked_steps)
        assert said in told, (name, told)


@pytest.mark.parametrize(("held", "is_run"), [(FEW, True), (MANY, False), (DEEP, False)], ids=["few", "many", "deep"])
def test_long_containers_end_the_run(held: Any, is_run: bool) -> None:
    outcome = run_claim(square_claim(computed=lambda p: p["x"] ** 2 if held else Fraction(2)))
    assert (outcome.evidence == "proved") == is_run, outcome.unchecked_steps
    assert is_run or "the long container held" in " ".join(outcome.unchecked_steps)


FACTORS = (1, Fraction(1, 2), 2)
BY_SIGN = {"plus": 1, "minus": -1}
HALF = Fraction(1, 2)


def _squared(x: Any) -> Any:
    return x * x


@lru_cache
def _kept_square(x: Any) -> Any:
    return x * x


def _scaled(by: Fraction) -> Callable[[Point], Any]:
    return lambda p: by * p["x"] ** 2


def _summed(p: Point, weights: tuple[Fraction, ...] = (Fraction(1, 3), Fraction(2, 3))) -> Any:
    return sum((weight * p["x"] for weight in weights), Fraction(0)) * p["x"]


def _listed(p: Point) -> Any:
    values = [p["x"]]
    values.append(p["x"])
    values[0] = values[1] * 1
    total = Fraction(0)
    for place, value in enumerate(values):
        total += value / (place + 1) * Fraction(2, 3)
    return total * p["x"]


def _local_count(p: Point) -> Any:
    count = 0

    def step() -> None:
        nonlocal count
        count += 1

    step()
    return p["x"] ** 2 * count


def _branches(p: Point) -> Any:
    x = p["x"]
    if x <= HALF < 1:
        return x * x
    return max(x * x, 2 * x - 1) if not x > 1 else Fraction(0)


HONEST: dict[str, Callable[[Point], Any]] = {
    "a product": lambda p: p["x"] * p["x"],
    "a helper": lambda p: _squared(p["x"]),
    "a helper behind a cache": lambda p: _kept_square(p["x"]),
    "a closure": _scaled(Fraction(1)),
    "a default": _summed,
    "a tuple of factors": lambda p: FACTORS[0] * p["x"] ** 2,
    "a table": lambda p: BY_SIGN["plus"] * Fraction(p["x"]) ** 2,
    "a list of its own": _listed,
    "a count of its own": _local_count,
    "branches": _branches,
    "math.prod and comb": lambda p: math.prod([p["x"], p["x"]], start=Fraction(math.comb(2, 2))),
    "itertools and reduce": lambda p: functools.reduce(operator.mul, itertools.repeat(p["x"], 2)),
    "a comprehension of a dict": lambda p: {name: x * x for name, x in p.items()}["x"],
    "a generator": lambda p: sum(x * p["x"] for x in [p["x"]]),
    "text that says which": lambda p: {f"p{1}": p["x"] ** 2}["p1"] if str(1) == "1" else Fraction(2),
    "an error that is never raised": lambda p: p["x"] ** 2 if p["x"] >= -1 else [][1],
}


@pytest.mark.parametrize("name", HONEST)
def test_what_is_plain_python_is_run(name: str) -> None:
    outcome = run_claim(square_claim(computed=HONEST[name]))
    assert outcome.evidence == "proved", outcome.unchecked_steps


def test_a_bound_of_a_called_function_is_run() -> None:
    outcome = run_claim(square_claim(theory=lambda p: StatedBound("at-most", p["x"]), strength=""))
    assert outcome.evidence == "proved", outcome.unchecked_steps


def test_what_follows_an_allowed_instruction_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """``+x`` is such an instruction from Python 3.12 on."""
    made = [SimpleNamespace(opname="CALL_INTRINSIC_1", arg=5), SimpleNamespace(opname="IMPORT_NAME", arg=0)]
    monkeypatch.setattr(white_list.dis, "get_instructions", lambda _: made)
    assert white_list.refused.__wrapped__(_match.__code__) == "an import"
