"""Points and commas in numbers: one meaning for a table, and an error where a number could be another one.

The oracle knows the numbers that were written, and in which way.
"""

from __future__ import annotations

import random
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from fractions import Fraction
from math import isclose
from pathlib import Path
from typing import Any

import pytest
from few_rows import few_rows
from later import later
from table_calls import estimate_table, regress_table

import rropt_fieldwork
from rropt.core.errors import FileFormatError, InvalidParameterError
from rropt_fieldwork.reading.number_marks import NumberMarks, marks_of
from rropt_fieldwork.reading.readers import asked_of
from rropt_fieldwork.reading.sources import Source

pa = later("pyarrow")
pd = later("pandas")
parquet = later("pyarrow.parquet")

Cli = Callable[..., tuple[int, str, str]]

STYLES = {
    "german": (",", "."),
    "english": (".", ","),
    "swiss": (".", "'"),
    "french": (",", "\u202f"),
    "plain": (".", ""),
}


def written(value: Fraction, places: int | None, decimal: str, thousands: str) -> str:
    """Return a number with some decimals, or with as many as it needs (at most three)."""
    scaled = round(abs(value) * 1000)
    whole, rest = divmod(scaled, 1000)
    digits = f"{rest:03}" if places == 3 else f"{rest:03}"[:places] if places else f"{rest:03}".rstrip("0")
    grouped = f"{whole:,}".replace(",", thousands) if thousands else str(whole)
    return "-" * (value < 0) + grouped + (decimal + digits if digits and places != 0 else "")


