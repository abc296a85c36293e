"""Optima under a criterion whose B(h) is irrational or enclosed: lower <= optimum <= upper for the problem asked."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from few_rows import few_rows

from rropt.checker import check_file, check_text
from rropt.cli import arguments
from rropt.core.exact.display import bracket_text, decimal_outwards
from rropt.mechanisms import Mechanism

ALGEBRAIC = "min(1, 2*p + 1/10)"  # B = (211 + 20 sqrt(22))/81
ENCLOSED = "2*p/(1+p)"  # B = 2, in the fixture ``enclosed`` only known to lie in [39999/20000, 2]
CAPTION = "optimum under the criterion"


@pytest.fixture(autouse=True)
def fresh_levels() -> None:
    arguments._level.cache_clear()


@pytest.fixture
def enclosed(monkeypatch: pytest.MonkeyPatch) -> None:
    enclosed_by(monkeypatch, Fraction(39999, 20000), Fraction(2))


def exact_bound() -> Fraction:
    """B to 60 digits: nearer to it than any end of a bracket here."""
    with localcontext(prec=60):
        return Fraction((211 + 20 * Decimal(22).sqrt()) / 81)


def ends(data: dict) -> tuple[Fraction, Fraction]:
    return Fraction(data["lower"]), Fraction(data["upper"])


def test_the_variance_at_an_algebraic_bound(cli_json) -> None:
    """Oracle: Warner's design at gamma has n Var = pi (1 - pi) + gamma/(gamma - 1)^2, and is the best at 1/4."""
    data = cli_json("design", "binary", "--level", f"curve:{ALGEBRAIC}", "--prevalence", "1/4")
    b = exact_bound()
    truth = Fraction(3, 16) + b / (b - 1) ** 2
    lower, upper = ends(data)
    assert lower < truth < upper < lower + Fraction(1, 10**29)
    assert data["value"] == data["upper"]
    criterion = data["criterion"]
    assert criterion["rounded"] is True
    assert Fraction(criterion["gamma"]) < b < Fraction(criterion["gamma_above"])
    bound = criterion["bound_certificate"]
    assert check_text(json.dumps(bound))
    assert Fraction(bound["claim"]["lower"]) == lower
    assert Fraction(data["certificate"]["claim"]["upper"]) == upper


@pytest.mark.usefixtures("enclosed")
@pytest.mark.parametrize(("objective", "best"), [(["trace"], Fraction(3, 2)), (["loss:zero-one"], None)])
def test_k_categories_at_an_enclosed_bound(cli_json, objective: list[str], best: Fraction | None) -> None:
    """Oracle: at B = 2 the trace is 3 gamma/(gamma + 2) = 3/2, and the zero-one loss 1 - 1/2."""
    data = cli_json("design", "kary", "-k", "3", "--level", f"curve:{ENCLOSED}", "--objective", *objective)
    lower, upper = ends(data)
    truth = best or Fraction(1, 2)
    assert lower <= truth <= upper
    assert 0 < upper - lower < Fraction(1, 1000)
    assert data["value"] == data["lower" if best else "upper"]
    assert Mechanism(data["mechanism"]["matrix"]).parity() <= 2
    assert check_text(json.dumps(data["criterion"]["bound_certificate"]))


def test_rational_bounds_are_not_rounded(cli_json) -> None:
    data = cli_json("design", "binary", "--level", "posterior:1/5,1/2", "--prevalence", "1/4")
    criterion = data["criterion"]
    assert (criterion["rounded"], criterion["gamma"], criterion["gamma_above"]) == (False, "4", "4")
    assert criterion["bound_certificate"] is None
    assert data["lower"] == data["upper"]


@pytest.mark.usefixtures("enclosed")
@few_rows(1)
@pytest.mark.parametrize(
    "arguments",
    [
        ["binary", "--prevalence", "1/4"],
        ["kary", "-k", "3", "--objective", "trace"],
    ],
)
def test_people_are_not_told_that_it_is_exact(cli, tmp_path, arguments: list[str]) -> None:
    file, page = tmp_path / "d.json", tmp_path / "d.html"
    status, out, err = cli(
        "design", *arguments, "--level", f"curve:{ENCLOSED}", "--certificate", str(file), "--report", str(page)
    )
    assert status == 0
    assert CAPTION in out
    assert "at least" in out
    assert "at most" in out
    assert "(exact)" not in out
    assert "(exact)" not in re.sub(r"<script.*?</script>", "", page.read_text(), flags=re.DOTALL)  # the checker's code
    assert check_file(file)
    assert check_file(tmp_path / "d-bound.json")
    assert "d-bound.json" in err
    status, out, err = cli("design", *arguments, "--gamma", "2", "--certificate", str(tmp_path / "e.json"))
    assert "(exact)" in out
    assert CAPTION not in out
    assert not (tmp_path / "e-bound.json").exists()


