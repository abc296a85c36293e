"""Results as Markdown, LaTeX and data frames."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import rropt
import rropt_fieldwork
from rropt.core.errors import MissingExtraError
from rropt.core.exact.display import in_full
from rropt.core.results.layout import tables_as_text
from rropt.core.results.markup import _GAP, _LINE, latex_table, markdown_table, tex_number


@pytest.fixture
def estimate():
    from rropt.estimates import estimates_of_counts

    return estimates_of_counts(_estimate())


def _estimate():
    from rropt.inference import estimate

    return estimate(rropt.Mechanism("forced:2/3,1/6,1/6"), [1604, 831])


def test_markdown_is_a_table_of_pipes(estimate) -> None:
    lines = estimate.to_markdown().splitlines()
    assert all(line.startswith("|") and line.endswith("|") for line in lines if line)
    assert markdown_table(("R&D", "&lt;"), ()).startswith(r"| R&D | \&lt; |")
    assert "| exactly | 2551/9740 |" in lines


def test_latex_sets_exact_numbers_as_formulas(estimate) -> None:
    text = estimate.to_latex()
    assert r"exactly & $\frac{2551}{9740}$ \\" in text
    assert r"$\log(5)$" in text
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == len(estimate.as_tables())
    assert tex_number("-1/3 and 2026/11/22, a_b/c") == r"$-\frac{1}{3}$ and 2026/11/22, a\_b/c"
    assert r"\caption{50\% \& more}" in latex_table("50% & more", ("a",), [("1",)])
    # \\ reads [ and * that follow as its arguments, and -- and ` are set as a dash and a quotation mark
    rows = latex_table("", ("a",), [("[0,1)",), ("*",), ("a--b `---",)]).splitlines()[6:9]
    assert rows == [r"{[}0,1) \\", r"{*} \\", r"a-{}-b \textasciigrave{}-{}-{}- \\"]


def test_latex_has_the_matrix() -> None:
    rows = "\n\\frac{3}{4} & \\frac{1}{4} \\\\\n\\frac{1}{4} & \\frac{3}{4}\n"
    formula = f"\\[\nP = \\left( \\begin{{array}}{{cc}}{rows}\\end{{array}} \\right)\n\\]"
    assert rropt.Mechanism.warner("3/4").to_latex() == formula
    assert rropt.design.binary("1/4", epsilon="log(3)").to_latex().count(f"\n{formula}\n") == 1
    assert "{\\approx} 0.7310585" in rropt.design.binary("1/4", epsilon=1).to_latex()
    assert rropt.Mechanism("grr:20,1/2").to_latex().count(r"\cdots") == 12 + 13  # twelve rows, and the last one
    large = rropt.Mechanism("grr:2000000,1/2").to_latex()
    assert "k = 2000000" in large
    assert "array" not in large


def test_a_design_is_five_lines_and_its_matrix() -> None:
    found = rropt.solve(rropt.Problem.binary("1/10", epsilon=1))
    ((_, _, rows),) = found.as_tables()
    assert [title for title, _ in rows] == [
        "problem",
        "n Var",
        "optimal designs",
        "posed twice",
        "closed form",
    ]  # the command adds the verdict
    with in_full():
        assert found.as_tables() == [("", None, found.lines())]
    assert "routes that agree" in dict(found.lines())


def test_frames_hold_numbers(estimate, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed: pip install 'rropt[frames]'")
    frame = estimate.to_frame()
    assert list(frame.columns) == [
        "name", "question", "category", "n", "estimate", "se", "low", "high", "interval", "most_likely",
    ]  # fmt: skip
    assert frame["estimate"].tolist() == [2551 / 9740]
    found = rropt_fieldwork.compare_with_direct("forced:2/3,1/6,1/6", [1604, 831], 300, 2000).to_frame()
    assert found["estimate"].tolist() == [2551 / 9740, 0.15, float(Fraction(2551, 9740) - Fraction(3, 20))]
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'rropt\[frames\]'"):
        estimate.to_frame()


@pytest.mark.parametrize("width", [40, 60, 100])
def test_pairs_below_a_title_are_indented_and_fit_the_width(width: int) -> None:
    rows = [("label", "some words " * 12), ("another label", "1/3"), ("third", "x" * 10)]
    lines = tables_as_text([("a title", None, rows)], width).splitlines()
    plain = tables_as_text([("", None, rows)], width - 2).splitlines()
    assert lines == ["a title", *(f"  {line}" for line in plain)]
    assert all(len(line) <= width for line in lines)


def test_wide_tables_fit_a_line() -> None:
    """The widths and the texts of the other columns, with the space of each column, are at most a line."""
    for rows in (
        [("a label", "a value " * 20)],
        [("a very long label " * 4, "short")],
        [("name", "1", "2", "a text of a remark " * 5, "0.5")],
        [(f"column {j} of a table",) * 9 for j in range(3)],
    ):
        text = latex_table("", (), rows)
        (columns,) = re.findall(r"begin{tabular}{(.*)}\n", text)
        widths = list(map(float, re.findall(r"p{([0-9.]+)\\linewidth}", columns)))
        kinds = re.findall("p{[^}]*}|.", columns)
        kept = [max(len(row[i]) for row in rows) for i, kind in enumerate(kinds) if kind in "lr"]
        assert widths
        assert sum(widths) * _LINE + sum(kept) + _GAP * len(rows[0]) <= _LINE + 0.1
    assert "{ll}" in latex_table("", (), [("a", "b")])


def test_latex_of_every_table_is_set(tmp_path: Path) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    levels = rropt.every_level(rropt.design.kary, 3, objective="loss:absolute", fast=True)
    results = [
        levels,
        rropt.design.binary("1/4", epsilon="log(3)"),
        rropt_fieldwork.compare_designs("log(3)", prevalence="1/10"),
    ]
    cells = latex_table('"quoted" [a] *', ("a", "b"), [("[x]", '"y"'), ("*", "1/3")])
    text = "\n\n".join([cells, *(one.to_latex() for one in results)])
    packages = r"\usepackage{booktabs,amsmath,amssymb,graphicx}"
    body = f"\\documentclass{{article}}{packages}\\begin{{document}}\n{text}\n\\end{{document}}"
    (tmp_path / "all.tex").write_text(body)
    done = subprocess.run(
        ["pdflatex", "-interaction=batchmode", "-halt-on-error", "all.tex"], cwd=tmp_path, check=False
    )
    assert done.returncode == 0
