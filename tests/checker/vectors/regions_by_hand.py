"""Vectors made by hand of regions: criteria in the place of levels, and bounds on entries that are negative.

A criterion has a B that is known by hand (``fuzz.criterion_designs``). Where it is gamma, the region is that of the
level log gamma, and a file of the page remains true; where it is not, gamma's bracket does not hold it.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from typing import Any

from fuzz.criterion_designs import constant, infimum, step

Made = tuple[bool, str, Any]  # accepted, reason, certificate
EQUAL = [["3/4", "1/4"], ["1/4", "3/4"]]
INVERSE = [["5/4", "-3/4"], ["-3/4", "5/4"]]


def _over(file: Any, function: Any, proof: Any, gamma: Fraction) -> Any:
    """Return a file with the region of a criterion, inside its bounds if it has some."""
    made = deepcopy(file)
    region = made["problem"]["region"]
    level = region["region"] if region["kind"] == "bounded" else region
    sizes = {key: level[key] for key in ("inputs", "outputs")}
    level.clear()
    level.update({"kind": "criterion", **sizes, "up": function, "down": None})
    made["witness"]["gamma"] = {"below": str(gamma), "above": str(gamma), "infimum": proof}
    return made


def criteria(rule: str) -> Iterator[Made]:
    """Iterate over the page's examples of a rule with a rational gamma and delta 0, over criteria."""
    from .make import examples

    for file in examples(rule):
        region = file["problem"].get("region", {})
        level = region.get("region", region)
        trace = file["problem"].get("objective", {}).get("kind") != "variance" or rule != "farkas"
        if trace and level.get("delta") == "0" and set(level["epsilon"]) == {"log"}:
            yield from _criteria(file, Fraction(level["epsilon"]["log"]))


def _criteria(file: Any, gamma: Fraction) -> Iterator[Made]:
    kind = "entries within bounds" if "bounded" in str(file["problem"]) else "a design"
    _, odds, cover, place = constant(gamma)
    honest = infimum(gamma, gamma, cover, place)
    whole = _over(file, odds, honest, gamma)
    yield True, f"{kind}: the odds ratio is at least gamma everywhere, so that B = gamma", whole
    _, jump, cells, start = step(1 / (gamma + 1), Fraction(1, 2))
    true = _over(file, jump, infimum(gamma, gamma, cells, start), gamma)
    yield True, f"{kind}: no posterior above 1/2 from a prior below 1/(gamma + 1), so that B = gamma", true
    little = Fraction(1, 10**6)
    for b, words in ((gamma - little, "below"), (gamma + little, "above")):
        _, other, _, _ = constant(b)
        yield False, f"{kind}: B is {words} gamma by a millionth, claimed is gamma", _over(file, other, honest, gamma)
        proof = infimum(b, b, cover, place)
        yield False, f"{kind}: B = gamma, the bracket's proof is of another B", _over(file, odds, proof, gamma)
        yield False, f"{kind}: B is {words} gamma's bracket by a millionth", _over(file, other, proof, gamma)
    bare = deepcopy(whole)
    del bare["witness"]["gamma"]["infimum"]
    yield False, f"{kind}: the bracket of a criterion has no proof", bare
    beside = deepcopy(file)
    beside["witness"]["gamma"]["infimum"] = honest
    yield False, f"{kind}: the bracket of a level has a proof of B", beside
    bottom = deepcopy(whole)
    bottom["witness"]["delta"] = "0"
    yield False, f"{kind}: delta's bracket is a number", bottom


def within_bounds(rule: str) -> Iterator[Made]:
    """Iterate over the page's examples of a rule without bounds on entries, with bounds that the mechanism meets."""
    from .make import examples

    for file in examples(rule):
        region = file["problem"].get("region", {"kind": "bounded"})
        if region["kind"] == "bounded" or (rule == "farkas" and file["problem"]["objective"]["kind"] != "variance"):
            continue
        made = deepcopy(file)
        rows = file["claim"].get("mechanism", {"matrix": EQUAL})["matrix"]
        ends = [min(map(Fraction, entries)) for entries in rows], [max(map(Fraction, entries)) for entries in rows]
        least, most = ([[str(end)] * len(rows[0]) for end in side] for side in ends)
        inner = {**region, "outputs": str(len(rows))}
        made["problem"]["region"] = {"kind": "bounded", "region": inner, "least": least, "most": most}
        yield False, "the region has bounds on entries, which the rule does not take", made


