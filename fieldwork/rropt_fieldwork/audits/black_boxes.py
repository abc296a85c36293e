"""Black boxes that can be called: a program or a Python function.

A box receives inputs as texts. It returns responses as texts, and the reason if there are fewer responses than inputs.
A program reads one input per line and writes one response per line. No shell is started, and no response is ever
evaluated as code.
"""

from __future__ import annotations

import os
import selectors
import shlex
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any

from rropt.core.errors import InvalidParameterError, shown

MAX_RESPONSE = 10_000  # largest number of bytes of one response
_BLOCK = 1 << 16
_NO_LINE = "a response is empty, too long, or not a line of text"
_HINT = "a program must flush its output after each line"


def open_box(box: Any) -> BlackBox:
    """Open the box that the user gave: a program or a function.

    Raises:
        InvalidParameterError: the program cannot be started.
    """
    if callable(box):
        return _Function(box)
    return _Program(_words(box))


def _words(box: object) -> list[str]:
    """Split a command line into words as a shell does, without any other expansion; a list of words stays as it is."""
    try:
        words = shlex.split(box) if isinstance(box, str) else [os.fspath(word) for word in box]  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        words = []
    if not words or not all(isinstance(word, str) and "\0" not in word for word in words) or not words[0]:
        raise InvalidParameterError(
            f"the program is not a command line: received {shown(box)}; give a program and its arguments, such as "
            '"python3 box.py", or a list of words'
        )
    return words


@dataclass(slots=True)
class _Function:
    """A Python function of one text; its result is converted to a text."""

    function: Callable[[str], Any]

    def ask(self, inputs: Sequence[str], until: float) -> tuple[list[str], str | None]:
        """Send inputs to the box; return its responses, and the reason if there are fewer than inputs, else ``None``.

        Args:
            inputs: the texts of the inputs.
            until: the time limit, as a value of ``time.monotonic``.
        """
        found: list[str] = []
        for text in inputs:
            if time.monotonic() > until:
                return found, "the time limit was reached"
            try:
                response = _line(str(self.function(text)))
            except Exception as error:  # any exception of a black box ends the audit and is reported
                return found, f"the function raised {type(error).__name__}: {shown(str(error)[:200])}"
            if response is None:
                return found, "a response is empty, too long, or more than one line"
            found.append(response)
        return found, None

    def close(self) -> None:
        """Stop the box and release its resources."""


class _Program:
    """A program that is started once, in its own process session."""

    def __init__(self, words: Sequence[str]) -> None:
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  # ``close`` closes it
        try:
            self._process = subprocess.Popen(
                list(words), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, start_new_session=True
            )
        except (OSError, ValueError) as error:
            self._errors.close()
            why = getattr(error, "strerror", None) or str(error)
            raise InvalidParameterError(
                f"the program cannot be started: received {shown(words[0])}: {why}; give the path of a program"
            ) from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to, self._from = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._to, False)
        os.set_blocking(self._from, False)
        self._rest = b""

    def ask(self, inputs: Sequence[str], until: float) -> tuple[list[str], str | None]:
        waiting = "".join(f"{text}\n" for text in inputs).encode()
        found: list[str] = []
        with selectors.DefaultSelector() as selector:
            selector.register(self._from, selectors.EVENT_READ)
            selector.register(self._to, selectors.EVENT_WRITE)
            while True:
                *lines, self._rest = self._rest.split(b"\n")
                for line in lines:
                    response = _decoded(line)
                    if response is None:
                        return found, _NO_LINE
                    if len(found) == len(inputs):
                        return found, "the program wrote more lines than it was given"
                    found.append(response)
                if len(found) == len(inputs):
                    return found, None
                if len(self._rest) > MAX_RESPONSE:
                    return found, _NO_LINE
                left = until - time.monotonic()
                ready = selector.select(left) if left > 0 else []
                if not ready:
                    return found, f"the time limit was reached ({_HINT})"
                for key, _ in ready:
                    if key.fd == self._to:
                        with suppress(BlockingIOError, BrokenPipeError):
                            waiting = waiting[os.write(self._to, waiting[:_BLOCK]) :]
                        if not waiting or self._process.poll() is not None:
                            selector.unregister(self._to)
                        continue
                    data = os.read(self._from, _BLOCK)
                    if not data:
                        return found, self._ended()
                    self._rest += data

    def _ended(self) -> str:
        """Describe how the program ended, with the last line of its standard error."""
        try:
            status = self._process.wait(1)
        except subprocess.TimeoutExpired:
            return "the program closed its output"
        self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, self._errors.tell() - 4096))
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        how = f"by the signal {signal.Signals(-status).name}" if status < 0 else f"with status {status}"
        return f"the program ended {how}" + (f": {shown(lines[-1][:200])}" if lines else "")

    def close(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            with suppress(OSError):
                stream.close()  # type: ignore[union-attr]


BlackBox = _Function | _Program


def _decoded(line: bytes) -> str | None:
    """Decode a response; ``None`` if it is not a line of text."""
    if len(line) > MAX_RESPONSE:
        return None
    try:
        return _line(line.decode("utf-8"))
    except UnicodeDecodeError:
        return None


def _line(text: str) -> str | None:
    """Strip the whitespace around a response; ``None`` if it is empty, too long, or more than one line."""
    text = text.strip()
    return text if text and len(text) <= MAX_RESPONSE and "\n" not in text else None
