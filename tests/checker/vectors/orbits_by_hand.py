"""Vectors of rule 14 made by hand: groups of one, entries listed twice, counts that do not fit, all objectives."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

_BLOCKS = {"diagonal": ["9/4"], "blocks": [["-1/2"]]}
FOUR = {  # the page's example: 4-ary randomized response at gamma = 3
    "format": "rropt-certificate/1",
    "problem": {
        "region": {
            "kind": "differential-privacy",
            "inputs": "4",
            "outputs": "any",
            "epsilon": {"log": "3"},
            "delta": "0",
            "family": "all",
        },
        "objective": {"kind": "a-optimal"},
        "population": ["1/4"] * 4,
    },
    "claim": {
        "kind": "design-bracket",
        "lower": "27/4",
        "upper": "27/4",
        "mechanism": {"orbits": {"groups": ["4"], "rows": [[[["1/6", "3"], ["1/2", "1"]]]]}},
    },
    "witness": {
        "rule": "orbits",
        "gamma": {"below": "3", "above": "3"},
        "delta": {"below": "0", "above": "0"},
        "dual": {"alpha": ["7/4"], "matrix": _BLOCKS},
        "primal": {"inverse": _BLOCKS},
    },
}


def _changed(*path: str, to: Any, of: Any = FOUR) -> Any:
    made = deepcopy(of)
    at = made
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = to
    return made


def _rows(rows: Any, groups: tuple[str, ...] = ("4",)) -> Any:
    return _changed("claim", "mechanism", "orbits", to={"groups": list(groups), "rows": rows})


def _singly() -> Any:
    """Return the same with each input a group of its own: four orbits of one row."""
    rows = [[[["1/2" if i == j else "1/6", "1"]] for j in range(4)] for i in range(4)]
    whole = {"diagonal": ["3/4"] * 4, "blocks": [["1" if g == h else "-1/2" for h in range(4)] for g in range(4)]}
    made = _rows(rows, ("1",) * 4)
    made["witness"] |= {"dual": {"alpha": ["7/4"] * 4, "matrix": whole}, "primal": {"inverse": whole}}
    return made


def orbits() -> Iterator[tuple[bool, str, Any]]:
    """Iterate over verdict, reason, certificate."""
    singly = _singly()
    yield True, "each input is a group of its own, x is 1/d there", singly
    split = deepcopy(singly)
    split["witness"]["primal"]["inverse"] = {
        "diagonal": ["7/4"] * 4,
        "blocks": [["0" if g == h else "-1/2" for h in range(4)] for g in range(4)],
    }
    yield False, "in groups of one the inverse is right, x is not 1/d", split
    split = deepcopy(singly)
    split["witness"]["dual"]["matrix"] = split["witness"]["primal"]["inverse"] = {
        "diagonal": ["7/4"] * 4,
        "blocks": [["0" if g == h else "-1/2" for h in range(4)] for g in range(4)],
    }
    split["witness"]["primal"] = singly["witness"]["primal"]
    yield True, "the dual of groups of one may be split between diagonal and blocks in any way", split
    yield (
        False,
        "an entry listed twice is told apart: six times four rows",
        _rows([[[["1/6", "2"], ["1/6", "1"], ["1/2", "1"]]]]),
    )
    yield (
        True,
        "an entry listed twice is told apart: three times as many rows of a third",
        _rows([[[["1/18", "2"], ["1/18", "1"], ["1/6", "1"]]]]),
    )
    yield True, "the pairs of a group stand in any order", _rows([[[["1/2", "1"], ["1/6", "3"]]]])
    yield True, "an orbit stands twice, with half the entries", _rows([[[["1/12", "3"], ["1/4", "1"]]]] * 2)
    yield False, "an orbit stands twice, with all of the entries", _rows([[[["1/6", "3"], ["1/2", "1"]]]] * 2)
    yield False, "there is no orbit", _rows([])
    yield False, "an entry is 0", _rows([[[["0", "3"], ["1", "1"]]]])
    yield False, "a row is 0", _rows([[[["1/6", "3"], ["1/2", "1"]]], [[["0", "4"]]]])
    yield False, "a count is 0", _rows([[[["1/6", "3"], ["1/2", "1"], ["1/7", "0"]]]])
    yield False, "the counts do not sum to the size of the group", _rows([[[["1/6", "2"], ["1/2", "1"]]]])
    yield False, "the sizes sum to another number than the inputs", _rows([[[["1/6", "2"], ["1/2", "1"]]]], ("3",))
    three = _rows([[[["1/5", "2"], ["3/5", "1"]]]], ("3",))
    three["claim"] |= {"lower": "51/16", "upper": "51/16"}
    own = {"diagonal": ["25/16"], "blocks": [["-7/16"]]}
    three["witness"] |= {"dual": {"alpha": ["9/8"], "matrix": own}, "primal": {"inverse": own}}
    yield False, "the sizes sum to less than the inputs, and all else fits them", three
    yield False, "a row has a group too many", _rows([[[["1/6", "3"], ["1/2", "1"]], [["1/6", "1"]]]])
    yield False, "a row has no group", _rows([[]])
    yield False, "a group is of no input", _rows([[[["1/6", "3"], ["1/2", "1"]], []]], ("4", "0"))
    yield False, "outputs is a number", _changed("problem", "region", "outputs", to="4")
    yield (
        False,
        "the mechanism is a matrix",
        _changed(
            "claim", "mechanism", to={"matrix": [["1/2" if i == j else "1/6" for j in range(4)] for i in range(4)]}
        ),
    )
    yield (
        False,
        "the objective is another one",
        _changed("problem", "objective", to={"kind": "c-optimal", "contrast": ["1", "-1", "0", "0"]}),
    )
    yield False, "the shares of a group differ", _changed("problem", "population", to=["1/4", "1/4", "1/8", "3/8"])
    delta = _changed("problem", "region", "delta", to="1/4")
    yield False, "delta is not 0", _changed("witness", "delta", to={"below": "1/4", "above": "1/4"}, of=delta)
    yield False, "alpha is for each input, not for each group", _changed("witness", "dual", "alpha", to=["7/4"] * 4)
    one = _changed("problem", "region", "epsilon", to={"rational": "0"})
    yield False, "gamma is 1", _changed("witness", "gamma", to={"below": "1", "above": "1"}, of=one)
    yield False, "the family is that of Warner's designs", _changed("problem", "region", "family", to="warner")
    twice = {"diagonal": ["9/2"], "blocks": [["-1"]]}
    doubled = _changed("witness", "primal", "inverse", to=twice)
    yield False, "the inverse is twice what it is", _changed("claim", "upper", to="55/4", of=doubled)
    short = {"diagonal": ["9/4"], "blocks": [["-3/8"]]}
    yield False, "the inverse is wrong in its block alone", _changed("witness", "primal", "inverse", to=short)
    less = _changed("witness", "dual", "alpha", to=["174999999/100000000"])
    yield (
        False,
        "alpha is smaller by 10^-8, and lower follows",
        _changed("claim", "lower", to="4725000001/699999996", of=less),
    )
    yield from objectives()


def _objective(kind: str, ends: tuple[str, str], dual: Any, primal: Any, of: Any = FOUR) -> Any:
    """Return the file with another objective, its bracket, its dual and its primal."""
    made = deepcopy(of)
    made["problem"]["objective"] = {"kind": kind}
    made["claim"] |= {"lower": ends[0], "upper": ends[1]}
    made["witness"] |= {"dual": dual, "primal": primal}
    if kind != "e-optimal":
        made["witness"]["logarithms"] = {"digits": "12"}
    return made


def _grouped(groups: tuple[str, ...]) -> Any:
    """Return the example over these groups: one orbit for the group with the large entry."""
    rows = []
    for g in range(len(groups)):
        low = [[["1/6", n]] for n in groups]
        low[g] = [["1/2", "1"]] if groups[g] == "1" else [["1/6", str(int(groups[g]) - 1)], ["1/2", "1"]]
        rows.append(low)
    return _rows(rows, groups)


def _two(pi: tuple[str, str]) -> Any:
    """Return Warner's mechanism at gamma = 3 for two groups of one."""
    made = _rows([[[["3/4", "1"]], [["1/4", "1"]]], [[["1/4", "1"]], [["3/4", "1"]]]], ("1", "1"))
    made["problem"]["region"]["inputs"], made["problem"]["population"] = "2", list(pi)
    return made


