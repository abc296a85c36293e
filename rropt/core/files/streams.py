"""Streams: standard input, named pipes and devices, which can be read only once and have no size.

After ``QUIET_SECONDS`` without a byte, the logger ``rropt`` reports the stream for which it waits. (Python prints the
message on standard error unless it is configured otherwise.) If no program opens a named pipe for writing within
``WRITER_SECONDS``, the pipe is refused.
"""

from __future__ import annotations

import io
import logging
import os
import re
import select
import stat
import sys
import time
from collections.abc import Iterator
from typing import Any

from rropt.core.errors import FileAccessError, shown_path

QUIET_SECONDS = 5.0  # without data, before a message
WRITER_SECONDS = 10.0  # to wait until a program writes to a named pipe
_CHUNK = 1 << 20
_STEP = 0.05  # seconds between two attempts to read a pipe without a writer
_DESCRIPTOR = re.compile(r"/dev/(stdin)|/(?:dev|proc/self)/fd/([0-9]{1,6})")


def is_stream(path: str) -> bool:
    """Return whether a path can be read only once: a pipe or a device, not a file or a folder.

    Raises:
        OSError, ValueError: the path does not exist or is invalid.
    """
    mode = os.stat(path).st_mode  # noqa: PTH116  # the text may be no path at all
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def standard_input() -> Iterator[bytes]:
    """Yield the bytes of standard input in pieces.

    Raises:
        FileAccessError: standard input is closed.
    """
    if sys.stdin is None or sys.stdin.closed:
        raise FileAccessError("standard input is closed: received - ; name a file, or pipe the data in")
    try:
        handle = sys.stdin.fileno()
    except io.UnsupportedOperation:  # a stream object without a file descriptor
        yield from iter(lambda: sys.stdin.buffer.read(_CHUNK), b"")
        return
    yield from _pieces(handle, "standard input", named=False)


def stream(path: str) -> Iterator[bytes]:
    """Yield the bytes of a pipe or a device in pieces of at most a megabyte.

    Raises:
        FileAccessError: it cannot be opened, or no program writes to it.
    """
    own = _DESCRIPTOR.fullmatch(path)
    try:
        # Duplicate a descriptor of this process. If it were opened anew, a pipe whose writer has finished would look
        # like a pipe without a writer.
        handle = os.dup(int(own[2] or 0)) if own else os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise _unreadable(path, error) from None
    try:
        yield from _pieces(handle, shown_path(path), named=own is None and stat.S_ISFIFO(os.fstat(handle).st_mode))
    except OSError as error:
        if isinstance(error, FileAccessError):
            raise
        raise _unreadable(path, error) from None
    finally:
        os.close(handle)


def _unreadable(path: str, error: OSError) -> FileAccessError:
    return FileAccessError(
        f"data cannot be read: {shown_path(path)}: {error.strerror or error}; name a file, or - for standard input"
    )


def _pieces(handle: int, name: str, *, named: bool) -> Iterator[bytes]:
    """Yield the bytes of a descriptor in pieces; with ``named``, a pipe that may not have a writer yet."""
    poll = _readiness_poll(handle)
    start, is_quiet = time.monotonic(), False
    while True:
        wait = _STEP if named else None if is_quiet else QUIET_SECONDS
        is_ready = poll is None or poll.poll(None if wait is None else 1000 * wait)
        if not is_ready and not named:
            is_quiet = True
            logging.getLogger("rropt").warning("rropt: waiting for data from %s (Ctrl-C ends)", name)
            continue
        try:
            piece = os.read(handle, _CHUNK)
        except BlockingIOError:  # a program has opened the pipe, but has not written yet
            named = False
            continue
        if piece:
            named = False
            yield piece
        elif is_ready:
            return
        elif time.monotonic() - start > WRITER_SECONDS:
            raise FileAccessError(
                f"nothing writes to the pipe {name}: waited {WRITER_SECONDS:g} seconds; start the program that writes "
                "to it first, or name a file"
            )


def _readiness_poll(handle: int) -> Any:
    """Return an object that polls whether a descriptor is readable; ``None`` if the system has none."""
    if not hasattr(select, "poll"):
        return None
    poll = select.poll()
    poll.register(handle, select.POLLIN | select.POLLHUP)
    return poll
