"""Selections, recoded columns and answers of empty cells, against SQLite, NumPy and the results of prepared files."""

from __future__ import annotations

import json
import random
import sqlite3
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from support.table_calls import table_estimate
from table_calls import estimate_table, regress_table

import rropt_fieldwork
from rropt.core.errors import FileFormatError, InvalidParameterError
from rropt_fieldwork.reading.conditions import RowCondition
from rropt_fieldwork.reading.recodings import Recoding, recodings_of

CATEGORIES = ["no", "yes"]
ROWS = 60


def table(seed: int = 1) -> dict[str, list[Any]]:
    """Return columns with gaps; the weight and the cluster have none."""
    draw = random.Random(seed)
    return {
        "q": [draw.choice(["no", "yes"]) for _ in range(ROWS)],
        "age": [draw.choice([None, *range(15, 70)]) for _ in range(ROWS)],
        "region": [draw.choice([None, "N", "S", "it's", "Málaga"]) for _ in range(ROWS)],
        "w": [draw.choice([1, 1.5, 2.25]) for _ in range(ROWS)],
        "c": [f"c{draw.randrange(9)}" for _ in range(ROWS)],
        "s": [f"s{row % 2}" for row in range(ROWS)],
    }


def written(path: Path, columns: dict[str, list[Any]]) -> str:
    rows = zip(*columns.values(), strict=True)
    lines = [",".join("" if value is None else str(value) for value in row) for row in rows]
    path.write_text("\n".join([",".join(columns), *lines, ""]), encoding="utf-8")
    return str(path)


def drawn_condition(draw: random.Random, depth: int = 0) -> str:
    if depth < 3 and draw.random() < 0.6:
        word = draw.choice(["and", "or"])
        found = f"({drawn_condition(draw, depth + 1)} {word} {drawn_condition(draw, depth + 1)})"
        return f"not {found}" if draw.random() < 0.3 else found
    return draw.choice(
        [
            f"age {draw.choice(['=', '!=', '<', '<=', '>', '>='])} {draw.randrange(15, 70)}",
            f"age between {draw.randrange(15, 40)} and {draw.randrange(40, 70)}",
            f"age not in ({draw.randrange(15, 70)}, {draw.randrange(15, 70)})",
            f"region {draw.choice(['=', '!=', '<', '>='])} '{draw.choice(['N', 'S', 'Málaga'])}'",
            "region in ('it''s', 'N')",
            "region is null",
            "age is not null",
            "w >= 1.5",
        ]
    )


@pytest.mark.slow
def test_conditions_select_the_rows_that_sqlite_selects(tmp_path: Path) -> None:
    columns, draw = table(), random.Random(86)
    path = written(tmp_path / "a.csv", columns)
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE t (q TEXT, age REAL, region TEXT, w REAL, c TEXT, s TEXT)")
    base.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)", list(zip(*columns.values(), strict=True)))
    for _ in range(8):
        where = drawn_condition(draw)
        expected = dict(base.execute(f"SELECT q, count(*) FROM t WHERE {where} GROUP BY q").fetchall())
        if len(expected) < 2:
            continue
        found = rropt_fieldwork.TableResponses(
            "q", "warner:3/4", data=rropt_fieldwork.read(path, where=where), categories=CATEGORIES
        ).estimate()
        assert list(found.counted.counts) == [expected["no"], expected["yes"]], where


@pytest.mark.slow
@few_rows(1)
@pytest.mark.parametrize("engine", ["duckdb", "polars"])
def test_engines_select_and_recode_alike(tmp_path: Path, engine: str) -> None:
    if engine == "polars":
        pytest.importorskip("ibis")
    polars = pytest.importorskip("polars")
    columns = table()
    path = str(tmp_path / "a.parquet")
    polars.DataFrame(columns, strict=False).write_parquet(path)
    found = estimate_table(
        rropt_fieldwork.read(
            path,
            recode=["band = age: ..<30 -> young, 30..39, 40..", "region: N, S -> plain"],
            where="region in ('plain', 'Málaga') and not age = 41 and c != 'c1'",
            engine=engine,
        ),
        "q",
        "warner:3/4",
        categories=CATEGORIES,
        by="band",
    )
    rows = list(zip(*(columns[name] for name in ("q", "age", "region", "c")), strict=True))
    kept = [
        (q, age) for q, age, region, c in rows if region in ("N", "S", "Málaga") and age not in (41, None) and c != "c1"
    ]
    bands = {"young": range(30), "30..39": range(30, 40), "40..": range(40, 999)}
    groups = {one.group: one.n for one in found}
    assert groups == {name: sum(age in ages for _, age in kept) for name, ages in bands.items()}
    assert list(groups) == list(bands)
    assert any(f"{len(kept)} of {ROWS} rows are selected" in remark for remark in found.remarks())


