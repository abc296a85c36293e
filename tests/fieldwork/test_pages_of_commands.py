"""Pages from real commands, read with an HTML parser: remarks, empty intervals, names, promises, disagreement."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from html import unescape
from html.parser import HTMLParser
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pytest
from few_rows import few_rows

import rropt
import rropt_fieldwork
from rropt_fieldwork.ethics.survey_report import _optimality

Cli = Callable[..., tuple[int, str, str]]
EMPTY = "none: no possible prevalence fits these responses"
DIE = ("--mechanism", "forced:2/3,1/6,1/6")
NAMES = ["never", "once", "few", "often", "daily"]

CALLS: dict[str, tuple[str, ...]] = {
    "empty": ("estimate", "--yes", "10", "--n", "243", *DIE),
    "full": ("estimate", "--yes", "240", "--n", "243", *DIE),
    "kary": ("estimate", "--counts", "500,3,3", "--mechanism", "grr:3,1/2"),
    "groups": ("estimate", "few.csv", "--column", "sick", "--by", "region", *DIE),
    "missing": ("estimate", "gaps.csv", "--column", "sick", "--by", "region", *DIE),
    "weighted": ("estimate", "few.csv", "--column", "sick", "--weights", "w", *DIE),
    "clusters": ("estimate", "few.csv", "--column", "sick", "--clusters", "c", "--fpc", "100", *DIE),
    "several": ("estimate", "--counts", "500,3,0,2", "--mechanism", "bits:3/4*2", "--marginals", "1"),
    "joint": ("estimate", "pairs.csv", "--columns", "q1,q2", "--mechanism", "bits:3/4*2"),
    "rows": ("estimate", "pairs.csv", "--columns", "q1,q2", "--devices", "device"),
    "members": ("estimate", "counts.json"),
    "finite": ("estimate", "--yes", "10", "--n", "243", "--population", "1000", *DIE),
    "direct": ("estimate", "--yes", "10", "--n", "243", "--direct", "3,100", *DIE),
    "bounds": ("noncompliance", "--yes", "100", "--n", "240", "--behaviour", "adversarial", *DIE),
    "plan": ("plan", "margin", "5%", *DIE),
    "privacy": ("privacy", "forced:2/3,1/6,1/6"),
    "unused": ("design", "kary", "--epsilon", "1", "-k", "3", "--objective", "trace:1,2,3"),
    "criterion": ("design", "binary", "--level", "curve:min(1, sqrt(2)*p)", "--prevalence", "1/10"),
    "compose": ("compose", "warner:3/4*3", "--delta", "1/1000"),
    "shuffle": ("shuffle", "1", "--n", "50", "--delta", "1/100"),
    "audit": ("audit", "--counts", "100,200", "--counts", "200,100"),
}

PRINTED: dict[str, str] = {}  # the JSON of the calls so far: their input is the same in every test
WRITTEN: dict[str, str] = {}  # the files of the fixture `designs`


class Reader(HTMLParser):
    """Collects the paragraphs, the items of lists and the rows of tables of a page in front of its appendix."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.paragraphs: list[str] = []
        self.items: list[str] = []
        self.rows: list[list[str]] = []
        self.first_heading_after = -1
        self.headings: list[str] = []
        self.below: dict[str, list[str]] = {}  # the paragraphs below each heading
        self._open = ""
        self.feed(text.partition("Appendix: exact values")[0])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open = tag
        if tag == "p":
            self.paragraphs.append("")
        elif tag == "li":
            self.items.append("")
        elif tag == "h2":
            self._heading = ""
        elif tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
        if tag == "h2" and self.first_heading_after < 0:
            self.first_heading_after = len(self.paragraphs)

    def handle_endtag(self, tag: str) -> None:
        if tag == "h2":
            self.below[self._heading] = []
            self.headings.append(self._heading)
        elif tag == "p" and self.below:
            self.below[self._heading].append(self.paragraphs[-1])

    def handle_data(self, data: str) -> None:
        if self._open == "p":
            self.paragraphs[-1] += data
        elif self._open == "li":
            self.items[-1] += data
        elif self._open == "h2":
            self._heading += data
        elif self._open in ("td", "th"):
            self.rows[-1][-1] += data


