"""Reports, ethics pages, sheets and the checker's page as people see them: cut, printed, by keyboard, checked."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import redirect_stdout
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from chromium import DESK, PHONE, Chromium, Opened, require_chromium

import rropt
from rropt.cli.main import main
from rropt.designs import Problem
from rropt.reports import design_page
from rropt.reports.browser_checker import drop_page
from rropt_fieldwork import ethics_page
from rropt_fieldwork.sheets.instruction_sheet import sheet

require_chromium()

REGIONS = ["Greater Accra", "Ashanti", "Northern", "Volta"]
WORK = ["never", "once", "two to five times", "more often"]
SURVEY = """
title = "Health of young adults"
file = "data.csv"
unit = "adults"
population = 264345

[questions.q17_drugs]
question = "Did you use an illegal drug?"
categories = ["no drug", "used a drug"]
device = "warner:3/4"
epsilon = "log(3)"

[questions.q18_work]
question = "How often did you miss work?"
categories = ["never", "once", "two to five times", "more often"]
device = "grr:4,7/10"
epsilon = "log(7)"
"""


def _run(*words: str, output: str = "") -> None:
    """Run a command, and write what it prints to a file."""
    with redirect_stdout(StringIO()) as printed:
        assert main(list(words)) == 0, words
    if output:
        Path(output).write_text(printed.getvalue(), encoding="utf-8")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, int]]:
    """The pages by what they are, with the number of sheets of A4 that each may take."""
    with pytest.MonkeyPatch.context() as patched:
        folder = tmp_path_factory.mktemp("pages")
        patched.chdir(folder)
        rng, rows = random.Random(3), ["q17_drugs,q18_work,region,age"]
        for i in range(400):
            drug, work = int(rng.random() < 0.3 + 0.1 * (i % 4)), rng.choices(range(4), (6, 3, 2, 2))[0]
            rows.append(f"{['no drug', 'used a drug'][drug]},{WORK[work]},{REGIONS[i % 4]},{rng.randint(18, 60)}")
        Path("data.csv").write_text("\n".join(rows) + "\n")
        Path("survey.toml").write_text(SURVEY)
        for name in ("q17_drugs", "q18_work"):
            _run("estimate", name, "--by", "region", "--json", output=f"{name}.json")
            _run("estimate", name, "--json", output=f"{name}-all.json")
        _run("report", "q17_drugs.json", "q18_work.json", "--output", "two.html")
        _run("regress", "--formula", "q17_drugs ~ region + age", "--json", output="fit.json")
        _run("report", "q17_drugs.json", "q18_work.json", "fit.json", "--output", "fit.html")
        _run("report", "q17_drugs-all.json", "--output", "one.html")
        _run("report", "q18_work-all.json", "--output", "four.html")
        _run("design", "binary", "--epsilon", "log(3)", "--prevalence", "1/4", "--report", "ethics.html")
        _run("verify", "holohan2016.eq-24", "--report", "claims.html")
        designs = {"Drugs?": "crosswise:1/4", "How often did you miss work?": "grr:4,7/10", "Debt?": "warner:3/4"}
        _run("survey", "ethics", "--n", "2000", "--output", "declared.html")
        Path("questions.html").write_text(ethics_page(designs).page, encoding="utf-8")
        asked = ("--question", "Did you use an illegal drug in the last twelve months?")
        for form in ("print", "letter", "web"):
            _run("sheet", "forced:2/3,1/6,1/6", *asked, "--form", form, "--output", f"{form}.html")
        Path("checker.html").write_text(drop_page(), encoding="utf-8")
        sheets = {
            "two": 1,
            "fit": 1,
            "one": 1,
            "four": 1,
            "ethics": 1,
            "declared": 1,
            "questions": 1,
            "claims": 1,
            "print": 3,
            "letter": 3,
            "web": 1,
            "checker": 1,
        }
        return {name: (folder / f"{name}.html", most) for name, most in sheets.items()}


Pages = dict[str, tuple[Path, int]]


def _each(chromium: Chromium, pages: Pages, look: Callable[[Opened], list[str]]) -> str:
    """Return what a look at each page found, on a phone and on a desk."""
    found = []
    for width in (PHONE, DESK):
        for name, (file, _) in pages.items():
            with chromium.open(file, width) as opened:
                found += [f"{name}, {width} px: {line}" for line in look(opened)]
    return "\n".join(found)


def test_nothing_is_cut_and_the_console_is_empty(chromium: Chromium, pages: Pages) -> None:
    found = _each(chromium, pages, lambda opened: opened.cut() + opened.told)
    assert not found, found


def test_the_keyboard_reaches_all_in_order(chromium: Chromium, pages: Pages) -> None:
    found = _each(chromium, pages, lambda opened: opened.unreached())
    assert not found, found


def test_axe_has_no_finding(chromium: Chromium, pages: Pages) -> None:
    found = _each(chromium, pages, lambda opened: opened.violations())
    assert not found, found


def test_paper(chromium: Chromium, pages: Pages) -> None:
    """Two questions by four regions with a regression are one sheet, as is one question; nothing is cut on paper."""
    found = []
    for name, (file, most) in pages.items():
        with chromium.open(file) as opened:
            found += [f"{name}: {line}" for line in opened.cut_on_paper()]
            sheets = opened.sheets()
            found += [f"{name}: {sheets} sheets of A4, at most {most}"] if sheets > most else []
    assert not found, "\n".join(found)


def test_a_telephone_shows_a_report_and_an_ethics_page_in_few_screens(chromium: Chromium, pages: Pages) -> None:
    """What decides is unfolded, and no number of a row lies on its name: a cell holds its own text."""
    beyond = "() => [...document.querySelectorAll('.whiskers td')].filter((x) => x.scrollWidth > x.clientWidth + 1)"
    for name, most in (("fit", 3000), ("two", 2200), ("declared", 2200)):
        with chromium.open(pages[name][0], PHONE) as opened:
            height = opened.page.evaluate("() => document.documentElement.scrollHeight")
            found = opened.page.evaluate(f"({beyond})().map((x) => x.innerText)")
            assert (found, height <= most) == ([], True), (name, height)


def test_a_sheet_has_three_sides_of_paper(chromium: Chromium, tmp_path: Path) -> None:
    """Also in German, on the shorter paper, and with the longest question; the signatures stand with the consent."""
    asked = "Did you, in the last twelve months, take something from a shop? " * 7
    options = {"n": 1200, "title": "A study of honesty", "responsible": "Department of Statistics"}
    for design in ("crosswise:1/4", "grr:4,7/10", "unrelated:7/10,1/4"):
        for language in ("en", "de"):
            file = tmp_path / "sheet.html"
            made = sheet(design, asked.strip(), language=language, form="letter", **options)
            file.write_text(made.page, encoding="utf-8")
            with chromium.open(file) as opened:
                assert (opened.sheets(), opened.cut_on_paper()) == (3, []), (design, language)


def test_pictures_follow_the_colours_of_the_page(chromium: Chromium, pages: Pages) -> None:
    """The pixels of a corner of the picture, and beside it, are those of paper, light and dark."""
    from PIL import Image

    with chromium.open(pages["two"][0]) as opened:
        opened.page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        seen = []
        for scheme in ("light", "dark"):
            opened.page.emulate_media(color_scheme=scheme)
            picture = opened.page.locator("figure img").first
            box = picture.bounding_box()
            around = {"x": box["x"] - 4, "y": box["y"], "width": box["width"], "height": box["height"]}
            shot = Image.open(BytesIO(opened.page.screenshot(clip=around, full_page=True))).convert("RGB")
            beside, inside = shot.getpixel((1, 1)), shot.getpixel((8, 4))
            assert beside == inside, scheme
            seen.append(inside)
        assert seen == [(255, 255, 255), (0x15, 0x18, 0x1C)]


@pytest.fixture(scope="module")
def design() -> rropt.Solution:
    """A design with two outputs, whose certificate claims 15/16."""
    return rropt.solve(Problem.binary("1/4", epsilon="log(2)", delta="1/4"), ["exact"])


def test_a_page_checks_its_certificate(chromium: Chromium, design: rropt.Solution, tmp_path: Path) -> None:
    """It accepts its own, and rejects one whose digit somebody has changed."""
    report = design_page(design).to_html()
    for text, verdict in ((report, "accepted"), (report.replace("15/16", "13/16"), "rejected")):
        page = tmp_path / f"{verdict}.html"
        page.write_text(text, encoding="utf-8")
        with chromium.open(page) as opened:
            place = opened.page.locator("[data-verdict]").first
            place.wait_for(state="attached")
            assert place.get_attribute("data-verdict") == verdict
            assert verdict in place.inner_text().lower()
            assert opened.told == []


def test_the_page_of_the_checker(chromium: Chromium, design: rropt.Solution, pages: Pages, tmp_path: Path) -> None:
    """Files that are chosen: a certificate, the same with another number, and no JSON at all."""
    text = design.certificate.file_text
    files = {"good": text, "bad": text.replace("15/16", "14/16"), "none": "{"}
    for name, content in files.items():
        (tmp_path / f"{name}.json").write_text(content, encoding="utf-8")
    with chromium.open(pages["checker"][0]) as opened:
        for name, word in (("good", "Accepted"), ("bad", "Rejected"), ("none", "Rejected")):
            opened.page.set_input_files("input[type=file]", tmp_path / f"{name}.json")
            told = opened.page.locator("[data-verdict]", has_text=f"{name}.json")
            told.wait_for()
            assert word in told.inner_text()
        assert opened.told == []
        assert opened.cut() + opened.violations() == []


def test_the_web_form_sends_one_answer(chromium: Chromium, pages: Pages) -> None:
    """By the keyboard alone: no draw without an answer, one with it."""
    with chromium.open(pages["web"][0], PHONE) as opened:
        opened.page.locator("button").first.press("Enter")
        assert "Choose your true answer first" in opened.page.inner_text("body")
        opened.page.locator("input[type=radio]").first.press(" ")
        opened.page.locator("button").first.press("Enter")
        assert "This answer will be sent: " in opened.page.inner_text("body")
        assert opened.told == []
