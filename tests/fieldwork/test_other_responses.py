"""Responses that are no answers to the question: their texts are never shown as the trait that is estimated."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import rropt_fieldwork
from rropt.mechanisms import named_mechanism
from rropt.mechanisms.words import TRAIT
from rropt_fieldwork.reading.counting import labelled_by

SAME, OTHER = "Both the same", "Different"
DEVICES = {
    "crosswise:1/4": (OTHER, SAME),
    "crosswise:3/4": (OTHER, SAME),
    "triangular:1/4": ("Both no", "At least one"),
    "kuk:4/5,1/5": ("A black card", "A red card"),
    "christofides:1/4,3/4": ("Number one", "Number two"),
}
SELDOM = {"crosswise:3/4", "triangular:1/4", "christofides:1/4,3/4"}  # at full size
AS_TRAIT = (
    r"(proportion of|true answer is|true answers:.*|[Rr]esult:) *{name}|{name}: (about|at most|at least)|both {name}"
)


@pytest.fixture(params=[pytest.param(text, marks=[pytest.mark.slow] * (text in SELDOM)) for text in DEVICES])
def survey(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str, str]:
    device, (first, second) = request.param, DEVICES[request.param]
    rows = [f"{second if i % 3 else first},{'AB'[i % 2]},{1 + i % 2}" for i in range(300)]
    (tmp_path / "answers.csv").write_text("cw,g,w\n" + "".join(f"{row}\n" for row in rows))
    (tmp_path / "survey.toml").write_text(
        f'title = "Plagiarism"\nunit = "adults"\nfile = "answers.csv"\n[questions.cw]\nquestion = "Have you?"\n'
        f'device = "{device}"\ncategories = ["{first}", "{second}"]\nepsilon = "none"\n'
    )
    monkeypatch.chdir(tmp_path)
    return device, first, second


def _never_as_trait(text: str, *names: str) -> None:
    plain = " ".join(re.sub(r"<[^>]*>", " ", text).replace("\\", "").split())
    for name in names:
        wrong = re.search(AS_TRAIT.format(name=re.escape(name)), plain)
        assert wrong is None, plain[max(0, wrong.start() - 80) : wrong.end() + 80]


def test_reports_pages_and_sheets_show_no_response_as_the_trait(cli, survey: tuple[str, str, str]) -> None:
    _, first, second = survey
    for line in (["survey"], ["estimate", "cw"], ["estimate", "cw", "--by", "g"], ["estimate", "cw", "--weights", "w"]):
        status, out, err = cli(*line)
        assert status == 0, err
        _never_as_trait(out, first, second)
        assert "the trait" in out or "--by" in line  # a table of groups alone has their names
    _, out, _ = cli("estimate", "cw", "--json")
    Path("e.json").write_text(out)
    assert cli("report", "e.json", "--output", "r.md")[0] == 0
    page = Path("r.md").read_text()
    _never_as_trait(page, first, second)
    assert re.search(r"has the trait: (about|at most|at least|the survey says)|has the trait: ", page)
    assert "The estimate is the proportion with the trait." in page
    assert cli("survey", "ethics", "--output", "e.md")[0] == 0
    _never_as_trait(Path("e.md").read_text(), first, second)
    assert "Possible true answers: no, yes." in Path("e.md").read_text()
    assert cli("sheet", "cw", "--output", "s.html")[0] == 0
    sheet = Path("s.html").read_text()
    assert first not in sheet
    assert second not in sheet
    status, out, err = cli("regress", "cw", "--formula", "cw ~ g", "--json")
    if status == 0:
        assert json.loads(out)["fit"]["categories"] == list(TRAIT)


def test_responses_keep_their_texts(survey: tuple[str, str, str]) -> None:
    device, first, second = survey
    made = labelled_by(named_mechanism(device), (first, second))
    assert (made.categories, made.responses) == (TRAIT, (first, second))
    found = rropt_fieldwork.TableResponses("cw", device, data="answers.csv", categories=[first, second]).estimate()
    assert (found.counted.mechanism.categories, found.counted.mechanism.responses) == (TRAIT, (first, second))


@pytest.mark.parametrize("device", ["warner:3/4", "forced:2/3,1/6,1/6", "unrelated:1/2,1/4"])
def test_where_responses_are_answers_they_name_the_categories(device: str) -> None:
    made = labelled_by(named_mechanism(device), ("never", "ever"))
    assert made.categories == made.responses == ("never", "ever")


def test_categories_that_a_mechanism_declares_are_the_label_of_the_trait() -> None:
    own = named_mechanism("crosswise:1/4").labelled(["no plagiarism", "plagiarism"], [OTHER, SAME])
    assert labelled_by(own, (OTHER, SAME)).categories == ("no plagiarism", "plagiarism")