@pytest.mark.slow
@pytest.mark.usefixtures("enclosed")
def test_an_interval_of_prevalences(cli, cli_json, tmp_path) -> None:
    """Oracle: the diagonal at B = 2 has its worst case at 1/4: 3/16 + 2."""
    file = tmp_path / "d.json"
    arguments = [
        "design",
        "binary",
        "--prevalence",
        "1/10..1/4",
        "--level",
        f"curve:{ENCLOSED}",
        "--certificate",
        str(file),
    ]
    data = cli_json(*arguments)
    lower, upper = ends(data)
    assert lower <= Fraction(35, 16) < upper < Fraction(35, 16) + Fraction(1, 1000)
    assert check_text(json.dumps(data["criterion"]["bound_certificate"]))
    assert check_file(tmp_path / "d-bound.json")
    assert re.search("minimax value under the criterion +. at most", cli(*arguments)[1])
    assert re.search("under the criterion +. at most", cli(*arguments[:-2])[1])


@pytest.mark.usefixtures("enclosed")
def test_a_repair(cli, cli_json) -> None:
    """Oracle: of warner:9/10 the nearest at gamma = 2 is warner:2/3, at the distance 9/10 - 2/3."""
    data = cli_json("repair", "warner:9/10", "--level", f"curve:{ENCLOSED}")
    assert Fraction(data["lower"]) <= Fraction(7, 30) < Fraction(data["loss"])
    assert check_text(json.dumps(data["criterion"]["bound_certificate"]))
    assert "the least possible" not in cli("repair", "warner:9/10", "--level", f"curve:{ENCLOSED}")[1]
    assert "the least possible" in cli("repair", "warner:9/10", "--gamma", "2")[1]


@pytest.mark.slow
@pytest.mark.usefixtures("enclosed")
def test_bounds_near_b(cli, tmp_path) -> None:
    """Out of reach above B(h): infeasible, proved there; within reach above it only: not decided."""
    bounds = tmp_path / "bounds.json"
    common = ["design", "kary", "-k", "3", "--objective", "trace", "--bounds", str(bounds), "--json"]
    bounds.write_text('{"diagonal": "1/2"}')  # needs gamma = 2, the upper end of the enclosure
    status, out, err = cli(*common, "--level", f"curve:{ENCLOSED}")
    assert (status, out) == (2, "")
    assert "not decided" in err
    bounds.write_text('{"diagonal": "51/100"}')
    status, out, _ = cli(*common, "--level", f"curve:{ENCLOSED}")
    data = json.loads(out)
    assert (status, data["infeasible"]) == (1, True)
    level = data["certificate"]["problem"]["levels"]
    assert "2" in json.dumps(level)
    assert check_text(json.dumps(data["certificate"]))


@pytest.mark.parametrize(
    "arguments",
    [
        ["design", "kary", "-k", "3", "--objective", "trace"],
        ["design", "binary", "--prevalence", "1/4"],
        ["repair", "warner:3/4"],
        ["plan", "se", "--prevalence", "1/10", "sqrt(1/1000)"],
    ],
)
def test_an_enclosure_from_one_is_refused(cli, monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    enclosed_by(monkeypatch, Fraction(1), Fraction(2))
    status, out, err = cli(*arguments, "--level", "curve:(1+p)/2", "--json")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "B(h) could only be enclosed, from 1 to 2" in err
    assert "give --gamma" in err


def test_without_an_upper_end_one_side_is_null(cli, cli_json, monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    enclosed_by(monkeypatch, Fraction(3, 2), None)
    least = ["design", "binary", "--prevalence", "1/4", "--level", "curve:(1+p)/2"]
    data = cli_json(*least)
    assert (data["lower"], data["upper"], data["criterion"]["gamma_above"]) == (None, data["value"], None)
    assert "no lower bound is known" in cli(*least)[1]
    assert cli(*least, "--report", str(tmp_path / "d.html"))[0] == 2
    assert cli_json(*least[:2], "--prevalence", "1/4..1/3", *least[4:])["lower"] is None
    most = ["design", "kary", "-k", "3", "--objective", "trace", "--level", "curve:(1+p)/2"]
    data = cli_json(*most)
    assert (data["upper"], data["lower"]) == (None, data["value"])
    assert data["criterion"]["bound_certificate"] is None


def enclosed_by(monkeypatch: pytest.MonkeyPatch, lower: Fraction, upper: Fraction | None) -> None:
    """Let every B(h) be enclosed so, as a function that ball arithmetic cannot do better with."""
    from rropt.privacy import bound as parity_bounds
    from rropt.privacy import criterion_region

    def level(criterion: object) -> criterion_region.CriterionLevel:
        known = parity_bounds.parity_bound(criterion, fast=True)
        return criterion_region.criterion_level(criterion, replace(known, kind="enclosed", lower=lower, upper=upper))

    monkeypatch.setattr(arguments, "_level", level)


def test_decimals_are_rounded_outwards() -> None:
    third = Fraction(1, 3)
    assert decimal_outwards(third, up=False, digits=3) == "0.333"
    assert decimal_outwards(third, up=True, digits=3) == "0.334"
    assert decimal_outwards(Fraction(3) + Fraction(1, 10**30), up=True) == "3.00000000000001"
    assert decimal_outwards(Fraction(2), up=True) == "2"
    text = bracket_text(third, third + Fraction(1, 10**40), minimising=True)
    assert text == "at most 0.333333333333334, at least 0.333333333333333 (gap at most 1e-40)"