@few_rows(1)
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_halves_are_in_the_same_band_in_each_form(tmp_path: Path, form: str) -> None:
    """DuckDB rounds 2.5 to 2 or 3 by the type in which it arrives (findings/duckdb_halves.sh)."""
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"q": [0, 1] * 6, "middle": [0.5, 1.5, 2.5] * 4})
    path = str(tmp_path / f"a.{form}")
    getattr(frame, f"write_{form}")(path)
    found = estimate_table(
        rropt_fieldwork.read(path, recode="band = middle: ..<1, 1..<2, 2.."), "q", "warner:3/4", by="band"
    )
    assert [(one.group, one.n) for one in found] == [("..<1", 4), ("1..<2", 4), ("2..", 4)]


def test_a_selection_of_a_complex_survey_is_a_domain(tmp_path: Path) -> None:
    """The estimates of a selection are those of the group that it is; of a smaller file they are not."""
    columns = table(3)
    columns["inside"] = ["" if age is None else "yes" if age >= 40 else "no" for age in columns["age"]]
    path = written(tmp_path / "a.csv", columns)
    design = {"categories": CATEGORIES, "weights": "w", "clusters": "c", "strata": "s"}
    (found,) = estimate_table(rropt_fieldwork.read(path, where="age >= 40"), "q", "warner:3/4", **design)
    own = estimate_table(path, "q", "warner:3/4", **design, by="inside")["yes"]
    assert (found.n, found.estimate, found.se, found.df) == (own.n, own.estimate, own.se, own.df)


@pytest.mark.slow
def test_rows_outside_of_a_domain_need_no_valid_answer_or_device(tmp_path: Path) -> None:
    columns = table(3)
    columns["d"] = ["warner:3/4" if (age or 0) >= 40 else "" for age in columns["age"]]
    columns["p"] = [q if (age or 0) >= 40 else "preview" for q, age in zip(columns["q"], columns["age"], strict=True)]
    rows = rropt_fieldwork.read(written(tmp_path / "a.csv", columns), where="age >= 40")
    design: dict[str, Any] = {"categories": CATEGORIES, "weights": "w", "clusters": "c"}
    plain = estimate_table(rows, "q", "warner:3/4", **design)
    other = estimate_table(rows, "p", devices="d", **design)
    assert other.se == plain.se
    one, two = (
        regress_table(rows, f"{name} ~ age", device, devices=devices, model="linear", **design)
        for name, device, devices in (("q", "warner:3/4", None), ("p", None, "d"))
    )
    assert one.bse == two.bse
    assert one.nobs == two.nobs == sum((age or 0) >= 40 for age in columns["age"])


@pytest.mark.slow
def test_a_regression_of_a_domain_keeps_the_clusters(tmp_path: Path) -> None:
    """It is the regression of a file whose responses outside of the domain are missing."""
    columns = table(5)
    path = written(tmp_path / "a.csv", columns)
    columns["q"] = [q if (age or 0) >= 30 else None for q, age in zip(columns["q"], columns["age"], strict=True)]
    gaps = written(tmp_path / "b.csv", columns)
    options: dict[str, Any] = {"categories": CATEGORIES, "weights": "w", "clusters": "c", "model": "linear"}
    found = regress_table(rropt_fieldwork.read(path, where="age >= 30"), "q ~ age", "warner:3/4", **options)
    expected = regress_table(gaps, "q ~ age", "warner:3/4", **options)
    assert found.bse == expected.bse
    assert (found.params, found.nobs) == (expected.params, expected.nobs)


