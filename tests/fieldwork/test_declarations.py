"""A survey declared once: read, written, begun from data, and used by every function as if its parts were typed."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from hypothesis import given
from hypothesis import strategies as st
from plans import planned
from stored_cases import cases_of
from table_calls import estimate_table, regress_table

import rropt
import rropt_fieldwork
from rropt.core.errors import FileAccessError, FileFormatError, InvalidParameterError
from rropt.noncompliance import Sample
from rropt.noncompliance.reported_bounds import noncompliance_bounds
from rropt_fieldwork import init_survey

DEVICES = {"A": "warner:3/4", "B": "warner:2/3", "C": "warner:5/6"}
LEVELS = ["never", "once", "few", "often", "daily"]
HEADER = (
    *("id", "weight", "stratum", "psu", "fpc", "device", "sex", "age", "region", "school", "lang", "sick", "use"),
    *("vote", "income", "household", "day", "comment", "q9", "constant"),
)


def survey_rows() -> list[list[str]]:
    """Rows of a survey: 1200 respondents in 36 clusters of 4 strata, three devices, k = 2 and k = 5, some refused."""
    draw = random.Random(57)
    kept = {"A": 3 / 4, "B": 2 / 3, "C": 5 / 6}
    rows = []
    for i in range(1200):
        device, psu = draw.choice("ABC"), i % 36
        sick = (draw.random() < 0.25) == (draw.random() < kept[device])
        use = draw.choice(LEVELS[:2] if draw.random() < 0.5 else LEVELS)
        cells = [
            i,
            f"{draw.uniform(0.5, 2):.3f}",
            f"s{psu % 4}",
            psu,
            90,
            device,
            draw.choice("fm"),
            draw.randint(18, 80),
        ]
        cells += [draw.choice(["north", "east"]), draw.choice("abcd"), draw.choice(["de", "en"])]
        cells += ["refused" if draw.random() < 0.02 else "yes" if sick else "no"]
        cells += ["refused" if draw.random() < 0.03 else use]
        cells += [draw.choice("01"), 1000 + i, draw.randint(1, 6), i % 28, f"c{i}", draw.choice(["yes", "no", ""]), 1]
        rows.append([str(cell) for cell in cells])
    return rows


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the data of a survey of 20 columns."""
    path = tmp_path_factory.mktemp("survey")
    lines = [",".join(row) for row in (HEADER, *survey_rows())]
    (path / "answers.csv").write_text("\n".join(lines) + "\n")
    return path


def declared(folder: Path, **more: Any) -> rropt_fieldwork.Survey:
    values = {
        "title": "Health at work",
        "file": "answers.csv",
        "epsilon": "log(5)",
        "weights": "weight",
        "strata": "stratum",
        "clusters": "psu",
        "fpc": "fpc",
        "devices": DEVICES,
        "folder": str(folder),
        "questions": {
            "sick": {"question": "Were you sick?", "categories": ["no", "yes"], "device": "device"},
            "use": {"question": "How often?", "categories": LEVELS, "device": "grr:5,1/2"},
        },
    }
    return rropt_fieldwork.Survey(**{**values, **more})


@pytest.mark.slow
def test_declared_is_as_typed(folder: Path) -> None:
    survey = declared(folder)
    typed = {"weights": "weight", "strata": "stratum", "clusters": "psu", "fpc": "fpc"}
    data = str(folder / "answers.csv")
    of_devices = {"devices": "device", "device_names": DEVICES, "categories": ["no", "yes"]}
    assert survey.estimate("sick") == estimate_table(data, "sick", **of_devices, **typed)
    own = survey.estimate("use", by="region")
    other = estimate_table(data, "use", "grr:5,1/2", categories=LEVELS, by="region", **typed)
    assert own.to_dict()["rows"] == other.to_dict()["rows"]
    assert own == other
    formula = "sick ~ age + sex"
    fitted = survey.regress(formula)
    assert fitted.params == regress_table(data, formula, **of_devices, **typed).params
    named = rropt.Mechanism("grr:5,1/2").labelled(LEVELS)
    assert rropt.plan.margin(margin="1/10", **survey.plan_arguments("use")) == planned(named, margin="1/10")
    assert rropt.plan.margin(n=500, **survey.plan_arguments("sick", device="B")) == planned("warner:2/3", n=500)
    for file, read in (("answers.csv", data), ("s3://a/b.csv", "s3://a/b.csv"), ("-", "-")):
        assert declared(folder, file=file).arguments("sick")["data"] == read
    bounds = survey.noncompliance("sick", theta="0..1/20")
    counts: dict[str, list[int]] = {name: [0, 0] for name in DEVICES}
    for row in survey_rows():
        if row[11] != "refused":
            counts[row[5]][row[11] == "yes"] += 1
    samples = [Sample.of(rropt.Mechanism(DEVICES[name]), counts[name]) for name in DEVICES]
    assert bounds == noncompliance_bounds(samples, theta="0..1/20")


