"""The program that runs the suite against a command: right checkers, wrong ones, and those that break."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from every_case import every_case
from few_rows import few_rows
from javascript import KERNEL

from rropt.checker.conformance import File, run_suite, suite_files, vector_files
from rropt.checker.conformance.__main__ import main
from rropt.checker.conformance.suite_runner import BATCH, MAX_FAILURES, verdict_of

VECTORS = Path(__file__).parent / "vectors"
SMALL = "garbling,mechanism-levels"


def command(*names: str) -> list[str]:
    return [sys.executable, "-m", *names]


def script(folder: Path, text: str) -> list[str]:
    """Return the command of a checker that consists of these lines; ``paths`` are its files."""
    path = folder / "checker.py"
    path.write_text(f"import sys, time\npaths = sys.argv[1:]\n{text}\n", encoding="utf-8")
    return [sys.executable, str(path)]


@pytest.fixture
def files() -> list[File]:
    return [file for file in suite_files() if file.statement in SMALL.split(",")][:30]


@pytest.mark.slow
def test_the_checker_conforms(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--vectors", str(VECTORS), "--statements", SMALL, *command("rropt.checker")]) == 0
    out = capsys.readouterr().out
    assert " 0 accepted that must be rejected, 0 rejected that must be accepted, 0 without a verdict" in out


def test_the_checker_in_javascript_conforms() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed: it runs the checker in JavaScript")
    assert main(["--no-limits", "--statements", SMALL, node, str(KERNEL.with_name("node.js"))]) == 0


def test_a_checker_that_covers_some_rules(
    tmp_path: Path, files: list[File], capsys: pytest.CaptureFixture[str]
) -> None:
    """`not covered` is no verdict and no difference; the outcome counts these files apart."""
    judge = "from rropt.checker import check_file\nfor i, name in enumerate(paths):\n"
    judge += "    print(check_file(name) if i % 2 else f'{name}: not covered: this rule' if i % 4 else 'not covered')"
    outcome = run_suite(script(tmp_path, judge), files)
    assert not outcome.differences
    assert sum(outcome.judged.values()) == sum(outcome.not_covered.values()) == 15
    assert "15 not covered by this checker" in outcome.summary()
    command_text = " ".join(script(tmp_path, judge))
    assert main(["--json", "--statements", "garbling", command_text]) == 0
    found = json.loads(capsys.readouterr().out)
    assert sum(found["not_covered"].values()) > 5


def test_one_text_is_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--json", "--statements", "polynomial", f'"{sys.executable}" -m rropt.checker']) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["conforms"]
    assert found["differences"] == []
    assert set(found["files"]) == {"polynomial"}
    assert found["left_out"] > 1200


def test_names_on_standard_input(tmp_path: Path, files: list[File]) -> None:
    told = script(tmp_path, "import subprocess\nnames = sys.stdin.read().split()\nassert not paths")
    judge = "from rropt.checker import check_file\nfor name in names: print(f'{name}: {check_file(name)}')"
    with (tmp_path / "checker.py").open("a") as stream:
        stream.write(judge)
    outcome = run_suite(told, files, names_on_input=True)
    assert not outcome.differences
    assert sum(outcome.judged.values()) == len(files)


def test_a_checker_that_accepts_all(tmp_path: Path, files: list[File], capsys: pytest.CaptureFixture[str]) -> None:
    accepting = script(tmp_path, "for path in paths: print('accepted')")
    outcome = run_suite(accepting, files)
    wrong = [file for file in files if not file.accepted]
    assert [each.file for each in outcome.differences] == wrong
    assert outcome.false_acceptances == len(wrong) > 5
    assert main(["--statements", SMALL, *accepting]) == 1
    assert "accepted that must be rejected" in capsys.readouterr().out


def test_a_checker_that_rejects_all(tmp_path: Path, files: list[File]) -> None:
    outcome = run_suite(script(tmp_path, "for path in paths: print(path + ': rejected: no')"), files)
    assert [each.file for each in outcome.differences] == [file for file in files if file.accepted]
    assert outcome.false_acceptances == 0


@pytest.mark.slow
def test_a_checker_that_crashes_at_the_third_file(tmp_path: Path, files: list[File]) -> None:
    """The file is named, and the others are judged all the same."""
    body = "from rropt.checker import check_file\nfor path in paths:\n"
    body += "    if path.endswith('00002.json'): sys.exit(7)\n    print(check_file(path), flush=True)"
    outcome = run_suite(script(tmp_path, body), files)
    assert [each.file for each in outcome.differences] == [files[2]]
    assert "ended with status 7" in str(outcome.differences[0])
    assert sum(outcome.judged.values()) == len(files)


@pytest.mark.slow
def test_a_checker_that_hangs(tmp_path: Path, files: list[File]) -> None:
    body = "from rropt.checker import check_file\nfor path in paths:\n"
    body += "    if path.endswith('00004.json'): time.sleep(3600)\n    print(check_file(path), flush=True)"
    outcome = run_suite(script(tmp_path, body), files[:8], seconds=3)
    assert [each.file for each in outcome.differences] == [files[4]]
    assert "did not end within 3 seconds" in str(outcome.differences[0])


def test_a_checker_that_prints_too_few_lines(tmp_path: Path, files: list[File]) -> None:
    body = "from rropt.checker import check_file\nfor path in paths[:-1]: print(check_file(path))"
    outcome = run_suite(script(tmp_path, body), files)
    assert [each.file for each in outcome.differences] == [files[-1]]
    assert "too few lines" in str(outcome.differences[0])


def test_a_checker_that_prints_too_many_lines(tmp_path: Path, files: list[File]) -> None:
    body = "from rropt.checker import check_file\nfor path in paths: print(check_file(path))\nprint('accepted')"
    outcome = run_suite(script(tmp_path, body), files)
    assert "more lines than there were files" in str(outcome.differences[-1])


def test_a_checker_that_prints_something_else(tmp_path: Path, files: list[File]) -> None:
    outcome = run_suite(script(tmp_path, "for path in paths: print('perhaps\\x1b[31m')"), files[:5])
    assert len(outcome.differences) == 5
    assert all(each.found is None and "\x1b" not in str(each) for each in outcome.differences)


@pytest.mark.slow
def test_a_checker_that_never_works_is_given_up(tmp_path: Path, files: list[File]) -> None:
    outcome = run_suite(script(tmp_path, "sys.exit(3)"), files)
    assert len(outcome.differences) == MAX_FAILURES
    assert outcome.not_run == len(files) - MAX_FAILURES


def test_an_ending_with_a_status_that_no_verdict_has(tmp_path: Path, files: list[File]) -> None:
    body = "from rropt.checker import check_file\nfor path in paths: print(check_file(path))\nsys.exit(3)"
    outcome = run_suite(script(tmp_path, body), files[:4])
    assert "ended with status 3" in str(outcome.differences[-1])


@pytest.mark.slow
def test_many_files_go_in_batches(tmp_path: Path, files: list[File]) -> None:
    many = (files * (BATCH // len(files) + 2))[: BATCH + 7]
    body = f"assert len(paths) <= {BATCH}\nfrom rropt.checker import check_file\n"
    body += "for path in paths: print(check_file(path))"
    outcome = run_suite(script(tmp_path, body), many)
    assert not outcome.differences
    assert sum(outcome.judged.values()) == len(many)


@every_case(
    ("line", "verdict"),
    [
        ("accepted", True),
        ("a.json: accepted (rational tier)", True),
        ("/x y/1.json: rejected: accepted", False),
        ("rejected", False),
        ("rejected: a.json: accepted", False),
        ("acceptable", None),
        ("", None),
        ("not accepted", None),
        ("Accepted", None),
    ],
)
def test_verdict_of_a_line(line: str, verdict: bool | None) -> None:
    assert verdict_of(line) is verdict


@few_rows(4)
@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--statements", "theorem", "true"],
        ["--vectors", "missing", "true"],
        ["--seconds", "0", "true"],
        ["no-such-command-at-all"],
        ["--write", "folder", "true"],
        ["'"],
    ],
)
def test_bad_input(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    try:
        status = main(arguments)
    except SystemExit as leaving:
        status = int(leaving.code or 0)
    assert status == 2
    assert capsys.readouterr().err.count("error:") == 1


def test_bad_input_of_the_command(tmp_path: Path) -> None:
    done = subprocess.run(
        command("rropt.checker.conformance", "--statements", "theorem", "true"),
        cwd=tmp_path,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert done.stderr.count(b"error:") == 1


def test_files_can_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--statements", "mechanism-levels", "--write", str(tmp_path / "suite")]) == 0
    listed = (tmp_path / "suite" / "expected.tsv").read_text().splitlines()
    assert f"{len(listed)} files written" in capsys.readouterr().out
    name, verdict, *_ = listed[0].split("\t")
    assert json.loads((tmp_path / "suite" / name).read_text())["statement"] == "mechanism-levels"
    assert verdict in ("accepted", "rejected")


def test_vectors_are_read() -> None:
    listed = list(vector_files(VECTORS))
    assert len(listed) > 1000
    assert len({file.statement for file in listed}) >= 12
