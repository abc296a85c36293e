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


def _engine() -> set[str]:
    """Return the packages that the contract ``engine`` keeps from reading files of people."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (own,) = (one for one in contracts if one["id"] == "engine")
    assert own["forbidden_modules"] == ["rropt.survey"]
    return {name.removeprefix("rropt.") for name in own["source_modules"]}


def test_the_engine_imports_nothing_that_reads_files_of_people(tmp_path: Path) -> None:
    engine = _engine()
    above = {
        drawing.FRONT,
        "testing",
        "cli",
        "reports",
        "plots",
        "design",
        "plan",
        "survey",
        "twins",
        "information_twins",
        "result_twins",
    }
    assert engine | above == set(drawing.ROOMS)
    assert _readers_imported(ROOT / "rropt", engine) == []
    (tmp_path / "regression").mkdir()
    fault = tmp_path / "regression" / "fault.py"
    fault.write_text("def planted():\n    from rropt.survey.tables.table import table_of\n")
    assert _readers_imported(tmp_path, engine) == ["regression/fault.py"]


def _readers_imported(folder: Path, engine: set[str]) -> list[str]:
    """Return the files of the engine that import ``rropt.survey``, also in functions and for types."""
    found = []
    for file in sorted(folder.rglob("*.py")):
        names = drawing._imported(ast.parse(file.read_text(encoding="utf-8")))
        place = file.relative_to(folder)
        if place.parts[0].removesuffix(".py") in engine and any(
            f"{name}.".startswith("rropt.survey.") for name in names
        ):
            found.append(place.as_posix())
    return found


TURNED = """
import architecture_pictures as drawing
way = next(way for way in drawing.WAYS if way.name == "problem")
first, *rest = way.stations
print(drawing.passed(drawing.Way("turned", way.call, (*rest, first)))[0] == rest)
"""


def test_a_false_way_is_noticed() -> None:
    """A function that is not called, or called earlier, ends the list of stations.

    In a process of its own: a station whose result is kept from another test is not called again.
    """
    done = subprocess.run(
        [sys.executable, "-c", TURNED], capture_output=True, text=True, check=True, cwd=ROOT / "docs" / "site"
    )
    assert done.stdout == "True\n"
