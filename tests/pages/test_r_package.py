"""The R package in ``r/``: R builds it, installs it, and its tests pass where R is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_r_builds_and_tests_its_package(tmp_path: Path) -> None:
    if shutil.which("R") is None:
        pytest.skip("R is not installed")
    has_json = subprocess.run(["Rscript", "-e", "library(jsonlite)"], capture_output=True, check=False).returncode == 0
    if not has_json:
        pytest.skip("R has no package jsonlite")
    command = tmp_path / "bin" / "rropt"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rropt.cli.main "$@"\n')
    command.chmod(0o755)
    library = tmp_path / "library"
    library.mkdir()
    environment = os.environ | {
        "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "R_LIBS": str(library),
    }

    def run(*words: str) -> None:
        done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    run("R", "CMD", "build", "--no-build-vignettes", str(ROOT / "r"))
    run("R", "CMD", "INSTALL", "-l", str(library), "rroptr_0.1.0.tar.gz")
    run("Rscript", str(ROOT / "r" / "tests" / "rroptr.R"))