def remarks(data: Any, *words: str) -> Iterator[str]:
    """Yield the texts below the keys `remarks` and `notes`, without a certificate; shares no code with the page."""
    stack = [data]
    while stack:
        value = stack.pop()
        if isinstance(value, dict) and "format" not in value:
            for key, item in value.items():
                if key in (words or ("remarks", "notes")):
                    yield from item
                else:
                    stack.append(item)
        elif isinstance(value, list):
            stack += value


@pytest.fixture(autouse=True)
def _quick_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures are drawn and not written: test_survey_report.py looks at them."""
    monkeypatch.setattr("rropt.plots.Figure.to_svg", lambda *_, **__: "<svg/>")


@pytest.fixture
def made(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Return a function that runs a command and writes its JSON to a file."""
    monkeypatch.chdir(tmp_path)
    rows = [f"{int(i % 12 == 0)},{('north', 'south')[i % 2]},{1 + i % 3},{i % 30}" for i in range(243)]
    Path("few.csv").write_text("\n".join(["sick,region,w,c", *rows]) + "\n")
    Path("gaps.csv").write_text(
        "\n".join(["sick,region", *(f"{('', '0', '1')[i % 3]},{'ab'[i % 2]}" for i in range(60))])
    )
    pairs = [f"{int(i == 3)},{int(i < 2)},bits:{('3/4', '2/3')[i % 2]}*2" for i in range(300)]
    Path("pairs.csv").write_text("\n".join(["q1,q2,device", *pairs]) + "\n")
    Path("sets.txt").write_text("10000\n" * 200)
    uses = [f"{NAMES[i * 7 % 5]},{('no', 'yes')[i % 2]}" for i in range(100)]
    Path("use.csv").write_text("\n".join(["use,sick", *uses]) + "\n")

    def run(name: str, *call: str) -> str:
        if name == "members":
            assert cli("count", "sets.txt", "--mechanism", "oue:5,3", "--output", "counts.json")[0] == 0
        out = "" if call else PRINTED.get(name, "")
        if not out:
            status, out, error = cli(*(call or CALLS[name]), "--json")
            assert status == 0, error
            if not call:
                PRINTED[name] = out
        Path(f"{name}.json").write_text(out)
        return f"{name}.json"

    return run


def page(cli: Cli, *files: str) -> Reader:
    status, _, error = cli("report", *files, "--output", "page.html")
    assert status == 0, error
    return Reader(Path("page.html").read_text())


ADDED = [  # a result beside which the command prints another one
    "count counts.json --exceeding 1/10",
    "privacy warner:5/6 --level posterior:1/5,1/2",
    "privacy grr:3,1/2 --level factor:2 --properties 0;1,2",
    "privacy oue:1000000,3 --level posterior:1/5,1/2",
    "privacy warner:3/4 --profile",
    "privacy bits:3/4*3",
    "privacy warner:3/4 --level posterior:1/5,1/2",
    "design binary --level curve:sqrt(p) --prevalence 1/10",
    "design binary --epsilon 1 --prevalence 1/10 --for cards",
    "design binary --level curve:min(1,sqrt(2)*p) --prevalence 1/10 --for cards",
    "plan margin 5% --mechanism warner:3/4 --direct",
    "estimate --yes 10 --n 243 --mechanism warner:3/4 --direct 3,100",
    "laplace --epsilon 1/2 --release 831",
    "regress few.csv --formula sick~region --model linear --mechanism warner:3/4 --margins --by region "
    "--predict few.csv",
]