def cones() -> Iterator[Made]:
    """Iterate over rule 22 with bounds that say nothing, of two answers at gamma = 3 and equal shares."""
    for least, accepted, reason in (
        ([["0", "0"], ["0", "0"]], True, "no bound says anything"),
        ([["-1", "-1"], ["-1", "-1"]], True, "negative bounds below say nothing: the reach is gamma"),
        ([["-1", "0"], ["0", "1/4"]], True, "one bound is negative, two are 0, one is met: the reach is gamma"),
    ):
        yield accepted, reason, _bounded(least, "2", EQUAL, INVERSE)
    near = [["29/16", "-21/16"], ["-21/16", "29/16"]]
    within = [["3/10", "7/10"], ["7/10", "3/10"]]
    yield True, "all entries are 3/10 at least: the reach is 7/3", _bounded([["3/10"] * 2] * 2, "25/8", within, near)
    for low in ("0", "-1", "-1000000"):
        reason = f"an entry has the bound {low} below, so that the reach is gamma; the dual holds to 7/3"
        yield False, reason, _bounded([["3/10", low], ["3/10", "3/10"]], "25/8", within, near)


def _bounded(least: Any, value: str, rows: Any, inverse: Any) -> Any:
    alpha = inverse[0][0]
    level = {"kind": "differential-privacy", "inputs": "2", "outputs": "2"}
    level |= {"epsilon": {"log": "3"}, "delta": "0", "family": "all"}
    region = {"kind": "bounded", "region": level, "least": least, "most": [["1", "1"], ["1", "1"]]}
    brackets = {name: {"below": end, "above": end} for name, end in (("gamma", "3"), ("delta", "0"))}
    dual = {"alpha": [alpha, alpha], "matrix": inverse, "bounds": None}
    return {
        "format": "rropt-certificate/1",
        "problem": {"region": region, "objective": {"kind": "a-optimal"}, "population": ["1/2", "1/2"]},
        "claim": {"kind": "design-bracket", "lower": value, "upper": value, "mechanism": {"matrix": rows}},
        "witness": {"rule": "cones", **brackets, "primal": {"inverse": inverse}, "duals": [dual], "cells": None},
    }


def programmes() -> Iterator[tuple[str, Made]]:
    """Iterate over rule, and programs of nothing: lists may be empty."""
    low, high = ({"coefficients": [], "relation": relation, "bound": "1"} for relation in (">=", "<="))
    for signs, rows, reason in (
        ([], [], "a programme of no variables and no rows"),
        (["nonnegative"], [], "a programme of no rows"),
        (["nonnegative"], [high], "a row of no coefficients that holds: 0 <= 1"),
        ([], [high], "a row of no variables that holds: 0 <= 1"),
        ([], [low], "a row of no variables that fails: 0 >= 1"),
        (["free"], [low], "a row of no coefficients that fails: 0 >= 1"),
    ):
        cost = ["0"] * len(signs)
        problem = {"kind": "linear-programme", "sense": "minimise", "cost": cost, "signs": signs, "rows": rows}
        optimum = {"kind": "optimal-value", "lower": "0", "upper": "0", "point": cost}
        duality = {"rule": "linear-programme", "dual": []}
        farkas = {"rule": "farkas", "multipliers": [["0", "1"]] if rows else []}
        for rule, claim, witness in (
            ("linear-programme", optimum, duality),
            ("farkas", {"kind": "infeasible"}, farkas),
        ):
            file = {"format": "rropt-certificate/1", "problem": problem, "claim": claim, "witness": witness}
            yield rule, ((rows == [low]) == (rule == "farkas"), reason, file)
