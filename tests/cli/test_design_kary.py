"""``rropt design kary``: the contract of the JSON output, files, infeasible bounds, and bad input."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from rropt import check
from rropt.mechanisms import Mechanism
from rropt.privacy.region import PrivacyRegion

TRACE = ("design", "kary", "-k", "4", "--objective", "trace")


def test_the_trace(cli, cli_json, tmp_path) -> None:
    file = tmp_path / "design.json"
    data = cli_json(*TRACE, "--gamma", "3", "--certificate", str(file))
    assert data["value"] == data["lower"] == data["upper"] == "2"
    assert data["mechanism"]["matrix"][0] == ["1/2", "1/6", "1/6", "1/6"]
    assert data["optima"] == [data["mechanism"]]
    assert data["optimal_set"] is None
    assert data["routes"]["closed-form"] == data["routes"]["exact"] == "2"
    assert set(data["routes"]) == {"closed-form", "exact"}
    assert data["twins"]["cvxpy"]["posed"]
    assert data["twins"]["cvxpy"]["agrees"].startswith("within")
    assert check(data["certificate"])
    assert json.loads(file.read_text()) == data["certificate"]
    assert cli("check", str(file))[0] == 0


def test_people_read_the_objective_by_its_name(cli, tmp_path) -> None:
    status, out, err = cli(*TRACE, "--epsilon", "1", "--report", str(tmp_path / "r.html"))
    assert status == 0
    assert "trace" in out
    assert "n Var" not in out
    assert "certificate accepted" in out
    assert "report written" in err
    assert "trace" in (tmp_path / "r.html").read_text()
    status, out, _ = cli("design", "kary", "--proportions", "1/2,1/2", "--gamma", "2", "--objective", "loss:zero-one")
    assert status == 0
    assert "expected loss" in out
    assert "1/3 ~ 0.333333333 (exact)" in out


def test_irrational_bracket_is_private(cli_json) -> None:
    data = cli_json(*TRACE[:-1], "trace:3,2,1,1/2", "--epsilon", "1", "--delta", "exp(-5)")
    lower, upper = Fraction(data["lower"]), Fraction(data["upper"])
    assert 0 < upper - lower < Fraction(1, 10**12)
    assert data["value"] == data["lower"]
    region = PrivacyRegion("1", "exp(-5)", inputs=4, outputs=4)
    assert region.contains(Mechanism(data["mechanism"]["matrix"]))


def test_levels_by_pair(cli_json, tmp_path) -> None:
    common = ("design", "kary", "-k", "3", "--objective", "loss:absolute")
    near = cli_json(*common, "--level", "line:log(2)")
    table = tmp_path / "levels.csv"
    table.write_text("-,log(2),log(4)\nlog(2),-,log(2)\nlog(4),log(2),-\n")
    assert cli_json(*common, "--level", str(table))["value"] == near["value"]
    everywhere = cli_json(*common, "--gamma", "2")
    assert Fraction(near["value"]) < Fraction(everywhere["value"])
    loss = tmp_path / "loss.json"
    loss.write_text('{"matrix": [[0, 1, 2], [1, 0, 1], [2, 1, 0]]}')
    named = cli_json(*common[:-1], f"loss:{loss}", "--gamma", "2")
    assert named["value"] == everywhere["value"]
    loss.write_text("0,1,2\n2,1,0\n")
    assert len(cli_json(*common[:-1], f"loss:{loss}", "--gamma", "2")["mechanism"]["matrix"]) == 2


@pytest.mark.slow
def test_bounds_and_their_infeasibility(cli, cli_json, tmp_path) -> None:
    """Exit status 1, the reason with the level that is needed, and a certificate that the checker accepts."""
    bounds, file = tmp_path / "bounds.json", tmp_path / "no.json"
    bounds.write_text('{"diagonal": "9/10"}')
    arguments = ("design", "kary", "-k", "3", "--objective", "trace", "--bounds", str(bounds))
    status, out, _ = cli(*arguments, "--epsilon", "1", "--certificate", str(file))
    assert status == 1
    assert "minimum diagonal 9/10 for category 2" in out
    assert "epsilon of about log(18) = 2.89037176: that is enough, 1e-9 less is not" in out
    assert cli("check", str(file))[0] == 0
    status, out, _ = cli(*arguments, "--epsilon", "1", "--json")
    data = json.loads(out)
    assert (status, data["infeasible"]) == (1, True)
    assert check(data["certificate"])
    assert "log(18)" in data["reason"]
    assert cli_json(*arguments, "--gamma", "18")["value"] == "27/10"
    bounds.write_text("output,input,least,most\n2,2,1/2,\n0,1,,1/5\n")
    data = cli_json(*arguments, "--gamma", "3")
    matrix = [[Fraction(x) for x in row] for row in data["mechanism"]["matrix"]]
    assert matrix[2][2] >= Fraction(1, 2)
    assert matrix[0][1] <= Fraction(1, 5)
    bounds.write_text('{"forbidden": [[0, 2]]}')
    status, out, err = cli(*arguments, "--gamma", "3")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "breaks privacy" in err
    assert cli_json(*arguments, "--gamma", "3", "--delta", "1/10")["mechanism"]["matrix"][0][2] == "0"


def test_a_criterion_is_a_level(cli, cli_json) -> None:
    data = cli_json(*TRACE, "--level", "posterior:1/5,1/2")
    assert data["value"] == "16/7"
    assert data["criterion"]["gamma"] == "4"
    assert "B(h)" in cli(*TRACE, "--level", "posterior:1/5,1/2")[1]
    binary = cli_json("design", "binary", "--level", "posterior:1/5,1/2", "--prevalence", "1/4")
    assert binary["criterion"]["gamma"] == "4"


@pytest.mark.parametrize(
    ("level", "diagonal", "words"),
    [
        ("0", '{"diagonal":["9/10","9/10",null]}', "at level 0"),
        ("1/2*log(3)", '{"diagonal":["3/4","3/4","3/4"]}', "times as high"),
        ("60", '{"diagonal":["1","1","1"]}', "relax a bound"),
    ],
)
def test_infeasible_levels_of_pairs_keep_their_certificate(cli, tmp_path, level, diagonal, words) -> None:
    """Whatever the levels are, the answer is infeasible with a proof, never a complaint about a number nobody wrote."""
    bounds = tmp_path / "bounds.json"
    bounds.write_text(diagonal)
    status, out, err = cli(
        "design", "kary", "-k", "3", "--level", f"line:{level}", "--objective", "trace", "--bounds",
        str(bounds), "--json",
    )  # fmt: skip
    assert status == 1, err
    data = json.loads(out)
    assert data["infeasible"] is True
    assert words in data["reason"]
    assert check(data["certificate"]).accepted


def test_a_trace_has_no_population(cli, cli_json) -> None:
    """The sum of p_ii knows no population: the two things that may have been meant are named."""
    arguments = ("design", "kary", "--objective", "trace", "--gamma", "3")
    status, _, err = cli(*arguments, "--proportions", "1/2,1/3,1/6")
    assert status == 2
    assert "trace:1/2,1/4,1/4" in err
    true = ("--objective", "trace:1/2,1/3,1/6", "--gamma", "3", "-k", "3")  # the chance of a true answer
    weighted = cli_json("design", "kary", *true)
    wrong = ("--proportions", "1/2,1/3,1/6", "--gamma", "3", "--objective", "loss:zero-one")
    assert Fraction(weighted["value"]) + Fraction(cli_json("design", "kary", *wrong)["value"]) == 1


@pytest.mark.parametrize("level", [("--epsilon", "1"), ("--gamma", "2"), ("--epsilon", "1/10", "--delta", "1/100")])
@pytest.mark.parametrize("loss", ["zero-one", "absolute", "squared"])
def test_an_answer_that_needs_no_truth_costs_exactly_nothing(cli_json, level, loss) -> None:
    data = cli_json("design", "kary", "--proportions", "1,0,0", *level, "--objective", f"loss:{loss}")
    assert (data["value"], data["lower"], data["upper"]) == ("0", "0", "0")


def test_a_bare_array_is_a_matrix_and_no_csv(cli, tmp_path) -> None:
    """Of levels and losses, whose entries may be missing or not; bounds have names."""
    file = tmp_path / "rows.json"
    design = ["design", "kary", "-k", "2"]
    file.write_text('[[null, "1"], ["2", null]]')
    status, out, _ = cli(*design, "--objective", "loss:zero-one", "--level", str(file))
    assert (status, "(1, 0)" in out) == (0, True)
    file.write_text('[[null, "1"], ["1", null]]')  # equal levels of all pairs are one level
    found = cli(*design, "--objective", "loss:zero-one", "--level", str(file))
    assert found == cli(*design, "--objective", "loss:zero-one", "--epsilon", "1")
    for words, allowed in (
        (["--objective", "loss:zero-one", "--epsilon", "1", "--bounds", str(file)], "diagonal"),
        (["--epsilon", "1", "--objective", f"loss:{file}"], "loss of entry (0, 0) is not a number: received None"),
    ):
        status, _, err = cli(*design, *words)
        assert status == 2
        assert allowed in err
        assert "CSV" not in err


@pytest.mark.slow
def test_the_file_of_a_gaussian_design_states_the_region_of_the_mechanism(cli, tmp_path) -> None:
    from rropt import Problem

    made, proof = tmp_path / "m.json", tmp_path / "c.json"
    words = ("design", "kary", "--proportions", "1/2,1/2", "--level", "gdp:1", "--objective")
    assert cli(*words, "total-variation:1/4,3/4", "--output", str(made), "--certificate", str(proof))[0] == 0
    written = json.loads(made.read_text())
    problem = Problem.from_dict(written["problem"])
    assert problem.region.kind == "gaussian-privacy"
    assert problem.region.contains(Mechanism(written["matrix"]))
    assert len(json.loads(proof.read_text())["problem"]["levels"]) > 1  # the polygon around the region
