"""Vectors of rule 15 made by hand: one share of two at gamma = 3, at its ends, by rows, by none, of other forms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

TWO = [["3/4", "1/4"], ["1/4", "3/4"]]
HALF = ["1/2", "1/2"]
INNER = {"alpha": ["-3/8", "13/8"], "vector": ["-3/4", "5/4"]}  # tight at the prevalence 1/2: 1
NEVER = {"alpha": ["0", "3/4"], "vector": ["-3/4", "3/4"]}  # at 0: 3/4


def _file(polytope: Any, ends: tuple[str, str], **parts: Any) -> Any:
    epsilon, delta = parts.pop("epsilon", {"log": "3"}), parts.pop("delta", "0")
    rows = parts.pop("rows", TWO)
    gamma = "1" if "rational" in epsilon else epsilon["log"]
    region = {"kind": "differential-privacy", "inputs": "2", "outputs": "any", "delta": delta, "family": "all"}
    objective = parts.pop("objective", {"kind": "c-optimal", "contrast": ["0", "1"]})
    brackets = {name: {"below": end, "above": end} for name, end in (("gamma", gamma), ("delta", delta))}
    witness = {"rule": "saddle", **brackets, "dual": INNER, "population": HALF, "weights": None}
    witness |= {"estimator": [["-1/2", "3/2"]], "multipliers": None, **parts}
    return {
        "format": "rropt-certificate/1",
        "problem": {"region": {**region, "epsilon": epsilon}, "objective": objective, "population": polytope},
        "claim": {"kind": "design-bracket", "lower": ends[0], "upper": ends[1], "mechanism": {"matrix": rows}},
        "witness": witness,
    }


def _row(relation: str, bound: str, *coefficients: str) -> Any:
    return {"rows": [{"coefficients": list(coefficients), "relation": relation, "bound": bound}]}


def saddles() -> Iterator[tuple[bool, str, Any]]:
    """Iterate over verdict, reason, certificate."""
    ends = {"vertices": [["1", "0"], ["0", "1"]]}
    whole: dict[str, Any] = {"rows": []}
    both = {"weights": ["1/2", "1/2"]}
    yield True, "without a row it is any population", _file(whole, ("1", "1"), multipliers=["1"])
    yield True, "upper may be more than is needed, by its multipliers", _file(whole, ("1", "2"), multipliers=["2"])
    yield False, "the last multiplier is below the tangent", _file(whole, ("1", "1/2"), multipliers=["1/2"])
    yield False, "the last multiplier is missing", _file(whole, ("1", "1"), multipliers=[])
    yield False, "weights stand beside rows", _file(whole, ("1", "1"), multipliers=["1"], weights=["1"])
    yield True, "any prevalence, by its ends", _file(ends, ("1", "1"), **both)
    twice = {"vertices": [["1", "0"], ["0", "1"], ["1", "0"]]}
    yield True, "a vertex twice, and a weight 0", _file(twice, ("1", "1"), weights=["0", "1/2", "1/2"])
    yield False, "a weight is missing", _file(twice, ("1", "1"), weights=["1/2", "1/2"])
    yield False, "multipliers stand beside vertices", _file(ends, ("1", "1"), **both, multipliers=["1"])
    yield False, "there is no vertex", _file({"vertices": []}, ("1", "1"), weights=[])
    yield False, "the population is a list, no polytope", _file(HALF, ("1", "1"), **both)
    mixed = {**ends, **whole}  # whichever of them is read
    yield False, "the polytope has vertices and rows", _file(mixed, ("1", "1"), multipliers=["1"])
    at_0 = {"dual": NEVER, "population": ["1", "0"]}
    only = {"vertices": [["1", "0"]]}
    yield True, "the population has a share 0", _file(only, ("3/4", "3/4"), **at_0, weights=["1"])
    yield False, "lower is that of another population", _file(only, ("1", "3/4"), **at_0, weights=["1"])
    never = _row("=", "0", "0", "1")
    yield True, "the multiplier of = may be positive", _file(never, ("3/4", "3/4"), **at_0, multipliers=["1", "3/4"])
    turned = _row("=", "0", "0", "-1")
    yield True, "the multiplier of = may be negative", _file(turned, ("3/4", "3/4"), **at_0, multipliers=["-1", "3/4"])
    yield False, "the population violates =", _file(never, ("1", "1"), multipliers=["0", "1"])
    most = _row("<=", "0", "0", "1")
    yield True, "<= with a positive multiplier", _file(most, ("3/4", "3/4"), **at_0, multipliers=["1", "3/4"])
    yield False, "<= with a negative multiplier", _file(most, ("3/4", "7/4"), **at_0, multipliers=["-1", "11/4"])
    least = _row(">=", "1", "1", "0")
    yield True, ">= with a negative multiplier", _file(least, ("3/4", "3/4"), **at_0, multipliers=["-1", "7/4"])
    yield False, ">= with a positive multiplier", _file(least, ("3/4", "15/4"), **at_0, multipliers=["1", "11/4"])
    yield False, "the relation is <", _file(_row("<", "1", "0", "1"), ("1", "1"), multipliers=["0", "1"])
    yield (
        False,
        "a row has three coefficients",
        _file(_row("<=", "1", "0", "1", "0"), ("1", "1"), multipliers=["0", "1"]),
    )
    many = {"rows": [row for b in range(50) for s in "01" for row in _row("<=", str(b + 1), s, "1")["rows"]]}
    yield True, "a hundred rows, of no weight", _file(many, ("1", "1"), multipliers=["0"] * 100 + ["1"])
    zero = {"alpha": ["0", "0"], "vector": ["0", "0"]}
    yield False, "alpha sums to 0", _file(ends, ("-1/4", "1"), **both, dual=zero)
    weak = {"alpha": ["1", "1"], "vector": ["0", "0"]}
    yield True, "a weak dual proves a weak bound", _file(ends, ("-1/4", "1"), **both, dual=weak)
    e_optimal = {"objective": {"kind": "e-optimal"}, "dual": weak}
    yield False, "E-optimality has no saddle point", _file(ends, ("-1/4", "1"), **both, **e_optimal)
    variance = {"objective": {"kind": "variance"}, "dual": weak}
    yield False, "the variance is for another rule", _file(ends, ("-1/4", "1"), **both, **variance)
    nothing = {"objective": {"kind": "c-optimal", "contrast": ["0", "0"]}, "dual": weak, "estimator": [["0", "0"]]}
    yield False, "nothing is estimated", _file(ends, ("0", "0"), **both, **nothing)
    yield False, "delta is not 0", _file(ends, ("1", "1"), **both, delta="1/4")
    known = {"objective": {"kind": "c-optimal", "contrast": ["1", "1"]}, "dual": {"alpha": HALF, "vector": HALF}}
    known |= {**both, "estimator": [["1"]], "rows": [["1", "1"]]}
    yield True, "the sum of all shares is known", _file(ends, ("0", "0"), **known)
    yield False, "gamma is 1", _file(ends, ("0", "0"), **known, epsilon={"rational": "0"})
    more = [["-1/2", "3/2"], ["3/2", "-1/2"]]
    yield False, "the estimator has a row for each share", _file(ends, ("1", "1"), **both, estimator=more)
    yield False, "the estimator is for three answers", _file(ends, ("1", "1"), **both, estimator=[["-1/2", "3/2", "0"]])
    yield False, "the estimate is of the other share", _file(ends, ("1", "1"), **both, estimator=[["3/2", "-1/2"]])
