"""The explorer as people use it: numbers that are typed, seen and saved, on a phone, on a desk and on paper."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from fractions import Fraction
from pathlib import Path
from random import Random
from urllib.parse import quote

import pytest
from chromium import DESK, PHONE, Chromium, Opened, require_chromium

from rropt.core.exact import Epsilon
from rropt.designs import Problem
from rropt.designs.two_inputs import solve_closed_form
from rropt.objectives import binary_variance
from rropt_fieldwork.ethics.explorer import TABLE, explore

require_chromium()

LONG = "#gamma=12345678901/10000000&delta=1/1000000007&prevalence=31415926535/100000000000&error=1/1000000007"
SETTINGS = (
    "",
    "#gamma=2&delta=1/4&prevalence=1/4",  # three designs at one place, and two optima
    "#gamma=1.05&delta=1&prevalence=1/1000",
    "#gamma=1000000&delta=0&prevalence=999/1000&n=1000000000",
    LONG,
)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page at its first setting."""
    file = tmp_path_factory.mktemp("explorer") / "explorer.html"
    file.write_text(explore().page, encoding="utf-8")
    return file


def _write(opened: Opened, name: str, text: str) -> tuple[bool, str]:
    """Type into a field, and return whether it is marked as wrong and what stands below it."""
    field = opened.page.locator(f"#{name}")
    field.fill(text)
    return field.get_attribute("aria-invalid") == "true", opened.page.inner_text(f"#{name}-note")


def test_nothing_is_cut_or_hidden_at_any_setting(chromium: Chromium, page: Path) -> None:
    for width in (PHONE, DESK):
        for fragment in SETTINGS:
            with chromium.open(page.as_uri() + fragment, width) as opened:
                found = opened.cut() + opened.hidden_marks() + opened.told
                assert found == [], (width, fragment)


def test_keyboard_paper_and_screen_readers(chromium: Chromium, page: Path) -> None:
    for width in (PHONE, DESK):
        with chromium.open(page, width) as opened:
            assert opened.unreached() + opened.violations() == [], width
    with chromium.open(page.as_uri() + SETTINGS[1]) as opened:
        assert opened.cut_on_paper() == []
        assert opened.sheets() == 1


def test_its_numbers_are_those_of_the_library(chromium: Chromium, page: Path) -> None:
    """At random settings, which the address holds: the optima and their n Var, by the closed form in Python."""
    rng = Random(41)
    for _ in range(6):
        gamma, delta = 1 + Fraction(rng.randint(1, 90), 10), Fraction(rng.randint(0, 12), 20)
        prevalence = Fraction(rng.randint(1, 19), 20)
        problem = Problem.binary(prevalence, epsilon=f"log({gamma})", delta=delta)
        best = solve_closed_form(problem, problem.region.bracket(20)).designs
        fragment = f"#gamma={gamma}&delta={delta}&prevalence={quote(str(prevalence))}"
        with chromium.open(page.as_uri() + fragment) as opened:
            told = opened.page.get_attribute("#designs", "data-optima").split()
            assert {tuple(map(Fraction, each.split(","))) for each in told} == {(m.p00, m.p11) for m in best}
            row = opened.page.locator("#designs tr", has=opened.page.get_by_text("Best design with two outputs"))
            value = row.locator("td[data-exact]").first.get_attribute("data-exact")
            assert Fraction(value) == binary_variance(best[0].p00, best[0].p11, prevalence)


def test_what_is_typed_is_read_as_the_command_line_reads_it(chromium: Chromium, page: Path) -> None:
    with chromium.open(page) as opened:
        for text in ("log(5)", "2 * log(3/2)", "log(3)/2", "1", "1,5", ".5"):
            assert _write(opened, "epsilon", text) == (False, ""), text
            shown = Fraction(opened.page.input_value("#gamma"))
            assert shown == explore(epsilon=text).gamma, text
            assert opened.page.input_value("#epsilon") == text  # what is typed stays
            level = Epsilon.of(text)
            assert shown == level.gamma if level.gamma else shown <= level.gamma_bracket(30).upper
        wrong, note = _write(opened, "epsilon", "log(0)")
        assert wrong
        assert note.startswith("Write a number above 0")
        assert _write(opened, "gamma", "7/2") == (False, "")  # rewrites epsilon, and its note goes
        assert opened.page.get_attribute("#epsilon", "aria-invalid") is None
        assert _write(opened, "prevalence", "3/2")[0]
        assert _write(opened, "prevalence", "1%") == (False, "")
        opened.page.select_option("#design", "four")
        opened.page.select_option("#categories", "5")
        link = opened.page.input_value("#link").split("#")[1]
        assert link == "gamma=7/2&prevalence=1/100&design=four&categories=5"
        said = opened.page.inner_text("#link-words")
        words = "gamma 7 over 2, prevalence 1 over 100, design four, categories 5; the rest as at the start."
        assert said == f"To read it aloud: {words}"
        opened.page.click("#reset")
        assert opened.page.input_value("#link").split("#")[1] == "gamma=3"
        opened.page.evaluate("() => { location.hash = '#gamma=9&delta=x&n=7&other=<b>'; }")
        opened.page.wait_for_function("() => document.getElementById('n').value === '7'")
        link = opened.page.input_value("#link").split("#")[1]  # what is no setting is left out
        assert link == "gamma=9&n=7"
        assert opened.told == []


