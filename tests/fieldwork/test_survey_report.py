"""The report that can be handed in: sentences, the tables of every result, pictures, and every format."""

from __future__ import annotations

import json
import math
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from statistics import NormalDist

import pytest
from few_rows import few_rows

import rropt
import rropt_fieldwork
from rropt.cli.main import main
from rropt.core.certificates import Certificate
from rropt.plots.charts import Chart
from rropt.reports.document_writers import CertificateBlock, Document, Heading, Html, Items, Matrix, Paragraph, Picture

Cli = Callable[..., tuple[int, str, str]]
HOSTILE = '=SUM(A1) & 50% _x_ <b>|`$ \\input{x} ${1}^2 ~ \u202e # [a](javascript:b) "'
DOCUMENT = Document(
    f"A & B {HOSTILE}",
    (
        Heading(f"Results {HOSTILE}"),
        Paragraph(f"Question: {HOSTILE}"),
        Items((HOSTILE,)),
        Items((HOSTILE,), is_numbered=True),
        Matrix(HOSTILE, rropt.Mechanism("warner:3/4")),
        CertificateBlock(HOSTILE, Certificate.state(HOSTILE, {}, {}, {})),
        (f"Shares {HOSTILE}", ("group", "n", "estimate"), [(HOSTILE, "10", "0.25"), ("south", "20", "-0.5")]),
        ("", None, [(HOSTILE, "1/4")]),
        Html("<i>trusted</i>", HOSTILE),
    ),
)


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the files of an estimate by group, a weighted one, bounds, a plan, and a device."""
    folder = tmp_path_factory.mktemp("answers")
    rows = "".join(f"{i * 7 % 3 % 2},{'north' if i % 2 else 'south'},{1 + i % 3}\n" for i in range(120))
    data = folder / "survey.csv"
    data.write_text("sick,region,w\n" + rows)
    halves = folder / "halves.csv"
    halves.write_text("z,d\n" + "".join(f"{i * 7 % 5 % 2},mangat:{1 + 4 * (i % 2)}/6\n" for i in range(90)))
    asked = ("estimate", str(data), "--column", "sick", "--mechanism", "warner:3/4")
    nigeria = ("--yes", "831", "--n", "2435", "--mechanism", "forced:2/3,1/6,1/6")
    calls = {
        "groups": (*asked, "--by", "region"),
        "weighted": (*asked, "--weights", "w"),
        "bounds": ("noncompliance", *nigeria, "--theta", "0.05"),
        "plan": ("plan", "margin", "5%", "--mechanism", "warner:3/4"),
        "one": ("estimate", *nigeria),
        "grr": ("estimate", "--counts", "10,20,30", "--mechanism", "grr:3,1/2"),
        "several": ("estimate", "--counts", "50,30,18,2", "--mechanism", "bits:3/4*2", "--marginals", "1"),
        "finite": (
            "estimate",
            "--yes",
            "328",
            "--n",
            "710",
            "--mechanism",
            "unrelated:1/2,1/12",
            "--population",
            "10777",
        ),
        "direct": ("estimate", *nigeria, "--direct", "300,2000"),
        "halves": ("noncompliance", str(halves), "--column", "z", "--devices", "d", "--design", "lie-detector"),
    }
    files = []
    for name, call in calls.items():
        with redirect_stdout(StringIO()) as out:
            assert main([*call, "--json"]) == 0
        (folder / f"{name}.json").write_text(out.getvalue())
        files.append(str(folder / f"{name}.json"))
    return files


def test_a_report_has_words_tables_pictures_and_citations(cli: Cli, answers: list[str], tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    assert cli("report", *answers, "--output", str(page), "--title", "Health survey")[0] == 0
    text = page.read_text()
    first = text.partition("Appendix: exact values")[0]
    for words in (
        "Question: sick", "Device of sick: Warner", "north", "south", "95 % interval", '<img alt="', "Warner (1965)",
        "rropt ", "do not follow the device", "Forced response",
    ):  # fmt: skip
        assert words in first, words
    for words in ("question 0", "710 of 10,777 people", "p-value of no difference", "chance of the truth", "(Hajek)"):
        assert words in first, words
    assert "0.262" in first
    assert "0.261909650924" not in first  # the appendix has exact values
    assert "2551/9740 ~ 0.261909650924" in text


def test_a_report_cites_the_methods_that_it_uses(cli: Cli, answers: list[str], tmp_path: Path) -> None:
    rows = "".join(f"{i * 7 % 3 % 2},{i % 5},{1 + i % 3}\n" for i in range(120))
    (tmp_path / "people.csv").write_text("sick,age,w\n" + rows)
    asked = ("regress", str(tmp_path / "people.csv"), "--formula", "sick ~ age", "--mechanism", "warner:3/4", "--json")
    for name, more in (("plain", ()), ("design", ("--weights", "w"))):
        status, out, error = cli(*asked, *more)
        assert status == 0, error
        (tmp_path / f"{name}.json").write_text(out)
    files = {Path(file).stem: file for file in answers} | {n: str(tmp_path / f"{n}.json") for n in ("plain", "design")}
    expected = {"one": "Clopper", "grr": "Clopper", "weighted": "Saerndal", "plain": "", "design": "Binder"}
    expected |= {"finite": "Clopper", "halves": ""}
    for name, author in expected.items():
        page = tmp_path / f"{name}.md"
        assert cli("report", files[name], "--output", str(page))[0] == 0
        text = page.read_text()
        assert ("(Hajek)" in text) == (author == "Saerndal"), name
        cited = text.partition("References: ")[2]
        assert [one for one in ("Clopper", "Saerndal", "Binder") if one in cited] == [author] * bool(author), name


@few_rows(1)
@pytest.mark.parametrize("ending", ["md", "tex"])
def test_every_format_holds_the_table(cli: Cli, answers: list[str], tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"report.{ending}"
    assert cli("report", *answers, "--output", str(path))[0] == 0
    text = path.read_text()
    assert "north" in text
    assert "0.262" in text


def test_text_of_others_is_safe_in_every_format() -> None:
    html = DOCUMENT.to_html()
    assert "<b>" not in html.replace("<body>", "")
    assert "\u202e" not in html
    assert "<i>trusted</i>" in html
    assert html.count("A &amp; B =SUM(A1) &amp; 50% _x_ &lt;b&gt;|") == 2  # the title of the window too
    assert html.count("_x_ &lt;b&gt;|") == 19
    markdown = DOCUMENT.to_markdown()
    assert "\u202e" not in markdown
    code = re.search(r"```\n.*?\n```", markdown, re.DOTALL)[0]
    assert "_x_ <b>|" in code
    markdown = markdown.replace(code, "")
    assert markdown.count("_x\\_ \\<b\\>\\|") == markdown.count("b\\>") == 11
    assert "<b" not in markdown.replace("\\<b", "")
    assert "](" not in markdown.replace("\\]", "")
    rows = [line for line in markdown.splitlines() if line.startswith(("| =", "| south"))]
    assert [row.count(" | ") for row in rows] == [2, 2, 1]
    latex = DOCUMENT.to_latex()
    hostile = r"\_x\_ \textless{}b\textgreater{}\textbar{}\textasciigrave{}\$ \textbackslash{}input\{x\} \$\{1\}"
    assert rf"\& 50\% {hostile}" in latex
    assert r"\input" not in latex.replace(r"\inputenc", "")
    assert latex.count(r"\textless{}b\textgreater{}") == latex.count("_x") == 12
    assert "<" not in latex
    assert latex.count(r"\begin{tabular}") == 2
    assert r"\x1b" in repr(Document("\x1b", ()))
    assert "trusted" not in markdown + latex


def test_pictures_need_no_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    found = rropt_fieldwork.report(rropt.inference.estimate("warner:3/4", yes=40, n=100))
    assert sum(isinstance(block, Picture) for block in found.blocks) == 1
    shown = found.to_html()
    assert "from 100 responses" in shown.partition('<img alt="')[2].partition('"')[0]
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert found.to_html() == shown


def test_the_text_of_a_picture_ends_no_attribute() -> None:
    figure = rropt.plots.Figure(Chart(), f'" onerror="alert(1)" {HOSTILE}')
    html = Document("A", (Picture(lambda: figure),)).to_html()
    ((tag, attributes),) = [(tag, attributes) for tag, attributes in Tags(html).found if tag == "img"]
    assert (tag, [name for name, _ in attributes]) == ("img", ["alt", "src"])
    assert dict(attributes)["alt"].startswith('" onerror="alert(1)" =SUM(A1) & 50%')


def test_a_page_with_a_certificate_may_show_its_own_pictures_alone() -> None:
    design = rropt.solve(rropt.Problem.binary("1/10", epsilon="log(3)"))
    html = rropt_fieldwork.report(rropt.inference.estimate(design.mechanism, yes=40, n=100), design).to_html()
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-")
    assert policy.endswith("; img-src data:")
    assert all(tag != "img" or dict(attributes)["src"].startswith("data:") for tag, attributes in Tags(html).found)


class Tags(HTMLParser):
    """The elements of a page with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, attrs))


