"""What a notebook shows of a result, and what goes into a paper: tables with headings, intervals, mathematics."""

from __future__ import annotations

import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rropt
from rropt.designs import Problem
from rropt_fieldwork import compare_designs, estimate_table, regress_table

DATA = {"z": np.array([0, 1, 1, 0, 1] * 40), "x": np.array([0.5, 1.5, -1, 2, 0] * 40), "g": np.array(["a", "b"] * 100)}
DIE = "forced:2/3,1/6,1/6"


class Tables(HTMLParser):
    """The cells of every row of the tables of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


def rows(result: Any) -> list[list[str]]:
    return Tables(result._repr_html_()).rows


def test_an_estimate_shows_its_interval() -> None:
    found = rropt.inference.estimate("warner:3/4", yes=40, n=100)
    assert ["the trait", "100", "0.300", "0.098", "0.107 to 0.506"] in rows(found)
    assert "0.107 to 0.506" in found.to_latex()
    assert "0.107 to 0.506" in found.to_markdown()
    assert "0.107 to 0.506" in found.summary()
    table = rows(rropt.inference.estimate("grr:3,1/2", [10, 20, 30]))
    assert any("interval" in cell for cell in table[0])
    assert [len(row) for row in table[:4]] == [len(table[0])] * 4


def test_results_with_columns_show_a_table() -> None:
    """Designs that are compared, a sweep, a regression, and groups: a row for each thing, below a head."""
    header, *found = rows(compare_designs("log(3)", prevalence="1/10"))
    assert header[:2] == ["design", "epsilon: one response"]
    assert len(header) == 8
    assert [row[0].partition(" (")[0] for row in found[:3]] == ["warner", "unrelated", "forced"]
    assert {len(row) for row in found} == {len(header)}
    swept = rropt.sweep(rropt.design.binary, epsilon=["log(2)", "log(3)"], prevalence="1/10", fast=True)
    assert rows(swept)[0][:3] == ["epsilon", "prevalence", "value"]
    assert rows(swept)[1][:3] == ["0.693147", "0.1", "2.09"]
    assert rows(type(swept)()) == [[]]
    fitted = rows(regress_table(DATA, "z ~ x", DIE))
    names = [row[0] for row in fitted]
    assert {"(Intercept)", "x"} <= set(names) or {"intercept", "x"} <= {name.lower() for name in names}
    assert len(fitted[names.index("x")]) >= 5
    groups = rows(estimate_table(DATA, "z", DIE, by="g"))
    assert any(row[0] == "a" and len(row) >= 4 for row in groups)


def test_the_texts_of_a_table_are_escaped() -> None:
    data = DATA | {"g": np.array(["<b>", "&"] * 100)}
    html = estimate_table(data, "z", DIE, by="g")._repr_html_()
    assert "<b>" not in html
    assert "&lt;b&gt;" in html


def test_a_solution_is_a_result_for_a_paper() -> None:
    """A statement, the closed form as mathematics with its conditions and source, the mechanism, a table."""
    text = rropt.design.binary("1/4", epsilon="log(3)").to_latex()
    assert text.startswith("\\textbf{Result} (minimum-variance design).")
    assert "the smallest n Var is $\\frac{15}{16}$ = 0.9375." in text
    (formula,) = re.findall(r"form it is\n\\\[\n(.*),\n\\\]", text)
    value = formula
    for name, number in ((r"\gamma", "3.0"), (r"\pi", "0.25"), (r"\left", ""), (r"\right", "")):
        value = value.replace(name, number)
    top, below = re.fullmatch(r"- \\frac\{(.*)\}\{(.*)\^\{2\}\}", value).groups()  # type: ignore[union-attr]
    product = re.sub(r"(?<=[\d)]) +(?=[\d(])", "*", top)
    assert -eval(product) / eval(below) ** 2 == pytest.approx(15 / 16)  # the formula, read by Python, at gamma = 3
    assert "where $\\gamma = e^{\\varepsilon}$, if $\\gamma > 1$." in text
    assert "(Holohan, Leith and Mason 2016)" in text
    assert "\\frac{3}{4} & \\frac{1}{4}" in text
    assert "certificate & accepted by the independent checker" in text
    for process in ("posed twice", "CVXPY", "routes"):
        assert process not in text.partition("Appendix: derivation")[0]


@pytest.mark.slow
def test_other_solutions_have_latex(tmp_path: Path) -> None:
    problems = [
        Problem.kary(4, epsilon="log(3)", objective="a-optimal"),
        Problem.kary(3, epsilon="1", objective="trace:1/2,1/4,1/4"),
        Problem.kary(epsilon="log(2)", objective="loss:absolute", population="1/2,1/4,1/4"),
    ]
    texts = [rropt.solve(problem, fast=True).to_latex() for problem in problems]
    texts.append(rropt.design.binary("1/4", epsilon="log(3)", delta="1/10").to_latex())
    for text in texts:
        assert text.count("\\[") == text.count("\\]") >= 1
        assert "textasciitilde" not in text
        assert text.count("{") == text.count("}")
    assert "if $\\gamma \\geq \\sqrt{3}$" in texts[0]
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    page = "\\documentclass{article}\\usepackage{amsmath,amssymb,booktabs,graphicx}\\begin{document}" + "\n\n".join(
        texts
    )
    (tmp_path / "a.tex").write_text(page + "\\end{document}", encoding="utf-8")
    done = subprocess.run(["pdflatex", "-halt-on-error", "a.tex"], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout[-500:]
