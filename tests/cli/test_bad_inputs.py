"""A corpus of bad inputs over all commands: one line, the right exit status, nothing written and nothing lost."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from bad_inputs import FILES, rows
from kinds import first_of_each_kind

from rropt.cli.main import COMMANDS, parser
from rropt.cli.options import Parser, file_or_stream
from rropt.cli.pending import InputFile, OutputFile, OutputFolder

ROWS = rows()
CASES = first_of_each_kind(ROWS, lambda arguments, status, word: word, lambda arguments, status, word: arguments[0])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_bytes(text.encode("latin-1"))
    (tmp_path / "link").symlink_to("OLD")
    (tmp_path / "loop").symlink_to("loop")
    os.mkfifo(tmp_path / "fifo")
    return tmp_path


def state(folder: Path) -> dict[str, tuple[int, object]]:
    """Return kind, mode and content of everything in a folder."""
    found: dict[str, tuple[int, object]] = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        content = path.read_bytes() if path.is_file() and not path.is_symlink() else None
        found[str(path.relative_to(folder))] = (status.st_mode, (content, status.st_ino, status.st_mtime_ns))
    return found


def filled(argument: str, folder: Path) -> str:
    places = {name: folder / name for name in (*FILES, "link", "loop", "fifo", "none", "nobody")}
    places |= {"here": folder, "new": folder / "new.json", "bound": folder / "new-bound.json"}
    for name, path in places.items():
        argument = argument.replace("{" + name + "}", str(path))
    return argument


@pytest.mark.parametrize(("arguments", "status", "word"), CASES, ids=[" ".join(row[0])[:90] for row in ROWS])
def test_one_line_and_nothing_lost(
    cli, folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], status: int, word: str
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setattr(import_module("rropt.claims.verifications"), "run_all", forbidden)
    before = state(folder)
    found, out, err = cli(*(filled(argument, folder) for argument in arguments))
    assert (found, out) == (status, "")
    assert err.count("\n") == 1, err
    assert err.startswith("rropt")
    assert len(err) < 900
    assert word in err
    assert state(folder) == before


def forbidden(*_: object, **__: object) -> None:
    raise AssertionError("the claims were run before the input was refused")


def options(parser: Parser) -> Iterator[argparse.Action]:
    """Iterate over the arguments of a parser and of its commands."""
    for action in parser.filled()._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in dict.fromkeys(action.choices.values()):
                yield from options(command)
        else:
            yield action


def test_every_argument_that_names_a_file_is_known_as_an_input_or_an_output() -> None:
    """What names a file and is neither would be overwritten by another output, or not be looked at before the work."""
    words, inputs, outputs = ("FILE", "DIR", "DATA", "MECHANISM", "SPEC", "COUNTS", "ITEM"), set(), set()
    for action in options(parser()):
        if any(word in str(action.metavar) for word in words):
            is_output = action.type is file_or_stream or (
                isinstance(action.type, type) and issubclass(action.type, OutputFile | OutputFolder)
            )
            assert is_output or InputFile in (action.type, getattr(action.type, "kind", None))
            (outputs if is_output else inputs).add(action.dest)
    assert inputs == {
        *("mechanism", "mechanisms", "data", "files", "levels", "bounds", "problem", "properties"),
        *(
            "device_file",
            "categories_file",
            "sample",
            "specification",
            "versus",
            "covariate",
        ),
        *("items", "memo", "people", "predict", "questions", "survey"),
    }
    assert outputs == {"certificate", "coq", "output", "plot", "print", "report"}


def test_the_corpus_is_of_all_commands() -> None:
    assert len(ROWS) >= 100
    assert len({tuple(row[0]) for row in ROWS}) == len(ROWS)
    assert set(COMMANDS) <= {row[0][0] for row in ROWS}
