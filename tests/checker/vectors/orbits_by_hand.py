"""Vectors of rule 14 made by hand: groups of one, entries listed twice, counts that do not fit, groups that differ."""

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
