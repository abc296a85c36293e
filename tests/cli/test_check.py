"""``rropt check``: an entry for every file, standard input, explanations, and the numbers that are deployed."""

from __future__ import annotations

import io
import json
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rropt.mechanisms import Mechanism
from rropt.mechanisms.privacy_findings import Deployed
from rropt.mechanisms.raw_matrices import audit

THIRDS = ("design", "binary", "--epsilon", "log(2)", "--prevalence", "1/4")


@pytest.fixture
def design(cli: Any, tmp_path: Path) -> Path:
    """A certificate of [[2/3, 1/3], [1/3, 2/3]]."""
    file = tmp_path / "design.json"
    assert cli(*THIRDS, "--certificate", str(file))[0] == 0
    return file


def test_every_file_has_an_entry(cli: Any, design: Path, tmp_path: Path) -> None:
    bad, missing = tmp_path / "bad.json", tmp_path / "none.json"
    bad.write_text(design.read_text().replace('"lower": "', '"lower": "1'))
    status, out, err = cli("check", str(design), str(missing), str(bad), str(tmp_path), "--json")
    data = json.loads(out)
    assert (status, err, data["accepted"]) == (2, "", False)
    assert [each["verdict"] for each in data["files"]] == ["accepted", "error", "rejected", "error"]
    assert [each["accepted"] for each in data["files"]] == [True, False, False, False]
    assert all(bool(each["reason"]) != each["accepted"] for each in data["files"])
    assert "none.json" in data["files"][1]["reason"]
    assert data["reason"] == data["files"][1]["reason"]  # the first of several
    status, out, err = cli("check", "--quiet", str(missing), str(design))
    assert (status, out, err.count("\n")) == (2, f"{design}: accepted\n", 1)
    assert cli("check", str(design), str(bad))[0] == 1


def test_the_result_of_verify_is_no_certificate(cli: Any, tmp_path: Path) -> None:
    file = tmp_path / "claims.json"
    file.write_text(json.dumps({"result": "Verification", "patterns": [], "claims": [], "papers": {}}))
    status, out, err = cli("check", str(file))
    assert (status, out) == (2, "")
    assert "the result of rropt verify, which is no certificate" in err
    entry = json.loads(cli("check", str(file), "--json")[1])["files"][0]
    assert (entry["verdict"], entry["accepted"]) == ("error", False)


def test_standard_input(cli: Any, design: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(design.read_bytes())))
    assert cli("check", "-", "--quiet")[:2] == (0, "-: accepted\n")
    monkeypatch.setattr("sys.stdin", None)
    status, out, err = cli("check", "-")
    assert (status, out, err) == (2, "", "rropt: cannot read '-': standard input is closed\n")


def test_what_has_been_verified_is_said(cli: Any, cli_json: Any, design: Path) -> None:
    status, out, _ = cli("check", str(design))
    assert status == 0
    said = " ".join(out.split())
    for words in (
        "epsilon = log 2",
        "lies in [35/16, 35/16]",
        "at prevalence 1/4",
        "n Var",
        "[[2/3, 1/3], [1/3, 2/3]]",
    ):
        assert words in said
    (entry,) = cli_json("check", str(design))["files"]
    assert f"accepted: {entry['sentence']}" in said
    assert entry["remarks"] == []
    assert cli("check", "--quiet", str(design))[1] == f"{design}: accepted\n"
    assert cli_json("check", "--quiet", str(design))["files"][0]["sentence"] == ""


def deployed(cli: Any, design: Path, matrix: Any, *options: str) -> tuple[int, dict[str, Any]]:
    file = design.parent / "deployed.npy"
    np.save(file, np.asarray(matrix))
    status, out, _ = cli("check", str(design), "--mechanism", str(file), "--json", *options)
    return status, json.loads(out)["deployed"]


def test_the_nearest_doubles_are_as_certified_and_have_their_own_epsilon(cli: Any, design: Path) -> None:
    """2/3 and 1/3 as doubles have the odds 0.6666666666666666/0.3333333333333333 = 2, and columns that miss 1."""
    status, found = deployed(cli, design, [[2 / 3, 1 / 3], [1 / 3, 2 / 3]])
    assert (status, found["as_certified"], found["others"]) == (0, True, [])
    over, under = Fraction("0.6666666666666666"), Fraction("0.3333333333333333")
    assert Fraction(found["parity"]) == over / under
    assert found["audit"]["largest_miss"] == "1/10000000000000000"
    assert found["level"] == {"epsilon": "log(2)", "delta": "0"}


