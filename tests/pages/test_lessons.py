"""The five short notebooks: a question, a picture and an exercise each, with public names only; every cell runs."""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "examples"
LESSONS = sorted(FOLDER.glob("lesson_*.ipynb"))
CHEAP = ("lesson_3", "lesson_4")  # in the ordinary run; all of them at full size


def _cells(lesson: Path) -> list[dict[str, Any]]:
    return json.loads(lesson.read_text(encoding="utf-8"))["cells"]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.stem)
def test_a_lesson_imports_public_names_only(lesson: Path) -> None:
    for cell in _cells(lesson):
        if cell["cell_type"] != "code":
            continue
        for node in ast.walk(ast.parse("".join(cell["source"]))):
            if isinstance(node, ast.ImportFrom):
                parts = str(node.module).split(".")
                assert parts[0] in sys.stdlib_module_names or (parts[0] == "rropt" and len(parts) <= 3), node.module
            names = [getattr(node, key, None) or "" for key in ("id", "attr", "name")]
            assert not any(name.startswith("_") for name in names), cell["id"]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.stem)
def test_a_lesson_runs(lesson: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size) -> None:
    """Each cell ends in something to look at; one of them at least is a picture."""
    if size(0, 1) == 0 and not lesson.stem.startswith(CHEAP):
        pytest.skip("run at full size")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    names: dict[str, Any] = {}
    shown = []
    for cell in _cells(lesson):
        if cell["cell_type"] == "code":
            *statements, last = ast.parse("".join(cell["source"])).body
            exec(compile(ast.Module(statements, []), cell["id"], "exec"), names)
            assert isinstance(last, ast.Expr), cell["id"]
            shown.append(eval(compile(ast.Expression(last.value), cell["id"], "eval"), names))
    assert None not in shown
    assert any(type(each).__name__ == "Figure" for each in shown)
    assert list(tmp_path.iterdir()) == []
