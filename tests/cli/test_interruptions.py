"""Ctrl-C and SIGTERM at any moment: one line, the status of the signal, and nothing left behind.

Which moment a signal meets depends on the load of the machine. So a command that reads to its end before the signal
counts too: it has printed everything or nothing, with the status that belongs to it.
"""

from __future__ import annotations

import functools
import gzip
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from later import later

from rropt.cli import interruptions
from rropt.core.errors import FileFormatError
from rropt_fieldwork.reading.sources import damage_errors, reading_errors

duckdb = later("duckdb")
RROPT = Path(sys.executable).with_name("rropt")
STATUS = {signal.SIGINT: 130, signal.SIGTERM: 143}
ROWS = 200_000

pytestmark = pytest.mark.skipif(not RROPT.exists(), reason="the command is not installed beside this Python")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("large")
    (made / "a.csv").write_text("a,x\n" + "0,1.5\n1,2\n0,2\n1,1.5\n" * (ROWS // 4))
    (made / "a.csv.gz").write_bytes(gzip.compress((made / "a.csv").read_bytes(), 1))
    duckdb.sql(f"COPY (FROM '{made}/a.csv') TO '{made}/a.parquet'")
    return made


def started(folder: Path, *words: str, stdin: Any = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
    return subprocess.Popen([RROPT, *words], cwd=folder, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def ended(process: subprocess.Popen[bytes], number: int) -> None:
    """Send the signal to a command that cannot have ended before, and look at how it ends."""
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err.count(b"\n")) == (STATUS[signal.Signals(number)], b"", 1), err
    assert err.startswith(b"rropt: interrupted")


def ended_or_done(process: subprocess.Popen[bytes], number: int, whole: tuple[bytes, bytes]) -> None:
    """Send the signal to a command that may be done, and look at how it ends; `whole`: what it prints undisturbed."""
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    *notes, last = err.splitlines(keepends=True) or [b""]
    if process.returncode == 0:
        assert (out, err) == whole
        return
    assert process.returncode == STATUS[signal.Signals(number)], err
    assert last.startswith(b"rropt: interrupted")
    assert out in (b"", whole[0])
    assert b"".join(notes) in (b"", whole[1])


def wait_until(is_so: Any) -> None:
    for _ in range(30_000):  # at least a minute
        if is_so():
            return
        time.sleep(0.002)
    raise AssertionError("it did not become so")


def is_importing(process: subprocess.Popen[bytes], what: str) -> bool:
    """Return whether a process has loaded a shared library (a moment that no clock decides), or has ended."""
    return process.poll() is not None or what in Path(f"/proc/{process.pid}/maps").read_text()


READERS = {
    "csv": ("estimate", "a.csv", "--column", "a", "--mechanism", "warner:3/4"),
    "parquet": ("estimate", "a.parquet", "--column", "a", "--mechanism", "warner:3/4"),
    "gz": ("estimate", "a.csv.gz", "--column", "a", "--mechanism", "warner:3/4"),
    "regress": ("regress", "a.csv", "--formula", "a ~ x", "--mechanism", "warner:3/4"),
    "count": ("count", "a.csv", "--column", "a", "--mechanism", "warner:3/4"),
}


@pytest.fixture(scope="module")
def whole(folder: Path) -> Callable[[str], tuple[bytes, bytes]]:
    """Run a reader undisturbed, once."""

    @functools.cache
    def run(kind: str) -> tuple[bytes, bytes]:
        done = subprocess.run([RROPT, *READERS[kind]], cwd=folder, capture_output=True, check=True)
        return done.stdout, done.stderr

    return run


@pytest.mark.slow
@pytest.mark.parametrize(("library", "number"), [("_json", 2), ("_multiarray_umath", 15), ("duckdb", 2)])
def test_during_the_imports(folder: Path, whole: Any, library: str, number: int) -> None:
    process = started(folder, *READERS["csv"])
    wait_until(lambda: is_importing(process, library))
    ended_or_done(process, number, whole("csv"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "number"), [("csv", 2), ("csv", 15), ("parquet", 2), ("gz", 15), ("regress", 2), ("count", 2)]
)
def test_while_a_table_is_read(folder: Path, whole: Any, kind: str, number: int, size: Any) -> None:
    """The reader is loaded; at full size at more moments, up to the end of the command."""
    for delay in (0.2 if kind != "count" else 0.02,) if not size(0, 1) else (0.0, 0.1, 0.2, 0.4, 0.8, 1.6):
        process = started(folder, *READERS[kind])
        wait_until(lambda process=process: is_importing(process, "duckdb" if kind != "count" else "_multiarray"))
        time.sleep(delay)
        ended_or_done(process, number, whole(kind))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "number"),
    [(("estimate", "-", "--column", "a"), 2), (("count", "-"), 15), (("count", "-", "--column", "a"), 2)],
)
def test_while_standard_input_is_awaited(folder: Path, words: tuple[str, ...], number: int) -> None:
    process = started(folder, *words, "--mechanism", "warner:3/4", stdin=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write(b"a,x\n" + b"0,1\n" * 50_000 if "--column" in words else b"0\n" * 200_000)  # beyond a pipe
    process.stdin.flush()
    process.send_signal(number)
    ended(process, number)


@pytest.mark.slow
@pytest.mark.parametrize("number", STATUS)
def test_while_an_output_is_written(folder: Path, tmp_path: Path, number: int) -> None:
    output = tmp_path / "out.csv"
    output.write_text("old")
    words = ("randomize", "-", "--column", "a", "--mechanism", "warner:3/4", "--output", str(output))
    process = started(folder, *words, stdin=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write((folder / "a.csv").read_bytes())  # and no end of the file: it waits
    process.stdin.flush()
    wait_until(lambda: any(one.name.endswith(".part") for one in tmp_path.iterdir()))
    ended(process, number)
    assert [one.name for one in tmp_path.iterdir()] == ["out.csv"]
    assert output.read_text() == "old"


@pytest.mark.slow
@pytest.mark.parametrize("number", STATUS)
def test_programs_that_were_started_end_too(tmp_path: Path, number: int) -> None:
    box = tmp_path / "box.py"
    box.write_text("import os, time\nopen('pid', 'w').write(f'{os.getpid()} ')\ntime.sleep(100)\n")
    process = started(tmp_path, "audit", "--command", f"{sys.executable} {box}", "--claim", "1", "--inputs", "0,1")
    pid = tmp_path / "pid"
    wait_until(lambda: process.poll() is not None or (pid.exists() and pid.read_text().endswith(" ")))
    assert process.poll() is None, process.stderr.read() if process.stderr else ""
    ended(process, number)
    wait_until(lambda: not Path(f"/proc/{pid.read_text().strip()}").exists())


@pytest.mark.parametrize(("modules", "said"), [("os", b"rropt: interrupted\n"), ("os, multiprocessing", b"")])
def test_one_line_of_all_processes(modules: str, said: bytes) -> None:
    """Ctrl-C reaches the processes of a pool too, which import the command; the one that started them reports it."""
    program = f"import {modules}, signal, rropt_command; os.kill(os.getpid(), signal.SIGINT)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", said)


@pytest.mark.slow
def test_a_command_that_ignores_signals_keeps_doing_so(folder: Path) -> None:
    """As under nohup; the signal before the imports, and all signals later."""
    process = subprocess.Popen(
        ["/bin/sh", "-c", f"trap '' INT TERM; exec {RROPT} estimate a.csv --column a --mechanism warner:3/4"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    wait_until(lambda: is_importing(process, "_multiarray_umath"))
    for number in STATUS:
        process.send_signal(number)
    assert process.communicate(timeout=60)[0]
    assert process.returncode == 0


WAYS = {
    "InterruptException": "INTERRUPT Error: Interrupted!",
    "RuntimeError": "Query interrupted",
    "InvalidInputException": (
        "Invalid Input Error: Python exception occurred while executing the UDF: KeyboardInterrupt: "
    ),
}


@pytest.mark.parametrize("name", WAYS)
def test_the_ways_in_which_duckdb_reports_an_interruption(name: str) -> None:
    error = (RuntimeError if name == "RuntimeError" else getattr(duckdb, name))(WAYS[name])
    for guard in (reading_errors, damage_errors):
        with pytest.raises(KeyboardInterrupt), guard("the table"):
            raise error
    with pytest.raises(FileFormatError), reading_errors("the table"):
        raise duckdb.InvalidInputException("KeyboardInterrupt")  # the content of a cell
    with pytest.raises(RuntimeError), reading_errors("the table"):
        raise RuntimeError("KeyboardInterrupt")


@pytest.mark.parametrize("error", [FileFormatError("damaged"), RuntimeError("x"), None])
def test_after_a_signal_no_result_counts(
    error: Exception | None, cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A library may lose the interruption, or replace it by an error of its own."""
    output = tmp_path / "m.json"
    words = ("compare", "--admissible", "warner:3/4")
    assert cli(*words)[0] == 0
    monkeypatch.setattr(interruptions, "received", [signal.SIGTERM])
    if error is not None:

        def broken(*_: object, **__: object) -> None:
            raise error

        monkeypatch.setattr("rropt.cli.main._run_command", broken)
    status, _, err = cli(*words)
    assert (status, err.count("\n")) == (143, 1)
    assert "interrupted" in err
    assert not output.exists()


def test_both_signals_are_heard_unless_they_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[int, Any] = {}
    ignored = {signal.SIGTERM}
    monkeypatch.setattr(signal, "signal", lambda number, handler: asked.update({number: handler}))
    monkeypatch.setattr(signal, "getsignal", lambda number: signal.SIG_IGN if number in ignored else None)
    printed: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", printed.append)  # the handler replaces both
    monkeypatch.setattr(threading, "excepthook", printed.append)
    monkeypatch.setattr(interruptions, "received", [])
    monkeypatch.setattr(interruptions, "_end_children", lambda: None)
    interruptions.listen()
    assert set(asked) == {signal.SIGINT}
    ignored.clear()
    interruptions.listen()
    with pytest.raises(KeyboardInterrupt):
        asked[signal.SIGTERM](signal.SIGTERM, None)
    thread = threading.Thread(target=lambda: 1 / 0)  # as that of a pool, whose processes have ended
    thread.start()
    thread.join()
    assert printed == []
    assert interruptions.status() == 143
    interruptions.stop_listening()
    assert asked == {signal.SIGINT: signal.SIG_IGN, signal.SIGTERM: signal.SIG_IGN}
    interruptions.received.clear()
    assert interruptions.status() == 130