@pytest.mark.slow
def test_bounds_take_the_options_of_the_call(folder: Path) -> None:
    survey, rows = declared(folder), {"sick": np.array(["yes", "no", "no"], object)}
    found = survey.noncompliance("sick", data=rows, mechanism="warner:2/3", categories=["yes", "no"], confidence=None)
    assert found == rropt.Responses.from_counts([1, 2], "warner:2/3").bounds(confidence=None)
    declared_ones = dict.fromkeys(["data", "mechanism", "devices", "column", "categories"])  # None: what is declared
    first = {"device": "A", "confidence": None}
    assert survey.noncompliance("sick", **declared_ones, **first) == survey.noncompliance("sick", **first)
    assert survey.estimate("sick", column="sick") == survey.estimate("sick")
    with pytest.raises(InvalidParameterError, match="received 2 names; allowed are 1"):
        survey.estimate("sick", columns=["sick", "use"], mechanism="warner:3/4")


def test_a_survey_without_data(tmp_path: Path, cli: Callable[..., tuple[int, str, str]]) -> None:
    survey = rropt_fieldwork.Survey(questions={"sick": {"categories": ["no", "yes"], "device": "warner:3/4"}})
    for asked in (partial(survey.estimate), partial(survey.regress, "sick ~ 1"), partial(survey.noncompliance)):
        with pytest.raises(InvalidParameterError, match="the data of 'sick' are not known: declare file"):
            asked()
    survey.write(tmp_path / "survey.toml")
    for command in ("estimate", "randomize", "noncompliance"):
        assert "the data of 'sick' are not known" in cli(command, "sick", "--survey", str(tmp_path / "survey.toml"))[2]
    with pytest.raises(InvalidParameterError, match=r"by is not allowed: .* a set or a table has no order"):
        rropt_fieldwork.Survey(by={"sex", "region"})


def test_options_come_before_questions_before_the_survey(folder: Path) -> None:
    survey = declared(folder, questions={"sick": {"categories": ["no", "yes"], "device": "A", "weights": "id"}})
    assert survey.arguments("sick")["weights"] == "id"
    assert survey.arguments("sick", weights="weight")["weights"] == "weight"
    assert survey.arguments("sick")["mechanism"] == rropt.Mechanism("warner:3/4")
    assert survey.arguments("sick", mechanism="warner:2/3")["mechanism"] == "warner:2/3"
    assert "mechanism" not in survey.arguments("sick", device="device")
    assert survey.arguments()["columns"] == ("sick",)
    own = rropt_fieldwork.Survey(
        ignore_case=True, missing=["-"], questions={"a": {"ignore_case": False, "missing": []}, "b": {}}
    )
    found = [own.question_named(name)[1] for name in "ab"]
    assert [(one.ignore_case, one.missing) for one in found] == [(False, ()), (True, ("-",))]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"epsilon": "log(4)"}, "device 'C' of 'sick' exceeds the promised level"),
        ({"devices": {**DEVICES, "B": "?"}}, "a device of 'sick' is not known"),
        ({"devices": None}, "the devices of 'sick' are not declared"),
        ({"devices": {"A": "direct"}}, "device 'A' of 'sick' exceeds the promised level"),
    ],
)
def test_nothing_is_estimated_with_an_unknown_or_a_weaker_device(
    folder: Path, change: dict[str, Any], told: str
) -> None:
    survey = declared(folder, file="no such file.csv", **change)  # the error comes before the data are opened
    with pytest.raises(InvalidParameterError, match=told):
        survey.estimate("sick")
    with pytest.raises(InvalidParameterError, match=told):
        survey.regress("sick ~ age")
    assert survey.missing_parts("sick") != []


