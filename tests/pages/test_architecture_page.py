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

PAGE = (Path(__file__).parents[2] / "docs" / "developers" / "architecture.md").read_text()


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
