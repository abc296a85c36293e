"""Every command with tables at 80, 60 and 40 columns: no number is cut, broken over lines, or lost."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from few_rows import few_rows
from stored_cases import cases_of
from table_calls import estimate_table
from test_help_examples import FILES
from widths import NUMBER, require_whole

import rropt
from rropt.cli.installed import installed_commands
from rropt.cli.parser import WORDS
from rropt.core.exact.display import decimal_places, decimal_text, estimate_text, in_full, rounded
from rropt.core.results.layout import UNKNOWN_WIDTH, tables_as_text, terminal_width
from rropt.core.visible import visible
from rropt.inference import coverage
from rropt.inference.interval_kinds import INTERVAL_KINDS, RECOMMENDED
from rropt.inference.proportion_intervals import PROPORTION_INTERVALS

WIDE = 1000
WIDTHS = (80, 60, 40)

ROWS = [shlex.split(line) for line in cases_of(__file__)["calls"].splitlines()]
PROBLEM = {
    "region": {
        "kind": "differential-privacy",
        "inputs": "2",
        "outputs": "2",
        "epsilon": {"log": "2"},
        "delta": "1/4",
        "family": "all",
    },
    "objective": {"kind": "variance"},
    "population": ["3/4", "1/4"],
}


@cache
def certificate() -> str:
    """Return the text of the certificate that the calls read."""
    return rropt.solve(rropt.Problem.binary("1/4", epsilon="log(3)")).certificate.file_text


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files of the calls."""
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text)
    rows = "0,1,A,1.5,{0}\n1,1,B,2,{0}\n1,0,A,1,{1}\n0,0,B,1.25,{1}\n"
    Path("survey.csv").write_text("q1,q2,region,w,cell\n" + "".join(rows.format(i % 5, i % 7) for i in range(30)))
    Path("many.csv").write_text(
        "q1,q2,group,w\n" + "".join(f"{i % 2},{i // 2 % 2},g{i % 53},{1 + i % 7}\n" for i in range(530))
    )
    Path("floats.csv").write_text("0.7000001,0.2,0.1\n0.2,0.6,0.2\n0.1,0.2,0.7\n")
    Path("hard.json").write_text('{"diagonal": "9/10"}')
    Path("problem.json").write_text(json.dumps(PROBLEM))
    Path("certificate.json").write_text(certificate())
    return tmp_path


@few_rows(8)
@pytest.mark.parametrize("argv", ROWS, ids=[" ".join(row)[:80] for row in ROWS])
def test_no_number_is_cut(cli, folder: Path, monkeypatch: pytest.MonkeyPatch, argv: list[str], size) -> None:
    """In the gate at one width, in turn; at full size at each."""
    widths = [WIDTHS[ROWS.index(argv) % len(WIDTHS)]] if size(1, 0) else WIDTHS
    monkeypatch.setenv("COLUMNS", str(WIDE))
    monkeypatch.setattr("rropt.core.results.layout.is_on_terminal", lambda: True)  # so that prose is wrapped too
    status, wide, _ = cli(*argv)
    assert status in (0, 1)
    assert wide
    compared = 0
    for width in widths:
        monkeypatch.setenv("COLUMNS", str(width))
        again, narrow, _ = cli(*argv)
        assert again == status
        compared += require_whole(_repeatable(narrow, argv), _repeatable(wide, argv), width)
    assert compared >= len(widths) * (1 if argv[0] == "count" else 2), "no number was compared"


def _repeatable(text: str, argv: list[str]) -> str:
    """Return a text as it is in each run: without seconds, and without the last digits of sums by several threads."""
    if argv[0] == "verify":
        return re.sub(r"\d+\.\d+ s\b", "T", text)
    return re.sub(r"\d+\.\d{14,}", lambda found: f"{float(found[0]):.11g}", text) if "--weights" in argv else text


def test_every_command_with_tables_is_called() -> None:
    called = {row[0] for row in ROWS}
    commands = {name for group in [*WORDS["commands"].values(), *installed_commands().values()] for name in group}
    assert commands - called == {"plot", "randomize", "report", "survey"}
    assert len(ROWS) >= 53


def test_the_width_is_that_of_the_terminal(monkeypatch: pytest.MonkeyPatch, cli) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert terminal_width() == UNKNOWN_WIDTH == 80
    for given, width in (("60", 60), ("0", 80), ("x", 80), ("3", 20)):
        monkeypatch.setenv("COLUMNS", given)
        assert terminal_width() == width, given
    monkeypatch.delenv("COLUMNS")
    _, out, _ = cli("estimate", "--yes", "831", "--n", "2435", "--mechanism", "forced:2/3,1/6,1/6", "--explain")
    assert 70 < max(map(len, out.splitlines())) <= 80