def test_a_mechanism_of_the_call_is_held_to_the_promise(folder: Path) -> None:
    with pytest.raises(InvalidParameterError, match="the device of 'sick' exceeds the promised level"):
        declared(folder).estimate("sick", mechanism="warner:9/10")


def test_the_order_of_open_categories_is_confirmed(
    folder: Path, tmp_path: Path, cli: Callable[..., tuple[int, str, str]]
) -> None:
    survey = declared(folder, questions={"use": {"categories": ["?", *LEVELS], "device": "grr:5,1/2"}})
    with pytest.raises(InvalidParameterError, match="the order of the categories of 'use' is not confirmed"):
        survey.estimate("use")
    open_ = {"vote": {"categories": ["?", "0", "1"], "device": "direct"}}
    rropt_fieldwork.Survey(file=str(folder / "answers.csv"), questions=open_).write(tmp_path / "survey.toml")
    for command in ("estimate", "noncompliance"):
        told = cli(command, "vote", "--survey", str(tmp_path / "survey.toml"))[2]
        assert "the order of the categories of 'vote' is not confirmed" in told
    with pytest.raises(InvalidParameterError, match="the device of 'use' is not known"):
        declared(folder, questions={"use": {"categories": LEVELS, "device": "?"}}).estimate("use")


def test_the_level_of_a_plan_is_the_promised_one_where_the_device_is_open(folder: Path) -> None:
    open_ = {"a": {}, "b": {"epsilon": "1"}, "c": {"categories": LEVELS}, "d": {"device": "warner:3/5"}}
    survey = declared(folder, epsilon="log(2)", delta="1/4", questions=open_)
    levels = [survey.level_to_plan(name) for name in "abcd"]
    assert levels == [("log(2)", "1/4"), ("1", "1/4"), None, None]
    assert declared(folder, epsilon="log(2)", questions={"a": {}}).level_to_plan("a") == ("log(2)", "0")


def test_a_promise_with_delta(folder: Path) -> None:
    survey = declared(folder, epsilon="log(2)", delta="1/4", questions={"sick": {"device": "warner:3/4"}})
    assert survey.arguments("sick")["mechanism"].p11 == rropt.Mechanism("warner:3/4").p11
    with pytest.raises(InvalidParameterError, match="promised is epsilon = log"):
        declared(folder, epsilon="log(2)", delta="1/5", questions={"sick": {"device": "warner:3/4"}}).arguments("sick")


def test_a_question_without_a_promise_is_asked_directly(folder: Path) -> None:
    vote = {"categories": ["0", "1"], "device": "direct", "epsilon": "none"}
    survey = declared(folder, questions={"vote": vote})
    (found,) = survey.estimate("vote")
    with (folder / "answers.csv").open() as file:
        rows = [line.strip().split(",") for line in file][1:]
    total = sum(float(row[1]) for row in rows)
    yes = sum(float(row[1]) for row in rows if row[13] == "1")
    assert found.estimate == pytest.approx(yes / total)


def test_a_level_is_planned_if_no_device_is_known() -> None:
    survey = rropt_fieldwork.Survey(epsilon="log(3)", questions={"sick": {"device": "?"}})
    assert (
        rropt.plan.margin(margin="1/10", prevalence="1/2", **survey.plan_arguments("sick")).found
        == planned("warner:3/4", margin="1/10", prevalence="1/2").found
    )


