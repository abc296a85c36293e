"""Writing for work that may be interrupted and resumed: a journal of finished parts, and files named by content.

If a process is killed, its journal remains, and the next process resumes from it. Each line contains its own digest.
An incomplete line is therefore detected, and its part of the work is repeated. A file named by the SHA-256 of its
content is written atomically; writing it again changes nothing.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from rropt.core.files.targets import can_be_written
from rropt.core.files.writing import _PART, _lock, _write

_ADVICE = "wait for it, or give another name"


@contextmanager
def journal(path: str) -> Iterator[tuple[list[bytes], Callable[[bytes], None]]]:
    """Open a journal: yield the lines of earlier runs and a function that appends a line.

    The journal is removed when the work succeeds.

    Args:
        path: the path of the journal, which belongs to one run at a time.

    Raises:
        FileAccessError: another run has locked the journal, or the file is not a journal.
    """
    with ExitStack() as undo:
        with can_be_written(path, _ADVICE):
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
            handle = os.open(path, flags, 0o600)
            undo.callback(os.close, handle)
            own = os.fstat(handle)
            if not stat.S_ISREG(own.st_mode) or own.st_uid != os.geteuid() or own.st_nlink > 1:
                raise OSError(errno.EINVAL, "it is not a file that an earlier run left")
            if not _lock(Path(path), undo) or own.st_ino != os.stat(path).st_ino:  # noqa: PTH116  # ended just now
                raise OSError(errno.EBUSY, "another run is under way")
            lines, length = _whole_lines(Path(path).read_bytes())
            os.ftruncate(handle, length)

        def append(line: bytes) -> None:
            with can_be_written(path, "free some disk space and start again: finished parts are kept"):
                _write(handle, _digest(line) + b" " + line + b"\n")

        yield lines, append
        with can_be_written(path, _ADVICE):
            Path(path).unlink()


def _digest(line: bytes) -> bytes:
    return hashlib.sha256(line).hexdigest().encode()


def _whole_lines(content: bytes) -> tuple[list[bytes], int]:
    """Return the lines before the first incomplete line, and their length in bytes."""
    lines: list[bytes] = []
    length = 0
    for found in content.splitlines(keepends=True):
        digest, _, line = found.partition(b" ")
        if not line.endswith(b"\n") or digest != _digest(line[:-1]):
            break
        lines.append(line[:-1])
        length += len(found)
    return lines, length


def write_named_by_content(folder: str, content: bytes, suffix: str) -> str:
    """Write a file atomically into an existing folder under the SHA-256 of its content; return that digest.

    The name of the temporary file also depends on the content: a file that a killed process left is overwritten.
    """
    digest = hashlib.sha256(content).hexdigest()
    target, temporary = Path(folder, digest + suffix), Path(folder, _PART + digest)
    with can_be_written(str(target)), ExitStack() as undo:
        if is_named_by_content(folder, digest, suffix):
            return digest
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
        undo.callback(os.close, handle)
        if not _lock(temporary, undo):
            raise OSError(errno.EBUSY, "another run is writing it")
        os.ftruncate(handle, 0)
        _write(handle, content)
        temporary.replace(target)
    return digest


def is_named_by_content(folder: str, digest: str, suffix: str) -> bool:
    """Return whether a folder contains the complete file with this digest."""
    with suppress(OSError):
        return hashlib.sha256(Path(folder, digest + suffix).read_bytes()).hexdigest() == digest
    return False
