"""The notebook shows every result: run here without Jupyter, cell by cell, as its reader would."""

from __future__ import annotations

import ast
import dataclasses
import json
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from test_round_trips import RESULTS

from rropt.core.results import Result

NOTEBOOK = Path(__file__).resolve().parents[2] / "examples" / "every_result.ipynb"
TEXT = NOTEBOOK.read_text(encoding="utf-8")
CELLS: list[dict[str, Any]] = json.loads(TEXT)["cells"]
CODE = {cell["id"]: "".join(cell["source"]) for cell in CELLS if cell["cell_type"] == "code"}


def test_the_notebook_shows_every_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each cell ends in a result with a table of what it says; together they hold one of every class."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    shown = []
    for cell, code in CODE.items():
        result = _last(code, cell, names)
        assert isinstance(result, Result), cell
        assert result._repr_html_().count("<tr>") >= len(result.lines()) > 0, cell
        shown.append(result)
    assert list(tmp_path.iterdir()) == []
    found = {type(thing) for thing in _held(shown)}
    assert [f"{kind.__module__}.{kind.__qualname__}" for kind in RESULTS if kind not in found] == []


def _last(code: str, cell: str, names: dict[str, Any]) -> Any:
    """Run the statements of a cell, and return the value of the expression at its end."""
    *statements, last = ast.parse(code).body
    assert isinstance(last, ast.Expr), cell
    exec(compile(ast.Module(statements, []), cell, "exec"), names)
    return eval(compile(ast.Expression(last.value), cell, "eval"), names)


def _held(things: list[Any]) -> Iterator[Any]:
    """Iterate over results and all that stands in them."""
    seen: dict[int, Any] = {}  # the things too, so that no other gets the id of one
    waiting = list(things)
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen:
            continue
        seen[id(thing)] = thing
        yield thing
        if isinstance(thing, Mapping):
            waiting += [*thing.keys(), *thing.values()]
        elif isinstance(thing, tuple | list | set | frozenset):
            waiting += thing
        elif dataclasses.is_dataclass(thing) and not isinstance(thing, type):
            waiting += [getattr(thing, field.name) for field in dataclasses.fields(thing)]


def test_the_notebook_is_as_committed_notebooks_are() -> None:
    """Format 4.5 with stable ids; nothing of a run, of a machine, or of the inside of the package."""
    notebook = json.loads(TEXT)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    ids = [cell["id"] for cell in CELLS]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch("[a-z-]{1,64}", each) for each in ids)
    for cell in CELLS:
        assert cell["metadata"] == {}, cell["id"]
        if cell["cell_type"] == "code":
            assert (cell["outputs"], cell["execution_count"]) == ([], None), cell["id"]
        else:
            assert cell.keys() == {"cell_type", "id", "metadata", "source"}, cell["id"]
    assert not re.search(r"(?<![\w.])/(home|root|tmp|work|usr|var|opt|mnt|Users)\b|\b[A-Za-z]:\\|file:", TEXT)
    for cell, code in CODE.items():
        for node in ast.walk(ast.parse(code)):
            names = [getattr(node, key, None) or "" for key in ("id", "attr", "name", "module")]
            assert not any(part.startswith("_") for name in names for part in name.split(".")), cell


def test_a_sentence_before_each_cell() -> None:
    """A title in words, then sections; no code without a sentence that says what it is for."""
    assert CELLS[0]["source"][0].startswith("# ")
    for before, cell in pairwise(CELLS):
        if cell["cell_type"] == "code":
            assert before["cell_type"] == "markdown", cell["id"]
            assert before["source"][-1].endswith((".", "?")), before["id"]
    assert sum(cell["source"][0].startswith("## ") for cell in CELLS) >= 10
