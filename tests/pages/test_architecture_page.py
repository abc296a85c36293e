"""The page for successors: its examples run, and it names every folder and nothing that does not exist."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import rropt
from rropt.designs.way_table import REGISTERED
from rropt.objectives.objective import OBJECTIVES
from rropt.privacy.region import REGIONS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "developers" / "architecture.md").read_text()


@pytest.fixture
def registries() -> Iterator[None]:
    """Give the registries back as they were."""
    before = dict(OBJECTIVES), dict(REGIONS), dict(rropt.Mechanism.FORMS), list(REGISTERED)
    yield
    for registry, kinds in zip((OBJECTIVES, REGIONS, rropt.Mechanism.FORMS), before, strict=False):
        registry.clear()
        registry.update(kinds)
    REGISTERED[:] = before[3]


@pytest.mark.usefixtures("registries")
def test_its_examples_run(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"^```py\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    names: dict[str, object] = {"__name__": "example"}
    for block in blocks:
        exec(compile(block, "docs/developers/architecture.md", "exec", dont_inherit=True), names)
    assert len(blocks) == len(re.findall("^### ", PAGE, re.MULTILINE)) + 1
    assert json.loads(capsys.readouterr().out)["chance"] == "3/4"


def test_the_tree_names_every_package_and_subpackage() -> None:
    """A line names a package, and its words the subpackages."""
    (tree,) = re.findall(r"^rropt/\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    lines: dict[str, str] = {}
    for line in tree.splitlines():
        package, text = line[:22].strip() or list(lines)[-1], line[22:]
        lines[package] = f"{lines.get(package, '')} {text}"
    packages = {page.parent.name: page.parent for page in ROOT.glob("rropt/*/__init__.py")}
    assert lines.keys() == packages.keys()
    for package, folder in packages.items():
        words = set(re.findall(r"\w+", lines[package]))
        for inner in folder.glob("*/__init__.py"):
            name = inner.parent.name
            is_described = package in ("symbolic", "convex", "checker")  # by one sentence: folders of mirrored names
            assert name in words or is_described, f"the line of {package} does not name {name}"


def test_the_places_exist() -> None:
    """What the tables of places name, below ``rropt/`` or in the root; a star stands for names."""
    (places,) = re.findall(r"^## Where is it\?\n(.*?)^### ", PAGE, re.DOTALL | re.MULTILINE)
    named = re.findall(r"`([\w./*-]*[/.][\w./*-]*)`", "\n".join(re.findall(r"^\|.*\|(.*)\|$", places, re.MULTILINE)))
    assert len(named) >= 70
    for name in named:
        assert any([*folder.glob(name)] for folder in (ROOT / "rropt", ROOT)), f"{name} is not there"