def test_text_of_files_is_shown_and_not_obeyed() -> None:
    assert visible("a\x1b[31mred\u202e") == "a\\x1b[31mred\\u202e"
    shown = tables_as_text([("\x07title", ("group\x1b]0;x\x07", "n"), [("evil\rrow", "1")])], 80)
    assert not any(ch != "\n" and not ch.isprintable() for ch in shown)
    assert "evil\\rrow" in shown
    table = {"q": np.array(["0", "1"] * 4, object), "g": np.array(["a\n\x1b[2J"] * 8, object)}
    found = estimate_table(table, "q", "warner:3/4", by="g").summary(width=80)
    assert "a\\n\\x1b[2J" in found
    assert "\x1b" not in found


@pytest.mark.slow
def test_exact_shows_all_digits(cli, cli_json, monkeypatch: pytest.MonkeyPatch) -> None:
    argv = ("design", "kary", "--proportions", "1/2,1/3,1/6", "--epsilon", "1", "--objective", "a-optimal")
    answer = cli_json(*argv)
    _, short, _ = cli(*argv)
    _, full, _ = cli(*argv, "--exact")
    assert answer["value"] in full
    assert answer["value"] not in short
    entries = {entry for row in answer["mechanism"]["matrix"] for entry in row}
    assert entries <= set(full.split())
    _, out, _ = cli("compare", "warner:3/4", "warner:12345678901234567890123/22345678901234567890123", "--exact")
    assert "22345678901234567890123" in out
    asked = [json.loads(cli(*argv, *more, "--json")[1])["question"] for more in ((), ("--exact",))]
    assert asked[0] == asked[1]


@pytest.mark.parametrize("n", [30, 250, 2435, 10**6])
def test_estimates_end_where_their_error_does(cli, cli_json, rng, size, n: int) -> None:
    """The printed estimate, error and interval are correct roundings of the exact ones, to one decimal place."""
    for _ in range(size(3, 50)):
        argv = ("estimate", "--yes", str(rng.randint(1, n - 1)), "--n", str(n), "--mechanism", "warner:3/4")
        (found,) = cli_json(*argv)["rows"]
        _, out, _ = cli(*argv)
        _, count, estimate, error, interval = re.split("  +", out.splitlines()[1].strip())
        assert int(count) == n
        places = decimal_places(found["se"])
        assert places is not None
        low, high = map(Fraction, found["intervals"]["exact"])
        assert estimate == rounded(Fraction(found["estimate"]), places)
        assert error == rounded(found["se"], places)
        assert interval == ("none" if low == high else f"{rounded(low, places)} to {rounded(high, places)}")
        assert abs(Fraction(estimate) - Fraction(found["estimate"])) <= Fraction(1, 2 * 10**places)
        digits = error.replace(".", "").lstrip("0")
        assert len(digits) == 2


@pytest.mark.slow
@pytest.mark.parametrize("more", [(), ("--by", "region"), ("--by", "region", "--fpc", "500", "--clusters", "cell")])
def test_weighted_estimates_end_where_their_error_does(cli, cli_json, folder: Path, more: tuple[str, ...]) -> None:
    """Each printed number is the exact one, rounded to the place of the smallest error of its column."""
    argv = ("estimate", "survey.csv", "--column", "q1", "--mechanism", "warner:3/4", "--weights", "w", *more)
    rows = cli_json(*argv)["rows"]
    out, full, every = (cli(*argv, *option)[1] for option in ((), ("--exact",), ("--explain",)))
    printed = out.split()
    for one in rows:
        places = decimal_places(one["se"])
        for number in (float(one["estimate"]), float(one["se"])):
            assert rounded(number, places) in printed
            assert repr(number).removesuffix(".0") in full.split()
        for low, high in one["intervals"].values():
            assert f"{rounded(low, places)} to {rounded(high, places)}" in every
    assert "interval beta (Korn-Graubard): near nominal, no guarantee" in " ".join(printed)
    assert list(PROPORTION_INTERVALS) == ["beta", "logit", "likelihood", "asin", "wilson", "mean"]
    for kind in PROPORTION_INTERVALS:
        assert f"95 % {kind}" in every
        assert PROPORTION_INTERVALS[kind].guarantee.split()[-1] in every
        assert f"95 % {kind}" not in out


