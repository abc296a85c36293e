"""Header rows that are the first rows of a table whose columns have names: data frames, Parquet, JSON, SPSS, Stata."""

from __future__ import annotations

import csv
import random
from pathlib import Path
from typing import Any

import pytest
from few_rows import few_rows
from reading import split
from support.table_calls import table_estimate
from table_calls import estimate_table

import rropt_fieldwork
from rropt.core.errors import FileFormatError, InvalidParameterError
from rropt_fieldwork import init_survey

NAMES = ["Q3", "Region", "w"]
LABELS = [["Is it, so?", "Where?", "Weight"], [f'{{"ImportId":"{name}"}}' for name in NAMES]]
FORMS = [
    "csv",
    "xlsx",
    "parquet",
    "feather",
    "json",
    "jsonl",
    "sav",
    "dta",
    "pandas",
    "polars",
    "lazy",
    "arrow",
    "duckdb",
]
ROWS = [
    [random.Random(row).choice(["True", "False", ""]), "NSW"[row % 3], ("1.5", "2", "0.75", "1")[row * row % 4]]
    for row in range(60)
]


def table(form: str, folder: Path, rows: list[list[str]] = ROWS, names: list[str] = NAMES) -> Any:
    """Return an export with three header rows as a program that knows one header row reads and saves it."""
    path = folder / f"a.{form}"
    with (folder / "a.csv").open("w", newline="") as text:
        csv.writer(text).writerows([names, *LABELS, *rows])
    if form == "csv":
        return str(path)
    if form in ("polars", "lazy", "arrow"):
        polars = pytest.importorskip("polars")
        read = polars.read_csv(folder / "a.csv")
        return {"polars": read, "lazy": read.lazy(), "arrow": read.to_arrow()}[form]
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_csv(folder / "a.csv")
    if form in ("sav", "dta"):
        getattr(pytest.importorskip("pyreadstat"), f"write_{form}")(frame, str(path))
    elif form in ("json", "jsonl"):
        frame.to_json(path, orient="records", lines=form == "jsonl")
    elif form == "xlsx":
        pytest.importorskip("openpyxl")
        frame.to_excel(path, index=False)
    elif form == "duckdb":
        return pytest.importorskip("duckdb").from_df(frame)
    elif form != "pandas":
        getattr(frame, f"to_{form}")(path)
    return frame if form == "pandas" else str(path)


def shares(data: Any, **options: Any) -> list[tuple[Any, ...]]:
    how: dict[str, Any] = {
        "categories": ["False", "True"],
        "by": "Region",
        "weights": "w",
        "where": "w >= 1",
        **options,
    }
    rows, others = split(data, how)
    found = estimate_table(rows, "Q3", "warner:3/4", **others)
    return [(one.group, one.n, one.estimate, one.se) for one in found]


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_every_form_has_the_estimates_of_the_text(tmp_path: Path, form: str) -> None:
    """The numbers of respondents are counted here; weights that became texts are numbers again."""
    data = table(form, tmp_path)
    found = shares(data, header_rows=3)
    asked = [row for row in ROWS if row[0] and float(row[2]) >= 1]
    assert [(group, n) for group, n, *_ in found] == [(each, sum(row[1] == each for row in asked)) for each in "NSW"]
    assert found == shares(table("csv", tmp_path), header_rows=3)


@pytest.mark.slow
def test_an_engine_counts_the_same(tmp_path: Path) -> None:
    pytest.importorskip("ibis")
    path = table("parquet", tmp_path)
    assert shares(path, header_rows=3, engine="polars") == shares(path, header_rows=3)
    with pytest.raises(InvalidParameterError, match="`codes` is for files of Stata and SPSS"):
        shares(path, header_rows=3, engine="polars", codes="w")


@few_rows(2)
@pytest.mark.parametrize(
    ("form", "place"), [("csv", "line 6"), ("parquet", "row 5"), ("jsonl", "line 5"), ("pandas", "row 5")]
)
def test_messages_have_the_rows_of_the_table(tmp_path: Path, form: str, place: str) -> None:
    """The third respondent stands in row 5 of a data frame, and in line 6 of a text with the names in line 1."""
    rows = [["maybe" if at == 2 else "True", *row[1:]] for at, row in enumerate(ROWS)]
    with pytest.raises(FileFormatError, match=f"^{place} of the data contains no answer"):
        shares(table(form, tmp_path, rows), header_rows=3, where=None)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["parquet", "pandas"])
