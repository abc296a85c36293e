"""The way of branches: the library's own files with one thing changed, by both checkers; sizes; weakened checkers."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from adversary.asking import ask
from adversary.brackets import witnesses
from adversary.fuzz import branch_pieces
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
    assert len(found(name)["proof"]["cells"]) >= 4


@pytest.mark.parametrize("name", ["bounds", "few"])
def test_a_lower_end_a_little_higher_is_refused(name: str) -> None:
    made = deepcopy(found(name))
    made["claim"]["lower"] = str(Fraction(made["claim"]["lower"]) * (1 + Fraction(1, 10**6)))
    refused(made, "above the bound of the proof", "above upper")


@pytest.mark.parametrize("name", ["bounds", "few"])
def test_every_token_and_every_dual_is_needed(name: str) -> None:
    """Each token left out, each halving turned into its dual, each alpha less by a thousandth: nothing passes."""
    tokens = found(name)["proof"]["cells"]
    for place in range(len(tokens)):
        made = deepcopy(found(name))
        del made["proof"]["cells"][place]
        assert not ask(json.dumps(made)).verdict
    for n in range(len(found(name)["proof"]["duals"])):
        made = deepcopy(found(name))
        alpha = made["proof"]["duals"][n]["alpha"]
        alpha[0] = str(Fraction(alpha[0]) - abs(Fraction(alpha[0])) / 1000 - Fraction(1, 1000))
        refused(made, "at a generator", "above the bound")


def test_bounds_are_those_of_the_problem() -> None:
    """What is proved with bounds is not proved without them, nor with wider ones."""
    made = deepcopy(found("bounds"))
    made["problem"]["bounds"]["most"] = [["3/5", "3/5"]] * 3
    refused(made, "at a generator", "above the bound")
    made = deepcopy(found("bounds"))
    made["problem"]["bounds"] = None
    refused(made, "unknown keys")
    made = deepcopy(found("bounds"))
    made["problem"]["bounds"]["least"] = [["2/5", "2/5"], ["1/5", "1/5"], ["1/5", "1/5"]]
    refused(made, "within its bounds", "cells end", "above the bound")
    made = deepcopy(found("bounds"))
    made["problem"]["bounds"]["most"] = [["1/5", "1/5"], ["1/5", "1/5"], ["3/5", "3/5"]]
    refused(made, "within its bounds")


def _of_size(inputs: int, cells: Any) -> Any:
    """Return randomized response of so many inputs with a dual of nothing."""
    rows = [[Fraction(3 if i == j else 1, inputs + 2) for j in range(inputs)] for i in range(inputs)]
    level, bracket = witnesses.level(3)
    zeros = ["0"] * (inputs - 2)
    shares = [str(Fraction(1, inputs))] * inputs
    estimator = [str(Fraction(inputs + 1, 2)), *[str(Fraction(-1, 2))] * (inputs - 1)]
    proof = {"way": "branches", "cells": cells, "estimators": [[estimator]]}
    proof["duals"] = [{"alpha": ["1"] * inputs, "vectors": [[["1", "-1", *zeros]]]}]
    made = witnesses.file(
        {"kind": "c-optimal", "contrast": ["1", "0", *zeros]},
        shares,
        ("1/1000", "1000"),
        [[str(x) for x in row] for row in rows],
        proof,
        problem={"inputs": str(inputs), "outputs": str(inputs)},
        levels=[(level, bracket)],
    )
    del made["proof"]["slopes"]
    return made


def test_sizes_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inputs of orders, and work."""
    refused(_of_size(7, ["0"]), "needs at most 6")
    six = _of_size(6, [["0", "0", "1"]] * 3000)
    assert "cells end" in ask(json.dumps(six)).verdict.reason
    monkeypatch.setattr(documents, "MAX_WORK", 4000)
    assert "more work" in ask(json.dumps(six)).verdict.reason


@pytest.mark.drawn(4)
def test_false_pieces_are_rejected_and_true_ones_are_not(size: Callable[[int, int], int]) -> None:
    """By an oracle of its own; the checker in JavaScript is asked about a part of them."""
    counts: Counter[tuple[str, bool]] = Counter()
    for n, piece in enumerate(islice(branch_pieces.pieces(random.Random(1)), size(300, 20_000))):
        verdict = ask(piece.text).verdict
        assert verdict.accepted is piece.true, (piece.method, verdict, piece.text)
        if n % size(25, 5) == 0:
            assert (judge(piece.text) is None) is piece.true, (piece.method, piece.text)
        counts[piece.method, piece.true] += 1
    assert len(counts) >= 15
    assert sum(count for (_, true), count in counts.items() if not true) > size(100, 8000)


FILES = {"branches_way.py", "design_region.py", "design_bound.py", "design_bracket.py"}
WEAKER = {
    "generators of the first output alone": ("for i, cone in enumerate(cell):", "for i, cone in enumerate(cell[:1]):"),
    "a generator left out": ("for number, row, _ in cone:", "for number, row, _ in cone[:-1]:"),
    "the first half alone": ("for replaced in (a, b):", "for replaced in (b, b):"),
    "a generator of another output": ("in self.tested", "in {(p, line, n) for p, _, n in self.tested}"),
    "a generator of another dual": ("in self.tested", "in {(place, line, n) for _, line, n in self.tested}"),
    "limits by the lower end": ("end = high if x > 0 else low", "end = low"),
    "limits by the upper end": ("end = high if x > 0 else low", "end = high"),
    "limits cost nothing": ("value += x * end", "value += 0 * end"),
    "the limits of the first output": ("alpha = bound.alphas[line]", "alpha = bound.alphas[0]"),
    "orders of the level below": ("levels[0].gamma.above\n    ratio", "levels[0].gamma.below\n    ratio"),
    "reach without least entries of others": ("min(b, 1 - total + a)", "min(b, 1 - total)"),
    "reach of the first output": ("in zip(least, most, strict=True)", "in zip(least[:1], most, strict=False)"),
    "all outputs interchangeable": ("alike = region.bounds is None or", "alike = True or"),
    "empty where B is 0": ("and value >= 0 and (", "and value > 0 and ("),
    "twice the bound": ("design.lower * value > reached**2", "design.lower * value > 2 * reached**2"),
}


def _home(text: str) -> str:
    """Return the file of the checker that contains a text."""
    folder = Path(documents.__file__).parent
    (found,) = (name for name in sorted(FILES) if text in (folder / name).read_text(encoding="utf-8"))
    return found


def test_a_weaker_rule_accepts_a_false_file(tmp_path: Path, size: Callable[[int, int], int]) -> None:
    """Changes of the arithmetic of the rule, each caught by a false file of the fuzzer; in the gate two."""
    pieces = islice(branch_pieces.pieces(random.Random(11)), size(250, 8000))
    texts = [piece.text for piece in pieces if not piece.true]
    listed = list(WEAKER.items())[:: size(13, 1)]
    changes = [Weakening(_home(old), old, new, name) for name, (old, new) in listed]
    assert [change.drops for change in survivors(changes, texts, tmp_path)] == []
