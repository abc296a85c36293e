"""A requested file is written, or the exit status is not 0: every option of every command that names a file."""

from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from few_rows import few_rows
from level_certificates import level_certificate
from stored_cases import cases_of

import rropt
import rropt_fieldwork
from rropt.cli.main import parser
from rropt.cli.pending import OutputFile

STORED = cases_of(__file__)
STATUS = {"written": 0, "printed_alone": 2, "any": None}
CASES = {line: status for kind, status in STATUS.items() for line in STORED[kind].splitlines()}


def _writing(own: argparse.ArgumentParser, name: str = "") -> Iterator[tuple[str, str]]:
    for action in own.filled()._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, below in action.choices.items():
                yield from _writing(below, f"{name} {word}".strip())
        elif isinstance(action.type, type) and issubclass(action.type, OutputFile):
            yield name, action.option_strings[-1]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    contents = {
        "c": json.dumps(rropt_fieldwork.count([0, 1, 1], mechanism="warner:3/4").to_dict()),
        "d": "y,g\n0,a\n1,b\n1,b\n",
        "l": level_certificate(),
        "p": "{}",
        "r": json.dumps(rropt.compose("1/2*3", points=2).to_dict()),
        "s": 'family = "binary"\n',
    }
    for name, text in contents.items():
        (tmp_path / name).write_text(text)
    return {"x": str(tmp_path / "x"), **{name: str(tmp_path / name) for name in contents}}


@few_rows(1)
@pytest.mark.parametrize("line", sorted(CASES))
def test_a_requested_file_is_written_or_the_status_is_not_0(cli, files: dict[str, str], line: str) -> None:
    words = shlex.split(line.format(**files))
    wanted = [Path(word) for word in words if word.startswith(files["x"])]
    status, _, err = cli(*words)
    assert CASES[line] is None or status == CASES[line], err
    for path in wanted:
        assert status != 0 or path.stat().st_size
        assert path.exists() or status == 2 or str(path) in err
    assert wanted


@pytest.mark.parametrize("line", STORED["printed_alone"].splitlines())
def test_a_result_is_printed_without_its_certificate(cli, files: dict[str, str], line: str) -> None:
    status, out, err = cli(*shlex.split(line.format(**files)))
    assert status == 2
    assert out, "the result is lost"
    assert "certificate" in err


def test_every_option_that_names_a_file_is_tried() -> None:
    tried = {
        (name, word)
        for name, option in set(_writing(parser()))
        for line in CASES
        if line.startswith(f"{name} ")
        for word in shlex.split(line)
        if word == option
    }
    left = set(_writing(parser())) - tried
    assert not left
