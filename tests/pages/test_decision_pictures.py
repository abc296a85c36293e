"""The pictures that lead to a page are those that their script draws, and each command in them exists."""

from __future__ import annotations

import re
import sys
from math import exp
from pathlib import Path

import pytest

SITE = Path(__file__).resolve().parents[2] / "docs" / "site"
sys.path.insert(0, str(SITE))

import decision_pictures as drawing  # noqa: E402
import readme_picture  # noqa: E402

import rropt  # noqa: E402
from rropt.cli.main import main  # noqa: E402


def test_the_pictures_are_up_to_date() -> None:
    """``python docs/site/decision_pictures.py`` writes them again."""
    for name in drawing.LADDERS:
        found = (drawing.FOLDER / f"{name}.svg").read_text(encoding="utf-8")
        assert found == drawing.ladder(name), f"{name}: draw the pictures again"


def test_the_bars_change_where_the_optimal_report_changes() -> None:
    """Beside each threshold the optimal design reports sets of two or more, or one category."""
    k = 4
    for beyond, outputs in ((-0.02, 6), (0.02, 4)):  # sets of 2 of 4; one of 4
        gamma = f"{exp(drawing.threshold(k) + beyond):.2f}"
        made = rropt.design.kary(k, epsilon=f"log({gamma})", objective="a-optimal", fast=True)
        assert made.mechanism.outputs == outputs, gamma
    assert drawing.threshold(3) == 0


def test_the_page_has_each_command_of_the_picture_in_its_table() -> None:
    page = (drawing.FOLDER.parent / "choose-a-design.md").read_text(encoding="utf-8")
    table = page.partition("## 2.")[2].partition("## 3.")[0]
    _, steps, last = drawing.LADDERS["which-design"]
    for words in (*(then for _, _, then in steps), last):
        assert f"`rropt {' '.join(words)}`" in table, words
    assert "epsilon" in drawing.ladder("which-design")


def test_each_design_of_the_picture_is_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["design", "--help"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    _, steps, last = drawing.LADDERS["which-design"]
    for words in (*(then for _, _, then in steps), last):
        assert re.search(rf"\b{words[-1].removeprefix('design ')}\b", text), words


@pytest.mark.parametrize(
    ("name", "help_of"),
    [("which-questions", "design questions"), ("which-sample", "estimate"), ("which-audit", "audit")],
)
def test_each_option_of_a_picture_is_one_of_its_command(
    name: str, help_of: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each word of a command in an answer stands on the page of its help, or is a command itself."""
    assert main([*help_of.split(), "--help"]) == 0
    listed = capsys.readouterr().out
    _, steps, last = drawing.LADDERS[name]
    told = " ".join(" ".join(then) for _, _, then in (*steps, ("", "", last)))
    options = re.findall(r"--[a-z-]+", told)
    assert options
    assert all(re.search(rf"(?<![\w-]){option}\b", listed) for option in options)
    assert main(["privacy", "--help"]) == 0


def test_the_picture_of_the_readme_is_that_of_its_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command stands above the picture, on the first screen."""
    first = (SITE.parents[1] / "README.md").read_text(encoding="utf-8").partition("## ")[0]
    (command,) = re.findall(r"^rropt (.*) --output \S+$", first, re.MULTILINE)
    assert first.index(command) < first.index("docs/pictures/respondents.svg")
    assert command.split() == readme_picture.COMMAND[:-1]
    file = tmp_path / "respondents.svg"
    assert main([*readme_picture.COMMAND, str(file)]) == 0
    capsys.readouterr()
    assert file.read_text(encoding="utf-8") == readme_picture.FILE.read_text(encoding="utf-8")


def test_the_letters_of_pictures_are_readable_on_a_phone() -> None:
    """A column of 358 pixels: 390 without its margins. The least letters have 10 pixels."""
    for name in (readme_picture.FILE, *(drawing.FOLDER / f"{name}.svg" for name in drawing.LADDERS)):
        text = name.read_text(encoding="utf-8")
        width, unit = re.findall(r'\bwidth="([\d.]+)(pt)?"', text)[0]
        scale = 96 / 72 if unit else 1
        shown = min(1, 358 / (float(width) * scale)) * scale
        assert min(float(size) for size in re.findall(r'font-size="([\d.]+)"', text)) * shown >= 10, name
