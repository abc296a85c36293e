"""Every option of every command and kind: a typed option changes what is answered, or is refused; none is ignored."""

from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from level_certificates import level_certificate
from stored_cases import cases_of
from test_help_examples import fill

from rropt.cli.main import parser
from rropt.cli.parser import Parser

STORED = cases_of(__file__)
CALLS = STORED["calls"].splitlines()
VALUES = STORED["values"]

# an option that changes nothing, with the command or the one call of which this is true
SAME = {(command, option) for option, commands in STORED["same"].items() for command in commands.split(", ")}


def leaf(words: list[str]) -> Parser:
    """Return the parser of a call."""
    found = parser()
    while kinds := [one for one in found.filled()._actions if isinstance(one, argparse._SubParsersAction)]:
        found, *words = kinds[0].choices[words[0]], *words[1:]
    return found


def legal(command: Parser, name: str) -> str:
    """Return a value of an option: that of its command, if this has its own."""
    own = f"{command.prog.removeprefix('rropt ')} {name}"
    return VALUES[own if own in VALUES else name]


def untyped(words: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the options that a call does not have, with a value."""
    command = leaf(words)
    for action in command._actions:
        asked = action.option_strings and not {"help", "json", "exact"} & {action.dest}
        if asked and not set(action.option_strings) & set(words):
            value = [] if action.nargs == 0 else [action.choices[-1] if action.choices else legal(command, action.dest)]
            yield action.option_strings[-1], value[0].split() if action.nargs == 2 else value


def answer(cli: Callable[..., tuple[int, str, str]], folder: Path, words: list[str], known: set[Path]) -> object:
    """Return status, output, messages and files of a call; the question, which repeats the options, is left out."""
    for path in set(folder.rglob("*")) - known:
        if path.is_file():
            path.unlink()
    status, out, err = cli(*words)
    if out.startswith("{"):
        found = json.loads(out)
        found.pop("question", None)
        out = json.dumps(found)
    return status, out, err, {path: path.read_bytes() for path in set(folder.rglob("*")) - known if path.is_file()}


@pytest.mark.slow
@pytest.mark.parametrize("call", CALLS)
def test_no_option_is_ignored(cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    monkeypatch.chdir(tmp_path)
    fill(tmp_path)
    for name, text in STORED["files"].items():
        Path(name).write_text(text)
    cli(*["design", "binary", "--gamma", "2", "--prevalence", "1/4", "--certificate", "design.json"])
    Path("levels.json").write_text(level_certificate())
    words, known = shlex.split(call), set(tmp_path.rglob("*"))
    forms = [words, [*words, "--json"]] if any(one.dest == "json" for one in leaf(words)._actions) else [words]
    if words[0] == "plot":
        forms = forms[1:]
    before = [answer(cli, tmp_path, form, known) for form in forms]
    assert all(found[0] in (0, 1) for found in before), before
    ignored = set()
    for option, value in untyped(words):
        for form, own in zip(forms, before, strict=True):
            found = answer(cli, tmp_path, [*form, option, *value], known)
            assert found[0] < 3
            if found != own:
                break
        else:
            ignored.add(option)
    command = leaf(words).prog.removeprefix("rropt ")
    assert {option for option in ignored if not {(command, option), (call, option)} & SAME} == set()


def test_every_option_has_a_value() -> None:
    """Also of the calls that run at full size alone."""
    command, missing = cache(lambda *first: leaf([*first])), set()
    for words in map(shlex.split, CALLS):
        for action in command(*words[:2])._actions:
            is_typed = not action.option_strings or set(action.option_strings) & set(words)
            if not (is_typed or action.nargs == 0 or action.choices or action.dest in VALUES):
                missing.add(f"{words[0]} {action.option_strings[-1]}")
    assert not missing, "give each a value in [values] of test_every_option.toml"
