"""Results as Markdown, LaTeX and data frames."""

from __future__ import annotations

import sys

import pytest

import rropt
from rropt.core.errors import MissingExtraError
from rropt.core.results.layout import tables_as_text
from rropt.core.results.markup import latex_table, tex_number


@pytest.fixture
def estimate():
    from rropt.survey import survey_estimate

    return survey_estimate(_estimate(), "0.95")


def _estimate():
    from rropt.survey import estimate

    return estimate(rropt.named_mechanism("forced:2/3,1/6,1/6"), [1604, 831])


def test_markdown_is_a_table_of_pipes(estimate) -> None:
    lines = estimate.to_markdown().splitlines()
    assert all(line.startswith("|") and line.endswith("|") for line in lines)
    assert "| prevalence | 2551/9740 ~ 0.262 |" in lines


def test_latex_sets_exact_numbers_as_formulas(estimate) -> None:
    text = estimate.to_latex()
    assert r"prevalence & $\frac{2551}{9740}$ $\approx$ 0.262 \\" in text
    assert r"$\log(5)$" in text
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == len(estimate.as_tables())
    assert tex_number("-1/3 and 2026/11/22, a_b/c") == r"$-\frac{1}{3}$ and 2026/11/22, a\_b/c"
    assert r"\caption{50\% \& more}" in latex_table("50% & more", ("a",), [("1",)])


def test_frames_hold_numbers(estimate, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed: pip install 'rropt[frames]'")
    frame = estimate.to_frame()
    assert list(frame.columns) == ["what", "value"]
    found = rropt.survey.compare_with_direct("forced:2/3,1/6,1/6", [1604, 831], 300, 2000).to_frame()
    assert found["estimate"].tolist() == [0.262, 0.15, 0.112]
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
