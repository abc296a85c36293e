"""``--json`` prints one JSON object on standard output, and nothing else: no banner of a solver, in no version of it.

A library in C writes to the descriptor of standard output, which only a process of its own shows.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

CALLS = [
    "design binary --epsilon 1 --prevalence 1/10 --routes all",
    "design binary --epsilon 1 --delta 1/10 --prevalence 1/10 --outputs any",
    "design kary -k 3 --epsilon 1 --objective trace --bounds 1/100..1",
    "design kary --proportions 1/2,1/3,1/6 --epsilon 1 --objective d-optimal --routes all",
    "privacy --repair grr:3,1/2 --epsilon 1/2",
    "noncompliance --yes 3 --n 9 --mechanism warner:3/4 --theta 0.05",
]


@pytest.mark.drawn(6)
@pytest.mark.parametrize("call", CALLS)
def test_standard_output_is_one_object(call: str) -> None:
    command = [sys.executable, "-m", "rropt.cli.main", *call.split(), "--json"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.count(b"\n") == 1
    assert isinstance(json.loads(done.stdout), dict)
