"""A survey from its declaration to its estimates, on the command line."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from few_rows import few_rows

import rropt
import rropt_fieldwork

DECLARED = """
title = "Health at work"
unit = "employees"
file = "answers.csv"
epsilon = "log(5)"
weights = "weight"
clusters = "psu"
devices = {A = "warner:3/4", B = "warner:2/3", C = "warner:5/6"}

[questions.sick]
question = "Were you sick at work last month?"
categories = ["no", "yes"]
device = "device"

[questions.use]
categories = ["never", "once", "daily"]
device = "grr:3,1/2"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the data and the declaration of a survey."""
    monkeypatch.chdir(tmp_path)
    draw = random.Random(1)
    rows = [
        (draw.choice("ABC"), draw.choice(("no", "yes", "yes")), draw.choice(("never", "once", "daily")), i % 12)
        for i in range(400)
    ]
    lines = [f"{device},{sick},{use},{psu},{1 + psu % 3},{20 + 7 * psu % 50}" for device, sick, use, psu in rows]
    lines.append("A,refused,never,3,1,40")
    Path("answers.csv").write_text("device,sick,use,psu,weight,age\n" + "\n".join(lines) + "\n")
    Path("survey.toml").write_text(DECLARED)
    return tmp_path


TYPED = {
    "estimate sick --json": "estimate answers.csv --column sick --categories no,yes --devices "
    "device=d.json --weights weight --clusters psu --json",
    "estimate use --json --by age": "estimate answers.csv --column use --categories never,once,daily --mechanism "
    "grr:3,1/2 --weights weight --clusters psu --by age --json",
    'regress sick --formula "sick ~ age" --json': 'regress answers.csv --formula "sick ~ age" --categories no,yes '
    "--devices device=d.json --weights weight --clusters psu --json",
    'regress --formula "sick ~ age" --json': 'regress answers.csv --formula "sick ~ age" --categories no,yes --devices '
    "device=d.json --weights weight --clusters psu --json",
    "noncompliance sick --theta 0..0.05 --json": "noncompliance answers.csv --column sick --categories no,yes "
    "--devices device=d.json --theta 0..0.05 --json",
    "plan margin 0.2 --question sick --device B --json": "plan margin 0.2 --mechanism warner:2/3 --json",
}


def mechanisms_of(data: object) -> Iterator[dict[str, object]]:
    """Yield every mechanism in a JSON value."""
    if isinstance(data, dict) and "matrix" in data:
        yield data
    elif isinstance(data, dict | list):
        for each in data.values() if isinstance(data, dict) else data:
            yield from mechanisms_of(each)


@few_rows(1)
@pytest.mark.parametrize("declared", TYPED)
def test_a_question_is_answered_as_its_options_are(cli, folder: Path, declared: str) -> None:
    import shlex

    Path("d.json").write_text(json.dumps({"A": "warner:3/4", "B": "warner:2/3", "C": "warner:5/6"}))
    found, typed = (json.loads(cli(*shlex.split(words))[1]) for words in (declared, TYPED[declared]))
    asked = found.pop("question")
    typed.pop("question")
    for one in (found, typed):  # the names of the responses, which a file of devices cannot give
        for mechanism in mechanisms_of(one):
            mechanism.pop("categories", None)
            mechanism.pop("responses", None)
    assert found == typed
    assert "regress" in declared or asked["survey"]["title"] == "Health at work"


def test_a_declaration_is_found_from_another_folder(cli, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = cli("estimate", "sick")
    monkeypatch.chdir("/")
    status, out, _ = cli("estimate", "sick", "--survey", str(folder / "survey.toml"))
    assert (status, out.partition("read")[0]) == (0, expected[1].partition("read")[0])


def test_an_option_comes_before_what_is_declared_and_is_named(cli, folder: Path) -> None:
    status, out, err = cli("estimate", "sick", "--weights", "age", "--json")
    assert status == 0
    assert "--weights is given, and comes before what the survey declares" in err
    assert json.loads(out)["question"]["survey"]["remarks"]
    status, out, err = cli("estimate", "use", "--mechanism", "grr:3,9/10")
    assert (status, out) == (2, "")
    assert "the device of 'use' exceeds the promised level" in err


def test_a_file_comes_before_a_question_of_its_name(cli, folder: Path) -> None:
    Path("sick").write_text("sick\n1\n0\n1\n")
    status, out, _ = cli("estimate", "sick", "--column", "sick", "--mechanism", "warner:3/4", "--json")
    assert status == 0
    assert json.loads(out)["rows"][0]["n"] == 3


@pytest.mark.parametrize("command", ["estimate", "noncompliance"])
def test_a_survey_without_a_question_is_told_its_questions(cli, folder: Path, command: str) -> None:
    status, out, error = cli(command)
    assert (status, out) == (2, "")
    assert "sick, use" in error
    status, out, error = cli(command, "survey.toml")
    assert (status, out) == (2, "")
    assert "--survey 'survey.toml'" in error
    if command == "estimate":  # counts on the command line need no declaration
        assert "a mechanism is required" in cli("estimate", "--yes", "60", "--n", "100")[2]


def test_a_wrong_name_in_the_place_of_a_question_is_told(cli, folder: Path) -> None:
    for command, told in (
        ("plan margin 0.1 --question survey.toml", "'survey.toml' is no question of survey.toml: declared are"),
        ("plan margin 0.1 --question sik", "'sik' is no file, and no question of survey.toml: declared are"),
        ("regress sick --formula use~age", "than the question: received 'use' and 'sick'; leave the question out"),
        ("regress sick --formula sik~age", "than the question: received 'sik' and 'sick'; leave the question out"),
        ("regress sik --formula sick~age", "data cannot be read: 'sik': No such file"),
    ):
        status, out, err = cli(*command.split())
        assert (status, out, told in err) == (2, "", True), err


def test_a_first_declaration_is_written_once(cli, folder: Path) -> None:
    Path("survey.toml").unlink()
    assert cli("survey", "init", "answers.csv", "--questions", "sick")[0] == 0
    before = Path("survey.toml").read_text()
    assert rropt_fieldwork.Survey.read("survey.toml").questions["sick"].device == "?"
    status, _, err = cli("survey", "init", "answers.csv")
    assert status == 2
    assert "survey.toml exists already" in err
    assert Path("survey.toml").read_text() == before
    status, _, err = cli("estimate", "sick")
    assert status == 2
    assert "the order of the categories of 'sick' is not confirmed" in err
    assert cli("survey")[0] == 0
    status, out, _ = cli("survey", "--json")
    assert json.loads(out)["result"] == "Survey"


def test_no_output_replaces_the_data_of_a_survey(cli, folder: Path) -> None:
    before = Path("answers.csv").read_bytes()
    for words in ("randomize use --output answers.csv", "estimate sick --certificate answers.csv"):
        status, out, err = cli(*words.split())
        assert (status, out) == (2, "")
        assert "--" in err
        assert Path("answers.csv").read_bytes() == before


def test_a_sheet_has_the_wording_and_the_device(cli, folder: Path) -> None:
    status, out, _ = cli("sheet", "sick", "--device", "A")
    assert status == 0
    assert "Were you sick at work last month?" in out
    assert "Health at work" in out
    assert cli("sheet", "sick")[0] == 2
    status, _, err = cli("sheet", "use")
    assert "the wording of 'use' is not declared" in err
    assert cli("sheet", "use", "--question", "How often?")[0] == 0


def test_answers_are_randomized_by_the_declared_device(cli, folder: Path) -> None:
    status, _, err = cli("randomize", "use", "--output", "private.csv")
    assert status == 0, err
    lines = Path("private.csv").read_text().split()
    assert lines[0] == "use"
    assert set(lines[1:]) == {"never", "once", "daily"}


@pytest.mark.slow
def test_a_report_has_what_the_survey_declares(cli, folder: Path) -> None:
    for name, words in {"sick": "estimate sick", "use": "estimate use", "fit": "regress --formula sick~age"}.items():
        status, out, err = cli(*words.split(), "--json")
        assert status == 0, err
        Path(f"{name}.json").write_text(out)
    assert cli("report", "sick.json", "use.json", "fit.json", "--output", "report.md")[0] == 0
    text = Path("report.md").read_text()
    assert "“Were you “" not in text  # a wording with the name of its column in it
    parts = ["# Health at work", "## Were you sick at work last month?", "Result: yes: "]
    parts += ["of employees (approximate 95 % interval: ", " people, "]
    parts += [
        "## Data",
        "Question: Were you sick at work last month?",
        "400 of 401 people responded to “Were you sick at work last month?”; 1 (0.25 %) did not",
    ]
    parts += ["## Promise", "by more than a factor of 5 (epsilon = log\\(5\\), delta = 0)"]
    parts += [
        "The 2 questions together: no list of responses changes anybody's odds by more than a factor of 10 \\(the"
    ]
    parts += ["## Limits", "## Methods and checks"]
    places = [text.replace("\\", "").find(part.replace("\\", "")) for part in parts]
    assert -1 not in places, dict(zip(parts, places, strict=True))
    assert places == sorted(places)
    assert "Nobody can check from these data whether people followed the device." in text


@few_rows(1)
@pytest.mark.parametrize(
    ("declared", "option", "is_whole"),
    [
        ("", "", True),
        ("", "age >= 40", False),
        ('where = "age < 60"', "", True),
        ('where = "age < 60"', "age < 60", True),
        ('where = "age < 60"', "age < 30", False),
        ('questions.sick.where = "age < 60"', "", False),
    ],
)
def test_the_number_of_people_is_that_of_the_declared_rows(
    cli, folder: Path, declared: str, option: str, is_whole: bool
) -> None:
    """A proportion of selected rows is no proportion of all N people, whichever command reads the declaration."""
    own = f"population = 9000\n{DECLARED.replace('weights =', '# weights =')}"
    key = declared.removeprefix("questions.sick.")
    own = own.replace("[questions.use]", f"{key}\n[questions.use]") if key != declared else f"{key}\n{own}"
    Path("survey.toml").write_text(own)
    words = ["estimate", "sick", "--json", *(["--where", option] if option else [])]
    for name, data in (("own", cli(*words)[1]), ("bare", "")):
        if not data:  # of the same rows, read without the declaration
            found = json.loads(Path("own.json").read_text())
            del found["question"]["survey"]
            data = json.dumps(found)
        Path(f"{name}.json").write_text(data)
        status, _, err = cli("report", f"{name}.json", "--survey", "survey.toml", "--output", f"{name}.md")
        assert status == 0, err
        text = Path(f"{name}.md").read_text()
        assert ("of all 9,000 employees" in text) is is_whole, name
        assert ("of selected employees" in text) is not is_whole, name
        assert bool(re.search("[0-9] people[,)]", text)) is is_whole, name


def test_a_file_given_twice_to_a_report_is_refused(cli, folder: Path) -> None:
    """Its numbers would stand twice in the report; another name of the file does not hide it."""
    Path("sick.json").write_text(cli("estimate", "sick", "--json")[1])
    for other in ("sick.json", "./sick.json"):
        status, _, err = cli("report", "sick.json", other, "--output", "twice.md")
        assert (status, err) == (
            2,
            f"rropt: a result is given twice: received {other!r} twice; give each result once\n",
        )
    assert not Path("twice.md").exists()


@pytest.mark.parametrize("command", ["estimate", "randomize"])
def test_columns_beside_a_survey_name_the_way_out(cli, folder: Path, command: str) -> None:
    """A survey declares single questions: --column names one of them, as the message says."""
    words = (command, "answers.csv", "--survey", "survey.toml")
    status, _, err = cli(*words, "--columns", "use")
    assert (status, err) == (
        2,
        "rropt: --columns name no question of a survey: received 'use'; give one question at a time, with "
        "--column use, or leave --survey out\n",
    )
    assert cli(*words, "--column", "use")[0] == 0


def test_a_report_refuses_a_mechanism_above_the_promise(cli, folder: Path) -> None:
    typed = "estimate answers.csv --column use --categories never,once,daily --mechanism grr:3,1/2 --json"
    Path("use.json").write_text(cli(*typed.split())[1])
    Path("other.toml").write_text(DECLARED.replace("log(5)", "log(3/2)"))
    assert cli("report", "use.json", "--survey", "survey.toml", "--output", "a.md")[0] == 0
    assert "# Health at work" in Path("a.md").read_text()
    status, _, err = cli("report", "use.json", "--survey", "other.toml", "--output", "b.md")
    assert status == 2
    assert "the files disagree" in err
    assert "the survey promises epsilon = log(3/2), delta = 0" in err
    assert not Path("b.md").exists()


def test_a_promise_with_delta_is_no_factor_of_odds(cli, folder: Path) -> None:
    with_delta = DECLARED.replace('epsilon = "log(5)"', 'epsilon = "log(5)"\ndelta = "1/100"')
    Path("survey.toml").write_text(with_delta)
    Path("use.json").write_text(cli("estimate", "use", "--json")[1])
    assert cli("report", "use.json", "--output", "a.md")[0] == 0
    text = Path("a.md").read_text()
    # the device that was used has the factor 2 and no delta; the factor 5 of the promise alone would be false
    assert "odds by more than a factor of 2 (promised: epsilon = log(5), delta = 1/100)" in text.replace("\\", "")
    assert "k-ary randomized response" in text.partition("Device of use: ")[2][:30]
    assert "factor of 5" not in text


def test_the_file_of_an_estimate_is_drawn(cli, folder: Path) -> None:
    counted = "--mechanism grr:3,1/2 --counts 10,20,30"
    Path("one.json").write_text(cli("estimate", *counted.split(), "--json")[1])
    status, drawn, err = cli("plot", "estimate", "one.json", "--json")
    assert status == 0, err
    found, typed = json.loads(drawn), json.loads(cli("plot", "estimate", *counted.split(), "--json")[1])
    found.pop("question")
    typed.pop("question")
    assert found == typed
    status, _, err = cli("plot", "estimate", "one.json", "--yes", "3", "--output", "a.svg")
    assert (status, "the file has the estimate: received --yes" in err) == (2, True)
    Path("groups.json").write_text(cli("estimate", "sick", "--json")[1])
    status, _, err = cli("plot", "estimate", "groups.json", "--output", "a.svg")
    assert (status, "rropt plot groups" in err) == (2, True)
    assert cli("plot", "groups", "groups.json", "--json")[0] == 0


def test_the_report_of_a_question_needs_its_result(
    cli: Callable[..., tuple[int, str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("survey.toml").write_text('[questions."a b"]\ncategories = ["0", "1"]\ndevice = "warner:3/4"\n')
    status, _, err = cli("report", "a b", "--output", "r.html")
    assert (status, "rropt estimate 'a b' --json > result.json" in err) == (2, True)
    assert "No such file" in cli("report", "other", "--output", "r.html")[2]


def test_categories_that_do_not_fit_the_device_are_refused_before_the_data_exist(
    cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each command that uses the device refuses them, and the list of questions names them."""
    monkeypatch.chdir(tmp_path)
    Path("two.csv").write_text("1/2,1/4\n1/4,1/2\n1/4,1/4\n")
    declared = """
file = "none.csv"
epsilon = "log(3)"
[questions.sick]
question = "Were you sick?"
categories = [{names}]
{device}
"""
    devices = {
        'device = "warner:3/4"': ("the categories of 'sick' do not fit its device", "allowed are 2 names,"),
        'device = "d"\ndevices = {A = "grr:4,1/3", B = "warner:2/3"}': (
            "do not fit its device 'B'",
            "allowed are 2 names,",
        ),
        'arms = {a = "warner:1/3", b = "grr:4,1/3"}': ("do not fit its device 'a'", "allowed are 2 names,"),
        'device = "two.csv"': ("do not fit its device", "allowed are 2 names of true answers or 3 names of responses"),
    }
    commands = (
        "sheet sick --device B --output x.html",
        "sheet sick --output x.html",
        "survey ethics --output x.md",
        "plan margin 0.1 --question sick",
        "estimate sick",
        "regress --formula sick~1",
        "randomize sick",
    )
    for device, (told, allowed) in devices.items():
        Path("survey.toml").write_text(declared.format(names='"no", "yes", "maybe", "never"', device=device))
        assert told in rropt_fieldwork.Survey.read().missing_parts("sick")[0]
        assert "the categories of 'sick' do not fit" in cli("survey")[1]
        for command in commands:
            if "--device" in command and "B = " not in device:
                continue
            status, out, err = cli(*command.split())
            assert (status, out, err.count("\n")) == (2, "", 1), (device, command, err)
            is_of_one = "--device" in command
            assert told.replace(" 'B'", "") in err if is_of_one else f"{told}: received 'no, yes, maybe, never'" in err
            assert allowed in err
        assert not [each for each in tmp_path.iterdir() if each.name.startswith("x.")]
    for names in ('"no", "yes"', '"no", "yes", "no card"'):  # of the true answers, and of the responses
        Path("survey.toml").write_text(declared.format(names=names, device='device = "two.csv"'))
        assert rropt_fieldwork.Survey.read().missing_parts("sick") == []
        assert cli("plan", "margin", "0.1", "--question", "sick")[0] == 0
    Path("survey.toml").write_text(declared.format(names='"no", "yes", "maybe"', device='device = "warner:3/4"'))
    Path("none.csv").write_text("sick\n" + "no\nyes\nyes\n" * 9)
    assert cli("estimate", "sick", "--categories", "no,yes")[0] == 0  # an option comes before what is declared


@pytest.mark.slow
def test_one_of_the_arms_of_a_question_has_its_sheet_and_plan(
    cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    arms = (
        '[questions.q]\nquestion = "Q?"\ncategories = ["no", "yes"]\narms = {a = "crosswise:1/5", b = "warner:2/3"}\n'
    )
    Path("survey.toml").write_text(arms)
    for command in ("plan margin 0.1 --question q", "sheet q --output x.html"):
        status, out, err = cli(*command.split())
        assert (status, out) == (2, "")
        assert "respondents have several devices: received 'a, b'; name one with --device" in err
        assert cli(*command.split(), "--device", "b")[0] == 0
    assert rropt_fieldwork.Survey.read().one_mechanism("q", "b") == rropt.Mechanism("warner:2/3")
    assert "crosswise" not in cli("survey")[2]
    assert "a: yes reported with 1/5" in cli("survey")[1]
