"""``rropt privacy`` and ``rropt mechanisms``."""

from __future__ import annotations

import json

import pytest

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
def test_figures(cli_json, arguments: list[str], expected: tuple[str, str, str]) -> None:
    data = cli_json("privacy", *arguments)
    assert (data["parity"], data["epsilon"], data["delta"]) == expected


def test_files_and_tables(cli, cli_json, tmp_path) -> None:
    (tmp_path / "m.csv").write_text("0.75, 0.25\n0.25, 0.75\n")
    (tmp_path / "m.json").write_text('{"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}')
    named = cli_json("privacy", "warner:3/4")
    for name in ("m.csv", "m.json"):
        assert cli_json("privacy", str(tmp_path / name)) == named
    status, out, _ = cli("privacy", "generalised:1,1/4", "--epsilon", "1/2")
    assert status == 0
    assert "infinite" in out
    status, out, _ = cli("privacy", "warner:3/4", "--epsilon", "1/2")
    assert "3/4 - 1/4*exp(1/2) = 0.337819682" in out


@pytest.mark.parametrize(
    ("content", "word"),
    [("0.999,0\n0,1\n", "sum to 1"), ("-1,0\n2,1\n", "negative"), ("", "empty"), ("x,y\n", "not a number")],
)
def test_bad_files(cli, tmp_path, content: str, word: str) -> None:
    file = tmp_path / "bad.csv"
    file.write_text(content)
    status, out, err = cli("privacy", str(file))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert word in err


@pytest.mark.parametrize("name", ["warner:2", "nosuch:1", "nosuchfile.json", "/", "warner:" + "1" * 10**6, "\0"])
def test_bad_names(cli, name: str) -> None:
    status, out, err = cli("privacy", name)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert len(err) < 500


def test_mechanisms_are_listed_with_their_parameters(cli, cli_json) -> None:
    listed = cli_json("mechanisms")["mechanisms"]
    assert [entry["name"] for entry in listed] == list(DESIGNS)
    for entry in listed:
        data = cli_json("privacy", entry["example"])
        assert data["epsilon"] == entry["example_epsilon"]
    status, out, _ = cli("mechanisms")
    assert status == 0
    assert all(name in out for name in DESIGNS)


def test_help_and_version(cli) -> None:
    assert cli("--version")[0] == 0
    assert cli()[0] == 2
    for command in ([], ["design"], ["design", "binary"], ["check"], ["privacy"], ["mechanisms"]):
        status, out, _ = cli(*command, "--help")
        assert status == 0
        assert "usage" in out


def test_json_is_one_object_and_nothing_else(cli) -> None:
    for command in (["mechanisms"], ["privacy", "warner:3/4"]):
        _, out, err = cli(*command, "--json")
        assert err == ""
        assert isinstance(json.loads(out), dict)
        assert out.count("\n") == 1
