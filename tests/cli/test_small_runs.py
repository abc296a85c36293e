"""One short run for each branch of a command: its exit status, and what depends on the branch."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from math import exp, log
from pathlib import Path

import pytest

Cli = Callable[..., tuple[int, str, str]]
WARNER = ("--mechanism", "warner:3/4")


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write tables of 120 rows: everybody answers both questions; 60 people answer each; 70 people answer each."""
    monkeypatch.chdir(tmp_path)
    for name, shared in (("both", 120), ("apart", 0), ("some", 20)):
        rows = ["r,d,g"]
        for i in range(120):
            first = i < 60 + shared // 2
            second = i >= 60 - shared // 2
            rows.append(f"{int(i % 3 == 0) if first else ''},{int(i % 4 == 0) if second else ''},{'ab'[i % 2]}")
        Path(f"{name}.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")


# refusals, one for each


@pytest.mark.usefixtures("tables")
def test_what_does_not_belong_together(cli: Cli) -> None:
    every = ("design", "binary", "--epsilon", "1/2..1", "--prevalence")
    plan = ("plan", "margin", "0.05", *WARNER)
    groups = ("plan", "groups", "0.1,0.5", *WARNER)
    regress = ("regress", "both.csv", "--formula", "r ~ g", *WARNER)
    for words, why in (
        ((*every, "0..1/4"), "an interval of prevalences does not belong to every level at once: received '0..1/4'"),
        ((*every, "1/4", "--n", "30"), "--n does not belong to every level at once"),
        ((*every, "1/4", "--lower", "x"), '`--lower` is now `--level "curve:UPPER;LOWER"`'),
        ((*groups, "--population", "1,000"), "write 1000 for one count, or '1, 000' for two groups"),
        ((*groups, "--population", "12,000"), "write 12000 for one count, or '12, 000' for two groups"),
        ((*groups, "--population", "1"), "--population is not a count: received '1'; allowed is an integer from 2"),
        ((*groups, "--population", "5,6,7"), "neither one count nor two: received '5,6,7'"),
        ((*plan, "--population", "1000"), "`--population` is now `rropt plan finite N`"),
        (
            ("plan", "finite", "half", "--prevalence", "1/4", *WARNER),
            "N is neither a count nor census: received 'half'",
        ),
        (
            ("plan", "margin", "0.05"),
            "a plan needs a mechanism or a privacy level: received none; give --mechanism M, --epsilon E",
        ),
        (("plan", "margin", "0.05", "--question", "sick"), "no survey declares 'sick': there is no survey.toml"),
        ((*plan, "--device", "x"), "--device names a device of a declared question"),
        ((*regress, "--standard-errors", "design:observed"), "only the errors of a complex survey have a choice"),
        ((*regress, "--model", "linear", "--starts", "3"), "a linear model has no search: received --starts"),
        ((*regress, "--method", "corrected", "--seed", "3"), "the corrected loss has no search: received --seed"),
        (("regress", "--formula", "r ~ g", *WARNER), "a regression has no data: give DATA, or declare a survey"),
        (("survey", "init"), "survey init has no data"),
        (("survey", "init", "both.csv", "apart.csv"), "survey init has several files: received 2"),
        (("survey", "guess", "both.csv"), "survey does not know 'guess': allowed are init DATA, show, and ethics"),
        (("shuffle", "--epsilon", "1", "--n", "20", "-k", "3"), "without a mechanism binary reports or"),
        (("estimate", "--counts", "80,40", *WARNER, "--direct", "d"), "--direct is a column"),
    ):
        status, out, err = cli(*words)
        assert (status, out) == (2, ""), words
        assert err.count("\n") == 1, words
        assert why in err, words


# numbers and exit statuses


def test_a_value_at_every_level(cli: Cli) -> None:
    """n Var at prevalence 1/4 is 1/4 3/4 + g/(g - 1)^2: it is at most v from a root on; status 1 if it never is."""
    asked = ("design", "binary", "--epsilon", "1/2..1", "--prevalence", "1/4")
    assert cli(*asked)[0] == 0
    for value, status in (("3/2", 0), ("10", 0), ("1/1000", 1)):
        found, out, _ = cli(*asked, "--at-most", value, "--json")
        assert found == status
        asked_of = json.loads(out)["at_most"]
        assert asked_of["value"] == value
        printed = cli(*asked, "--at-most", value)
        assert printed[0] == status
        if status:
            assert asked_of["gamma"] is None
            assert f"no level reaches {value}" in printed[1]
    assert "3/2 is reached from gamma = 7/3" in cli(*asked, "--at-most", "3/2")[1]
    g = Fraction(7, 3)
    assert Fraction(3, 16) + g / (g - 1) ** 2 == Fraction(3, 2)
    assert exp(0.5) < g < exp(1)


def test_a_respondent_in_each_view(cli: Cli) -> None:
    """Warner's device with 3/4 has epsilon log(3): status 1 below it, 0 at it, above it, and without a level."""
    for level, status in ((None, 0), ("log(3)", 0), ("3", 0), ("1/2", 1), ("log(29/10)", 1)):
        words = ("privacy", "warner:3/4", "--n", "10", *(() if level is None else ("--epsilon", level)))
        found, out, err = cli(*words, "--json")
        assert (found, err) == (status, ""), level
        assert json.loads(out).get("meets") is (None if level is None else not status)
    assert "Privacy of one of 10 respondents" in cli("privacy", "warner:3/4", "--n", "10")[1]
    assert log(2.9) < log(3)


