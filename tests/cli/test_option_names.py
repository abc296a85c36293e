"""Options that messages, help texts and pages name exist."""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from every_case import every_case
from package_modules import modules

import rropt
from rropt.cli.main import parser

ROOT = Path(__file__).parents[2]
PACKAGE = Path(rropt.__file__).parent
WORD = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")
# pages also name options of other programs
OTHERS = {"--no-deps", "--quiet", "--statements", "--upgrade-deps", "--vectors", "--work"}


def _commands(own: argparse.ArgumentParser, name: str = "") -> Iterator[tuple[str, set[str]]]:
    yield name, {option for action in own.filled()._actions for option in action.option_strings}
    for action in own._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, below in action.choices.items():
                yield from _commands(below, f"{name} {word}".strip())


OPTIONS = dict(_commands(parser()))
ALL = set().union(*OPTIONS.values())


def _named(text: str) -> set[str]:
    return set(WORD.findall(text))


def _texts(path: Path) -> str:
    source = path.read_text(encoding="utf-8")
    if not WORD.search(source):  # to parse a file takes long
        return ""
    tree = ast.parse(source)
    found = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return "\n".join(found)


def test_modules_name_options_that_exist() -> None:
    for path in modules():
        # the checker has a command of its own, and so has the one in JavaScript
        if "checker" not in path.parts and path.name != "node_checker.py":
            text = re.sub(r"var\(--[a-z]+\)|[{;]\s*--[a-z]+:", "", _texts(path))  # variables of style sheets
            assert _named(text) <= ALL, path


def test_pages_name_options_that_exist() -> None:
    for path in [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]:
        assert _named(path.read_text(encoding="utf-8")) <= ALL | OTHERS, path


def test_the_change_log_names_options_of_now_for_those_that_went() -> None:
    rows = re.findall(r"^\| (.*) \| (.*) \|$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) > 80
    for gone, instead in rows:
        assert _named(instead) <= ALL | OTHERS, gone


@every_case("name", sorted(name for name, options in OPTIONS.items() if len(options) > 2))
def test_a_command_names_its_own_options(name: str) -> None:
    """The help of a command, and the messages of its module if it has one of its own, name no other options."""
    module = PACKAGE / "cli" / f"{name.replace(' ', '_').replace('-', '_')}.py"
    others = [own for own in OPTIONS if own != name and own.startswith(name)]
    if module.is_file() and not others:
        allowed = OPTIONS[name] | {"--json", "--certificate"} | _of_other_commands(_texts(module))
        assert _named(_texts(module)) <= allowed


def _of_other_commands(text: str) -> set[str]:
    """Return the options in command lines of other commands, such as ``rropt plan finite --n 9``."""
    return {word for line in re.findall(r"rropt [a-z]+ [^;\n]*", text) for word in _named(line)}


MESSAGES = [
    ("audit --counts 5,5 --counts 4,6 --draws 50", {"--inputs", "--draws", "--time-limit", "--command"}),
    ("audit", {"--input", "--column", "--counts"}),
    ("audit README.md --input x", {"--input", "--column"}),
    ("audit --counts 5,5 --command cat", {"--counts"}),
    ("audit --counts 5,5 --counts 4,6 --event 7", {"--event"}),
    ("audit --counts 2,1 --counts 1,2", {"--event", "--pair"}),
    ("audit --command cat --draws 30", {"--draws", "--explore"}),
    ("audit --command cat --inputs 1", {"--inputs"}),
]


@pytest.mark.parametrize(("line", "named"), MESSAGES, ids=[line for line, _ in MESSAGES])
def test_messages_of_an_audit(cli, line: str, named: set[str]) -> None:
    status, _, err = cli(*line.replace("README.md", __file__).split())
    assert status == 2
    assert _named(err) == named


@every_case("name", sorted(OPTIONS))
def test_every_parameter_is_spelled_as_it_is_typed(name: str) -> None:
    """Messages of the library name parameters; the command replaces them by what its parser accepts."""
    own = parser()
    for word in name.split():
        own = next(
            action.choices[word]
            for action in own.filled()._actions
            if isinstance(action, argparse._SubParsersAction) and word in action.choices
        )
    spelled = _spelled(own)
    assert {text for text in spelled.values() if text.startswith("-")} <= OPTIONS[name] | ALL
    for action in own._actions:
        assert bool(action.option_strings) == spelled[action.dest].startswith("-")
        assert not action.option_strings or spelled[action.dest] in action.option_strings


def _spelled(own: argparse.ArgumentParser) -> dict[str, str]:
    from rropt.cli.parser import _spelled as of_action

    return {action.dest: of_action(action) for action in own.filled()._actions}
