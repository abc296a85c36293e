"""Files built for one condition each of the statement design-bracket.

``false``: the claim is false, and the checker without the condition accepts it. ``form``: the file violates the page,
and no bracket is proved by it. The optima are known: of two categories with delta 0 Warner's design is the best.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from typing import Any

F = Fraction
WARNER = [["3/4", "1/4"], ["1/4", "3/4"]]
IDENTITY = [["1", "0"], ["0", "1"]]


def level(gamma: int, delta: str = "0", pairs: Any = "all") -> tuple[Any, Any]:
    """Return a level with epsilon = log gamma, and its brackets."""
    epsilon = {"rational": "0"} if gamma == 1 else {"log": str(gamma)}
    ends = [{"below": x, "above": x} for x in (str(gamma), delta)]
    return {"epsilon": epsilon, "delta": delta, "pairs": pairs}, {"gamma": ends[0], "delta": ends[1]}


def file(objective: Any, population: Any, ends: tuple[str, str], mechanism: Any, proof: Any, **parts: Any) -> Any:
    """Return a file of two inputs at log 3, unless the parts say otherwise."""
    levels = parts.get("levels", [level(3)])
    problem = {"inputs": "2", "outputs": "any", "bounds": None} | parts.get("problem", {})
    problem |= {"levels": [one for one, _ in levels], "objective": objective, "population": population}
    claim = {"lower": ends[0], "upper": ends[1], "mechanism": {"matrix": mechanism}}
    given = {"way": "rays", "brackets": [bracket for _, bracket in levels], "slopes": []} | proof
    return {"format": "2", "statement": "design-bracket", "problem": problem, "claim": claim, "proof": given}


TWO = {"outputs": "2"}
HALF = ["1/2", "1/2"]
HALVES = [HALF, HALF]
_CENTRED = {"alpha": HALF, "vectors": [[["-1", "1"]]], "estimators": [[["-1/2", "3/2"]]]}


def variance(ends: tuple[str, str] = ("1", "1"), **proof: Any) -> Any:
    """Return n Var of a prevalence of 1/2 at log 3: the optimum is 1."""
    return file({"kind": "variance"}, HALF, ends, WARNER, _CENTRED | proof)


def eigenvalue(ends: tuple[str, str] = ("2", "2"), **proof: Any) -> Any:
    """Return the E-optimal design at log 3 and equal shares: the optimum is 2."""
    given = {"alpha": ["1/4", "1/4"], "vectors": [[["1", "-1"]]], "weights": ["1/2"]}
    return file({"kind": "e-optimal"}, HALF, ends, WARNER, given | {"estimators": [_inverse()]} | proof)


def determinant(ends: tuple[str, str] = ("-1/1000", "1/1000"), **proof: Any) -> Any:
    """Return the D-optimal design at log 3 and equal shares: the optimum is 0."""
    given = {"alpha": HALF, "vectors": [[["1", "-1"]]], "weights": ["1"], "digits": "20"}
    return file({"kind": "d-optimal"}, HALF, ends, WARNER, given | {"estimators": [_inverse()]} | proof)


def _inverse() -> Any:
    return [["3/2", "-1/2"], ["-1/2", "3/2"]]


def trace(ends: tuple[str, str] = ("3/2", "3/2"), mechanism: Any = WARNER, **parts: Any) -> Any:
    """Return the trace at log 3: the optimum is 3/2."""
    proof = {"alpha": ["3/4", "3/4"]} | parts.pop("proof", {})
    return file({"kind": "trace", "weights": ["1", "1"]}, None, ends, mechanism, proof, problem=TWO, **parts)


def linear(ends: tuple[str, str] = ("3/2", "3/2"), **parts: Any) -> Any:
    """Return the same by multipliers."""
    listed = {"way": "linear", "multipliers": [["0", "0", "0", "1", "1/4"], ["1", "0", "1", "0", "1/4"]]}
    return trace(ends, proof=listed | parts.pop("proof", {}), **parts)


def with_delta(slope: str, x: str, upper: str, copies: int = 1) -> Any:
    """Return the trace at log 2, delta = 1/4: the optimum is 3/2 at slope = x = 1/3."""
    pairs = [("0", "1"), ("1", "0")]
    proof = {
        "alpha": ["2/3", "2/3"],
        "slopes": [["0", j, i, slope] for j, i in pairs if slope != "0"],
        "multipliers": [[j, "0", j, i, x] for j, i in pairs for _ in range(copies)],
    }
    rows = [["3/4", "1/4"], ["1/4", "3/4"]]
    return linear(("1", upper), proof=proof, mechanism=rows, levels=[level(2, "1/4")])


def loss(ends: tuple[str, str] = ("1/4", "1/4"), **proof: Any) -> Any:
    """Return the chance of a lie at log 3 and equal shares: the optimum is 1/4."""
    objective = {"kind": "loss", "matrix": [["0", "1"], ["1", "0"]]}
    return file(objective, HALF, ends, WARNER, {"alpha": ["-1/8", "-1/8"]} | proof, problem=TWO)


def distance(ends: tuple[str, str] = ("1/4", "1/4"), times: int = 1, norm: str = "largest") -> Any:
    """Return the distance from the truth at log 3: the optimum is 1/4 (the largest entry), 1 (the sum)."""
    unit = F(times) / (4 if norm == "largest" else 1)
    lines = [[str(unit), str(-unit)], [str(-unit), str(unit)]]
    # z_0 = (unit, -unit): unit (p_0 - p_1) <= alpha.p, alpha = unit (1/2, 1/2), on (3, 1) and (1, 1)
    proof = {"alpha": [str(unit / 2)] * 2, "lines": lines}
    objective = {"kind": "distance", "norm": norm, "matrix": IDENTITY}
    return file(objective, None, ends, WARNER, proof, problem=TWO)


def total_variation(ends: tuple[str, str] = ("1/2", "1/2"), **parts: Any) -> Any:
    """Return the total variation of (1, 0) and (0, 1) at log 3: the optimum is 1/2."""
    objective = {"kind": "total-variation", "against": ["0", "1"]}
    proof = {"alpha": ["1/4", "1/4"]} | parts.pop("proof", {})
    return file(objective, ["1", "0"], ends, parts.pop("mechanism", WARNER), proof, **parts)


def polytope(population: Any, shares: Any, more: Any, ends: tuple[str, str] = ("1", "1"), **proof: Any) -> Any:
    """Return the largest n Var over a polytope at log 3."""
    return file({"kind": "variance"}, population, ends, WARNER, _CENTRED | {"point": {"shares": shares} | more} | proof)


def rows(coefficients: list[str], relation: str, bound: str) -> Any:
    """Return a polytope of one row."""
    return {"rows": [{"coefficients": coefficients, "relation": relation, "bound": bound}]}


def _indefinite() -> Any:
    """Return an E-optimal design with a negative d_j; semidefinite forms prove less than 0.67203."""
    gammas = {(0, 1): "4", (0, 2): "100", (1, 0): "100", (1, 2): "100", (2, 0): "3/2", (2, 1): "3/2"}
    levels = []
    for (j, i), gamma in gammas.items():
        ends = [{"below": x, "above": x} for x in (gamma, "0")]
        one = {"epsilon": {"log": gamma}, "delta": "0", "pairs": [[str(j), str(i)]]}
        levels.append((one, {"gamma": ends[0], "delta": ends[1]}))
    a, b, c = (F(x) / 10**9 for x in (283654378, -329651881, 382402044))
    alpha = [F(x) / 10**9 + F(1, 10**5) for x in (-22556390, 2889648363, -1867091972)]
    first = [1 + b / a, F(-1), -b / a]  # u + (b/a) v with u = (1, -1, 0), v = (1, 0, -1)
    proof = {
        "alpha": list(map(str, alpha)),
        "vectors": [[list(map(str, first)), ["1", "0", "-1"]]],
        "weights": [str(a), str(c - b * b / a)],
        "estimators": [[["5" if i == j else "-2" for j in range(3)] for i in range(3)]],
    }
    made = [["3/7" if i == j else "2/7" for j in range(3)] for i in range(3)]
    shares = ["2/57", "5/57", "50/57"]
    return file({"kind": "e-optimal"}, shares, ("269/400", "1000"), made, proof, levels=levels, problem={"inputs": "3"})


def branched(ends: tuple[str, str] = ("1", "1"), cells: Any = ("0", "0", "0"), **parts: Any) -> Any:
    """Return the same n Var with two outputs by branches: the pairs of the orders 01 and 10 that do not descend."""
    dual = {"alpha": HALF, "vectors": [[["-1", "1"]]]} | parts.pop("dual", {})
    proof = {"way": "branches", "duals": [dual], "cells": list(cells), "estimators": _CENTRED["estimators"]}
    problem = TWO | parts.pop("problem", {})
    made = file({"kind": "variance"}, HALF, ends, WARNER, proof, problem=problem, **parts)
    del made["proof"]["slopes"]
    return made


def false_branches() -> Iterator[Any]:
    """Iterate over false files of the way of branches."""
    less = {"alpha": ["1/4", "1/4"]}
    yield branched(("2", "2"), dual=less)
    yield branched(("2", "2"))
    yield branched(("7", "7"), dual={"alpha": ["0", "0"], "vectors": [[["0", "0"]]]})
    yield branched(("2", "2"), ["0"], dual=less, problem={"outputs": "any"})
    yield branched(levels=[level(3, "1/4")])  # there the optimum is less
    yield branched(levels=[level(3, "0", [["0", "1"]])])
    yield branched(levels=[level(3), level(2)])
    yield branched(("5/4", "5/4"), dual={"alpha": ["-3/8", "13/8"], "vectors": [[["-3/4", "5/4"]]]})


_OWN = {
    "a-optimal": {"inside": ["1"], "lines": [["0"]], "inverse": {"diagonal": ["2"], "blocks": [["-3/4"]]}},
    "e-optimal": {"inside": ["1"], "lines": [], "weights": [], "inverse": {"diagonal": ["2"], "blocks": [["-3/4"]]}},
    "d-optimal": {"inside": ["1"], "lines": [], "weights": [], "digits": "20"},
}


def grouped(kind: str, ends: tuple[str, str], row: Any = None, groups: Any = ("2",), **parts: Any) -> Any:
    """Return Warner's design at log 3 by one group of two inputs: A and E have the optimum 2, D 0."""
    proof = {"way": "groups", "alpha": ["1/4"], **_OWN[kind]} | parts.pop("proof", {})
    shares = parts.pop("shares", HALF)
    made = file({"kind": kind}, shares, ends, None, proof, **parts)
    del made["proof"]["slopes"]
    rows_ = [row or [[["3/4", "1"], ["1/4", "1"]]]]
    made["claim"]["mechanism"] = {"orbits": {"groups": list(groups), "rows": rows_}}
    return made


