"""Reads the suite: each file is a case (problem, claim) with a proof. Also reads a folder of test vectors."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
CASES, WITNESSES = "cases.jsonl", "witnesses.jsonl"


@dataclass(frozen=True)
class File:
    """A certificate file with the verdict that a checker must give.

    ``because`` names the cause of a rejection and is empty for an accepted file. ``claim``: the claim is false.
    ``proof``: the claim is true or undecided, and the proof does not prove it. ``form``: the file violates the
    format. ``limit``: a count is beyond a limit of the pages.
    """

    name: str
    statement: str
    text: str
    accepted: bool
    because: str
    reason: str


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Return the objects of a file with one JSON object per line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def suite_files(folder: Path = FOLDER) -> Iterator[File]:
    """Yield the files of the boundary suite, in its order."""
    cases = read_lines(folder / CASES)
    numbers: dict[str, int] = {}
    for entry in read_lines(folder / WITNESSES):
        case = cases[entry["case"] - 1]
        name = entry["statement"]
        parts = {"problem": case["problem"], "claim": case["claim"], "proof": entry["proof"]}
        document = {"format": "2", "statement": name, **parts}
        accepted = entry["expected"] == "accepted"
        reason = f"{entry['page']}, {entry['boundary']}: {entry['sentence']}"
        numbers[name] = number = numbers.get(name, 0) + 1
        yield File(
            f"boundary-{name}-{number:03}",
            name,
            json.dumps(document),
            accepted,
            entry["because"],
            reason,
        )


def vector_files(folder: Path) -> Iterator[File]:
    """Yield the vectors of a folder, which has a file ``STATEMENT.jsonl`` for each statement."""
    for path in sorted(folder.glob("*.jsonl")):
        for vector in read_lines(path):
            text = vector["text"] if "text" in vector else json.dumps(vector["certificate"])
            accepted = vector["verdict"] == "accepted"
            yield File(vector["name"], path.stem, text, accepted, "" if accepted else "vector", vector["reason"])