@few_rows(1)
@pytest.mark.parametrize("call", ADDED)
def test_what_a_command_prints_beside_a_result_stands_on_the_page(
    cli: Cli, made: Callable[..., str], monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    monkeypatch.setenv("COLUMNS", "500")
    made("members")
    words = call.split(" ")
    _, printed, _ = cli(*words)
    Path("added.json").write_text(cli(*words, "--json")[1])
    cells = {cell for row in page(cli, "added.json").rows for cell in row}
    lines = [re.split(r"\s{2,}", line.strip()) for line in printed.splitlines()]
    labels = {line[0] for line in lines if len(line) > 1 and re.search("[a-z(]", line[0])}
    assert len(labels) > 3
    labels -= {"note"}  # it stands among the limits
    labels = {label for label in labels if "[T." not in label}  # in words on a page: region south (against ...)
    assert not {label for label in labels if label not in cells and not re.search("^[a-z]+:[0-9]", label)}


@few_rows(1)
@pytest.mark.parametrize(
    ("call", "key", "false"),
    [
        ("privacy warner:3/4 --profile", "profile", lambda found: [{**found[1], "gamma_from": "1"}]),
        ("privacy bits:3/4*3", "questions", lambda found: {**found, "questions": ["0", "0", "0"]}),
        ("privacy grr:3,1/2 --level factor:2 --properties 0;1,2", "properties", lambda found: {**found, "parity": "1"}),
        ("privacy warner:3/4 --level posterior:1/5,1/2", "question", lambda found: 5),
    ],
)
def test_what_is_decided_is_decided_again(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, key: str, false: Callable[[Any], Any]
) -> None:
    monkeypatch.chdir(tmp_path)
    data = json.loads(cli(*call.split(), "--json")[1])
    for value in (false(data[key]), 5):
        Path("false.json").write_text(json.dumps({**data, key: value}))
        status, out, error = cli("report", "false.json", "--output", "page.html")
        assert (status, out, error.count("\n")) == (2, "", 1)
        assert "use the file as it was written" in error


def test_numbers_too_long_for_a_page_are_refused(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    data = json.loads(cli("compose", "warner:3/4", "--epsilon", "1", "--points", "2", "--json")[1])
    data["curve"][0]["upper"] = "9" * 6000
    Path("long.json").write_text(json.dumps(data))
    status, out, error = cli("report", "long.json", "--output", "page.html")
    assert (status, out, error.count("\n")) == (2, "", 1)
    assert "use the file as it was written" in error


def test_categories_that_exceed_a_proportion_are_tested_again(cli: Cli, made: Callable[..., str]) -> None:
    made("members")
    data = json.loads(cli("count", "counts.json", "--exceeding", "1/10", "--json")[1])
    Path("false.json").write_text(json.dumps({**data, "exceeding": {**data["exceeding"], "rows": []}}))
    assert [row[0] for row in page(cli, "false.json").rows if row[-1] == "< 0.001"] == ["0"]
    Path("false.json").write_text(json.dumps({**data, "exceeding": {"rows": []}}))
    assert cli("report", "false.json", "--output", "page.html")[0] == 2


@pytest.mark.slow
def test_of_many_rows_the_page_says_how_many_are_left_out(cli: Cli, made: Callable[..., str]) -> None:
    call = "regress few.csv --formula sick~region --model linear --mechanism warner:3/4 --predict few.csv"
    Path("rows.json").write_text(cli(*call.split(), "--json")[1])
    rows = page(cli, "rows.json").rows
    at = rows.index(["43 more rows", "", "", ""])
    assert rows[at - 1][0] == "200"


def test_an_estimate_by_a_played_design_agrees_with_the_json_of_the_design(cli: Cli, made: Callable[..., str]) -> None:
    design = "design binary --epsilon 1 --prevalence 1/10 --for cards --output played.json --certificate c.json --json"
    Path("design.json").write_text(cli(*design.split())[1])
    estimate = made("estimate", "estimate", "--yes", "300", "--n", "1000", "--mechanism", "played.json")
    found = page(cli, estimate, "design.json")
    assert any("19/26" in text and "promised is epsilon = 1" in text for text in found.paragraphs)
    assert ["played with", "cards"] in found.rows
    assert not any("is optimal" in text or "of optimal" in text for text in found.paragraphs)
    assert cli("report", estimate, "c.json", "--output", "page.html")[0] == 2  # the certificate is of another design
    data = json.loads(Path("design.json").read_text())
    data["played"]["matrix"] = [["9/10", "1/10"], ["1/10", "9/10"]]
    Path("design.json").write_text(json.dumps(data))
    status, _, error = cli("report", "design.json", "--output", "page.html")
    assert status == 2
    assert "exceeds the level" in error


@few_rows(2)
@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("plan margin --mechanism warner:3/4 --n 1000 --prevalence 1/4", "What 1000 respondents achieve:"),
        ("plan strata 0.9:0.1,0.1:0.5 --mechanism warner:3/4 --n 1000", "What 1000 respondents achieve:"),
        ("plan groups 0.1,0.5 --mechanism warner:3/4 --power 0.8", "respondents in each of the two groups."),
        (
            "estimate --counts 10,11,11 --mechanism christofides:1/4,1/4,1/2 --population 32",
            "p1 = 1/4, p2 = 1/4, p3 = 1/2",
        ),
        ("estimate --counts 50,30,18,2 --mechanism bits:3/4*2 --marginals 1", "60, 63-69; Clopper"),
        ("estimate --yes 328 --n 710 --mechanism warner:3/4 --population 10777", "60, 63-69; Clopper"),
    ],
)
def test_sentences_are_about_the_result(cli: Cli, made: Callable[..., str], call: str, words: str) -> None:
    assert any(words in text for text in page(cli, made("one", *call.split())).paragraphs)