def false_groups() -> Iterator[Any]:
    """Iterate over false files of the way of groups."""
    yield grouped("e-optimal", ("3", "3"))
    yield grouped("e-optimal", ("3", "3"), proof={"alpha": ["0"], "inside": ["0"]})
    yield grouped("a-optimal", ("3", "3"))
    yield grouped("a-optimal", ("3", "3"), proof={"alpha": ["0"], "inside": ["0"]})
    yield grouped("a-optimal", ("2", "2"), levels=[level(3, "0", [["0", "1"]])])
    inverse = {"diagonal": ["1/2"], "blocks": [["0"]]}
    yield grouped("a-optimal", ("0", "1/2"), [[["1", "1"]]], proof={"inverse": inverse})  # one entry for two inputs
    inverse = {"diagonal": ["4/3"], "blocks": [["-1/2"]]}
    third = ["1/3"] * 3
    yield grouped("a-optimal", ("0", "13/9"), shares=third, problem={"inputs": "3"}, proof={"inverse": inverse})


def groups_forms() -> Iterator[Any]:
    """Iterate over files of the way of groups that violate the page."""
    yield grouped("d-optimal", ("-1", "1"), proof={"alpha": ["-1"]})
    singular = {"alpha": ["1", "1"], "inside": ["0", "0"], "lines": [["1", "-1"]], "weights": ["1"]}
    yield grouped("d-optimal", ("-9", "9"), [[["1", "1"]], [["1", "1"]]], ("1", "1"), proof=singular)
    yield grouped("a-optimal", ("2", "2"), levels=[level(3), level(4)])


