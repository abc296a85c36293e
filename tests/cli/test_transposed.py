"""Every command that reads a matrix reads it with inputs as rows, too, and names such a matrix where it is not said.

A new argument that names a mechanism needs a call in the table, so its command needs ``--transposed``.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from stored_cases import cases_of
from test_help_examples import fill

from rropt.cli.main import parser
from rropt.cli.parser import Parser

STORED = cases_of(__file__)
CALLS = STORED["calls"].split("\n")[:-1]
MATRIX = [[0.7, 0.2], [0.3, 0.8]]  # rows are outputs; neither doubly stochastic nor symmetric

_FORM = re.compile(r"MECHANISM|DEVICE|ITEM|MATRIX|CHANNEL")  # of a value that names a mechanism


@cache
def commands() -> list[Parser]:
    """Return the commands; to fill in their options takes long."""
    return list(leaves(parser()))


def leaves(one: Parser) -> Iterator[Parser]:
    """Yield the commands."""
    kinds = [action for action in one.filled()._actions if isinstance(action, argparse._SubParsersAction)]
    for child in dict.fromkeys(child for kind in kinds for child in kind.choices.values()):
        yield from leaves(child)
    if not kinds:
        yield one


def leaf(words: Sequence[str]) -> Parser:
    """Return the parser of a call."""
    return max((one for one in commands() if _calls(words, one)), key=lambda one: len(one.prog))


def _calls(words: Sequence[str], one: Parser) -> bool:
    own = one.prog.split()[1:]
    return list(words[: len(own)]) == own


@cache
def readers() -> set[str]:
    """Return the arguments that name a mechanism, such as ``regress --covariate``."""
    found = set()
    for one in commands():
        for action in one._actions:
            form = action.metavar if isinstance(action.metavar, str) else ""
            is_positional = not action.option_strings
            if _FORM.search(form) or (
                is_positional and _FORM.search(action.help or "") and "=MECH" in (action.help or "")
            ):
                found.add(f"{one.prog.removeprefix('rropt ')} {form if is_positional else action.option_strings[-1]}")
    return found


def where(words: Sequence[str]) -> str:
    """Return the argument of a call that names the file."""
    command = leaf(words)
    place = next(i for i, word in enumerate(words) if "FILE" in word)
    before = [word for word in words[:place] if word.startswith("--")]
    option = next((one for one in command._actions if before and before[-1] in one.option_strings), None)
    is_value = option is not None and option.nargs != 0 and (words[place - 1] == before[-1] or option.nargs == "+")
    name = command.prog.removeprefix("rropt ")
    if is_value:
        return f"{name} {before[-1]}"
    kinds = [one for one in command._actions if not one.option_strings and isinstance(one.metavar, str)]
    return f"{name} {next(one.metavar for one in kinds if f'{name} {one.metavar}' in readers())}"


def fill_in(folder: Path) -> None:
    """Write the files that the calls read beside the matrix."""
    fill(folder)
    (folder / "arms.csv").write_text("a,b,age\n" + "1,,20\n0,,31\n,1,44\n,0,30\n1,,50\n,1,25\n" * 9)


def write(path: Path, form: str, rows: list[list[float]]) -> None:
    """Write a matrix as CSV, as an array of NumPy, or as JSON: a list of rows, or an object."""
    if form == "npy":
        np.save(path, np.array(rows))
    elif form == "csv":
        path.write_text("".join(f"{','.join(map(str, row))}\n" for row in rows))
    else:
        path.write_text(json.dumps(rows if form == "list" else {"matrix": [[str(x) for x in row] for row in rows]}))


def answer(cli: Callable[..., tuple[int, str, str]], folder: Path, words: list[str]) -> Any:
    """Return status, output without the question, and the files that the call wrote."""
    known = set(folder.iterdir())
    status, out, err = cli(*words)
    if out.startswith("{"):
        found = json.loads(out)
        found.pop("question", None)
        out = json.dumps(found)
    return status, out, err, {path.name: path.read_bytes() for path in set(folder.iterdir()) - known}


@few_rows(2)
@pytest.mark.parametrize("call", CALLS)
def test_rows_are_outputs_or_inputs(cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    form, *words = shlex.split(call)
    name = f"matrix.{'json' if form in ('json', 'list') else form}"
    found = {}
    for kind, rows in (("outputs", MATRIX), ("inputs", [list(row) for row in zip(*MATRIX, strict=True)])):
        (folder := tmp_path / kind).mkdir()
        monkeypatch.chdir(folder)
        fill_in(folder)
        if words[0] == "check":
            cli("design", "binary", "--gamma", "2", "--prevalence", "1/4", "--certificate", "design.json")
        write(folder / name, form, rows)
        typed = [word.replace("FILE", name) for word in words]
        found[kind] = answer(cli, folder, [*typed, *["--transposed"] * (kind == "inputs")])
    status, out, err, files = found["outputs"]
    assert status in (0, 1), err
    assert found["inputs"] == (status, out, err, files)
    if "--printed" not in typed:
        status, out, err, files = answer(cli, folder, typed)
        assert (status, out, err.count("\n"), files) == (2, "", 1, {})
        assert "transposed" in err, err


def test_every_argument_that_names_a_mechanism_has_a_call() -> None:
    called = {where(shlex.split(call)[1:]) for call in CALLS}
    assert called == readers() - STORED["others"].keys()
    without = [one.prog for one in commands() if any(f"rropt {name}".startswith(f"{one.prog} ") for name in called)]
    assert all("--transposed" in leaf(prog.split()[1:])._option_string_actions for prog in without)


def test_a_named_design_alone_is_not_transposed(cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no file is named, the option is refused: it would do nothing."""
    monkeypatch.chdir(tmp_path)
    fill_in(tmp_path)
    for call in CALLS:
        words = shlex.split(call)[1:]
        if words[0] == "check" or "--printed" in words:  # of another mechanism than that of a certificate; of a file
            continue
        status, out, err = cli(*(word.replace("FILE", "warner:3/4") for word in words), "--transposed")
        assert (status, out, "transposed" in err) == (2, "", True), (call, status, out[:200], err)
