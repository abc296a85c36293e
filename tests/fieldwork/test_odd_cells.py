"""Cells and columns that are not what they look like: labels, formulas, objects, and columns that nobody asked for."""

from __future__ import annotations

import datetime
import io
import re
import sqlite3
import zipfile
from collections.abc import Callable, Hashable, Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from reading import reading_of
from support.later import later
from table_calls import estimate_table, regress_table

import rropt_fieldwork
from rropt.core.errors import FileFormatError

pa = later("pyarrow")
pd = later("pandas")
pl = later("polars")
dataset = later("pyarrow.dataset")
parquet = later("pyarrow.parquet")
feather = later("pyarrow.feather")

DEVICE = "warner:3/4"
Labels = Mapping[str, Mapping[Hashable, str]]


def groups(data: Any, **options: Any) -> list[tuple[str, int]]:
    found = estimate_table(data, "q", DEVICE, by="g", **options)
    return [(group.group, group.n) for group in found]


# Value labels


def _stata(path: Path, table: Any, labels: Labels) -> Path:
    table.to_stata(path, write_index=False, version=118, value_labels=labels)
    return path


def _spss(path: Path, table: Any, labels: Labels) -> Path:
    import pyreadstat

    pyreadstat.write_sav(table, str(path), variable_value_labels=labels)
    return path


FILES = pytest.mark.parametrize("write", [_stata, _spss])
AMBIGUOUS: dict[str, tuple[dict[Hashable, str], str]] = {
    "a-value": ({0: "1"}, "received the label '1' for '0' beside the value '1' of the column 'q' in "),
    "swapped": ({0: "1", 1: "0"}, "received the label '1' for '0' beside the value '1' of the column 'q' in "),
    "absent-value": ({0: "no", 1: "5", 5: "yes"}, "received the label '5' for '1' beside the value '5' of the column"),
    "a-number": ({0: "1.0"}, "received the label '1.0' for '0' beside the value '1' of the column 'q' in "),
    "truth": ({0: "True"}, "received the label 'True' for '0' beside the value '1' of the column 'q' in "),
    "one-label": ({0: "no", 1: "no"}, "one label: received 'no' for '0' and '1' of the column 'q' in "),
    "two-forms": ({0: "s\u00ed", 1: "si\u0301"}, "one label: received .* for '0' and '1' of the column 'q' in "),
}


@FILES
@pytest.mark.parametrize("name", AMBIGUOUS)
def test_a_label_that_stands_for_two_values(name: str, write: Callable[..., Path], tmp_path: Path) -> None:
    """12 responses of 0 and 1 would all be 1. Other columns, and their labels, do not matter."""
    labels, told = AMBIGUOUS[name]
    table = pd.DataFrame({"q": [0, 1, 1] * 4, "g": [0, 1, 2] * 4, "second": [1, 2, 3] * 4})
    path = write(tmp_path / "a", table, {"q": labels, "second": {1: "x", 2: "x"}})
    for columns in ({"columns": "q"}, {"columns": "g", "by": "q"}):
        with pytest.raises(FileFormatError, match=re.escape(told) if ".*" not in told else told) as refused:
            estimate_table(path, mechanism=DEVICE, **columns)
        assert "'second'" not in str(refused.value)


@FILES
def test_labels_that_name_their_values(write: Callable[..., Path], tmp_path: Path) -> None:
    """A label may repeat its own value; an empty one is none; labels of values that do not occur may be equal."""
    table = pd.DataFrame({"q": [0, 1, 1, np.nan], "g": [1, 2, 3, 3], "h": [1, 1, 2, 2]})
    labels: Labels = {"q": {0: "0", 1: "1"}, "g": {1: "a", 2: "b", 8: "b", 9: "b"}, "h": {1: "x", 2: "x"}}
    found = estimate_table(write(tmp_path / "a", table, labels), "q", DEVICE, by="g")
    assert [(group.group, group.n) for group in found] == [("a", 1), ("b", 1), ("3", 1)]
    assert len(reading_of(write(tmp_path / "a", table, labels), "q", DEVICE, by="g").remarks) == 1
    assert found.remarks()[0].endswith("they are read in place of the values")
    assert not reading_of(write(tmp_path / "b", table, {"h": labels["h"]}), "q", DEVICE).remarks
    if write is _spss:  # Stata has no empty label
        assert groups(write(tmp_path / "c", table, {"g": {1: "", 2: " "}})) == [("1", 1), ("2", 1), ("3", 1)]


