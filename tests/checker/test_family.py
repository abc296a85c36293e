"""The statement family: mutants under an oracle that writes members out, in both checkers; hostile sizes."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from adversary import forger
from adversary.asking import ask
from adversary.kernels.mutants import mutants
from javascript import judged
from vectors import vectors

ACCEPTED = [v["certificate"] for v in vectors("family") if v["verdict"] == "accepted"]
SHORT = [document for document in ACCEPTED if len(json.dumps(document)) < 8000]


def test_no_false_mutant_is_accepted(size: Callable[[int, int], int]) -> None:
    counts = judged([*map(json.dumps, SHORT[:4]), *mutants(SHORT, size(60, 20_000), 109)])
    assert counts["rejected"] > counts["decided"] > 0


def test_no_forgery_is_accepted(size: Callable[[int, int], int]) -> None:
    counts = judged(json.dumps(made) for made in forger.forgeries(SHORT, size(60, 20_000), 110))
    assert counts["accepted"] == counts["decided"]


@pytest.mark.slow
def test_no_altered_file_is_accepted_unless_it_is_true(size: Callable[[int, int], int]) -> None:
    rng = random.Random(111)
    judged(json.dumps(forger.altered(rng.choice(SHORT), SHORT, rng)) for _ in range(size(40, 20_000)))


def test_a_proof_serves_no_other_family() -> None:
    """The proof of each file is rejected for the problem of any other one."""
    for document in SHORT:
        for other in SHORT:
            if document["problem"] != other["problem"]:
                made = deepcopy(document)
                made["claim"], made["proof"] = other["claim"], other["proof"]
                assert not ask(json.dumps(made))


def test_many_classes_are_rejected_before_the_work() -> None:
    """The list of conditions has 2^classes entries: it is counted, not made."""
    made: Any = deepcopy(ACCEPTED[0])
    problem, proof = made["problem"], made["proof"]
    problem["classes"] = [{"size": "1", "share": "1/60"}] * 60
    problem["decisions"] = [{"own": None, "costs": ["1"] * 60, "right": None}]
    proof["costs"], proof["rights"] = [[[["1/60", "0", "0"]]] * 60], [None]
    proof["denominator"] = [["1", "0", "0"]]
    row = {"decision": "0", "classes": "1" * 60, "own": "0", "weight": "1"}
    made["claim"]["formulas"] = [{"value": "1", "rows": [row]}]
    proof["values"] = [[[["1", "0", "0"]], [["1", "0", "0"]]]]
    leaf = proof["formulas"][0]["tree"]
    leaf["denominator"], leaf["dual"] = [["1", "0", "0"]], [[["1/60", "0", "1"]]] * 60
    answer = ask(json.dumps(made))
    assert not answer
    assert "conditions has 4 entries" in answer.reason
