"""The pictures that lead to a page are those that their script draws, and each command in them exists."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

SITE = Path(__file__).resolve().parents[2] / "docs" / "site"
sys.path.insert(0, str(SITE))

import decision_pictures as drawing  # noqa: E402

from rropt.cli.main import main  # noqa: E402


def test_the_pictures_are_up_to_date() -> None:
    """``python docs/site/decision_pictures.py`` writes them again."""
    for name in drawing.LADDERS:
        found = (drawing.FOLDER / f"{name}.svg").read_text(encoding="utf-8")
        assert found == drawing.ladder(name), f"{name}: draw the pictures again"


def test_each_design_of_the_picture_is_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["design", "--help"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    _, steps, last = drawing.LADDERS["which-design"]
    for words in (*(then for _, _, then in steps), last):
        assert re.search(rf"\b{words[-1].removeprefix('design ')}\b", text), words
