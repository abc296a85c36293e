"""Numbers are plain ASCII digits in every reader: ``1_0`` and full-width digits are none, in options and tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from few_rows import few_rows

import rropt
from rropt.core.errors import RroptError

NONE = ("1_0", "\uff11\uff10", "\u0661\u0660", "1 0", "0x10", "--10", "1__0", "_10", "10_")
ESTIMATE = ("estimate", "--mechanism", "warner:3/4")
READERS: dict[str, tuple[str, ...]] = {
    "yes": (*ESTIMATE, "--yes", "N", "--n", "20"),
    "counts": (*ESTIMATE, "--counts", "N,20"),
    "population": (*ESTIMATE, "--yes", "5", "--n", "9", "--population", "N"),
    "confidence": (*ESTIMATE, "--yes", "5", "--n", "20", "--confidence", "0.9N"),
    "mechanism": ("privacy", "warner:3/N"),
    "categories": ("privacy", "grr:N,1/2"),
    "epsilon": ("design", "binary", "--epsilon", "N", "--prevalence", "1/4"),
    "prevalence": ("design", "binary", "--epsilon", "1", "--prevalence", "1/N"),
    "gamma": ("design", "kary", "--gamma", "N", "-k", "3", "--objective", "trace"),
    "k": ("design", "kary", "--gamma", "2", "-k", "N", "--objective", "trace"),
    "copies": ("compose", "warner:3/4*N", "--epsilon", "1"),
    "n": ("shuffle", "warner:3/4", "--n", "N", "--epsilon", "1"),
    "margin": ("plan", "margin", "1/N", "--mechanism", "warner:3/4"),
    "bound": ("privacy", "--level", "factor:N"),
    "lies": ("noncompliance", "--yes", "N", "--n", "20", "--mechanism", "warner:3/4", "--theta", "0..1/10"),
}


@few_rows(1)
@pytest.mark.parametrize("reader", READERS)
def test_what_python_reads_is_not_always_a_number(reader: str, cli: Any) -> None:
    assert cli(*(word.replace("N", "10") for word in READERS[reader]))[0] in (0, 1)
    for text in NONE:
        status, out, err = cli(*(word.replace("N", text) for word in READERS[reader]))
        assert (status, out) == (2, ""), (text, err)
        assert "internal error" not in err


@few_rows(1)
@pytest.mark.parametrize("text", NONE)
def test_tables_have_plain_numbers_too(text: str, cli: Any, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = [f"{i % 2},2,{i / 7:.3f}" for i in range(60)]
    for column, words in (
        (0, ("estimate", str(path), "--column", "a")),
        (1, ("estimate", str(path), "--column", "a", "--weights", "w")),
        (2, ("regress", str(path), "--formula", "a ~ x")),
    ):
        wrong = rows[0].split(",")
        wrong[column] = text
        path.write_text("\n".join(["a,w,x", ",".join(wrong), *rows[1:]]) + "\n", encoding="utf-8")
        status, out, err = cli(*words, "--mechanism", "warner:3/4")
        assert (status, out) == (2, ""), err
        assert "received 0 values" not in err


@pytest.mark.parametrize("text", NONE)
def test_python_functions_read_the_same_numbers(text: str) -> None:
    for call in (
        lambda: rropt.Mechanism.warner(f"3/{text}"),
        lambda: rropt.inference.estimate("warner:3/4", yes=5, n=20).interval(f"0.{text}"),
        lambda: rropt.Problem.binary("1/4", epsilon=text),
        lambda: rropt.privacy.factor(text),
    ):
        with pytest.raises(RroptError):
            call()
