"""The pictures that lead to a page are those that their script draws, and each command in them exists."""

from __future__ import annotations

import re
import sys
import tomllib
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
    for name, text in drawing.pictures().items():
        found = (drawing.FOLDER / f"{name}.svg").read_text(encoding="utf-8")
        assert found == text, f"{name}: draw the pictures again"


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


HELP = {
    "which-questions": ["design questions"],
    "which-sample": ["estimate"],
    "which-audit": ["audit", "privacy"],
    "which-devices": ["estimate"],
    "which-check": ["check"],
    "which-jobs": ["sweep"],
    "which-columns": ["randomize"],
    "which-evidence": ["verify"],
    "which-rows": ["estimate", "read"],
    "which-report": ["design kary"],
    "which-sheet": ["sheet", "survey"],
    "way-of-a-report": ["count", "export", "estimate"],
    "way-of-a-proof": ["design binary", "check"],
}


def _answers(name: str) -> list[str]:
    """Return the texts of the boxes with commands."""
    if name in drawing.FLOWS:
        return [" ".join(then) for _, then in drawing.FLOWS[name][1]]
    _, steps, last = drawing.LADDERS[name]
    return [" ".join(then) for _, _, then in (*steps, ("", "", last))]


def _options(text: str) -> set[str]:
    return set(re.findall(r"(?<![\w-])--[a-z-]+", text))


@pytest.mark.parametrize("name", HELP)
def test_each_option_of_a_picture_is_one_of_its_command(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each option in an answer stands on the page of help of a command."""
    for command in HELP[name]:
        assert main([*command.split(), "--help"]) == 0
    listed = _options(capsys.readouterr().out)
    options = _options(" ".join(_answers(name)))
    assert options
    assert options <= listed, options - listed


@pytest.mark.parametrize("name", drawing.pictures())
def test_the_page_and_the_alternative_text_have_the_options_of_the_picture(name: str) -> None:
    """Who cannot see the picture reads the same options; the page explains them, beside the picture."""
    told = _options(" ".join(_answers(name)))
    (page,) = (text for text in _pages() if f"(pictures/{name}.svg)" in text)
    ((alternative, rest),) = re.findall(rf"!\[([^\]]*)\]\(pictures/{name}\.svg\)(.*)", page, re.DOTALL)
    assert told <= _options(alternative), told - _options(alternative)
    elsewhere = page.partition("![")[0] + rest
    if name != "which-estimate":  # its table leads to the pages that explain them
        assert told <= _options(elsewhere), told - _options(elsewhere)


def test_options_outside_of_the_pictures_with_a_command_are_none() -> None:
    """A picture with an option has a command in the table above, whose help lists it."""
    with_options = {name for name in drawing.pictures() if _options(" ".join(_answers(name)))}
    assert with_options - {"which-estimate", "which-design"} == {*HELP}


def test_each_class_and_each_extra_of_a_picture_exists() -> None:
    names = re.findall(r"\b[A-Z][a-z]+(?:[A-Z][a-z]+)?\b", " ".join(_answers("which-class")))
    assert len(names) > 5
    for name in set(names) - {"Way"}:
        assert issubclass(getattr(rropt.objectives, name), rropt.objectives.Objective), name
    assert callable(rropt.sweep)
    declared = tomllib.loads((SITE.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = re.findall(r"\.\[(\w+)\]", " ".join(_answers("which-extra")))
    assert len(extras) == 3
    assert {*extras} <= {*declared["optional-dependencies"]}


def test_each_command_of_the_way_of_a_survey_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    words = {word.strip(",") for text in _answers("way-of-a-survey") for word in text.split()}
    for command in words - {"init", "ethics", "survey.toml"}:
        assert main([command, "--help"]) == 0
    assert {"init", "ethics"} <= {*re.findall(r"\w+", capsys.readouterr().out)}


def _pages() -> list[str]:
    return [page.read_text(encoding="utf-8") for page in sorted(drawing.FOLDER.parent.glob("*.md"))]


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
    for name in (readme_picture.FILE, *(drawing.FOLDER / f"{name}.svg" for name in drawing.pictures())):
        text = name.read_text(encoding="utf-8")
        width, unit = re.findall(r'\bwidth="([\d.]+)(pt)?"', text)[0]
        scale = 96 / 72 if unit else 1
        shown = min(1, 358 / (float(width) * scale)) * scale
        assert min(float(size) for size in re.findall(r'font-size="([\d.]+)"', text)) * shown >= 10, name