def test_latex_is_set(tmp_path: Path) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    (tmp_path / "report.tex").write_text(DOCUMENT.to_latex())
    done = subprocess.run(["pdflatex", "-interaction=batchmode", "report.tex"], cwd=tmp_path, check=False)
    assert done.returncode == 0


def test_a_regression_is_reported(cli: Cli, tmp_path: Path) -> None:
    data, answer, page = (tmp_path / name for name in ("d.csv", "a.json", "p.md"))
    data.write_text("z,x\n" + "".join(f"{i * 3 % 7 % 2},{i % 5}\n" for i in range(200)))
    answer.write_text(cli("regress", str(data), "--formula", "z ~ x", "--mechanism", "warner:3/4", "--json")[1])
    assert cli("report", str(answer), "--output", str(page))[0] == 0
    text = page.read_text()
    assert "**Logistic regression**" in text
    assert "inverse of the observed information" in text
    assert re.search(r"\| x \| -?\d+\.\d+ \| \d+\.\d+ \|", text)
    ratios = text.partition("**Odds ratios**")[2].partition("**")[0]
    (fitted,) = (row for row in json.loads(answer.read_text())["rows"] if row["name"] == "x")
    b, error = fitted["estimate"], fitted["se"]
    row = next(line for line in ratios.splitlines() if line.startswith("| x |"))
    quantile = NormalDist().inv_cdf(0.975)
    wanted = [math.exp(b + sign * quantile * error) for sign in (0, -1, 1)]
    value, ends = row.split("|")[2:4]
    texts = [text.strip() for text in (value, *ends.split(" to "))]
    (places,) = {len(text.partition(".")[2]) for text in texts}  # the digits of the error, in all three
    assert list(map(float, texts)) == pytest.approx(wanted, abs=0.5001 * 10**-places)
    least = wanted[1] * error
    assert 0.095 <= least * 10 ** (places - 1) < 0.995 * 10 or places == 0
    assert cli("report", str(answer), "--output", str(page.with_suffix(".html")))[0] == 0
    assert repr(b) in page.with_suffix(".html").read_text()


def test_a_question_in_the_place_of_its_result_is_an_error(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The suggested command is complete, also with a declaration of another name; a missing file is one."""
    monkeypatch.chdir(tmp_path)
    Path("data.csv").write_text("sick\n" + "1\n0\n0\n" * 30)
    Path("s t.toml").write_text(
        'title = "Health"\nfile = "data.csv"\nepsilon = "2"\nunit = "employees"\n\n[questions.sick]\n'
        'question = "Ill?"\ncategories = ["0", "1"]\ndevice = "warner:3/4"\n'
    )
    given = ("--survey", "s t.toml", "--output", "r.html")
    status, _, error = cli("report", "sick", *given)
    assert status == 2
    words = shlex.split(error.partition("with rropt ")[2].partition(" > ")[0])
    assert cli(*words)[0] == 0
    status, _, error = cli("report", "missing.json", *given)
    assert status == 2
    assert "missing.json" in error
    assert "question" not in error
    Path("s t.toml").rename("survey.toml")
    status, _, error = cli("report", "sick", "--output", "r.html")
    assert "with rropt estimate sick --json > result.json" in error