@few_rows(1)
@pytest.mark.parametrize("name", CALLS)
def test_every_remark_of_the_json_stands_once_on_the_page(cli: Cli, made: Callable[..., str], name: str) -> None:
    """A warning stands on the first screen or, the sixth and later ones, among the limits; a note among the methods.

    The sheet that a question by groups begins with has all warnings, the first in full and the others folded.
    """
    file = made(name)
    data = json.loads(Path(file).read_text())
    warned, noted = (dict.fromkeys(remarks(data, word)) for word in ("remarks", "notes"))
    read = page(cli, file)
    before = [text for text in read.paragraphs[: read.first_heading_after] if not text.startswith("Result: ")]
    text = unescape(Path("page.html").read_text()).replace("\N{NO-BREAK SPACE}", " ")
    if "--by" in CALLS[name]:  # the sheet of the question stands there; its sentences end with a full stop
        assert before.pop(0).startswith("Estimated proportions, from ")
        first, *others = warned
        assert [line for line in before if line.startswith("Remark")] == [f"Remark: {first}."]
        assert text.count(f'<div class="warn"><p>Remark: {first}.</p></div><details') == 1
        assert {remark: text.count(f"<li>Remark: {remark}.</li>") for remark in others} == dict.fromkeys(others, 1)
        assert not any(note in " ".join(before) for note in noted)
    else:
        assert before == []
    for remark in warned:
        assert text.count(f"<li>Remark: {remark}</li>") + text.count(f"<p>Remark: {remark}</p>") == 1, remark
    assert {note: text.count(f"<li>{note}</li>") for note in noted} == dict.fromkeys(noted, 1)
    box = re.search(r'<div class="warn"><ul>(.*?)</ul>', text)
    assert (0 if box is None else box[1].count("<li>Remark: ")) in (0, min(len(warned), 5))
    assert not any(note in box[1] for note in noted if box)
    if name not in ("plan", "privacy", "compose", "shuffle"):
        assert warned or noted, "the case has no remark: choose another"


def test_remarks_on_standard_error_are_those_of_the_json(cli: Cli, made: Callable[..., str]) -> None:
    for name in ("empty", "groups", "weighted", "finite", "unused", "bounds", "audit", "criterion"):
        found = list(remarks(json.loads(Path(made(name)).read_text())))
        printed = cli(*CALLS[name])[2]
        assert "remark: " in printed or name == "criterion"
        for line in printed.splitlines():
            if line.startswith("remark: ") and "--" not in line:
                assert line.removeprefix("remark: ") in found, (name, line)


def test_remarks_of_several_files_name_their_question(cli: Cli, made: Callable[..., str]) -> None:
    read = page(cli, made("groups"), made("empty"))
    top = read.paragraphs + read.items
    assert any(text.startswith("Remark on sick by region: ") for text in top)
    assert any(text.startswith("Remark on empty: ") for text in top)


def test_nothing_stands_twice_on_the_page_of_several_questions(cli: Cli, made: Callable[..., str]) -> None:
    read = page(cli, *(made(name) for name in ("weighted", "clusters", "groups")))
    texts = [text for text in read.paragraphs if not text.startswith("Remark")]
    assert len(set(texts)) == len(texts)
    assert read.headings == ["Data", "Devices", "Estimates", "Limits", "Methods and checks"]
    assert all(".json" not in text for text in read.paragraphs)
    use = ("estimate", "use.csv", "--column", "use", "--categories", ",".join(NAMES), "--mechanism", "grr:5,1/2")
    other = page(cli, made("weighted"), made("use", *use)).paragraphs
    devices = [text.partition(":")[0] for text in other if text.startswith("Device")]
    assert devices == ["Device of sick", "Device of use"]