def objectives() -> Iterator[tuple[bool, str, Any]]:
    """Iterate over files about E, D and the mutual information, with numbers that can be checked by hand."""
    yield from _e_optimal()
    yield from _d_optimal()
    yield from _information()


def _e_optimal() -> Iterator[tuple[bool, str, Any]]:
    dual, inverse = {"alpha": ["1/3"], "inside": ["1"], "factor": []}, FOUR["witness"]["primal"]["inverse"]
    base = _objective("e-optimal", ("9/4", "9/4"), dual, {"inverse": inverse, "factor": []})
    yield True, "E, one group: the factors have no columns", base
    yield True, "E, the factor leaves 0 on the diagonal", _changed("witness", "primal", "factor", to=[["3"]], of=base)
    for numbers, why in (
        ([["301/100"]], "E, the factor is above the matrix"),
        ([], "E, upper is below the variance of a contrast"),
    ):
        made = _changed("witness", "primal", "factor", to=numbers, of=base)
        if not numbers:
            made["claim"] |= {"lower": "2", "upper": "8999/4000"}
        yield False, why, made
    yield False, "E, lower is above the dual's bound", _changed("claim", "lower", to="9001/4000", of=base)
    for key, to, why in (
        ("alpha", ["333/1000"], "E, the inequality fails with one large entry"),
        ("inside", ["-1"], "E, inside is negative"),
        ("factor", [["1/1000"]], "E, a column of the dual's factor does not sum to 0"),
    ):
        made = _changed("claim", "lower", to="-3", of=base)
        yield False, why, _changed("witness", "dual", key, to=to, of=made)
    none = _changed("witness", "dual", to={"alpha": ["0"], "inside": ["0"], "factor": []}, of=base)
    yield False, "E, alpha and inside are 0", _changed("claim", "lower", to="0", of=none)
    yield False, "E, there are logarithms", _changed("witness", "logarithms", to={"digits": "12"}, of=base)
    singly = _singly()
    dual = {"alpha": ["1/3"] * 4, "inside": ["5"] * 4}
    dual["factor"] = [["3/4" if g == j else "-1/4" for j in range(4)] for g in range(4)]
    primal = {"inverse": singly["witness"]["primal"]["inverse"], "factor": [["3/4"]] * 4}
    apart = _objective("e-optimal", ("9/4", "9/4"), dual, primal, singly)
    yield True, "E, each input is a group of its own: inside does not count", apart
    short = _changed("claim", "upper", to="8999/4000", of=apart)
    yield False, "E, upper is too small between the groups", _changed("claim", "lower", to="2", of=short)


