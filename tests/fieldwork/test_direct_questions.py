"""A randomized question beside a direct one: estimate, difference, test, design effect, respondents."""

from __future__ import annotations

import io
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import rropt_fieldwork
from rropt.core.errors import UnsupportedProblemError
from rropt_fieldwork import DirectComparison, compare_with_direct

FORCED = "forced:2/3,1/6,1/6"


def test_a_comparison_by_hand() -> None:
    found = compare_with_direct(FORCED, [1604, 831], 300, 2000)
    share = Fraction(831, 2435)
    prevalence = (share - Fraction(1, 6)) * Fraction(3, 2)
    assert found.randomized == prevalence
    assert found.direct == Fraction(3, 20)
    assert found.difference == prevalence - Fraction(3, 20)
    variance = share * (1 - share) * Fraction(9, 4) / 2435, Fraction(3, 20) * Fraction(17, 20) / 2000
    assert found.difference_standard_error == pytest.approx(float(sum(variance)) ** 0.5)
    low, high = found.difference_interval
    assert high - low == pytest.approx(2 * 1.959963984540054 * found.difference_standard_error)
    effect = share * (1 - share) * Fraction(9, 4) / (prevalence * (1 - prevalence))
    assert found.design_effect == pytest.approx(float(effect))
    assert found.direct_needed == -(-2435 * effect.denominator // effect.numerator)
    assert DirectComparison.from_json(found.to_json()) == found


def test_ends_have_no_test_and_no_design_effect() -> None:
    found = compare_with_direct("generalised:1,1", [10, 0], 0, 10)
    assert (found.p_value, found.design_effect, found.direct_needed) == (None, None, None)
    assert found.as_tables()[0][2][-1] == ("difference", "", "0.000", "0.000", "none")
    with pytest.raises(UnsupportedProblemError, match="two categories: received 3"):
        compare_with_direct("grr:3,1/2", [1, 2, 3], 1, 2)


def test_estimate_shows_both(cli_json, tmp_path: Path) -> None:
    asked = ("estimate", "--yes", "831", "--n", "2435", "--mechanism", FORCED)
    record = cli_json(*asked, "--direct", "300,2000")
    assert record["direct"]["difference"] == str(Fraction(831 * 6 - 2435, 4 * 2435) - Fraction(3, 20))
    data = tmp_path / "both.csv"
    data.write_text("rr,dq\n" + "1,\n" * 40 + "0,\n" * 60 + ",1\n" * 10 + ",0\n" * 90)
    other = cli_json("estimate", str(data), "--column", "rr", "--direct", "dq", "--mechanism", FORCED)
    assert other["direct"]["direct_counts"] == [90, 10]
    assert other["direct"]["counts"] == [60, 40]
    words = "--counts 5,3,4 --mechanism kuk:4/5,1/5,2 --proportions 1/10,9/10 --direct 3,10"
    three = cli_json("estimate", *words.split())
    assert three["direct"]["randomized"] == three["rows"][0]["estimate"] == "2383/6120"


def test_people_who_answered_both_questions_are_noticed(cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (data := tmp_path / "both.csv").write_text("rr,dq\n" + "1,1\n" * 3 + "0,0\n" * 7 + ",1\n" * 5)
    words = ("estimate", str(data), "--column", "rr", "--direct", "dq", "--mechanism", FORCED)
    assert "remark: 10 or more people answered both questions" in cli(*words)[2]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data.read_bytes())))
    assert "received a pipe; save it as a file" in cli(words[0], "-", *words[2:])[2]


def test_plans_and_designs_show_a_direct_question(cli_json) -> None:
    found = cli_json("plan", "margin", "0.05", "--prevalence", "1/4", "--mechanism", FORCED, "--direct")
    assert (found["n"], found["direct"]["n"]) == (797, 307)
    found = cli_json("plan", "margin", "0.1", "--questions", "0,2", "--mechanism", "bits:3/4*3", "--direct")
    assert (found["n"], found["direct"]["n"]) == (2284, 254)  # of the same two of three questions
    designs = rropt_fieldwork.compare_designs("log(9)", prevalence="1/10", direct=True, certify=False)
    plain = rropt_fieldwork.compare_designs("log(9)", prevalence="1/10", certify=False)
    assert designs["direct question"].variance == Fraction(9, 100)
    assert designs["direct question"].kept == ()
    assert "direct question" not in [one.design for one in plain.designs]
