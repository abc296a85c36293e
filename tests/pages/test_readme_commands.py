"""Each command of the pages has a case for the installation without extras, and no case outlives its command."""

from __future__ import annotations

import importlib.util
import re
import shlex
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


def test_each_command_of_the_pages_has_its_case(listed: ModuleType) -> None:
    texts = {page.name: page.read_text(encoding="utf-8") for page in listed.SOURCES}
    found = [command for text in texts.values() for block in listed.blocks(text) for command in listed.commands(block)]
    assert len(found) >= 40
    assert set(found) - set(listed.CASES) == set(), "write a case for these: tests/pages/readme_commands.py"
    assert set(listed.CASES) - set(found) == set(), "the pages have these no more: take their cases away"
    assert {name for name, text in texts.items() if listed.python_blocks(text)} == set(listed.PYTHON_CASES)


def test_a_case_is_of_its_own_command(listed: ModuleType) -> None:
    """What is run instead differs in its values alone: the same words before the first option."""
    for command, case in listed.CASES.items():
        shorter = case.run or command
        assert shorter.split(" -")[0].split()[:2] == command.split()[:2]
        options = {word for word in shlex.split(command) if word.startswith("--")}
        assert {word for word in shlex.split(shorter) if word.startswith("--")} == options


def test_the_commands_that_the_install_must_serve_are_there(listed: ModuleType) -> None:
    """Files, randomized and estimated, a report, a sweep, a plan, a check, a claim and a picture."""
    commands = [*listed.CASES, *listed.FURTHER]
    for words in (
        "estimate survey.csv",
        "estimate survey.parquet",
        "randomize",
        "report",
        "sweep",
        "plan",
        "check",
        "verify",
        "plot",
    ):
        assert any(command.startswith(f"rropt {words} ") for command in commands), words
    pictures = [command for command in listed.CASES if re.match("rropt plot (?!explorer)", command)]
    statuses = {listed.CASES[command].status for command in pictures}
    assert statuses == {2}


def test_the_gate_runs_the_script(listed: ModuleType) -> None:
    assert "tests/pages/fresh_install.py" in (listed.ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_a_new_command_is_noticed(listed: ModuleType) -> None:
    block = "cd here && rropt new --option 1   # with words about it\nrropt old\n# rropt none\n"
    assert listed.commands(block) == ["rropt new --option 1", "rropt old"]


def test_extras_are_complete(listed: ModuleType) -> None:
    """``all`` holds what runs without Java and without a cluster; ``test`` holds all of that."""
    extras = tomllib.loads((listed.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    (everything,) = extras["all"]
    assert everything in extras["test"]
    names = set(everything.removeprefix("rropt[").removesuffix("]").split(","))
    assert names == set(extras) - {"test", "all", "docs", "pyspark", "dask"}
