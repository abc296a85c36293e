"""With ``--json``, standard output is one JSON object: also what C libraries print to descriptor 1 counts.

HiGHS 1.16 prints two lines from its constructor, so the first example of each command runs in a process of its own.
``make lowest`` runs all of them at the least versions of ``pyproject.toml``, ``make stress`` at the newest.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import highspy
import pytest
from few_rows import few_rows
from package_modules import modules
from test_help_examples import EXAMPLES, fill, fill_tables

from rropt.cli import output
from rropt.core.linear.highs import QuietHighs
from rropt.core.results.late_records import LateRecords

_COMMANDS = {
    name: shlex.split(lines[0].replace("-k 60", "-k 9"), comments=True)[1:] for name, lines in EXAMPLES.items()
}
_MORE = {  # kinds of problems that reach HiGHS in other ways than the first examples
    "vertices": "design kary --proportions 1/2,1/3,1/6 --epsilon 1 --objective mutual-information",
    "many levels": "design kary --proportions 1/2,1/3,1/6 --level 1,1/10 --level 2,1/100 --objective a-optimal",
    "linear program": "design kary -k 3 --epsilon 1 --delta 1/10 --objective trace",
    "binary, delta": "design binary --epsilon 1e-9 --delta 1/1000 --prevalence 1/10",
    "plan": "plan margin 0.1 --mechanism warner:3/4 --prevalence 10%",
    "all routes": "design binary --epsilon 1 --prevalence 1/10 --routes all",
    "any outputs": "design binary --epsilon 1 --delta 1/10 --prevalence 1/10 --outputs any",
    "bounds": "design kary -k 3 --epsilon 1 --objective trace --bounds 1/100..1",
    "all routes of k": "design kary --proportions 1/2,1/3,1/6 --epsilon 1 --objective d-optimal --routes all",
    "repair": "repair grr:3,1/2 --epsilon 1/2",
    "noncompliance": "noncompliance --yes 3 --n 9 --mechanism warner:3/4 --theta 0.05",
}
_COMMANDS |= {name: words.split() for name, words in _MORE.items()}


@few_rows(1)
@pytest.mark.parametrize("name", _COMMANDS)
def test_standard_output_is_one_object(name: str, tmp_path: Path) -> None:
    fill(tmp_path)
    words = [sys.executable, "-m", "rropt.cli.main"]
    if name == "rropt read":
        fill_tables(tmp_path)
    if name == "rropt check":
        made = ["design", "binary", "--gamma", "2", "--prevalence", "1/4", "--certificate", "design.json"]
        subprocess.run([*words, *made], cwd=tmp_path, check=True, capture_output=True, timeout=120)
    done = subprocess.run([*words, *_COMMANDS[name], "--json"], cwd=tmp_path, capture_output=True, timeout=120)
    if done.returncode == 2 and b"--json" in done.stderr:
        return  # a command whose result is a file
    assert done.returncode in (0, 1), done.stderr
    assert done.stdout.count(b"\n") == 1
    assert isinstance(json.loads(done.stdout), dict)


def test_solvers_are_silent(capfd: pytest.CaptureFixture[str]) -> None:
    """Constructing, filling and running the solver prints nothing, and the options are set."""
    solver = QuietHighs(presolve="off")
    solver.addVar(0.0, 1.0)
    solver.changeColCost(0, -1.0)
    assert solver.run() == highspy.HighsStatus.kOk
    assert solver.getSolution().col_value == [1.0]
    assert [solver.getOptionValue(name)[1] for name in ("output_flag", "threads", "presolve")] == [False, 1, "off"]
    captured = capfd.readouterr()
    assert (captured.out, captured.err) == ("", "")


def test_highs_is_constructed_in_one_place() -> None:
    """Neither the library nor cvxpy on its behalf constructs ``highspy.Highs``, which prints."""
    found = [
        str(path)
        for path in modules()
        if (text := path.read_text(encoding="utf-8")) and ("highspy.Highs()" in text or "cp.HIGHS" in text)
    ]
    assert not found


def test_the_question_has_no_empty_keys(cli) -> None:
    found = json.loads(cli("shuffle", "1/2", "--n", "50", "--epsilon", "1/4", "--json")[1])
    assert "mechanism_read" not in found["question"], "a level is no mechanism"
    found = json.loads(cli("privacy", "bits:3/4*2", "--json")[1])
    assert list(found["question"]["mechanism_read"]) == ["product", "name"]


def test_the_comparison_with_direct_responses_is_printed_once(cli) -> None:
    words = ("estimate", "--yes", "30", "--n", "90", "--mechanism", "warner:3/4", "--direct", "30,90")
    found = json.loads(cli(*words, "--json")[1])
    assert found["direct"]
    assert "mechanism_read" not in found["question"], "the answer states its mechanism"
    printed = cli(*words)[1]
    assert "\n\nRandomized and direct question\n" in printed
    plain = " ".join(printed.split())
    assert plain != " ".join(cli(*words[:-2])[1].split())
    assert "direct" in plain.lower()


def test_what_was_read_is_printed_for_people_alone(cli, tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("q\n0\n1\n1\n")
    words = ("estimate", str(file), "--column", "q", "--mechanism", "warner:3/4")
    assert isinstance(json.loads(cli(*words, "--json")[1]), dict)
    assert "3 rows" in "".join(cli(*words)[1:])


def test_a_long_result_is_printed_whole_or_not_at_all(capsys: pytest.CaptureFixture[str]) -> None:
    """Its records are made when they are written, in pieces."""
    rows = [{"n": place, "name": "né\n"} for place in range(2500)]
    for size in (3, 2500):
        output.print_json({"rows": LateRecords(rows.__getitem__, size), "one": 1})
        assert capsys.readouterr().out == json.dumps({"rows": rows[:size], "one": 1}) + "\n"
    with pytest.raises(ValueError, match="not JSON compliant"):
        output.print_json({"rows": LateRecords(lambda place: {"n": 1 if place < 2400 else float("nan")}, 2500)})
    assert capsys.readouterr().out == ""
