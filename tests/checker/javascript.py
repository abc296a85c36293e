"""The checker in JavaScript as the independent judge of single files; one process of Node serves all of them."""

from __future__ import annotations

import atexit
import json
import shutil
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import IO, Any

import pytest
from adversary.boundary import oracle

from rropt.checker import check_text

KERNEL = Path(__file__).resolve().parents[2] / "kernels" / "javascript" / "verdict.js"
_SCRIPT = """
const { checkCertificate, verdictLine } = await import(process.argv[1]);
const { createInterface } = await import("node:readline");
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(verdictLine(checkCertificate(JSON.parse(line))) + "\\n");
}
"""


@cache
def _streams() -> tuple[IO[str], IO[str]]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed: it runs the checker in JavaScript")
    command = [node, "--input-type=module", "--eval", _SCRIPT, KERNEL.as_uri()]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    atexit.register(process.communicate)  # its end of input ends it
    return process.stdin, process.stdout


def verdict(text: str) -> str:
    """Return the line of a verdict."""
    given, said = _streams()
    given.write(json.dumps(text) + "\n")
    given.flush()
    line = said.readline().rstrip("\n")
    assert line == "accepted" or line.startswith("rejected: "), f"Node said {line!r}"
    return line


def judge(text: str) -> str | None:
    """Return the reason of a rejection, None for an accepted file."""
    line = verdict(text)
    return None if line == "accepted" else line.removeprefix("rejected: ")


def with_all_digits(value: Any) -> Any:
    """Return a certificate whose intervals and laws have as many digits as a file may ask for."""
    if isinstance(value, list):
        return [with_all_digits(part) for part in value]
    if not isinstance(value, dict):
        return value
    most = {"digits": "300", "bits": "4096"}
    return {
        key: most[key] if key in most and part and isinstance(part, str) else with_all_digits(part)
        for key, part in value.items()
    }


def is_explained(text: str, accepted: bool, line: str, told: str) -> bool:
    """Return whether docs/developers/kernels.md explains a difference: by digits that Python lacks, or by a budget.

    Args:
        text: The certificate.
        accepted: Whether JavaScript accepts it.
        line: What JavaScript said.
        told: What Python said.
    """
    if accepted:
        return check_text(json.dumps(with_all_digits(json.loads(text)))).accepted or "more work" in told
    return "budget" in line


def outcome(text: str) -> str:
    """Return what both checkers say, or fail."""
    here, reason = check_text(text), judge(text)
    if bool(here) == (reason is None):
        return "accepted" if here else "rejected"
    assert is_explained(text, reason is None, reason or "", str(here)), f"{here}; JavaScript: {reason}\n{text}"
    return "explained"


def judged(texts: Iterable[str]) -> dict[str, int]:
    """Return how many files both checkers accept, and how many of these the oracle decides: all of them are true."""
    counts = {"rejected": 0, "accepted": 0, "decided": 0}
    for text in texts:
        answer = bool(check_text(text))
        assert (verdict(text) == "accepted") == answer, text
        counts["accepted" if answer else "rejected"] += 1
        if answer:
            is_true = oracle.truth(json.loads(text))
            assert is_true is not False, text
            counts["decided"] += is_true is True
    return counts
