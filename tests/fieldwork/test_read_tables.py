"""``rropt_fieldwork.read``: a table has columns by name, as pandas reads the same file; functions take it as data."""

from __future__ import annotations

import os
import threading
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from support.table_calls import table_estimate
from table_calls import estimate_table, regress_table

import rropt_fieldwork
from rropt.core.errors import FileFormatError, InvalidParameterError
from rropt_fieldwork import Reading, Table, read
from rropt_fieldwork.commands.table_reader import reading
from rropt_fieldwork.declaration.survey_declaration import ATTRIBUTES, Question
from rropt_fieldwork.reading.reading_options import DECLARED, OPTIONS

N = 60


def _frame() -> Any:
    pandas = pytest.importorskip("pandas")
    place = np.arange(N)
    columns = {
        "id": place,
        "q": np.where(place % 7 == 0, None, np.array(["no", "yes"], object)[place % 2]),
        "x": np.where(place % 5 == 0, np.nan, place / 4),
        "t": place % 3 == 0,
    }
    return pandas.DataFrame(columns)


def _written(form: str, frame: Any, folder: Path) -> Any:
    path = folder / f"a.{form}"
    if form == "frame":
        return frame
    if form == "polars":
        return pytest.importorskip("polars").from_pandas(frame)
    if form == "arrow":
        return pytest.importorskip("pyarrow").Table.from_pandas(frame)
    if form == "dict":
        return {name: frame[name].to_numpy() for name in frame.columns}
    if form == "jsonl":
        frame.to_json(path, orient="records", lines=True)
    else:
        getattr(frame, {"xlsx": "to_excel"}.get(form, f"to_{form}"))(path, index=False)
    return str(path)


@few_rows(1)
@pytest.mark.parametrize("form", ["csv", "frame", "parquet", "dict", "polars", "arrow", "jsonl", "xlsx"])
def test_columns_are_those_of_pandas(tmp_path: Path, form: str) -> None:
    frame = _frame()
    table = read(_written(form, frame, tmp_path))
    assert table.columns == ("id", "q", "x", "t")
    assert np.asarray(table["q"]).tolist() == frame["q"].fillna("").tolist()
    numbers = table.arrays(["x", "id"], numbers=["x", "id"])
    assert np.array_equal(numbers["x"], frame["x"], equal_nan=True)
    assert numbers["id"].tolist() == frame["id"].tolist()
    truth = {"True": True, "False": False, "1": True, "0": False}
    assert [truth[str(one)] if isinstance(one, str) else bool(one) for one in table["t"].tolist()] == frame[
        "t"
    ].tolist()


def test_columns_are_those_of_the_selected_rows(tmp_path: Path) -> None:
    frame = _frame()
    path = _written("csv", frame, tmp_path)
    table = read(path, where="id >= 30", recode="band = id: 0..39, 40..", blank="unknown")
    assert table.columns == ("id", "q", "x", "t", "band")
    assert table["id"].tolist() == list(map(str, range(30, N)))
    assert table["band"].tolist() == ["0..39"] * 10 + ["40.."] * 20
    with pytest.raises(InvalidParameterError, match="received 'bnad', and no column of 4 has that name"):
        read(frame, recode="band = id: 0..39, 40..")["bnad"]
    assert repr(table).endswith("blank='unknown', recode='band = id: 0..39, 40..', where='id >= 30')")


@pytest.mark.slow
def test_one_table_gives_the_numbers_of_its_file(tmp_path: Path) -> None:
    """A table is read as often as it is asked, and one with another reading beside it changes nothing."""
    path = _written("csv", _frame(), tmp_path)
    table = read(path, where="id >= 10")
    known: dict[str, Any] = {"categories": ["no", "yes"]}
    first = table_estimate("warner:3/4", data=table, column="q", **known)
    other = table_estimate("warner:3/4", data=read(path, where="id < 10"), column="q", **known)
    assert (sum(first.counted.counts), sum(other.counted.counts)) == (43, 8)
    assert table_estimate("warner:3/4", data=table, column="q", **known) == first
    assert sum(table_estimate("warner:3/4", data=path, column="q", **known).counted.counts) == 51
    fit = regress_table(table, "q ~ x", "warner:9/10", model="linear", **known)
    assert fit.nobs == sum(1 for i in range(10, N) if i % 7 and i % 5)
    assert np.isnan(fit.predict(rropt_fieldwork.covariates_of_table(fit, path))).sum() == N // 5


def test_a_stream_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    threading.Thread(target=lambda: path.write_text("q,x\n0,1\n1,2\n1,3\n")).start()
    table = read(str(path))
    assert (table.columns, table["x"].tolist()) == (("q", "x"), ["1", "2", "3"])
    assert rropt_fieldwork.TableResponses("q", "warner:3/4", data=table).estimate().counted.counts == (1, 2)


