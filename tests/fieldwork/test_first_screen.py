"""The report of a survey as somebody reads it who decides on it: first screen, compact tables, print, a phone."""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from table_calls import regress_table

import rropt
import rropt_fieldwork
from rropt.estimates import estimates_of_counts
from rropt.inference.interval_kinds import places_of
from rropt.reports.document_writers import Folded
from rropt_fieldwork import ethics_page
from rropt_fieldwork.ethics import answered_questions, survey_report
from rropt_fieldwork.ethics.answered_questions import QuestionAnswer, ShownShare, answered
from rropt_fieldwork.ethics.stated import Answer

Cli = Callable[..., tuple[int, str, str]]
NAMES = ["never", "once", "two to five times", "more often"]
REGIONS = ["Greater Accra", "Ashanti", "Northern", "Volta"]
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


class Shown(HTMLParser):
    """The text of a page: all but the style and scripts; without what is folded, as it is printed."""

    def __init__(self, text: str, *, folded: bool = False) -> None:
        super().__init__()
        self.text, self.depth, self.rows = "", 0, []
        self.hidden = ("style", "script", *["details"] * (not folded))
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in self.hidden:
            self.depth += 1
        if tag == "tr" and not self.depth:
            self.rows.append([])

    def handle_endtag(self, tag: str) -> None:
        if tag in self.hidden:
            self.depth -= 1

    def handle_data(self, data: str) -> None:
        if not self.depth:
            self.text += data + " "
            if self.rows:
                self.rows[-1].append(data)


