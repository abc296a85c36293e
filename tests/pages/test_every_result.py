"""The notebook shows every result: run here without Jupyter, cell by cell, as its reader would."""

from __future__ import annotations

import ast
import dataclasses
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from test_round_trips import RESULTS

from rropt.core.results import Result

NOTEBOOK = Path(__file__).resolve().parents[2] / "examples" / "every_result.ipynb"
TEXT = NOTEBOOK.read_text(encoding="utf-8")
CELLS: list[dict[str, Any]] = json.loads(TEXT)["cells"]
CODE = {cell["id"]: "".join(cell["source"]) for cell in CELLS if cell["cell_type"] == "code"}


@pytest.mark.slow
def test_the_notebook_shows_every_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each cell ends in a result with a table of what it says; together they hold one of every class."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    shown = []
    for cell, code in CODE.items():
        result = _last(code, cell, names)
        assert isinstance(result, Result), cell
        assert result.lines(), cell
        assert "<tr" in result._repr_html_(), cell  # a table, or a row for each line
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