@FILES
def test_dates_and_texts_of_other_programs(write: Callable[..., Path], tmp_path: Path) -> None:
    table = pd.DataFrame({"q": ["no", "yes", "", "yes"], "g": pd.to_datetime(["2026-01-01", "2026-02-03"] * 2)})
    path = write(tmp_path / "a", table, {})
    assert groups(path, categories=["no", "yes"]) == [("2026-01-01 00:00:00", 1), ("2026-02-03 00:00:00", 2)]


def test_categories_of_pandas_that_are_read_as_one() -> None:
    """What ``pandas.read_stata`` makes of a label ``1`` for 0 beside an unlabelled 1."""
    table = pd.DataFrame({"q": pd.Categorical(["1", 1, 1]), "g": [0, 1, 1]})
    with pytest.raises(
        FileFormatError, match=r"two categories of a column are read as one: received ('1' and 1|1 and '1') of"
    ):
        estimate_table(table, "q", DEVICE)
    assert estimate_table(table, "g", DEVICE).nobs == 3


# Cells of a workbook


ROWS: list[list[Any]] = [
    ["q", "g", "w"],
    [0, "a", 1],
    [1, "a", 1],
    [1, "b", 1],
    [None, "b", 1],
    [0, "b", 1],
    [0, "c", 1],
]


def _book(
    path: Path,
    cells: Mapping[str, object] = {},
    merged: Iterable[str] = (),
    patches: Iterable[tuple[str, bytes, bytes]] = (),
) -> Path:
    """Write a workbook with some other cells; patches replace bytes of its members."""
    import openpyxl

    book, made = openpyxl.Workbook(), io.BytesIO()
    for row in ROWS:
        book.active.append(row)
    for cell, value in cells.items():
        book.active[cell] = value
    for each in merged:
        book.active.merge_cells(each)
    book.save(made)
    with zipfile.ZipFile(made) as source, zipfile.ZipFile(path, "w") as target:
        for member in source.namelist():
            content = source.read(member)
            for name, old, new in patches:
                if member.endswith(name):
                    content, count = re.subn(old, new, content)
                    assert count == 1
            target.writestr(member, content)
    return path


FORMULA = "a formula without a stored value; formulas are not computed; open and save the workbook"
STORED = ("sheet1.xml", rb"(<f>1-1</f>)<v ?/>", rb"\1<v>0</v>")
NOT_STALE = ("xl/workbook.xml", rb' fullCalcOnLoad="1"', b"")
DATE = ("sheet1.xml", rb'<c r="B4"[^>]*>.*?</c>', rb'<c r="B4" s="1"><v>99999999999</v></c>')
ODD_CELLS: dict[str, tuple[dict[str, Any], str, str]] = {
    "formula": (
        {"cells": {"A4": "=1-1", "A6": "=1-1"}},
        "q",
        f"lines 4, 6 of the data hold no value in 'q' of .*{FORMULA}",
    ),
    "formula-in-groups": ({"cells": {"B4": "=B3"}}, "g", f"line 4 of the data holds no value in 'g' of .*{FORMULA}"),
    "formula-in-weights": ({"cells": {"C4": "=1+1"}}, "w", f"line 4 of the data holds no value in 'w' of .*{FORMULA}"),
    "formulas-at-the-end": ({"cells": {"A9": "=A1"}}, "q", f"line 9 of the data holds no value in 'q' of .*{FORMULA}"),
    "stale": (
        {"cells": {"A4": "=1-1"}, "patches": [STORED]},
        "q",
        "line 4 of the data holds no value in 'q' .*a formula that is to be computed when the workbook is opened",
    ),
    "error": ({"cells": {"A4": "#N/A"}}, "q", "line 4 of the data holds no value in 'q' of .*an error, such as #N/A"),
    "error-in-groups": ({"cells": {"B4": "#DIV/0!"}}, "g", "line 4 of the data holds no value in 'g' of .*an error"),
    "merged": ({"merged": ["B4:B6"]}, "g", "lines 5, 6 of the data hold no value in 'g' of .*a part of a merged cell"),
    "merged-with-others": (
        {"merged": ["A4:B4"]},
        "g",
        "line 4 of the data holds no value in 'g' .*part of a merged cell",
    ),
    "date": (
        {"cells": {"C4": datetime.date(2026, 1, 1)}, "patches": [DATE]},
        "g",
        "line 4 .*a date that does not exist",
    ),
}


