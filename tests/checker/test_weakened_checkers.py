"""Each condition of FORMAT.md is needed: a checker without it accepts some file that the checker rejects."""

from __future__ import annotations

import json
from pathlib import Path

from adversary.fuzz.harness import statement
from adversary.fuzz.weakened import Weakening, survivors

KERNEL = Weakening("garbling.py", "if any(x != y * scale", "if False and any(x != y * scale", "C source = target")


def test_a_dropped_condition_is_seen_by_a_file_that_needs_it(tmp_path: Path) -> None:
    """Of two files only one needs the condition that is dropped."""
    source, target = [["1/2", "1/4"], ["1/2", "3/4"]], [["3/4", "1/2"], ["1/4", "1/2"]]
    problem = {"source": {"matrix": source}, "target": {"matrix": target}}
    files = {
        name: json.dumps(statement("garbling", problem, {"exists": True}, {"kernel": kernel}))
        for name, kernel in {"needs it": [["1", "1"], ["0", "0"]], "does not": [["1", "1"], ["1", "1"]]}.items()
    }
    assert survivors([KERNEL], [files["does not"]], tmp_path) == [KERNEL]
    assert survivors([KERNEL], list(files.values()), tmp_path) == []