@pytest.fixture
def survey(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Return a function that estimates a question of a survey of 400 people and returns the name of the JSON."""
    monkeypatch.chdir(tmp_path)
    rng, rows = random.Random(3), ["q17_drugs,q18_work,region,age"]
    for i in range(400):
        drug, work = int(rng.random() < 0.3 + 0.1 * (i % 4)), rng.choices(range(4), (6, 3, 2, 2))[0]
        rows.append(f"{['no drug', 'used a drug'][drug]},{NAMES[work]},{REGIONS[i % 4]},{rng.randint(18, 60)}")
    Path("data.csv").write_text("\n".join(rows) + "\n")
    Path("survey.toml").write_text(SURVEY)

    def run(name: str, *more: str) -> str:
        status, out, error = cli("estimate", name, *more, "--json")
        assert status == 0, error
        path = f"{name}{len(more)}.json"
        Path(path).write_text(out)
        return path

    return run


def _page(cli: Cli, *files: str, name: str = "page.html") -> str:
    status, _, error = cli("report", *files, "--output", name)
    assert status == 0, error
    return Path(name).read_text()


@pytest.fixture
def _quick_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures are drawn and not written: the tests in a browser look at them."""
    monkeypatch.setattr("rropt.plots.Figure.to_svg", lambda *_, **__: "<svg/>")


@pytest.mark.slow
@pytest.mark.usefixtures("_quick_pictures")
def test_questions_have_their_wording_and_never_their_column(cli: Cli, survey: Callable[..., str]) -> None:
    files = [survey(name, "--by", "region") for name in ("q17_drugs", "q18_work")]
    for ending in ("html", "md", "tex"):
        text = _page(cli, *files, name=f"page.{ending}")
        read = Shown(text).text if ending == "html" else text.replace("\\", "")
        assert "q17" not in read, ending
        assert "q18" not in read, ending
        if ending == "html":
            assert "Data" not in read  # the rest is folded
            read += "Data"
        for words in ("Health of young adults", "Did you use an illegal drug?", "all 264,345 adults", "= 21"):
            assert words in read, (ending, words)
        first = read[: read.index("Data")]
        assert all(name in first for name in [*NAMES, "used a drug"]), ending


@pytest.mark.usefixtures("_quick_pictures")
def test_the_pairs_of_groups_are_one_table_of_a_question(cli: Cli, survey: Callable[..., str]) -> None:
    file = survey("q18_work", "--by", "region")
    rows = Shown(_page(cli, file), folded=True).rows
    pairs = [row for row in rows if " − " in row[0]]  # noqa: RUF001
    assert len(pairs) == 6
    assert all(len(row) == 1 + len(NAMES) and all("(p = " in cell for cell in row[1:]) for row in pairs)
    found = rropt.load(file)
    for j, share in enumerate(found.compared()):
        for row, one in zip(pairs, share.differences, strict=True):
            points, p = re.fullmatch(r"(-?[\d.]+) \(p = ([\d.e-]+)\)", row[1 + j]).groups()
            assert abs(float(points) - 100 * float(one.estimate)) <= 0.5  # half of the last digit, at 0 decimals
            assert float(p) == pytest.approx(one.adjusted, rel=0.006)  # three significant digits


def test_one_pair_is_adjusted_over_nothing(tmp_path: Path) -> None:
    """Two groups have one difference, whose p-value is that of the sentence and of the table alike."""
    file = tmp_path / "answers.csv"
    rows = [f"{int(i < yes)},{group}" for group, yes in {"a": 700, "b": 580}.items() for i in range(1000)]
    file.write_text("\n".join(["y,g", *rows]) + "\n")
    found = rropt_fieldwork.TableResponses("y", "warner:9/10", data=file).estimate(by="g")
    (one,) = answered(Answer.of("y", json.loads(json.dumps({"result": type(found).__name__, **found.to_dict()}))))
    first, pairs = one.group_tables()
    assert [row[1] for row in first[2]] == ["1,000", "1,000"]
    assert pairs[1] == ("pair", "difference", "95 % interval", "p")
    assert pairs[0].startswith("Difference in percentage points. Both groups equal: p < 0.001")
    assert pairs[2][0][-1] == "< 0.001"
    assert "adjusted" not in pairs[0] + one.sentence()


@pytest.mark.parametrize("weights", [None, "w"])
def test_the_interval_of_a_pair_decides_as_its_adjusted_p(tmp_path: Path, weights: str | None) -> None:
    """Each row has one verdict: 0 is outside the interval if and only if p is below 5 percent, for every pair."""
    hits, file = {"a": 63, "b": 45, "c": 48, "d": 39}, tmp_path / "answers.csv"
    rows = [f"{int(i < yes)},{group},{1 + i % 2}" for group, yes in hits.items() for i in range(100)]
    file.write_text("\n".join(["y,g,w", *rows]) + "\n")
    found = rropt_fieldwork.TableResponses(
        "y", "warner:9/10", data=rropt_fieldwork.read(file).sampled(weights=weights)
    ).estimate(by="g")
    differences = found.compared()[0].differences
    assert any(one.p < 0.05 < one.adjusted for one in differences)  # these pairs had two verdicts in one row
    (one,) = answered(Answer.of("y", json.loads(json.dumps({"result": type(found).__name__, **found.to_dict()}))))
    title, header, shown = one.group_tables()[-1]
    assert "intervals and p are adjusted" in title
    assert header[-2:] == ("adjusted 95 % interval", "adjusted p")
    for (*_, interval, p), each in zip(shown, differences, strict=True):
        low, high = map(float, interval.split(" to "))
        assert (low > 0 or high < 0) == (float(p) < 0.05) == (each.adjusted < 0.05)


@pytest.mark.usefixtures("_quick_pictures")
def test_every_number_of_the_overall_table_is_that_of_the_estimate(cli: Cli, survey: Callable[..., str]) -> None:
    file = survey("q18_work")
    found, rows = rropt.load(file), Shown(_page(cli, file)).rows
    shown = {row[0]: row for row in rows if row[0] in NAMES}
    assert list(shown) == NAMES
    for row, one in zip(shown.values(), found.rows, strict=True):
        value = float(one.estimate)
        assert abs(float(row[1]) - 100 * value) <= 0.5
        low, high = map(float, row[2].split(" to "))
        assert low <= float(row[1]) <= high


def test_one_category_of_a_document_is_folded() -> None:
    document = rropt_fieldwork.report(rropt.inference.estimate("warner:3/4", yes=40, n=100))
    folded = [block for block in document.blocks if isinstance(block, Folded)]
    assert [block.summary.partition(":")[0] for block in folded] == ["All numbers and intervals", "Appendix"]
    assert "| se |" in document.to_markdown()  # the other formats keep the table, and have no appendix
    assert "Appendix" not in document.to_markdown() + document.to_latex()


@pytest.mark.slow
def test_a_regression_begins_with_what_it_establishes_and_a_picture(cli: Cli, survey: Callable[..., str]) -> None:
    """The odds ratios of the sentence are exp(b), and a factor's predicted proportions are drawn and stated."""
    del survey  # its fixture writes the files
    status, out, error = cli("regress", "--formula", "q17_drugs ~ region + age", "--json")
    assert status == 0, error
    Path("fit.json").write_text(out)
    fit = json.loads(out)
    text = Shown(_page(cli, "fit.json")).text.replace("\N{NO-BREAK SPACE}", " ")
    assert "q17_drugs," not in text
    told = re.findall(r"([^.;:]+): odds ratio ([\d.]+) \(95 % interval", text)
    others = re.search(r"establish no effect of (.*?) \((?:smallest )?p =", text)
    names = {name.strip() for name, _ in told} | set(others[1].split(" or of ") if others else [])
    assert names == {*(f"region {name} (against Ashanti)" for name in REGIONS if name != "Ashanti"), "age"}
    fitted = {row["name"]: row for row in fit["rows"]}
    for name, ratio in told:
        key = name.strip() if "region" not in name else f"region[T.{name.strip()[7:].partition(' (')[0]}]"
        assert float(ratio) == pytest.approx(math.exp(fitted[key]["estimate"]), rel=0.01)
        assert fitted[key]["p_value"] <= 0.05
    (predicted,) = fit["predicted"]
    assert [row["group"] for row in predicted["rows"]] == sorted(REGIONS)
    assert sum(row["n"] for row in predicted["rows"]) == 400
    picture = "Predicted proportions of used a drug by region: means over the rows of each, with 95 % intervals."
    assert picture in text
    assert f'<img alt="{picture}"' in Path("page.html").read_text().replace("\N{NO-BREAK SPACE}", " ")


def test_many_categories_are_a_table_with_names_and_a_sorted_picture(cli: Cli, tmp_path: Path) -> None:
    """The joint intervals are those at the confidence 1 - 0.05/15 of another estimate; proportions sum to 100 %."""
    names, true = [f"city {i}" for i in range(15)], [400, 90, 310, *range(20, 140, 10)]
    counts = [t // 2 + (sum(true) - t) // 28 for t in true]  # what the device reports on average
    found = rropt.inference.estimate(rropt.Mechanism("grr:15,1/2").labelled(names), counts=counts)
    (answer,) = answered(Answer.of("one", json.loads(json.dumps(_written(found)))))
    picture = answer.picture()
    assert picture is not None
    values = [point.value for point in picture.points[0] if point is not None]
    assert values == sorted(values, reverse=True)
    assert picture.rows[:2] == ("city 0", "city 2")
    assert "for all 15 categories at once" in picture.text
    joint = estimates_of_counts(found, confidence=1 - Fraction(1, 20) / 15)
    for name, point in zip(picture.rows, picture.points[0], strict=True):
        ends = joint[name].conf_int(confidence=joint.confidence)
        assert point.ends == (float(ends.lower), float(ends.upper))
    table = answer.overall_table()
    assert table is not None
    assert [row[0] for row in table[2]] == list(picture.rows)
    assert table[1][3] == "all 15 at once, %"
    for row, point in zip(table[2], picture.points[0], strict=True):
        assert [float(x) for x in row[3].split(" to ")] == pytest.approx([100 * x for x in point.ends], abs=0.05)
    likely = [float(row[4]) for row in table[2]]
    assert min(likely) >= 0
    assert sum(likely) == pytest.approx(100, abs=15 * 0.05)  # each is rounded to a tenth of a percent


def _written(found: rropt.inference.Estimate) -> dict[str, object]:
    """Return what `rropt estimate --json` prints of an estimate."""
    return {"result": "Estimates", **estimates_of_counts(found).to_dict()}


def test_many_categories_are_written_in_time_that_grows_with_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """The decimal places follow from all standard errors: they are found once, and not for each number."""
    share, read = ShownShare(9, 0.1, 0.01, (0.0, 0.2)), []

    def counted(errors: Iterable[float | None]) -> int | None:
        given = [*errors]
        read.extend(given)
        return places_of(given)

    monkeypatch.setattr(answered_questions, "places_of", counted)
    answer = QuestionAnswer(tuple(map(str, range(3000))), Fraction(19, 20), "", 9, (share,) * 3000)
    assert answer.sentence().startswith("0 10.0 %, 1 10.0 %, ")
    assert "11 10.0 % and 2988 more." in answer.sentence()
    assert answer.overall_table() is not None
    assert len(read) <= 2 * 3000


@pytest.mark.slow
def test_a_long_file_is_no_appendix(monkeypatch: pytest.MonkeyPatch) -> None:
    """The exact mechanism and rows of 100 categories are left to the file; the page stays below 200 kB."""
    monkeypatch.setattr(survey_report, "_LONGEST_FILE", 50_000)
    found = rropt.inference.estimate("grr:100,1/2", counts=[100 + i for i in range(100)])
    page = rropt_fieldwork.report(found).to_html()
    assert "The exact values are too many for this page" in page
    assert len(page) < 200_000


@pytest.mark.usefixtures("_quick_pictures")
def test_a_finite_population_has_its_sentence_its_base_and_a_picture(cli: Cli, tmp_path: Path) -> None:
    """40 of 100 say yes to Warner's device at 3/4: (2/5 - 1/4) / (1/2) = 3/10."""
    found = rropt.estimate([60, 40], "warner:3/4", population=1000)
    (answer,) = answered(Answer.of("one", {"result": "Estimates", **found.to_dict()}))
    ends = found[0].conf_int(kind="exact")
    assert answer.overall[0].value == 0.3
    assert answer.overall[0].ends == (float(ends.lower), float(ends.upper))
    assert answer.picture() is not None
    text = rropt_fieldwork.report(found).to_html()
    assert "about 30" in text
    assert "100 of the 1,000 people of the population were asked." in text
    assert "factor of 3." in text
    assert text.count("<figure>") == 1


@pytest.mark.usefixtures("_quick_pictures")
def test_several_questions_have_one_picture_of_all_cells_and_the_wordings(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rng = random.Random(4)
    rows = [f"{rng.choice(['no', 'yes'])},{rng.choice(['no', 'yes'])}" for _ in range(300)]
    Path("data.csv").write_text("\n".join(["a,b", *rows]) + "\n")
    made = '[questions.{0}]\nquestion = "Question of {0}?"\ndevice = "warner:3/4"\n'
    Path("survey.toml").write_text('title = "Two questions"\n' + made.format("a") + made.format("b"))
    call = ("estimate", "data.csv", "--columns", "a,b", "--mechanism", "bits:3/4*2", "--categories", "no,yes", "--json")
    status, out, error = cli(*call)
    assert status == 0, error
    Path("two.json").write_text(out)
    status, _, error = cli("report", "two.json", "--survey", "survey.toml", "--output", "two.html")
    assert status == 0, error
    text, shown = Path("two.html").read_text(), Shown(Path("two.html").read_text())
    assert text.count("<figure>") == 1
    assert "1. Question of a? / 2. Question of b?" in shown.text
    assert "All responses of a person together change nobody's odds by more than a factor of 9." in shown.text
    found = rropt.load("two.json")
    rows = [row for row in shown.rows if row[0].startswith("questions 1, 2: ")]
    assert [row[0].rpartition(": ")[2] for row in rows] == ["no, no", "yes, no", "no, yes", "yes, yes"]
    for row, one, (low, high) in zip(rows, found, map(tuple, found.conf_int(simultaneous=True)), strict=True):
        assert abs(float(row[1]) - 100 * float(one)) <= 0.5
        assert [float(x) for x in row[2].split(" to ")] == pytest.approx(
            [100 * max(low, 0), 100 * min(high, 1)], abs=0.5
        )


def test_of_many_categories_the_table_has_the_largest_and_the_folded_one_all() -> None:
    names, counts = [f"city {i}" for i in range(44)], [50 + 7 * i % 90 for i in range(44)]
    found = rropt.inference.estimate(rropt.Mechanism("grr:44,1/2").labelled(names), counts=counts)
    (answer,) = answered(Answer.of("one", json.loads(json.dumps(_written(found)))))
    table = answer.overall_table()
    assert table is not None
    ordered = sorted(range(44), key=lambda i: (-counts[i], i))  # grr keeps the order of the counts
    assert [row[0] for row in table[2]] == [names[i] for i in ordered[:40]]
    assert "the 40 largest of 44 estimates" in table[0]
    picture = answer.picture()
    assert picture is not None
    assert "The 40 largest of 44 estimated proportions" in picture.text
    text = rropt_fieldwork.report(found).to_markdown()
    assert all(f"| {name} |" in text for name in names)
    assert "category 0" not in text.partition("## Limits")[0].replace("response 0", "")


@pytest.mark.slow
@pytest.mark.usefixtures("_quick_pictures")
def test_a_question_with_two_results_has_one_interval(cli: Cli, survey: Callable[..., str]) -> None:
    """The proved interval stays, whatever the order of the files; different estimates name what to report."""
    whole, groups = survey("q17_drugs"), survey("q17_drugs", "--by", "region")
    for files in ((whole, groups), (groups, whole)):
        page = Shown(_page(cli, *files), folded=True).text.replace("\N{NO-BREAK SPACE}", " ")
        first = page.partition(" Data ")[0]
        assert first.count("% interval: ") == 1
        assert "approximate 95 %" not in first
    Path("half.csv").write_text("".join(Path("data.csv").read_text().splitlines(keepends=True)[:201]))
    for more, words in (
        (("--confidence", "0.9"), "The results have different confidences"),
        (("--where", "age < 40"), "respondents and the one above 400"),
        (("--weights", "age"), "report the one with weights for the population"),
    ):
        text = _page(cli, whole, survey("q17_drugs", *more), name="page.md")
        assert words in text.partition("## Data")[0], more


def test_the_references_of_a_report_are_those_of_its_device() -> None:
    def cited(mechanism: object, counts: list[int]) -> str:
        text = rropt_fieldwork.report(rropt.inference.estimate(mechanism, counts=counts)).to_markdown()
        return text.partition("References: ")[2]

    assert cited("warner:3/4", [60, 40]).startswith("Warner (1965)")
    assert "Warner" not in cited("grr:3,1/2", [30, 40, 50])
    assert "Agrawal, Haritsa and Prakash (2009)" in cited("grr:3,1/2", [30, 40, 50])
    assert cited("kuk:1/3,2/3", [60, 40]).startswith("Kuk (1990)")
    assert cited(rropt.Mechanism([["3/4", "1/4"], ["1/4", "3/4"]]), [60, 40]).startswith("Clopper and Pearson (1934)")


def test_every_published_source_of_a_design_has_its_reference() -> None:
    from rropt.mechanisms import DESIGNS
    from rropt_fieldwork.ethics.survey_report import _cited

    assert [one.name for one in DESIGNS.values() if not _cited(one.source)] == [
        "thresholds",
        "affine",
        "affine-classes",
    ]


@pytest.mark.slow
@pytest.mark.usefixtures("_quick_pictures")
def test_predicted_proportions_are_a_table_where_there_are_no_pictures(cli: Cli, survey: Callable[..., str]) -> None:
    del survey
    status, out, error = cli("regress", "--formula", "q17_drugs ~ region", "--json")
    assert status == 0, error
    Path("fit.json").write_text(out)
    for name in ("page.md", "page.tex"):
        text = _page(cli, "fit.json", name=name)
        assert "Predicted proportions of used a drug by region" not in text  # the sentence of a picture
        for one in json.loads(out)["predicted"][0]["rows"]:
            (row,) = re.findall(rf"{one['group']} [|&] {one['n']} [|&] ([\d.]+)", text)
            assert float(row) == pytest.approx(one["estimate"], abs=0.0051)


@pytest.mark.usefixtures("_quick_pictures")
def test_the_report_and_the_ethics_page_state_the_same_factor(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Promised is log(5) twice, 25 together; the devices have 3 and 4, so responses change odds at most 12 times."""
    monkeypatch.chdir(tmp_path)
    Path("data.csv").write_text("a,b\n" + "no,yes\nyes,no\nno,no\n" * 40)
    made = (
        '[questions.{0}]\nquestion = "Question {0}?"\ncategories = ["no", "yes"]\ndevice = "{1}"\nepsilon = "log(5)"\n'
    )
    survey = 'title = "Two"\nfile = "data.csv"\n' + made.format("a", "warner:3/4") + made.format("b", "warner:4/5")
    Path("survey.toml").write_text(survey)
    for name in "ab":
        status, out, error = cli("estimate", name, "--json")
        assert status == 0, error
        Path(f"{name}.json").write_text(out)
    text = _page(cli, "a.json", "b.json", name="page.md")
    assert ethics_page(rropt_fieldwork.Survey.read("survey.toml")).factor == 12
    assert text.count("factor of 12") == 2  # on the first screen, and under Promise
    assert "factor of 25" not in text
    assert (
        "“Question a?”: No response changes anybody's odds by more than a factor of 3 (promised: epsilon = log(5)"
        in text
    )


@pytest.mark.parametrize("people", ["399", "400", "many"])
def test_more_respondents_than_people_are_refused(cli: Cli, people: str, survey: Callable[..., str]) -> None:
    """A report of 400 responses: N = 400 is a census, N = 399 and a text are refused in one line."""
    given = json.loads(Path(survey("q17_drugs")).read_text())
    given["question"]["survey"]["population"] = people
    Path("changed.json").write_text(json.dumps(given))
    status, _, error = cli("report", "changed.json", "--output", "page.md")
    assert status == (0 if people == "400" else 2), error
    assert error.count("\n") <= 1
    assert ("smaller than the sample" in error) == (people == "399")


def test_names_of_several_outcomes_in_words_have_no_interaction() -> None:
    """The outcome stands before a colon with a blank; the colon of an interaction has none."""
    rows = [(level, job) for level in "abc" for job in ("x", "y")] * 30
    data = {"q": np.array([level for level, _ in rows]), "job": np.array([job for _, job in rows])}
    options = {"mechanism": "grr:3,3/5", "categories": ["a", "b", "c"], "model": "multinomial", "starts": 1}
    found = regress_table(data, "q ~ job", **options)
    assert list(found.names_in_words().values()) == [
        *("b: Intercept", "b: job y (against x)"),
        *("c: Intercept", "c: job y (against x)"),
    ]


@pytest.mark.slow
def test_levels_with_colons_and_brackets_are_written_in_words_as_they_are() -> None:
    """Only the colon between factors is an interaction; the levels and the outcomes have their own."""
    levels = ("A", "Sales: retail", "x]:job[T.y")
    rows = [(a, job, z) for a in levels for job in ("v: w", "y") for z in "bde"] * 20
    data = {"q": np.array([z for *_, z in rows]), "a": np.array([a for a, *_ in rows])}
    data |= {"job": np.array([job for _, job, _ in rows])}
    binary = {"q": np.where(data["q"] == "b", "no", "yes"), "a": data["a"], "job": data["job"]}
    one, other = ("a Sales: retail (against A)", "a x]:job[T.y (against A)")
    found = regress_table(binary, "q ~ a * job", mechanism="warner:3/4", categories=["no", "yes"], starts=1)
    assert list(found.names_in_words().values()) == [
        "Intercept",
        one,
        other,
        "job y (against v: w)",
        f"{one} x job y (against v: w)",
        f"{other} x job y (against v: w)",
    ]
    assert "a Sales: retail (against A)" in found.concluded()
    full = regress_table(binary, "q ~ 0 + a", mechanism="warner:3/4", categories=["no", "yes"], starts=1)
    assert list(full.names_in_words().values()) == ["a A", "a Sales: retail", "a x]:job[T.y"]
    options = {"mechanism": "grr:3,3/5", "model": "multinomial", "starts": 1}
    data["q"] = np.char.replace(data["q"].astype("U4"), "d", "d: f")
    found = regress_table(data, "q ~ job", categories=["b", "d: f", "e"], **options)
    assert list(found.names_in_words().values())[:2] == ["d: f: Intercept", "d: f: job y (against v: w)"]
