"""The pictures of docs/developers/architecture.md show the imports and the ways as they are."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs" / "site"))
import architecture_pictures as drawing  # noqa: E402


def test_the_pictures_are_up_to_date() -> None:
    """``python docs/site/architecture_pictures.py`` writes them again."""
    for name, text in drawing.pictures().items():
        assert (drawing.FOLDER / name).read_text(encoding="utf-8") == text, f"{name}: draw the pictures again"


def test_no_arrow_goes_up_and_no_more_than_fourteen_rooms_are_drawn() -> None:
    order = [room for floor in drawing.floors() for room in floor]
    found = drawing.imports()
    assert sorted(order) == sorted(drawing.ROOMS)
    assert len(order) <= 14
    assert all(order.index(a) < order.index(b) for a, b in found)
    assert set(drawing.arrows(found)) <= set(found)
    assert ("core", "checker") in drawing.arrows(found)
    assert ("cli", "checker") not in drawing.arrows(found)


@pytest.mark.parametrize("way", drawing.WAYS, ids=[way.name for way in drawing.WAYS])
def test_a_way_is_gone_as_it_is_drawn(way: drawing.Way) -> None:
    stations, entered = drawing.passed(way)
    assert stations == list(way.stations)
    assert entered == set(way.rooms)


def test_a_false_way_is_noticed() -> None:
    """A function that is not called, or called earlier, ends the list of stations."""
    way = next(way for way in drawing.WAYS if way.name == "problem")
    first, *rest = way.stations
    stations, _ = drawing.passed(drawing.Way("turned", way.run, (*rest, first)))
    assert stations == rest


def test_an_import_upward_is_seen(tmp_path: Path) -> None:
    for room, text in {"low": "def f():\n    from rropt import high\n", "high": "from rropt.low import x\n"}.items():
        (tmp_path / room).mkdir()
        (tmp_path / room / "__init__.py").write_text(text)
    (tmp_path / "__init__.py").write_text("import rropt.low\n")
    assert set(drawing.imports(tmp_path)) == {("low", "high"), ("high", "low"), ("rropt", "low")}


def test_texts_are_escaped() -> None:
    way = drawing.Way("test", lambda: None, (drawing.Station("cli/main.py", "main", "<script> & more"),))
    picture = drawing.way_picture(way)
    assert "<script>" not in picture
    assert re.search("&lt;script&gt; &amp; more", picture)
