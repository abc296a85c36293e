"""The sheet at the head of a report: strips on one axis, odds ratios, privacy, remarks, and what is proved."""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

import rropt
import rropt_fieldwork
from rropt_fieldwork.ethics.answered_questions import answered
from rropt_fieldwork.ethics.estimate_strips import StripAxis, StripRow, Whisker, strips_html
from rropt_fieldwork.ethics.stated import Answer

Cli = Callable[..., tuple[int, str, str]]
NAMES = ["never", "once", "often"]
SURVEY = """
title = "Health of young adults"
file = "data.csv"
unit = "adults"
population = 264345

[questions.drugs]
question = "Did you use an illegal drug, for example cannabis or cocaine?"
label = "Used an illegal drug"
device = "forced:2/3,1/6,1/6"
epsilon = "log(5)"

[questions.work]
question = "How often did you miss work without a reason?"
label = "Missed work"
categories = ["never", "once", "often"]
device = "grr:3,5/7"
epsilon = "log(5)"

[questions.tax]
question = "Did you leave out any income?"
label = "Left out income"
categories = ["no", "yes"]
device = "warner:3/4"
epsilon = "log(3)"
"""
WORDINGS = re.findall('question = "(.*)"', SURVEY)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the results of three questions by region, and of a regression of the first."""
    from contextlib import redirect_stdout
    from io import StringIO

    from rropt.cli.main import main

    folder, rng = tmp_path_factory.mktemp("sheet"), random.Random(5)
    rows = [
        f"{int(rng.random() < 0.4)},{rng.choice(NAMES)},{rng.choice(['no', 'yes'])},{'NSW'[i % 3]},{20 + i % 40}"
        for i in range(600)
    ]
    (folder / "data.csv").write_text("\n".join(["drugs,work,tax,region,age", *rows]) + "\n")
    (folder / "survey.toml").write_text(SURVEY)
    calls = {name: ("estimate", name, "--by", "region") for name in ("drugs", "work", "tax")}
    calls["fit"] = ("regress", "--formula", "drugs ~ region + age")
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        for name, call in calls.items():
            with redirect_stdout(StringIO()) as out:
                assert main([*call, "--json"]) == 0
            (folder / f"{name}.json").write_text(out.getvalue())
    return [str(folder / f"{name}.json") for name in calls]


@pytest.fixture
def page(files: list[str], monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("rropt.plots.Figure.to_svg", lambda *_, **__: "<svg/>")
    return rropt_fieldwork.report(*files).to_html()


def _sheet(page: str) -> str:
    return page.partition('<div class="glance">')[2].partition('<details class="more"><summary>In words')[0]


@pytest.mark.slow
def test_each_wording_stands_once_and_labels_stand_elsewhere(page: str) -> None:
    sheet = _sheet(page)
    for wording in WORDINGS:
        assert sheet.count(wording) == 1
        assert page.partition("Appendix")[0].count(wording) <= 3  # below a heading, and under Data
    assert "drugs" not in re.sub(r"<[^>]*>", "", sheet)
    assert page.count("Predicted prevalence of Used an illegal drug by region") == 1
    assert "prevalence of 1" not in page


def test_numbers_and_strips_are_those_of_the_estimates(page: str, files: list[str]) -> None:
    """Each dot lies where its number says, on the axis whose numbers the last row has."""
    sheet = _sheet(page).partition("</table>")[0]
    axis = [(float(x), int(text)) for x, text in re.findall(r'<text x="([\d.]+)" y="12">(\d+)</text>', sheet)]
    (left, first), (right, last) = axis[0], axis[-1]
    found = rropt.load(files[0])
    estimates = [*found.overall, *found.rows]
    rows = re.findall(r"<tr(?: class=\"group\")?><td>(.*?)</tr>", sheet)[: len(estimates)]
    assert [re.sub(r" \(.*", "", row.partition("<")[0]) for row in rows] == ["Used an illegal drug", "N", "S", "W"]
    for row, one in zip(rows, estimates, strict=True):
        (dot,) = map(float, re.findall(r'<circle class="main" cx="([\d.]+)"', row))
        wanted = left + (right - left) * (100 * float(one.estimate) - first) / (last - first)
        assert dot == pytest.approx(wanted, abs=0.06)
        ends = one.conf_int(confidence=found.confidence)
        value, interval = re.findall(r'<td class="number">([^<]*)</td>', row)[:2]
        assert float(value) == pytest.approx(100 * float(one.estimate), abs=0.51)
        low, high = map(float, interval.split(" to "))
        assert (low, high) == pytest.approx((100 * float(ends.lower), 100 * float(ends.upper)), abs=0.51)


def test_the_odds_ratios_stand_beside_their_coefficients(page: str, files: list[str]) -> None:
    table = _sheet(page).partition('<table class="whiskers odds">')[2].partition("</table>")[0]
    fitted = {row["name"]: row for row in json.loads(Path(files[-1]).read_text())["rows"]}
    rows = re.findall(r"<tr><td>(.*?)</td><td><svg.*?</svg></td>(.*?)</tr>", table)
    assert [name for name, _ in rows] == ["region S (against N)", "region W (against N)", "age"]
    told = [re.findall(r">([^<>]*)</t[dh]>", row) for row in re.findall(r"<tr>(.*?)</tr>", page)]
    for (name, cells), own in zip(rows, ("region[T.S]", "region[T.W]", "age"), strict=True):
        ratio, interval, b, p = re.findall(r'"number">([^<]*)<', cells)
        for text, value in ((b, fitted[own]["estimate"]), (ratio, math.exp(fitted[own]["estimate"]))):
            assert float(text) == pytest.approx(value, abs=0.5001 * 10 ** -len(text.partition(".")[2]))
        assert [name, ratio, interval] in told  # the tables below, and those of the terminal, have the same digits
        assert any(row[:2] == [name, b] and p in row for row in told)
        low, high = map(float, interval.split(" to "))
        assert (low > 1 or high < 1) == (float(p.removeprefix("&lt; ")) < 0.05)


def test_one_bar_has_the_product_and_the_posterior(page: str) -> None:
    """5 x 5 x 3 = 75 times the odds 1:1 are the probability 75/76, rounded outwards."""
    sheet = _sheet(page).replace("\N{NO-BREAK SPACE}", " ")
    assert "by more than a factor of 5 × 5 × 3 = 75. A prior of 50 % becomes a posterior of 1.3 to 98.7 %." in sheet  # noqa: RUF001
    assert Fraction(98_7, 1000) > Fraction(75, 76) > Fraction(98_6, 1000)
    assert sheet.count('<svg class="strip"') == 1


def test_the_closing_line_says_what_is_proved_and_what_is_not(page: str) -> None:
    sheet = _sheet(page)
    assert "each interval of a proportion covers at least 95" in sheet
    assert "Approximate: the tests of differences, the regression." in sheet
    assert "no device exceeds what was promised" in sheet
    assert "Not recomputed for this page: estimates, intervals and tests" in sheet


def test_intervals_without_a_proof_are_not_said_to_be_proved(cli: Cli, files: list[str]) -> None:
    """Weighted estimates have approximate intervals: beside them only the others are proved."""
    folder = Path(files[0]).parent
    rows = (folder / "data.csv").read_text().splitlines()
    (folder / "weighted.csv").write_text("\n".join(f"{row},{1 + i % 2 if i else 'w'}" for i, row in enumerate(rows)))
    asked = ("--column", "tax", "--categories", "no,yes", "--mechanism", "warner:3/4", "--weights", "w", "--json")
    status, out, error = cli("estimate", str(folder / "weighted.csv"), *asked)
    assert status == 0, error
    (folder / "weighted.json").write_text(out)
    sheet = _sheet(rropt_fieldwork.report(files[0], str(folder / "weighted.json")).to_html())
    assert "Proved: each interval of “Used an illegal drug” covers" in sheet
    assert "Approximate: the intervals of “tax”, " in sheet


def test_one_question_without_groups_keeps_its_sentence() -> None:
    assert 'class="glance"' not in rropt_fieldwork.report(rropt.estimate([60, 40], "warner:3/4")).to_html()


def test_other_formats_have_the_numbers_and_all_that_is_folded(files: list[str]) -> None:
    text = rropt_fieldwork.report(*files).to_markdown()
    assert "| proportion | % | interval | people |" in text
    assert text.index("Used an illegal drug") < text.index("## Data") < text.index("## Methods and checks")


@pytest.mark.parametrize(
    ("values", "numbers"),
    [((0.1, 0.28), "0 5 10 15 20 25 30"), ((-0.03, 0.5), "−10 0 10 20 30 40 50"), ((0.001, 0.002), "0 1 2 3 4 5")],  # noqa: RUF001
)
def test_the_axis_of_proportions_holds_all_and_has_few_numbers(values: tuple[float, float], numbers: str) -> None:
    axis = StripAxis.of_proportions([StripRow("a", Whisker(values[0], values))])
    assert " ".join(text for _, text in axis.numbers) == numbers
    assert axis.low <= values[0] <= values[1] <= axis.high


def test_beyond_the_axis_a_ratio_stands_at_its_end() -> None:
    axis = StripAxis.of_ratios([StripRow("a", Whisker(1.0, (0.001, 50.0)))])
    assert (axis.at(0.001), axis.at(50.0)) == (axis.at(1 / 16), axis.at(16.0))
    assert axis.at(1.0) == 150


def test_texts_of_others_are_escaped() -> None:
    row = StripRow('<b>" onload="x', Whisker(0.5, None), ("<i>",))
    html = strips_html("<u>", ("<s>", "b", "c"), [row], StripAxis.of_proportions([row]))
    assert not {"<b>", "<i>", "<u>", "<s>"} & set(re.findall("<[a-z]>", html))
    assert 'onload="x' not in html


@pytest.mark.parametrize("counts", [[747, 253], [1495, 505], [2990, 1010], [47, 13], [5, 5], [299, 101]])
def test_a_sentence_and_a_table_round_alike(counts: list[int]) -> None:
    """Also in the middle between two decimals, as 25.25 %, and where the interval is wide."""
    found = rropt.estimate(counts, "warner:1")
    (answer,) = answered(Answer.of("one", json.loads(json.dumps({"result": "Estimates", **found.to_dict()}))))
    table = answer.overall_table()
    assert table is not None
    told = re.findall(r"about ([\d.]+) %.*interval: ([\d.]+) to ([\d.]+) %", answer.sentence())
    (row,) = table[2]
    assert [told[0][0], f"{told[0][1]} to {told[0][2]}"] == [*row[1:3]], answer.sentence()
