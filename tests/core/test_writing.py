"""Writing: what a path leads to keeps its kind, its mode, its owner and its other names, and fails whole."""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from rropt.core.errors import FileAccessError, InvalidParameterError
from rropt.core.files import Target, require_folder, stream_bytes, write_bytes, write_files, write_text
from rropt.core.files.resuming import journal, write_named_by_content
from rropt.core.files.streams import is_stream
from rropt.core.files.targets import require_distinct
from rropt.core.files.writing import being_filled

ROOT = os.geteuid() == 0
NOBODY = 65534


def device(path: Path, minor: int, mode: int = 0o666) -> Path:
    """A character device of the memory driver: 3 is null, 7 is full."""
    if not ROOT:
        pytest.skip("mknod of a device needs root")
    try:
        os.mknod(path, stat.S_IFCHR | mode, os.makedev(1, minor))
        path.open("rb").close()
    except OSError as error:
        pytest.skip(f"no device can be made and opened here: {error.strerror}")
    return path


@pytest.fixture
def umask() -> Iterator[Callable[[int], None]]:
    before = os.umask(0o022)
    yield lambda value: print(f"umask {os.umask(value):o} becomes {value:o}")
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def read_fifo(path: Path) -> tuple[threading.Thread, list[bytes]]:
    found: list[bytes] = []
    thread = threading.Thread(target=lambda: found.append(path.read_bytes()), daemon=True)
    thread.start()
    return thread, found


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o027, 0o077])
def test_a_new_file_has_the_mode_that_the_umask_leaves(tmp_path: Path, umask: Callable[[int], None], mask: int) -> None:
    umask(mask)
    write_text(tmp_path / "new", "text\n")
    assert mode(tmp_path / "new") == 0o666 & ~mask
    umask(mask)
    assert names_in(tmp_path) == ["new"]


def test_the_umask_of_the_process_is_never_touched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(_: int) -> int:
        raise AssertionError("the umask belongs to all threads")

    monkeypatch.setattr(os, "umask", never)
    write_text(tmp_path / "new", "text")
    write_text(tmp_path / "new", "again")
    assert (tmp_path / "new").read_text() == "again"


@pytest.mark.parametrize("old", [0o600, 0o640, 0o644, 0o664, 0o755, 0o666])
def test_a_file_keeps_its_mode(tmp_path: Path, old: int) -> None:
    file = tmp_path / "file"
    file.write_text("before, and longer")
    file.chmod(old)
    before = file.stat().st_ino
    write_text(file, "after")
    assert (file.read_text(), mode(file)) == ("after", old)
    assert file.stat().st_ino != before, "replaced whole"
    assert names_in(tmp_path) == ["file"]