def column(rng: random.Random, decimal: str, thousands: str) -> tuple[list[str], list[float]]:
    """Return the texts and the values of a column: amounts, ages, weights, or proportions."""
    low, high, places = rng.choice(
        [(1, 9_000_000, 0), (200, 40_000, None), (15, 99, 1), (0, 3, 3), (1, 9, 3), (0, 1, 2)]
    )
    values = []
    for _ in range(rng.randint(3, 30)):
        value = Fraction(rng.randint(low * 1000, high * 1000), 1000)
        step = 10 ** (3 if places is None else 3 - places)
        step = rng.choice([step, 1000]) if places is None else step
        values.append(Fraction(int(value * 1000) // step * step, 1000))
    return [written(value, places, decimal, thousands) for value in values], list(map(float, values))


def numbers_of(path: Path, names: list[str], **options: Any) -> dict[str, list[float]]:
    def work(source: Source) -> dict[str, list[float]]:
        source = source.with_marks((), names)
        return {name: values.tolist() for name, values in source.rows({name: name for name in names}, names).items()}

    return asked_of(path, names, work, folders=(), **options)


def test_marks_of_drawn_columns(size: Callable[[int, int], int]) -> None:
    """No column is read otherwise than it was written, in one way or in several; with stated marks all are read."""
    outcomes: Counter[tuple[bool, bool]] = Counter()
    told = set()
    for seed in range(size(250, 20_000)):
        rng = random.Random(seed)
        is_mixed = rng.random() < 0.2
        style, prefers_point = rng.choice(list(STYLES)), rng.random() < 0.3
        columns, values = {}, {}
        for name in "abc"[: rng.randint(1, 3)]:
            if is_mixed:
                style = rng.choice(list(STYLES))
            if prefers_point and not is_mixed and style != "plain":
                prefers_point = False  # programs that write commas between columns write points in numbers
            columns[name], values[name] = column(rng, *STYLES[style])
        decimal, thousands = STYLES[style]
        ways: list[dict[str, Any]] = [{"prefers_point": prefers_point and not is_mixed}]
        if not is_mixed:
            ways.append({"prefers_point": False, "decimal": decimal})
            blank = " " if thousands == "\u202f" else thousands
            ways += [{"prefers_point": False, "decimal": decimal, "thousands": blank}] * bool(thousands)
        for way in ways:
            is_stated = "decimal" in way
            try:
                found = marks_of(columns, **way)
            except FileFormatError as error:
                told.add(str(error).rpartition(": ")[2].partition("=")[0])
                outcomes[is_stated, False] += 1
                continue
            for name, texts in columns.items():
                for text, value in zip(texts, values[name], strict=True):
                    assert float(found.plain(text)) == value, (seed, way, text, columns)
            outcomes[is_stated, True] += 1
    assert outcomes[True, False] == 0  # each number fits what is stated
    assert min(outcomes[False, False], outcomes[False, True], outcomes[True, True]) > 0
    assert told == {"`decimal_mark"}


@pytest.mark.parametrize(
    ("columns", "marks", "decimal"),
    [
        ({"w": ["1.5", "640"]}, {}, "."),
        ({"w": ["3.480", "640"]}, {}, None),
        ({"w": ["3.480", "640"]}, {"prefers_point": True}, None),
        ({"w": ["3.480", "6.401"]}, {"prefers_point": True}, "."),
        ({"w": ["3.480", "6.401"]}, {}, None),
        ({"w": ["3.480", "0.5", "640"]}, {}, "."),  # 0.5 has a decimal point in any case
        ({"w": ["3.480", "0.5"], "v": ["3.480"]}, {}, None),
        ({"w": ["3.480", "640", "0.125"]}, {"prefers_point": True}, "."),
        ({"w": ["1,234", "2"]}, {}, None),
        ({"w": ["1,5", "2"]}, {}, None),
        ({"w": ["1,5", "2"]}, {"prefers_point": True}, None),
        ({"w": ["1,234.5"]}, {"prefers_point": True}, None),
        ({"w": ["0.125", "2"]}, {}, "."),
        ({"w": ["1e3", "2.5E-1", "+.5", "7."]}, {}, "."),
        ({"w": ["1", "20"], "v": []}, {}, "."),
        ({}, {}, "."),
        ({"w": ["3.480", "640"], "age": ["20,5"]}, {"decimal": ","}, ","),
        ({"w": ["3.480"]}, {"decimal": "."}, "."),
        ({"w": ["1.234,5"]}, {"decimal": "."}, None),
        ({"w": ["1'234.5", "2"]}, {"decimal": "."}, "."),
        ({"w": ["1 234,5", "2"]}, {"decimal": ","}, ","),
        ({"w": ["1.234", "1 234"]}, {"decimal": ","}, None),  # two thousands marks
        ({"w": ["1.234"]}, {"thousands": "."}, ","),
        ({"w": ["1,234"]}, {"thousands": ","}, "."),
        ({"w": ["1 234.5"]}, {"thousands": " "}, "."),
        ({"w": ["1 234,5"]}, {"thousands": " ", "decimal": ","}, ","),
        ({"w": ["1'234"]}, {"thousands": "."}, None),
        ({"w": ["12.34"]}, {"thousands": "."}, None),
    ],
)
def test_one_meaning(columns: dict[str, list[str]], marks: dict[str, Any], decimal: str | None) -> None:
    how = {"prefers_point": False, **marks}
    if decimal is None:
        with pytest.raises(FileFormatError, match=r"two ways|is not stated|does not fit the decimal mark"):
            marks_of(columns, **how)
    else:
        assert marks_of(columns, **how).decimal == decimal


def test_messages_name_a_cell_and_its_values() -> None:
    with pytest.raises(FileFormatError) as found:
        marks_of({"w": ["1,234"]}, prefers_point=False)
    assert str(found.value) == (
        "a number can be read in two ways: received '1,234' in 'w', which is 1234 with a decimal point, or 1.234 with "
        'a decimal comma; state the decimal mark: `decimal_mark=","` or `decimal_mark="."`'
    )
    with pytest.raises(FileFormatError) as found:
        marks_of({"w": ["20,5"]}, prefers_point=True)
    assert str(found.value) == (
        "a number has marks whose meaning is not stated: received '20,5' in 'w', which is 20.5 with a decimal comma; "
        'state the decimal mark: `decimal_mark=","`'
    )
    with pytest.raises(FileFormatError, match=r"received '20,5' in 'age', and the decimal mark '\.'"):
        marks_of({"w": ["1.234"], "age": ["20,5"]}, prefers_point=False, decimal=".")
    with pytest.raises(InvalidParameterError, match="a decimal mark is no thousands mark"):
        marks_of({"w": ["1.234"]}, prefers_point=False, decimal=".", thousands=".")


@pytest.mark.slow
def test_a_stated_mark_decides(cli: Cli, tmp_path: Path) -> None:
    """In commands, in Python and in survey.toml."""
    path = tmp_path / "a.csv"
    path.write_text("q;w\n" + "1;1.234\n0;2.155\n1;3.000\n0;1.111\n")
    given = ("estimate", str(path), "--column", "q", "--mechanism", "warner:3/4", "--weights", "w")
    status, _, err = cli(*given)
    assert status == 2
    assert "received '1.111' in 'w', which is 1.111 with a decimal point, or 1111 with a decimal comma" in err
    assert "--decimal-mark" in err
    for mark, total in ((".", 7.5), (",", 7500)):
        assert cli(*given, "--decimal-mark", mark)[0] == 0
        found = estimate_table(rropt_fieldwork.read(path, decimal_mark=mark), "q", "warner:3/4", weights="w")
        assert isclose(found[0].weight, total)  # a sum of four floats
        survey = {"file": str(path), "weights": "w", "decimal_mark": mark}
        declared = rropt_fieldwork.Survey(**survey, questions={"q": {"categories": ["0", "1"], "device": "warner:3/4"}})
        assert declared.estimate("q")[0].weight == found[0].weight
        assert rropt_fieldwork.Survey(**survey).to_dict()["decimal_mark"] == mark
    status, _, err = cli(*given, "--decimal-mark", ";")
    assert (status, "--decimal-mark" in err) == (2, True)
    with pytest.raises(InvalidParameterError, match="decimal_mark"):
        estimate_table(rropt_fieldwork.read(path, decimal_mark="comma"), "q", "warner:3/4", weights="w")
    with pytest.raises(InvalidParameterError, match="decimal_mark"):
        rropt_fieldwork.Survey(decimal_mark=";")


@pytest.mark.slow
@few_rows(1)
@pytest.mark.parametrize("separator", [";", "\t", "|", ","])
def test_covariates_and_finite_populations(cli: Cli, tmp_path: Path, separator: str) -> None:
    """One meaning for weights, populations and covariates of one table; texts that are no numbers are levels."""
    path = tmp_path / "a.csv"
    rows = [
        ("1", "1,5", "2.500", "20,5", "a"),
        ("0", "1,25", "2.500", "31", "b"),
        ("1", "2", "2.500", "1.021", "a"),
    ] * 5
    lines = [("q", "w", "f", "age", "g"), *rows]
    text = "".join(separator.join(f'"{cell}"' for cell in line) + "\n" for line in lines)
    path.write_text(text)
    options: dict[str, Any] = {"weights": "w", "fpc": "f"}
    found = estimate_table(rropt_fieldwork.read(path, decimal_mark=","), "q", "warner:3/4", **options)
    assert found.sample.endswith("; 0.6 % of the population drawn")  # 15 of 2500
    assert isclose(found[0].weight, 23.75)
    told = regress_table(
        rropt_fieldwork.read(path, decimal_mark=","), "q ~ center(age) + C(g)", "warner:17/20", model="linear"
    )
    ages = told.fit.fitted.columns["age"].values
    assert sorted(set(ages.tolist())) == [20.5, 31, 1021]
    with pytest.raises(FileFormatError, match=r"not stated: received '1,5' in 'w', which is 1\.5 with a decimal comma"):
        estimate_table(path, "q", "warner:3/4", **options)
    grouped = rropt_fieldwork.read(path, decimal_mark=",", thousands_mark=".")
    assert estimate_table(grouped, "q", "warner:3/4", **options) == found
    blanks = rropt_fieldwork.read(path, decimal_mark=",", thousands_mark=" ")
    with pytest.raises(FileFormatError, match=r"does not fit the decimal mark: received '2\.500' in 'f'"):
        estimate_table(blanks, "q", "warner:3/4", **options)


def test_numbers_of_odd_tables(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a;b;c\n1.234,5;1;x\n2;-2,5;y\n")
    assert numbers_of(path, ["a", "b"], decimal_mark=",") == {"a": [1234.5, 2.0], "b": [1.0, -2.5]}
    path.write_text("a\tb\n1'234.5\t12 345\n2\t2\n")
    with pytest.raises(FileFormatError, match="does not fit the decimal mark"):
        numbers_of(path, ["a", "b"], decimal_mark=".")
    path.write_text("a\tb\n1'234.5\t12'345\n2\t2\n")
    assert numbers_of(path, ["a", "b"], thousands_mark="'") == {"a": [1234.5, 2.0], "b": [12345.0, 2.0]}


@pytest.mark.slow
def test_numbers_in_texts_of_other_formats(tmp_path: Path) -> None:
    """Texts in Parquet are read as those of a file that commas separate; numbers have one meaning only."""
    path = tmp_path / "a.parquet"
    parquet.write_table(
        pa.table({"q": [0, 1, 1, 0], "w": ["1.5", "2", "3.25", ".5"], "x": [1.234, 2.0, 1.5, 1.0]}), path
    )
    assert numbers_of(path, ["w", "x"]) == {"w": [1.5, 2.0, 3.25, 0.5], "x": [1.234, 2.0, 1.5, 1.0]}
    parquet.write_table(pa.table({"q": [0, 1, 1, 0], "w": ["1.234", "512", "640", "2.155"]}), path)
    for engine in ("duckdb", "polars"):
        with pytest.raises(FileFormatError, match=r"can be read in two ways: received '1\.234' in 'w'"):
            estimate_table(rropt_fieldwork.read(path, engine=engine), "q", "warner:3/4", weights="w")
        rows = rropt_fieldwork.read(path, engine=engine, decimal_mark=",")
        found = estimate_table(rows, "q", "warner:3/4", weights="w")
        assert found[0].weight == 1234 + 512 + 640 + 2155


@pytest.mark.slow
@pytest.mark.parametrize("form", ["jsonl", "xlsx"])
def test_numbers_that_became_texts(form: str, tmp_path: Path) -> None:
    """Numbers of JSON and of a workbook have a decimal point, whatever is beside them; a text with a comma has not."""
    path = tmp_path / f"a.{form}"
    frame = pd.DataFrame({"q": [0, 1, 1], "w": [1.125, 3, 2], "v": ["1.234", "20,5", "1"]})
    frame["w"] = frame["w"].astype(object)
    write = {"jsonl": lambda: frame.to_json(path, orient="records", lines=True), "xlsx": lambda: frame.to_excel(path)}
    write[form]()
    assert numbers_of(path, ["w"]) == {"w": [1.125, 3, 2]}
    with pytest.raises(FileFormatError, match=r"in two ways|is not stated"):
        numbers_of(path, ["w", "v"])
    with pytest.raises(FileFormatError, match="does not fit the decimal mark"):
        estimate_table(rropt_fieldwork.read(path, decimal_mark=","), "q", "warner:3/4", weights="w")


def test_files_with_other_separators(tmp_path: Path) -> None:
    """1.234 of a file with commas is a decimal there: whole numbers of another file do not make it a thousand."""
    one, other = tmp_path / "a.csv", tmp_path / "b.csv"
    one.write_text("q,w\n1,1.234\n0,1.500\n")
    other.write_text("q;w\n1;512\n0;2\n")
    for files in ([one, other], [other, one]):
        with pytest.raises(FileFormatError, match=r"can be read in two ways: received '1\.234' in 'w'"):
            estimate_table(files, "q", "warner:3/4", weights="w")


OTHERS = [  # the weights, another column, and their total; None: the file gives the weights another value
    (["7.120", "6.192"], ["3.933,9", "827,5"], None),
    (["7.120", "6.192"], ["827,5", "2"], None),
    (["1,283", "1,536"], ["9\u00a0129", "214"], None),
    (["1,283", "1,536"], ["9,129", "214"], None),
    (["7.120", "6.192"], ["9 129", "214"], 13.312),
    (["7.120", "6.192"], ["1,3", "a"], 13.312),  # answers, and no numbers
    (["7.12", "6.192"], ["827.5", "x"], 13.312),
    (["7.12", "6.1"], ["827,5", "2"], 13.22),  # no weight has two values
]


@few_rows(2)
@pytest.mark.parametrize(("weights", "others", "total"), OTHERS)
def test_columns_that_are_not_asked_agree(
    tmp_path: Path, weights: list[str], others: list[str], total: float | None
) -> None:
    """A file has one meaning of marks: numbers of another column are no weights, but they show how it was written."""
    file = tmp_path / "a.csv"
    rows = [f'{i % 2},"{w}","{x}"' for i, (w, x) in enumerate(zip(weights * 5, others * 5, strict=True))]
    file.write_text("\n".join(["q,w,x", *rows]) + "\n")
    if total is None:
        with pytest.raises(FileFormatError, match=r"can be read in two ways: received"):
            estimate_table(file, "q", "warner:3/4", weights="w")
        for mark in ".,":  # the way out
            estimate_table(rropt_fieldwork.read(file, decimal_mark=mark), "q", "warner:3/4", weights="w")
    else:
        found = estimate_table(file, "q", "warner:3/4", weights="w")
        assert isclose(found[0].weight, 5 * total)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["jsonl", "json", "xlsx", "sqlite"])
def test_texts_beside_numbers_that_became_texts(form: str, tmp_path: Path) -> None:
    """Texts of JSON, of a workbook and of a database may have thousands marks, also beside numbers of their column."""
    path = tmp_path / f"a.{form}"
    for weights in (["1.234", "512", "640", "2.155"], ["1.234", 512, 640, "2.155"]):
        frame = pd.DataFrame({"q": [0, 1, 1, 0], "w": weights, "x": [1.125, 3, 2, 1]})
        path.unlink(missing_ok=True)
        if form == "xlsx":
            frame.to_excel(path)
        elif form == "sqlite":
            with closing(sqlite3.connect(path)) as made, made:
                made.execute("CREATE TABLE t (q, w, x)")
                made.executemany("INSERT INTO t VALUES (?, ?, ?)", frame.values.tolist())
        else:
            frame.to_json(path, orient="records", lines=form == "jsonl")
        with pytest.raises(FileFormatError, match=r"can be read in two ways: received '1\.234' in 'w'"):
            estimate_table(path, "q", "warner:3/4", weights="w")
        found = estimate_table(rropt_fieldwork.read(path, decimal_mark=","), "q", "warner:3/4", weights="w")
        assert found[0].weight == 1234 + 512 + 640 + 2155
        assert numbers_of(path, ["x"]) == {"x": [1.125, 3, 2, 1]}


def test_sql_and_python_agree(tmp_path: Path, size: Callable[[int, int], int]) -> None:
    """Each meaning is read by DuckDB as ``plain`` writes it."""
    import duckdb

    rng, connection = random.Random(5), duckdb.connect()
    for decimal, thousands in ((".", ""), (",", ""), (".", ","), (",", "."), (",", " "), (".", "'")):
        marks = NumberMarks(decimal, thousands)
        texts = [
            "".join(rng.choice("0123456789.,' -e\u00a0\u2019") for _ in range(rng.randint(1, 8))) for _ in range(300)
        ]
        texts += [column(rng, decimal, thousands)[0][0] for _ in range(size(50, 1000))]
        statement = f"SELECT x, {marks.sql('x')} FROM (SELECT unnest(?) AS x)"
        for text, value in connection.execute(statement, [texts]).fetchall():
            assert value == (float(marks.plain(text)) if marks.fits(text) else None), (marks, text)