def test_devices_of_a_column_have_their_declared_names(cli: Cli, made: Callable[..., str]) -> None:
    Path("rows.csv").write_text("sick,d\n" + "".join(f"{i // 2 % 2},{'AB'[i % 2]}\n" for i in range(80)))
    names = {"A": {"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}, "B": "warner:9/10", "C": "warner:2/3"}  # nobody used C
    names["D"] = "warner:3/4"  # the matrix of A
    Path("names.json").write_text(json.dumps(names))
    call = ("estimate", "rows.csv", "--column", "sick", "--devices", "d=names.json")
    text = page(cli, made("named", *call)).paragraphs
    assert [words.split(".")[0][:24] for words in text if words.startswith("Device")] == [
        "Device A or D of sick: T",
        "Device B of sick: Warner",
    ]


def test_results_of_python_have_their_remarks() -> None:
    found = rropt.estimate([233, 10], "forced:2/3,1/6,1/6")
    items = Reader(rropt_fieldwork.report(found).to_html()).items  # what warns stands in a box at the top
    assert {f"Remark: {remark}" for remark in found.remarks()} <= set(items)
    solution = rropt.solve(rropt.Problem.kary(3, epsilon=1, objective=rropt.objectives.Trace([1, 2, 3])))
    assert [f"Remark: {remark}" for remark in solution.remarks()] == Reader(
        rropt_fieldwork.report(solution).to_html()
    ).below["Limits"]


@few_rows(1)
@pytest.mark.parametrize(
    "name",
    ["empty", "full", "groups", "weighted", "finite", "direct", "several", "joint", "rows", "members"],
)
def test_an_empty_interval_is_none_everywhere(cli: Cli, made: Callable[..., str], name: str) -> None:
    file = made(name)
    _, out, err = cli(*CALLS[name])
    printed = " ".join(out.split())
    assert EMPTY in printed or (re.search(r"\bnone\b", printed) and EMPTY in err)
    assert "0.000 to 0.000" not in printed
    assert "1.000 to 1.000" not in printed
    cells = [cell for row in page(cli, file).rows for cell in row]
    assert any(EMPTY in cell or cell == "none" for cell in cells)
    assert not any(cell.startswith(("0.000 to 0.000", "1.000 to 1.000")) for cell in cells)
    assert cli("report", file, "--output", "page.tex")[0] == 0
    assert EMPTY in Path("page.tex").read_text()  # the remark
    assert any(EMPTY in text for text in remarks(json.loads(Path(file).read_text())))


def test_remarks_name_each_empty_interval_of_several_questions(cli: Cli, made: Callable[..., str]) -> None:
    for name in ("several", "joint", "rows"):
        data = json.loads(Path(made(name)).read_text())
        ends = [next(iter(row["intervals"].values())) for row in data["rows"]]
        empty = sum(low == high and float(low) in (0, 1) for low, high in ends)  # cut to one end of [0, 1]
        (text,) = (text for text in data["remarks"] if EMPTY in text)  # of the intervals that are shown
        assert text.startswith("interval of ")
        listed = text.removeprefix("interval of ").partition(": none")[0]
        more = re.search(r", and (\d+) more$", listed)
        assert empty == len(listed.split("; ")) + (int(more[1]) if more else 0)
    calm = made("calm", "estimate", "--counts", "40,30,20,10", "--mechanism", "bits:3/4*2", "--marginals", "1")
    assert not any(EMPTY in text for text in remarks(json.loads(Path(calm).read_text())))


@few_rows(1)
@pytest.mark.parametrize("name", ["compose", "shuffle", "over", "audit"])
def test_numbers_of_every_command_stand_in_each_format(cli: Cli, made: Callable[..., str], name: str) -> None:
    over = ("panel", "warner:3/4", "--memo", "warner:2/3", "--waves", "3")
    file = made(name, *(over if name == "over" else CALLS[name]))
    data = json.loads(Path(file).read_text())
    value = data["epsilon_at_least" if name == "audit" else "upper"]
    short = f"{float(Fraction(value)):.6g}"
    texts = [text for text in data.values() if isinstance(text, str) and " " in text]
    for ending in ("html", "md", "tex"):
        assert cli("report", file, "--output", f"page.{ending}")[0] == 0
        shown = Path(f"page.{ending}").read_text().partition("Appendix: exact values")[0]
        assert short in shown, ending
        if ending == "html":
            assert all(text in shown for text in texts)
    if data.get("curve"):
        row = [row for row in page(cli, file).rows if len(row) == 3][-1]
        last = data["curve"][-1]
        ends = [f"{float(Fraction(last[key])):.6g}" for key in ("lower", "upper")]
        assert [f"{float(re.split('[~ ]+', cell)[-1]):.6g}" for cell in row[1:]] == ends


def test_an_interval_with_a_possible_value_is_printed() -> None:
    found = rropt.inference.estimate(
        "forced:2/3,1/6,1/6", yes=38, n=243
    )  # the estimate is below 0, the interval is not
    assert found.prevalence < 0
    ends = found.interval()
    assert not ends.emptied
    assert str(ends).startswith("0 to 0.0")
    empty = rropt.inference.estimate("forced:2/3,1/6,1/6", yes=10, n=243).interval()
    assert (str(empty), dict(empty.lines())["from"]) == (EMPTY, EMPTY)


@pytest.mark.slow
def test_every_category_has_its_own_name(cli: Cli, made: Callable[..., str]) -> None:
    file = made(
        "use", "estimate", "use.csv", "--column", "use", "--categories", ",".join(NAMES), "--mechanism", "grr:5,1/2"
    )
    assert json.loads(Path(file).read_text())["question"]["categories"] == NAMES
    read = page(cli, file)
    assert [row[0] for row in read.rows][1:6] == NAMES
    assert not any("the trait" in text for text in read.paragraphs)
    named = made(
        "named", "estimate", "use.csv", "--column", "use", "--categories", f"use={','.join(NAMES)}",
        "--mechanism", "grr:5,1/2",
    )  # fmt: skip
    assert json.loads(Path(named).read_text())["question"]["categories"] == {"use": NAMES}
    assert [row[0] for row in page(cli, named).rows][1:6] == NAMES
    one = made("one", "estimate", "use.csv", "--column", "sick", "--categories", "no,yes", "--mechanism", "warner:3/4")
    assert any("The estimate is the proportion of yes" in text for text in page(cli, one).paragraphs)
    groups = made(
        "by", "estimate", "use.csv", "--column", "use", "--categories", ",".join(NAMES), "--mechanism", "grr:5,1/2",
        "--by", "sick",
    )  # fmt: skip
    read = page(cli, groups)
    assert not any("the trait" in text for text in read.paragraphs)
    assert read.rows.count(["sick", "respondents", *NAMES]) == 1
    assert {f"{group}: {name}" for group in ("no", "yes") for name in NAMES} <= {row[0] for row in read.rows if row}
    assert any(text.startswith("Question: use. Each category") for text in read.paragraphs)


@pytest.fixture
def designs(cli: Cli, made: Callable[..., str]) -> None:
    """Write designs, mechanisms and certificates at two levels, estimates under both, a plan and an audit."""
    for name, text in WRITTEN.items():
        Path(name).write_text(text)
    if WRITTEN:
        return
    for name, level in (("a", "log(3)"), ("b", "log(5)")):
        files = ("--output", f"m{name}.json", "--certificate", f"c{name}.json")
        made(f"d{name}", "design", "binary", "--epsilon", level, "--prevalence", "1/10", *files)
        made(f"e{name}", "estimate", "--yes", "100", "--n", "240", "--mechanism", f"m{name}.json")
        made(f"g{name}", "estimate", "few.csv", "--column", "sick", "--mechanism", f"m{name}.json", "--by", "region")
        made(f"w{name}", "estimate", "few.csv", "--column", "sick", "--mechanism", f"m{name}.json", "--weights", "w")
        made(
            f"f{name}", "estimate", "--yes", "100", "--n", "240", "--population", "900", "--mechanism", f"m{name}.json"
        )
        made(
            f"n{name}", "noncompliance", "--yes", "100", "--n", "240", "--theta", "0.1", "--mechanism", f"m{name}.json"
        )
        made(f"p{name}", "plan", "margin", "5%", "--mechanism", f"m{name}.json")
        made(f"v{name}", "privacy", f"m{name}.json")
    WRITTEN.update((file.name, file.read_text()) for file in Path().glob("*.json"))


@pytest.mark.slow
def test_files_that_disagree_are_an_error_that_names_both(
    cli: Cli, designs: None, size: Callable[[int, int], int]
) -> None:
    """Each two kinds of results, in one order; at full size in both."""
    for one, other in list(permutations("dmcegwfnpv", 2)) if size(0, 1) else combinations("dmcegwfnpv", 2):
        if one in "egwfn" and other in "egwfn":
            continue  # two estimates may have two mechanisms: each section states its own
        status, out, error = cli("report", f"{one}a.json", f"{other}b.json", "--output", "page.html")
        assert (status, out) == (2, ""), (one, other)
        assert f"'{one}a.json'" in error
        assert f"'{other}b.json'" in error
        assert "disagree" in error
        assert not Path("page.html").exists()
    for files in permutations(["ea.json", "eb.json", "ma.json"]):  # no file of the second estimate's mechanism
        status, _, error = cli("report", *files, "--output", "page.html")
        assert status == 2
        assert "'eb.json'" in error
        assert "'ma.json'" in error


@pytest.mark.slow
def test_compositions_and_regressions_are_compared_with_other_files(cli: Cli, designs: None, made: Any) -> None:
    Path("rows.csv").write_text("sick,x,d\n" + "".join(f"{i // 2 % 2},{i % 7},{'AB'[i % 2]}\n" for i in range(80)))
    for one in "ab":
        mechanism = json.loads(Path(f"m{one}.json").read_text())["matrix"]
        Path("names.json").write_text(json.dumps({"A": {"matrix": mechanism}, "B": "warner:9/10"}))
        Path("table.csv").write_text(f"question,mechanism,epsilon\nq1,m{one}.json,\nq2,,1\n")
        regress = ("regress", "rows.csv", "--formula", "sick ~ x")
        made(f"r{one}", *regress, "--devices", "d=names.json")
        made(f"s{one}", *regress, "--mechanism", f"m{one}.json")
        hidden = ("--formula", "x ~ sick", "--model", "linear", "--covariate", f"sick=m{one}.json")
        made(f"t{one}", "regress", "rows.csv", *hidden)
        made(f"x{one}", "compose", f"m{one}.json*3", "1/2", "--delta", "1/1000")
        made(f"y{one}", "compose", "--questions", "table.csv", "--delta", "1/1000")
        made(f"z{one}", "shuffle", f"m{one}.json", "--n", "20", "--delta", "1/10")
        made(f"l{one}", "panel", f"m{one}.json", "--waves", "2")
        made(f"o{one}", "panel", "warner:19/20", "--memo", f"m{one}.json", "--waves", "2")
        made(f"k{one}", "panel", "--questions", "table.csv", "--waves", "2")
    for one in "rstxyzlok":
        others = "mx" if one in "rst" else "emx".replace(one, "")  # two results may have two mechanisms
        for other in others:
            status, _, error = cli("report", f"{one}a.json", f"{other}b.json", "--output", "page.html")
            assert (status, "disagree" in error) == (2, True), (one, other)
            assert f"'{one}a.json'" in error
            assert f"'{other}b.json'" in error
        assert cli("report", *(f"{kind}a.json" for kind in one + others), "--output", "page.html")[0] == 0, one
    level = made("level", "compose", "1/2", "--delta", "1/1000")  # a level is no mechanism
    assert cli("report", level, "ea.json", "--output", "page.html")[0] == 0


def test_several_questions_are_compared_with_other_files(cli: Cli, made: Callable[..., str]) -> None:
    Path("own.json").write_text(json.dumps(rropt.Mechanism("bits:3/4*2").to_dict()))
    Path("other.json").write_text(json.dumps(rropt.Mechanism("bits:4/5*2").to_dict()))
    own = made("own_three", "compose", "warner:3/4*2", "--delta", "0")
    other = made("other_three", "compose", "warner:4/5*2", "--delta", "0")
    for name in ("several", "joint", "rows"):
        file = made(name)
        for agreeing in ("own.json", own):
            assert cli("report", file, agreeing, "--output", "page.html")[0] == 0
        for another in ("other.json", other):
            assert cli("report", file, another, "--output", "page.html")[0] == 2


def test_files_that_agree_make_a_page(cli: Cli, designs: None) -> None:
    assert cli("report", *(f"{kind}a.json" for kind in "dmcegwfnpv"), "--output", "page.html")[0] == 0
    assert cli("report", "eb.json", "cb.json", "--output", "page.html")[0] == 0
    assert cli("report", "ea.json", "eb.json", "ma.json", "mb.json", "--output", "page.html")[0] == 0


def test_three_devices_beside_another_mechanism_are_an_error(cli: Cli, made: Callable[..., str]) -> None:
    names = ("warner:3/4", "warner:2/3", "warner:5/6")
    Path("three.csv").write_text("sick,d\n" + "".join(f"{i % 2},{names[i % 3]}\n" for i in range(90)))
    file = made("three", "estimate", "three.csv", "--column", "sick", "--devices", "d")
    Path("other.json").write_text('{"matrix": [["731/1000", "269/1000"], ["269/1000", "731/1000"]]}')
    Path("own.json").write_text('{"matrix": [["5/6", "1/6"], ["1/6", "5/6"]]}')
    status, _, error = cli("report", file, "other.json", "--output", "page.html")
    assert status == 2
    assert "0.731" in error
    assert "0.833333" in error
    read = page(cli, file, "own.json")
    assert not any("0.731" in text for text in read.paragraphs)


def test_the_certificate_of_merged_categories_agrees_with_its_design(cli: Cli, made: Callable[..., str]) -> None:
    made(
        "merged", "design", "kary", "--epsilon", "1", "--objective", "total-variation:3/8,3/8,1/8,1/8",
        "--proportions", "1/8,1/8,3/8,3/8",
        "--output", "m.json", "--certificate", "c.json",
    )  # fmt: skip
    assert page(cli, "merged.json", "m.json", "c.json").paragraphs


PROMISES = {
    "epsilon = 1, delta = 1/100": ("binary", "--epsilon", "1", "--delta", "1/100", "--outputs", "any"),
    "Renyi divergence of order 2 <= 1": ("kary", "-k", "2", "--level", "renyi:2,1"),
    "zCDP with rho = 1": ("kary", "-k", "2", "--level", "zcdp:1"),
    "levels (1, 1/100), (2, 0)": ("kary", "-k", "3", "--level", "1,1/100", "--level", "2,0"),
    "1/10-to-1/2 privacy": ("binary", "--level", "posterior:1/10,1/2"),
}


@few_rows(1)
@pytest.mark.parametrize("promise", PROMISES)
def test_the_page_of_a_design_states_what_is_promised(cli: Cli, made: Callable[..., str], promise: str) -> None:
    kind, *level = PROMISES[promise]
    goal = (
        ("--prevalence", "1/10") if kind == "binary" else ("--objective", "a-optimal" if "2" in level[1] else "trace")
    )
    file = made("design", "design", kind, *level, *goal, "--output", "m.json", "--report", "board.html")
    written = (
        [file] if promise.endswith("privacy") else [file, "m.json"]
    )  # the file of a mechanism names the level of a criterion
    for each in written:
        told = " ".join(page(cli, each).paragraphs)
        assert promise in told, each
    board = Reader(Path("board.html").read_text())
    text = Path("board.html").read_text()
    if not promise.endswith("privacy"):
        assert promise.replace("<", "&lt;") in text
    assert board.paragraphs
    if "delta" in promise:
        assert "epsilon is infinite" not in told


def test_the_page_of_a_gaussian_mechanism_states_what_is_promised(cli: Cli, tmp_path: Path) -> None:
    region = {"kind": "gaussian-privacy", "inputs": "2", "outputs": "any", "mu": "1", "levels": "160"}
    problem = {"region": region, "objective": {"kind": "a-optimal"}, "population": ["1/2", "1/2"]}
    matrix = [["3/5", "2/5"], ["2/5", "3/5"]]
    file, made = tmp_path / "m.json", tmp_path / "page.html"
    file.write_text(json.dumps({"matrix": matrix, "problem": problem}))
    assert cli("report", str(file), "--output", str(made))[0] == 0
    assert "Gaussian differential privacy with mu = 1" in " ".join(Reader(made.read_text()).paragraphs)


def test_a_gap_is_absolute_where_the_optimum_is_0() -> None:
    assert _optimality({"value": "0", "lower": "-1/100", "upper": "1/100"}) == "The device is within 2 % of optimal"


@pytest.mark.slow
def test_a_bracket_is_not_called_optimal(cli: Cli, made: Callable[..., str]) -> None:
    exact = made("exact", "design", "binary", "--epsilon", "log(3)", "--prevalence", "1/10")
    assert any(text.startswith("The device is optimal;") for text in page(cli, exact).paragraphs)
    near = made("near", "design", "kary", "-k", "2", "--level", "renyi:2,1", "--objective", "a-optimal")
    told = page(cli, near).paragraphs
    assert any("% of optimal;" in text for text in told)
    assert not any("is optimal" in text for text in told)
