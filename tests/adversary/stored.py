"""The files that are stored, by statement: vectors, the boundary suite, files of design-bracket, built ones."""

from __future__ import annotations

import json
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

from vectors import FOLDER, vectors

from adversary.built import verdicts
from rropt.checker.conformance.boundary_suite import suite_files

STATEMENTS = sorted(path.stem for path in FOLDER.glob("*.jsonl"))
SHORT = 4000  # characters of a file that is judged in a moment


@cache
def cases() -> list[Any]:
    """Return the files of design-bracket at the conditions of the page, with their verdict and their claim's truth."""
    lines = Path(__file__).with_name("cases.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@cache
def texts() -> dict[str, str]:
    """Return every stored text and its verdict."""
    found = {each["text"]: each["verdict"] for name in STATEMENTS for each in vectors(name)}
    found |= {file.text: "accepted" if file.accepted else "rejected" for file in suite_files()}
    return found | {json.dumps(case["certificate"]): case["verdict"] for case in cases()} | verdicts()


@cache
def accepted() -> dict[str, list[Any]]:
    """Return short accepted files by their statement."""
    found = defaultdict(list)
    for text, verdict in texts().items():
        if verdict == "accepted" and len(text) < SHORT:
            document = json.loads(text)
            found[document["statement"]].append(document)
    return found


def short_texts(statement: str) -> list[str]:
    """Return the texts of the short accepted files of a statement."""
    return list(map(json.dumps, accepted()[statement]))
