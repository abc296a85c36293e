"""What the tests of the kernels share: the command of the checker in JavaScript."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from rropt.checker.conformance import File, suite_files, vector_files

ROOT = Path(__file__).resolve().parents[3]
KERNEL = ROOT / "kernels" / "javascript"
VECTORS = ROOT / "tests" / "checker" / "vectors"
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
    "every-level": "yes",
    "parity-bound": "in part",
}


def verdicts(command: Sequence[str], texts: Sequence[str], folder: Path) -> list[str]:
    """Return the lines of one call on these files."""
    names = []
    for number, text in enumerate(texts):
        names.append(str(folder / f"{number:06}.json"))
        Path(names[-1]).write_bytes(text.encode("utf-8", "surrogatepass"))
    done = subprocess.run(
        [*command, "--stdin"], input="\n".join(names), capture_output=True, text=True, timeout=3000, check=False
    )
    lines = done.stdout.splitlines()
    assert len(lines) == len(texts), done.stderr[-300:]
    return lines


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


@pytest.fixture(scope="session")
def files() -> list[File]:
    """The boundary suite and the vectors."""
    return [*suite_files(), *vector_files(VECTORS)]