@pytest.mark.slow
@pytest.mark.parametrize("more", [(), ("--weights", "w")])
def test_of_many_groups_the_first_are_shown(cli, folder: Path, more: tuple[str, ...]) -> None:
    argv = ("estimate", "many.csv", "--column", "q1", "--mechanism", "warner:3/4", "--by", "group", *more)
    out, full = cli(*argv)[1], cli(*argv, "--exact")[1]
    most = 40
    assert "and 13 more" in out
    names = [f"g{i}" for i in range(53)]
    word = re.compile(r"^(?:group: )?(g\d+)\b", re.MULTILINE)
    assert set(word.findall(out)) == set(sorted(names)[:most])
    assert set(word.findall(full)) >= set(names)


def test_respondents_who_all_agree(cli, tmp_path: Path) -> None:
    """A standard error of 0, or of rounding, does not ask for fifteen decimals."""
    for answer in "01":
        path = tmp_path / f"{answer}.csv"
        path.write_text("q,w\n" + "".join(f"{answer},{1 + i / 7}\n" for i in range(30)))
        status, out, _ = cli("estimate", str(path), "--column", "q", "--mechanism", "warner:3/4", "--weights", "w")
        assert status == 0
        assert all(len(number.partition(".")[2]) <= 3 for number in NUMBER.findall(out.partition("\n\n")[0])), out


def test_the_standard_error_over_n_less_one(cli) -> None:
    """Nigeria: 0.014413 over n, 0.014416 over n - 1; shown on request."""
    argv = ("estimate", "--yes", "831", "--n", "2435", "--mechanism", "forced:2/3,1/6,1/6")
    found = rropt.inference.estimate("forced:2/3,1/6,1/6", yes=831, n=2435)
    out, every = cli(*argv)[1], cli(*argv, "--explain")[1]
    assert "n - 1" not in out
    text = decimal_text(found.unbiased_standard_errors[1], 5)
    assert text == "0.014416"
    assert f"se, n - 1 {text}" in " ".join(every.split())
    assert "none" in cli("estimate", "--yes", "1", "--n", "1", "--mechanism", "warner:3/4", "--explain")[1]
    argv = ("estimate", "--counts", "10,20,30", "--mechanism", "grr:3,1/2")
    found, every = rropt.inference.estimate("grr:3,1/2", [10, 20, 30]), cli(*argv, "--explain")[1]
    assert ", ".join(decimal_text(error, 5) for error in found.unbiased_standard_errors) in " ".join(every.split())


def test_a_short_exact_value_stands_beside_its_decimal() -> None:
    die = rropt.inference.estimate(rropt.Mechanism("forced:2/3,1/6,1/6"), yes=831, n=2435)
    assert estimate_text(die.prevalence, decimal_places(die.standard_error)) == "2551/9740 ~ 0.262"


def test_the_recommended_interval_covers(size: Callable[[int, int], int]) -> None:
    """Coverage is summed exactly: of the recommended kind never below nominal, of the non-compliers somewhere."""
    below = dict.fromkeys(INTERVAL_KINDS, 0)
    points = 0
    for n in size([5, 12, 30], [5, 12, 30, 60, 120, 250]):
        for name in ("warner:3/4", "forced:2/3,1/6,1/6", "generalised:1,1/2"):
            mechanism = rropt.Mechanism(name)
            for numerator in range(0, 21, 4):
                points += 1
                for kind in INTERVAL_KINDS:
                    found = coverage(mechanism, n, Fraction(numerator, 20), kind)
                    below[kind] += found < Fraction(19, 20)
    assert points >= 50
    assert below[RECOMMENDED] == below["chebyshev"] == 0
    assert below["normal"] > below["wilson"] > 0


def test_rounding() -> None:
    assert [decimal_places(x) for x in (0.0144, 0.0996, 0.00996, 25.0, 0, None, float("inf"), 1e-30)] == [
        *(3, 2, 3, 0),
        *(None,) * 4,
    ]
    assert rounded(Fraction(1, 3), 3) == "0.333"
    assert rounded(Fraction(-1, 3), 0) == "0"
    assert rounded(2.5e-4, 3) == "0.000"
    assert estimate_text(Fraction(1, 4), 3) == "1/4 = 0.250"
    assert estimate_text(Fraction(123456, 1234567), 3) == "0.100"
    with in_full():
        assert rounded(0.123456789, 3) == "0.123456789"
        assert decimal_text(Fraction(1, 3)) == "0.33333333333333333"
    assert decimal_text(Fraction(1, 3)) == "0.333333"
