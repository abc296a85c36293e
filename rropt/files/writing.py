"""Writing: the only place where rropt writes files, each whole or not at all.

A regular file is replaced in one step by a temporary one beside it that has its mode and owner; a new file gets the
mode that the umask leaves, which the system applies itself. A link stays, the file it names is replaced. A device, a
FIFO or a standard stream is opened and written to. Where a file cannot be replaced without becoming another one (it
has several names, or its owner could not be kept, or its folder takes no new file) it is written in place, and what it
held is put back when that fails.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Container, Iterable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import BinaryIO

from rropt.files.targets import Target, can_be_written, require_distinct

AnyPath = str | os.PathLike[str]


def write_text(path: AnyPath, text: str) -> None:
    """Write ``text`` as UTF-8, whole or not at all."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: AnyPath, data: bytes) -> None:
    """Write one file, whole or not at all; what is no regular file is written to as it stands.

    Raises:
        FileAccessError: the folder or the file cannot be written.
    """
    write_files([(path, data)])


def write_files(
    contents: Sequence[tuple[AnyPath, bytes]], *, folders: Iterable[AnyPath] = (), private: Container[AnyPath] = ()
) -> None:
    """Write several files, all or none as far as the system lets that be promised.

    All contents are laid down beside their targets first; then what cannot be replaced is written, and last, as steps
    that hardly fail, the files are renamed. What a device or a FIFO was sent cannot be taken back.

    Args:
        contents: path and bytes of each file.
        folders: made first, with those above them, where they are missing.
        private: the paths of files that, where they are new, nobody but their owner may read.

    Raises:
        FileAccessError: one of them cannot be written; the others are then left as they were.
        InvalidParameterError: two paths of one file.
    """
    with ExitStack() as undo:
        for folder in folders:
            _make_folder(folder, undo)
        targets = [(Target.of(path), data) for path, data in contents]
        require_distinct([("a file", target) for target, _ in targets])
        secret = [path in private for path, _ in contents]
        ready = [(*one, _lay_down(*one, undo, private=own)) for one, own in zip(targets, secret, strict=True)]
        for target, data, temporary in ready:
            if target.is_file and temporary is None:
                _overwrite(target, data, undo)
        for target, data, _ in ready:
            if not target.is_file:
                _send(target, data)
        for target, data, temporary in ready:
            if temporary is not None:
                _rename(target, data, temporary, undo)


def _make_folder(path: AnyPath, undo: ExitStack) -> None:
    folder = Path(path)
    with can_be_written(str(path)):
        missing = [above for above in (folder, *folder.parents) if not os.path.lexists(above)]
        for above in reversed(missing):
            above.mkdir()
            undo.push(_on_failure(above.rmdir))
        if not folder.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))


def _lay_down(target: Target, data: bytes, undo: ExitStack, *, private: bool = False) -> Path | None:
    """Write the temporary file of a target; ``None`` where the target is not to be replaced."""
    found = target.found
    if not target.is_file or (found is not None and not _is_replaceable(target, found)):
        return None
    temporary = target.file.parent / f".rropt-{os.urandom(8).hex()}"
    undo.callback(temporary.unlink, missing_ok=True)
    with can_be_written(target.name):
        try:
            # the system takes the umask off the mode of a new file; an old one's content is nobody else's meanwhile
            mode = 0o666 if found is None and not private else 0o600
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        except OSError:
            if found is None:
                raise
            return None  # the folder takes no new file, but the file may be written
        with os.fdopen(handle, "wb") as stream:
            if found is not None and not _keep(handle, found):
                return None
            stream.write(data)
    return temporary


def _is_replaceable(target: Target, found: os.stat_result) -> bool:
    """Return whether the file has one name, which is the one that the path leads to."""
    with suppress(OSError):
        return found.st_nlink == 1 and os.path.samestat(target.file.stat(), found)
    return False


def _keep(handle: int, found: os.stat_result) -> bool:
    """Give an open file the owner and mode of another one; return whether that was allowed."""
    own = os.fstat(handle)
    try:
        if (own.st_uid, own.st_gid) != (found.st_uid, found.st_gid):
            os.fchown(handle, found.st_uid, found.st_gid)
        os.fchmod(handle, stat.S_IMODE(found.st_mode))
    except OSError:
        return False
    return True


def _overwrite(target: Target, data: bytes, undo: ExitStack) -> None:
    """Write into a file as it stands; a failure, here or later, puts back what it held."""
    with can_be_written(target.name), _opened(target) as stream:
        before = stream.read()

        def restore() -> None:
            with suppress(OSError), _opened(target) as again:
                _fill(again, before)

        undo.push(_on_failure(restore))
        _fill(stream, data)


def _opened(target: Target) -> BinaryIO:
    return os.fdopen(os.open(target.name, os.O_RDWR | os.O_CLOEXEC), "r+b", buffering=0)


def _fill(stream: BinaryIO, data: bytes) -> None:
    """Make ``data`` the content; cut to length last, so that what is put back finds its room."""
    stream.seek(0)
    _write(stream.fileno(), data)
    stream.truncate(len(data))


def _send(target: Target, data: bytes) -> None:
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
    """Return a step for ``ExitStack.push`` that is taken only when the block failed."""

    def undone(kind: object, _error: object, _trace: object) -> None:
        if kind is not None:
            with suppress(OSError):
                step()

    return undone
