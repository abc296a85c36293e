"""The list of findings names each script, the packages that it pins, and a test of what rropt does instead."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "findings"
LIST = (FOLDER / "README.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in row.strip("|").split("|")] for row in LIST.splitlines() if row.startswith("| `")]
SCRIPTS = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.sh") if path.name != "install.sh"}


def test_each_script_has_one_row() -> None:
    assert sorted(row[0].strip("`") for row in ROWS) == sorted(SCRIPTS)
    assert {len(row) for row in ROWS} == {5}


def test_the_versions_are_those_that_the_script_pins() -> None:
    for script, packages, *_ in ROWS:
        (pins,) = re.findall(r"^install (.*)$", SCRIPTS[script.strip("`")], re.MULTILINE)
        pinned = {version for _, version in (each.split("==") for each in pins.split())}  # each with a version
        for package in packages.split(", "):
            assert package.split()[-1] in pinned, (script, package)


def test_the_named_tests_exist() -> None:
    for script, *_, test in ROWS:
        if test == "none":
            continue
        path, name = test.strip("`").split("::")
        text = (ROOT / "tests" / path).read_text(encoding="utf-8")
        assert re.search(rf"^def {name}\(", text, re.MULTILINE), (script, test)


def test_each_script_runs_without_rropt() -> None:
    for name, text in SCRIPTS.items():
        assert not re.search(r"import rropt|rropt ", text), name
        assert 'print("seen:' in text, name