@pytest.mark.filterwarnings("ignore:Cell B4 is marked as a date")
@few_rows(1)
@pytest.mark.parametrize("name", ODD_CELLS)
def test_cells_of_a_workbook_that_only_look_empty(name: str, tmp_path: Path) -> None:
    """They are refused in the columns that are read, and do not matter in others."""
    made, column, told = ODD_CELLS[name]
    path = _book(tmp_path / "a.xlsx", **made)
    uses: dict[str, dict[str, Any]] = {"q": {}, "g": {"by": "g"}, "w": {"weights": "w"}}
    for used, options in uses.items():
        if used == column or column == "q":
            with pytest.raises(FileFormatError, match=told):
                estimate_table(path, "q", DEVICE, **options)
        elif name != "date" or used != "w":
            assert reading_of(path, "q", DEVICE, **options).rows == len(ROWS) - 1


def test_cells_of_a_workbook_with_a_value(tmp_path: Path) -> None:
    """A formula with its stored value, also an empty text, and a text that begins as an error."""
    empty = ("sheet1.xml", rb'<c r="A4"([^>]*)>(<f>1-1</f>)<v ?/>', rb'<c r="A4"\1 t="str">\2<v></v>')
    path = tmp_path / "a.xlsx"
    assert groups(_book(path)) == [("a", 2), ("b", 2), ("c", 1)]
    assert groups(_book(path, {"A4": "=1-1"}, (), [STORED, NOT_STALE])) == [("a", 2), ("b", 2), ("c", 1)]
    assert groups(_book(path, {"A4": "=1-1"}, (), [empty, NOT_STALE])) == [("a", 2), ("b", 1), ("c", 1)]
    assert groups(_book(path, {"B4": "# 5"})) == [("# 5", 1), ("a", 2), ("b", 1), ("c", 1)]
    assert groups(_book(path, merged=["C4:C6", "B7:C7"])) == [("a", 2), ("b", 2), ("c", 1)]


