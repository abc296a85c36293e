"""Read a text file with one response per line into arrays, block by block, in about ten nanoseconds per byte."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import FileAccessError, FileFormatError

_CHUNK = 1 << 22  # bytes per block; the arrays of one block stay below 100 MB
_LONGEST = 18  # digits of a number
_LINE, _RETURN, _ZERO = 10, 13, 48
_BETWEEN = bytes((38, 32, 59, 124, 9))  # ampersand, blank, semicolon, bar, tab

Integers = NDArray[np.int64]


def size_of(path: str | os.PathLike[str]) -> int:
    """Return the size of a file in bytes; 0 if it is unknown before reading."""
    try:
        return Path(path).stat().st_size
    except (OSError, ValueError):  # a name with a null character raises ValueError
        return 0


def chunks(path: str | os.PathLike[str]) -> Iterator[bytes]:
    """Iterate over parts of a file, each of which consists of whole lines."""
    try:
        with Path(path).open("rb") as stream:
            left = b""
            while block := stream.read(_CHUNK):
                whole, newline, rest = block.rpartition(b"\n")
                if newline:
                    yield left + whole + newline
                    left = rest
                else:
                    left += block
            if left:
                yield left + b"\n"
    except (OSError, ValueError) as error:
        raise FileAccessError(
            f"the file of responses cannot be read: {getattr(error, 'strerror', error)}; give the name of a file"
        ) from None


def numbers_of(block: bytes, first_line: int) -> tuple[Integers, Integers]:
    """Parse a block of lines into its numbers and the count of numbers per line, without empty lines.

    Args:
        block: lines of digits, with ampersands, blanks, semicolons, bars or tabs between numbers.
        first_line: the line number of the first line, for error messages.

    Raises:
        FileFormatError: the block contains another character, or a number of more than 18 digits.
    """
    data = np.frombuffer(block, np.uint8)
    digits = data - _ZERO  # bytes below "0" wrap around to large numbers
    is_digit = digits < 10
    allowed = is_digit | (data == _LINE) | (data == _RETURN)
    for byte in _BETWEEN:
        if allowed.all():
            break
        allowed |= data == byte
    if not allowed.all():
        at = int(np.flatnonzero(~allowed)[0])
        line = first_line + int((data[:at] == _LINE).sum())
        raise FileFormatError(
            f"line {line} of the responses is no list of numbers: received {chr(data[at])!r}; write whole "
            "numbers with ampersands, blanks or semicolons between them"
        )
    inside = np.empty(len(data) + 1, bool)
    inside[:-1], inside[-1] = is_digit, False
    ends = np.flatnonzero(inside[:-1] & ~inside[1:])
    values = digits[ends].astype(np.int64)
    place, power, open_ = ends - 1, 10, np.arange(len(ends))
    for _ in range(_LONGEST):
        keep = (place >= 0) & is_digit[np.maximum(place, 0)]
        open_, place = open_[keep], place[keep]
        if not len(open_):
            break
        values[open_] += power * digits[place].astype(np.int64)
        place, power = place - 1, power * 10
    else:
        raise FileFormatError(f"a number of the responses has more than {_LONGEST} digits; write categories or blocks")
    breaks = np.flatnonzero(data == _LINE)
    per_line = np.diff(np.searchsorted(ends, breaks), prepend=0)
    return values, per_line[per_line > 0]


def bits_of(block: bytes, width: int, first_line: int) -> NDArray[np.bool_]:
    """Parse lines of ``width`` characters 0 and 1 into a matrix of bits.

    Raises:
        FileFormatError: a line has another length, or contains another character.
    """
    data = np.frombuffer(block.replace(b"\r", b""), np.uint8)
    rows = len(data) // (width + 1)
    square = data[: rows * (width + 1)].reshape(rows, width + 1)
    bits = square[:, :width] - _ZERO
    if rows * (width + 1) != len(data) or (square[:, width] != _LINE).any() or (bits > 1).any():
        lines = block.split(b"\n")
        wrong = next(i for i, line in enumerate(lines) if len(line.strip(b"\r")) != width or line.strip(b"\r01"))
        raise FileFormatError(
            f"line {first_line + wrong} of the responses is not a vector of bits: received length {len(lines[wrong])}; "
            f"allowed are {width} characters 0 and 1"
        )
    return bits.astype(bool)
