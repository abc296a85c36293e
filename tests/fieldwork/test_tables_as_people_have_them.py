"""Header rows, waves with other columns, JSON of interfaces, ordered levels and labelled numbers."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from reading import split
from support.table_calls import table_estimate
from table_calls import estimate_table, regress_table

import rropt_fieldwork
from rropt.answers.response_codes import is_no_number
from rropt.core.errors import FileFormatError, InvalidParameterError
from rropt_fieldwork import init_survey

QUALTRICS = (
    "\ufeffStatus,Q3,Region\n"
    'Response Type,"Please spin.\nIs the statement ""A, or B"" true?",Region\n'
    '"{""ImportId"":""status""}","{""ImportId"":""QID3""}","{""ImportId"":""QID7""}"\n'
)
OPTIONS: dict[str, Any] = {"column": "Q3", "categories": ["False", "True"]}


def counts(data: Any, **options: Any) -> tuple[int, ...]:
    rows, others = split(data, {**OPTIONS, **options})
    return tuple(table_estimate("warner:3/4", data=rows, **others).counted.counts)


@few_rows(1)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_three_header_rows_of_a_form_tool(tmp_path: Path, end: str) -> None:
    path = tmp_path / "a.csv"
    rows = "ok,True,N\nok,False,S\npreview,True,S\nok,,N\n"
    path.write_bytes((QUALTRICS + rows).replace("\n", end).encode())
    assert counts(str(path), header_rows=3) == (1, 2)
    assert counts(str(path), header_rows="3", where="Status != 'preview'") == (1, 1)
    path.write_bytes((QUALTRICS + rows + "ok,maybe,N\n").replace("\n", end).encode())
    with pytest.raises(FileFormatError, match=r"^line 9 of the data"):  # as an editor numbers it
        counts(str(path), header_rows=3)
    with pytest.raises(InvalidParameterError, match="no column"):
        counts(str(path), header_rows=3, column="Q4")


@pytest.mark.parametrize("above", ["Survey of 2026\n\n", "sep=;\nSurvey of 2026;;\n", "Survey;2026\nq;r\n"])
def test_title_rows_of_another_width(tmp_path: Path, above: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(above + "Q3;Region\nTrue;N\nFalse;S\nTrue;S\n")
    rows = above.count("\n") - above.startswith("sep") + 1
    assert counts(str(path), header_rows=rows) == (1, 2)


def test_title_rows_of_a_workbook(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (["Survey of 2026"], [], ["Q3", "Region"], ["Is it true?", "Where?"], ["True", "N"], ["False", "S"]):
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    assert counts(str(tmp_path / "a.xlsx"), header_rows=4) == (1, 1)


@pytest.mark.parametrize("rows", [0, 101, True, "x", 1.5])
def test_wrong_numbers_of_header_rows_are_errors(rows: Any) -> None:
    with pytest.raises(InvalidParameterError, match="no number of rows"):
        counts("nowhere.csv", header_rows=rows)


def test_codes_are_for_statistics_files(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('[{"Q3": "True"}, {"Q3": "False"}]')
    with pytest.raises(InvalidParameterError, match="is for files of Stata and SPSS"):
        counts(str(path), codes="Q3")


@few_rows(1)
@pytest.mark.parametrize("form", ["utf-8", "utf-16", "utf-16-le", "cp1252", "gzip", "zip"])
def test_header_rows_stand_in_the_text_that_is_read(tmp_path: Path, form: str) -> None:
    path, text = tmp_path / "a", QUALTRICS.removeprefix("\ufeff") + "ok,True,Zürich\nok,False,S\n" * 3
    if form == "gzip":
        path.write_bytes(gzip.compress(text.encode()))
    elif form == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("a.csv", text)
    else:
        path.write_bytes(text.encode(form))
    assert init_survey(rropt_fieldwork.read(path, header_rows=3), questions=["Q3"]).survey.header_rows == 3
    assert counts(str(path), header_rows=3) == (3, 3)


@few_rows(1)
@pytest.mark.parametrize("has_wordings", [False, True])
def test_blank_lines_below_a_title_are_rows_in_every_format(tmp_path: Path, has_wordings: bool) -> None:
    """A text has the rows of the workbook: 3 with the names in the last one, and one more with wordings."""
    openpyxl = pytest.importorskip("openpyxl")
    wordings = [["Is it so?", "Number"]] * has_wordings
    rows = [["Survey"], [], ["Q3", "id"], *wordings, *([str(place % 2 > 0), str(place)] for place in range(30))]
    (tmp_path / "a.csv").write_text("".join(f"{','.join(row)}\n" for row in rows))
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    for name in ("a.csv", "a.xlsx"):
        assert counts(str(tmp_path / name), header_rows=3 + has_wordings) == (15, 15)


def test_waves_need_the_named_columns_only(tmp_path: Path) -> None:
    """3 yes of 8 and, with one column more, of 7; the places of the columns differ."""
    paths = [str(tmp_path / f"{wave}.csv") for wave in "abc"]
    for path, text in zip(
        paths,
        ["q,r\nno,N\nyes,N\nno,S\nno,S\n", "r,q\nN,yes\nS,no\nS,yes\nN,no\n", "id,q,r\n1,no,N\n2,yes,S\n3,yes,N\n"],
        strict=True,
    ):
        Path(path).write_text(text)
    options: dict[str, Any] = {"column": "q", "categories": ["no", "yes"]}
    assert counts(paths[:2], **options) == (5, 3)
    assert counts([paths[0], paths[2]], **options) == (4, 3)
    assert counts(paths, **options, where="r = 'N'") == (3, 3)
    found = estimate_table(paths, "q", "warner:3/4", categories=["no", "yes"], by="r")
    assert [(one.group, one.n) for one in found] == [("N", 6), ("S", 5)]
    with pytest.raises(InvalidParameterError, match="no column"):
        counts(paths, **options, where="id = 1")


@few_rows(1)
@pytest.mark.parametrize("end", ["csv", "parquet"])
def test_whole_numbers_of_waves_are_one_label(tmp_path: Path, end: str) -> None:
    """A missing value makes pandas write 3 as 3.0: 5 clusters of two waves became 10."""
    pandas = pytest.importorskip("pandas")
    one = pandas.DataFrame({"Q3": ["False", "True"] * 10, "c": [str(i % 5) for i in range(20)], "s": ["1"] * 20})
    other = one.astype({"c": float, "s": float})
    one.to_csv(tmp_path / "1.csv", index=False)
    getattr(other, f"to_{end}")(tmp_path / f"2.{end}", index=False)
    whole = pandas.concat([one, one])
    paths = [str(tmp_path / "1.csv"), str(tmp_path / f"2.{end}")]
    found, expected = (
        table_estimate("warner:3/4", data=data, **OPTIONS, clusters="c", strata="s") for data in (paths, whole)
    )
    assert found.sample == expected.sample
    assert "; 5 clusters in 1 stratum" in found.sample
    ((one,), (other,)) = found, expected
    assert (one.n, one.df) == (other.n, other.df)
    for name in ("estimate", "se", "device_se"):
        assert getattr(one, name) == pytest.approx(getattr(other, name), rel=1e-14)  # sums in another order
    groups = [each.group for each in table_estimate("warner:3/4", data=paths, **OPTIONS, by="c")]
    assert groups == ["0", "1", "2", "3", "4"]
    part = table_estimate("warner:3/4", data=rropt_fieldwork.read(paths, missing=["", "c=3.0"]), **OPTIONS, by="c")
    assert [each.group for each in part] == ["0", "1", "2", "4"]


def test_whole_numbers_in_two_forms_are_one_level(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("q,c\n" + "\n".join(f"{i % 2},{['1', '2', '1.0', '2.0', '2.5'][i % 5]}" for i in range(40)))
    fit = regress_table(path, "q ~ C(c)", "warner:3/4")
    assert list(fit.names) == ["Intercept", "C(c)[T.2]", "C(c)[T.2.5]"]


@few_rows(2)
@pytest.mark.parametrize(
    ("document", "column"),
    [
        (
            {"count": 3, "next": None, "results": [{"a/Q3": "True"}, {"a/Q3": "False"}, {"x": 1, "a/Q3": "True"}]},
            "a/Q3",
        ),
        ([{"a": {"Q3": "True"}}, {"a": {"Q3": "False"}}, {"a": {"Q3": "True"}}], "a.Q3"),
        (
            {"value": [{"a": {"b": {"Q3": "True"}}}, {"a": {"b": {"Q3": "True"}}}, {"a": {"b": {"Q3": "False"}}}]},
            "a/b/Q3",
        ),
    ],
)
@few_rows(1)
@pytest.mark.parametrize("indent", [None, 2])
def test_json_in_envelopes_and_groups(tmp_path: Path, document: Any, column: str, indent: int | None) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(document, indent=indent))
    assert counts(str(path), column=column) == (1, 2)
    if isinstance(document, list):
        path.write_text("\n".join(map(json.dumps, document)))
        assert counts(str(path), column=column) == (1, 2)
        with pytest.raises(InvalidParameterError, match=r"holds objects: received 'a'; name .* 'a.Q3'"):
            counts(str(path), column="a")


def test_a_page_of_an_envelope_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"count": 9, "next": "x", "results": [{"Q3": "True"}, {"Q3": "False"}]}')
    found = estimate_table(
        rropt_fieldwork.read(path, recode="Q3x = Q3: False -> no"),
        "Q3",
        "warner:3/4",
        categories=["False", "True"],
        by="Q3x",
    )
    assert "a page of 2 rows of 9" in " ".join(found.remarks())


def levels_of(data: Any, column: str = "e") -> tuple[list[str], list[str]]:
    groups = estimate_table(data, "q", "warner:3/4", by=column)
    fit = regress_table(data, f"q ~ {column}", "warner:17/20", model="linear")
    return [one.group for one in groups], list(fit.names)


ORDERED = (["low", "mid", "high"], ["Intercept", "e[T.mid]", "e[T.high]"])


def rows_of_levels() -> tuple[Any, list[str]]:
    return np.arange(60) % 2, [("low", "mid", "high")[place % 3] for place in range(60)]


@pytest.mark.slow
def test_ordered_categories_of_pandas_keep_their_order() -> None:
    pandas = pytest.importorskip("pandas")
    q, e = rows_of_levels()
    table = pandas.DataFrame({"q": q, "e": pandas.Categorical(e, categories=ORDERED[0], ordered=True)})
    assert levels_of(table) == ORDERED
    assert counts(table, column="q", categories=None, where="e >= 'mid'") == (20, 20)
    assert counts(table, column="q", categories=None, where="e < 'mid'") == (10, 10)


def test_enumerations_of_polars_keep_their_order() -> None:
    polars = pytest.importorskip("polars")
    q, e = rows_of_levels()
    assert levels_of(polars.DataFrame({"q": q, "e": polars.Series(e, dtype=polars.Enum(ORDERED[0]))})) == ORDERED


def test_value_labels_keep_the_order_of_their_codes(tmp_path: Path) -> None:
    pyreadstat, pandas = pytest.importorskip("pyreadstat"), pytest.importorskip("pandas")
    q, e = rows_of_levels()
    codes = [ORDERED[0].index(one) + 1 for one in e]
    labels = {"e": {1: "low", 2: "mid", 3: "high"}}
    pyreadstat.write_sav(pandas.DataFrame({"q": q, "e": codes}), str(tmp_path / "a.sav"), variable_value_labels=labels)
    assert levels_of(str(tmp_path / "a.sav")) == ORDERED


def test_top_coded_numbers_are_read_without_labels(tmp_path: Path) -> None:
    """97 is a number, and -1 is missing since it is labelled as a refusal."""
    pyreadstat, pandas = pytest.importorskip("pyreadstat"), pytest.importorskip("pandas")
    q, age = np.arange(60) % 2, [97 if place % 7 == 0 else -1 if place % 9 == 0 else 20 + place for place in range(60)]
    labels = {"age": {97: "90 or older", -1: "Refused"}}
    pyreadstat.write_sav(pandas.DataFrame({"q": q, "age": age}), str(tmp_path / "a.sav"), variable_value_labels=labels)
    found = regress_table(
        rropt_fieldwork.read(str(tmp_path / "a.sav"), codes="age"), "q ~ age", "warner:17/20", model="linear"
    )
    plain = {"q": q, "age": np.array([np.nan if one == -1 else one for one in age])}
    expected = regress_table(plain, "q ~ age", "warner:17/20", model="linear")
    assert (found.params, found.nobs) == (expected.params, expected.nobs)
    assert any("97 = '90 or older'" in remark for remark in found.reading.remarks)


@few_rows(1)
@pytest.mark.parametrize("incomes", [[500.0, float("nan"), 2000.0], [500.0, float("nan"), float("inf")]])
@few_rows(1)
@pytest.mark.parametrize("is_ibis", [False, True])
def test_nan_of_a_parquet_file_is_missing(tmp_path: Path, incomes: list[float], is_ibis: bool) -> None:
    """DuckDB takes isnan for false where a column has no null (findings/duckdb_isnan_of_parquet.sh)."""
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = str(tmp_path / "a.parquet")
    parquet.write_table(pa.table({"Q3": ["False", "True", "True"], "income": incomes}), path)
    data = pytest.importorskip("ibis").read_parquet(path) if is_ibis else path
    assert counts(data, where="income >= 1000") == (0, 1)
    assert counts(data, where="income < 1000") == (1, 0)
    assert counts(data, where="income != 500") == (0, 1)


@few_rows(1)
@pytest.mark.parametrize("form", ["csv", "parquet", "feather", "dta", "xlsx", "pandas", "polars", "arrow", "columns"])
def test_names_that_differ_in_case_alone_are_two_columns(tmp_path: Path, form: str) -> None:
    """DuckDB returns the first of them for the name of the second (findings/duckdb_names_in_two_cases.sh)."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"q": [0, 1] * 30, "age": [0] * 20 + [1] * 40, "Age": [1] * 50 + [0] * 10})
    path = str(tmp_path / f"a.{form}")
    if form in ("csv", "parquet", "feather", "dta", "xlsx"):
        stata = {"write_index": False} if form == "dta" else {}
        writers = {
            "csv": "to_csv",
            "parquet": "to_parquet",
            "feather": "to_feather",
            "dta": "to_stata",
            "xlsx": "to_excel",
        }
        getattr(frame, writers[form])(path, **({"index": False} if form in ("csv", "xlsx") else stata))
    data: Any = {
        "pandas": lambda: frame,
        "polars": lambda: pytest.importorskip("polars").from_pandas(frame),
        "arrow": lambda: pytest.importorskip("pyarrow").Table.from_pandas(frame),
        "columns": lambda: {name: frame[name].to_numpy() for name in frame},
    }.get(form, lambda: path)()
    assert counts(data, column="age", categories=None) == (20, 40)
    assert counts(data, column="Age", categories=None) == (10, 50)
    assert counts(data, column="q", categories=None, where="Age = 0") == (5, 5)
    groups = estimate_table(data, "q", "warner:3/4", by="Age")
    assert [(str(one.group), one.n) for one in groups] == [("0", 10), ("1", 50)]