def formula(ends: tuple[str, str] = ("3/2", "3/2"), population: Any = None, **parts: Any) -> Any:
    """Return the trace of two categories at log 3 by the formula: the optimum is 3/2."""
    objective = {"kind": "trace", "weights": {"runs": [["2", "1"]]}}
    made = file(objective, population, ends, None, {"way": "formula"}, problem=TWO | parts.pop("problem", {}), **parts)
    del made["proof"]["slopes"]
    made["claim"]["mechanism"] = {"blocks": {"family": "direct", "categories": "2", "gamma": "3"}}
    return made


def false_formulas() -> Iterator[Any]:
    """Iterate over false files of the way of a formula."""
    yield formula(("8/5", "8/5"))
    yield formula(("4/3", "4/3"))
    yield formula(levels=[level(3, "0", [["0", "1"]])])  # there the optimum is larger
    yield formula(levels=[level(3), level(2)])
    bounds = {"least": [["0", "0"]] * 2, "most": [["1/2", "1"], ["1", "1/2"]]}
    yield formula(problem={"bounds": bounds})


def false_files() -> Iterator[Any]:
    """Iterate over files whose claims are false."""
    yield from false_formulas()
    yield from false_groups()
    yield from false_branches()
    # the sides
    yield variance(("0", "1/2"))
    yield variance(("2", "2"))
    yield variance(("1/2", "1/2"), estimators=[[["0", "0"]]])
    yield variance(("5/4", "5/4"), alpha=["-3/8", "13/8"], vectors=[[["-3/4", "5/4"]]])  # M^-1 c: not centred
    yield variance(("7", "7"), alpha=["0", "0"], vectors=[[["0", "0"]]])  # B = 0
    yield variance(("2", "2"), alpha=["1/4", "1/4"])
    yield eigenvalue(("3", "3"))
    yield eigenvalue(("0", "1"))
    yield eigenvalue(("1/2", "1/2"))
    yield _indefinite()
    yield determinant(("-1", "-1/10"))
    yield determinant(("1/10", "1"))
    yield determinant(("-9", "-1"), vectors=[[["1/10", "-1/10"]]], weights=["100"])
    yield determinant(("-9", "-1"), alpha=["1/10", "1/10"])
    yield determinant(("-9", "-1"), weights=["100"])
    yield determinant(("-9", "-1"), alpha=["1/8", "1/8"], weights=["1/4"])  # ln d_j has a sign
    yield variance(("2", "2"), alpha=["1", "1"])  # as if the distribution had the weight 2
    yield trace(("8/5", "8/5"), proof={"alpha": ["4/5", "4/5"]})
    yield trace(("1", "7/5"))
    yield trace(("1", "7/5"), proof={"alpha": ["7/10", "7/10"]})
    yield loss(("-9", "1/8"))
    yield loss(("1/2", "1/2"))
    yield distance(("5/2", "5/2"), times=10)
    yield distance(("1/2", "1/2"), times=2)
    yield distance(("10", "10"), times=10, norm="total")
    yield distance(("0", "1/8"))
    yield distance(("1/2", "1/2"))
    far = distance(("0", "0"), times=0)  # two entries are as wanted, two are not
    far["problem"]["objective"]["matrix"] = [["3/4", "0"], ["1/4", "1"]]
    yield far
    yield total_variation(("3/4", "3/4"), proof={"alpha": ["3/8", "3/8"]})
    yield total_variation(("0", "1/4"))
    yield total_variation(("0", "1/4"), proof={"alpha": ["1/8", "1/8"]})
    yield total_variation(("0", "1/4"), levels=[level(3, "1/4")], proof={"alpha": ["1/8", "1/8"]})
    payoff = {"kind": "payoff", "matrix": [["1", "-3"], ["-3", "1"]]}  # the optimum is -1/3: lower <= 0 proves nothing
    third = [["2/3", "1/3"], ["1/3", "2/3"]]
    yield file(payoff, HALF, ("0", "0"), third, {"alpha": ["-1/6", "-1/6"]}, levels=[level(2)])
    # lower ends between 0 and 1 at log 9: the optima are 25/32 and 25/64
    nine = {"levels": [level(9)]}
    rows_9, inverse = [["9/10", "1/10"], ["1/10", "9/10"]], [["9/8", "-1/8"], ["-1/8", "9/8"]]
    quarter = {"alpha": ["1/4", "1/4"], "vectors": [[["1", "-1"]]]}
    proof = quarter | {"weights": ["1/2"], "estimators": [inverse]}
    yield file({"kind": "e-optimal"}, HALF, ("1", "1"), rows_9, proof, **nine)
    yield file({"kind": "variance"}, HALF, ("1", "1"), rows_9, quarter | {"estimators": [inverse[1:]]}, **nine)
    # the region
    yield trace(("2", "2"), IDENTITY, proof={"alpha": ["1", "1"]})
    yield trace(("2", "2"), IDENTITY, proof={"alpha": ["1", "1"]}, levels=[level(3, "1/4")])
    yield _bounded()
    # slopes
    negative = [["1", j, i, "-3"] for j, i in (("0", "1"), ("1", "0"))]
    walls = [level(2), level(1, "1")]
    yield file(
        {"kind": "trace", "weights": ["0", "0"]},
        None,
        ("-4", "-4"),
        [["1", "1"], ["0", "0"]],
        {"alpha": ["1", "1"], "slopes": negative},
        levels=walls,
        problem=TWO,
    )
    other = with_delta("1/3", "1/3", "3/2")
    one = level(2, "1/4", [["0", "1"]])
    other["problem"]["levels"], other["proof"]["brackets"] = [one[0]], [one[1]]
    yield other
    yield two_bends("1/2", "1/100", "81/200")
    yield two_bends("1/5", "4/5", "14/25", "-4")
    # multipliers
    yield with_delta("0", "1/3", "4/3")
    yield with_delta("1/6", "1/3", "17/12")
    yield with_delta("1/6", "1/6", "17/12", copies=2)
    yield linear(("1", "1"), proof={"alpha": HALF})
    negative = [["0", "0", "1", "0", "-1/4"], ["1", "0", "0", "1", "-1/4"]]
    yield linear(("-9", "1/2"), mechanism=HALVES, proof={"alpha": ["1/4", "1/4"], "multipliers": negative})
    # infinite squares, delta = 1/4: the output (0, 1) has no chance, and estimates a prevalence of 0 without error
    proof = {"alpha": ["10", "10"], "vectors": [[["-1", "1"]]], "estimators": [[["-1/2", "3/2"]]]}
    slopes = [["0", "0", "1", "1"], ["0", "1", "0", "1"]]
    yield file(
        {"kind": "variance"}, ["1", "0"], ("1/50", "9"), WARNER, proof | {"slopes": slopes}, levels=[level(3, "1/4")]
    )
    yield from _polytopes()
    yield from _coarse()