def test_a_link_opens_the_same_setting_in_a_page_of_another_start(chromium: Chromium, tmp_path: Path) -> None:
    """What a link leaves out is the start of all pages, not that of the page with which it is opened."""
    files = [tmp_path / "three.html", tmp_path / "two.html"]
    for file, found in zip(files, (explore(), explore(gamma=2, delta="1/4", prevalence="1/4")), strict=True):
        file.write_text(found.page, encoding="utf-8")
    with chromium.open(files[1]) as opened:
        link = opened.page.input_value("#link").split("#")[1]
        assert link == "gamma=2&delta=1/4&prevalence=1/4"
    for address, field in ((f"{files[1].as_uri()}#gamma=9", "0"), (f"{files[0].as_uri()}#{link}", "1/4")):
        with chromium.open(address) as opened:
            assert opened.page.input_value("#delta") == field


def test_a_decimal_stands_beside_each_fraction(chromium: Chromium, page: Path) -> None:
    with chromium.open(page.as_uri() + "#gamma=2&delta=1/7&prevalence=1/4&categories=6&shares=half") as opened:
        rows = json.loads(TABLE.read_text(encoding="utf-8"))["rows"]
        (row,) = (each for each in rows if (each["k"], each["gamma"], each["shares"]) == (6, "2", "half"))
        assert opened.page.locator(f'[data-exact="{row["lower"]} {row["upper"]}"]').count() == 1
        for place in ("#summary", "#designs", "#odds", "#categories-rows", "#yes-share"):
            text = opened.page.inner_text(place).replace("standard error of 1/50", "")
            lines = re.sub(r"(\d+/\d+)\s*[=≈]\s*\d*\.?\d+", "", text)
            assert not re.search(r"\d+/\d+", lines), (place, lines)
            for fraction, sign, decimal in re.findall(r"(\d+/\d+)\s*([=≈])\s*(\d*\.?\d+)", text):
                error = abs(Fraction(decimal) - Fraction(fraction))
                assert (error == 0) == (sign == "="), (fraction, decimal)
                assert error <= Fraction(fraction) / 1000  # at least four digits


def test_the_pictures_are_saved_with_their_colours(chromium: Chromium, page: Path, tmp_path: Path) -> None:
    """A file without a style sheet, which a browser shows as the page does."""
    with chromium.open(page.as_uri() + SETTINGS[1]) as opened:
        buttons = opened.page.locator("button[data-picture]")
        assert buttons.count() == opened.page.locator("svg").count() == 3
        for i in range(3):
            with opened.page.expect_download() as download:
                buttons.nth(i).click()
            file = tmp_path / download.value.suggested_filename
            download.value.save_as(file)
            assert file.suffix == ".svg"
            picture = ET.fromstring(file.read_text(encoding="utf-8"))
            inside = [each for each in picture.iter() if each is not picture and "title" not in each.tag]
            assert len(inside) > 15
            assert all("class" not in each.attrib for each in inside)
            assert all("fill" in each.attrib for each in inside)
            assert "var(" not in file.read_text(encoding="utf-8")
            assert "gamma=2&delta=1/4" in picture[0].text
            with chromium.open(file) as shown:
                assert shown.told == []
        assert opened.told == []


def test_on_a_phone_the_picture_stays_in_sight_while_a_control_moves(chromium: Chromium, page: Path) -> None:
    """Each slider is brought to the middle of the window; the picture of the designs lies above it, whole."""
    boxes = """(i) => {
      const slider = document.querySelectorAll('input[type=range]')[i];
      slider.scrollIntoView({ block: 'center' });
      const picture = document.querySelector('.two figure svg').getBoundingClientRect();
      return [picture.top, picture.bottom, slider.getBoundingClientRect().top];
    }"""
    with chromium.open(page, PHONE) as opened:
        many = opened.page.evaluate("() => document.querySelectorAll('input[type=range]').length")
        assert many == 4
        for i in range(many):
            top, bottom, slider = opened.page.evaluate(boxes, i)
            assert -1 <= top < bottom <= slider <= 844, (i, top, bottom, slider)
