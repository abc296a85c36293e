"""What every command prints is what ``outputs/COMMAND.txt`` shows; a change of it is read there (``make outputs``)."""

from __future__ import annotations

import re

import pytest
from recorded import CLOSE, FOLDER, blocks, is_same, run

from rropt.cli.main import main

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
