"""No function remembers the content of a file by its name: all public functions that read a mechanism's text form."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rropt
import rropt_fieldwork
from rropt.accounting import panel, renyi_privacy
from rropt_fieldwork.audits import samples_needed

# each function of the text form of a mechanism
READERS: dict[str, Callable[[str], Any]] = {
    "audit plan": lambda text: samples_needed(text, "1/100").n,
    "compose": lambda text: rropt.compose(text, points=2).upper,
    "compose copies": lambda text: rropt.compose(f"{text}*3", epsilon="1/2", points=2).upper,
    "compose table": lambda text: rropt.compose(questions=_table(text), points=2).upper,
    "estimate": lambda text: rropt.inference.estimate(text, yes=60, n=100).estimate,
    "panel": lambda text: panel(text, 12).upper,
    "panel memo": lambda text: panel("warner:3/4", 12, memo=text).upper,
    "panel table": lambda text: panel(waves=2, questions=_table(text)).upper,
    "mechanism": lambda text: rropt.Mechanism(text),
    "plan": lambda text: rropt.plan.margin(text, "0.05").found,
    "privacy": lambda text: rropt.Mechanism(text).epsilon,
    "renyi": lambda text: renyi_privacy(text, 2).upper,
    "shuffle": lambda text: rropt.shuffle(text, 20, epsilon="1/10", tolerance="1/100").upper,
}

# the cached functions of a text, none of which is the name of a file
CACHED = {
    "installed.installed_commands",  # the name of a group
    "definitions._read",  # a number of a problem
    "expression_values._parsed",  # an expression
    "formula_texts.read_factor",  # a word of a formula
    "claim_formulas._marked",  # a sentence of a claim
    "judge._line",
    "random_intercepts.rule_of",  # a kind of model
    "mathematics._mathml",
    "record._verdict_of",
    "relations._asserted",
    "sheet_languages._texts",
    "rows._table",  # the theorems of an installed package
    "browser_checker.script",  # modules of the package
    "symbols.matrix",  # the letter of symbols
    "twins._known_vertices",  # the JSON of a problem, without its level
    "verifying._claims_of_paper",  # a paper of the registry
}


def _table(text: str) -> str:
    path = Path("questions.csv").resolve()
    path.write_text(f"mechanism\n{text}\n")
    return str(path)


def _write(folder: Path, chance: str) -> None:
    (folder / "m.json").write_text(rropt.Mechanism.warner(chance).to_json())


@pytest.mark.parametrize("name", sorted(READERS))
def test_a_changed_file_is_read_again(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The content of a relative path changes with the file and with the working directory."""
    (tmp_path / "other").mkdir()
    expected = [_of(name, tmp_path, chance) for chance in ("3/4", "99/100", "2/3")]
    assert len(set(map(str, expected))) == 3
    monkeypatch.chdir(tmp_path)
    _write(tmp_path, "3/4")
    assert READERS[name]("m.json") == expected[0]
    _write(tmp_path, "99/100")
    assert READERS[name]("m.json") == expected[1]
    _write(tmp_path / "other", "2/3")
    os.chdir("other")
    assert READERS[name]("m.json") == expected[2]


def _of(name: str, tmp_path: Path, chance: str) -> Any:
    """Return the result for a mechanism that is named, in place of a file."""
    before = Path.cwd()
    os.chdir(tmp_path)
    try:
        return READERS[name](f"warner:{chance}")
    finally:
        os.chdir(before)


def test_no_cached_function_takes_a_file_name() -> None:
    found = set()
    folders = [Path(package.__file__).parent for package in (rropt, rropt_fieldwork)]
    for path in (each for folder in folders for each in folder.rglob("*.py")):
        if "cache" not in (text := path.read_text("utf-8")):
            continue  # to parse a file takes long
        for node in ast.walk(ast.parse(text)):
            if (
                isinstance(node, ast.FunctionDef)
                and {"cache", "lru_cache"} & _names(*node.decorator_list)
                and {"str", "Path", "PathLike", "object"} & _names(node.args)
            ):
                found.add(f"{path.stem}.{node.name}")
    assert found == CACHED


def _names(*nodes: ast.AST) -> set[str]:
    every = [each for node in nodes for each in ast.walk(node)]
    return {each.id for each in every if isinstance(each, ast.Name)} | {
        each.attr for each in every if isinstance(each, ast.Attribute)
    }
