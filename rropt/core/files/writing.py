"""Writing: every file of rropt (except those of ``resuming``) is written here, completely or not at all.

A regular file is replaced in one step by a temporary one next to it that has its mode and owner; a new file gets the
mode that the umask leaves, which the system applies itself. A link stays, the file it names is replaced. A device, a
FIFO or a standard stream is opened and written to. Where a file cannot be replaced without becoming another one (it
has several names, or its owner could not be kept, or its folder takes no new file) it is written in place, and what it
held is put back when that fails.
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

_PART = ".rropt-"  # how the names of temporary files and folders begin
_FILLING = ".part"  # how the names of folders end in which a file is being made


def write_text(path: AnyPath, text: str) -> None:
    """Write ``text`` as UTF-8, atomically."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: AnyPath, data: bytes) -> None:
    """Write one file atomically; a target that is not a regular file is opened and written to.

    Raises:
        FileAccessError: the folder or the file cannot be written.
    """
    write_files([(path, data)])


def write_files(
    contents: Sequence[tuple[AnyPath, bytes]], *, folders: Iterable[AnyPath] = (), private: Container[AnyPath] = ()
) -> None:
    """Write several files, all or none as far as the system allows.

    All contents are laid down next to their targets first; then what cannot be replaced is written, and last, as steps
    that hardly fail, the files are renamed. Bytes sent to a device or a FIFO cannot be taken back.

    Args:
        contents: path and bytes of each file.
        folders: folders to make first, with their parents, if missing.
        private: the paths of files that only their owner may read if they are new.

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


@contextmanager
def being_filled(path: AnyPath, *, suffix: str) -> Iterator[Path]:
    """Give the name of a file to be made by others, in a private folder next to the target, which it then replaces.

    For files that are too large to be held. Nobody else can read the folder; whatever happens it is removed, and where
    the process was killed, by the next one that makes a file next to it. A folder is held by a lock while it is in use.

    Args:
        path: the path of the target, a regular file with one name, or none yet.
        suffix: the suffix of the name of the file that is made.

    Raises:
        FileAccessError: the target cannot be written, or is no such file.
    """
    target = Target.of(path)
    with ExitStack() as undo:
        with can_be_written(target.name):
            if not target.is_file or (target.found is not None and not _is_replaceable(target, target.found)):
                raise OSError(errno.EINVAL, "it is no regular file with one name, and cannot be replaced by a new one")
            beside = target.file.parent
            _remove_left_behind(beside)
            folder = beside / f"{_PART}{os.urandom(8).hex()}{_FILLING}"
            folder.mkdir(mode=0o700)
            undo.callback(rmtree, folder, ignore_errors=True)
            _hold(folder, undo)
        made = folder / f"answers{suffix}"
        yield made
        with can_be_written(target.name):
            handle = os.open(made, os.O_RDWR | os.O_CLOEXEC)
            try:
                if target.found is not None:
                    _keep(handle, target.found)
                os.fsync(handle)
            finally:
                os.close(handle)
            made.replace(target.file)


def _hold(folder: Path, undo: ExitStack) -> bool:
    """Lock a folder for as long as this process lives; return whether that was possible, and not another's."""
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
    """Remove the folders of killed processes: those without a lock."""
    for folder in beside.glob(f"{_PART}*{_FILLING}"):
        with suppress(OSError), ExitStack() as undo:
            own = folder.lstat()
            if stat.S_ISDIR(own.st_mode) and own.st_uid == os.geteuid() and _hold(folder, undo):
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


def _lay_down(target: Target, data: bytes, undo: ExitStack, *, private: bool = False) -> Path | None:
    """Write the temporary file of a target; ``None`` where the target is not to be replaced."""
    found = target.found
    if not target.is_file or (found is not None and not _is_replaceable(target, found)):
        return None
    temporary = target.file.parent / f"{_PART}{os.urandom(8).hex()}"
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
    """Return whether the file has exactly one name, the one of the path."""
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
    """Write into an existing file; a failure, here or later, restores its content."""
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
    """Make ``data`` the content; truncate last, so that the old content can be restored."""
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
    """Return a callback for ``ExitStack.push`` that runs only if the block failed."""

    def undone(kind: object, _error: object, _trace: object) -> None:
        if kind is not None:
            with suppress(OSError):
                step()

    return undone