def test_other_numbers_are_listed(cli: Any, design: Path) -> None:
    nearly = np.nextafter(2 / 3, 1)
    status, found = deployed(cli, design, [[2 / 3, 1 / 3], [1 / 3, nearly]])
    assert (status, found["as_certified"]) == (1, False)
    (other,) = found["others"]
    assert (other["output"], other["input"], other["certified"]) == (1, 1, "2/3")
    assert Fraction(other["deployed"]) == Fraction(repr(float(nearly)))
    assert found["meets"] is False
    status, found = deployed(cli, design, [[0.7, 0.3], [0.3, 0.7]])
    assert (status, len(found["others"]), found["epsilon"]) == (1, 4, "log(7/3)")
    assert found["delta"] == "1/10"
    single = np.array([[2 / 3, 1 / 3], [1 / 3, 2 / 3]], dtype=np.float32)
    assert len(deployed(cli, design, single)[1]["others"]) == 4


def test_text_files_of_fractions_doubles_and_17_digits(cli: Any, design: Path) -> None:
    file = design.parent / "deployed.csv"
    file.write_text("0.66666666666666663,1/3\n0.33333333333333331,2/3\n")
    assert cli("check", str(design), "--mechanism", str(file))[0] == 0
    file.write_text("0.666666666666666631,1/3\n0.333333333333333369,2/3\n")
    status, out, _ = cli("check", str(design), "--mechanism", str(file))
    assert status == 1
    assert "2 of 4" in out


def test_a_design_of_merged_categories_is_compared_column_by_column(cli: Any, tmp_path: Path) -> None:
    """The certificate has the three groups of a difference of two proportions among 25."""
    proof, made = tmp_path / "c.json", tmp_path / "m.json"
    words = [
        "design",
        "kary",
        "--proportions",
        ",".join(["1/25"] * 25),
        "--epsilon",
        "log(3)",
        "--objective",
        f"c-optimal:{','.join(['0', '1', '-1'] + ['0'] * 22)}",
        "--fast",
    ]
    assert cli(*words, "--certificate", str(proof), "--output", str(made))[0] == 0
    status, out, _ = cli("check", str(proof), "--mechanism", str(made))
    assert status == 0
    for part in ("25 columns repeat the 3 certified ones", "group 0: 0, 3, 4", "(23 in all)", "group 1: 1;"):
        assert part in " ".join(out.split())
    exact = Mechanism.from_dict({"matrix": json.loads(made.read_text())["matrix"]})
    matrix = np.array([[float(x) for x in row] for row in exact.matrix])
    status, found = deployed(cli, proof, matrix)
    assert (status, found["others"], found["groups"]) == (0, [], [0, 1, 2] + [0] * 22)
    assert Deployed.from_dict({key: value for key, value in found.items() if key != "decimals"}).groups[2] == 2
    matrix[0, 7] = np.nextafter(matrix[0, 7], 1)
    status, found = deployed(cli, proof, matrix)
    assert (status, [(x["output"], x["input"]) for x in found["others"]]) == (1, [(0, 7)])
    np.save(tmp_path / "two.npy", matrix[:, :2])  # fewer columns than groups
    assert cli("check", str(proof), "--mechanism", str(tmp_path / "two.npy"))[0] == 2
    np.save(tmp_path / "four.npy", matrix[:, [0, 1, 1, 3]])  # no column of the third group
    assert cli("check", str(proof), "--mechanism", str(tmp_path / "four.npy"))[0] == 2


def test_certified_columns_that_are_equal_count_once() -> None:
    half = Fraction(1, 2)
    certified = ((half, half, Fraction(1)), (half, half, Fraction(0)))
    assert audit([[0.5, 1, 0.5, 0.5], [0.5, 0, 0.5, 0.5]]).repeated_columns(certified) == (0, 2, 0, 0)
    assert audit([[0.5, 1, 0.5], [0.5, 0, 0.5]]).repeated_columns(certified) == ()  # as many: not merged
    assert audit([[0.5, 0.5, 0.5, 0.5], [0.5, 0.5, 0.5, 0.5]]).repeated_columns(certified) == ()


def test_what_cannot_be_compared(cli: Any, design: Path, tmp_path: Path) -> None:
    bound = tmp_path / "bound.json"
    assert cli("privacy", "--level", "curve:sqrt(p)", "--certificate", str(bound))[0] == 0
    file = tmp_path / "large.csv"
    file.write_text("1/2,1/2,1/2\n1/2,1/2,1/2\n")
    for arguments in ([str(bound), "--mechanism", "warner:2/3"], [str(design), "--mechanism", str(file)]):
        status, out, err = cli("check", *arguments)
        assert (status, out, err.count("\n")) == (2, "", 1)
    assert cli("check", str(design), str(bound), "--mechanism", "warner:2/3")[0] == 2
    assert cli("check", str(design), "--mechanism", "warner:2/3")[0] == 0
    design.write_text(design.read_text().replace('"lower": "', '"lower": "1'))
    status, out, _ = cli("check", str(design), "--mechanism", "warner:2/3", "--json")
    assert status == 1
    assert "deployed" not in json.loads(out)