def test_a_refuted_behaviour_has_status_1(cli: Cli) -> None:
    """Of 100 responses, one yes is too few for 3/4 and 1/4, and for coins; 40 are not."""
    for yes, status in (("1", 1), ("40", 0)):
        words = ("noncompliance", *WARNER, "--yes", yes, "--n", "100", "--behaviour", "random", "--json")
        found, out, _ = cli(*words)
        assert found == status
        assert json.loads(out)["refuted"] is bool(status)


@pytest.mark.usefixtures("tables")
def test_people_who_answered_both_questions(cli: Cli) -> None:
    """Their least number is n of both questions less the rows; none is told where it may be 0."""
    for table, least in (("both", 120), ("some", 20), ("apart", None)):
        status, _, err = cli("estimate", f"{table}.csv", "--column", "r", *WARNER, "--direct", "d")
        assert status == 0
        told = f"remark: {least} or more people answered both questions: the test is for different people"
        assert (told in err) is (least is not None)
        assert ("answered both questions" in err) is (least is not None)


def test_plans_of_populations(cli: Cli) -> None:
    """Fewer of a small population are enough, and never more than all."""
    plan = ("--prevalence", "1/10", "--margin", "0.3", "--json", *WARNER)
    sizes = []
    for population in ("40", "1000", "1000000"):
        status, out, _ = cli("plan", "finite", population, *plan)
        assert status == 0
        sizes.append(json.loads(out)["n"])
    assert sizes == sorted(sizes)
    assert sizes[0] <= 40
    assert cli("plan", "finite", "30", *plan)[0] == 2  # the noise of the device stays, whoever is asked


def test_bounds_of_entries(cli: Cli) -> None:
    """0 and 1 are no bounds; others hold for all nine entries."""
    words = ("design", "kary", "-k", "3", "--epsilon", "1", "--objective", "trace", "--fast", "--json", "--bounds")
    rr = 3 * exp(1) / (exp(1) + 2)
    for bounds, value in (
        ("0..1", rr),
        ("1/10..1", rr),
        ("0..1/2", 1.5),
        ("0..0.5", 1.5),
        ("0.0..1", rr),
        ("1/4..1", 1.5),
        ("1/3..1", 1),
    ):
        status, out, _ = cli(*words, bounds)
        assert status == 0, bounds
        found = json.loads(out)
        assert float(Fraction(found["lower"])) == pytest.approx(value, abs=1e-6)
        assert float(Fraction(found["upper"])) == pytest.approx(value, abs=1e-6)


def test_shuffled_reports_and_cards(cli: Cli) -> None:
    """20 shuffled reports reveal less than one; the first card of Christofides' device has number 1."""
    status, out, err = cli("shuffle", "warner:3/4", "--n", "20", "--delta", "1/100", "--json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert 0 < Fraction(found["lower"]) <= Fraction(found["upper"]) < log(3)
    assert found["curve"] == []
    for mechanism, first in (("warner:3/4", 0), ("christofides:1/10,3/10,6/10", 1)):
        status, out, _ = cli("privacy", mechanism, "--n", "5", "--json")
        assert (status, json.loads(out)["first"]) == (0, first)


def test_the_best_worst_case_of_two(cli: Cli) -> None:
    """The bracket of the minimax risk of two respondents, without notes on progress."""
    status, out, err = cli("plan", "minimax", "2", "--epsilon", "log(3)", "--json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert found["n"] == 2


def test_a_claim_that_is_refuted_is_named(cli: Cli, tmp_path: Path) -> None:
    """One note on standard error, beside the table."""
    (tmp_path / "own.toml").write_text(
        'paper = "own"\n[card.large]\nprinted = "x is large"\nfor = ["0 < x < 1"]\nsays = ["x > 1/2"]\n'
        'fails = {x = "1/4"}\nfalse = ["x > 2"]\n',
        encoding="utf-8",
    )
    status, out, err = cli("verify", str(tmp_path / "own.toml"))
    assert (status, "own.large" in out) == (1, True)
    assert err.startswith("rropt: own.large is refuted: ")
    assert len(err.splitlines()) == 1


@pytest.mark.usefixtures("tables")
def test_a_survey_is_not_asked_where_the_data_are_given(cli: Cli) -> None:
    """The declaration of a question of the same name, in this folder, is not read; without data it is."""
    Path("survey.toml").write_text('file = "none.csv"\nweights = "w"\n[questions.r]\ndevice = "warner:3/4"\n')
    words = ("regress", "both.csv", "--formula", "r ~ g", "--mechanism", "warner:4/5")
    status, _, err = cli(*words)
    assert (status, err) == (0, "rropt: read 'both.csv': 120 rows; no answer missing; none invalid\n")
    status, _, err = cli(words[0], *words[2:4])
    assert status == 2
    assert "none.csv" in err