@pytest.mark.slow
def test_bands_and_joined_levels_are_levels_of_a_regression(tmp_path: Path) -> None:
    columns = table(7)
    columns["age"] = [age or 33 for age in columns["age"]]
    path = written(tmp_path / "a.csv", columns)
    ends = [18, 40]
    columns["age"] = [["5..17", "18..39", "40.."][place] for place in np.digitize(columns["age"], ends)]
    columns["region"] = ["N" if region in ("N", "S") else region for region in columns["region"]]
    made = written(tmp_path / "b.csv", columns)
    recode = {"age": "5..17, 18..39, 40..", "region": "S -> N"}
    formula = "q ~ C(age, Treatment('40..')) + region"
    found, expected = (
        regress_table(data, formula, "warner:17/20", categories=CATEGORIES, model="linear")
        for data in (rropt_fieldwork.read(path, recode=recode), made)
    )
    assert sorted(found.params) == pytest.approx(sorted(expected.params), abs=1e-12)
    plain = regress_table(
        rropt_fieldwork.read(path, recode=recode), "q ~ age", "warner:17/20", categories=CATEGORIES, model="linear"
    )
    assert list(plain.names) == ["Intercept", "age[T.18..39]", "age[T.40..]"]


def test_empty_cells_are_answers_of_those_who_were_asked(tmp_path: Path) -> None:
    """300 rows of which 294 are finished; 131 of these ticked the box."""
    columns = {"box": ["Fine"] * 131 + [""] * 169, "finished": ["True"] * 294 + ["False"] * 6}
    path = written(tmp_path / "a.csv", columns)
    read = partial(rropt_fieldwork.read, path, blank="no")
    options: dict[str, Any] = {"column": "box", "categories": ["no", "Fine"]}
    found = table_estimate("warner:3/4", data=read(where="finished = true"), **options)
    assert found.counted.counts == (163, 131)
    assert float(found.estimate) == pytest.approx(0.391156, abs=5e-7)  # six digits are given
    assert table_estimate("warner:3/4", data=read(), **options).counted.counts == (169, 131)


@few_rows(1)
@pytest.mark.parametrize("kind", ["file", "ibis"])
def test_empty_cells_are_counted_among_the_selected_rows(tmp_path: Path, kind: str) -> None:
    """As above: 169 boxes are empty, 163 of them in the 294 finished rows."""
    columns = {"box": ["Fine"] * 131 + [None] * 169, "finished": ["True"] * 294 + ["False"] * 6}
    path = written(tmp_path / "a.csv", columns)
    data = path if kind == "file" else pytest.importorskip("ibis").memtable(columns)
    read = partial(rropt_fieldwork.read, data, blank="no")
    options: dict[str, Any] = {"categories": ["no", "Fine"]}
    told = estimate_table(read(where="finished = true"), "box", "warner:3/4", **options).remarks()
    (of_blanks,) = (one for one in told if "empty" in one)
    assert of_blanks == "163 empty cells of 'box' were read as 'no'"
    told = estimate_table(read(), "box", "warner:3/4", **options).remarks()
    assert any(one.startswith("169 empty cells of 'box' were read as 'no'; leave those") for one in told)


