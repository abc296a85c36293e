"""The pictures of docs/developers/architecture.md show the imports and the ways as they are."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs" / "site"))
import architecture_pictures as drawing  # noqa: E402

PAGE = (ROOT / "docs" / "developers" / "architecture.md").read_text(encoding="utf-8")


def test_the_pictures_are_up_to_date() -> None:
    """``python docs/site/architecture_pictures.py`` writes them again."""
    for name, text in drawing.pictures().items():
        assert (drawing.FOLDER / name).read_text(encoding="utf-8") == text, f"{name}: draw the pictures again"


@pytest.mark.parametrize("way", drawing.WAYS, ids=[way.name for way in drawing.WAYS])
def test_a_way_is_gone_as_it_is_drawn(way: drawing.Way) -> None:
    stations, entered = drawing.passed(way)
    assert stations == list(way.stations)
    assert entered == set(way.rooms)
    assert f"`{way.call}`" in PAGE


def test_the_house_has_one_arrow_between_fieldwork_and_the_engine(tmp_path: Path) -> None:
    """All other imports of the engine go the way of this one; nothing of the engine imports fieldwork."""
    found = drawing.imports()
    assert [(a, b) for a, b in drawing.arrows(found) if drawing.FIELDWORK in (a, b)] == [(drawing.FIELDWORK, "cli")]
    assert [a for a, b in found if b == drawing.FIELDWORK] == []
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (own,) = (one for one in contracts if one["id"] == "engine")
    assert (own["source_modules"], own["forbidden_modules"]) == (["rropt"], ["rropt_fieldwork"])
    assert "allow_indirect_imports" not in own
    assert "ignore_imports" not in own
    assert _readers_imported(ROOT / "rropt") == []
    (tmp_path / "regression").mkdir()
    fault = tmp_path / "regression" / "fault.py"
    fault.write_text("def planted():\n    from rropt_fieldwork.reading.table import table_of\n")
    assert _readers_imported(tmp_path) == ["regression/fault.py"]


def _readers_imported(folder: Path) -> list[str]:
    """Return the files of a folder that import fieldwork, also in functions and for types."""
    found = []
    for file in sorted(folder.rglob("*.py")):
        if drawing.FIELDWORK not in (text := file.read_text(encoding="utf-8")):
            continue  # to parse a file takes long
        names = drawing._imported(ast.parse(text))
        if any(name.split(".")[0] == drawing.FIELDWORK for name in names):
            found.append(file.relative_to(folder).as_posix())
    return found


TURNED = """
import architecture_pictures as drawing
way = next(way for way in drawing.WAYS if way.name == "problem")
first, *rest = way.stations
print(drawing.passed(drawing.Way("turned", way.call, (*rest, first)))[0] == rest)
"""


@pytest.mark.slow
def test_a_false_way_is_noticed() -> None:
    """A function that is not called, or called earlier, ends the list of stations.

    In a process of its own: a station whose result is kept from another test is not called again.
    """
    done = subprocess.run(
        [sys.executable, "-c", TURNED], capture_output=True, text=True, check=True, cwd=ROOT / "docs" / "site"
    )
    assert done.stdout == "True\n"
