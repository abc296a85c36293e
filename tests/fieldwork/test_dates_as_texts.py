"""Dates in every format and both engines: a condition has the rows of Python's dates, or is refused."""

from __future__ import annotations

import datetime
import operator
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from few_rows import few_rows
from table_calls import estimate_table

from rropt.core.errors import FileFormatError, InvalidParameterError
from rropt_fieldwork import read

OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
DAYS = [datetime.date(2026, 1, 3), datetime.date(2026, 3, 1), datetime.date(2025, 12, 31), datetime.date(2026, 1, 3)]
FORMS = {
    "iso": "{:%Y-%m-%d}",
    "german": "{:%d.%m.%Y}",
    "american": "{:%m/%d/%Y}",
    "short": "{:%m/%d/%y}",
    "words": "{:%d %B %Y}",
    "zoned": "{:%Y-%m-%d} 12:30:00+01:00",
    "utc": "{:%Y-%m-%d}T00:00:00Z",
    "long": "{:%Y-%m-%d} 00:00:00.0000000",
}
FILES = ("csv", "json", "xlsx", "parquet", "polars")


def written(path: Path, form: str, values: list[Any]) -> Any:
    """Write a table of two columns, and return how it is read."""
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"q": [0, 1] * (len(values) // 2), "day": values})
    kind = "parquet" if form == "polars" else form
    file = path / f"t.{kind}"
    if form == "polars":
        pytest.importorskip("ibis")
    if kind == "csv":
        frame.to_csv(file, index=False)
    elif kind == "json":
        frame.to_json(file, orient="records", date_format="iso")
    elif kind == "xlsx":
        pytest.importorskip("openpyxl")
        frame.to_excel(file, index=False)
    else:
        pytest.importorskip("pyarrow")
        frame.to_parquet(file)
    return {"data": str(file), "engine": "polars" if form == "polars" else "duckdb"}


def rows(asked: dict[str, Any], where: str) -> int:
    """Return the number of selected rows; 0 if there are none, and -1 if the condition is refused."""
    try:
        table = read(asked["data"], where=where, engine=asked["engine"])
        return estimate_table(table, "q", "warner:3/4").nobs
    except (InvalidParameterError, FileFormatError) as error:
        told = str(error)
    if "the selection has no rows" in told:
        return 0
    assert "date" in told or "times" in told, told
    return -1


@pytest.mark.slow
@pytest.mark.parametrize(("file", "form"), [(file, form) for form in FORMS for file in FILES])
def test_texts_of_dates_are_dates_or_are_refused(tmp_path: Path, file: str, form: str) -> None:
    """A condition has the rows of Python's dates, or is refused; equality of texts in one form is that of dates."""
    asked = written(tmp_path, file, [FORMS[form].format(day) for day in DAYS] * 2)
    for other in {form, "iso", "german", "zoned"}:
        literal = FORMS[other].format(DAYS[0])
        for sign in ("!=", ">"):
            compare = OPERATORS[sign]
            found, wanted = rows(asked, f"day {sign} '{literal}'"), 2 * sum(compare(day, DAYS[0]) for day in DAYS)
            if form == "iso" and other == "zoned":
                at = datetime.datetime(2026, 1, 3, 11, 30)
                wanted = 2 * sum(compare(datetime.datetime.combine(day, datetime.time()), at) for day in DAYS)
            elif form in ("zoned", "utc") or not (form == other and (sign == "!=" or form == "iso")):
                wanted = -1
            assert found == wanted, (literal, sign)
    assert rows(asked, "day != 'March'") == -1


@pytest.mark.slow
@few_rows(1)
@pytest.mark.parametrize("engine", ["duckdb", "polars"])
def test_times_of_the_day_are_compared_as_times(tmp_path: Path, engine: str) -> None:
    pl = pytest.importorskip("polars")
    if engine == "polars":
        pytest.importorskip("ibis")
    times = [datetime.time(9, 30), datetime.time(12, 30), datetime.time(12, 30, 30), None]
    pl.DataFrame({"q": [0, 1] * 4, "at": times * 2}).write_parquet(path := str(tmp_path / "a.parquet"))
    asked = {"data": path, "engine": engine}
    for literal in ("12:30", "12:30:30.5"):
        for sign, compare in OPERATORS.items():
            wanted = 2 * sum(compare(t, datetime.time.fromisoformat(literal)) for t in times if t)
            assert rows(asked, f"at {sign} '{literal}'") == wanted, (literal, sign)
    assert rows(asked, "at != '9:30'") == -1


@pytest.mark.slow
def test_times_of_the_day_as_texts(tmp_path: Path) -> None:
    asked = written(tmp_path, "csv", ["09:30", "12:30", "17:45", "12:30"])
    assert [rows(asked, f"day {sign} '12:30'") for sign in OPERATORS] == [2, 2, 1, 3, 1, 3]
    assert rows(asked, "day != '12:30:00'") == 2
    assert rows(asked, "day > '9:30'") == -1


def test_other_texts_are_no_dates(tmp_path: Path) -> None:
    asked = written(tmp_path, "csv", ["1.2.3", "10-11-12", "555-12-3456", "north"])
    assert rows(asked, "day != '2026-01-03'") == 4
    assert rows(asked, "day = 'north'") == 1
    mixed = written(tmp_path, "csv", ["2026-01-03", "later", "2026-03-01", "2026-01-04"])
    assert rows(mixed, "day != 'later'") == 3
    assert rows(mixed, "day = '2026-01-03'") == 1
    assert rows(mixed, "day > '2026-01-03'") == -1
    assert rows(mixed, "day = '2026-02-30'") == -1


TIMES = [datetime.time(12, 30, 30, 500), datetime.time(12, 30, 30), datetime.time(0), datetime.time(12, 30, 31, 999999)]


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["us", "ns"])
@pytest.mark.parametrize("engine", ["duckdb", "polars"])
def test_times_of_the_day_have_fractions_of_a_second(tmp_path: Path, engine: str, unit: str) -> None:
    """A column of times is compared as times; Polars' text of a time has no fraction, which selected no rows."""
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    pytest.importorskip("ibis")
    column = pa.array(TIMES * 2, pa.time64("us")).cast(pa.time64(unit))
    file = str(tmp_path / "t.parquet")
    parquet.write_table(pa.table({"q": [0, 1, 0, 1] * 2, "start": column}), file)
    asked = {"data": file, "engine": engine}
    for literal in ("12:30:30.0005", "12:30:30.000500", "12:30:30", "12:30", "00:00", "12:30:31.999999"):
        at = datetime.time.fromisoformat(literal + "00" * literal.endswith(".0005"))
        for sign, compare in OPERATORS.items():
            found = rows(asked, f"start {sign} '{literal}'")
            assert found == 2 * sum(compare(each, at) for each in TIMES), (literal, sign)
    with pytest.raises(InvalidParameterError, match=r"09:30|write a time as 12:30"):
        estimate_table(read(file, where="start = 'noon'", engine=engine), "q", "warner:3/4")
    table = read(file, where="start in ('12:30:30.0005', '00:00:00')", engine=engine)
    chosen = estimate_table(table, "q", "warner:3/4")
    assert chosen.nobs == 4