@pytest.mark.slow
def test_labels_are_compared_with_texts_and_truth_values_with_numbers(tmp_path: Path) -> None:
    """A code behind a label selected all rows by !=."""
    pandas = pytest.importorskip("pandas")
    data = pandas.DataFrame({"q": [0, 1, 1, 1], "tax": ["Yes", "Don't know", "No", None], "f": [True, False] * 2})
    with pytest.raises(FileFormatError, match=r"3 values of 'tax' that are no number.*`codes=tax`"):
        rropt_fieldwork.TableResponses("q", "warner:3/4", data=rropt_fieldwork.read(data, where="tax != 8")).estimate()
    assert rropt_fieldwork.TableResponses(
        "q", "warner:3/4", data=rropt_fieldwork.read(data, where="tax != 'Don''t know'")
    ).estimate().counted.counts == (1, 1)
    assert rropt_fieldwork.TableResponses(
        "q", "warner:3/4", data=rropt_fieldwork.read(data, where="f != 1")
    ).estimate().counted.counts == (
        0,
        2,
    )
    path = tmp_path / "tax.sav"
    labels = {"tax": {1: "Yes", 8: "Don't know"}}
    numbers = pandas.DataFrame({"q": [0, 1, 1], "tax": [1.0, 8, 1]})
    pytest.importorskip("pyreadstat").write_sav(numbers, path, variable_value_labels=labels)
    with pytest.raises(FileFormatError, match="other texts"):
        rropt_fieldwork.TableResponses(
            "q", "warner:3/4", data=rropt_fieldwork.read(path, where="not tax in (8)")
        ).estimate()
    assert rropt_fieldwork.TableResponses(
        "q", "warner:3/4", data=rropt_fieldwork.read(path, where="tax != 8", codes="tax")
    ).estimate().counted.counts == (1, 1)


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("", "`where` is no condition: received ''"),
        ("age >= '18'", "can be read in two ways"),
        ("region = N", "a text in quotation marks"),
        ("age = NA", "is missing"),
        ("age >", "a value is expected"),
        ("'N' < 'S'", "the name of a column"),
        ("age > 1 age < 2", "an operator"),
        ("(age > 1", "closing parenthesis"),
        ("age in 1, 2", "a list in parentheses"),
        ("region = 'N", "without its pair"),
        ("age @ 3", "is no condition"),
        ("age > true", "orders truth values"),
        ("agee > 3", "did you mean 'age'"),
        ("age > 1000", "the selection has no rows"),
        ("region > 3", "other texts"),
        ("region != 3", r"other texts: .* compare it with a text in quotation marks, .* \(`codes=region`\)"),
        ("not region in (3)", "other texts"),
        ("region = 3 or age > 20", "other texts"),
        ("(" * 60 + "age > 3" + ")" * 60, "too many parentheses"),
    ],
)
def test_wrong_conditions_are_errors(tmp_path: Path, where: str, message: str) -> None:
    path = written(tmp_path / "a.csv", table())
    with pytest.raises((InvalidParameterError, FileFormatError), match=message):
        rropt_fieldwork.TableResponses(
            "q", "warner:3/4", data=rropt_fieldwork.read(path, where=where), categories=CATEGORIES
        ).estimate()


@pytest.mark.parametrize(
    ("recode", "message"),
    [
        ("age 0..17", "no column and no colon"),
        ("age:", "an empty part"),
        ("age: 0..20, 20..", "which have 20 in common"),
        ("age: 20..0", "which is empty"),
        ("region: N", "without an arrow"),
        ("region: N -> ", "an empty part"),
        ("region: 'N -> S", "without its pair"),
        (["age: 0..9, 10..", "age: 0..20"], "recoded twice"),
        ("age: 0..20, 40..", "numbers lie between the bands"),
        ("region: 0..20", "other texts"),
        ("w = age: 0..", "in the data already"),
        ("agee: 0..", "did you mean 'age'"),
        ({"age": [(0, 17), (18, 39)]}, "the recoding of 'age' is invalid"),
        ({"age": {"young": "0..39"}}, "the recoding of 'age' stands in the wrong order"),
        ({"region": {"N": None}}, "allowed are texts and integers"),
        ({"region": []}, "the recoding of 'region' is invalid"),
    ],
)
def test_wrong_recodings_are_errors(tmp_path: Path, recode: Any, message: str) -> None:
    path = written(tmp_path / "a.csv", table())
    with pytest.raises((InvalidParameterError, FileFormatError), match=message):
        rropt_fieldwork.TableResponses(
            "q", "warner:3/4", data=rropt_fieldwork.read(path, recode=recode), categories=CATEGORIES
        ).estimate()