def test_instructions_have_the_device_the_wording_and_the_names(folder: Path) -> None:
    sheet = declared(folder).instructions("use")
    assert sheet.sensitive_question == "How often?"
    assert sheet.title == "Health at work"
    assert sheet.answers == tuple(LEVELS)
    with pytest.raises(InvalidParameterError, match="respondents have several devices: received 'A, B, C'"):
        declared(folder).instructions("sick")
    assert "Were you sick?" in declared(folder).instructions("sick", device="A").page
    for name in (None, "warner:3/4"):  # a name that is not that of the matrix
        device = rropt.Mechanism([["3/4", "1/3"], ["1/4", "2/3"]], name=name)
        (folder / "m.json").write_text(json.dumps(device.to_dict()))
        assert declared(folder, devices={"A": "m.json"}).instructions("sick", device="A").mechanism == device


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=20).filter(
    str.strip
)
questions = st.dictionaries(
    texts,
    st.fixed_dictionaries(
        {},
        optional={
            "question": texts,
            "categories": st.lists(texts.map(str.strip), min_size=2, max_size=4, unique=True).filter(
                lambda names: "?" not in names
            ),
            "device": texts,
            "missing": st.lists(st.just("") | texts, max_size=3),
            "ignore_case": st.booleans(),
            "devices": st.dictionaries(texts, texts, max_size=2),
            "population": st.integers(1, 10**12),
            "fpc": st.lists(texts, min_size=1, max_size=2),
        },
    ),
    max_size=3,
)


@pytest.mark.slow
@given(title=texts, weights=texts, by=st.lists(texts, max_size=2), asked=questions)
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, title: str, weights: str, by: list[str], asked: dict[str, Any]
) -> None:
    survey = rropt_fieldwork.Survey(title=title, weights=weights, by=by, questions=asked)
    path = tmp_path_factory.getbasetemp() / "survey.toml"
    survey.write(path)
    assert rropt_fieldwork.Survey.read(path) == survey
    assert path.read_text().replace("\n", "").isprintable()
    assert rropt_fieldwork.Survey.from_json(survey.to_json()) == survey


LONG = [
    (f'''title = "{"x" * 501}"''', "title is not allowed"),
    (f"x = {'[' * 5000}", "is not TOML"),
    (f"population = {'9' * 5000}", "is not TOML|population"),
    (f'''# {"x" * (1 << 20)}\ntitle = "a"''', "is too long"),
]


