"""Vectors for other checkers: the checker gives every verdict, and so does the second one, written from the pages."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from second.verdict import judge
from vectors import FOLDER, vectors

from rropt.checker import check_text, verdicts

INDEX = json.loads((FOLDER / "index.json").read_text(encoding="utf-8"))


def test_every_rule_has_its_vectors() -> None:
    assert set(INDEX) == set(verdicts._RULES)
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(INDEX)
    assert sum(path.stat().st_size for path in FOLDER.glob("*.jsonl")) < 4 * 2**20


@pytest.mark.parametrize("rule", INDEX)
def test_every_verdict_is_given(rule: str, size: Callable[[int, int], int]) -> None:
    """By the checker always; by the second one of every third file (of rule 12 the ninth), at full size of all."""
    listed = list(vectors(rule))
    wrong = []
    for number, vector in enumerate(listed):
        verdict = check_text(vector["text"])
        if bool(verdict) != (vector["verdict"] == "accepted"):
            wrong.append((vector["name"], vector["reason"], str(verdict)))
        if number % size(9 if rule == "cover" else 3, 1) == 0:
            second = judge(vector["text"])
            if bool(verdict) != (second is None):
                wrong.append((vector["name"], vector["reason"], f"the second checker: {second}"))
        assert len(vector["reason"]) > 5
        assert vector["truth"]
    assert wrong == []
    counts = {kind: sum(vector["verdict"] == kind for vector in listed) for kind in ("accepted", "rejected")}
    assert counts == {kind: INDEX[rule][kind] for kind in counts}
    assert counts["accepted"] >= 20
    assert counts["rejected"] >= 40
    assert len({vector["text"] for vector in listed}) == len({vector["name"] for vector in listed}) == len(listed)


def test_reasons_are_many() -> None:
    """Files of a rule are rejected for twenty reasons at least."""
    for rule in INDEX:
        reasons = {vector["reason"] for vector in vectors(rule) if vector["verdict"] == "rejected"}
        assert len(reasons) >= 20, rule
