"""``rropt compare --admissible``: keys, exit statuses, certificate files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rropt.checker import check_file, check_text
from rropt.designs.orders import admissible
from rropt.mechanisms import Mechanism

Run = Callable[..., tuple[int, dict, str]]


@pytest.fixture
def run(cli: Callable[..., tuple[int, str, str]]) -> Run:
    """Run the command with ``--json``: status, object, standard error."""

    def call(*argv: str) -> tuple[int, dict, str]:
        status, out, err = cli("compare", "--admissible", *argv, "--json")
        return status, json.loads(out or "{}"), err

    return call


def test_an_admissible_mechanism(run: Run) -> None:
    status, data, _ = run("warner:3/4")
    assert (status, data["admissible"], data["level"], data["reasons"], data["dominating"]) == (
        0,
        True,
        "log(3)",
        [],
        None,
    )
    assert check_text(json.dumps(data["certificate"]))


@pytest.mark.parametrize("level", [("--epsilon", "log(5)"), ("--gamma", "5"), ("--epsilon", "2")])
def test_an_inadmissible_mechanism(run: Run, tmp_path: Path, level: tuple[str, str]) -> None:
    file, source = tmp_path / "c.json", tmp_path / "p.json"
    mechanism = Mechanism([["1/2", "1/4", "3/8"], ["1/4", "1/8", "3/16"], ["1/4", "5/8", "7/16"]])
    source.write_text(mechanism.to_json())
    status, data, _ = run(str(source), *level, "--certificate", str(file))
    assert (status, data["admissible"]) == (1, False)
    assert [reason["condition"] for reason in data["reasons"]] == ["C1", "C2", "C1", "C2"]
    assert data["merged"] == [[0, 1]]
    better = Mechanism(data["dominating"]["matrix"])
    assert Mechanism(data["garbling"]) @ better == mechanism
    assert admissible(better, fast=True).admissible
    assert better.parity() <= 8
    assert check_file(file)
    assert json.loads(file.read_text()) == data["certificate"]


def test_answers_independent_of_the_truth(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    status, data, _ = run("warner:1/2", "--gamma", "2", "--certificate", str(file))
    assert (status, data["admissible"]) == (1, False)
    assert data["dominating"]["matrix"] == [["2/3", "1/3"], ["1/3", "2/3"]]
    assert check_file(file)
    assert check_file(tmp_path / "c-refutation.json")
    assert check_text(json.dumps(data["refutation"]))


def test_numbers_too_long_for_the_checker_give_an_answer_without_a_certificate(run: Run, tmp_path: Path) -> None:
    source = tmp_path / "p.json"
    one, other = 3 * 10**3500, 7 * 10**3400 + 1
    matrix = [[f"{10**3500 + 7}/{one}", f"3/{other}"], [f"{2 * 10**3500 - 7}/{one}", f"{other - 3}/{other}"]]
    source.write_text(json.dumps({"matrix": matrix}))
    status, data, err = run(str(source))
    assert (status, data["admissible"], data["certificate"]) == (1, False, None)
    assert len(data["parity"]) > 6000
    assert "no certificate" in err


def test_the_page_for_people(cli: Callable[..., tuple[int, str, str]]) -> None:
    status, out, _ = cli("compare", "--admissible", "warner:3/4", "--gamma", "4")
    assert status == 1
    assert "row 0: parity 3, below gamma = 4 (C1)" in out
    assert "4/5" in out
    assert "certificate accepted" in out
