"""A survey declared once: read, written, guessed from data, and used by every function as if its parts were typed."""

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
from stored_cases import cases_of

import rropt
from rropt.core.errors import FileAccessError, FileFormatError, InvalidParameterError
from rropt.survey import Sample, guess_survey

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


def declared(folder: Path, **more: Any) -> rropt.Survey:
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
    return rropt.Survey(**{**values, **more})


@pytest.mark.slow
def test_declared_is_as_typed(folder: Path) -> None:
    survey = declared(folder)
    typed = {"weights": "weight", "strata": "stratum", "clusters": "psu", "fpc": "fpc"}
    data = str(folder / "answers.csv")
    of_devices = {"devices": "device", "device_names": DEVICES, "categories": ["no", "yes"]}
    assert survey.estimate("sick") == rropt.survey.estimate_table(data, "sick", **of_devices, **typed)
    own = survey.estimate("use", by="region")
    other = rropt.survey.estimate_table(data, "use", "grr:5,1/2", categories=LEVELS, by="region", **typed)
    assert own.to_dict()["shares"] == other.to_dict()["shares"]
    assert own == other
    formula = "sick ~ age + sex"
    fitted = survey.regress(formula)
    assert fitted.coefficients == rropt.regress(data, formula, **of_devices, **typed).coefficients
    named = rropt.Mechanism("grr:5,1/2").labelled(LEVELS)
    assert survey.plan("use", margin="1/10") == rropt.plan(named, margin="1/10")
    assert survey.plan("sick", device="B", n=500) == rropt.plan("warner:2/3", n=500)
    for file, read in (("answers.csv", data), ("s3://a/b.csv", "s3://a/b.csv"), ("-", "-")):
        assert declared(folder, file=file).arguments("sick")["data"] == read
    bounds = survey.noncompliance("sick", theta="0..1/20")
    counts: dict[str, list[int]] = {name: [0, 0] for name in DEVICES}
    for row in survey_rows():
        if row[11] != "refused":
            counts[row[5]][row[11] == "yes"] += 1
    samples = [Sample.of(rropt.Mechanism(DEVICES[name]), counts[name]) for name in DEVICES]
    assert bounds == rropt.noncompliance(samples, theta="0..1/20")


@pytest.mark.slow
def test_bounds_take_the_options_of_the_call(folder: Path) -> None:
    survey, rows = declared(folder), {"sick": np.array(["yes", "no", "no"], object)}
    found = survey.noncompliance("sick", data=rows, mechanism="warner:2/3", categories=["yes", "no"], confidence=None)
    assert found == rropt.noncompliance(mechanism="warner:2/3", counts=[1, 2], confidence=None)
    declared_ones = dict.fromkeys(["data", "mechanism", "devices", "column", "categories"])  # None: what is declared
    first = {"device": "A", "confidence": None}
    assert survey.noncompliance("sick", **declared_ones, **first) == survey.noncompliance("sick", **first)
    assert survey.estimate("sick", column="sick") == survey.estimate("sick")
    with pytest.raises(InvalidParameterError, match="received 2 names; allowed are 1"):
        survey.estimate("sick", columns=["sick", "use"], mechanism="warner:3/4")


def test_a_survey_without_data(tmp_path: Path, cli: Callable[..., tuple[int, str, str]]) -> None:
    survey = rropt.Survey(questions={"sick": {"categories": ["no", "yes"], "device": "warner:3/4"}})
    for asked in (partial(survey.estimate), partial(survey.regress, "sick ~ 1"), partial(survey.noncompliance)):
        with pytest.raises(InvalidParameterError, match="the data of 'sick' are not known: declare file"):
            asked()
    assert survey.noncompliance(yes=1, n=3) == rropt.noncompliance(mechanism="warner:3/4", yes=1, n=3)
    survey.write(tmp_path / "survey.toml")
    for command in ("estimate", "randomize", "noncompliance"):
        assert "the data of 'sick' are not known" in cli(command, "sick", "--survey", str(tmp_path / "survey.toml"))[2]
    with pytest.raises(InvalidParameterError, match=r"by is not allowed: .* a set or a table has no order"):
        rropt.Survey(by={"sex", "region"})


