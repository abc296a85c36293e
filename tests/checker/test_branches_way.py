"""The way of branches: the library's own files with one thing changed, by both checkers; sizes."""

from __future__ import annotations

import json
from copy import deepcopy
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from adversary.asking import ask
from adversary.built import design, level
from few_rows import few_rows
from javascript import judge

import rropt
from rropt.checker import documents
from rropt.objectives import AOptimality, Contrast
from rropt.privacy import BoundedRegion, PrivacyRegion


@cache
def found(name: str) -> Any:
    """Return a certificate as the library writes it."""
    if name == "bounds":
        region = BoundedRegion(PrivacyRegion("2", inputs=2, outputs=3), [["1/5"] * 2] * 3, [["1/2"] * 2] * 3)
        return rropt.solve(rropt.Problem(region, AOptimality(), ["7/10", "3/10"])).certificate.to_dict()
    region = PrivacyRegion("1", inputs=3, outputs=2)
    return rropt.solve(rropt.Problem(region, Contrast([0, 1, 2]), ["1/2", "1/3", "1/6"])).certificate.to_dict()


def refused(document: Any, *words: str) -> None:
    """Hold that both checkers reject a file, one of them with these words."""
    verdict = ask(json.dumps(document))
    assert not verdict
    assert any(word in verdict.reason for word in words), verdict.reason
    assert judge(json.dumps(document)) is not None


@few_rows(1)
@pytest.mark.parametrize("name", ["bounds", "few"])
def test_both_checkers_accept_what_the_library_writes(name: str) -> None:
    assert ask(json.dumps(found(name)))
    assert judge(json.dumps(found(name))) is None
    assert len(found(name)["proof"]["cells"]) >= 4


@few_rows(1)
@pytest.mark.parametrize("name", ["bounds", "few"])
def test_every_token_and_every_dual_is_needed(name: str) -> None:
    """Each token left out, each halving turned into its dual, each alpha less by a thousandth: nothing passes."""
    tokens = found(name)["proof"]["cells"]
    for place in range(len(tokens)):
        made = deepcopy(found(name))
        del made["proof"]["cells"][place]
        assert not ask(json.dumps(made))
    for n in range(len(found(name)["proof"]["duals"])):
        made = deepcopy(found(name))
        alpha = made["proof"]["duals"][n]["alpha"]
        alpha[0] = str(Fraction(alpha[0]) - abs(Fraction(alpha[0])) / 1000 - Fraction(1, 1000))
        refused(made, "at a generator", "above the bound")


def _of_size(inputs: int, cells: Any) -> Any:
    """Return randomized response of so many inputs with a dual of nothing."""
    rows = [[Fraction(3 if i == j else 1, inputs + 2) for j in range(inputs)] for i in range(inputs)]
    zeros = ["0"] * (inputs - 2)
    shares = [str(Fraction(1, inputs))] * inputs
    estimator = [str(Fraction(inputs + 1, 2)), *[str(Fraction(-1, 2))] * (inputs - 1)]
    proof = {"way": "branches", "cells": cells, "estimators": [[estimator]]}
    proof["duals"] = [{"alpha": ["1"] * inputs, "vectors": [[["1", "-1", *zeros]]]}]
    made = design(
        {"kind": "c-optimal", "contrast": ["1", "0", *zeros]},
        shares,
        ("1/1000", "1000"),
        [[str(x) for x in row] for row in rows],
        proof,
        problem={"inputs": str(inputs), "outputs": str(inputs)},
        levels=[level(3)],
    )
    del made["proof"]["slopes"]
    return made


def test_sizes_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inputs of orders, and work."""
    refused(_of_size(7, ["0"]), "needs at most 6")
    six = _of_size(6, [["0", "0", "1"]] * 3000)
    assert "cells end" in ask(json.dumps(six)).reason
    monkeypatch.setattr(documents, "MAX_WORK", 4000)
    assert "more work" in ask(json.dumps(six)).reason


@pytest.mark.parametrize("name", ["bounds", "few"])
@few_rows(4)
@pytest.mark.parametrize(
    "token", [None, True, False, 0, {}, [], ["0", "1"], ["0", "1", None], ["0", True, "1"], [["0"], "0", "1"]]
)
def test_the_form_of_a_token_is_asked_where_its_cell_is_not(name: str, token: Any) -> None:
    """A lower bound of 0 asks for no cell, but FORMAT.md allows null and true nowhere in this way."""
    made = deepcopy(found(name))
    made["claim"]["lower"] = "0"
    assert ask(json.dumps(made))
    assert judge(json.dumps(made)) is None
    made["proof"]["cells"][-1] = token
    assert not ask(json.dumps(made))
    assert judge(json.dumps(made)) is not None


@pytest.mark.parametrize("name", ["bounds", "few"])
def test_the_tokens_are_those_of_the_cells_where_no_inequality_is_asked(name: str) -> None:
    """A variance is at least 0: no dual need serve a cell, but the list has a token for each cell, and no other one."""
    made = deepcopy(found(name))
    made["claim"]["lower"] = "-1"
    tokens = made["proof"]["cells"]
    assert ask(json.dumps(made))
    assert judge(json.dumps(made)) is None
    duals = len(made["proof"]["duals"])
    for other in (
        [],
        tokens[:-1],
        [*tokens, tokens[-1]],
        [*tokens[:-1], str(duals)],
        [*tokens[:-1], "01"],
        [*tokens[:-1], ""],
        [["0", "0", "0"], *tokens],
        [["9", "0", "1"], *tokens],
    ):
        made["proof"]["cells"] = other
        refused(made, "cells", "place", "halved")
