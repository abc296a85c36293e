"""The oracle: whether the claim of a binary certificate is true and well-formed (FORMAT.md), decided without rropt.

It asks less than the checker does: ``lower`` may be any rational that is not above the optimum, and brackets may be
as wide as they like. What it calls untrue, the checker must reject.
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
    vertices,
)
from adversary.levels import GAMMA, Level

# Beyond these no level is well-formed (FORMAT.md, rule 1): abs(r) of exp(r), and q^(a/b).
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
    parts = _object(document, "format", "problem", "claim", "witness")
    _require(parts["format"] == "rropt-certificate/1", "format")
    problem = _object(parts["problem"], "region", "objective", "population")
    region = _object(problem["region"], "kind", "inputs", "outputs", "epsilon", "delta", "family")
    known = region["kind"] == "differential-privacy" and region["inputs"] == region["outputs"] == "2"
    _require(known and region["family"] in ("all", "warner"), "region")
    _require(problem["objective"] == {"kind": "variance"}, "objective")
    population = [_number(share) for share in _array(problem["population"], 2)]
    _require(min(population) >= 0 and sum(population) == 1, "population")
    pi, family, level = population[1], region["family"], _level(region["epsilon"], region["delta"])
    _require(not (level.gamma == 1 and level.delta == 0), "nothing can be estimated")
    witness = _object(parts["witness"], "rule", "gamma", "delta", "vertices")
    _require(witness["rule"] == "vertex", "rule")
    gamma, delta = _gamma(witness["gamma"], level), _delta(witness["delta"], level)
    _vertices(witness["vertices"], gamma[1], delta[1], family)
    claim = _object(parts["claim"], "kind", "lower", "upper", "mechanism", "optima", "optimal_set")
    _require(claim["kind"] == "optimal-design", "kind of claim")
    names = optimal_candidates(level, pi, family)
    optima = sorted({design_at(name, gamma[0], delta[0]) for name in names})
    _claim(claim, optima, level, pi, family)
    _optimal_set(claim["optimal_set"], pi, delta[0] if family == "all" else Fraction(0))


def _claim(claim: dict[str, Any], optima: list[Design], level: Level, pi: Fraction, family: str) -> None:
    _require(all(sum(design) > 1 for design in optima), "an optimum that vanishes below")
    claimed = claim["optima"]
    _require(isinstance(claimed, list) and [_design(entry) for entry in claimed] == optima, "optima")
    mechanism = _design(claim["mechanism"])
    _require(is_private(mechanism, level), "the mechanism is not private")
    _require(mechanism in optima, "the mechanism is not optimal")
    _require(_number(claim["upper"]) == variance(mechanism, pi), "upper is not the mechanism's value")
    _require(not exceeds_optimum(_number(claim["lower"]), level, pi, family), "lower is above the optimum")


def _optimal_set(segment: Any, pi: Fraction, delta: Fraction) -> None:
    """At prevalence 0 (1) every design (1, b), 0 < b <= delta, (mirrored) has variance 0; elsewhere optima are all."""
    if pi not in (0, 1) or not delta:
        _require(segment is None, "optimal_set")
        return
    ends = _object(segment, "after", "through")
    after, through = ([_number(p) for p in _array(ends[end], 2)] for end in ("after", "through"))
    mirror = 1 if pi == 0 else -1
    _require(after[::mirror] == [1, 0] and through[::mirror] == [1, delta], "optimal_set")


def _vertices(listed: Any, gamma: Fraction, delta: Fraction, family: str) -> None:
    expected = vertices(gamma, delta, family)
    for entry, (design, tight) in zip(_array(listed, len(expected)), expected, strict=True):
        fields = _object(entry, "tight", "at_above")
        _require(fields["tight"] == list(tight), "tight labels")
        _require(tuple(_number(p) for p in _array(fields["at_above"], 2)) == design, "a vertex")


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
