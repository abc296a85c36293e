"""Exit statuses: 1 is an answer, 2 is about the input or a file, 3 a defect, and 130 and 141 are no answers."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from few_rows import few_rows
from stored_cases import cases_of
from test_help_examples import fill

from rropt.checker import Verdict, __main__, verdicts
from rropt.cli import main as command_line

CALLS = {call: (status, texts) for call, status, *texts in cases_of(__file__)["calls"]}


@few_rows(30)
@pytest.mark.parametrize("call", CALLS)
def test_a_call_has_its_status_and_says_why(cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    monkeypatch.chdir(tmp_path)
    fill(tmp_path)
    Path("three.csv").write_text("name,sick\na,no\nb,yes\nc,no\n")
    Path("promise.toml").write_text('[questions.sick]\ndevice = "warner:3/4"\nepsilon = "log(3)"\n')
    Path("new.csv").write_text('age\n30\n""\n')
    Path("latin.csv").write_bytes("q,\xe4\n0,1\n1,\xe4\n".encode("latin-1"))
    for words in call.split(" && "):
        status, out, err = cli(*shlex.split(words))
    wanted, texts = CALLS[call]
    assert status == wanted, err
    for text in texts:
        place, _, words = text.partition(": ") if text[0] not in "->!" else text.partition(" ")
        found = {">": out, "!": err}.get(place.lstrip("-")) if place[0] in "->!" else Path(place).read_text()
        assert (words in " ".join(found.split())) != place.startswith("-"), (text, found)


def broken(error: BaseException):
    def fail(*_: object, **__: object) -> int:
        raise error

    return fail


@pytest.mark.parametrize("error", [KeyError("the secret"), ZeroDivisionError(), RecursionError(), MemoryError()])
def test_a_crash_is_no_answer(cli, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    monkeypatch.setattr("rropt.mechanisms.imports.load_mechanism", broken(error))
    monkeypatch.delenv("RROPT_DEBUG", raising=False)
    status, out, err = cli("compare", "--admissible", "no/such.json")
    assert (status, out, err.count("\n")) == (3, "", 1)
    assert type(error).__name__ in err
    assert "please report" in err
    assert "rropt.mechanisms.imports, line" in err
    assert "secret" not in err, "what was read may be a true answer"
    monkeypatch.setenv("RROPT_DEBUG", "1")
    status, _, err = cli("compare", "--admissible", "no/such.json")
    assert status == 3
    assert "Traceback" in err
    assert err.splitlines()[-1].startswith("rropt: internal error")


def test_an_interrupt(cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rropt.mechanisms.imports.load_mechanism", broken(KeyboardInterrupt()))
    status, out, err = cli("compare", "--admissible", "no/such.json")
    assert (status, out, err.count("\n")) == (130, "", 1)


def test_a_checker_that_fails_is_no_rejection(
    cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "c.json"
    file.write_text("{}")
    assert cli("check", str(file))[0] == __main__.guarded([str(file)]) == 1
    monkeypatch.setattr(verdicts, "_check", broken(AttributeError("x")))
    assert cli("check", str(file))[0] == __main__.guarded([str(file)]) == 3
    assert "unforeseen" in capsys.readouterr().out
    assert __main__.guarded([str(file), str(tmp_path / "none")]) == 3
    for error, status in [(AttributeError(), 3), (KeyboardInterrupt(), 130)]:
        monkeypatch.setattr(__main__, "main", broken(error))
        capsys.readouterr()
        assert __main__.guarded([]) == status
        assert capsys.readouterr().err.count("\n") == 1


def test_an_unreadable_file_does_not_hide_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([Verdict(False, f"{verdicts.UNFORESEEN}: X"), OSError(2, "none"), Verdict(True)])

    def state(_: str, *, full: bool) -> tuple[Verdict, list[str]]:
        assert not full
        answer = next(answers)
        if isinstance(answer, OSError):
            raise answer
        return answer, []

    monkeypatch.setattr(__main__, "read_file", lambda path: path)
    monkeypatch.setattr(__main__, "state_text", state)
    assert __main__.main(["a", "b", "c"]) == 3


def test_no_crash_of_the_command_line_itself(cli) -> None:
    for argv, expected in [(("--version",), 0), (("--help",), 0), ((), 2), (("nothing",), 2)]:
        status, out, err = cli(*argv)
        assert status == expected
        assert "please report" not in err
        assert bool(out) == (expected == 0)
    assert command_line.main(["--version"]) == 0


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize(
    ("command", "said"),
    [
        (
            ["rropt.cli.main", "privacy", "--level", "posterior:1/5,1/2", "--certificate"],
            b"cannot write the out",
        ),
        pytest.param(
            ["rropt.cli.main", "sweep", "sweep.toml", "--output"], b"cannot write the output", marks=pytest.mark.slow
        ),
        (["rropt.cli.main", "privacy", "--json", "--mechanism"], b"no such argument"),
        (["rropt.checker"], b"cannot be written"),
    ],
    ids=["command0", "command1", "command2", "checker"],
)
def test_a_full_device_as_standard_output(tmp_path: Path, command: list[str], said: bytes) -> None:
    """The answer, or the JSON of an error, cannot be printed, which is said; the file is written all the same."""
    (tmp_path / "sweep.toml").write_text('problem = "binary"\ngrid = {epsilon = 1, prevalence = "1/4"}\n')
    file = tmp_path / "c.json"
    file.write_text("{}")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", *command, file], stdout=full, stderr=subprocess.PIPE, check=False, cwd=tmp_path
        )
    assert done.returncode == 2
    assert said in done.stderr
    assert not re.search(b"Traceback|Exception|not written", done.stderr)
    assert (file.stat().st_size > 10) == (command[-1] in ("--certificate", "--output"))


@pytest.mark.parametrize(
    "backend",
    [pytest.param("nonsense", marks=pytest.mark.slow), "module://matplotlib_inline.backend_inline"],
)
def test_a_notebook_s_backend_does_not_matter_to_files(tmp_path: Path, backend: str) -> None:
    file = tmp_path / "g.svg"
    done = subprocess.run(
        [sys.executable, "-m", "rropt.cli.main", "plot", "g", "--values", "1/4", "--output", str(file)],
        env={**os.environ, "MPLBACKEND": backend},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"</svg>" in file.read_bytes()


@few_rows(1)
@pytest.mark.parametrize(("closed", "status"), [(1, 2), (2, 0)])
def test_a_closed_stream(tmp_path: Path, closed: int, status: int) -> None:
    """Nothing is printed where nobody reads, and no remark lands in the answer."""
    argv = [
        "privacy",
        "--level",
        "posterior:1/5,1/2",
        "--json",
        "--certificate",
        str(tmp_path / "c.json"),
    ]
    closing = ["sh", "-c", f'exec "$0" "$@" {closed}>&-', sys.executable, "-m", "rropt.cli.main"]
    done = subprocess.run([*closing, *argv], capture_output=True, check=False, text=True)
    assert done.returncode == status
    assert (tmp_path / "c.json").exists() == (status == 0)
    if status == 0:
        assert json.loads(done.stdout)["value"] == "4"
    else:
        assert done.stderr.count("\n") == 1
        assert "standard output is closed" in done.stderr
