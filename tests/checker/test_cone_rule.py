"""Rule 22: the library's own files with one thing changed, by both checkers, and what is refused for its size."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from adversary.asking import ask
from adversary.fuzz import cone_pieces
from adversary.fuzz.weakened import Weakening, survivors
from javascript import judge

import rropt
from rropt.checker import documents
from rropt.objectives import AOptimality, COptimality
from rropt.privacy import BoundedRegion, PrivacyRegion


@cache
def found(name: str) -> Any:
    """Return a certificate as the library writes it."""
    if name == "bounds":
        region = BoundedRegion(PrivacyRegion("2", inputs=2, outputs=3), [["1/5"] * 2] * 3, [["1/2"] * 2] * 3)
        return rropt.solve(rropt.Problem(region, AOptimality(), ["7/10", "3/10"])).certificate.to_dict()
    region = PrivacyRegion("1", inputs=3, outputs=2)
    return rropt.solve(rropt.Problem(region, COptimality([0, 1, 2]), ["1/2", "1/3", "1/6"])).certificate.to_dict()


def refused(document: Any, *words: str) -> None:
    """Hold that both checkers reject a file, one of them with these words."""
    verdict = ask(json.dumps(document)).verdict
    assert not verdict
    assert any(word in verdict.reason for word in words), verdict.reason
    assert judge(json.dumps(document)) is not None


@pytest.mark.parametrize("name", ["bounds", "few"])
def test_both_checkers_accept_what_the_library_writes(name: str) -> None:
    assert ask(json.dumps(found(name))).verdict
    assert judge(json.dumps(found(name))) is None
    assert len(found(name)["witness"]["cells"]) >= 4


@pytest.mark.parametrize("name", ["bounds", "few"])
def test_a_lower_end_a_little_higher_is_refused(name: str) -> None:
    made = deepcopy(found(name))
    made["claim"]["lower"] = str(Fraction(made["claim"]["lower"]) * (1 + Fraction(1, 10**6)))
    refused(made, "proves less than lower")


@pytest.mark.parametrize("name", ["bounds", "few"])
def test_every_token_and_every_dual_is_needed(name: str) -> None:
    """Each token left out, each halving turned into its dual, each alpha less by a thousandth: nothing passes."""
    tokens = found(name)["witness"]["cells"]
    for place in range(len(tokens)):
        made = deepcopy(found(name))
        del made["witness"]["cells"][place]
        assert not ask(json.dumps(made)).verdict
    for n in range(len(found(name)["witness"]["duals"])):
        made = deepcopy(found(name))
        alpha = made["witness"]["duals"][n]["alpha"]
        alpha[0] = str(Fraction(alpha[0]) - abs(Fraction(alpha[0])) / 1000 - Fraction(1, 1000))
        refused(made, "at a corner", "less than lower")


def test_bounds_are_those_of_the_problem() -> None:
    """What is proved with bounds is not proved without them, nor with wider ones."""
    made = deepcopy(found("bounds"))
    made["problem"]["region"]["most"] = [["3/5", "3/5"]] * 3
    refused(made, "at a corner", "less than lower")
    made = deepcopy(found("bounds"))
    made["problem"]["region"] = made["problem"]["region"]["region"]
    refused(made, "where the region has none")
    made = deepcopy(found("bounds"))
    made["problem"]["region"]["least"] = [["2/5", "2/5"], ["1/5", "1/5"], ["1/5", "1/5"]]
    refused(made, "within its bounds", "cells end", "less than lower")
    made = deepcopy(found("bounds"))
    made["problem"]["region"]["most"] = [["1/5", "1/5"], ["1/5", "1/5"], ["3/5", "3/5"]]
    refused(made, "within its bounds")


def _of_size(inputs: int, cells: Any) -> Any:
    """Return randomized response of so many inputs with a dual of nothing."""
    region = PrivacyRegion("log(3)", inputs=inputs, outputs=inputs)
    rows = [[Fraction(3 if i == j else 1, inputs + 2) for j in range(inputs)] for i in range(inputs)]
    contrast = [1, *[0] * (inputs - 1)]
    problem = rropt.Problem(region, COptimality(contrast), [Fraction(1, inputs)] * inputs)
    mechanism = rropt.Mechanism(rows)
    z = problem.objective.solution(mechanism, problem.population)
    dual = {"alpha": ["1"] * inputs, "vector": ["1", *["0"] * (inputs - 1)], "bounds": None}
    bracket = {"below": "3", "above": "3"}, {"below": "0", "above": "0"}
    witness = {
        "rule": "cones",
        "gamma": bracket[0],
        "delta": bracket[1],
        "primal": {"solution": [str(x) for (x,) in z or ()]},
    }
    upper = str(problem.objective.value(mechanism, problem.population))
    claim = {"kind": "design-bracket", "lower": "-1", "upper": upper, "mechanism": mechanism.to_dict()}
    file = {"format": "rropt-certificate/1", "problem": problem.to_dict(), "claim": claim}
    return {**file, "witness": {**witness, "duals": [dual], "cells": cells}}


def test_sizes_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inputs of patterns, inputs of orders, and work."""
    refused(_of_size(7, ["0"]), "cells need at most 6")
    verdict = ask(json.dumps(_of_size(19, None))).verdict
    assert "no more inputs" in verdict.reason
    six = _of_size(6, [["0", "0", "1"]] * 3000)
    assert "cells end" in ask(json.dumps(six)).verdict.reason
    monkeypatch.setattr(documents, "MAX_WORK", 4000)
    assert "more work" in ask(json.dumps(six)).verdict.reason


WEAKER = {
    "generators of the first answer alone": ("for i, cone in enumerate(cell):", "for i, cone in enumerate(cell[:1]):"),
    "a generator left out": ("for ray, _ in cone:", "for ray, _ in cone[:-1]:"),
    "the first half alone": ("for replaced in (a, b):", "for replaced in (b, b):"),
    "bounds by the lower end": ("end = high if b > 0 else low", "end = low"),
    "bounds by the upper end": ("end = high if b > 0 else low", "end = high"),
    "beta costs nothing": ("terms.append(", "[].append("),
    "the beta of the first answer": ("dual.slopes[min(i, len(dual.slopes) - 1)]", "dual.slopes[0]"),
    "orders of the level below": ("_reach(region, region.gamma.above", "_reach(region, region.gamma.below"),
    "reach without least entries of others": ("min(b, 1 - total + a)", "min(b, 1 - total)"),
    "reach of the first answer": ("in zip(least, highest, strict=True)", "in zip(least[:1], highest, strict=False)"),
    "all answers interchangeable": ("alike = region.bounds is None or", "alike = True or"),
    "empty where B is 0": ("bound[0] >= 0 and (", "bound[0] > 0 and ("),
    "t may be 0": ("(not along or reached >", "(reached >"),
    "twice the bound": ("reached > along**2 *", "reached > 2 * along**2 *"),
}


def test_a_weaker_rule_accepts_a_false_file(tmp_path: Path, size: Callable[[int, int], int]) -> None:
    """Changes of the arithmetic of the rule, each caught by a false file of the fuzzer; in the gate two."""
    pieces = islice(cone_pieces.pieces(random.Random(11)), size(250, 8000))
    texts = [piece.text for piece in pieces if not piece.true]
    listed = list(WEAKER.items())[:: size(13, 1)]
    changes = [Weakening("cone_rule.py", old, new, name) for name, (old, new) in listed]
    assert [change.drops for change in survivors(changes, texts, tmp_path)] == []
