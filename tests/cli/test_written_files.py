"""Every option that writes: devices, FIFOs, links and modes stay what they are, and a late error loses no answer."""

from __future__ import annotations

import json
import os
import shlex
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from stored_cases import cases_of

from rropt.checker import check_text

WRITERS = cases_of(__file__)["writers"]


# one call of three in every run
@pytest.fixture(params=[pytest.param(name, marks=[pytest.mark.slow][: i % 3]) for i, name in enumerate(WRITERS)])
def writer(request: pytest.FixtureRequest, tmp_path: Path, cli):
    """Return the path that a call writes to, a function that makes the call, and whether it prints no answer."""
    line, option, name = WRITERS[request.param]
    arguments = shlex.split(line)
    folder = tmp_path / "written"
    folder.mkdir()
    (tmp_path / "data").write_text("0\n1\n")
    value = str(folder if name == "1-to-2.json" else folder / name)
    argv = [str(tmp_path / "data") if argument == "DATA" else argument for argument in arguments]
    silent = arguments[0] in ("plot", "randomize")  # their answer is the file
    return folder / name, lambda: cli(*argv, option, value), silent


def mknod(path: Path, minor: int) -> None:
    """Make a character device of the memory driver: 3 is null, 7 is full."""
    if os.geteuid():
        pytest.skip("mknod of a device needs root")
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, minor))
        path.open("rb").close()
    except OSError as error:
        pytest.skip(f"no device can be made and opened here: {error.strerror}")


def written(writer: tuple[Path, Callable[[], tuple[int, str, str]], bool]) -> str:
    """Make the call, which must succeed, and return what it said on standard error."""
    status, _, err = writer[1]()
    assert status == 0, err
    return err


def test_a_device_stays_a_device(writer) -> None:
    path = writer[0]
    mknod(path, 3)
    before = path.lstat()
    written(writer)
    after = path.lstat()
    assert stat.S_ISCHR(after.st_mode)
    assert (after.st_ino, after.st_rdev, after.st_mode) == (before.st_ino, before.st_rdev, before.st_mode)
    assert not [other.name for other in path.parent.iterdir() if other.name.startswith(".")]


def test_a_full_device_loses_no_answer(writer) -> None:
    path, call, silent = writer
    mknod(path, 7)
    status, out, err = call()
    assert status == 2
    assert out or silent
    assert err.splitlines()[-1].startswith("rropt: cannot write")
    assert "No space left" in err
    assert "written to" not in err
    assert stat.S_ISCHR(path.lstat().st_mode)
    assert [other.name for other in path.parent.iterdir()] == [path.name], "of several files none is written"


def test_a_fifo_stays_a_fifo(writer) -> None:
    path = writer[0]
    os.mkfifo(path)
    read: list[bytes] = []
    thread = threading.Thread(target=lambda: read.append(path.read_bytes()), daemon=True)
    thread.start()
    written(writer)
    thread.join(10)
    assert stat.S_ISFIFO(path.lstat().st_mode)
    assert read
    assert read[0].endswith(b"\n") or b"</html>" in read[0]


def test_links_and_modes_stay(writer) -> None:
    path = writer[0]
    file = path.parent.parent / "file"
    file.write_text("before")
    file.chmod(0o640)
    path.symlink_to(file)
    written(writer)
    assert path.is_symlink()
    assert (stat.S_IMODE(file.stat().st_mode), file.stat().st_nlink) == (0o640, 1)
    assert file.read_bytes() not in (b"", b"before")


def test_an_answer_is_printed_whatever_happens_to_its_file(cli, tmp_path: Path) -> None:
    mknod(tmp_path / "full", 7)
    page = tmp_path / "page.html"
    page.write_text("before")
    argv = ["design", "binary", "--gamma", "2", "--prevalence", "1/4", "--certificate", str(tmp_path / "full")]
    status, out, err = cli(*argv, "--report", str(page), "--json")
    assert status == 2
    assert json.loads(out)["value"]
    assert err.count("\n") == 1
    assert page.read_text() == "before"


def test_a_crash_while_a_picture_is_drawn_comes_after_the_answer(
    cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object, **__: object) -> bytes:
        raise ZeroDivisionError

    monkeypatch.setattr("rropt.plots.figures.Figure.to_bytes", crash)
    argv = [
        "compare",
        "warner:3/4",
        "warner:2/3",
        "--certificate",
        str(tmp_path / "c"),
        "--plot",
        str(tmp_path / "o.png"),
    ]
    status, out, err = cli(*argv)
    assert status == 3
    assert "better" in out
    assert "please report" in err
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_standard_output_takes_a_file_too(tmp_path: Path) -> None:
    """``--certificate /dev/stdout > file``: both stand in the file, the answer first."""
    file = tmp_path / "all"
    argv = ["privacy", "--level", "posterior:1/5,1/2", "--json", "--certificate", "/dev/stdout"]
    with file.open("wb") as stream:
        done = subprocess.run([sys.executable, "-m", "rropt.cli.main", *argv], stdout=stream, check=False)
    assert done.returncode == 0
    first, _, rest = file.read_text().partition("\n")
    assert json.loads(first)["value"] == "4"
    assert check_text(rest)
