"""Writing: every file of rropt (except those of ``resuming``) is written here, completely or not at all.

A regular file is replaced atomically by a temporary file in the same folder, which receives the old file's mode and
owner. A new file gets the mode that the umask allows; the system applies the umask itself. If the path is a symbolic
link, the link stays and the file to which it points is replaced. A device, a FIFO or a standard stream is opened and
written to.

Some files cannot be replaced by a new file: a file with several names (hard links), a file whose owner cannot be kept,
or a file in a folder that takes no new file. Such a file is overwritten in place. If that fails, its old content is
restored.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from typing import BinaryIO

from rropt.core.files.targets import Target, can_be_written, require_distinct

AnyPath = str | os.PathLike[str]

_PART = ".rropt-"  # prefix of the names of temporary files and folders
_FILLING = ".part"  # suffix of the names of folders in which a file is being made


def write_text(path: AnyPath, text: str) -> None:
    """Write ``text`` as UTF-8, atomically."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: AnyPath, data: bytes) -> None:
    """Write one file atomically; a target that is not a regular file is opened and written to.

    Raises:
        FileAccessError: the folder or the file cannot be written.
    """
    write_files([(path, data)])


def write_lines(made: Path, lines: Iterable[str]) -> None:
    """Write lines to the file that ``being_filled`` makes."""
    with made.open("w", encoding="utf-8", newline="") as stream:
        stream.writelines(lines)


def write_files(
    contents: Sequence[tuple[AnyPath, bytes]], *, folders: Iterable[AnyPath] = (), private: Container[AnyPath] = ()
) -> None:
    """Write several files: all of them or none, as far as the system allows.

    First, all contents are written to temporary files next to their targets. Then the targets that cannot be replaced
    are written in place. Last, the temporary files are renamed, which hardly ever fails. Bytes sent to a device or a
    FIFO cannot be taken back.

    Args:
        contents: path and bytes of each file.
        folders: folders to create first if they are missing, with their parents.
        private: the paths of the files that only their owner may read, if they are new.

    Raises:
        FileAccessError: a file cannot be written; the other files are then left as they were.
        InvalidParameterError: two paths lead to the same file.
    """
    with ExitStack() as undo:
        for folder in folders:
            _make_folder(folder, undo)
        targets = [(Target.of(path), data) for path, data in contents]
        require_distinct([("a file", target) for target, _ in targets])
        secret = [path in private for path, _ in contents]
        ready = [(*one, _write_temporary(*one, undo, private=own)) for one, own in zip(targets, secret, strict=True)]
        for target, data, temporary in ready:
            if target.is_file and temporary is None:
                _overwrite(target, data, undo)
        for target, data, _ in ready:
            if not target.is_file:
                _write_to_device(target, data)
        for target, data, temporary in ready:
            if temporary is not None:
                _rename(target, data, temporary, undo)


@contextmanager
def being_filled(path: AnyPath, *, suffix: str) -> Iterator[Path]:
    """Yield the name of a temporary file for the caller to write; the file then replaces the target.

    This is for content that does not fit into memory. The temporary file is in a private folder next to the target,
    which no other user can read. The folder is removed at the end, also after an error. If the process is killed, the
    next process that uses the same parent folder removes it: a folder in use is locked, one left behind is not.

    Args:
        path: the path of the target: a regular file with one name (no hard links), or a path without a file.
        suffix: the suffix of the name of the temporary file.

    Raises:
        FileAccessError: the target cannot be written, or is not such a file.
    """
    target = Target.of(path)
    with ExitStack() as undo:
        with can_be_written(target.name):
            if not target.is_file or (target.found is not None and not _is_replaceable(target, target.found)):
                raise OSError(
                    errno.EINVAL, "it is not a regular file with a single name, and cannot be replaced by a new file"
                )
            beside = target.file.parent
            _remove_left_behind(beside)
            folder = beside / f"{_PART}{os.urandom(8).hex()}{_FILLING}"
            undo.callback(rmtree, folder, ignore_errors=True)  # first: an interruption may follow any step
            folder.mkdir(mode=0o700)
            _lock(folder, undo)
        made = folder / f"answers{suffix}"
        yield made
        with can_be_written(target.name):
            handle = os.open(made, os.O_RDWR | os.O_CLOEXEC)
            try:
                if target.found is not None:
                    _copy_owner_and_mode(handle, target.found)
                os.fsync(handle)
            finally:
                os.close(handle)
            made.replace(target.file)


