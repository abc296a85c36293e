"""``rropt design binary`` and ``rropt check``: the contract of the JSON output, files, and bad input."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from rropt import check
from rropt.core.certificates import Certificate

EXAMPLE = ("design", "binary", "--epsilon", "log(2)", "--delta", "1/4", "--prevalence", "1/4")


def test_example_1_4(cli_json, tmp_path) -> None:
    file = tmp_path / "design.json"
    data = cli_json(*EXAMPLE, "--certificate", str(file))
    assert data["lower"] == data["upper"] == data["value"] == "15/16"
    assert [optimum["matrix"] for optimum in data["optima"]] == [
        [["3/4", "1/4"], ["1/4", "3/4"]],
        [["1", "3/4"], ["0", "1/4"]],
    ]
    assert data["mechanism"]["matrix"] == data["optima"][0]["matrix"]
    assert data["optimal_set"] is None
    assert data["routes"]["closed-form"] == data["routes"]["exact"] == "15/16"
    assert check(data["certificate"])
    assert json.loads(file.read_text()) == data["certificate"]
    checked = cli_json("check", str(file))
    (verdict,) = checked["files"]
    assert (checked["accepted"], verdict["file"], verdict["verdict"]) == (True, str(file), "accepted")
    assert verdict["sentence"].startswith("The least n Var of the estimated prevalence")


def test_irrational_bracket(cli_json) -> None:
    data = cli_json("design", "binary", "--epsilon", "1/2", "--delta", "exp(-10)", "--prevalence", "0.3")
    lower, upper = Fraction(data["lower"]), Fraction(data["upper"])
    assert 0 < upper - lower < Fraction(1, 10**12)
    assert data["value"] == data["upper"]
    assert set(data["routes"]["exact"]) == {"lower", "upper"}


def test_gamma_and_family_and_routes(cli_json) -> None:
    left = cli_json("design", "binary", "--gamma", "3", "--prevalence", "1/3", "--fast")
    right = cli_json("design", "binary", "--epsilon", "log(3)", "--prevalence", "1/3", "--symmetric")
    assert left["optima"] == right["optima"]
    assert list(left["routes"]) == ["exact"]
    edge = cli_json("design", "binary", "--gamma", "3", "--delta", "1/4", "--prevalence", "0")
    assert edge["optimal_set"] == {"after": ["1", "0"], "through": ["1", "1/4"]}


def test_table_for_people(cli, tmp_path) -> None:
    file = tmp_path / "c.json"
    status, out, err = cli(*EXAMPLE, "--certificate", str(file))
    assert (status, err) == (0, f"certificate written to {file}\n")
    for piece in ("15/16 = 0.9375", "3/4 = 0.75", "accepted"):
        assert piece in out


def test_an_endless_number_is_refused_in_one_line(cli) -> None:
    status, out, err = cli("design", "binary", "--epsilon", "9" * 1_000_000, "--prevalence", "1/4", "--json")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert len(err) < 700


def test_check_says_no_and_unreadable(cli, cli_json, tmp_path) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    cli(*EXAMPLE, "--certificate", str(good))
    bad.write_text(good.read_text().replace('"lower": "15/16"', '"lower": "17/16"'))
    status, out, _ = cli("check", str(good), str(bad))
    assert status == 1
    assert f"{good}: accepted: " in out.splitlines()[0]
    assert "rejected: lower" in out
    status, out, _ = cli("check", str(good), str(bad), "--json")
    data = json.loads(out)
    assert (status, data["accepted"]) == (1, False)
    assert [entry["accepted"] for entry in data["files"]] == [True, False]
    assert data["reason"] == data["files"][1]["reason"]
    for missing in (tmp_path / "none.json", tmp_path):
        status, out, err = cli("check", str(missing))
        assert (status, out, err.count("\n")) == (2, "", 1)
    empty = tmp_path / "empty.json"
    empty.write_text("")
    assert cli("check", str(empty))[0] == 1


def test_certificates_are_written_whole_or_not_at_all(tmp_path, monkeypatch) -> None:
    file = tmp_path / "c.json"
    file.write_text("before")
    certificate = Certificate.state("", {}, {}, {})

    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pathlib.Path.replace", fail)
    with pytest.raises(KeyboardInterrupt):
        certificate.save(file)
    assert file.read_text() == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["c.json"]
    monkeypatch.undo()
    certificate.save(file)
    assert Certificate.load(file).to_dict() == certificate.to_dict()


@pytest.mark.slow
def test_sample_size_and_report(cli, cli_json, tmp_path) -> None:
    data = cli_json(*EXAMPLE, "--n", "1000")
    assert data["standard_error"] == pytest.approx((15 / 16 / 1000) ** 0.5, rel=1e-12)  # one square root in floats
    expected = 1.959963985 * data["standard_error"]  # printed digits of z
    assert data["margins"]["normal"] == pytest.approx(expected, rel=1e-9)
    page = tmp_path / "design.html"
    assert cli(*EXAMPLE, "--report", str(page))[0] == 0
    text = page.read_text()
    assert "15/16" in text
    assert "accepted" in text
    assert text.count("<script") == 1  # the checker of the certificate (tests/kernels)
    asked = (*EXAMPLE[:-1], "0..1/2", "--n", "1000", "--question", "Are you <ill>?", "--report", str(page))
    assert cli(*asked)[0] == 0
    assert "“Are you &lt;ill&gt;?”" in page.read_text()
    assert "0\xa0% to 50\xa0% would truly say yes" in page.read_text()


def test_an_interval_of_prevalences(cli, cli_json, tmp_path) -> None:
    """gamma = 2, delta = 1/2 over 0..3/4: the hedge (9/10, 7/10) has regret 1/4, the best vertex 5/16."""
    arguments = ("design", "binary", "--gamma", "2", "--delta", "1/2", "--prevalence", "0..3/4")
    data = cli_json(*arguments, "--n", "1000")
    assert data["regret"] == "1/4"
    assert data["mechanism"]["matrix"] == [["9/10", "3/10"], ["1/10", "7/10"]]
    assert data["worst_case"] == data["value"] == data["upper"] == "25/36"
    assert data["lower"] == data["minimax"]["lower"] == "9/16"
    assert check(data["certificate"])
    file = tmp_path / "regret.json"
    assert data["standard_error"] == pytest.approx((25 / 36 / 1000) ** 0.5, rel=1e-12)  # one square root in floats
    status, out, _ = cli(*arguments, "--certificate", str(file))
    assert status == 0
    assert "certificate accepted" in out
    assert check(json.loads(file.read_text()))