def two_bends(first: str, second: str, upper: str, loss_of: str = "-6") -> Any:
    """Return the payoff of being sure of an input, at odds of 3 (loss -6, optimum 1/2) or 2 (loss -4, optimum 4/5)."""
    objective = {"kind": "payoff", "matrix": [["0", "0"], ["2", loss_of], [loss_of, "2"]]}
    slopes = [[t, j, i, x] for t, x in (("0", first), ("1", second)) for j, i in (("0", "1"), ("1", "0"))]
    rows = [["1/4", "0"], ["0", "1/4"], ["3/4", "3/4"]]
    levels = [level(2, "2/5"), level(3, "1/4")]
    return file(objective, HALF, ("0", upper), rows, {"alpha": ["0", "0"], "slopes": slopes}, levels=levels)


def _coarse() -> Iterator[Any]:
    """Iterate over files with wide brackets: a mechanism at the end above, or a bound at the end below, is too good."""
    wide = {"below": "2", "above": "3"}  # of e
    zero = {"below": "0", "above": "0"}
    one = {"epsilon": {"rational": "1"}, "delta": "0", "pairs": "all"}, {"gamma": wide, "delta": zero}
    both = one[0] | {"pairs": [["0", "1"], ["1", "0"]]}, one[1]
    third = [["2/3", "1/3"], ["1/3", "2/3"]]
    for level_ in (one, both):
        yield total_variation(levels=[level_])  # the optimum is 0.462, 1/2 at log 3
        yield total_variation(("1/3", "1/3"), levels=[level_], mechanism=third, proof={"alpha": ["1/6", "1/6"]})
        yield linear(
            ("4/3", "4/3"),
            levels=[level_],
            mechanism=third,
            proof={"alpha": ["2/3"] * 2, "multipliers": [["0", "0", "0", "1", "1/3"], ["1", "0", "1", "0", "1/3"]]},
        )
    # delta = exp(-1) = 0.368 at log 3: the optimum of the total variation is (1 + delta)/2 = 0.684
    slack = {"epsilon": {"log": "3"}, "delta": {"exp": "-1"}, "pairs": "all"}
    ends = {"gamma": {"below": "3", "above": "3"}, "delta": {"below": "1/5", "above": "3/5"}}
    slopes = [["0", "0", "1", "1/4"], ["0", "1", "0", "1/4"]]
    rows = [["4/5", "1/5"], ["1/5", "4/5"]]
    proof = {"alpha": ["1/4", "1/4"], "slopes": slopes}
    yield total_variation(("3/5", "3/5"), levels=[(slack, ends)], mechanism=rows, proof=proof)
    many = [["3/5", "0"], ["0", "3/5"], ["3/10", "1/10"], ["1/10", "3/10"]]
    yield total_variation(("4/5", "4/5"), levels=[(slack, ends)], mechanism=many, proof=proof)
    # the same at epsilon = 1, delta = 1/4: slopes that are bent at 2, where e is the bend
    bent = {"epsilon": {"rational": "1"}, "delta": "1/4", "pairs": "all"}
    ends = {"gamma": wide, "delta": {"below": "1/4", "above": "1/4"}}
    proof = {"alpha": ["1/6", "1/6"], "slopes": [["0", "0", "1", "1/3"], ["0", "1", "0", "1/3"]]}
    half = [["3/4", "1/4"], ["1/4", "3/4"]]
    yield total_variation(("1/2", "1/2"), levels=[(bent, ends)], mechanism=half, proof=proof)