def test_names_below_a_title(tmp_path: Path, form: str) -> None:
    """Of a sheet with a title, pandas names the columns Survey, Unnamed: 1, ...; the names are in the first row."""
    pandas = pytest.importorskip("pandas")
    titles = ["Survey", "Unnamed: 1", "Unnamed: 2"]
    data = pandas.DataFrame([NAMES, *LABELS, *ROWS], columns=titles)
    if form == "parquet":
        data.to_parquet(tmp_path / "b.parquet")
        below = rropt_fieldwork.read(tmp_path / "b.parquet", header_rows=4)
        assert init_survey(below, questions="Q3").survey.questions["Q3"].wording == "Is it, so?"
        data = str(tmp_path / "b.parquet")
    assert shares(data, header_rows=4) == shares(table("csv", tmp_path), header_rows=3)
    with pytest.raises(InvalidParameterError, match="no column"):
        shares(data, header_rows=4, by="Town")


def test_a_header_row_with_numbers_is_a_respondent(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(ROWS, columns=NAMES).astype({"w": float})
    with pytest.raises(FileFormatError, match="row 1 of the pandas table has a number or a date in 'w'"):
        shares(frame, header_rows=3)
    with pytest.raises(FileFormatError, match="no row below their header rows: received 61 header rows"):
        shares(frame, header_rows=61)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["parquet", "json", "sav"])
def test_a_survey_has_them(cli: Any, tmp_path: Path, monkeypatch: Any, form: str) -> None:
    """They are stated once and declared, and the command line has the numbers of Python."""
    monkeypatch.chdir(tmp_path)
    expected = shares(table(form, tmp_path), header_rows=3)
    status, out, err = cli("survey", "init", f"a.{form}", "--header-rows", "3", "--questions", "Q3")
    assert status == 0, err
    assert "Is it, so?" in out
    survey = rropt_fieldwork.Survey.read("survey.toml")
    assert survey.header_rows == 3
    assert survey.questions["Q3"].wording == "Is it, so?"
    how: dict[str, Any] = {"categories": ["False", "True"], "weights": "w"}
    found = survey.estimate("Q3", device="warner:3/4", **how, by="Region", where="w >= 1")
    assert [(one.group, one.n, one.estimate, one.se) for one in found] == expected


@few_rows(1)
@pytest.mark.parametrize("form", ["csv", "xlsx", "semicolons"])
@few_rows(1)
@pytest.mark.parametrize("titles", [0, 1, 2])
@few_rows(1)
@pytest.mark.parametrize("wordings", [0, 1, 2])
def test_a_message_has_the_number_of_header_rows(tmp_path: Path, form: str, titles: int, wordings: int) -> None:
    """The advice is followed until the table is read: its last number is the true one."""
    rows = [*[["Survey of 2026"], []][:titles], NAMES, *LABELS[:wordings], *([*row] for row in ROWS)]
    if form == "xlsx":
        book = pytest.importorskip("openpyxl").Workbook()
        for row in rows:
            book.active.append(row)
        book.save(tmp_path / "a.xlsx")
    else:
        with (tmp_path / "a.csv").open("w", newline="") as text:
            text.write("sep=;\n" if form == "semicolons" else "")
            csv.writer(text, delimiter=";" if form == "semicolons" else ",").writerows(rows)
    path, told = str(tmp_path / ("a.xlsx" if form == "xlsx" else "a.csv")), 1
    for _ in range(3):
        try:
            found = shares(path, header_rows=told, where=None)
        except (FileFormatError, InvalidParameterError) as error:
            told = int(str(error).partition("header_rows=")[2].partition("`")[0])
        else:
            break
    assert told == titles + 1 + wordings
    assert sum(n for _, n, *_ in found) == sum(row[0] != "" for row in ROWS)


MONKEY = [
    ["Respondent ID", "Did you?", "Which?", "", "", "Where?", "Which else?", ""],
    ["", "Response", "Red", "Blue", "Other (please specify)", "Response", "Red", "Red"],
]
TICKED = [
    [str(i), ["No", "Yes"][i % 3 == 0], "Red" * (i % 2), "", "x" * (i == 7), "NS"[i % 2], "", "Red"] for i in range(40)
]


def monkey(form: str, folder: Path) -> Any:
    """Return an export of SurveyMonkey, which names a question above the first of its options."""
    path = folder / f"a.{form}"
    if form == "xlsx":
        book = pytest.importorskip("openpyxl").Workbook()
        for row in [["Report of 2026"], *MONKEY, *TICKED]:
            book.active.append([cell or None for cell in row])
        for place in ("C2:E2", "G2:H2", "A2:A3"):
            book.active.merge_cells(place)
        book.save(path)
        return str(path)
    with (folder / "a.csv").open("w", newline="") as text:
        csv.writer(text).writerows([*MONKEY, *TICKED])
    if form == "csv":
        return str(path)
    frame = pytest.importorskip("pandas").read_csv(folder / "a.csv")
    if form == "pandas":
        return frame
    frame.to_json(path, orient="records") if form == "json" else getattr(frame, f"to_{form}")(path)
    return str(path)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["csv", "xlsx", "pandas", "parquet", "json"])
