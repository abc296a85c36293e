"""The report that can be handed in: words, one table with an interval a row, and every format."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from rropt.reports.documents import (
    Chart,
    Document,
    Heading,
    Paragraph,
    TableBlock,
    to_csv,
    to_html,
    to_latex,
    to_markdown,
)

Cli = Callable[..., tuple[int, str, str]]
HOSTILE = "=SUM(A1) & 50% _x_ <b>|`$"
DOCUMENT = Document(
    "A & B",
    (
        Heading("Results"),
        Paragraph(f"Question: {HOSTILE}"),
        TableBlock("Shares", ("group", "n", "estimate"), ((HOSTILE, "10", "0.25"), ("south", "20", "-0.5"))),
        Chart("Estimates", (("north", 0.25, 0.1, 0.4), ("south", -0.5, -0.6, -0.4))),
    ),
    (TableBlock("", ("what", "exact value"), (("north", "1/4"),)),),
)


@pytest.fixture
def answers(cli: Cli, tmp_path: Path) -> list[str]:
    """Return the files of an estimate by group, a weighted one, bounds, a plan, and a device."""
    rows = "".join(f"{i * 7 % 3 % 2},{'north' if i % 2 else 'south'},{1 + i % 3}\n" for i in range(120))
    data = tmp_path / "survey.csv"
    data.write_text("sick,region,w\n" + rows)
    halves = tmp_path / "halves.csv"
    halves.write_text("z,d\n" + "".join(f"{i * 7 % 5 % 2},mangat:{1 + 4 * (i % 2)}/6\n" for i in range(90)))
    asked = ("estimate", str(data), "--column", "sick", "--mechanism", "warner:3/4")
    nigeria = ("--yes", "831", "--n", "2435", "--mechanism", "forced:2/3,1/6,1/6")
    calls = {
        "groups": (*asked, "--by", "region"),
        "weighted": (*asked, "--weights", "w"),
        "bounds": ("noncompliance", *nigeria, "--theta", "0.05"),
        "plan": ("plan", "--mechanism", "warner:3/4", "--margin", "5%"),
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
        "direct": ("estimate", *nigeria, "--direct-yes", "300", "--direct-n", "2000"),
        "halves": ("noncompliance", str(halves), "--column", "z", "--devices", "d", "--design", "lie-detector"),
    }
    files = []
    for name, call in calls.items():
        status, out, error = cli(*call, "--json")
        assert status == 0, error
        (tmp_path / f"{name}.json").write_text(out)
        files.append(str(tmp_path / f"{name}.json"))
    return files


def test_a_report_has_words_a_table_a_chart_and_citations(cli: Cli, answers: list[str], tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    assert cli("report", *answers, "--output", str(page), "--title", "Health survey")[0] == 0
    text = page.read_text()
    first = text.partition('class="appendix"')[0]
    for words in (
        "Question: sick", "Device: Warner", "north", "south", "95 % interval", "<svg", "Warner (1965)", "rropt ",
        "do not follow the device", "Forced response",
    ):  # fmt: skip
        assert words in first, words
    for words in ("question 0, cell 1", "population of 10777", "difference", "chance of the truth"):
        assert words in first, words
    assert "0.262" in first  # 2551/9740, rounded to what the standard error bears
    assert "2551/9740" not in first
    assert "2551/9740" in text


@pytest.mark.parametrize("ending", ["md", "tex", "csv"])
def test_every_format_holds_the_table(cli: Cli, answers: list[str], tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"report.{ending}"
    assert cli("report", *answers, "--output", str(path))[0] == 0
    text = path.read_text()
    assert "north" in text
    assert "0.262" in text


@pytest.mark.parametrize("ending", ["pdf", "docx", "xlsx"])
def test_other_endings_are_refused(cli: Cli, answers: list[str], tmp_path: Path, ending: str) -> None:
    status, _, error = cli("report", answers[0], "--output", str(tmp_path / f"report.{ending}"))
    assert status == 2
    assert error.rstrip().endswith("allowed are .html, .md, .tex, .csv")


def test_text_of_others_is_safe_in_every_format() -> None:
    html = to_html(DOCUMENT)
    assert "<b>" not in html.replace("<body>", "")
    assert "A &amp; B" in html
    markdown = to_markdown(DOCUMENT)
    assert "\\<b\\>\\|" in markdown
    assert all(line.count(" | ") == 2 for line in markdown.splitlines() if line.startswith(("| =", "| south")))
    rows = list(csv.reader(io.StringIO(to_csv(DOCUMENT))))
    assert ["'" + HOSTILE, "10", "0.25"] in rows
    assert ["south", "20", "-0.5"] in rows
    latex = to_latex(DOCUMENT)
    assert r"\& 50\% \_x\_ \textless{}b\textgreater{}\textbar{}`\$" in latex
    assert latex.count(r"\begin{tabular}") == 2


def test_latex_is_set(tmp_path: Path) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    (tmp_path / "report.tex").write_text(to_latex(DOCUMENT))
    done = subprocess.run(["pdflatex", "-interaction=batchmode", "report.tex"], cwd=tmp_path, check=False)
    assert done.returncode == 0


def test_a_regression_is_reported(cli: Cli, tmp_path: Path) -> None:
    pytest.importorskip("formulaic", reason="formulaic is not installed: pip install 'rropt[regression]'")
    data, answer, page = (tmp_path / name for name in ("d.csv", "a.json", "p.md"))
    data.write_text("z,x\n" + "".join(f"{i * 3 % 7 % 2},{i % 5}\n" for i in range(200)))
    answer.write_text(cli("regress", str(data), "--formula", "z ~ x", "--mechanism", "warner:3/4", "--json")[1])
    assert cli("report", str(answer), "--output", str(page))[0] == 0
    text = page.read_text()
    assert "Logistic regression" in text or "logistic regression" in text
    assert "inverse of the observed information" in text
    assert re.search(r"\| x \| -?\d+\.\d+ \| \d+\.\d+ \|", text)
    record = json.loads(answer.read_text())
    assert repr(record["coefficients"]["x"]) in text.replace("\\", "")
