"""What the tests of the kernels share: the command of the checker in JavaScript."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
KERNEL = ROOT / "kernels" / "javascript"
OLDEST_NODE = 18
# the statements of the checker that is proved in Coq; where it covers a part it answers "not covered" to the rest
COQ_STATEMENTS = {
    "design-bracket": "in part",
    "binary-bracket": "in part",
    "optimal-value": "yes",
    "infeasible": "in part",
    "garbling": "yes",
    "polynomial": "yes",
    "budget-split": "yes",
    "parity-bound": "in part",
}


@pytest.fixture(scope="session")
def node() -> str:
    """The path of Node."""
    found = shutil.which("node")
    if found is None:
        pytest.skip("Node is not installed: it runs the checker in JavaScript")
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
    if int(version.lstrip("v").split(".")[0]) < OLDEST_NODE:
        pytest.skip(f"Node is {version.strip()}: the checker in JavaScript needs {OLDEST_NODE} or newer")
    return found


@pytest.fixture(scope="session")
def javascript(node: str) -> list[str]:
    """The command of the checker in JavaScript, for verdicts without sentences."""
    return [node, str(KERNEL / "node.js"), "--quiet"]
