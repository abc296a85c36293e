"""``rropt privacy`` and ``rropt design list``."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from few_rows import few_rows

from rropt.mechanisms import DESIGNS


def test_the_die_of_the_nigeria_survey(cli_json) -> None:
    data = cli_json("privacy", "forced:2/3,1/6,1/6")
    assert (data["parity"], data["epsilon"], data["delta"]) == ("5", "log(5)", "0")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["generalised:1,1/4"], ("inf", "inf", "1/4")),
        (["mangat:1/4"], ("inf", "inf", "1/4")),
        (["generalised:1,1/4", "--epsilon", "log(2)"], ("inf", "inf", "1/4")),
        (["warner:3/4", "--epsilon", "1/2"], ("3", "log(3)", "3/4 - 1/4*exp(1/2)")),
        (["warner:3/4", "--epsilon", "log(3)/2"], ("3", "log(3)", "3/4 - 1/4*3^(1/2)")),
        (["warner:3/4", "--epsilon", "log(2)"], ("3", "log(3)", "1/4")),
        (["warner:1/2"], ("1", "0", "0")),
        (["kuk:4/5,1/5,2"], ("16", "log(16)", "0")),
    ],
)
def test_figures(cli, arguments: list[str], expected: tuple[str, str, str]) -> None:
    status, out, _ = cli("privacy", *arguments, "--json")
    data = json.loads(out)
    assert (data["parity"], data["epsilon"], data["delta"]) == expected
    assert status == (1 if data.get("meets") is False else 0)
    assert data.get("meets") == (data["delta"] == "0" if "--epsilon" in arguments else None)
    assert "profile" not in data


@few_rows(1)
@pytest.mark.parametrize(
    ("mechanism", "level", "meets"),
    [
        ("warner:3/4", ["--epsilon", "1"], False),
        ("warner:3/4", ["--epsilon", "log(3)"], True),
        ("warner:3/4", ["--gamma", "3"], True),
        ("warner:3/4", ["--gamma", "2999999999999999999/1000000000000000000"], False),
        ("warner:3/4", ["--epsilon", "1", "--delta", "7042954/100000000"], False),  # 3/4 - e/4 = 0.0704295428...
        ("warner:3/4", ["--epsilon", "1", "--delta", "7042955/100000000"], True),
        ("warner:3/4", ["--epsilon", "log(3)/2", "--delta", "exp(-1)"], True),  # 3/4 - sqrt(3)/4 = 0.317
        ("warner:3/4", ["--epsilon", "log(3)/2", "--delta", "exp(-2)"], False),
        ("generalised:1,1/4", ["--gamma", "2", "--delta", "1/4"], True),
        ("generalised:1,1/4", ["--gamma", "100", "--delta", "249/1000"], False),
        ("generalised:1,1/4", ["--epsilon", "100"], False),
        ("warner:1/2", ["--epsilon", "0"], True),
        ("warner:3/4", ["--level", "posterior:1/5,1/2"], True),
        ("warner:3/4", ["--level", "factor:2"], False),
        ("warner:3/4", ["--level", "curve:min(1, 3*p)"], True),
    ],
)
def test_a_level_is_a_question(cli, mechanism: str, level: list[str], meets: bool) -> None:
    status, out, _ = cli("privacy", mechanism, *level, "--json")
    data = json.loads(out)
    assert (data["meets"], status) == (meets, 0 if meets else 1)
    status, out, _ = cli("privacy", mechanism, *level)
    assert status == (0 if meets else 1)
    row = next(line for line in out.splitlines() if "meets" in line)
    assert ("yes" if meets else "no") in row
    odds = data["worst"]["odds"]
    if mechanism == "warner:1/2":
        assert odds is None
    else:
        assert f"{odds['answer']}: input {odds['inputs'][0]} against input {odds['inputs'][1]}" in out
        assert odds["ratio"] == data["parity"]


def test_the_worst_answer_and_pair(cli) -> None:
    status, out, _ = cli("privacy", "grr:3,1/2", "--gamma", "5/4", "--json")
    data = json.loads(out)
    assert status == 1
    assert data["worst"] == {
        "odds": {"answer": 0, "inputs": [0, 1], "ratio": "2"},
        "delta": {"answers": [0], "inputs": [0, 1], "value": "3/16"},
    }
    assert data["level"] == {"epsilon": "log(5/4)", "delta": "0"}


def test_the_profile_where_it_is_asked_for(cli, cli_json) -> None:
    data = cli_json("privacy", "warner:3/4", "--profile")
    assert data["profile"] == [
        {"gamma_from": "1", "gamma_to": "3", "intercept": "3/4", "slope": "-1/4", "inputs": [0, 1]},
        {"gamma_from": "3", "gamma_to": "inf", "intercept": "0", "slope": "0", "inputs": [0, 0]},
    ]
    assert data["profile_width"] == "0"
    text = cli("privacy", "warner:3/4", "--profile")[1]
    assert "3/4 - 1/4 gamma" in text
    assert "enclosure" not in text
    assert "3/4 - 1/4 gamma" not in cli("privacy", "warner:3/4")[1]


def test_an_enclosure_is_said_to_be_one(cli, cli_json, monkeypatch, tmp_path) -> None:
    """As for a matrix of 200 inputs that all tie within the error of floats."""
    monkeypatch.setattr("rropt.mechanisms.columns._SMALL", 0)
    for name in ("_MOST_MASSES", "_MOST_TIES", "_EXACT_POINTS"):
        monkeypatch.setattr(f"rropt.mechanisms.matrix_privacy.{name}", 0)
    path = tmp_path / "noise.csv"
    path.write_text("0.5000000000000001,0.25\n0.4999999999999999,0.75\n")
    asked = "privacy", str(path), "--profile"
    data = cli_json(*asked)
    assert 0 < Fraction(data["profile_width"]) < Fraction(1, 10**14)
    assert "an enclosure: delta is at least what these lines say" in " ".join(cli(*asked)[1].split())


def test_files_and_tables(cli, cli_json, tmp_path) -> None:
    (tmp_path / "m.csv").write_text("0.75, 0.25\n0.25, 0.75\n")
    (tmp_path / "m.json").write_text('{"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}')
    named = cli_json("privacy", "warner:3/4")
    for name in ("m.csv", "m.json"):
        assert cli_json("privacy", str(tmp_path / name)) == named
    status, out, _ = cli("privacy", "generalised:1,1/4", "--epsilon", "1/2")
    assert status == 1
    assert "infinite" in out
    status, out, _ = cli("privacy", "warner:3/4", "--epsilon", "1/2")
    assert "3/4 - 1/4*exp(1/2) ~ 0.337819682" in out


def test_mechanisms_are_listed_with_their_parameters(cli, cli_json) -> None:
    listed = cli_json("design", "list")["mechanisms"]
    assert [entry["name"] for entry in listed] == list(DESIGNS)
    for entry in listed:
        data = cli_json("privacy", entry["example"])
        assert data["epsilon"] == entry["example_epsilon"]
    status, out, _ = cli("design", "list")
    assert status == 0
    assert all(name in out for name in DESIGNS)


def test_help_and_version(cli) -> None:
    assert cli("--version")[0] == 0
    assert cli()[0] == 2
    for command in ([], ["design"], ["design", "binary"], ["check"], ["privacy"], ["design", "list"]):
        status, out, _ = cli(*command, "--help")
        assert status == 0
        assert "usage" in out


def test_json_is_one_object_and_nothing_else(cli) -> None:
    for command in (["design", "list"], ["privacy", "warner:3/4"]):
        _, out, err = cli(*command, "--json")
        assert err == ""
        assert isinstance(json.loads(out), dict)
        assert out.count("\n") == 1


def test_privacy_at_levels_of_pairs_and_by_distance(cli, cli_json, tmp_path) -> None:
    assert cli_json("privacy", "grr:3,1/2", "--level", "line")["epsilon"] == "log(2)"
    for level, status in (("log(2)", 0), ("log(19/10)", 1)):
        rows = [[None if i == j else level for j in range(3)] for i in range(3)]
        (tmp_path / "levels.json").write_text(json.dumps({"levels": rows}))
        found, out, err = cli("privacy", "grr:3,1/2", "--level", str(tmp_path / "levels.json"), "--json")
        assert (found, json.loads(out)["meets"], err) == (status, not status, "")


def test_no_response_yes_of_one_respondent_is_answered(cli_json) -> None:
    assert cli_json("estimate", "--yes", "0", "--n", "1", "--mechanism", "warner:3/4")["counts"] == [1, 0]
    assert cli_json("design", "binary", "--epsilon", "1", "--prevalence", "1/4", "--n", "1")
