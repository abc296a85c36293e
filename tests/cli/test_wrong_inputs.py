"""Every option of every command with what it does not take: one clear line, status 2, no traceback, no file touched.

The calls are not written by hand: of each command one call that would be answered, and each of its options in turn with
hostile words of the kind that it takes, a file, a place to write, one of some words, a number. A new option is met too.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from few_rows import few_rows
from stored_cases import cases_of
from test_bad_inputs import state

import rropt
from rropt.cli.main import parser
from rropt.cli.parser import Parser
from rropt.cli.pending import InputFile, OutputFile, OutputFolder, file_or_stream
from rropt_fieldwork.from_tables.counted_responses import count

FILES = {
    "m.json": b'{"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}',
    "problem.json": b'{"region": {"kind": "differential-privacy", "inputs": "2", "outputs": "2", "epsilon": '
    b'{"log": "2"}, "delta": "0", "family": "all"}, "objective": {"kind": "variance"}, "population": ["3/4", "1/4"]}',
    "grid.json": b'{"problem": "binary", "grid": {"gamma": "3", "prevalence": ["1/4"]}}',
    "answers.csv": b"sick,q1,q2\n0,0,1\n1,1,0\n",
    "rows.csv": b"answer,age\n" + b"".join(b"%d,%d\n" % (i % 2, i % 3) for i in range(60)),
    "outputs": b"0\n1\n1\n",
    "own.toml": b'[questions.sick]\ndevice = "warner:3/4"\n',
    "part.json": json.dumps(count([0, 1, 1], "warner:3/4", shard="a").to_dict()).encode(),
    "empty": b"",
    "list.json": b"[1, 2]",
    "bytes": bytes(range(256)),
    "utf16.json": '{"matrix": [[1]]}'.encode("utf-16"),
    "deep.json": b"[" * 3000,
    "huge.json": b'{"matrix": [[1e999999, 0], [0, 1]]}',
    "cut.npy": b"\x93NUMPY\x01\x00",
    "cut.parquet": b"PAR1",
    "OLD": b"before",
}
READ = (
    "none",
    "folder",
    "empty",
    "list.json",
    "bytes",
    "utf16.json",
    "deep.json",
    "huge.json",
    "cut.npy",
    "cut.parquet",
)
READ += ("loop", "", "\0", "a" * 300, "warner:nan", "warner:1e400", "warner:", "grr:1e9,1/2", "bits:3/4*1e9")
WRITTEN = ("folder", "folder/none/x", "", "OLD/x", "loop", "\0", "a" * 300)
NUMBERS = (
    "nan",
    "-inf",
    "1e400",
    "x",
    "",
    "1/0",
    "-1",
    "0x10",
    "1e99999999999",
    "9" * 4000,
    "3..1",
    "\n",
    "[bold]",
    "1,,2",
)

CALLS = cases_of(__file__)["calls"].splitlines()

# Arguments that take any text: there is no wrong one (a pattern of claims is looked up in all of them, for seconds: the
# corpus of bad inputs has wrong ones); and those of which some is answered: a file that is no
# certificate is rejected, a picture may have no curves of a kind, and numbers that say little are no error.
TEXTS = {"question", "title", "missing", "responsible", "date"}
TEXTS |= {"certificate of compare", "shard of count", "patterns of verify"}
ANSWERED = {
    *(
        "check files",
        "count data",
        "estimate fpc",
        "report files",
        "laplace threshold",
        "laplace release",
        "noncompliance truth",
        "estimate blank",  # any text may stand for an empty cell; the remark counts them, here 0
        "regress blank",
        *("read blank", "read data", "read missing"),
    ),
    *(f"plot {kind}" for kind in ("breaches gammas", "efficiency mark", "efficiency unrelated")),
    "plot respondents unrelated",
}


def leaves(top: Parser, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Parser]]:
    """Yield each command with its parser."""
    below = [action for action in top.filled()._actions if isinstance(action, argparse._SubParsersAction)]
    if not below:
        yield " ".join(path), top
    for action in below:
        for name, command in action.choices.items():
            yield from leaves(command, (*path, name))


PARSERS = dict(leaves(parser()))
COMMANDS = {name: [one for one in found._actions if one.dest != "help"] for name, found in PARSERS.items()}


def command_of(call: str) -> str:
    return max((name for name in COMMANDS if f"{call} ".startswith(f"{name} ")), key=len)


def is_written(action: argparse.Action) -> bool:
    """Return whether an argument names a file to write."""
    return action.type is file_or_stream or (isinstance(action.type, type) and issubclass(action.type, OutputFile))


def words(action: argparse.Action) -> tuple[str, ...]:
    """Return what an argument does not take."""
    if action.nargs == 0:
        return ()
    if action.choices is not None:
        return ("no-such-word", "")
    if action.type is OutputFolder:  # which is made, with those above it
        return tuple(word for word in WRITTEN if not word.startswith("folder"))
    if is_written(action):
        return WRITTEN
    return READ if InputFile in (action.type, getattr(action.type, "kind", None)) else NUMBERS


def wrong(call: str) -> list[tuple[str, list[str]]]:
    """Return an argument and a call with each word that it does not take, the arguments in turn."""
    name, found = command_of(call), []
    given = call.removeprefix(name).split()
    for action in COMMANDS[name]:
        option, size = next(iter(action.option_strings), None), action.nargs if isinstance(action.nargs, int) else 1
        is_text = action.dest in TEXTS or f"{action.dest} of {name}" in TEXTS
        for word in () if is_text else words(action):
            if option is None:
                rest = given[1:] if given and not given[0].startswith("--") else given
                argv = [word, *rest]
            elif option in given:
                at = given.index(option)
                argv = [*given[:at], option, *[word] * size, *given[at + 1 + size :]]
            else:
                argv = [*given, option, *[word] * size]
            found.append((f"{name} {action.dest}", [*name.split(), *argv]))
    return found


def refused(call: str) -> Iterator[tuple[list[str], str]]:
    """Yield calls that every command refuses alike, with a pattern of the message: what it needs is missing, a word is
    none of its choices, and a file to write is an input, another output, a folder or nothing.
    """
    name = command_of(call)
    given = call.removeprefix(name).split()
    options = {action.option_strings[-1]: action for action in COMMANDS[name] if action.option_strings}
    needed = {option for option, action in options.items() if action.required}
    for group in PARSERS[name]._mutually_exclusive_groups:
        needed |= {action.option_strings[-1] for action in group._group_actions if group.required}
    for option in needed & {*given}:
        at = given.index(option)
        yield [*given[:at], *given[at + 2 :]], "an argument is missing: received no"
    if any(not action.option_strings and action.nargs in (None, "+") for action in COMMANDS[name]):
        first = next((i for i, word in enumerate(given) if word.startswith("--")), len(given))
        yield given[first:], "(an argument is|arguments are) missing: received no"
    for option, action in options.items():
        rest = given if option not in given else given[: given.index(option)] + given[given.index(option) + 2 :]
        if action.choices is not None:
            yield [*rest, option, "no-such-word"], "is unknown: received"
        if is_written(action):
            inputs = [word for word in rest if word in FILES or word == "c.json"]
            yield from (([*rest, option, word], "the input itself") for word in inputs)
            others = [other for other, one in options.items() if is_written(one) and one is not action]
            yield from (([*rest, option, "OLD", other, "OLD"], "same file") for other in others)
            yield [*rest, option, "folder"], "Is a directory|name a folder|cannot write"
            yield [*rest, option, ""], "cannot write"


@few_rows(20)
@pytest.mark.parametrize("call", CALLS)
def test_what_every_command_refuses_alike(cli, tmp_path: Path, monkeypatch, call: str) -> None:
    made(tmp_path)
    monkeypatch.chdir(tmp_path)
    before = state(tmp_path)
    for argv, pattern in refused(call):
        status, out, err = cli(*command_of(call).split(), *argv)
        assert (status, out, err.count("\n")) == (2, "", 1), argv
        assert re.search(pattern, err), (argv, err)
        assert state(tmp_path) == before, " ".join(argv)


@cache
def certificate() -> str:
    """Return the text of a certificate of ``m.json``."""
    return rropt.solve(rropt.Problem.binary("1/4", epsilon="log(3)")).certificate.file_text


def made(folder: Path) -> None:
    """Fill a folder with files."""
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    (folder / "c.json").write_text(certificate())
    (folder / "folder").mkdir()
    (folder / "loop").symlink_to("loop")


@pytest.mark.parametrize("call", CALLS)
def test_each_option_with_what_it_does_not_take(cli, tmp_path: Path, monkeypatch, size, call: str) -> None:
    made(tmp_path)
    monkeypatch.chdir(tmp_path)
    before, every, found = state(tmp_path), wrong(call), []
    has_json = any(action.dest == "json" for action in COMMANDS[command_of(call)])
    step = max(1, len(every) // size(4, len(every))) | 1
    for turn, (argument, argv) in enumerate(every[::step]):
        status, out, err = cli(*argv, *["--json"] * (has_json and turn % 2))
        is_line = err.startswith("rropt") and err.endswith("\n") and err[:-1].isprintable() and len(err) < 900
        if argument in ANSWERED:
            before = state(tmp_path)  # it may have written its output
            continue
        if (status, out) != (2, "") or not is_line:
            found.append((argv, status, out, err))
        assert state(tmp_path) == before, " ".join(argv)
    assert found == []


def test_every_command_is_tried() -> None:
    assert {command_of(call) for call in CALLS} == set(COMMANDS) - {"design list"}, "which takes nothing"
    assert json.loads(FILES["grid.json"])