def _bounded() -> Any:
    """Return a mechanism beyond its bounds: with the entry 0, 0 at most 1/2 the trace is at most 4/3."""
    bounds = {"least": [["0", "0"], ["0", "0"]], "most": [["1/2", "1"], ["1", "1"]]}
    made = trace(("3/2", "3/2"))
    made["problem"]["bounds"] = bounds
    made["proof"]["limits"] = [["0", "0"], ["0", "0"]]
    return made


def _polytopes() -> Iterator[Any]:
    away = {"vertices": [["1", "0"]]}
    yield polytope(away, HALF, {"weights": ["1"]})  # 1/2 is not among them
    first = ["0", "1"]
    # worst at 1/10: below 0.84
    yield polytope(rows(first, "<=", "1/10"), HALF, {"multipliers": ["0", "1"]})
    yield polytope(rows(first, ">=", "9/10"), HALF, {"multipliers": ["0", "1"]})
    yield polytope(rows(first, "<=", "100"), HALF, {"multipliers": ["-1", "3"]}, ("-99", "-50"))
    yield polytope(rows(["0", "-1"], ">=", "-100"), HALF, {"multipliers": ["1", "3"]}, ("-99", "-50"))
    yield polytope(rows(first, "<=", "1"), HALF, {"multipliers": ["0", "0"]}, ("0", "0"))
    yield polytope(
        rows(first, "<=", "1"), ["9/10", "1/10"], {"multipliers": ["0", "4/5"]}, ("0", "4/5")
    )  # t_0 < 4/5 < t_1
    yield polytope({"vertices": [["1", "0"], ["0", "1"]]}, HALF, {"weights": HALF}, ("0", "1/2"))
    yield polytope({"vertices": [["1", "0"], ["0", "1"]]}, HALF, {"weights": HALF}, ("2", "2"), alpha=["1", "1"])


