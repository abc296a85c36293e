"""The commands of the pages are found, and no case of the installation without extras outlives its command."""

from __future__ import annotations

import importlib.util
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def listed() -> ModuleType:
    """The module of the cases, which is no package: the script that runs them reads it as well."""
    spec = importlib.util.spec_from_file_location("readme_commands", HERE / "readme_commands.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_no_case_outlives_its_command(listed: ModuleType) -> None:
    texts = {page.name: page.read_text(encoding="utf-8") for page in listed.SOURCES}
    found = [command for text in texts.values() for block in listed.blocks(text) for command in listed.commands(block)]
    assert len(found) >= 40
    assert set(listed.CASES) - set(found) == set(), "the pages have these no more: take their cases away"
    assert {name for name, text in texts.items() if listed.python_blocks(text)} == set(listed.PYTHON_CASES)


def test_extras_are_complete(listed: ModuleType) -> None:
    """``all`` holds what runs without Java and without a cluster; ``test`` holds all of that."""
    extras = tomllib.loads((listed.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    (everything,) = extras["all"]
    assert everything in extras["test"]
    names = set(everything.removeprefix("rropt[").removesuffix("]").split(","))
    assert names == set(extras) - {"test", "all", "docs", "pyspark", "cluster"}