def _lock(folder: Path, undo: ExitStack) -> bool:
    """Lock a file or folder until ``undo`` closes; return whether this process got the lock."""
    try:
        import fcntl
    except ImportError:  # a system without such locks
        return False
    handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    undo.callback(os.close, handle)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _remove_left_behind(beside: Path) -> None:
    """Remove the folders that killed processes left behind: those without a lock."""
    for folder in beside.glob(f"{_PART}*{_FILLING}"):
        with suppress(OSError), ExitStack() as undo:
            own = folder.lstat()
            if stat.S_ISDIR(own.st_mode) and own.st_uid == os.geteuid() and _lock(folder, undo):
                rmtree(folder, ignore_errors=True)


def _make_folder(path: AnyPath, undo: ExitStack) -> None:
    folder = Path(path)
    with can_be_written(str(path)):
        missing = [above for above in (folder, *folder.parents) if not os.path.lexists(above)]
        for above in reversed(missing):
            above.mkdir()
            undo.push(_on_failure(above.rmdir))
        if not folder.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))


def _write_temporary(target: Target, data: bytes, undo: ExitStack, *, private: bool = False) -> Path | None:
    """Write the data to a temporary file next to the target; return ``None`` if the target cannot be replaced."""
    found = target.found
    if not target.is_file or (found is not None and not _is_replaceable(target, found)):
        return None
    temporary = target.file.parent / f"{_PART}{os.urandom(8).hex()}"
    undo.callback(temporary.unlink, missing_ok=True)
    with can_be_written(target.name):
        try:
            # The system applies the umask to a new file. If there is an old file, only its owner may read the new one
            # until it has the old file's mode.
            mode = 0o666 if found is None and not private else 0o600
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        except OSError:
            if found is None:
                raise
            return None  # the folder takes no new file, but the file itself may be writable
        with os.fdopen(handle, "wb") as stream:
            if found is not None and not _copy_owner_and_mode(handle, found):
                return None
            stream.write(data)
    return temporary


def _is_replaceable(target: Target, found: os.stat_result) -> bool:
    """Return whether the file has exactly one name, that of the path."""
    with suppress(OSError):
        return found.st_nlink == 1 and os.path.samestat(target.file.stat(), found)
    return False


def _copy_owner_and_mode(handle: int, found: os.stat_result) -> bool:
    """Give an open file the owner and mode of another file; return whether the system allowed it."""
    own = os.fstat(handle)
    try:
        if (own.st_uid, own.st_gid) != (found.st_uid, found.st_gid):
            os.fchown(handle, found.st_uid, found.st_gid)
        os.fchmod(handle, stat.S_IMODE(found.st_mode))
    except OSError:
        return False
    return True


def _overwrite(target: Target, data: bytes, undo: ExitStack) -> None:
    """Overwrite an existing file; restore its content after a failure here or later."""
    with can_be_written(target.name), _opened(target) as stream:
        before = stream.read()

        def restore() -> None:
            with suppress(OSError), _opened(target) as again:
                _replace_content(again, before)

        undo.push(_on_failure(restore))
        _replace_content(stream, data)


def _opened(target: Target) -> BinaryIO:
    return os.fdopen(os.open(target.name, os.O_RDWR | os.O_CLOEXEC), "r+b", buffering=0)


def _replace_content(stream: BinaryIO, data: bytes) -> None:
    """Replace the content by ``data``; truncate last, so the old content can be restored."""
    stream.seek(0)
    _write(stream.fileno(), data)
    stream.truncate(len(data))


def _write_to_device(target: Target, data: bytes) -> None:
    """Write to a device, a FIFO or a standard stream."""
    with can_be_written(target.name):
        flags = os.O_WRONLY | os.O_NOCTTY | os.O_CLOEXEC
        handle = os.open(target.name, flags) if target.stream is None else os.dup(target.stream)
        try:
            _write(handle, data)
        finally:
            os.close(handle)


def _write(handle: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def _rename(target: Target, data: bytes, temporary: Path, undo: ExitStack) -> None:
    with can_be_written(target.name):
        try:
            temporary.replace(target.file)
        except OSError as error:
            if error.errno != errno.EBUSY or target.found is None:  # busy: the file is a mount point
                raise
            _overwrite(target, data, undo)


def _on_failure(step: Callable[[], object]) -> Callable[[object, object, object], None]:
    """Return a callback for ``ExitStack.push`` that runs ``step`` only if the block failed."""

    def undone(kind: object, _error: object, _trace: object) -> None:
        if kind is not None:
            with suppress(OSError):
                step()

    return undone