def form_files() -> Iterator[Any]:
    """Iterate over files that violate the page; what they claim is meaningless, or true with a wrong proof."""
    yield from (_put(variance(), ("problem", "objective"), other) for other in ({"kind": "median"}, {"kind": ["x"]}))
    yield _put(variance(), ("statement",), "design-brackets")
    yield from (
        branched(cells=listed) for listed in ([], ["0", "0"], ["0"] * 4, ["0", ["0", "1", "1"], *["0"] * 3], ["1"])
    )
    yield branched(problem={"outputs": "any"})
    yield formula(population=HALF)
    yield _put(variance(), ("proof", "way"), "roads")
    yield _put(linear(), ("problem", "population"), HALF)
    mixture = {"mixture": [{"weight": "1", "shares": HALF}]}
    for made in (eigenvalue(), loss()):
        yield _put(made, ("problem", "population"), mixture)
    for weights in ([], ["2", "-1"], ["1/2", "1/4"]):
        parts = [{"weight": w, "shares": ["1", "0"]} for w in weights]
        yield _put(total_variation(("0", "1")), ("problem", "population"), {"mixture": parts})
    made = _put(total_variation(), ("problem", "population"), {"vertices": [["1", "0"]]})
    yield _put(made, ("proof", "point"), {"shares": ["1", "0"], "weights": ["1"]})
    yield _put(trace(), ("problem", "outputs"), "any")
    three = [["3/4", "1/4"], ["1/8", "3/8"], ["1/8", "3/8"]]
    yield _put(trace(mechanism=three), ("problem", "outputs"), "3")
    yield _put(distance(("1/4", "1")), ("problem", "objective", "norm"), "least")
    more = [[*row, "1/2"] for row in WARNER]
    third = ["1/3", "1/3", "1/3"]
    made = file({"kind": "variance"}, third, ("0", "9"), more, _CENTRED, problem={"inputs": "3"})
    made["proof"]["vectors"] = [[["-1", "1", "0"]]]
    yield _put(made, ("proof", "alpha"), ["1", "1", "1"])
    yield file(
        {"kind": "c-optimal", "contrast": ["0", "0"]},
        HALF,
        ("0", "0"),
        [["1", "1"]],
        _CENTRED | {"estimators": [[["0"]]]},
    )
    yield polytope({"vertices": []}, HALF, {"weights": []})
    yield polytope(rows(["1", "1"], "<", "1"), HALF, {"multipliers": ["0", "1"]})
    criterion, brackets = _criterion()
    for key, other in (("delta", "1/4"), ("pairs", [["0", "1"], ["1", "0"]])):
        ends = {"below": other, "above": other} if key == "delta" else brackets["delta"]
        yield total_variation(
            ("0", "9"), levels=[(criterion | {key: other}, brackets | {"delta": ends})], proof={"alpha": ["1", "1"]}
        )
    bounds = {"least": [["0", "0"], ["0", "0"]], "most": [["1", "1"], ["1", "1"]]}
    yield _put(_put(total_variation(), ("problem", "bounds"), bounds), ("proof", "limits"), [["0", "0"], ["0", "0"]])
    for pairs in ([["0", "0"]], [["1", "0"], ["0", "1"]], [["0", "1"], ["0", "1"]], []):
        yield total_variation(("0", "9"), levels=[level(3, "0", pairs)], proof={"alpha": ["1", "1"]})
    yield total_variation(("0", "9"), levels=[level(3)], proof={"alpha": ["1", "1"], "slopes": [["0", "0", "1", "1"]]})
    for listed in (["1", "0"], ["0", "0"]):
        slopes = [["0", str(j), str(1 - int(j)), "1"] for j in listed]
        yield total_variation(("0", "9"), levels=[level(3, "1/4")], proof={"alpha": ["1", "1"], "slopes": slopes})
    estimator = [["1/2", "1/2"], ["1/2", "1/2"]]
    yield _put(determinant(("-99", "9")), ("proof", "estimators"), [estimator])


def _criterion() -> tuple[Any, Any]:
    """Return the level of a criterion: the posterior is at most 1/2 for every prior up to 1/5."""
    up = {"pieces": [{"to": "1/5", "closed": False, "value": "1/2"}, {"to": "1", "closed": True, "value": "1"}]}
    steps = [{"to": end, "near": False, "method": "bernstein", "order": "0"} for end in ("1/5", "1")]
    point = {"side": "up", "piece": "0", "from": "1/5", "to": "1/5", "method": "bernstein", "order": "0"}
    proof = {
        "digits": "40",
        "exact": None,
        "down": None,
        "up": [[steps[0]], [steps[1]]],
        "point": point,
    }
    claim = {"lower": "4", "upper": "4", "attained": False, "at": "1/5"}
    gamma = {"below": "4", "above": "4", "infimum": {"claim": claim, "proof": proof}}
    return {"epsilon": {"up": up, "down": None}, "delta": "0", "pairs": "all"}, {
        "gamma": gamma,
        "delta": {"below": "0", "above": "0"},
    }


