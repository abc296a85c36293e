"""Weakened checkers: each accepts a false file that was built for the condition or the step that it lacks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from adversary.fuzz.weakened import Weakening, survivors

LINES = [json.loads(line) for line in Path(__file__).with_name("weaker.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.drawn(8)
@pytest.mark.parametrize("line", LINES, ids=lambda line: line["drops"])
def test_a_weakened_checker_accepts_its_file(line: dict[str, str], tmp_path: Path) -> None:
    """The checker itself rejects it."""
    text = line.pop("text")
    assert survivors([Weakening(**line)], [text], tmp_path) == []
