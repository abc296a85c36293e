"""Vectors for other checkers: the checker gives every verdict (`tests/kernels` asks the other kernels)."""

from __future__ import annotations

import json

from every_case import every_case
from stress import STRESS
from vectors import FOLDER, vectors

from rropt.checker import check_text, verdicts

INDEX = json.loads((FOLDER / "index.json").read_text(encoding="utf-8"))


def test_every_statement_has_its_vectors() -> None:
    assert set(INDEX) == set(verdicts._STATEMENTS)
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(INDEX)
    assert sum(path.stat().st_size for path in FOLDER.glob("*.jsonl")) < 4 * 2**20


@every_case("rule", INDEX)
def test_every_verdict_is_given(rule: str) -> None:
    """One vector of three in every run, all with `make stress`."""
    listed = list(vectors(rule))
    wrong = []
    for vector in listed[:: 1 if STRESS else 3]:
        verdict = check_text(vector["text"])
        if bool(verdict) != (vector["verdict"] == "accepted"):
            wrong.append((vector["name"], vector["reason"], str(verdict)))
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