def _d_optimal() -> Iterator[tuple[bool, str, Any]]:
    dual = {"alpha": ["1/3"], "inside": ["1"], "factor": []}
    base = _objective("d-optimal", ("-1047/1000", "-523/500"), dual, {"factor": [["4"]]})
    yield True, "D, one group: ln(256/729)", base
    for end, to in (("lower", "-654/625"), ("upper", "-5233/5000")):
        yield False, f"D, {end} is on the wrong side of ln(256/729)", _changed("claim", end, to=to, of=base)
    yield (
        False,
        "D, the factor is above the information",
        _changed("witness", "primal", to={"factor": [["5"]]}, of=base),
    )
    wide = _changed("witness", "dual", "factor", to=[["0"]], of=base)
    yield False, "D, one group: the dual's factor has a column of 0", wide
    less = _changed("witness", "dual", "alpha", to=["333/1000"], of=base)
    yield False, "D, the inequality fails with one large entry", _changed("claim", "upper", to="5", of=less)
    nothing = _changed("witness", "dual", "inside", to=["0"], of=base)
    yield False, "D, inside is 0", _changed("claim", "upper", to="5", of=nothing)
    bare = deepcopy(base)
    del bare["witness"]["logarithms"]
    yield False, "D, there are no logarithms", bare
    dual = {"alpha": ["1/3"] * 2, "inside": ["1"] * 2, "factor": [["1/2"], ["-1/2"]]}
    primal = {"factor": [["2", "0"], ["16/9", "10/9"]]}
    pairs = _objective("d-optimal", ("-353/250", "-523/500"), dual, primal, _grouped(("2", "2")))
    yield True, "D, two groups of two", pairs
    yield False, "D, two groups: lower is above 2 ln(40/81)", _changed("claim", "lower", to="-141/100", of=pairs)
    turned = _changed("witness", "primal", "factor", to=[["6/5", "-8/5"], ["88/45", "-34/45"]], of=pairs)
    turned["claim"]["lower"] = "-50"
    yield False, "D, the factor is turned: its square is the same", turned
    dual = {"alpha": ["10"] * 3, "inside": ["0", "0", "1"], "factor": [["1", "0"], ["1", "1"], ["-1", "-1/2"]]}
    primal = {"factor": [["1", "0", "0"], ["8/9", "2/3", "0"], ["16/9", "8/27", "1"]]}
    three = _objective("d-optimal", ("-3", "100"), dual, primal, _grouped(("1", "1", "2")))
    yield True, "D, three groups", three
    full = [["1", "1/2"], ["1", "1"], ["-1", "-3/4"]]
    yield False, "D, the dual's factor is not triangular", _changed("witness", "dual", "factor", to=full, of=three)
    dual = {"alpha": ["1/2"] * 2, "inside": ["0"] * 2, "factor": [["1"], ["-1"]]}
    primal = {"factor": [["1", "0"], ["3/4", "4/5"]]}
    yield (
        True,
        "D, Warner: the determinant is 1",
        _objective("d-optimal", ("-1/2", "0"), dual, primal, _two(("1/2",) * 2)),
    )
    dual = dual | {"alpha": ["1"] * 2}
    primal = {"factor": [["9/10", "0"], ["10/9", "1"]]}
    yield True, "D, a share is 0", _objective("d-optimal", ("-1", "1"), dual, primal, _two(("1", "0")))


