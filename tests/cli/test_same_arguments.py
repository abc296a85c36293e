"""What a command can do, its function can, and the reverse: options and arguments are compared by a table."""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import pytest
from stored_cases import cases_of
from test_every_option import leaf

from rropt.cli.arguments import PARAMETERS
from rropt.cli.main import parser
from rropt.cli.parser import Parser

ROWS: dict[str, dict[str, Any]] = cases_of(__file__)["commands"]
# of every command or result: texts, files and pictures; a mechanism as rows; a survey that a file declares
OF_PRINTING = {"help", "json", "exact", "output", "certificate", "certificates", "derivation", "plot", "report", "coq"}
OF_PRINTING |= {"transposed", "gamma", "survey", "question", "glob", "category_names", "dpi"}


def _found(name: str) -> Any:
    """Return what a dotted name stands for; its last parts may be attributes."""
    first, *parts = name.split(".")
    found: Any = import_module(first)
    for place, part in enumerate(parts, 2):
        found = getattr(found, part, None) or import_module(".".join(name.split(".")[:place]))
    return found


def _parameters(functions: list[str]) -> set[str]:
    """Return the arguments of functions; of one that takes a record, its fields."""
    return {name for each in functions for name in inspect.signature(_found(each)).parameters}


def _gaps(command: str, row: Mapping[str, Any]) -> tuple[set[str], set[str]]:
    """Return the options that are no arguments, and the arguments that are no options."""
    own = leaf(command.split())
    arguments = _parameters(row["functions"]) - {"ax"}  # the axes of matplotlib, into which a picture is drawn
    of_reading = {action.dest for action in own.of_reading} & _parameters(["rropt_fieldwork.Reading"])
    typed = {action.dest for action in own._actions}
    options = typed - of_reading
    words = {option: {option, PARAMETERS.get(option, option)} for option in typed}
    elsewhere, python = row.get("elsewhere", {}), row.get("python", {})
    assert set(elsewhere) <= options
    assert set(python) <= arguments
    alone = {one for one in options if one not in OF_PRINTING | set(elsewhere) and not words[one] & arguments}
    return alone, arguments - set().union(*words.values()) - set(python)


def _leaves(parser: Parser, name: str = "") -> Iterator[str]:
    """Yield the words of every command, without those that have kinds."""
    kinds = [action for action in parser.filled()._actions if isinstance(action, argparse._SubParsersAction)]
    if not kinds:
        yield name
    for action in kinds:
        for word, below in action.choices.items():
            yield from _leaves(below, f"{name} {word}".strip())


def test_every_command_is_in_the_table() -> None:
    assert sorted(ROWS) == sorted(_leaves(parser()))


@pytest.mark.parametrize("command", ROWS)
def test_options_are_arguments_and_the_reverse(command: str) -> None:
    row = ROWS[command]
    assert _gaps(command, row) == (set(), set())
    for name in row.get("elsewhere", {}).values():
        assert callable(_found(name)), name


def test_a_gap_is_seen() -> None:
    assert _gaps("compose", {"functions": ["rropt.panel"]})[0] >= {"tolerance"}
    assert _gaps("repair", {"functions": ["rropt.repair"]})[1] == {"matrix"}
