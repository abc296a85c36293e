"""Vectors of rule 5 made by hand: gamma = 1, no contrast, one answer, a share of 0, a bound that nearly holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

HALF = ["1/2", "1/2"]
ONE, TWO = [["1", "1"]], [["3/4", "1/4"], ["1/4", "3/4"]]
APART = {"kind": "total-variation", "against": ["1", "0"]}
INFORMATION = {"kind": "mutual-information"}
DIGITS = {"logarithms": {"digits": "40"}}
LITTLE = f"-1/{10**42}"


def _file(gamma: str, objective: Any, rows: Any, shares: Any, ends: tuple[str, str], **parts: Any) -> Any:
    delta = parts.pop("delta", "0")
    region = {"kind": "differential-privacy", "inputs": "2", "outputs": "any", "delta": delta, "family": "all"}
    region["epsilon"] = {"rational": "0"} if gamma == "1" else {"log": gamma}
    brackets = {name: {"below": end, "above": end} for name, end in (("gamma", gamma), ("delta", delta))}
    patterns = None if objective["kind"] == "total-variation" else {"kind": "enumeration"}
    witness = {"rule": "pattern", **brackets, "patterns": patterns, "primal": {}, "logarithms": [], **parts}
    return {
        "format": "rropt-certificate/1",
        "problem": {"region": region, "objective": objective, "population": shares},
        "claim": {"kind": "design-bracket", "lower": ends[0], "upper": ends[1], "mechanism": {"matrix": rows}},
        "witness": witness,
    }


def _contrast(c: str, bound: str, z: tuple[str, str]) -> Any:
    """Return the file of the contrast (c, 0) with the dual y = 0."""
    dual = {"dual": {"alpha": HALF, "vector": ["0", "0"]}, "primal": {"solution": list(z)}}
    return _file("3", {"kind": "c-optimal", "contrast": [c, "0"]}, TWO, HALF, (bound, "0" if c == "0" else "1"), **dual)


def _rare(alpha: list[str], bound: str) -> Any:
    """Return the file of two shares, the first 0, with W of a single 1; that an answer tells of it costs nothing."""
    dual = {"alpha": alpha, "matrix": [["0", "0"], ["0", "1"]], "excess": ["0", "0"]}
    primal = {"inverse": [["3/4", "-3/4"], ["-3/4", "7/4"]]}
    objective, ends = {"kind": "a-optimal"}, (bound, "3/2")
    return _file("2", objective, TWO, ["0", "1"], ends, delta="1/4", dual=dual, primal=primal)


def patterns() -> Iterator[tuple[bool, str, Any]]:
    """Iterate over verdict, reason, certificate."""
    dual = {"dual": {"alpha": HALF}}
    yield False, "gamma is 1", _file("1", APART, ONE, HALF, ("0", "1"), **dual)
    yield True, "a single answer is at distance 0", _file("3", APART, ONE, HALF, ("0", "1"), **dual)
    yield True, "nothing is to be told", _file("3", INFORMATION, ONE, ["1", "0"], ("0", "1"), **dual, **DIGITS)
    below = {"dual": {"alpha": [LITTLE, "0"]}, **DIGITS}
    claimed = _file("3", INFORMATION, ONE, ["1", "0"], ("0", LITTLE), **below)
    yield False, "the inequality fails by 10^-42 with 40 digits", claimed
    above = _file("3", INFORMATION, ONE, ["1", "0"], (LITTLE[1:], "1"), **dual, **DIGITS)
    yield False, "lower is 10^-42 above the value 0", above
    yield True, "c = (1, 0): 5/4 - 1/4", _contrast("1", "-1/4", ("5/4", "-3/4"))
    yield False, "the contrast is 0", _contrast("0", "0", ("0", "0"))
    yield True, "alpha of the input of share 0 is negative: the bound is below 0", _rare(["-1", "3"], "-1/2")
    yield False, "alpha of the input of share 0 is negative: a pattern fails", _rare(["-1", "2"], "0")