def _information() -> Iterator[tuple[bool, str, Any]]:
    dual = {"alpha": ["71921/2000000"], "weights": ["1"]}
    base = _objective("mutual-information", ("143841/1000000", "71921/500000"), dual, {})
    yield True, "information, one group: ln(2/sqrt 3)", base
    yield False, "information, lower is above ln(2/sqrt 3)", _changed("claim", "lower", to="71921/500000", of=base)
    yield (
        False,
        "information, upper is below the sum of alpha",
        _changed("claim", "upper", to="143841/1000000", of=base),
    )
    small = _changed("witness", "dual", "alpha", to=["143841/4000000"], of=base)
    yield False, "information, the inequality fails with one large entry", small
    for weight in ("0", "-1", "1/2", "262145"):
        made = _changed("witness", "dual", "weights", to=[weight], of=base)
        yield False, f"information, the weight is {weight}", made
    yield False, "information, the primal has a factor", _changed("witness", "primal", to={"factor": []}, of=base)
    dual = {"alpha": ["71921/2000000"] * 2, "weights": ["17", "3"]}
    pairs = _objective("mutual-information", ("143841/1000000", "71921/500000"), dual, {}, _grouped(("2", "2")))
    yield True, "information, most slices of the weights have no counts", pairs
    yield True, "information, a weight is 0", _changed("witness", "dual", "weights", to=["0", "1"], of=pairs)
