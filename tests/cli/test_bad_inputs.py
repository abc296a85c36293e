"""A corpus of bad inputs over all commands: one clear line, status 2, nothing written and nothing lost."""

from __future__ import annotations

import argparse
import ast
import os
import re
import shlex
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from package_modules import modules, place
from stored_cases import cases_of

import rropt
from rropt.cli.installed import installed_commands
from rropt.cli.main import parser
from rropt.cli.parser import WORDS, Parser
from rropt.cli.pending import InputFile, OutputFile, OutputFolder, file_or_stream

STORED = cases_of(__file__)
FILES = {**STORED["files"], "digits.json": f'{{"matrix": [[{"9" * 5000}, 0], [0, 1]]}}', "deepest.json": "[" * 100_000}
# A call and its words; those of a long row stand on a line of their own.
ROWS = [
    (call.strip(), words.strip())
    for call, _, words in (row.rpartition("|") for row in STORED["rows"].replace("|\n    ", "| ").splitlines())
]
PYTHONS = re.compile(r"`[a-z_]+(=[^`]*)?`|Traceback|Error\b|[A-Z][a-z]+[A-Z]\w+")


def made(folder: Path) -> Path:
    for name, text in FILES.items():
        (folder / name).write_bytes(text.encode("latin-1"))
    (folder / "link").symlink_to("OLD")
    (folder / "loop").symlink_to("loop")
    os.mkfifo(folder / "fifo")
    return folder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return made(tmp_path)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of all refused calls: each must leave it as it is."""
    return made(tmp_path_factory.mktemp("shared"))


def state(folder: Path) -> dict[str, tuple[int, ...]]:
    """Return kind, mode, size and last change of everything in a folder."""
    every = {str(path.relative_to(folder)): path.lstat() for path in folder.rglob("*")}
    return {name: (one.st_mode, one.st_ino, one.st_size, one.st_mtime_ns) for name, one in every.items()}


def filled(argument: str, folder: Path) -> str:
    places = {name: folder / name for name in (*FILES, "link", "loop", "fifo", "none", "nobody")}
    places |= {"here": folder, "new": folder / "new.json", "bound": folder / "new-bound.json"}
    for name, path in places.items():
        argument = argument.replace("{" + name + "}", str(path))
    return argument


@pytest.mark.parametrize(("call", "words"), ROWS, ids=[call[:90] for call, _ in ROWS])
def test_one_line_and_nothing_lost(cli, shared: Path, monkeypatch: pytest.MonkeyPatch, call: str, words: str) -> None:
    monkeypatch.setattr(import_module("rropt.claims.verifications"), "run_all", forbidden)
    monkeypatch.chdir(shared)
    before = state(shared)
    status, out, err = cli(*(filled(word, shared) for word in shlex.split(call)))
    assert (status, out) == (2, "")
    assert err.count("\n") == 1, err
    assert err.startswith("rropt")
    assert len(err) < 600
    assert re.search(".*".join(map(re.escape, words.split(" ... "))), err), err
    assert "in Python" in err or not PYTHONS.search(re.sub("SymPy|`for`", "", err)), "a name of Python's"
    assert state(shared) == before


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
        *("mechanism", "mechanisms", "data", "files", "level", "bounds", "problem", "properties"),
        *(
            "sample",
            "specification",
            "versus",
            "covariate",
            "devices",
        ),
        *("family", "items", "memo", "people", "predict", "questions", "survey"),
    }
    assert outputs == {
        *(
            "certificate",
            "certificates",
            "coq",
            "derivation",
            "output",
            "page",
            "plot",
            "print",
            "report",
        )
    }


def test_the_corpus_is_of_all_commands() -> None:
    assert len(ROWS) >= 400
    assert len(dict(ROWS)) == len(ROWS)
    assert {name for group in [*WORDS["commands"].values(), *installed_commands().values()] for name in group} <= {
        call.split()[0] for call, _ in ROWS
    }


def test_what_is_mended_runs(cli, cli_json, folder: Path) -> None:
    """The same files, with what the lines say to do."""
    warner = ("--mechanism", "warner:3/4")
    yes_no = ("--categories", "no,yes")
    same = cli_json("estimate", "survey.csv", "--column", "sick", *warner, *yes_no, "--ignore-case")
    assert same["counts"] == [2, 2]
    found = cli_json(
        *("estimate", "bom.csv", "--column", "sick", *warner, "--categories", "Nein,Ja", "--weights", "w"),
        *("--missing", "unsure", "--decimal-mark", ","),
    )
    assert found["rows"][0]["weight"] == pytest.approx(3.65, abs=1e-12)
    both = ("--mechanism", "bits:warner:3/4,grr:3,1/2", "--ignore-case")
    often = "never,once,often"
    lists = [
        ("--categories", "no,yes", "--categories", often),
        ("--categories", "sick=no,yes", "--categories", f"often={often}"),
    ]
    first, second = (cli_json("estimate", "survey.csv", "--columns", "sick,often", *both, *each) for each in lists)
    assert first == second
    assert first["rows"][0]["n"] == 4
    status, out, _ = cli("estimate", "survey.csv", "--column", "sick", *warner, *yes_no, "--ignore-case")
    assert status == 0
    assert "\nyes  4 " in out
    drawn = ("--simulate", "--seed", "1", "--output", "private.csv")
    assert cli("randomize", "survey.csv", "--columns", "sick,often", *both, *lists[0], *drawn)[0] == 0
    header, *rows = (folder / "private.csv").read_text().splitlines()
    assert header == "sick,often"
    assert {cell for row in rows for cell in row.split(",")} <= {"no", "yes", *often.split(",")}


def test_a_mechanism_is_no_certificate(cli, folder: Path) -> None:
    for file, told in (("mechanism.json", "a mechanism; judge it with rropt privacy"), ("problem.json", "a problem")):
        status, out, _ = cli("check", file)
        assert status == 1
        assert f"{file}: rejected: " in out
        assert told in out
    assert "--certificate" in cli("check", "survey.csv")[1]
    (folder / "page.html").write_text("<!doctype html><style>p { margin: 0 }}</style>")
    assert "a page is no certificate; give the file that --certificate wrote" in cli("check", "page.html")[1]


def test_bounds_that_exclude_nothing_say_why(cli) -> None:
    argv = ("noncompliance", "--yes", "831", "--n", "2435", "--mechanism", "forced:2/3,1/6,1/6")
    _, out, err = cli(*argv)
    assert "why 0 to 1" in out
    assert "the proportion of non-compliers is not limited" in " ".join(out.split())
    assert "--theta 0.05" in err
    assert "--theta 0..0.05" in err
    _, out, err = cli(*argv, "--theta", "0..0.05")
    assert "why" not in out
    assert "--theta" not in err


@pytest.mark.slow
def test_the_library_speaks_of_parameters() -> None:
    """No error that is raised below the command line names an option; the command line puts it in place of a name.

    A whole command in backticks is one for every reader, and may have options.
    """
    raised = 0
    for file in modules():
        if {"cli", "checker", "commands"} & set(Path(place(file)).parts):
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) and node.exc is not None:
                texts = [part.value for part in ast.walk(node.exc) if isinstance(part, ast.Constant)]
                raised += 1
                said = re.sub("`rropt [^`]*`", "", "".join(text for text in texts if isinstance(text, str)))
                assert not re.search(r"(?<![\w-])--[a-z]", said), (file.name, node.lineno, said)
    assert raised > 500
    with pytest.raises(rropt.RroptError, match="`objective` is unknown"):
        rropt.Problem.kary(3, epsilon=1, objective="nobody")
