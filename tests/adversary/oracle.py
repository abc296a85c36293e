"""The oracle: whether the claim of a binary certificate is true and well-formed (FORMAT.md), decided without rropt.

It asks less than the checker does: brackets may be as wide as they like, and over an interval of prevalences a lower
bound may be anything. What it calls untrue, the checker must reject.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NoReturn

from adversary.designs import (
    Design,
    design_at,
    exceeds_optimum,
    is_private,
    optimal_candidates,
    variance,
)
from adversary.levels import GAMMA, Level

# Beyond these no level is well-formed (brackets.md): abs(r) of exp(r), and q^(a/b).
LARGEST_EXPONENT = 100
LARGEST_POWER = 2**150


@dataclass(frozen=True)
class Finding:
    """Whether the claim is true and well-formed, else what is wrong first."""

    true: bool
    why: str = ""


class UntrueError(Exception):
    """What is wrong."""


def judge(text: str | bytes) -> Finding:
    """Return whether the claim of a document is true and well-formed."""
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        _judge(_parse(text))
    except UntrueError as found:
        return Finding(False, str(found))
    finally:
        sys.set_int_max_str_digits(digits)
    return Finding(True)


def _parse(text: str | bytes) -> Any:
    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        _require(len({key for key, _ in items}) == len(items), "a duplicate key")
        return dict(items)

    def bare(token: str) -> NoReturn:
        raise UntrueError(f"a bare number {token[:20]}")

    try:
        decoded = text.decode("utf-8") if isinstance(text, bytes) else text
        return json.loads(decoded, object_pairs_hook=pairs, parse_int=bare, parse_float=bare, parse_constant=bare)
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        raise UntrueError("not JSON in UTF-8") from None


def _judge(document: Any) -> None:
    parts = _object(document, "format", "statement", "problem", "claim", "proof")
    _require(parts["format"] == "2" and parts["statement"] == "binary-bracket", "format")
    problem = _object(parts["problem"], "outputs", "levels", "family", "goal", "from", "to")
    _require(problem["outputs"] == "2" and problem["family"] in ("all", "warner"), "region")
    _require(problem["goal"] == "variance", "goal")
    pi, end, family = _number(problem["from"]), _number(problem["to"]), problem["family"]
    _require(0 <= pi <= end <= 1, "prevalences")
    (stated,) = _array(problem["levels"], 1)
    stated = _object(stated, "epsilon", "delta", "pairs")
    _require(stated["pairs"] == "all", "pairs")
    level = _level(stated["epsilon"], stated["delta"])
    _require(not (level.gamma == 1 and level.delta == 0), "nothing can be estimated")
    (brackets,) = _array(_object(parts["proof"], "brackets")["brackets"], 1)
    brackets = _object(brackets, "gamma", "delta")
    gamma, delta = _gamma(brackets["gamma"], level), _delta(brackets["delta"], level)
    claim = _object(parts["claim"], "lower", "upper", "mechanism", "optima", "set")
    mechanism = _design(claim["mechanism"])
    _require(sum(mechanism) > 1 and is_private(mechanism, level), "the mechanism is not private")
    _require(family == "all" or mechanism[0] == mechanism[1], "the mechanism is not of the family")
    _require(max(variance(mechanism, x) for x in (pi, end)) <= _number(claim["upper"]), "upper is below its value")
    lower = _number(claim["lower"])  # above the optimum at every prevalence it is above the least worst case
    _require(pi < end or not exceeds_optimum(lower, level, pi, family), "lower is above the optimum")
    if claim["optima"] is None:
        _require(claim["set"] is None, "a set without optima")
        return
    _require(pi == end, "optima of an interval")
    names = optimal_candidates(level, pi, family)
    optima = sorted({design_at(name, gamma[0], delta[0]) for name in names})
    _require(all(sum(design) > 1 for design in optima), "an optimum that vanishes below")
    claimed = claim["optima"]
    _require(isinstance(claimed, list) and [_design(entry) for entry in claimed] == optima, "optima")
    _optimal_set(claim["set"], pi, delta[0] if family == "all" else Fraction(0))


def _optimal_set(segment: Any, pi: Fraction, delta: Fraction) -> None:
    """At prevalence 0 (1) every design (1, b), 0 < b <= delta, (mirrored) has variance 0; elsewhere optima are all."""
    if pi not in (0, 1) or not delta:
        _require(segment is None, "set")
        return
    ends = _object(segment, "after", "through")
    after, through = ([_number(p) for p in _array(ends[end], 2)] for end in ("after", "through"))
    mirror = 1 if pi == 0 else -1
    _require(after[::mirror] == [1, 0] and through[::mirror] == [1, delta], "set")


def _level(epsilon: Any, delta: Any) -> Level:
    _require(isinstance(epsilon, dict), "epsilon")
    if "rational" in epsilon:
        base, times = None, _number(_object(epsilon, "rational")["rational"])
        _require(0 <= times <= LARGEST_EXPONENT, "epsilon")
    else:
        fields = _object(epsilon, "log") if "times" not in epsilon else _object(epsilon, "log", "times")
        base, times = _number(fields["log"]), _number(fields.get("times", "1"))
        _require(base > 1 and times > 0 and fields.get("times") != "1", "epsilon")
        _require(times == 1 or not Level(base, times, Fraction(0)).is_above(LARGEST_POWER), "epsilon")
    if not isinstance(delta, dict):
        slack = _number(delta)
        _require(0 <= slack <= 1, "delta")
        return Level(base, times, slack)
    exponent = _number(_object(delta, "exp")["exp"])
    _require(-LARGEST_EXPONENT <= exponent < 0, "delta")
    return Level(base, times, None, exponent)


def _gamma(bracket: Any, level: Level) -> tuple[Fraction, Fraction]:
    below, above = (_number(_object(bracket, "below", "above")[end]) for end in ("below", "above"))
    _require(below >= 1, "gamma's bracket begins below 1")
    _require(level.gamma is None or below == above, "gamma's bracket is not exact")
    holds = level.sign(GAMMA - below) >= 0 and level.sign(GAMMA - above) <= 0
    _require(holds, "gamma's bracket")
    return below, above


def _delta(bracket: Any, level: Level) -> tuple[Fraction, Fraction]:
    below, above = (_number(_object(bracket, "below", "above")[end]) for end in ("below", "above"))
    _require(0 <= below <= above <= 1, "delta's bracket leaves [0, 1]")
    if level.delta is not None:
        _require(below == level.delta == above, "delta's bracket is not exact")
        return below, above
    alone = Level(None, level.exponent, Fraction(0))  # exp(r) in the place of gamma
    _require(below > 0 and alone.sign(GAMMA - below) >= 0 and alone.sign(GAMMA - above) <= 0, "delta's bracket")
    return below, above


def _design(data: Any) -> Design:
    rows = [[_number(entry) for entry in _array(row, 2)] for row in _array(_object(data, "matrix")["matrix"], 2)]
    (a, b), (c, d) = rows
    _require(a + c == 1 and b + d == 1, "a column does not sum to 1")
    _require(min(a, b, c, d) >= 0, "a negative probability")
    return a, d


def _number(text: Any) -> Fraction:
    """Return the number of a canonical string: Python's own writing of the fraction must give it back."""
    _require(isinstance(text, str) and set(text) <= set("-/0123456789"), "not a number")
    try:
        value = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise UntrueError("not a number") from None
    _require(str(value) == text, "not canonical")
    return value


def _object(data: Any, *keys: str) -> dict[str, Any]:
    _require(isinstance(data, dict) and set(data) == set(keys), f"not an object with the keys {keys}")
    return dict(data)


def _array(data: Any, count: int) -> list[Any]:
    _require(isinstance(data, list) and len(data) == count, "an array of another shape")
    return list(data)


def _require(condition: bool, what: str) -> None:
    if not condition:
        raise UntrueError(what)
