"""The checker trusts nobody: what it loads, how it runs as a copied folder, what it prints."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from adversary.stored import short_texts
from few_rows import few_rows

import rropt.checker
from rropt.checker import verdicts
from rropt.checker.__main__ import guarded

FRONT = ("lazy", "argument_checks", "errors", "visible")  # parts of the front page of rropt
ISOLATED = [sys.executable, "-E", "-s", "-S"]  # no site-packages, no environment: only the folder one stands in


def run(command: list[str], cwd: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command with its output captured."""
    env = {**os.environ, **environment}
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, timeout=60, check=False)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Files of every kind in ``tmp_path``, with the verdict that each must get."""
    texts = short_texts("binary-bracket")
    content = {
        "good.json": texts[0],
        "other.json": texts[-1],
        "bad.json": texts[0].replace('"lower": "', '"lower": "1'),
    }
    content |= {"empty.json": "", "not json.txt": "hello", "list.json": "[]", "unicode.json": '{"é\u2028": "1"}'}
    for name, text in content.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return {name: "accepted" if name in ("good.json", "other.json") else "rejected" for name in content}


def test_importing_the_checker_loads_the_standard_library_only(tmp_path: Path) -> None:
    script = (
        "import sys; before = set(sys.modules); from rropt.checker import check_text\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    done = run([sys.executable, "-c", script], tmp_path)
    assert done.returncode == 0, done.stderr
    loaded = done.stdout.decode().split()
    ours = {name for name in loaded if name.split(".")[0] == "rropt"}
    assert "rropt.checker" in ours
    front_page = {"rropt", "rropt.core", *(f"rropt.core.{name}" for name in FRONT)}
    assert all(name in front_page or name.startswith("rropt.checker") for name in ours), ours
    foreign = {name for name in loaded if name.split(".")[0] not in {*sys.stdlib_module_names, "rropt"}}
    assert not foreign


@pytest.mark.slow
def test_the_folder_alone_gives_the_same_verdicts(tmp_path: Path, files: dict[str, str]) -> None:
    folder = Path(rropt.checker.__file__).parent
    shutil.copytree(folder, tmp_path / "checker", ignore=shutil.ignore_patterns("__pycache__"))
    assert run([*ISOLATED, "-c", "import rropt"], tmp_path).returncode != 0
    alone = run([*ISOLATED, "-m", "checker", *files], tmp_path)
    installed = run([sys.executable, "-m", "rropt.checker", *files], tmp_path)
    assert alone.returncode == installed.returncode == 1
    assert alone.stdout == installed.stdout
    assert alone.stderr == installed.stderr == b""
    lines = alone.stdout.decode().splitlines()
    assert len(lines) == len(files)
    for line, (name, verdict) in zip(lines, files.items(), strict=True):
        assert line.startswith(f"{name}: {verdict}"), line


@few_rows(2)
@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["good.json"], 0),
        (["good.json", "other.json"], 0),
        (["bad.json"], 1),
        (["good.json", "bad.json"], 1),
        (["bad.json", "good.json"], 1),
        (["missing.json"], 2),
        (["missing.json", "good.json"], 2),
        (["bad.json", "missing.json"], 2),
        (["."], 2),
        (["--unknown"], 2),
        ([], 2),
        (["--help"], 0),
    ],
)
def test_exit_status(arguments: list[str], status: int, tmp_path: Path, files: dict[str, str]) -> None:
    assert files
    done = run([sys.executable, "-m", "rropt.checker", *arguments], tmp_path)
    assert done.returncode == status
    assert b"Traceback" not in done.stderr
    assert (b"cannot be read" in done.stderr) == (status == 2 and bool(arguments))


@few_rows(1)
@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "cp1252"])
def test_any_terminal_can_show_the_verdict(encoding: str, tmp_path: Path, files: dict[str, str]) -> None:
    """A reason repeats a piece of the file, and a path may hold bytes that are no text: neither may crash the print."""
    odd = os.fsencode(tmp_path) + "/é\u2028".encode() + b"\xff.json"
    try:
        shutil.copy(tmp_path / "good.json", odd)
    except OSError:
        pytest.skip("this file system does not take names that are no text")
    command = [sys.executable, "-m", "rropt.checker", "good.json", os.fsdecode(odd)]
    done = run(command, tmp_path, PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (0, b"")
    rule = (tmp_path / "good.json").read_text().replace('"binary-bracket"', '"bínary\u4e2d"')
    (tmp_path / "rule.json").write_text(rule, encoding="utf-8")
    done = run([sys.executable, "-m", "rropt.checker", "rule.json", *files], tmp_path, PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (1, b"")
    assert len(done.stdout.splitlines()) == 1 + len(files)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_a_pipe_is_read_once_or_refused(
    tmp_path: Path, files: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A pipe is judged as its file is, also if its writer comes late; without a writer it is refused in one line."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for name in files.keys() - {"empty.json"}:
        text = (tmp_path / name).read_bytes()
        expected = guarded([str(tmp_path / name)])
        writer = threading.Timer(0.2, pipe.write_bytes, [text])
        writer.start()
        assert guarded([str(pipe)]) == expected
        writer.join()
    monkeypatch.setattr(verdicts, "_LOOKS", 2)
    capsys.readouterr()
    assert guarded([str(pipe), str(tmp_path / "good.json")]) == 2
    told = capsys.readouterr()
    assert told.err.count("\n") == 1
    assert "no program writes to this pipe" in told.err
    assert "good.json: accepted: " in told.out