@pytest.mark.skipif(not ROOT, reason="chown needs root")
def test_a_file_keeps_its_owner(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("before")
    os.chown(file, NOBODY, NOBODY)
    file.chmod(0o640)
    write_text(file, "after")
    status = file.stat()
    assert (status.st_uid, status.st_gid, mode(file)) == (NOBODY, NOBODY, 0o640)


@pytest.mark.parametrize("relative", [True, False])
def test_links_stay(tmp_path: Path, relative: bool) -> None:
    (tmp_path / "folder").mkdir()
    file = tmp_path / "folder" / "file"
    file.write_text("before")
    file.chmod(0o640)
    link, second = tmp_path / "link", tmp_path / "second"
    link.symlink_to("folder/file" if relative else file)
    second.symlink_to(link)
    write_text(second, "after")
    assert link.is_symlink()
    assert second.is_symlink()
    assert not file.is_symlink()
    assert (file.read_text(), mode(file)) == ("after", 0o640)
    link.unlink()
    link.symlink_to("folder/later")  # to nothing yet
    write_text(link, "made")
    assert link.is_symlink()
    assert (tmp_path / "folder" / "later").read_text() == "made"
    assert names_in(tmp_path / "folder") == ["file", "later"]


def test_hard_links_stay_one_file(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_text("before, and longer")
    second.hardlink_to(first)
    write_text(first, "after")
    assert second.read_text() == "after"
    assert first.samefile(second)


def test_a_fifo_stays_a_fifo(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    thread, found = read_fifo(fifo)
    write_bytes(fifo, b"x" * 200_000)
    thread.join(10)
    assert found == [b"x" * 200_000]
    assert stat.S_ISFIFO(fifo.stat().st_mode)
    assert names_in(tmp_path) == ["fifo"]


def test_devices_stay_devices(tmp_path: Path) -> None:
    null, full = device(tmp_path / "null", 3), device(tmp_path / "full", 7)
    write_text(null, "gone")
    with pytest.raises(FileAccessError, match="No space left"):
        write_text(full, "too much")
    for path in (null, full):
        assert stat.S_ISCHR(path.lstat().st_mode)
        assert mode(path) == 0o666 & ~_umask()
    assert names_in(tmp_path) == ["full", "null"]


def _umask() -> int:
    value = os.umask(0o022)
    os.umask(value)
    return value


def test_of_several_files_all_or_none(tmp_path: Path) -> None:
    full, old = device(tmp_path / "full", 7), tmp_path / "old"
    two = tmp_path / "two"
    old.write_text("before")
    two.write_text("before, under two names")
    (tmp_path / "names").hardlink_to(two)
    for names in (["old", "new", "two", "full"], ["full", "two", "new", "old"]):
        with pytest.raises(FileAccessError, match="full'"):
            write_files([(tmp_path / name, b"after") for name in names], folders=[tmp_path / "a" / "b"])
        assert (old.read_text(), two.read_text()) == ("before", "before, under two names")
        assert names_in(tmp_path) == ["full", "names", "old", "two"]
    full.unlink()
    write_files(
        [(tmp_path / name, b"after") for name in ("old", "new", "two", "a/b/c")], folders=[tmp_path / "a" / "b"]
    )
    for name in ("old", "new", "two", "a/b/c", "names"):
        assert (tmp_path / name).read_bytes() == b"after"


def test_an_interrupt_between_two_files_leaves_no_other_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pathlib.Path.replace", interrupted)
    (tmp_path / "one").write_text("before")
    with pytest.raises(KeyboardInterrupt):
        write_files([(tmp_path / "one", b"after"), (tmp_path / "two", b"after")])
    assert (tmp_path / "one").read_text() == "before"
    assert names_in(tmp_path) == ["one"]


@pytest.mark.parametrize("second", ["file", "./file", "folder/../file", "link", "hard"])
def test_one_file_cannot_be_two_outputs(tmp_path: Path, second: str) -> None:
    file = tmp_path / "file"
    file.write_text("before")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "hard").hardlink_to(file)
    with pytest.raises(InvalidParameterError, match="same file"):
        write_files([(file, b"1"), (f"{tmp_path}/{second}", b"2")])
    assert file.read_text() == "before"
    with pytest.raises(InvalidParameterError, match="same file"):
        write_files([(tmp_path / "new", b"1"), (f"{tmp_path}/folder/../new", b"2")])


def test_an_output_is_no_input_after_names_that_are_no_files(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("before")
    inputs = [("the text", "2/3,1/6"), ("the file", str(tmp_path / "missing")), ("the data", str(tmp_path / "data"))]
    require_distinct([("--report", Target.of(tmp_path / "new"))], inputs)
    with pytest.raises(InvalidParameterError, match=r"--report is the input itself: .* the file of the data"):
        require_distinct([("--report", Target.of(tmp_path / "data"))], inputs)


def test_a_file_of_a_standard_stream_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As ``/dev/stdout`` of a shell that redirects it to the file."""
    file = tmp_path / "file"
    file.write_text("before")
    with file.open() as shared:
        assert Target.of(file).is_file
        monkeypatch.setattr("rropt.core.files.targets._STANDARD_STREAMS", (10**6, shared.fileno()))
        target = Target.of(file)
        assert target.stream == shared.fileno()
        assert not target.is_file


@pytest.mark.parametrize(
    "name",
    ["", ".", "folder", "folder/", "new/", "missing/file", "missing/../file", "file/below", "loop", "n\0ul", "x" * 300],
)
def test_what_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    Path("file").write_text("before")
    Path("loop").symlink_to("loop")
    with pytest.raises(FileAccessError, match="cannot write"):
        Target.of(name)  # known before any work
    with pytest.raises(FileAccessError, match="cannot write") as error:
        write_text(name, "after")
    assert "\n" not in str(error.value)
    assert Path("file").read_text() == "before"
    assert names_in(Path()) == ["file", "folder", "loop"]


@pytest.mark.parametrize("name", [3, None, b"\0", 1.5])
def test_what_is_no_path(name: object) -> None:
    with pytest.raises(FileAccessError, match="cannot write"):
        write_text(name, "x")  # type: ignore[arg-type]


def test_folders(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("before")
    for name in ("", f"{tmp_path}/file", f"{tmp_path}/file/below", "n\0ul"):
        with pytest.raises(FileAccessError, match="name a folder"):
            require_folder(name)
    require_folder(tmp_path / "a" / "b")
    assert names_in(tmp_path) == ["file"], "looking makes nothing"


@pytest.mark.skipif(not ROOT, reason="only root can make a child that is nobody")
def test_without_permission() -> None:
    """As nobody: a closed folder's new file is refused, its writable file is written in place, a closed file is not."""
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        top.chmod(0o755)
        if not all(folder.stat().st_mode & stat.S_IXOTH for folder in top.parents):
            pytest.skip(f"others cannot enter {top.parent}")
        closed, shared = top / "closed", top / "shared"
        for folder, permission in ((closed, 0o755), (shared, 0o777)):
            folder.mkdir()
            folder.chmod(permission)
        for file, permission in ((closed / "open", 0o666), (closed / "shut", 0o644), (shared / "owned", 0o666)):
            file.write_text("before")
            file.chmod(permission)
        assert _status_as_nobody(closed, shared) == 0
        assert ((closed / "open").read_text(), (closed / "shut").read_text()) == ("after", "before")
        assert (shared / "owned").read_text() == "after"
        assert (shared / "owned").stat().st_uid == 0, "its owner could not be kept by another file"
        assert names_in(closed) == ["open", "shut"]
        assert names_in(shared) == ["owned"]


def _status_as_nobody(closed: Path, shared: Path) -> int:
    child = os.fork()
    if not child:  # no assertion may leave the child
        wrong = 1
        try:
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
            wrong = _wrong_as_nobody(closed, shared)
        finally:
            os._exit(wrong)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _wrong_as_nobody(closed: Path, shared: Path) -> int:
    """Return 0, or the number of the first step that went otherwise."""
    for step, name in enumerate(("new", "shut"), start=2):
        for attempt in (Target.of, lambda path: write_text(path, "after")):
            with suppress(FileAccessError):
                attempt(closed / name)
                return step
    write_text(closed / "open", "after")
    write_text(shared / "owned", "after")
    return 0


def test_pipes_and_devices_can_be_read_once() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "file").write_text("x", encoding="utf-8")
        os.mkfifo(folder / "pipe")
        paths = (folder / "file", folder, folder / "pipe", Path("/dev/null"))
        assert [is_stream(str(path)) for path in paths] == [False, False, True, True]


def test_a_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    pipe, content = tmp_path / "pipe", os.urandom(200_000)
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(content,), daemon=True)
    writer.start()
    assert stream_bytes(str(pipe)) == content
    writer.join()


def test_a_journal_keeps_the_lines_before_the_first_incomplete_one(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with suppress(KeyboardInterrupt), journal(str(path)) as (lines, append):
        assert lines == []
        for line in (b"one", b"", b"three parts"):
            append(line)
        raise KeyboardInterrupt
    whole = path.read_bytes()
    for kept, content in (
        (3, whole),
        (3, whole + b"0123 four"),
        (2, whole[:-1]),
        (1, whole.replace(b" \n", b" x\n")),
        (0, b"x" + whole),
    ):
        path.write_bytes(content)
        with suppress(KeyboardInterrupt), journal(str(path)) as (lines, append):
            assert lines == [b"one", b"", b"three parts"][:kept]
            append(b"further")
            raise KeyboardInterrupt
        with journal(str(path)) as (lines, _):
            assert lines[kept:] == [b"further"]
        assert not path.exists()


def test_a_file_is_named_by_its_content(tmp_path: Path, umask: Callable[[int], None]) -> None:
    umask(0o022)
    digest = write_named_by_content(str(tmp_path), b"content", ".json")
    assert (
        digest == hashlib.sha256(b"content").hexdigest() == write_named_by_content(str(tmp_path), b"content", ".json")
    )
    (file,) = tmp_path.iterdir()
    assert (file.name, file.read_bytes()) == (f"{digest}.json", b"content")
    assert mode(file) == 0o644


def test_folders_of_killed_processes_are_removed_and_those_in_use_stay(tmp_path: Path) -> None:
    target = tmp_path / "table.parquet"
    with being_filled(target, suffix=".parquet") as first:
        in_use = first.parent
        (left := in_use.with_name(in_use.name.replace(in_use.name[-12:-6], "abcdef"))).mkdir()
        (left / "part").write_text("half")
        with being_filled(tmp_path / "other", suffix=".parquet") as second:
            second.write_text("other")
            assert not left.exists()
            assert in_use.exists()
        first.write_text("whole")
    assert names_in(tmp_path) == ["other", "table.parquet"]
    assert target.read_text() == "whole"
