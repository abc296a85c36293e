"""Privacy levels through B(h): every command that takes a level takes a criterion as ``--level``."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from few_rows import few_rows

# commands that take a level, and one that goes with any level
COMMANDS = {
    "design": ["design", "binary", "--prevalence", "1/10"],
    "plan": ["plan", "se", "--prevalence", "1/10", "sqrt(1/1000)"],
    "region": ["plot", "region"],
    "variance": ["plot", "variance", "--prevalence", "1/4"],
    "admissible": ["compare", "--admissible", "warner:1/2"],
    "privacy": ["privacy", "warner:1/2"],
}
REPORTING = list(COMMANDS)
WITH_DELTA = ["design", "plan", "region", "variance"]

# asked, B(h) as text, its epsilon
RATIONAL = [
    ("posterior:1/5,1/2", "4", "1/5-to-1/2 privacy"),
    ("posterior:0.1,0.9", "81", "1/10-to-9/10 privacy"),
    ("factor:1.5", "3/2", "3/2-factor privacy"),
    ("curve:min(1, p + 1/10)", "121/81", "posterior <= min(1, p + 1/10)"),
    ("curve:1;p^2", "2", "p^2 <= posterior <= 1"),
]


def of_level(data: dict) -> dict:
    """What a command says without the criterion, and without what only the form of the input changes."""
    return {
        key: value
        for key, value in data.items()
        if key not in ("criterion", "meets", "breach", "question", "beside", "twins")
    }


@few_rows(2)
@pytest.mark.parametrize(("asked", "value", "text"), RATIONAL)
@few_rows(1)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_rational_bound_is_the_level(cli, command: str, asked: str, value: str, text: str) -> None:
    status, out, err = cli(*COMMANDS[command], "--level", asked, "--json")
    plain_status, plain, _ = cli(*COMMANDS[command], "--gamma", value, "--json")
    data = json.loads(out)
    assert (status, err) == (plain_status, "")
    assert of_level(data) == of_level(json.loads(plain))
    if command in REPORTING:
        criterion = data["criterion"]
        assert (criterion["asked"], criterion["kind"], criterion["parity_bound"]) == (text, "exact", value)
        assert criterion["gamma"] == value


def gamma_of(cli, command: str, asked: str) -> tuple[dict, str]:
    status, out, err = cli(*COMMANDS[command], "--level", asked, "--json")
    assert status == (1 if command == "admissible" else 0)
    return json.loads(out)["criterion"], err


@few_rows(1)
@pytest.mark.parametrize("command", REPORTING)
def test_an_algebraic_bound_is_rounded_towards_privacy(cli, command: str) -> None:
    criterion, err = gamma_of(cli, command, "curve:piecewise(1/2, p^2 < 1/5, 1)")  # B = sqrt(5) - 1
    gamma = Fraction(criterion["gamma"])
    assert criterion["parity_bound"] == "-1 + sqrt(5)"
    assert (gamma + 1) ** 2 < 5 < (gamma * (1 + Fraction(1, 10**30)) + 1) ** 2
    if command != "privacy":
        above = Fraction(criterion["gamma_above"])
        assert criterion["rounded"] is True
        assert (above + 1) ** 2 > 5
        assert above - gamma < Fraction(1, 10**29)
    assert err.count("\n") == 1
    assert "rounded towards privacy" in err


@few_rows(1)
@pytest.mark.parametrize("command", REPORTING)
def test_an_enclosed_bound_is_its_lower_end(cli, command: str) -> None:
    criterion, err = gamma_of(cli, command, "curve:min(1, sqrt(p) + 1/10)")
    ends = criterion["parity_bound"]
    assert criterion["kind"] == "enclosed"
    assert ends["lower"] == criterion["gamma"]
    assert 0 < Fraction(ends["upper"]) - Fraction(ends["lower"]) < Fraction(1, 10**12)
    assert err.count("\n") == 1
    assert "enclosed, not exact" in err


@pytest.mark.slow
def test_a_bound_near_one_keeps_its_distance_from_one(cli) -> None:
    """gamma - 1 carries the information of the answers: 30 digits of it, not only of gamma."""
    text = "p + p*(1-p)*(1/10^40)*(1 + (p - 1/3)^2)"
    criterion, _ = gamma_of(cli, "privacy", f"curve:{text}")
    gamma, scale = Fraction(criterion["gamma"]), Fraction(1, 10**40)
    assert 1 < gamma < 1 + 2 * scale
    near, _ = gamma_of(cli, "privacy", "curve:" + text.replace("1/10^40", "1/10^20"))
    assert abs((Fraction(near["gamma"]) - 1) * 10**20 - (gamma - 1) / scale) < Fraction(1, 10**15)


def test_people_are_told_too(cli) -> None:
    for command in ("plan", "admissible", "privacy"):
        _, out, err = cli(*COMMANDS[command], "--level", "posterior:1/5,1/2")
        assert "1/5-to-1/2 privacy" in out
        assert "B(h)" in out
        assert err == ""


@pytest.mark.parametrize("command", COMMANDS)
def test_a_criterion_without_limits_is_no_level(cli, command: str) -> None:
    status, out, err = cli(*COMMANDS[command], "--level", "curve:1", "--json")
    if command == "privacy":  # every mechanism meets it
        assert (status, json.loads(out)["meets"], json.loads(out)["criterion"]["gamma"]) == (0, True, "inf")
    else:
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert "allows every mechanism" in err


@pytest.mark.parametrize("command", COMMANDS)
def test_a_bound_of_one_leaves_nothing(cli, command: str) -> None:
    status, out, err = cli(*COMMANDS[command], "--level", "curve:p", "--json")
    if command in ("region", "privacy"):
        assert status == 0
        assert json.loads(out)["criterion"]["gamma"] == "1"
    else:
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert "leaves nothing to estimate" in err or "independent of the truth" in err


@pytest.mark.parametrize("command", WITH_DELTA)
def test_delta_beside_a_criterion_is_refused_with_the_reason(cli, command: str) -> None:
    status, out, err = cli(*COMMANDS[command], "--level", "posterior:1/5,1/2", "--delta", "1/10", "--json")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "a criterion has delta = 0" in err
    assert cli(*COMMANDS[command], "--level", "posterior:1/5,1/2", "--delta", "0", "--json")[0] == 0


@pytest.mark.slow
def test_privacy_judges_like_bound(cli) -> None:
    for mechanism, asked, status in (
        ("warner:5/6", "posterior:1/5,1/2", 1),
        ("warner:4/5", "posterior:1/5,1/2", 0),
        ("generalised:1,1/4", "curve:1;p^2", 1),
        ("warner:5/6", "curve:min(1, sqrt(p) + 1/10)", 1),
    ):
        one, other = (
            cli("privacy", mechanism, "--level", asked, "--json"),
            cli("privacy", mechanism, "--level", asked, "--json"),
        )
        assert one[0] == other[0] == status
        privacy, bound = json.loads(one[1]), json.loads(other[1])
        assert (privacy["meets"], privacy["breach"]) == (bound["meets"], bound["breach"])
        assert (privacy["breach"] is None) == (status == 0)
    _, out, _ = cli("privacy", "warner:5/6", "--level", "posterior:1/5,1/2")
    assert "10/19" in out


@pytest.mark.parametrize(
    "command", [["design", "binary"], ["plan", "margin"], ["plot", "region"], ["compare"], ["privacy"]]
)
def test_help_names_the_criteria(cli, command: list[str]) -> None:
    status, out, _ = cli(*command, "--help", "epsilon", "gamma", "level")
    assert status == 0
    assert all(text in out for text in ("--epsilon", "--gamma", "--level", "posterior:R1,R2", "curve:UPPER"))


@pytest.mark.parametrize(
    "command",
    [
        *(["design", kind] for kind in ("binary", "questions", "kary", "mean", "noncompliance", "pram")),
        *(["plan", kind] for kind in ("margin", "power", "se", "deck", "minimax")),
        *(["plot", kind] for kind in ("region", "variance", "breaches")),
        *([one] for one in ("laplace", "cost", "device", "privacy", "compare")),
    ],
    ids=" ".join,
)
def test_earlier_options_of_levels_name_the_new_one(cli, command: list[str]) -> None:
    earlier = {"--rho": "posterior:R1,R2", "--beta": "factor:B", "--upper": "curve:UPPER", "--levels": "FILE"}
    earlier["--lower"] = '"curve:UPPER;LOWER"'  # a shell splits at the semicolon
    if command != ["privacy"]:  # which prints the smallest E
        earlier["--distance"] = "line:E, or grid:RxC:E"
    else:
        earlier["--distance"] = "line, grid:RxC or distances:FILE"
    for old, new in earlier.items():
        status, out, err = cli(*command, old, "1/5")
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert f"`{old}` is now `--level {new}`" in err
    if command == ["design", "kary"]:
        assert "`--output-bits` is now `--outputs 2^B`" in cli(*command, "--output-bits", "9")[2]
