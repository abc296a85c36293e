"""`rropt estimate` and `rropt plan`: the contract of the JSON, readable tables, and one clear line for bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

Cli = Callable[..., tuple[int, str, str]]
CliJson = Callable[..., dict]

NIGERIA = ("estimate", "--yes", "831", "--n", "2435", "--mechanism", "forced:2/3,1/6,1/6")
KARY = {"matrix": [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]]}


def test_nigeria(cli_json: CliJson, cli: Cli) -> None:
    data = cli_json(*NIGERIA)
    (row,) = data["rows"]
    assert row["estimate"] == row["most_likely"] == "2551/9740"
    assert row["se"] == float(Fraction(2999079, 14437662875)) ** 0.5
    assert (row["n"], data["counts"]) == (2435, [1604, 831])
    assert list(row["intervals"]) == ["exact", "normal", "wilson", "chebyshev"]
    for low, high in row["intervals"].values():
        assert Fraction(low) < Fraction(2551, 9740) < Fraction(high)
    assert data["confidence"] == "19/20"
    assert "epsilon = log(5)" in data["mechanism"]
    status, out, err = cli(*NIGERIA)
    assert status == 0
    assert err == ""
    for text in ("exactly 2551/9740", "0.262 0.014 0.234 to 0.291", "log(5)", "exact: coverage at least nominal"):
        assert text in " ".join(out.split())
    assert not any(text in out for text in ("normal", "wilson", "no guarantee"))
    assert len(out.splitlines()) == 7
    _, out, _ = cli(*NIGERIA, "--explain")
    for text in ("0.234 to 0.290", "0.200 to 0.328", "95 % chebyshev", "no guarantee"):
        assert text in " ".join(out.split())
    _, out, _ = cli(*NIGERIA, "--exact")
    for text in ("2551/9740", "0.26190965092402464", "0.014412705233458523"):
        assert text in out


def test_counts_are_the_same_answers(cli_json: CliJson) -> None:
    assert cli_json(*NIGERIA) == cli_json("estimate", "--counts", "1604,831", "--mechanism", "forced:2/3,1/6,1/6")


def test_remarks_go_to_standard_error(cli: Cli, cli_json: CliJson) -> None:
    arguments = ("estimate", "--yes", "0", "--n", "500", "--mechanism", "forced:2/3,1/6,1/6")
    status, out, err = cli(*arguments)
    assert status == 0
    assert "outside [0, 1]" in err
    assert "the responses are all equal" in err
    assert "none: no possible prevalence fits these responses" in err
    assert "remark" not in out
    assert len(cli_json(*arguments)["remarks"]) == 3
    arguments = ("estimate", "--counts", "3,2,0", "--mechanism", "grr:3,1/2")
    assert "no possible prevalence" not in cli(*arguments)[2]  # the exact interval is 0 to 1; normal is not shown
    assert "none" in cli(*arguments, "--explain")[1]


def test_single_intervals_of_many_categories_miss_by_chance(cli_json: CliJson) -> None:
    """With 40 categories, 95 % intervals speak of the mechanism only where that of all categories at once is empty."""
    counts = ["780", *["60"] * 36, "40", "40", "24"]
    found = cli_json("estimate", "--counts", ",".join(counts), "--mechanism", "grr:40,1/4")["remarks"]
    doubted = [text.partition(": ")[0] for text in found if "check the mechanism" in text]
    assert doubted == ["interval of 39"]  # 24 of 2 987 where a prevalence of 0 has 57 expected
    (told,) = (text for text in found if "as chance may have it" in text)
    assert "the single interval of 37; 38 contains" in told


def test_three_categories(cli_json: CliJson, cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "kary.json"
    file.write_text(json.dumps(KARY))
    arguments = ("estimate", "--counts", "100,200,33", "--mechanism", str(file))
    data = cli_json(*arguments)
    values = [Fraction(67, 333), Fraction(467, 333), Fraction(-67, 111)]
    assert [Fraction(row["estimate"]) for row in data["rows"]] == values
    assert [row["most_likely"] for row in data["rows"]] == ["0", "1", "0"]
    assert len(data["rows"]) == len(data["covariance"]) == 3
    assert [set(row["intervals"]) for row in data["rows"]] == [{"normal", "wilson", "chebyshev", "exact"}] * 3
    contrast = cli_json(*arguments, "--contrast", "1,2,4")
    assert set(contrast["rows"][0]["intervals"]) == {"normal"}
    assert Fraction(contrast["rows"][0]["estimate"]) == values[0] + 2 * values[1] + 4 * values[2]
    status, out, _ = cli(*arguments, "--contrast", "1,2,4")
    assert status == 0
    assert "contrast 1,2,4" in out


def test_more_answers_than_categories(cli_json: CliJson) -> None:
    arguments = ("estimate", "--counts", "10,20,30", "--mechanism", "kuk:3/4,1/4,2")
    data = cli_json(*arguments)
    assert data["rows"][0]["estimate"] == "5/6"
    assert "efficient" in data["rows"][0]["intervals"]
    other = cli_json(*arguments, "--proportions", "9/10,1/10")
    assert other["rows"][0]["estimate"] != data["rows"][0]["estimate"]
    assert other["rows"][0]["most_likely"] == data["rows"][0]["most_likely"]


def test_infinite_epsilon(cli_json: CliJson) -> None:
    data = cli_json("estimate", "--yes", "157", "--n", "720", "--mechanism", "warner:1")  # ETHBE, direct question
    assert data["rows"][0]["estimate"] == "157/720"
    assert "epsilon = inf" in data["mechanism"]


def test_a_mechanism_that_nearly_reveals_nothing(cli: Cli) -> None:
    tiny = f"generalised:1/2,{Fraction(1, 2) + Fraction(1, 10**320)}"
    status, out, err = cli("estimate", "--yes", "1", "--n", "2", "--mechanism", tiny)
    assert (status, out, err.count("\n")) == (2, "", 1)


def test_plan_margin(cli_json: CliJson, cli: Cli) -> None:
    arguments = ("plan", "margin", "0.05", "--mechanism", "forced:2/3,1/6,1/6", "--prevalence", "1/4")
    numbers = {
        kind: cli_json(*arguments, "--interval", kind)["n"] for kind in ("normal", "wilson", "chebyshev", "exact")
    }
    assert numbers == {"normal": 769, "wilson": 765, "chebyshev": 3983, "exact": 797}
    data = cli_json(*arguments)
    assert (data["n"], data["goal"], data["asked"], data["least"]) == (797, "margin", "1/20", True)
    assert (data["interval"], data["confidence"], data["prevalence"]) == ("exact", "19/20", "1/4")
    status, out, _ = cli(*arguments)
    assert status == 0
    assert "797" in out
    assert "smallest number from which on" in out


def test_plan_power_and_what_a_number_achieves(cli_json: CliJson) -> None:
    test = ("--prevalence", "0.2", "--null", "0", "--significance", "0.01", "--test", "normal")
    die = ("--mechanism", "forced:2/3,1/6,1/6")
    achieved = cli_json("plan", "power", *die, "--n", "200", *test)
    assert f"{achieved['power']:.7f}" == "0.9868872"
    assert set(achieved["margins"]) == {"normal", "wilson", "chebyshev", "exact"}
    assert achieved["n"] == 200
    planned = cli_json("plan", "power", "0.986887", *die, *test)
    assert (planned["n"], planned["test"], planned["null"]) == (200, "normal", "0")
    assert cli_json("plan", "margin", *die, "--n", "200")["power"] is None


def test_plan_variance(cli_json: CliJson) -> None:
    die = ("plan", "se", "--mechanism", "forced:2/3,1/6,1/6")
    by_error, by_variance = cli_json(*die, "0.01"), cli_json(*die, "sqrt(1/10000)")
    assert by_error["n"] == by_variance["n"] == 5625
    assert by_error["achieved"] == pytest.approx(0.01)


def test_plan_at_a_level_takes_the_certified_design(cli_json: CliJson, cli: Cli) -> None:
    arguments = ("plan", "margin", "0.03", "--gamma", "3", "--prevalence", "1/10", "--interval", "chebyshev")
    data = cli_json(*arguments)
    assert data["design"]["certificate"] == "accepted"
    assert data["design"]["lower"] == data["design"]["upper"] == "21/25"
    named = cli_json(*arguments[:3], "--mechanism", "warner:3/4", *arguments[5:])
    assert data["n"] == named["n"] == 18651
    status, out, _ = cli(*arguments[:3], "--epsilon", "1", "--delta", "1/100", *arguments[5:])
    assert status == 0
    assert "certificate accepted" in out
