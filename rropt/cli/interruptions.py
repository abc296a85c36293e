"""Interruptions of the process: Ctrl-C (SIGINT) and SIGTERM unwind the command alike, so that it cleans up.

A library may replace the exception that a signal raises by one of its own; DuckDB does so in three ways. Therefore the
signals are also recorded: what a command does after the first one is not its result.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path

received: list[int] = []  # the signals so far


def listen() -> None:
    """Raise ``KeyboardInterrupt`` at the signals of an interruption, unless the process was started to ignore them."""
    own = os.getpid()

    def interrupt(number: int, _frame: object) -> None:
        if os.getpid() != own:  # a fork of this process
            os._exit(128 + number)
        received.append(number)
        # an exception in a destructor or in the thread of a pool is lost; the signal is recorded
        sys.unraisablehook = lambda _: None
        threading.excepthook = lambda _: None
        _end_children()
        raise KeyboardInterrupt

    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, interrupt)


def stop_listening() -> None:
    """Ignore the signals: the exit status is known, and Python ends."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def status() -> int:
    """Return the exit status of an interrupted command, with which shells report the signal."""
    return 128 + (received or [signal.SIGINT])[0]


def _end_children() -> None:
    """Terminate the processes that this one has started; a pool of them would else finish its work first."""
    with suppress(OSError):
        for thread in Path("/proc/self/task").iterdir():
            for child in (thread / "children").read_text().split():
                with suppress(OSError):
                    os.kill(int(child), signal.SIGTERM)