def test_options_below_their_question(tmp_path: Path, form: str) -> None:
    """A column is named by its question and option; the question alone was read as its first option."""
    data, rows = monkey(form, tmp_path), 3 if form == "xlsx" else 2
    how: dict[str, Any] = {"categories": ["no", "Red"]}
    table = rropt_fieldwork.read(data, header_rows=rows, blank="no")
    found = estimate_table(table, "Which?: Red", "warner:3/4", **how, by="Where?")
    assert [(each.group, each.n) for each in found] == [("N", 20), ("S", 20)]
    assert table_estimate("warner:3/4", data=table, column="Which?: Red", **how).counted.counts == (20, 20)
    assert table_estimate("warner:3/4", data=table, column="Which else?: Red#8", **how).counted.counts == (0, 40)
    with pytest.raises(InvalidParameterError, match="stands above several columns, one for each option"):
        estimate_table(table, "Which?", "warner:3/4", **how)
    with pytest.raises(InvalidParameterError, match="by its place, 'Which else\\?: Red#7 or Which else\\?: Red#8'"):
        estimate_table(table, "Which else?: Red", "warner:3/4", **how)
    if form in ("csv", "xlsx"):
        with pytest.raises(InvalidParameterError, match=f"header_rows={rows}`"):
            estimate_table(rropt_fieldwork.read(data, blank="no"), "Which?: Red", "warner:3/4", **how)
    if form != "pandas":
        below = rropt_fieldwork.read(data, header_rows=rows)
        declared = init_survey(below, questions=["Which?: Red", "Did you?"]).survey
        assert (declared.header_rows, set(declared.questions)) == (rows, {"Which?: Red", "Did you?"})


def test_titles_of_groups_above_names_are_no_questions(tmp_path: Path) -> None:
    """The second row has a name for each column, so that the first one is not needed."""
    path = tmp_path / "a.csv"
    path.write_text("Person,,Answers\nage,sex,q\n" + "".join(f"{i},{'mf'[i % 2]},{i % 2}\n" for i in range(30)))
    found = init_survey(rropt_fieldwork.read(path, header_rows=2))
    assert [(one.column, one.different) for one in found.columns] == [("age", 30), ("sex", 2), ("q", 2)]
    assert rropt_fieldwork.TableResponses(
        "q", "warner:3/4", data=rropt_fieldwork.read(str(path), header_rows=2)
    ).estimate().counted.counts == (15, 15)


@few_rows(1)
@pytest.mark.parametrize("form", ["csv", "parquet", "pandas"])
def test_blank_texts_among_numbers_are_missing(tmp_path: Path, form: str) -> None:
    """A text of Stata or SPSS is blank, and not NULL: the bands were refused with "-10 values that are no number"."""
    pandas = pytest.importorskip("pandas")
    data = pandas.DataFrame({"q": ["0", "1"] * 20, "age": [" " * (i % 2) if i < 10 else str(i) for i in range(40)]})
    if form != "pandas":
        getattr(data, f"to_{form}")(tmp_path / "a", index=False)
        data = str(tmp_path / "a")
    found = estimate_table(rropt_fieldwork.read(data, recode="band = age: 0..19, 20.."), "q", "warner:3/4", by="band")
    assert [(each.group, each.n) for each in found] == [
        ("0..19", 10),
        ("20..", 20),
    ]
    assert rropt_fieldwork.TableResponses(
        "q", "warner:3/4", data=rropt_fieldwork.read(data, where="age >= 30")
    ).estimate().counted.counts == (
        5,
        5,
    )


def test_names_below_the_first_row_are_found_with_an_engine(tmp_path):
    """Titles became the names of the columns, and the names stand in the first row: every engine finds them there."""
    import polars as pl

    rows = [["id", "q"], *([str(i), "yes" if i % 3 else "no"] for i in range(1, 31))]
    frame = pl.DataFrame({"Title": [row[0] for row in rows], "Unnamed: 1": [row[1] for row in rows]})
    frame.write_parquet(tmp_path / "t.parquet")
    asked = {"column": "q", "mechanism": "warner:9/10", "categories": ["no", "yes"]}
    found = [
        table_estimate(data=rropt_fieldwork.read(str(tmp_path / "t.parquet"), engine=engine, header_rows=2), **asked)
        for engine in ("duckdb", "polars")
    ]
    assert [one.counted.counts for one in found] == [(10, 20)] * 2


def test_a_second_header_row_may_be_longer_than_the_names(tmp_path):
    (tmp_path / "d.csv").write_text("id,q\nNumber,Do you?,\n" + "".join(f"{i},{i % 2}\n" for i in range(20)))
    found = rropt_fieldwork.TableResponses(
        "q", "warner:3/4", data=rropt_fieldwork.read(str(tmp_path / "d.csv"), header_rows=2)
    ).estimate()
    assert found.counted.counts == (10, 10)