def honest_files() -> Iterator[Any]:
    """Iterate over true files whose proofs are complete."""
    yield from (variance(), eigenvalue(), determinant(), trace(), linear(), loss(), distance(), total_variation())
    yield distance(("1", "1"), norm="total")
    yield from (grouped(kind, ends) for kind, ends in (("a-optimal", ("2", "2")), ("e-optimal", ("2", "2"))))
    yield grouped("d-optimal", ("-1/1000", "1/1000"))
    yield formula()
    yield from (branched(), branched(cells=["0", ["1", "1", "0"], "0", "0", "0"]), cells())
    yield determinant(alpha=["2", "2"], weights=["4"])
    yield eigenvalue(vectors=[[["1", "-1"], ["1", "-1"]]], weights=["0", "1/2"])
    fixed = trace(
        levels=[level(3, "1/4")], proof={"alpha": ["0", "0"], "limits": IDENTITY}
    )  # each output has its own g
    fixed["problem"]["bounds"] = {"least": WARNER, "most": WARNER}
    yield fixed
    levels = [level(3, "1/4"), level(2, "1/2")]  # two bends of a pair
    slopes = [[t, j, i, x] for t, x in (("0", "1/8"), ("1", "1/8")) for j, i in (("0", "1"), ("1", "0"))]
    yield total_variation(("1/2", "11/16"), levels=levels, proof={"alpha": ["1/4", "1/4"], "slopes": slopes})
    yield two_bends("1/2", "1/2", "13/20")
    yield two_bends("1", "1/100", "161/200", "-4")
    yield with_delta("1/3", "1/3", "3/2")
    yield polytope({"vertices": [["1", "0"], ["0", "1"]]}, HALF, {"weights": HALF})
    yield polytope(rows(["0", "1"], "<=", "1/2"), HALF, {"multipliers": ["0", "1"]})
    yield total_variation(("0", "9"), levels=[_criterion()], proof={"alpha": ["1", "1"]})


def _put(document: Any, path: tuple[str, ...], value: Any) -> Any:
    made = deepcopy(document)
    inside = made
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    return made


def texts() -> Iterator[tuple[str, str]]:
    """Iterate over kind and text of all that must be rejected."""
    yield from (("false", json.dumps(each)) for each in false_files())
    yield from (("form", json.dumps(each)) for each in form_files())
    yield from (("form", json.dumps(each)) for each in (*cells_forms(), *groups_forms()))


def degenerate() -> Iterator[tuple[Any, bool]]:
    """Iterate over files at the edge of what a problem may be, with their verdicts."""
    total = total_variation
    one = [["1", "1"]]
    # no level at all: the truth may be told
    yield total(("1", "1"), levels=[], mechanism=IDENTITY, proof={"alpha": ["1/2", "1/2"]}), True
    yield total(("0", "1/2"), levels=[], mechanism=one, proof={"alpha": ["1/4", "1/4"]}), False
    # gamma = 1: the output says nothing
    yield total(("0", "0"), levels=[level(1)], mechanism=one, proof={"alpha": ["0", "0"]}), True
    yield total(("0", "0"), levels=[level(1)], proof={"alpha": ["0", "0"]}), False
    # delta = 1: no condition; a level of delta 1 beside one of delta 0 changes nothing
    yield (
        total(("1", "1"), levels=[level(2, "1")], mechanism=IDENTITY, proof={"alpha": ["1/2"] * 2}),
        True,
    )
    yield total(("1/2", "1/2"), levels=[level(3), level(2, "1")]), True
    yield total(("1/4", "1/4"), levels=[level(3), level(2, "1")], mechanism=one), False
    # gamma = 1, delta = 1/4: the total variation is delta
    slopes = [["0", "0", "1", "1/2"], ["0", "1", "0", "1/2"]]
    four = [["1/4", "0"], ["0", "1/4"], ["3/4", "3/4"]]
    yield (
        total(
            ("1/4", "1/4"),
            levels=[level(1, "1/4")],
            mechanism=four,
            proof={"alpha": ["0", "0"], "slopes": slopes},
        ),
        True,
    )
    # one pair only; and all pairs, listed
    yield total(("1/2", "1/2"), levels=[level(3, "0", [["0", "1"], ["1", "0"]])]), True
    yield total(("1/2", "1/2"), levels=[level(3, "0", [["0", "1"]])]), False
    # the same distribution twice: nothing is apart; a share of 0
    equal = total(("0", "0"), proof={"alpha": ["0", "0"]})
    equal["problem"]["population"] = ["0", "1"]
    yield equal, True
    # zero contrasts, zero vectors, repeated rows and outputs of chance 0
    zero = variance(("0", "1"), vectors=[[["0", "0"]]])
    yield zero, True
    yield variance(("1/100", "1"), vectors=[[["0", "0"]]]), False
    rows = [["3/8", "1/8"], ["3/8", "1/8"], ["1/8", "3/8"], ["1/8", "3/8"], ["0", "0"]]
    twice = variance(estimators=[[["-1/2", "-1/2", "3/2", "3/2", "7"]]])
    twice["claim"]["mechanism"]["matrix"] = rows
    yield twice, True
    # one contrast is 0, the other is not; a contrast of equal entries has no variance
    both = {"alpha": ["1/2", "1/2"], "vectors": [[["-1", "1"], ["0", "0"]]]}
    both["estimators"] = [[["-1/2", "3/2"], ["0", "0"]]]
    listed = {"kind": "contrasts", "contrasts": [["0", "1"], ["0", "0"]]}
    yield file(listed, HALF, ("1", "1"), WARNER, both), True
    equal = {"kind": "c-optimal", "contrast": ["1", "1"]}
    proof = {"alpha": ["1", "1"], "vectors": [[["-1", "1"]]], "estimators": [[["1"]]]}
    yield file(equal, HALF, ("0", "0"), one, proof), True
    yield file(equal, HALF, ("1/9", "1/9"), one, proof), False
    # the bounds leave one mechanism
    fixed = trace()
    fixed["problem"]["bounds"] = {"least": WARNER, "most": WARNER}
    fixed["proof"] |= {"alpha": ["0", "0"], "limits": IDENTITY}
    yield fixed, True
    crossed = deepcopy(fixed)
    crossed["problem"]["bounds"]["least"] = [["1", "1"], ["1", "1"]]  # above most: there is no mechanism
    yield crossed, False
    # a mixture of one distribution is that distribution
    single = total(("1/2", "1/2"))
    single["problem"]["population"] = {"mixture": [{"weight": "1", "shares": ["1", "0"]}]}
    yield single, True
    mixed = variance()
    parts = [{"weight": "1/2", "shares": HALF}] * 2
    mixed["problem"]["population"] = {"mixture": parts}
    mixed["proof"] |= {key: mixed["proof"][key] * 2 for key in ("vectors", "estimators")}
    yield mixed, True
    mixed = deepcopy(mixed)
    mixed["proof"]["vectors"].pop()
    yield mixed, False