@few_rows(26)
@pytest.mark.parametrize(("text", "told"), [*cases_of(__file__)["wrong"], *LONG])
def test_a_wrong_declaration_is_one_clear_line(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "survey.toml"
    path.write_text(text + "\n")
    with pytest.raises(FileFormatError, match=told) as error:
        rropt_fieldwork.Survey.read(path)
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 800


def test_a_declaration_that_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(FileAccessError):
        rropt_fieldwork.Survey.read(tmp_path / "none.toml")
    (tmp_path / "survey.toml").write_bytes(b"title = \xff")
    with pytest.raises(FileFormatError, match="UTF-8"):
        rropt_fieldwork.Survey.read(tmp_path / "survey.toml")


def test_numbers_are_read_exactly(tmp_path: Path) -> None:
    (tmp_path / "survey.toml").write_text("epsilon = 0.1\nfpc = 0.25\n")
    survey = rropt_fieldwork.Survey.read(tmp_path / "survey.toml")
    assert (survey.epsilon, survey.fpc) == ("0.1", ("0.25",))


def test_a_first_declaration_guesses_nothing(folder: Path) -> None:
    """Each column is listed with exact counts; only what is named is declared, and nothing is estimated with it."""
    found = init_survey(folder / "answers.csv", folder=str(folder), questions=["sick", "use"])
    survey, rows = found.survey, list(csv.DictReader((folder / "answers.csv").open()))
    assert [one.column for one in found.columns] == list(HEADER)
    assert found.rows == len(rows)
    for one in found.columns:
        cells = [row[one.column] for row in rows]
        assert (one.different, one.empty) == (len({*cells} - {""}), cells.count("")), one.column
    declared_keys = {key for key, value in survey.to_dict().items() if value and key != "result"}
    assert declared_keys == {"file", "title", "unit", "epsilon", "questions"}
    assert set(survey.questions) == {"sick", "use"}
    assert survey.questions["sick"].categories == ("?", "no", "yes")  # refused stands for no answer
    assert survey.questions["use"].categories == ("?", *sorted(LEVELS))
    assert "refused is left out" in found.text
    lines = [line for line in found.text.splitlines() if line and not line.startswith(("#", "file", "["))]
    assert all("#" in line and "?" in line for line in lines)  # each line asks for a decision
    for name in survey.questions:
        with pytest.raises(InvalidParameterError, match=r"not known|not confirmed"):
            survey.estimate(name)
    (folder / "first.toml").write_text(found.text)
    assert rropt_fieldwork.Survey.read(folder / "first.toml") == survey
    for key in ("weights", "strata", "clusters", "fpc", "where", "missing"):
        assert f"\n# {key} = " in found.text
    text = found.text.replace('# weights = "?"', 'weights = "weight"').replace('# strata = "?"', 'strata = "stratum"')
    (folder / "first.toml").write_text(text)
    own = rropt_fieldwork.Survey.read(folder / "first.toml")
    assert (own.weights, own.strata, own.clusters) == ("weight", "stratum", None)


def test_columns_of_the_design_are_not_recognized_by_their_names(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("weights,strata,psu,fpc,device,rr_spinner,Finished\n" + "1.5,a,1,90,warner:3/4,no,True\n" * 30)
    found = init_survey(path)
    assert {key for key, value in found.survey.to_dict().items() if value} == {"file", "title", "unit", "epsilon"}
    assert [one.values for one in found.columns] == ["1.5", "a", "1", "90", "warner:3/4", "no", "True"]


@pytest.mark.slow
def test_types_of_columns(tmp_path: Path) -> None:
    import duckdb

    path = tmp_path / "a.csv"
    path.write_text('i,f,c,t,e,x\n1,1.5,"1,5",a, ,"x, y"\n2,-2e3,"1.234,5",1,,z\n ,3,3,1,,\n')
    found = {one.column: (one.type, one.different, one.empty) for one in init_survey(path).columns}
    assert found == {
        "i": ("whole numbers", 2, 1),
        "f": ("numbers", 3, 0),
        "c": ("numbers with commas", 3, 0),
        "t": ("texts", 2, 0),
        "e": ("empty", 0, 3),
        "x": ("texts", 2, 1),
    }
    assert '# decimal_mark = "?"' in init_survey(path).text
    assert init_survey(path).columns[-1].values == "x, y | z"
    stored = (
        "SELECT 1 AS i, 1.5::DOUBLE AS f, true AS b, DATE '2026-01-02' AS d, 2.5::DECIMAL(5, 1) AS m, NULL::INT AS n"
    )
    duckdb.sql(f"{stored} UNION ALL SELECT 2, 'nan'::DOUBLE, NULL, NULL, 2.5, NULL").write_parquet(
        str(tmp_path / "a.parquet")
    )
    found = {one.column: (one.type, one.different, one.empty) for one in init_survey(tmp_path / "a.parquet").columns}
    assert found == {
        "i": ("whole numbers", 2, 0),
        "f": ("numbers", 1, 1),
        "b": ("truth values", 1, 1),
        "d": ("dates", 1, 1),
        "m": ("numbers", 1, 0),
        "n": ("whole numbers", 0, 2),
    }


@pytest.mark.parametrize(
    ("questions", "told"),
    [
        ("mny", "names no column of the data: received 'mny'.*did you mean many"),
        ("one", "is no question: received 1 text in it"),
        (["sex", "sex"], "names a column twice: received 'sex'"),
        ("many", "is no question: received 1001 different texts in it; allowed are 1000"),
    ],
)
def test_questions_that_the_data_do_not_have(tmp_path: Path, questions: Any, told: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text("many,one,sex,box\n" + "".join(f"{i},x,{'ab'[i % 2]},{'yes' * (i % 2)}\n" for i in range(1001)))
    with pytest.raises(rropt.RroptError, match=told):
        init_survey(path, questions=questions)
    found = init_survey(path, questions="box")  # a tick box: its empty cells are an answer, which is left to decide
    assert (found.survey.questions["box"].categories, found.survey.questions["box"].blank) == (None, "?")


@pytest.mark.parametrize("text", ["a,a\n1,2\n", "a,\n1,2\n", "\n", "x" * 100])
def test_data_without_a_usable_header(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text)
    if text.startswith(("x", "a,a")):  # equal names have their places: a#1 and a#2
        assert len(init_survey(path).columns) == text.count("a") or 1
        return
    with pytest.raises(FileFormatError):
        init_survey(path)


def test_hostile_names_of_data_are_escaped(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('"a\x1b[31m","q""]\u202e"\nyes,"x\u202e\ny = 1"\nno,y\n')
    found = init_survey(path, questions='q"]\u202e')
    assert found.text.replace("\n", "").isprintable()
    assert all(line.startswith("#") for line in found.text.partition("title = ")[0].splitlines())
    (tmp_path / "survey.toml").write_text(found.text)
    assert rropt_fieldwork.Survey.read(tmp_path / "survey.toml") == found.survey


def test_labels_of_spss_are_wordings_and_orders(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pyreadstat = pytest.importorskip("pyreadstat")
    path = tmp_path / "s.sav"
    frame = pandas.DataFrame({"educ": [1.0, 2, 3] * 20, "age": [float(18 + i) for i in range(60)], "q1": [1.0, 2] * 30})
    labels = {"educ": {1: "Low", 2: "Middle", 3: "High"}, "age": {77: "77 or older"}, "q1": {1: "Yes", 2: "No"}}
    pyreadstat.write_sav(frame, str(path), variable_value_labels=labels, column_labels={"q1": "Evaded tax"})
    found = init_survey(path, questions=["educ", "q1"])
    assert found.survey.questions["educ"].categories == ("?", "Low", "Middle", "High")
    assert found.survey.questions["q1"].wording == "Evaded tax"
    assert [(one.column, one.label, one.different) for one in found.columns][1:] == [
        ("age", "", 60),
        ("q1", "Evaded tax", 2),
    ]


DECLARATIONS: list[tuple[str, dict[str, Any]]] = [
    ("vote", {"vote": {"categories": ["0", "1"], "device": "warner:3/4"}}),
    ("use", {"use": {"categories": LEVELS, "device": "grr:5,1/2", "missing": "refused"}}),
    ("vote", {"vote": {"categories": ["0", "1"], "device": "warner:3/4", "by": "region"}}),
    ("vote", {"vote": {"categories": ["0", "1"], "device": "warner:3/4", "weights": "weight", "clusters": "psu"}}),
    ("sick", {"sick": {"categories": ["no", "yes"], "device": "device", "devices": DEVICES, "missing": "refused"}}),
]


@few_rows(1)
@pytest.mark.parametrize(("name", "asked"), DECLARATIONS)
def test_the_function_returns_what_the_command_returns(
    folder: Path, tmp_path: Path, cli_json: Callable[..., dict[str, Any]], name: str, asked: dict[str, Any]
) -> None:
    survey = rropt_fieldwork.Survey(file=str(folder / "answers.csv"), questions=asked)
    survey.write(tmp_path / "survey.toml")
    printed = cli_json("estimate", name, "--survey", str(tmp_path / "survey.toml"))
    found = survey.estimate(name)
    assert printed["result"] == type(found).__name__
    assert type(found).from_dict(printed) == found


def test_a_question_is_named_in_any_unicode_form_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "survey.toml"
    path.write_text('[questions."caf\u00e9"]\ndevice = "warner:3/4"\n[questions.sick]\ndevice = "warner:3/4"\n')
    survey = rropt_fieldwork.Survey.read(path)
    assert survey.question_named("cafe\u0301")[0] == "caf\u00e9"  # the letter and its accent apart
    assert survey.question_named("sick")[0] == "sick"
    with pytest.raises(InvalidParameterError, match="no such question: received 'use'; declared are"):
        survey.question_named("use")
    with pytest.raises(InvalidParameterError, match="no such question: none is named; declared are"):
        survey.question_named(None)
