"""Every name of rropt that a page prints can be used after `import rropt` alone; names with hyphens are claims."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import rropt_proofs

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    *(page for page in sorted((ROOT / "docs").rglob("*.md")) if "developers" not in page.parts),
]
_NAME = re.compile(r"(?<![\w./-])rropt(?:_fieldwork)?(?:\.[A-Za-z]\w*)+(?:-[a-z0-9-]+)?")
_LOOK_UP = """
import importlib
import sys

package = importlib.import_module(sys.argv[1])
for name in sys.stdin.read().split():
    found = package
    for part in name.split(".")[1:]:
        found = getattr(found, part, None)
    if found is None:
        print(name)
"""


def _names(text: str) -> set[str]:
    return set(_NAME.findall(text))


def _unknown(names: set[str]) -> list[str]:
    """Return the names that a fresh interpreter does not find after the import of their package alone."""
    unknown: list[str] = []
    for package in sorted({name.partition(".")[0] for name in names}):
        own = "\n".join(sorted(name for name in names if name.startswith(f"{package}.")))
        command = [sys.executable, "-c", _LOOK_UP, package]
        unknown += subprocess.run(command, input=own, capture_output=True, text=True, check=True).stdout.split()
    return unknown


@pytest.fixture(scope="module")
def claims() -> set[str]:
    """The ids of the record, which test_registry.py compares with the registry: to read all cards takes long."""
    record = Path(rropt_proofs.__path__[0]) / "results.json"
    return set(json.loads(record.read_text(encoding="utf-8"))["claims"])


def test_names_are_found_as_they_are_printed(claims: set[str]) -> None:
    """No page prints a name that needs another import, and none prints a claim that the registry does not have."""
    names = {name for page in PAGES for name in _names(page.read_text(encoding="utf-8"))}
    assert len(names) > 100
    assert sum(name.startswith("rropt_fieldwork.") for name in names) > 10
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"].keys()
    assert _unknown({name for name in names - claims - groups if "-" not in name}) == []
    assert {name for name in names if "-" in name} <= claims


def test_a_name_that_needs_another_import_is_noticed() -> None:
    """The test above can fail: names that do not exist are found in a text and reported."""
    text = "`rropt.designs.no_such_module`, `rropt.design.binary`, `rropt_fieldwork.sheet`, `rropt_fieldwork.no_such`"
    assert _unknown(_names(text)) == ["rropt.designs.no_such_module", "rropt_fieldwork.no_such"]