def test_options_come_before_questions_before_the_survey(folder: Path) -> None:
    survey = declared(folder, questions={"sick": {"categories": ["no", "yes"], "device": "A", "weights": "id"}})
    assert survey.arguments("sick")["weights"] == "id"
    assert survey.arguments("sick", weights="weight")["weights"] == "weight"
    assert survey.arguments("sick")["mechanism"] == rropt.Mechanism("warner:3/4")
    assert survey.arguments("sick", mechanism="warner:2/3")["mechanism"] == "warner:2/3"
    assert "mechanism" not in survey.arguments("sick", device="device")
    assert survey.arguments()["columns"] == ("sick",)
    own = rropt.Survey(ignore_case=True, missing=["-"], questions={"a": {"ignore_case": False, "missing": []}, "b": {}})
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


def test_the_order_of_guessed_categories_is_confirmed(
    folder: Path, tmp_path: Path, cli: Callable[..., tuple[int, str, str]]
) -> None:
    survey = declared(folder, questions={"use": {"categories": ["?", *LEVELS], "device": "grr:5,1/2"}})
    with pytest.raises(InvalidParameterError, match="the order of the categories of 'use' is not confirmed"):
        survey.estimate("use")
    open_ = {"vote": {"categories": ["?", "0", "1"], "device": "direct"}}
    rropt.Survey(file=str(folder / "answers.csv"), questions=open_).write(tmp_path / "survey.toml")
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
    found = survey.estimate("vote").shares[0].groups[0]
    with (folder / "answers.csv").open() as file:
        rows = [line.strip().split(",") for line in file][1:]
    total = sum(float(row[1]) for row in rows)
    yes = sum(float(row[1]) for row in rows if row[13] == "1")
    assert found.share.value == pytest.approx(yes / total)


def test_a_level_is_planned_if_no_device_is_known() -> None:
    survey = rropt.Survey(epsilon="log(3)", questions={"sick": {"device": "?"}})
    assert (
        survey.plan("sick", margin="1/10", prevalence="1/2").found
        == rropt.plan("warner:3/4", margin="1/10", prevalence="1/2").found
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


@given(title=texts, weights=texts, by=st.lists(texts, max_size=2), asked=questions)
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, title: str, weights: str, by: list[str], asked: dict[str, Any]
) -> None:
    survey = rropt.Survey(title=title, weights=weights, by=by, questions=asked)
    path = tmp_path_factory.getbasetemp() / "survey.toml"
    survey.write(path)
    assert rropt.Survey.read(path) == survey
    assert path.read_text().replace("\n", "").isprintable()
    assert rropt.Survey.from_json(survey.to_json()) == survey


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
        rropt.Survey.read(path)
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 800


def test_a_declaration_that_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(FileAccessError):
        rropt.Survey.read(tmp_path / "none.toml")
    (tmp_path / "survey.toml").write_bytes(b"title = \xff")
    with pytest.raises(FileFormatError, match="UTF-8"):
        rropt.Survey.read(tmp_path / "survey.toml")


def test_numbers_are_read_exactly(tmp_path: Path) -> None:
    (tmp_path / "survey.toml").write_text("epsilon = 0.1\nfpc = 0.25\n")
    survey = rropt.Survey.read(tmp_path / "survey.toml")
    assert (survey.epsilon, survey.fpc) == ("0.1", ("0.25",))


def test_guesses_are_marked_and_never_estimated_with(folder: Path) -> None:
    found = guess_survey(folder / "answers.csv", folder=str(folder))
    survey = found.survey
    assert (survey.weights, survey.strata, survey.clusters, survey.fpc) == ("weight", "stratum", "psu", ("fpc",))
    assert survey.file == ("answers.csv",)
    assert set(survey.devices or {}) == {"A", "B", "C"}
    assert survey.missing == ("refused",)
    assert found.guessed == ("sex", "region", "school", "lang", "sick", "use", "vote", "household", "q9")
    assert not {*found.others} & {"weight", "stratum", "psu", *found.guessed}
    assert "id" in found.others
    assert survey.questions["sick"].categories == ("no", "yes")
    assert (survey.questions["use"].categories or ())[0] == "?"
    lines = [line for line in found.text.splitlines() if line and not line.startswith(("#", "file"))]
    assert all("#" in line for line in lines)  # each guess has a comment
    for name in survey.questions:
        with pytest.raises(InvalidParameterError, match=r"not known|not confirmed"):
            survey.estimate(name)
    (folder / "guessed.toml").write_text(found.text)
    assert rropt.Survey.read(folder / "guessed.toml") == survey


