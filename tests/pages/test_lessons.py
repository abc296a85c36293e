"""The five short notebooks: a question, a picture, an exercise and its solution each; every cell runs."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "examples"
LESSONS = sorted(FOLDER.glob("lesson_*.ipynb"))


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
def test_a_lesson_ends_with_the_solution_of_its_exercise(lesson: Path) -> None:
    titles = [
        "".join(cell["source"]).splitlines()[0] for cell in _cells(lesson) if "".join(cell["source"]).startswith("## ")
    ]
    assert titles[-2:] == ["## Exercise", "## Solution"]
    assert any(cell["cell_type"] == "code" for cell in _cells(lesson)[-4:])


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, list[Any]]]:
    """The code cells of each lesson, run in one Jupyter kernel, which forgets its names between two lessons."""
    import nbformat
    from nbconvert.preprocessors import ExecutePreprocessor

    folder, own = tmp_path_factory.mktemp("lessons"), tmp_path_factory.mktemp("jupyter")
    notebook = nbformat.v4.new_notebook()
    for lesson in LESSONS:
        cells = [cell for cell in nbformat.read(lesson, 4).cells if cell.cell_type == "code"]
        notebook.cells += [nbformat.v4.new_code_cell("%reset -f", metadata={"lesson": ""}), *cells]
        for cell in cells:
            cell.metadata["lesson"] = lesson.stem
    with pytest.MonkeyPatch.context() as patch:
        for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"):
            patch.setenv(name, str(own))
        patch.delenv("MPLBACKEND", raising=False)  # the kernel's own
        run = ExecutePreprocessor(timeout=600, kernel_name="python3", allow_errors=True)
        run.preprocess(notebook, {"metadata": {"path": str(folder)}})
    yield {
        lesson.stem: [cell for cell in notebook.cells if cell.metadata["lesson"] == lesson.stem] for lesson in LESSONS
    }
    assert list(folder.iterdir()) == [], "a lesson writes no file"


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.stem)
def test_a_lesson_runs(lesson: Path, executed: dict[str, list[Any]]) -> None:
    """Each cell ends in something to look at, without an error or a warning."""
    cells = executed[lesson.stem]
    assert len(cells) >= 4
    for cell in cells:
        kinds = [output.output_type for output in cell.outputs]
        assert kinds == ["execute_result"], (cell.source, cell.outputs)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.stem)
def test_each_picture_of_a_lesson_is_a_picture(lesson: Path, executed: dict[str, list[Any]]) -> None:
    drawn = [cell for cell in executed[lesson.stem] if "rropt.plots." in cell.source]
    assert drawn
    for cell in drawn:
        assert any(kind.startswith("image/") for kind in cell.outputs[-1].data), cell.source
