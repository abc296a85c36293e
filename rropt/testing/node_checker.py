"""The checker in JavaScript, run by Node for many certificates in one process."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from rropt.core.files.writing import write_text
from rropt.reports.browser_checker import sources
from rropt.testing.failures import NotApplicable

_SECONDS = 120  # of one process


def node_verdicts(texts: Sequence[str]) -> list[str]:
    """Return the verdict of the checker in JavaScript on each certificate: ``accepted``, or ``rejected`` with a reason.

    Args:
        texts: the certificates as JSON text.

    Raises:
        NotApplicable: the program ``node`` is not installed.
    """
    node = shutil.which("node")
    if node is None:
        raise NotApplicable("the program node is not installed")
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{i}.json" for i in range(len(texts))]
        for file, text in zip(files, texts, strict=True):
            write_text(file, text)
        names = "".join(f"{file}\n" for file in files)
        command = [node, str(sources() / "node.js"), "--quiet", "--stdin"]
        done = subprocess.run(command, input=names, capture_output=True, text=True, timeout=_SECONDS, check=False)
    lines = done.stdout.splitlines()
    if len(lines) != len(texts):
        raise RuntimeError(f"node gave {len(lines)} verdicts on {len(texts)} certificates: {done.stderr[:500]}")
    return lines
