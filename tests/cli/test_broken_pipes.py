"""A reader that closes the pipe early, such as ``head``: never the status of a negative answer, never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

BROKEN_PIPE = 141  # what shells report of SIGPIPE


@pytest.mark.parametrize(
    "argv",
    [
        ["admissible", "warner:3/4"],  # a table of rich, which would leave with status 1 by itself
        ["admissible", "warner:3/4", "--gamma", "4"],
        ["bound", "--rho", "1/5", "1/2"],
        ["privacy", "warner:3/4", "--json"],
        ["mechanisms"],
    ],
)
def test_a_closed_pipe_is_no_answer(argv: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "rropt.cli.main", *argv], stdout=writing, stderr=subprocess.PIPE, check=False
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (BROKEN_PIPE, b"")
