"""Messages name what can be typed, and repeat no responses."""

from __future__ import annotations

from pathlib import Path

import pytest

PEOPLE = "answer,device,attention\n1,A,0\n0,B,0\n1,A,1\n0,B,0\n1,B,0\n0,A,1\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "people.csv").write_text(PEOPLE)
    (tmp_path / "devices.txt").write_text('{"A": "warner:3/4", "B": "warner:1/4"}')
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("text", ["answer\nsecret-1\nsecret-2\n", '[{"answer": "secret-1"}]'])
@pytest.mark.parametrize("line", ["count --add data", "estimate people.csv --column answer --devices device=data"])
def test_no_message_repeats_a_table_that_is_no_json_of_the_command(cli, folder: Path, text: str, line: str) -> None:
    (folder / "data").write_text(text)
    status, out, err = cli(*line.split())
    assert (status, out) == (2, "")
    assert "secret" not in err
    assert "data" in err or "JSON" in err


def test_a_file_of_devices_may_have_any_name(cli) -> None:
    line = "estimate people.csv --column answer --devices device=devices.txt --json"
    status, out, err = cli(*line.split())
    assert status == 0, err
    assert '"device_names": {"A": "warner:3/4", "B": "warner:1/4"}' in out


def test_a_survey_names_its_questions_where_the_data_are_missing(cli, folder: Path) -> None:
    (folder / "survey.toml").write_text('file = "people.csv"\n[questions.answer]\ndevice = "warner:3/4"\n')
    status, _, err = cli("estimate", "--column", "answer", "--mechanism", "warner:3/4")
    assert status == 2
    assert "leave it out and give the name of a question that survey.toml declares" in err
    assert cli("estimate", "answer")[0] == 0


def test_one_question_of_a_plan_has_no_number(cli) -> None:
    for goal in (["margin", "0.05"], ["se", "0.05"]):
        told = " ".join(cli("plan", *goal, "--mechanism", "grr:3,1/2")[1].split())
        assert "of every cell of the question" in told
    two = ["margin", "0.1", "--mechanism", "bits:grr:3,1/2,grr:3,1/2", "--questions", "1"]
    assert "of question 1" in " ".join(cli("plan", *two)[1].split())
