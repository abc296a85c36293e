"""What every command prints is what ``outputs/COMMAND.txt`` shows; a change of it is read there (``make outputs``)."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator

import pytest
from recorded import CLOSE, FOLDER, blocks, is_same, run

from rropt.cli.main import main
from rropt.cli.main import parser as top_parser

CASES = {
    command: printed for file in sorted(FOLDER.glob("*.txt")) for command, printed in blocks(file.read_text("utf-8"))
}


@pytest.mark.parametrize("command", CASES)
def test_a_command_prints_what_is_recorded(command: str) -> None:
    printed = run(command)
    assert is_same(printed, CASES[command], command.endswith(CLOSE)), (
        f"make outputs writes what it prints now:\n{printed}"
    )


def test_every_command_has_its_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    help_text = capsys.readouterr().out
    commands = set(re.findall(r"^  (?:[A-Z][a-z]+)? +([a-z]+) {2,}\S", help_text, re.MULTILINE))
    assert {file.stem for file in FOLDER.glob("*.txt")} == commands
    for file in FOLDER.glob("*.txt"):
        assert all(f"rropt {file.stem}" in command for command, _ in blocks(file.read_text("utf-8")))


def _texts_of_help(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    """Yield the command and each text of its help, and those of its subcommands."""
    parser.filled()
    yield parser.prog, parser.description or ""
    for line in (parser.epilog or "").split("\n"):
        yield parser.prog, line
    for action in parser._actions:
        if action.help != argparse.SUPPRESS and action not in parser.of_reading:  # `rropt read` has the others
            yield parser.prog, (action.help or "").replace("%%", "%")
        if isinstance(action, argparse._SubParsersAction):
            for below in {each.prog: each for each in action.choices.values()}.values():
                yield from _texts_of_help(below)


def test_every_text_of_the_help_is_recorded() -> None:
    """A help above one page shows the rest of its texts after ``--help more examples`` and the names of options."""
    recorded = {file.stem: "".join(file.read_text("utf-8").split()) for file in FOLDER.glob("*.txt")}
    missing = {
        f"{program}: {text}"
        for program, text in _texts_of_help(top_parser())
        if program != "rropt" and "".join(text.split()) not in recorded[program.split()[1]]
    }
    assert not missing, "add a block `$ rropt NAME --help`, and run make outputs"


@pytest.mark.parametrize(
    ("printed", "recorded", "same", "close"),
    [
        ("value 27/4 ~ 6.75", "value  27/4 ~ 6.75", True, True),
        ("value 27/4 ~ 6.75", "value 27/5 ~ 6.75", False, False),
        ("CVXPY 6.74999999, within 9e-10", "CVXPY 6.75000001, within 4e-11", False, True),
        ("1.60943791", "1.60943792", False, True),
        ("0.262", "0.263", False, False),
        ("12 rows", "13 rows", False, False),
    ],
)
def test_words_are_equal_and_decimals_of_solvers_close(printed: str, recorded: str, same: bool, close: bool) -> None:
    assert is_same(printed, recorded) is same
    assert is_same(printed, recorded, close=True) is close
