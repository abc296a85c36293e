"""Each figure of the tables of reports of numbers and of several questions is printed by a command.

The figures are those of docs/explanation/numbers.md and docs/howto/several-questions.md, and of the trials that were
made before rropt designed reports of numbers; a program of its own computed them. A figure counts as printed if some
printed number rounds to it, with as many decimals as it has.
"""

from __future__ import annotations

import re
import tomllib
from contextlib import redirect_stdout
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from rropt.cli.main import main

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e-?\d+)?")
_TABLES = tomllib.loads(Path(__file__).with_name("printed_tables.toml").read_text("utf-8"))["figure"]


def _is_printed(figure: str, numbers: list[Decimal]) -> bool:
    places = Decimal(1).scaleb(-len(figure.partition(".")[2]))
    return any(each.quantize(places, ROUND_HALF_UP) == Decimal(figure) for each in numbers if abs(each) < 10**12)


def _cases() -> list[Any]:
    return [
        pytest.param(row, id=f"{row['table']}: {row['command']}", marks=[pytest.mark.slow] if row.get("long") else [])
        for row in _TABLES
    ]


@cache
def _printed(command: str) -> list[Decimal]:
    """Return the numbers that a command prints, which several tables may take from it."""
    with redirect_stdout(StringIO()) as out:
        assert main(command.split()) == 0
    return [Decimal(text) for text in _NUMBER.findall(out.getvalue())]


@pytest.mark.parametrize("row", _cases())
def test_the_figures_of_a_row_are_printed(row: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    numbers = _printed(row["command"])
    missing = [figure for figure in row["figures"] if not _is_printed(figure, numbers)]
    assert not missing, f"{row['command']} does not print {', '.join(missing)}"


def test_the_list_is_whole() -> None:
    """Each row of each table: values at a level, n Var at proportions, ranges, and several questions."""
    tables: dict[str, int] = {}
    for row in _TABLES:
        tables[row["table"]] = tables.get(row["table"], 0) + 1
    assert tables == {"values": 8, "n Var": 5, "range": 6, "points": 9, "questions": 5, "labels": 1, "cards": 1}