def test_two_ticked_boxes_are_no_weight(tmp_path: Path) -> None:
    """DuckDB reads 1_2 as 12 in a column of numbers (findings/duckdb_code_with_underscore.sh)."""
    path = tmp_path / "a.csv"
    path.write_text("q,w\n0,1\n1,2\n1,1_2\n0,1\n")
    with pytest.raises(FileFormatError, match=r"^line 4 of the data contains no valid weight in 'w'"):
        counts(str(path), column="q", categories=None, weights="w")


@few_rows(1)
@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_a_first_declaration_has_the_header_rows_and_the_wordings(
    cli: Any, tmp_path: Path, monkeypatch: Any, form: str
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [["q", "id"], ["Is it so?", "Number"], *([["no", "yes"][place % 2], str(place)] for place in range(40))]
    if form == "csv":
        (tmp_path / "a.csv").write_text("".join(f"{','.join(row)}\n" for row in rows))
    else:
        openpyxl = pytest.importorskip("openpyxl")
        book = openpyxl.Workbook()
        for row in [["Survey of 2026"], *rows]:
            book.active.append(row)
        book.save(tmp_path / "a.xlsx")
    above = 2 if form == "csv" else 3
    status, _, err = cli("survey", "init", f"a.{form}", "--header-rows", str(above), "--questions", "q")
    assert status == 0, err
    survey = rropt_fieldwork.Survey.read("survey.toml")
    assert survey.header_rows == above
    assert survey.questions["q"].wording == "Is it so?"
    assert survey.questions["q"].categories == ("?", "no", "yes")
    found = survey.estimate("q", device="warner:3/4", categories=["no", "yes"])
    assert found.counted.counts == (20, 20)


def test_a_value_labelled_none_is_the_number_0(tmp_path: Path) -> None:
    """Codes of refusals and of "don't know" are missing, and 0 is a number and a group."""
    pyreadstat, pandas = pytest.importorskip("pyreadstat"), pytest.importorskip("pandas")
    q, kids = np.arange(60) % 2, np.array([(0, 1, 2, 3, 77, 88)[place // 2 % 6] for place in range(60)], float)
    labels = {"kids": {0: "None", 77: "Refusal*", 88: "Don\u2019t know"}}
    path = str(tmp_path / "a.sav")
    pyreadstat.write_sav(pandas.DataFrame({"q": q, "kids": kids}), path, variable_value_labels=labels)
    found = regress_table(rropt_fieldwork.read(path, codes="kids"), "q ~ kids", "warner:17/20", model="linear")
    expected = regress_table(
        {"q": q, "kids": np.where(kids > 9, np.nan, kids)}, "q ~ kids", "warner:17/20", model="linear"
    )
    assert (found.params, found.nobs) == (expected.params, expected.nobs)
    assert found.nobs == 40
    assert any("77 and 88 stand for a missing value" in remark for remark in found.reading.remarks)
    for codes, zero in (("kids", "0"), ((), "None")):
        groups = estimate_table(rropt_fieldwork.read(path, codes=codes), "q", "warner:17/20", by="kids")
        assert next(each.n for each in groups if each.group == zero) == 10


@pytest.mark.parametrize(
    ("label", "expected"),
    [(each, True) for each in ("NA", "N/A", "DK/NA", "Refused", "No answer", "Not available", "Not applicable*")]
    + [(each, True) for each in ("Don't know / Refused", "keine Angabe", "Weiß nicht", "k.A.", ".")]
    + [(each, False) for each in ("None", "Nothing", "Null", "90 or older", "No", "No, none", "Never", "/")],
)
def test_labels_that_are_no_numbers(label: str, expected: bool) -> None:
    assert is_no_number(label) == expected


def test_portable_files_of_spss_are_named(tmp_path: Path) -> None:
    """The first lines have the name of the format in several character sets, each of 40 characters."""
    path = tmp_path / "a.por"
    path.write_bytes(b"0" * 40 + b"ASCII SPSS PORT FILE".ljust(40) + b"\r\n" + b"0" * 80)
    with pytest.raises(FileFormatError, match="an SPSS portable file"):
        counts(str(path))


@pytest.mark.slow
@pytest.mark.parametrize("end", ["", "\r"])
def test_a_question_in_the_columns_of_two_arms(cli: Any, tmp_path: Path, end: str) -> None:
    """The two columns are those of one column with a column of devices."""
    rows = [("one", ""), ("two", ""), ("one", ""), ("", "two"), ("", "two"), ("", "one"), ("", "")] * 9
    wide, long = tmp_path / "wide.csv", tmp_path / "long.csv"
    wide.write_text(
        "".join(f"{a},{b},{x % 3}{end}\n" for x, (a, b) in enumerate([("a", "b"), *rows])).replace("a,b,0", "a,b,x")
    )
    devices = ["crosswise:1/5" if a else "crosswise:4/5" for a, b in rows]
    text = "".join(f"{a or b},{own},{x % 3}\n" for x, ((a, b), own) in enumerate(zip(rows, devices, strict=True), 1))
    long.write_text("q,d,x\n" + text)
    arms = {"a": "crosswise:1/5", "b": "crosswise:4/5"}
    names: dict[str, Any] = {"categories": ["one", "two"]}
    found = table_estimate(data=str(wide), column="q", arms=arms, **names)
    expected = table_estimate(data=str(long), column="q", devices="d", **names)
    assert found[0].estimate == expected[0].estimate
    fits = (regress_table(str(wide), "q ~ x", arms=arms, model="linear", **names),)
    fits += (regress_table(str(long), "q ~ x", devices="d", model="linear", **names),)
    assert fits[0].params == fits[1].params
    options = ["--column", "q", "--categories", "one,two", "--json"]
    options += ["--devices", "a=crosswise:1/5", "--devices", "b=crosswise:4/5"]
    status, out, _ = cli("estimate", str(wide), *options)
    assert status == 0
    assert json.loads(out)["rows"] == json.loads(cli("estimate", str(long), *options[:5], "--devices", "d")[1])["rows"]
    wide.write_text("a,b\none,two\n")
    with pytest.raises(FileFormatError, match="answered in two arms"):
        table_estimate(data=str(wide), column="q", arms=arms, **names)


@pytest.mark.slow
def test_a_survey_declares_arms(cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text("a,b,x\n" + "1,,0\n0,,1\n,1,1\n,0,0\n,0,1\n" * 8)
    declared = (
        '[questions.q]\nfile = "a.csv"\ncategories = ["0", "1"]\narms = { a = "crosswise:1/5", b = "crosswise:4/5" }\n'
    )
    Path("survey.toml").write_text(declared)
    survey = rropt_fieldwork.Survey.read("survey.toml")
    arms = {"a": "crosswise:1/5", "b": "crosswise:4/5"}
    found = rropt_fieldwork.TableResponses("q", arms, data="a.csv", categories=["0", "1"]).estimate()
    assert survey.estimate("q")[0].estimate == found[0].estimate
    assert "device" not in survey.missing_parts("q")
    typed = ["estimate", "a.csv", "--column", "q", "--categories", "0,1"]
    typed += [f"--devices={column}={device}" for column, device in arms.items()]
    one, two = (json.loads(cli(*words, "--json")[1])["rows"] for words in (["estimate", "q"], typed))
    assert one == two


def test_groups_of_times_are_named_in_the_zone_of_the_user() -> None:
    pandas = pytest.importorskip("pandas")
    days = pandas.to_datetime(["2026-01-01", "2026-07-01"] * 10).tz_localize("Europe/Berlin")
    found = estimate_table(pandas.DataFrame({"q": [0, 1] * 10, "day": days}), "q", "warner:3/4", by="day")
    assert [one.group for one in found] == ["2026-01-01 00:00:00+01:00", "2026-07-01 00:00:00+02:00"]