def test_bytes_of_a_database_are_refused_in_their_row(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE a (q, g, x)")
        connection.executemany("INSERT INTO a VALUES (?, ?, ?)", [(0, "a", b"1"), (1, "b", b""), (1, b"\xff", None)])
    assert estimate_table(path, "q", DEVICE).nobs == 3
    with pytest.raises(FileFormatError, match=r"row 3 of the data contains bytes instead of text \(a BLOB\) in 'g'"):
        groups(path)


@pytest.mark.slow
@pytest.mark.parametrize("error", ["#N/A", "#DIV/0!", "#NAME?", "#REF!", "#NV", "#WERT!", "#\u00a1VALOR!", "Err:502"])
def test_errors_of_a_spreadsheet_in_a_text_file(error: str, tmp_path: Path) -> None:
    """They are no groups, levels, strata or clusters, and they may be named as missing values."""
    path = tmp_path / "a.csv"
    rows = [(i % 2, f"g{i % 3}", 1) for i in range(30)]
    rows[4] = (0, error, 1)
    path.write_text("q,g,w\n" + "".join(f"{q},{g},{w}\n" for q, g, w in rows))
    told = re.escape(f"line 6 of the data holds no value in 'g', but an error of a spreadsheet, such as '{error}'")
    calls: list[Callable[..., Any]] = [
        lambda data=path: estimate_table(data, "q", DEVICE, by="g"),
        lambda data=path: estimate_table(data, "q", DEVICE, by="g", weights="w"),
        lambda data=path: regress_table(data, "q ~ g", DEVICE, starts=1),
        lambda data=path: estimate_table(data, "q", DEVICE, clusters="g"),
        lambda data=path: estimate_table(data, "q", DEVICE, strata="g"),
    ]
    for call in calls:
        with pytest.raises(FileFormatError, match=told):
            call()
    for call in calls[:3]:
        call(rropt_fieldwork.read(path, missing=[f"g={error}"]))
    path.write_text(path.read_text().replace(f"0,{error}", f"{error},g0"))
    with pytest.raises(FileFormatError, match="line 6 of the data contains no answer"):
        estimate_table(path, "q", DEVICE)


def test_texts_that_are_stored_as_bytes(tmp_path: Path) -> None:
    """Older writers of Parquet do not say that bytes are UTF-8; they are texts if they can be."""
    path = tmp_path / "a.parquet"
    for last, expected in (("N\u00f3".encode(), [("N\u00f3", 1), ("S\u00ed", 1)]), (b"\xff", None)):
        parquet.write_table(pa.table({"q": [0, 1], "g": ["S\u00ed".encode(), last]}), path)
        if expected is not None:
            assert groups(path) == expected
            continue
        with pytest.raises(FileFormatError, match="bytes that are not text in UTF-8"):
            groups(path)
        assert estimate_table(path, "q", DEVICE).nobs == 2


# Columns of other libraries


def _odd_columns() -> dict[str, tuple[Any, list[tuple[str, int]]]]:
    """Columns of four rows, with the groups that they form."""

    class Named:
        def __str__(self) -> str:
            return "odd"

    two, texts = [("1", 3), ("2", 1)], [("a", 3), ("b", 1)]
    months = pd.PeriodIndex(["2026-01", "2026-02", "2026-01", "2026-01"], freq="M")
    return {
        "cut": (pd.cut(pd.Series([1, 5, 2, 3]), [0, 3, 6]), [("(0, 3]", 3), ("(3, 6]", 1)]),
        "intervals": (pd.arrays.IntervalArray.from_breaks(range(5)), [(f"({i}, {i + 1}]", 1) for i in range(4)]),
        "periods": (months, [("2026-01", 3), ("2026-02", 1)]),
        "categories-of-periods": (pd.Categorical(months), [("2026-01", 3), ("2026-02", 1)]),
        "sparse": (pd.arrays.SparseArray([1, 2, 1, 1]), two),
        "sparse-gap": (pd.arrays.SparseArray([0.5, np.nan, 0.5, 0.5]), [("0.5", 3)]),
        "big-endian": (np.array([1, 2, 1, 1], ">i4"), two),
        "long-double": (np.array([1, 2, 1, 1], "longdouble"), two),
        "integers-as-objects": (np.array([1, 2, 1, 1], object), two),
        "large-integers": (np.array([1, 10**30, 1, 1], object), [("1", 3), (str(10**30), 1)]),
        "decimals": (
            np.array([Decimal("1.5"), Decimal(2), Decimal("1.5"), None], object),
            [("1.5", 2), ("2", 1)],
        ),
        "fractions": (
            np.array([Fraction(1, 2), Fraction(2), Fraction(1, 2), Fraction(1, 2)], object),
            [("1/2", 3), ("2", 1)],
        ),
        "gaps": (np.array(["a", pd.NA, pd.NaT, np.nan], object), [("a", 1)]),
        "days": (
            np.array(["2026-01-02", "2026-01-03", "2026-01-02", "2026-01-02"], "M8[D]"),
            [("2026-01-02", 3), ("2026-01-03", 1)],
        ),
        "bytes": (np.array([b"a", b"b", b"a", b"a"], object), texts),
        "fixed-bytes": (np.array([b"a", b"b", b"a", b"a"]), texts),
        "variable-texts": (np.array(["a", "b", "a", "a"], np.dtypes.StringDType()), texts),
        "objects": (np.array([Named(), "b", Named(), Named()], object), [("b", 1), ("odd", 3)]),
        "numbers-of-numpy": (np.array([np.int64(1), np.float64(2.5), np.True_, 1], object), [("1", 3), ("2.5", 1)]),
    }


@pytest.mark.slow
@pytest.mark.parametrize("form", ["pandas", "arrays"])
def test_columns_of_odd_types(form: str) -> None:
    """None of them spoils a table that does not need it, and those with a clear text form groups."""
    for name, (column, expected) in _odd_columns().items():
        if form == "arrays" and not isinstance(column, np.ndarray):
            continue
        table: Any = {"q": np.array([0, 1, 1, 0]), "g": column}
        table = (
            pd.DataFrame(table) if form == "pandas" and name not in ("days", "fixed-bytes", "variable-texts") else table
        )
        assert estimate_table(table, "q", DEVICE).nobs == 4, name
        assert sorted(groups(table)) == sorted(expected), name


def _unread() -> Iterable[tuple[Any, str]]:
    q = [0, 1]
    yield {"q": np.array(q), "g": np.array([1j, 0])}, "complex128"
    yield pd.DataFrame({"q": q, "g": [1j, 0]}), "complex128"
    yield {"q": np.array(q), "g": np.zeros((2, 2))}, "float64"
    yield {"q": np.array(q), "g": np.array([(1, 2)] * 2, "i4,i4")}, "i4"
    yield pa.table({"q": q, "g": pa.array(np.zeros(2, np.float16))}), "halffloat"
    yield pl.DataFrame({"q": q, "g": [object(), object()]}), "Object"
    yield pl.DataFrame({"q": q, "g": [object(), object()]}).lazy(), "Object"


@pytest.mark.slow
def test_a_column_that_is_not_read_is_named(tmp_path: Path) -> None:
    """It does not matter where it is not asked for."""
    tables = list(_unread())
    feather.write_feather(tables[4][0], tmp_path / "a.feather")
    tables += [
        (tmp_path / "a.feather", "halffloat"),
        (dataset.dataset(tmp_path / "a.feather", format="feather"), "halffloat"),
    ]
    for table, kind in tables:
        assert estimate_table(table, "q", DEVICE).nobs == 2
        with pytest.raises(FileFormatError, match=f"not read: received the column 'g' of .*{kind}"):
            groups(table)
    for odd in (object(), b"\xff"):
        table = {"q": np.array([0, 1]), "g": np.array(["a", odd], object)}
        with pytest.raises(
            FileFormatError, match="row 2 of the data holds an object that is not read in 'g' of the table"
        ):
            groups(table)


@few_rows(1)
@pytest.mark.parametrize(("most", "rare"), [(1, 2.5), (True, "no"), (True, 0), (Decimal("1.5"), Decimal("1.25"))])
def test_rare_objects_keep_their_value(most: object, rare: object) -> None:
    """DuckDB takes the type of a sample, and converts 2.5 to 2, ``no`` and 0 to false, and 1.25 to 1.3."""
    values = [most] * 50_000
    values[777] = rare
    table = {"q": np.zeros(50_000, int), "g": np.array(values, object)}
    for data in (table, pd.DataFrame(table)):
        assert sorted(number for _, number in groups(data)) == [1, 49_999]


@pytest.mark.slow
def test_columns_keep_their_order_of_any_request() -> None:
    """The columns of a request stand in another order than those of the table."""
    table = pa.table({"w": [1.0, 3.0, 1.0, 1.0], "g": ["a", "b", "b", "b"], "q": [0, 1, 1, 0], "x": [9, 9, 9, 9]})
    frame = table.to_pandas()
    arrays = {name: frame[name].to_numpy() for name in frame}
    read = [pl.DataFrame(frame), pl.DataFrame(frame).lazy(), frame, arrays, table, table.to_batches()[0]]
    for data in (*read, dataset.dataset(table), dataset.dataset(table).scanner()):
        found = estimate_table(data, "q", DEVICE, by="g", weights="w")
        assert [(one.group, one.n, one.total.estimate) for one in found] == [
            ("a", 1, pytest.approx(-0.5)),  # w (z - 1/4) / (1/2): one no of weight 1
            ("b", 3, pytest.approx(1.5 * 3 + 1.5 - 0.5)),  # weights 3, 1 with yes, and 1 with no
        ]
