"""Read a text file with one response per line into arrays, block by block, in about ten nanoseconds per byte."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import FileAccessError, FileFormatError, RroptError, shown
from rropt.core.files.streams import is_stream, standard_input, stream
from rropt.core.limits import MAX_FILE_BYTES

_CHUNK = 1 << 22  # bytes per block; the arrays of one block stay below 100 MB
_LONGEST = 18  # digits of a number
_LINE, _ZERO, _DIGITS, _BETWEEN = b"\n", 48, b"0123456789", b"& ;|\t"
_BLANKS = bytes.maketrans(_BETWEEN, b" " * len(_BETWEEN))

Integers = NDArray[np.int64]


def size_of(path: str | os.PathLike[str]) -> int:
    """Return the size of a file in bytes; 0 if it is unknown before reading."""
    try:
        return Path(path).stat().st_size
    except (OSError, ValueError):  # a name with a null character raises ValueError
        return 0


Part = tuple[bytes, int, int, int]  # lines, the number of the first, and the size of the part and of the whole


def data_lines(path: str, digest: Any) -> Iterator[Part]:
    """Iterate over parts of a file of responses, ``-`` for standard input; each part consists of whole lines.

    Args:
        path: the name of the file.
        digest: a hash, which is updated with the bytes that are read.

    Yields:
        The lines, the number of the first of them, their size in bytes, and the size of the file.

    Raises:
        FileAccessError: the file cannot be read.
        FileFormatError: a line is longer than any response.
    """
    left, line, size = b"", 1, size_of(path)
    for piece in pieces_of(path):
        digest.update(piece)
        whole, newline, rest = piece.rpartition(b"\n")
        if newline:
            yield left + whole + newline, line, len(left) + len(whole) + 1, size
            line += whole.count(b"\n") + 1
            left = rest
        else:
            left += piece
        if len(left) > MAX_FILE_BYTES:
            raise FileFormatError(
                f"line {line} of the responses is too long: received more than {MAX_FILE_BYTES} characters; write one "
                "response in each line"
            )
    if left:
        yield left + b"\n", line, len(left), size


def pieces_of(path: str) -> Iterator[bytes]:
    """Iterate over the bytes of a file, a pipe or a device, or of standard input."""
    if path == "-":
        yield from standard_input()
        return
    try:
        if is_stream(path):
            yield from stream(path)
            return
        with Path(path).open("rb") as file:
            yield from iter(lambda: file.read(_CHUNK), b"")
    except (OSError, ValueError) as error:
        if isinstance(error, RroptError):
            raise
        raise FileAccessError(
            f"the responses cannot be read: {shown(path)}: {getattr(error, 'strerror', None) or error}; give the name "
            "of a file, or - for standard input"
        ) from None


_OF_TEXTS = "; texts such as yes are counted where the mechanism names its categories, and by `rropt estimate`"


def numbers_of(block: bytes, first_line: int, names: Sequence[str] = ()) -> tuple[Integers, Integers]:
    """Parse a block of lines into its numbers and the count of numbers in each line.

    Args:
        block: lines of digits, with ampersands, blanks, semicolons, bars or tabs between numbers.
        first_line: the line number of the first line, for error messages.
        names: the names that the responses may have in place of numbers, for error messages.

    Raises:
        FileFormatError: the block contains another character, or a number of more than 18 digits.
    """
    if block.translate(None, _DIGITS + _BETWEEN + b"\r\n"):
        at = next(place for place, byte in enumerate(block) if byte not in _DIGITS + _BETWEEN + b"\r\n")
        number = first_line + block.count(_LINE, 0, at)
        line, of_table = f"line {number} of the responses", "; of a table give `column=NAME`" if number == 1 else ""
        if names:
            allowed = shown(", ".join(names))
            raise FileFormatError(f"{line} is no response of the mechanism: allowed are {allowed}{of_table}")
        raise FileFormatError(
            f"{line} is no list of numbers: its character {at - block.rfind(_LINE, 0, at)} is no digit; write whole "
            f"numbers with ampersands, blanks or semicolons between them{of_table or _OF_TEXTS}"
        )
    data = np.frombuffer(_LINE + block + _LINE, np.uint8)
    edges = np.flatnonzero(np.diff((data - _ZERO < 10).view(np.int8)))  # bytes below "0" wrap around to large numbers
    if (edges[1::2] - edges[::2] > _LONGEST).any():
        raise FileFormatError(f"a number of the responses has more than {_LONGEST} digits; write categories or blocks")
    values = np.fromstring(block.translate(_BLANKS), np.int64, sep=" ")[: len(edges) // 2]  # of blanks it is 0
    breaks = np.flatnonzero(data[1:-1] == ord(_LINE))
    return values, np.diff(np.searchsorted(edges[::2], breaks), prepend=0)


def bits_of(block: bytes, width: int, first_line: int) -> NDArray[np.bool_]:
    """Parse lines of ``width`` characters 0 and 1 into a matrix of bits.

    Raises:
        FileFormatError: a line has another length, or contains another character.
    """
    data = np.frombuffer(block.replace(b"\r", b""), np.uint8)
    rows = len(data) // (width + 1)
    square = data[: rows * (width + 1)].reshape(rows, width + 1)
    bits = square[:, :width] - _ZERO
    if rows * (width + 1) != len(data) or (square[:, width] != ord(_LINE)).any() or (bits > 1).any():
        lines = block.split(b"\n")
        wrong = next(i for i, line in enumerate(lines) if len(line.strip(b"\r")) != width or line.strip(b"\r01"))
        raise FileFormatError(
            f"line {first_line + wrong} of the responses is not a vector of bits: received length {len(lines[wrong])}; "
            f"allowed are {width} characters 0 and 1"
        )
    return bits.astype(bool)
