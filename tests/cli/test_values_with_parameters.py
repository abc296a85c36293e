"""Options whose value is a name with parameters, or a file: what they refuse, and the files that they protect."""

from __future__ import annotations

from pathlib import Path

import pytest

from rropt.cli.pending import InputFile, _inputs
from rropt.core.errors import InvalidParameterError
from rropt.privacy.level_arguments import criterion_of

PEOPLE = "answer,device,attention,w\n1,A,0,1\n0,B,0,2\n1,A,1,1\n0,B,0,2\n1,B,0,1\n0,A,1,1\n0,A,0,2\n1,B,0,2\n"
DEVICES = '{"A": "warner:3/4", "B": "warner:1/4"}'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in {"people.csv": PEOPLE, "devices.txt": DEVICES, "a=b.txt": "no\nyes\n"}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_file_of_names_is_not_replaced_where_its_name_has_a_mark(cli) -> None:
    line = "design kary -k 2 --epsilon 1 --objective trace --categories @a=b.txt --output a=b.txt"
    status, out, err = cli(*line.split())
    assert (status, out) == (2, "")
    assert "--output is the input itself" in err
    assert Path("a=b.txt").read_text() == "no\nyes\n"
    assert list(_inputs([InputFile("attention:x=a:b")])) == ["attention:x=a:b", "x=a:b", "a:b", "b"]


@pytest.mark.parametrize("text", ["answer\nsecret-1\nsecret-2\n", '[{"answer": "secret-1"}]'])
@pytest.mark.parametrize("line", ["count data", "estimate people.csv --column answer --devices device=data"])
def test_no_message_repeats_a_table_that_is_no_json_of_the_command(cli, folder: Path, text: str, line: str) -> None:
    (folder / "data").write_text(text)
    status, out, err = cli(*line.split())
    assert (status, out) == (2, "")
    assert "secret" not in err
    assert "data" in err or "JSON" in err


@pytest.mark.parametrize("command", ["estimate people.csv --column answer", "regress people.csv --formula answer~w"])
def test_a_file_of_devices_may_have_any_name(cli, command: str) -> None:
    found = cli(*command.split(), "--devices", "device=devices.txt", "--json")
    assert found[0] == 0, found
    assert '"device_names": {"A": "warner:3/4", "B": "warner:1/4"}' in found[1]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("noncompliance people.csv --column answer --devices device=devices.txt --design lie-detector:w", "attention:"),
        ("noncompliance people.csv --column answer --devices device=devices.txt --design lie-detector:", "attention:"),
        (
            "noncompliance people.csv --column answer --mechanism warner:3/4 --design attention",
            "--design attention:COLUMN",
        ),
        ("regress people.csv --formula answer~w --mechanism warner:3/4 --standard-errors=", "received ''"),
        ("design kary -k 3 --level levels.txt --objective trace", "FILE.json or FILE.csv"),
        ("privacy", "--criterion NAME:PARAMETERS alone"),
        ("privacy --repair --criterion beta:2", "the mechanism is missing"),
        ("compose 1/2 --epsilon log(0)", "needs a rational q > 0"),
        ("plot explorer --epsilon 1e-9 --output page.html", "0 < epsilon <= log(1000000)"),
        ("plot explorer --epsilon log(1000001) --output page.html", "0 < epsilon <= log(1000000)"),
    ],
)
def test_a_message_names_what_can_be_typed(cli, line: str, words: str) -> None:
    status, out, err = cli(*line.split())
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert words in err


@pytest.mark.parametrize("given", [None, 5, ("1/5", "1/2"), ["rho:1/5,1/2"], b"beta:2", "", "rho", "upper", ";", ":"])
def test_a_criterion_is_an_object_or_its_text(given: object) -> None:
    with pytest.raises(InvalidParameterError, match="a criterion is not understood"):
        criterion_of(given)  # type: ignore[arg-type]


def test_a_survey_names_its_questions_where_the_data_are_missing(cli, folder: Path) -> None:
    (folder / "survey.toml").write_text('file = "people.csv"\n[questions.answer]\ndevice = "warner:3/4"\n')
    status, _, err = cli("estimate", "--column", "answer", "--mechanism", "warner:3/4")
    assert status == 2
    assert "leave it out and give the name of a question that survey.toml declares" in err
    assert cli("estimate", "answer")[0] == 0


def test_one_question_of_a_plan_has_no_number(cli) -> None:
    for goal in (["--margin", "0.05"], ["--standard-error", "0.05"]):
        told = " ".join(cli("plan", "--mechanism", "grr:3,1/2", *goal)[1].split())
        assert "of every cell of the question" in told
    told = " ".join(cli("plan", "--mechanism", "bits:grr:3,1/2,grr:3,1/2", "--only", "1", "--margin", "0.1")[1].split())
    assert "of question 1" in told
