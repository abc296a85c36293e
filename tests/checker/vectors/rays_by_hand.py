"""Vectors of rule 25: an objective of each kind, mixtures, and regions of several levels, of two categories."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from boundary.book import UNIT, with_
from boundary.rays import EQUAL2, GIVEN, UNEQUAL, further, mixture, of, restated, with_dual

F = Fraction
_PROVED = "the claim is true, and the witness proves it"
_LESS = "alpha is smaller: the inequality fails on a ray, and the bound passes the optimum"


def rays() -> Iterator[tuple[bool, str, Any]]:
    """Iterate over verdict, reason and certificate."""
    plain = [{"kind": "a-optimal"}, {"kind": "mutual-information"}, *GIVEN]
    mixed = [mixture(each) for each in plain if each.get("order", F(2)) == 2]
    for number, objective in enumerate((*GIVEN, *mixed)):
        delta = F(1, 4) if number % 2 else F(0)
        yield from _changed(further(objective, F(2), UNEQUAL, delta))
    for objective in GIVEN[:3]:
        for made in _changed(further(objective, F(2), UNEQUAL, F(1, 4))):
            yield (*made[:2], _several(made[2], 2))
    for kind in ("a-optimal", "trace", "chi-square"):
        made = of(kind, F(3), EQUAL2)
        yield True, _PROVED, _file(restated(made))
        alpha = [F(x) - UNIT for x in made[2]["dual"]["alpha"]]
        yield False, _LESS, _file(restated(with_dual(made, ("alpha", alpha))))
    made = restated(of("trace", F(2), EQUAL2, delta="1/4", deltas=(F(1, 4),) * 2))
    yield False, "the region has no levels", _file(with_(made, ("0.region.levels", [])))
    fewer = with_(made, ("0.region.levels.0.pairs", [["0", "1"]]))
    yield False, "beta is not 0 for a pair that its level does not have", _file(fewer)
    turned = with_(made, ("0.region.levels.0.pairs", [["1", "0"], ["0", "1"]]))
    yield False, "the pairs of a level are not in lexicographic order", _file(turned)


def _file(document: Any) -> Any:
    problem, claim, witness = document
    return {"format": "rropt-certificate/1", "problem": problem, "claim": claim, "witness": witness}


def _several(file: Any, times: int) -> Any:
    return _file(restated((file["problem"], file["claim"], file["witness"]), times))


def _changed(made: Any) -> Iterator[tuple[bool, str, Any]]:
    """Iterate over a file, and over it with a bound beyond the optimum on either side."""
    yield True, _PROVED, _file(made)
    alpha = [F(x) - UNIT for x in made[2]["dual"]["alpha"]]
    yield False, _LESS, _file(with_dual(made, ("alpha", alpha)))
    for key, sign, reason in (
        ("lower", 1, "lower is above the optimum, which the mechanism has"),
        ("upper", -1, "upper is below the optimum, which the mechanism has"),
    ):
        other = "upper" if key == "lower" else "lower"
        room = (f"1.{other}", F(made[1][other]) + sign)
        yield False, reason, _file(with_(made, (f"1.{key}", F(made[1][key]) + sign * UNIT), room))
