"""Certificates of identities and positivity that are costly to expand: an answer within a second, whatever it is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from adversary.asking import ask
from adversary.polynomials import expansions

PATIENCE = 8.0  # seconds before a process counts as hanging; the promise itself is held in ``ask``

FILES = dict(expansions())


@pytest.mark.parametrize("name", FILES)
def test_an_expansion_is_bounded(name: str, tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    path.write_text(FILES[name], encoding="utf-8")
    try:  # in a process of its own: one that hangs must not hang the tests
        done = subprocess.run(
            [sys.executable, "-m", "rropt.checker", str(path)], capture_output=True, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        pytest.fail(f"the checker hangs on: {name}")
    assert done.returncode in (0, 1), done.stderr
    ask(FILES[name])
