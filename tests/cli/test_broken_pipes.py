"""A reader that closes the pipe early, such as ``head``: never the status of a negative answer, never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

BROKEN_PIPE = 141  # what shells report of SIGPIPE


@pytest.mark.slow
@pytest.mark.parametrize(
    ("argv", "answer"),
    [
        (["compare", "--admissible", "warner:3/4"], 0),
        (["compare", "--admissible", "warner:3/4", "--gamma", "4"], 1),
        (["privacy", "--level", "posterior:1/5,1/2"], 0),
        (["privacy", "warner:3/4", "--json"], 0),
        (["design", "list"], 0),
    ],
)
def test_a_closed_pipe_is_no_answer(argv: list[str], answer: int) -> None:
    """The status is that of a broken pipe, or the command's own when everything was computed and only unsent."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "rropt.cli.main", *argv], stdout=writing, stderr=subprocess.PIPE, check=False
        )
    finally:
        os.close(writing)
    assert done.returncode in (BROKEN_PIPE, answer)
    assert done.stderr == b""


@pytest.mark.parametrize("buffered", [True, False])
@pytest.mark.parametrize(
    ("module", "argv", "answer"),
    [
        ("rropt.cli.main", ["sheet", "warner:3/4", "--question", "Q", "--output", "page.html"], 0),
        ("rropt.cli.main", ["check", "nosuch.json"], 2),
        ("rropt.checker", ["nosuch.json"], 2),
    ],
)
def test_a_closed_pipe_of_remarks_is_no_answer(
    module: str, argv: list[str], answer: int, buffered: bool, tmp_path: Path
) -> None:
    """As in ``rropt ... 2>&1 | head``: files are written, and the remarks about them are not read."""
    environment = os.environ | {"PYTHONUNBUFFERED": "" if buffered else "1"}
    reading, writing = os.pipe()
    os.close(reading)
    try:
        command = [sys.executable, "-m", module, *argv]
        done = subprocess.run(command, stdout=writing, stderr=writing, env=environment, cwd=tmp_path, check=False)
    finally:
        os.close(writing)
    assert done.returncode in (BROKEN_PIPE, answer)
    if answer == 0:
        assert (tmp_path / "page.html").read_text().startswith("<!doctype html>")
