"""The values of one column, whose counts need neither groups nor NumPy, beside Python's ``Counter``."""

from __future__ import annotations

import csv
import random
from collections import Counter
from math import inf, isnan, nan
from pathlib import Path
from typing import Any

import pytest
from few_rows import few_rows
from later import later

import rropt_fieldwork
from rropt.core.errors import FileFormatError
from rropt_fieldwork.reading import kinds
from rropt_fieldwork.reading.readers import asked_of

duckdb = later("duckdb")

LISTS: dict[str, list[Any]] = {
    "BOOLEAN": [True, False, None],
    "UTINYINT": [0, 1, 255],
    "BIGINT": [0, 1, -(2**63), 2**63 - 1, None],
    "DOUBLE": [0.0, 1.0, -0.0, 0.1, inf, -inf, nan, None, 5e-324],
    "VARCHAR": ["0", "1", "it's", "", " 1", "\u00e9", "e\u0301", "a\x00b", "x' OR 'x' = 'x", "\\", None],
}


def counted(relation: Any, most: int | None = None) -> list[tuple[Any, int]]:
    """Return what the source counts in the column x of a relation."""
    return asked_of(relation, ["x"], lambda source: source.values_of("x", most))


def told(value: Any) -> Any:
    """Return a value that is equal to itself and to no value of another type."""
    return "nan" if isinstance(value, float) and isnan(value) else (type(value).__name__, value)


@few_rows(1)
@pytest.mark.parametrize("kind", LISTS)
@few_rows(1)
@pytest.mark.parametrize("late", [False, True], ids=["in the first rows", "after them"])
def test_values_are_those_of_a_counter(kind: str, late: bool, rng: random.Random) -> None:
    """Late values are met after the rows that say which values are summed, and are then grouped."""
    values = LISTS[kind]
    listed = rng.choices(values, k=300)
    if late:
        listed = [values[0], values[1]] * 1500 + listed
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE t (x {kind})")
    connection.executemany("INSERT INTO t VALUES (?)", [[value] for value in listed[-300:]])
    head = len(listed) - 300
    if head:
        connection.execute("CREATE TABLE s AS SELECT * FROM t LIMIT 0")
        for value in values[:2]:
            connection.execute(f"INSERT INTO s SELECT ? FROM range({head // 2})", [value])
        connection.execute("INSERT INTO s SELECT * FROM t")
    found = counted(connection.table("s" if head else "t"))
    expected = Counter(map(told, listed))
    assert Counter({told(value): n for value, n in found}) == expected
    assert len(found) == len(expected)


@few_rows(2)
@pytest.mark.parametrize("others", [0, 3, 40])
def test_at_most_so_many_values_are_returned(others: int) -> None:
    """The limit holds for the values of the first rows together with those that are grouped."""
    connection = duckdb.connect()
    rows = f"SELECT i % 4 AS x FROM range(3000) r(i) UNION ALL SELECT 4 + i FROM range({others}) r(i)"
    table = connection.sql(f"SELECT x::INTEGER AS x FROM ({rows})")
    for most in (4, 6, 100):
        assert len(counted(table, most)) == min(most, 4 + others)


def test_no_rows_and_too_many_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without rows there is no value; as many values as the limit are refused, with the message of grouped counts."""
    connection = duckdb.connect()  # DuckDB 1.4 closes one that only a relation holds
    assert counted(connection.sql("SELECT 1 AS x WHERE false")) == []
    path = tmp_path / "answers.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([["a"], *([str(i)] for i in range(12))])
    monkeypatch.setattr(kinds, "_MOST_KINDS", 10)
    with pytest.raises(FileFormatError, match="too many different answers: received 10 different ones or more in 'a'"):
        rropt_fieldwork.TableResponses("a", "warner:3/4", data=str(path)).estimate()