def test_integers_that_are_written_as_floats_have_an_order(tmp_path: Path) -> None:
    path = tmp_path / "many.csv"
    path.write_text("x,y\n" + "".join(f"{i % 12},{i}\n" for i in range(13)))
    assert guess_survey(path).guessed == ("x",)  # at most 12 categories, in their order
    assert guess_survey(path).survey.questions["x"].categories == tuple(map(str, range(12)))
    path = tmp_path / "floats.csv"
    path.write_text("x,y,z,t\n0.0,10.0,0,0.5\n1.0,9.0,1.0,1.0\n,10.00,1,0.5\n1.0,9.0,0,1.0\n")
    found = guess_survey(path, folder=str(tmp_path)).survey.questions
    assert {name: question.categories for name, question in found.items()} == {
        "x": ("0", "1"),
        "y": ("9", "10"),
        "z": ("0", "1"),
        "t": ("?", "0.5", "1.0"),
    }
    counted = rropt.survey.estimate_table(path, "x", "warner:3/4", categories=found["x"].categories)
    assert counted.shares[0].groups[0].n == 3


@few_rows(1)
@pytest.mark.parametrize("kind", ["semicolon", "parquet", "json", "one"])
def test_forms_of_data_that_are_guessed(tmp_path: Path, kind: str) -> None:
    import duckdb

    rows = "weight,sick\n1,yes\n2,no\n1,\n"
    (tmp_path / "a.csv").write_text(rows)
    path = tmp_path / "a.csv"
    if kind == "semicolon":
        path.write_text(rows.replace(",", ";"))
    elif kind == "one":
        path.write_text("sick\nyes\nno\n")
    elif kind == "parquet":
        path = tmp_path / "a.parquet"
        duckdb.read_csv(str(tmp_path / "a.csv"), all_varchar=True).write_parquet(str(path))
    elif kind == "json":
        path = tmp_path / "a.json"
        path.write_text('{"weight": 1, "sick": "yes"}\n{"weight": 2, "sick": "no"}\n')
    found = guess_survey(path)
    assert found.guessed == ("sick",)
    assert found.survey.questions["sick"].categories == ("no", "yes")
    assert found.survey.weights == (None if kind == "one" else "weight")


@pytest.mark.parametrize("text", ["a,a\n1,2\n", "a,\n1,2\n", "\n", "x" * 100])
def test_data_without_a_usable_header(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text)
    if text.startswith(("x", "a,a")):  # equal names have their places: a#1 and a#2
        assert guess_survey(path).guessed == ()
        return
    with pytest.raises(FileFormatError):
        guess_survey(path)