def test_a_condition_on_a_replaced_value_is_an_error() -> None:
    data = {"q": np.array([0, 1, 1, 0]), "sex": np.array(["d", "f", "m", "m"], object), "age": np.array([1, 2, 3, 4])}
    for where, recode in (("sex = 'd'", "sex: d -> f"), ("age > 2", "age: 0..1, 2..")):
        with pytest.raises(InvalidParameterError, match="can be read in two ways"):
            rropt_fieldwork.TableResponses(
                "q", "warner:3/4", data=rropt_fieldwork.read(data, where=where, recode=recode)
            ).estimate()
    found = rropt_fieldwork.TableResponses(
        "q", "warner:3/4", data=rropt_fieldwork.read(data, where="sex = 'f'", recode="sex: d -> f")
    ).estimate()
    assert found.counted.counts == (1, 1)


@pytest.mark.slow
def test_missing_numbers_are_missing_in_conditions_and_bands(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("q,age\n1,NA\n0,-9\n1,30\n0,50\n")
    for where, counts in (("age >= 0", (1, 1)), ("age is missing", (1, 1)), ("not age = 50", (0, 1))):
        found = rropt_fieldwork.TableResponses(
            "q", "warner:3/4", data=rropt_fieldwork.read(path, where=where, missing=["age=-9"])
        ).estimate()
        assert found.counted.counts == counts, where
    found = estimate_table(
        rropt_fieldwork.read(path, recode="age: 0..40, 41..", missing=["age=-9"]), "q", "warner:3/4", by="age"
    )
    assert [(one.group, one.n) for one in found] == [("0..40", 1), ("41..", 1)]


def test_lines_of_messages_are_those_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("q,age\nyes,1\nno,2\nmaybe,3\nyes,50\nwhat,60\n")
    with pytest.raises(FileFormatError, match=r"^line 6 of the data"):
        rropt_fieldwork.TableResponses(
            "q", "warner:3/4", data=rropt_fieldwork.read(path, where="age >= 50"), categories=CATEGORIES
        ).estimate()


def test_survey_files_and_commands_select_alike(cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "a.csv", table())
    (tmp_path / "survey.toml").write_text(
        'file = "a.csv"\nwhere = "age >= 20"\nrecode = { region = "S -> N" }\n'
        '[questions.q]\ncategories = ["no", "yes"]\ndevice = "warner:3/4"\n'
    )
    declared = cli("estimate", "q", "--by", "region", "--json")
    options = ["--column", "q", "--categories", "no,yes", "--mechanism", "warner:3/4", "--by", "region", "--json"]
    typed = cli("estimate", "a.csv", *options, "--where", "age >= 20", "--recode", "region: S -> N")
    assert declared[0] == typed[0] == 0
    one, two = (json.loads(out)["rows"] for _, out, _ in (declared, typed))
    assert one == two
    survey = rropt_fieldwork.Survey.read("survey.toml")
    assert rropt_fieldwork.Survey.read("survey.toml").to_toml() == survey.to_toml()
    assert survey.recode == ("region: S -> N",)
    assert RowCondition.of(survey.where).columns == ("age",)
    assert recodings_of(survey.recode) == (Recoding.of("region: S -> N"),)


def test_a_recoding_is_a_text_a_list_or_a_mapping(tmp_path: Path) -> None:
    """The same record in Python and in survey.toml; texts with commas, arrows and quotation marks are levels too."""
    texts = ("age: 0..39 -> young, 40.. -> old", "region: S -> N")
    given: list[Any] = [texts, {"age": "0..39 -> young, 40.. -> old", "region": ["S -> N"]}]
    given.append({"age": {"0..39": "young", "40..": "old"}, "region": {"S": "N"}})
    assert all(recodings_of(one) == recodings_of(texts) for one in given)
    (tmp_path / "survey.toml").write_text(
        'file = "a.csv"\nrecode = { age = { "0..39" = "young", "40.." = "old" }, region = ["S -> N"] }\n'
    )
    assert rropt_fieldwork.Survey.read(tmp_path / "survey.toml").recode == texts
    odd = {"it's, no": 'a "b" -> c', "d -> e": "f;g", 1: "one"}
    (found,) = recodings_of({"x": odd})
    assert dict(found.joined) == {str(key): value for key, value in odd.items()}


def _in_three_languages() -> tuple[dict[str, Any], dict[str, Any], list[str]]:
    """Return rows of a question in three languages, the same rows as one text, and the recodings of the former."""
    random = np.random.default_rng(8)
    sex, age = random.choice(["f", "m", "d"], 240).astype(object), random.integers(18, 80, 240)
    y = random.integers(0, 2, 240)
    words = np.array([["no", "nein", "non"], ["yes", "ja", "oui"]], object)[y, np.arange(240) % 3]
    rows, plain = {"q": words, "sex": sex, "age": age}, {"q": y, "sex": np.where(sex == "d", "f", sex), "age": age}
    return rows, plain, ["q: ja, oui -> yes, nein, non -> no", "sex: d -> f"]


def test_several_texts_are_one_answer() -> None:
    rows, plain, known = _in_three_languages()
    one, other = (
        rropt_fieldwork.TableResponses(
            "q", "warner:3/4", data=rropt_fieldwork.read(rows, recode=known), categories=["no", "yes"]
        ).estimate(),
        rropt_fieldwork.TableResponses("q", "warner:3/4", data=plain).estimate(),
    )
    assert one.counted.counts == other.counted.counts
    with pytest.raises(InvalidParameterError, match="a semicolon in place of a comma"):
        rropt_fieldwork.TableResponses(
            "q", "warner:3/4", data=rropt_fieldwork.read(rows, recode="q: ja -> yes; nein -> no")
        ).estimate()
    with pytest.raises(FileFormatError, match=r"join several texts of one answer \(`recode`"):
        rropt_fieldwork.TableResponses("q", "warner:3/4", data=rows, categories=["no", "yes"]).estimate()


@pytest.mark.slow
def test_new_rows_are_recoded(tmp_path: Path) -> None:
    """Levels and bands of the fit are those of a prediction too."""
    rows, plain, known = _in_three_languages()
    data = rropt_fieldwork.read(rows, recode=[*known, "band = age: 18..39, 40.."])
    found = regress_table(data, "q ~ sex + band", "warner:3/4", categories=["no", "yes"], model="linear")
    plain["old"] = (plain["age"] >= 40).astype(int)
    same = regress_table(plain, "q ~ sex + old", "warner:3/4", model="linear")
    assert list(found.params) == pytest.approx(list(same.params), rel=1e-9)
    new = {"sex": np.array(["d", "m", "f"], object), "age": np.array([39, 40, 79])}
    expected = same.predict({"sex": np.array(["f", "m", "f"], object), "old": np.array([0, 1, 1])})
    assert found.predict(rropt_fieldwork.covariates_of_table(found, new)) == pytest.approx(expected, rel=1e-9)
    with pytest.raises(InvalidParameterError, match="read with recodings"):
        found.predict(new)
    read = type(found).from_json(found.to_json())
    assert read.predict(rropt_fieldwork.covariates_of_table(read, new)) == pytest.approx(expected, rel=1e-9)
    path = tmp_path / "new.csv"
    path.write_text("age,sex\n39,d\n40,m\n79,f\n", encoding="utf-8")
    assert found.predict(rropt_fieldwork.covariates_of_table(found, str(path))) == pytest.approx(expected, rel=1e-9)


def test_ticks_and_empty_cells_have_two_readings(tmp_path: Path) -> None:
    """Without a word, all who ticked were everybody: 60 of 60. Another answer in the column shows what is empty."""
    path = tmp_path / "ticks.csv"
    rows = ["id,box,finished", *(f"{i},{'Fine' if i % 3 else ''},{i % 2}" for i in range(90))]
    path.write_text("\n".join(rows))
    read = partial(rropt_fieldwork.read, path)
    options: dict[str, Any] = {"column": "box", "categories": ["no", "Fine"]}
    for more in ({}, {"by": "finished"}, {"weights": "id"}):
        with pytest.raises(FileFormatError, match="received 60 answers to 'box', all 'Fine', and 30 empty cells"):
            table_estimate("warner:3/4", data=path, **options, **more)
    assert table_estimate("warner:3/4", data=read(missing=[""]), **options).counted.counts == (0, 60)
    assert table_estimate("warner:3/4", data=read(blank="no"), **options).counted.counts == (30, 60)
    path.write_text("\n".join([*rows, "90,no,1"]))
    assert table_estimate("warner:3/4", data=path, **options).counted.counts == (1, 60)