def cells(ends: tuple[str, str] = ("0", "2/17"), rows: Any = None, level_: Any = None, **proof: Any) -> Any:
    """Return chi-square of (1/3, 2/3) against equal shares under D_2 <= log 2; without noise it is 1/9."""
    given = {"way": "cells", "brackets": [{"gamma": {"below": "2", "above": "2"}}], "alpha": ["1/17", "1/17"]}
    given |= {"curves": [{"order": "2", "multipliers": [["0", "0"], ["0", "0"]]}], "digits": "20"} | proof
    level_ = level_ or {"order": "2", "epsilon": {"log": "2"}}
    problem = {"inputs": "2", "outputs": "any", "levels": [level_], "bounds": None}
    problem |= {"objective": {"kind": "chi-square", "against": HALF}, "population": ["1/3", "2/3"]}
    claim = {"lower": ends[0], "upper": ends[1], "mechanism": {"matrix": rows or [["1", "1"]]}}
    return {"format": "2", "statement": "design-bracket", "problem": problem, "claim": claim, "proof": given}


def cells_forms() -> Iterator[Any]:
    """Iterate over files of the way of cells that violate one condition of the page."""
    for order in ("999999/1000000", "1/2"):
        curve = {"order": order, "multipliers": [["0", "0"], ["0", "0"]]}
        yield cells(level_={"order": order, "epsilon": {"log": "2"}}, curves=[curve])
    yield cells(("0", "3"), alpha=["1", "1"], curves=[{"order": "2", "multipliers": [["0", "-1/1000000"], ["0", "0"]]}])
    yield cells(level_={"rho": "-1/1000000"}, brackets=[{"orders": []}])
    for key, value in (("outputs", "2"), ("bounds", {"least": [["0", "0"]] * 2, "most": [["1", "1"]] * 2})):
        made = cells()
        made["problem"][key] = value
        if key == "bounds":
            made["proof"]["limits"] = [["0", "0"]] * 2
        yield made
    parts = [{"weight": "1/3", "shares": HALF}, {"weight": "2/3", "shares": ["3/4", "1/4"]}]
    slopes = [["0", "0", "1", "2/27"], ["0", "1", "0", "2/27"]]
    rows_4 = [["1/2", "1/4"], ["1/4", "1/2"], ["1/4", "0"], ["0", "1/4"]]  # chi-square is infinite
    infinite = {"kind": "chi-square", "against": ["0", "1"]}
    proof = {"alpha": ["108001/108", "108001/108"], "slopes": slopes}
    yield file(infinite, {"mixture": parts}, ("0", "36001/18"), rows_4, proof, levels=[level(2, "1/4")])
    made = variance()
    made["proof"]["way"] = "branches"
    yield made
