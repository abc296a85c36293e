"""Sentences of a report: all categories of a question with their intervals, and terms of a regression in words."""

from __future__ import annotations

import json
import math
import re

import pytest

from rropt.core.errors import InvalidParameterError
from rropt_fieldwork.ethics.survey_report import survey_report


def _markdown(*files: tuple[str, dict]) -> str:
    return survey_report(files).to_markdown()


@pytest.fixture
def whole_json(cli):
    """Run a command and return the whole object, with the question that a report reads."""

    def run(*argv: str) -> dict:
        status, out, err = cli(*argv, "--json")
        assert status == 0, err
        return json.loads(out)

    return run


def test_a_question_of_few_categories_states_each_with_its_interval(tmp_path, monkeypatch, whole_json) -> None:
    (tmp_path / "d.csv").write_text("q9\n" + "".join(f"{'ABC'[i % 5 % 3]}\n" for i in range(200)))
    (tmp_path / "survey.toml").write_text(
        'title = "Votes"\nfile = "d.csv"\nunit = "students"\n[questions.q9]\nquestion = "Which party?"\n'
        'categories = ["A", "B", "C"]\ndevice = "grr:3,3/4"\n'
    )
    monkeypatch.chdir(tmp_path)
    page = _markdown(("e.json", whole_json("estimate", "q9")))
    told = next(line for line in page.splitlines() if line.startswith("Result:"))
    parts = re.findall(r"([ABC]) ([\d.]+) % \(([\d.]+) to ([\d.]+)\)", told)
    assert [part[0] for part in parts] == ["A", "B", "C"]
    for _, value, low, high in parts:
        assert float(low) <= float(value) <= float(high)
    assert "of students (in brackets: 95 % intervals)" in told


def test_a_row_without_a_group_and_a_long_level_are_stated(tmp_path, whole_json) -> None:
    data = tmp_path / "d.csv"
    for gaps, words in (
        (1, "1 row without a value of region is left out."),
        (2, "2 rows without a value of region are"),
    ):
        data.write_text("q,region\n" + "".join(f"{i % 2},{'' if i < gaps else 'NS'[i % 2]}\n" for i in range(80)))
        asked = ["estimate", str(data), "--column", "q", "--by", "region", "--mechanism", "warner:0.7345678912345"]
        assert words in _markdown(("e.json", whole_json(*asked)))
    level = math.log(0.7345678912345 / (1 - 0.7345678912345))
    found = re.search(r"about (1\.01\d+)", _markdown(("e.json", whole_json(*asked))))
    assert found is not None
    assert float(found[1]) == pytest.approx(level, abs=1e-5)  # six digits


def test_counts_of_four_categories_state_all_of_them(whole_json) -> None:
    """Without a declared wording too; (x/2400 - 1/10)/(6/10) is the estimate of a count x."""
    counts = (900, 600, 500, 400)
    asked = ("--counts", ",".join(map(str, counts)), "--mechanism", "grr:4,7/10")
    told = _markdown(("c.json", whole_json("estimate", *asked))).partition("Result: ")[2].partition("\n")[0]
    for category, count in enumerate(counts):
        assert f"category {category} {100 * (count / 2400 - 0.1) / 0.6:.1f} % (" in told
    assert "in brackets: 95 % intervals" in told
    assert told.endswith("2,400 respondents.")


def test_terms_of_a_regression_are_in_words(tmp_path, whole_json) -> None:
    rows = [f"{'yes' if i % 3 else 'no'},{'NESW'[i % 4]},{i % 7}" for i in range(400)]
    (tmp_path / "d.csv").write_text("\n".join(["q,region,age", *rows]))
    asked = [str(tmp_path / "d.csv"), "--formula", "q ~ C(region) + age", "--mechanism", "warner:9/10"]
    page = _markdown(("g.json", whole_json("regress", *asked, "--categories", "no,yes")))
    assert "[T." not in page.replace("\\", "").partition("Appendix")[0]
    assert "region N (against E)" in page


def test_a_design_of_one_question_stands_beside_the_results_of_two(tmp_path, whole_json) -> None:
    (tmp_path / "d.csv").write_text("a,b\n" + "".join(f"{i % 2},{i // 2 % 2}\n" for i in range(200)))
    results = [
        (name, whole_json("estimate", str(tmp_path / "d.csv"), "--column", name, "--mechanism", mechanism))
        for name, mechanism in (("a", "warner:3/4"), ("b", "warner:4/5"))
    ]
    design = whole_json("design", "binary", "--gamma", "3", "--prevalence", "1/4", "--fast")
    page = _markdown(*results, ("design.json", design))
    assert page.count("promised") <= 1
    with pytest.raises(InvalidParameterError, match="the files disagree"):
        _markdown(results[1], ("design.json", design))
