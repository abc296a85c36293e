"""Files made for one condition each: false, or no certificates; a checker without the condition accepts them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from typing import Any

import mpmath as mp

from adversary.forgeries import forgeries
from adversary.oracle import judge
from adversary.pool import certificate

from .binary import stated
from .harness import statement
from .levels import DIGITS
from .polynomials import two_sides

F = Fraction
HALF = [["1/2", "1/2"], ["1/2", "1/2"]]


def region(epsilon: Any, delta: Any = "0", inputs: str = "2", outputs: str = "2") -> Any:
    """Return a region of one level."""
    level = {"epsilon": epsilon, "delta": delta, "family": "all"}
    return {"kind": "differential-privacy", "inputs": inputs, "outputs": outputs, **level}


def bracket(below: Any, above: Any = None) -> Any:
    """Return a bracket."""
    return {"below": str(below), "above": str(below if above is None else above)}


def nothing(epsilon: Any, gamma: Any, delta: Any = "0", slack: Any = None, **changes: Any) -> Any:
    """Return the file of a loss of 0 at one level: whatever holds of the region is tried alone."""
    zeros = [["0", "0"], ["0", "0"]]
    levels = [{"epsilon": epsilon, "delta": delta, "pairs": "all"}]
    problem = {"inputs": "2", "outputs": "2", "levels": levels, "bounds": None, "population": ["1/2", "1/2"]}
    problem |= {"objective": {"kind": "loss", "matrix": zeros}}
    claim = {"lower": "0", "upper": "0", "mechanism": {"matrix": HALF}}
    proof = {"way": "linear", "brackets": [{"gamma": gamma, "delta": slack or bracket(0)}]}
    proof |= {"alpha": ["0", "0"], "slopes": [], "multipliers": []}
    parts = [made | changes.get(name, {}) for name, made in (("problem", problem), ("claim", claim), ("proof", proof))]
    return statement("design-bracket", *parts)


def _exp(r: Fraction) -> tuple[Fraction, Fraction]:
    number = mp.exp(mp.mpf(r.numerator) / r.denominator)
    scale = 10 ** (DIGITS - 10 - int(mp.log10(number)))
    low = int(mp.floor(number * scale))
    return F(low - 1, scale), F(low + 1, scale)


def _levels() -> Iterator[Any]:
    yield nothing({"rational": "101"}, bracket(*_exp(F(101))))
    profile = {"mechanism": {"matrix": HALF}, "level": {"rational": "1"}}
    claim = {"lower": "0", "upper": "1/2"}
    yield statement("mechanism-levels", profile, claim, {"brackets": [bracket("1/2", 3)]})
    unused = {"brackets": [], "orders": [[]], "digits": "20"}  # orders, where the order is given
    yield statement(
        "divergence-level", {"mechanism": {"matrix": HALF}, "order": "2"}, {"lower": "0", "upper": "1"}, unused
    )
    honest = json.dumps(nothing({"log": "2"}, bracket(2)))
    for number, other in (("0", "-0"), ("0", "0/1"), ("1/2", "2/4")):
        yield json.loads(honest.replace(f'"matrix": [["{number}"', f'"matrix": [["{other}"'))
    yield nothing({"log": "2"}, bracket(2), "3/2", bracket("3/2"))
    yield nothing({"log": "2"}, bracket(2), {"exp": "0"}, bracket(1))
    yield nothing({"log": "2"}, bracket(2), {"exp": "-1"}, bracket(0, "1/2"))
    yield nothing({"log": "1"}, bracket(1))
    yield nothing({"log": "2", "times": "2"}, bracket(4))
    yield nothing({"log": "2", "times": "301/2"}, bracket(2**150, 2**151))
    long = "1" + 400 * "0" + "1"
    yield nothing({"log": long}, bracket(long))


def _linear() -> Iterator[Any]:
    truth = {"mechanism": {"matrix": [["1", "0"], ["0", "1"]]}}
    yield nothing({"log": "2"}, bracket(2), claim=truth)
    rows = [{"coefficients": [["0", "1"]], "relation": ">=", "bound": "1"}]
    free = {"signs": ["free"], "rows": rows}
    yield statement("infeasible", free, {}, {"multipliers": [["0", "1"]]})
    below = {"cost": ["1"], "signs": ["nonnegative"], "rows": []}
    yield statement("optimal-value", below, {"lower": "-1", "upper": "-1", "point": ["-1"]}, {"multipliers": []})
    # a region that contains every mechanism, and a region without bounds, which contains all that ignore the input
    level = {"epsilon": {"log": "2"}, "delta": "0", "pairs": "all"}
    wide = {
        "inputs": "2",
        "outputs": "2",
        "levels": [level],
        "bounds": {"least": [["0"] * 2] * 2, "most": [["1"] * 2] * 2},
    }
    proof = {"brackets": [{"gamma": bracket(2), "delta": bracket(0)}], "slopes": [], "multipliers": []}
    for alpha, limit in (("0", "0"), ("-1", "1"), ("-1/2", "1/4"), ("-1", "0")):
        yield statement("infeasible", wide, {}, proof | {"alpha": [alpha] * 2, "limits": [[limit] * 2] * 2})
    yield statement("infeasible", wide | {"bounds": None}, {}, proof | {"alpha": ["-1"] * 2, "limits": None})


def _formulas() -> Iterator[Any]:
    """The way of a formula with delta: an information, and classes whose index does not divide q - 1."""

    def file(kind: str, k: str, ends: tuple[str, str], blocks: Any, delta: str) -> Any:
        levels = [{"epsilon": {"log": "3"}, "delta": delta, "pairs": "all"}]
        problem = {"inputs": k, "outputs": "any", "levels": levels, "bounds": None, "objective": {"kind": kind}}
        made = {"blocks": {"categories": k, "gamma": "3", **blocks}}
        claim = {"lower": ends[0], "upper": ends[1], "mechanism": made}
        proof = {"way": "formula", "brackets": [{"gamma": bracket(3), "delta": bracket(delta)}]}
        return statement("design-bracket", problem | {"population": {"uniform": k}}, claim, proof)

    yield file("mutual-information", "2", ("1/8", "7/50"), {"family": "direct"}, "1/4")
    for index, delta in (("4", "0"), ("3", "1/4")):  # the bounds leave room
        classes = {"family": "affine-classes", "index": index, "q": "7", "cosets": "1", "zero": "0"}
        yield file("a-optimal", "7", ("6/7", "1000"), classes, delta)


def _binary() -> Iterator[Any]:
    one, ends = ({"rational": "0"}, "1", "all"), {"gamma": bracket(1), "delta": bracket(1)}

    def file(interval: tuple[str, str], lower: str, upper: str, rows: Any) -> Any:
        claim = {"lower": lower, "upper": upper, "mechanism": {"matrix": rows}}
        return stated(one, "variance", interval, claim, ends)

    identity = [["1", "0"], ["0", "1"]]
    yield file(("-1/2", "0"), "0", "0", identity)
    yield file(("1/2", "1/2"), "1/4", "0", [["3/2", "1/2"], ["-1/2", "1/2"]])
    ratio = file(("1/2", "1/2"), "9/4", "3/4", [["1/2", "0"], ["1/2", "1"]])
    ratio["problem"]["levels"] = [{"epsilon": {"log": "2"}, "delta": "0", "pairs": "all"}]
    yield ratio | {"proof": {"brackets": [{"gamma": bracket(2), "delta": bracket(0)}]}}
    empty = file(("1/2", "1/2"), "1/4", "1/4", identity)
    empty["problem"]["levels"] = [{"epsilon": {"rational": "1"}, "delta": "0", "pairs": "all"}]
    yield empty | {"proof": {"brackets": [{"gamma": bracket(1, 3), "delta": bracket(0)}]}}
    honest = json.loads(certificate("log(2)", "1/10", "1/4"))
    for change in ("optima", "family", "goal", "outputs", "prevalences"):
        forged = deepcopy(honest)
        if change == "optima":
            forged["claim"]["optima"] = [{"matrix": HALF}]
        elif change == "prevalences":
            forged["problem"] |= {"from": "1/8", "to": "1/4"}
        else:
            forged["problem"][change] = "3" if change == "outputs" else "none"
        yield forged
    yield from _other_binary()


def _other_binary() -> Iterator[Any]:
    """Problems that the statement does not have, each with the numbers of one that it has: gamma = 2, delta = 1/4."""
    ends = {"gamma": bracket(2), "delta": bracket("1/4")}
    even, best = [["3/4", "1/4"], ["1/4", "3/4"]], [["3/4", "1/4"], ["1/4", "1/2"], ["0", "1/4"]]

    def file(goal: str, interval: tuple[str, str], value: str, rows: Any, **claim: Any) -> Any:
        said = {"lower": value, "upper": value, "mechanism": {"matrix": rows}, **claim}
        outputs = str(min(len(rows), 3))
        return stated(({"log": "2"}, "1/4", "all"), goal, interval, said, ends, outputs)

    quarter, half = ("1/4", "1/4"), ("1/2", "1/2")
    four = file("variance", quarter, "15/16", [*even, ["0", "0"], ["0", "0"]])
    four["problem"]["outputs"] = "4"  # the best four outputs have 105/176
    yield four
    one_sided = file("variance", quarter, "15/16", even)
    one_sided["problem"]["levels"][0]["pairs"] = [["0", "1"]]
    yield one_sided
    yield file("none", quarter, "15/16", even)
    yield file("regret", half, "6/7", best)  # the least regret at one prevalence is 0
    yield file("variance", ("1/4", "1/2"), "9/13", best, lower="0")  # 6/7 at 1/2
    tie = [{"matrix": even}, {"matrix": [["1", "3/4"], ["0", "1/4"]]}]
    yield file("regret", quarter, "0", even, optima=tie)  # true, but of no form that the page has
    yield file("variance", ("1/4", "1/2"), "1", even, lower="15/16", optima=tie)  # the second one has more at 1/2


def _polynomials() -> Iterator[Any]:
    def made(problem: Any, relation: str, way: str, evidence: Any, point: Any = None) -> Any:
        key = {"identity": "cofactors", "handelman": "terms", "bernstein": "cells"}.get(way, "terms")
        proof = {"way": way, key: evidence, "point": point}
        return statement("polynomial", problem, {"relation": relation}, proof)

    def identity(
        names: list[str], left: Any, right: Any, zeros: Any = (), cofactors: Any = (), point: Any = None
    ) -> Any:
        problem = two_sides(names, [(zero, "=") for zero in zeros], left, right)
        return made(problem, "=", "identity", list(cofactors), point)

    yield identity(["x"], {"power": ["x", "3/2"]}, {"product": ["x", "x", "x"]})
    yield identity([], {"quotient": ["0", "0"]}, "1")
    yield identity(["x"], {"total": ["x", "x"]}, {"sum": ["x", "x"]})
    yield identity(["x"], "x", "0", ["x"], ["1"], point=["1"])
    yield identity(["x"], {"quotient": ["1", "x"]}, {"quotient": ["1", "x"]}, point=["0"])
    deep: Any = "1"
    for _ in range(40):
        deep = {"negative": deep}
    yield identity([], deep, "1")
    yield made(two_sides(["x"], [("x", ">=")], "x", "0"), "=", "identity", ["1"], ["0"])  # from x >= 0
    yield made(
        two_sides(["x"], [("x", "=")], "x", "0"), ">=", "handelman", [{"coefficient": "1", "powers": [["0", "1"]]}]
    )
    unit = [["1", "0"], ["1", "1"]]
    one = [{"coefficient": "1", "powers": []}]
    leaf = {"leaf": None}
    yield made(two_sides([], [], "1", "1", ["t"], [unit]), "=", "identity", [])

    def handelman(left: Any, *given: Any, relation: str = ">=", terms: Any = one, point: Any = None) -> Any:
        return made(two_sides(*given[:2], left, "0", *given[2:]), relation, "handelman", terms, point)

    def bernstein(left: Any, cells: Any, *given: Any, relation: str = ">=", point: Any = None) -> Any:
        return made(two_sides(*given[:2], left, "0", *given[2:]), relation, "bernstein", cells, point)

    yield bernstein("-1", [], [], [], relation=">")
    yield handelman("1", [], [], ["t"], [unit])
    yield handelman("1", [], [], [], [[["1"]]])
    yield bernstein("1", [[{"leaf": [one]}]], ["t"], [], ["t"], [unit])
    yield bernstein("t", [[leaf]], [], [], ["t"], [[["1", "t"], ["1", "t"]]])
    yield bernstein({"quotient": ["t", "1"]}, [[leaf]], [], [], ["t"], [unit])
    at = (["a"], [("a", ">=")])
    yield bernstein("1", [[{"leaf": [one]}]], *at, ["t"], [[["a", "0"], ["a", "a"]]], point=["0"])
    for relation, point in ((">=", "-1"), (">", "0")):
        yield handelman("1", ["a"], [("a", relation)], point=[point])
    yield handelman("1", *at, terms=[{"coefficient": "1", "powers": [["0", "0"]]}])
    yield handelman("1", *at, relation="!=")
    for mix in (["0", "1"], ["1", "0"]):
        split = {"edge": ["0", "1"], "mix": mix}
        yield bernstein("1", [[split, leaf, leaf]], [], [], ["t"], [unit])
    yield made(two_sides([], [], "1"), ">=", "positive", one)


def texts() -> Iterator[tuple[str, str]]:
    """Iterate over kind and text."""
    for made in (
        *_levels(),
        *_linear(),
        *_formulas(),
        *_binary(),
        *_polynomials(),
    ):
        yield "planted", json.dumps(made)
    group = {"mechanism": {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}, "counts": ["60", "40"]}
    for bits in ({"bits": 5}, {}):  # a bare number, a key left out: each would be read as null
        problem = {"groups": [group]}
        claim = {"point": ["7/10", "3/10"], "gap": "0"}
        yield "planted", json.dumps(statement("likelihood-gap", problem, claim, bits))
    empty = {"groups": [{"mechanism": {"product": []}, "counts": ["5"]}]}
    one = {"point": ["1"], "gap": "0"}
    yield "planted", json.dumps(statement("likelihood-gap", empty, one, {"bits": None}))
    for base in (("1/100", "1/100", "1/4"), ("1/2", "1/10", "1/4")):
        for forgery in forgeries(certificate(*base), []):
            text = forgery.text() if forgery.kind in ("one-sided bracket", "coarse bracket") else None
            if text is not None and not judge(text).true:
                yield "false", text