def test_a_reading_is_stated_where_the_data_are_read() -> None:
    data = {"q": np.array([0, 1, 1])}
    for call in (
        lambda **own: table_estimate("warner:3/4", data=data, column="q", **own),
        lambda **own: estimate_table(data, "q", "warner:3/4", **own),
        lambda **own: regress_table(data, "q ~ 1", "warner:3/4", **own),
    ):
        for name in OPTIONS:
            with pytest.raises(InvalidParameterError, match=rf"`data=rropt_fieldwork\.read\(data, {name}=\.\.\.\)`"):
                call(**{name: "1"})
    with pytest.raises(InvalidParameterError, match="did you mean where"):
        read(data, wher="q = 1")


def test_a_reading_that_a_function_does_not_use_is_refused() -> None:
    selected = read({"q": np.array([0, 1, 1])}, where="q = 1")
    with pytest.raises(InvalidParameterError, match="counted as it is: received `where`"):
        rropt_fieldwork.count(selected, "warner:3/4", column="q", shard="a")
    fit = regress_table({"q": np.arange(40) % 2, "x": np.arange(40)}, "q ~ x", "warner:3/4", model="linear")
    with pytest.raises(InvalidParameterError, match=r"the fit states .*: received `where`"):
        rropt_fieldwork.covariates_of_table(fit, read({"x": np.array([1.0])}, where="x = 1"))


def test_each_option_is_declared_once() -> None:
    """Commands, ``read``, survey.toml and its page have the fields of the record."""

    assert [one.name for one in reading()] == [f"--{name.replace('_', '-')}" for name in OPTIONS]
    assert {one.name for one in fields(Question)} & set(OPTIONS) == set(DECLARED) < set(ATTRIBUTES)
    keys = (Path(__file__).parents[2] / "docs" / "howto" / "declare-a-survey.md").read_text().partition("## Keys")[2]
    assert [name for name in DECLARED if f"`{name}`" not in keys] == []
    for name, wrong in {
        "separator": "x",
        "decimal_mark": ";",
        "thousands_mark": "_",
        "where": "q >",
        "recode": "q",
    }.items():
        for refuses in (
            read,
            lambda _, **how: rropt_fieldwork.Survey(**how),
        ):  # at once, and not where the data are opened
            with pytest.raises(InvalidParameterError, match=f"`{name}` "):
                refuses("no such file.csv", **{name: wrong})
    assert rropt_fieldwork.Survey(separator="\t", thousands_mark=" ").separator == "\t"
    assert all(f"{name}:" in str(Reading.__doc__) and f"{name}:" in str(read.__doc__) for name in OPTIONS)
    table = Table("a.csv", Reading(where="x = 1"))
    assert table.reading.given == {"where": "x = 1"}


def test_messages_have_the_lines_of_the_file(tmp_path: Path) -> None:
    """The text is not UTF-8 in its 4000th row alone, so that it is read twice; line numbers are those of the file."""
    path = tmp_path / "a.csv"
    rows = [f"{'yes' if i % 2 else 'no'},{i}" for i in range(4000)]
    path.write_bytes("\n".join(["q,name", *rows, "maybe,Jos\u00e9"]).encode("cp1252"))
    with pytest.raises(FileFormatError, match=r"^line 4002 of the data contains no answer to 'q'"):
        rropt_fieldwork.TableResponses("q", "warner:3/4", data=read(str(path)), categories=["no", "yes"]).estimate()
    assert read(str(path))["name"][-1] == "Jos\u00e9"


def test_a_stated_separator_decides(cli: Any, tmp_path: Path) -> None:
    """The last column by semicolons and the first by commas have one name: without a statement both are possible."""
    path = tmp_path / "a.csv"
    path.write_text("q,x;q\n" + "1,2;0\n1,4;1\n" * 20)
    with pytest.raises(FileFormatError, match=r"read in two ways: .*; save it .*`separator="):
        read(str(path))["q"]
    assert read(str(path), separator=",")["x;q"].tolist() == ["2;0", "4;1"] * 20
    assert rropt_fieldwork.TableResponses(
        "q", "warner:3/4", data=read(str(path), separator=",")
    ).estimate().counted.counts == (0, 40)
    assert rropt_fieldwork.TableResponses(
        "q", "warner:3/4", data=read(str(path), separator=";")
    ).estimate().counted.counts == (20, 20)
    path.write_text("Title\nq\tx\n" + "1\t2\n0\t4\n" * 20)
    assert read(str(path), separator="tab", header_rows=2)["x"].tolist() == ["2", "4"] * 20
    asked = ("estimate", str(path), "--column", "q", "--mechanism", "warner:3/4", "--header-rows", "2")
    assert cli(*asked, "--separator", "tab")[1] == cli(*asked)[1] != ""
    assert "`separator`" not in (told := cli(*asked, "--separator", "x")[2])
    assert "--separator" in told
    path.write_text("sep=;\nq;x\n1;2\n")
    with pytest.raises(InvalidParameterError, match="two separators are stated"):
        read(str(path), separator=",")["q"]
    for data in (
        {"q": np.array([0, 1])},
        _written("jsonl", _frame(), tmp_path),
        _written("parquet", _frame(), tmp_path),
    ):
        with pytest.raises(InvalidParameterError, match="`separator` is for text files"):
            read(data, separator=",")["q"]