def test_hostile_names_of_data_are_escaped(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('"a\x1b[31m","q""]\u202e"\nyes,"x\u202e"\nno,y\n')
    found = guess_survey(path)
    assert found.text.replace("\n", "").isprintable()
    (tmp_path / "survey.toml").write_text(found.text)
    assert rropt.Survey.read(tmp_path / "survey.toml") == found.survey


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
    survey = rropt.Survey(file=str(folder / "answers.csv"), questions=asked)
    survey.write(tmp_path / "survey.toml")
    printed = cli_json("estimate", name, "--survey", str(tmp_path / "survey.toml"))
    found = survey.estimate(name)
    assert printed["result"] == type(found).__name__
    assert type(found).from_dict(printed) == found


NAMES = {  # columns of public surveys and of survey software, in the order weights, strata, clusters, fpc
    "DHS": ["v005", "v022", "v021", None],
    "DHS of households": ["hv005", "hv023", "hv021", None],
    "NHANES": ["WTMEC2YR", "SDMVSTRA", "SDMVPSU", None],
    "BRFSS": ["_LLCPWT", "_STSTR", "_PSU", None],
    "ESS": ["anweight", "stratum", "psu", None],
    "IPUMS": ["PERWT", "STRATA", "CLUSTER", None],
    "in words": ["Final Weight", "Stratum ID", "Primary Sampling Unit", "Population size"],
    "R survey": ["pw", "stype", "dnum", "fpc"],
    "Spanish": ["factor_expansion", "estrato", "conglomerado", "N_h"],
    "German": ["Gewicht", "Schicht", "Klumpen", "Grundgesamtheit"],
    "schools": ["student_weight", "strat", "School ID", "num_of_clusters"],
}


@few_rows(1)
@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
def test_columns_of_the_design_are_recognized_by_their_names(tmp_path: Path, names: list[str | None]) -> None:
    roles = [name for name in names if name is not None]
    rows = [f"{['no', 'yes'][i % 2]},{20 + i % 30},{1 + i % 5}.5,{i % 4},{i % 16},{40}" for i in range(96)]
    table = [",".join(["sick", "age", *(name or f"other {i}" for i, name in enumerate(names))]), *rows]
    path = tmp_path / "a.csv"
    path.write_text("\n".join(table) + "\n")
    found = guess_survey(path)
    survey = found.survey
    own = [survey.weights, survey.strata, survey.clusters, *(survey.fpc or ())]
    known = [name for name in roles if name not in ("pw", "stype", "dnum")]  # which nobody can guess from the names
    assert [name for name in own if name is not None] == known
    assert [one.column for one in found.every] == table[0].split(",")
    assert all(one.reason for one in found.every)
    assert "sick" in found.guessed


def test_numbers_of_people_are_no_weights(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    rows = [f"{60 + i},{3 + i % 2},{i % 3},n{i % 2},{i % 2}" for i in range(40)]
    path.write_text("weight_kg,birth_weight,school,stratum_size,sick\n" + "\n".join(rows) + "\n")
    found = guess_survey(path)
    assert (found.survey.weights, found.survey.clusters, found.survey.fpc) == (None, None, None)  # n0 is no number
    assert "school" in found.guessed  # three kinds


@pytest.mark.slow
def test_named_columns_come_before_guesses(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    rows = [f"{i % 30},{'ab'[i % 2] * 300},{i % 20},{i % 9},{50},{i % 2}" for i in range(90)]
    path.write_text("many,long,office,psu,offices,sex\n" + "\n".join(rows) + "\n")
    assert guess_survey(path).guessed == ("sex",)
    found = guess_survey(path, questions=["many", "long"], clusters="office", fpc="offices")
    assert found.guessed == ("many", "long")
    assert (found.survey.clusters, found.survey.fpc) == ("office", ("offices",))
    reasons = {one.column: (one.role, one.reason) for one in found.every}
    assert reasons["office"] == ("clusters", "named as clusters")
    assert reasons["sex"] == ("not used", "the questions are named")
    assert reasons["many"][0] == "question"
    assert guess_survey(path, fpc=["offices", "0.5"], clusters="office").survey.fpc == ("offices", "0.5")
    for wrong, told in (
        ({"questions": "mny"}, "names no column of the data: received 'mny'.*did you mean many"),
        ({"questions": "offices"}, "is no question: received 1 text in it"),
        ({"questions": "sex", "strata": "sex"}, "named twice: received 'sex'"),
        ({"clusters": "officce"}, "`clusters` names no column"),
        ({"weights": "long"}, "`weights` does not name a column of numbers: received 'long'"),
        ({"fpc": ["offices", "long"]}, "`fpc` does not name a column of numbers: received 'long'"),
    ):
        with pytest.raises(rropt.RroptError, match=told):
            guess_survey(path, **wrong)


def test_the_whole_list_is_printed_with_reasons(folder: Path, cli: Callable[..., tuple[int, str, str]]) -> None:
    out = str(folder / "listed.toml")
    status, printed, _ = cli("survey", "init", str(folder / "answers.csv"), "--output", out, "--clusters", "school")
    assert status == 0
    head = (folder / "answers.csv").read_text().splitlines()[0].split(",")
    listed = printed.partition("Each column")[2]
    assert all(f"\n{name} " in listed for name in head)
    assert "named as clusters" in listed


# --- what survey software writes


def _qualtrics(path: Path) -> None:
    rows = [
        ["Status", "Progress", "Finished", "Q1", "Q2", "Q3", "Q4_1", "Q6"],
        ["Response Type", "Progress", "Finished", "Age", "Sex", "Spinner: did you cheat?", "Ticked", "Weight"],
        [f'{{"ImportId":"QID{place}"}}' for place in range(8)],
    ]
    for i in range(60):
        status, finished = "Survey Preview" if i < 3 else "IP Address", "False" if i == 7 else "True"
        row = [status, "100", finished, str(20 + i), "MF"[i % 2], ["No", "Yes"][i % 3 == 0], ["", "Gifts"][i % 2]]
        rows.append([*row, str(1 + i % 5)])
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows(rows)


def test_qualtrics_from_file_to_estimate(tmp_path: Path) -> None:
    """The spinner is the question, finished rows are counted without previews, and the wording names the weights."""
    path = tmp_path / "q.csv"
    _qualtrics(path)
    found = guess_survey(path, folder=str(tmp_path))
    assert found.guessed == ("Q3",)
    assert (found.survey.where, found.survey.weights, found.survey.header_rows) == (
        "Finished = 'True' and Status != 'Survey Preview'", "Q6", 3
    )  # fmt: skip
    assert found.survey.questions["Q3"].wording == "Spinner: did you cheat?"
    reasons = {one.column: one.reason for one in found.every}
    assert reasons["Status"] == "selects the rows with Status != 'Survey Preview'"
    assert reasons["Q2"].startswith("2 different texts: F, M; other columns have a word of a device")
    assert reasons["Q4_1"].startswith("one text beside empty cells")
    text = found.text.replace('device = "?"', 'device = "warner:3/4"').replace('"?"', '"x"')
    (tmp_path / "survey.toml").write_text(text.replace('epsilon = "x"', 'epsilon = "log(3)"'), encoding="utf-8")
    survey = rropt.Survey.read(tmp_path / "survey.toml")
    (whole,) = survey.estimate("Q3").shares[0].groups
    kept = [i for i in range(60) if i > 2 and i != 7]
    w = [1 + i % 5 for i in kept]
    share = sum(x for x, i in zip(w, kept, strict=True) if i % 3 == 0) / sum(w)
    assert (whole.n, whole.estimate) == (56, pytest.approx((share - 1 / 4) * 2, abs=1e-12))


@pytest.mark.slow
def test_limesurvey_redcap_and_kobo(tmp_path: Path) -> None:
    lime = tmp_path / "lime.csv"
    lines = ['"id. Response ID";"submitdate. Date submitted";"G1[SQ1]. Würfel: schwarz gearbeitet?";"G2. Gewicht"']
    lines += [f'"{i}";"2026-03-0{1 + i % 9} 12:00:00";"{"Ja" if i % 3 else "Nein"}";"1,{i % 4}"' for i in range(60)]
    lime.write_text("\ufeff" + "\n".join(lines) + "\n", encoding="utf-8")
    found = guess_survey(lime)
    (question,) = found.survey.questions.values()
    assert (question.wording, question.categories) == ("Würfel: schwarz gearbeitet?", ("Nein", "Ja"))
    assert found.survey.weights == "G2. Gewicht"

    cap = tmp_path / "cap.csv"
    rows = [f"{i},arm_1,{i % 2},{i % 3},warner:3/4,{i % 2},2" for i in range(40)]
    head = "record_id,redcap_event_name,sex,site,rrt_device,rrt_hiv,intake_complete"
    cap.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    found = guess_survey(cap)
    assert found.guessed == ("rrt_hiv",)
    assert found.survey.questions["rrt_hiv"].device == "rrt_device"  # its texts are mechanisms

    kobo = tmp_path / "kobo.json"
    objects = [{"_id": i, "demo/sex": "fm"[i % 2], "sens/spinner": ["no", "yes"][i % 2]} for i in range(30)]
    del objects[0]["sens/spinner"]  # not answered: the key is absent
    kobo.write_text(json.dumps({"count": 30, "next": None, "results": objects}), encoding="utf-8")
    assert guess_survey(kobo).guessed == ("sens/spinner",)
    with pytest.raises(rropt.RroptError, match="no column of"):
        rropt.estimate("warner:3/4", data=str(kobo), column="sens/dice", categories=["no", "yes"])


def test_labels_of_spss_are_wordings_orders_and_numbers(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pyreadstat = pytest.importorskip("pyreadstat")
    path = tmp_path / "s.sav"
    frame = pandas.DataFrame(
        {"educ": [1.0, 2, 3] * 20, "age": [float(18 + i) for i in range(60)], "q1": [1.0, 2] * 30, "q2": [1.0, 2] * 30}
    )
    labels = {"educ": {1: "Low", 2: "Middle", 3: "High"}, "age": {77: "77 or older"}, "q1": {1: "Yes", 2: "No"}}
    pyreadstat.write_sav(frame, str(path), variable_value_labels=labels, column_labels={"q1": "Evaded tax"})
    found = guess_survey(path)
    assert found.survey.questions["educ"].categories == ("Low", "Middle", "High")
    assert found.survey.questions["q1"].wording == "Evaded tax"
    assert found.survey.codes == ("age",)


def test_a_question_is_named_in_any_unicode_form_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "survey.toml"
    path.write_text('[questions."caf\u00e9"]\ndevice = "warner:3/4"\n[questions.sick]\ndevice = "warner:3/4"\n')
    survey = rropt.Survey.read(path)
    assert survey.question_named("cafe\u0301")[0] == "caf\u00e9"  # the letter and its accent apart
    assert survey.question_named("sick")[0] == "sick"
    with pytest.raises(InvalidParameterError, match="no such question: received 'use'; declared are"):
        survey.question_named("use")
    with pytest.raises(InvalidParameterError, match="no such question: none is named; declared are"):
        survey.question_named(None)
