"""Tables for people in a given width: the one place where results become lines of text.

A line is broken between words only, so a number is never cut. Columns that do not fit are wrapped at spaces; where even
that does not do, each row becomes a list of its cells. A single word that is longer than the width keeps its line.

>>> print(laid_out([("Design", None, [("n Var", "369/1600 = 0.230625"), ("gap", "0")])], 80))
Design
  n Var   369/1600 = 0.230625
  gap     0
>>> print(laid_out([("", ("n", "estimate"), [("100", "0.86"), ("20", "0.90")])], 20))
  n  estimate
---  --------
100      0.86
 20      0.90
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterable, Sequence

from rropt.core.visible import visible

Table = tuple[str, tuple[str, ...] | None, Sequence[tuple[str, ...]]]
"""For people: a title, the names of the columns if they have some, and the rows."""

UNKNOWN_WIDTH = 80  # columns, where neither a terminal nor COLUMNS says how many there are
_LEAST_WIDTH = 20  # narrower windows are taken for this
_GAP = 2  # blanks between columns, and before the lines of a list
_BESIDE = 3  # blanks between a label and its value
_LEAST_VALUE = 24  # columns of a value beside its label; where fewer are left, it stands below
_LEAST_WORDS = 12  # columns of words that are wrapped: narrower ones are hard to read

# Blanks inside of one number or one range, where no line is broken as long as the whole fits.
_BOUND = re.compile(r"(?<=\S) ([~=<>x]|<=|>=|to) (?=[-~(]?\d)|(?<=[\d)]) [-+] (?=[\d(])|(?<=\d) (?=%)")


def is_on_terminal() -> bool:
    """Return whether a terminal shows the output: it would break long lines of prose inside of words."""
    return sys.stdout is not None and sys.stdout.isatty()


def terminal_width() -> int:
    """Return the columns of the terminal: ``COLUMNS``, else the window's, else 80."""
    return max(_LEAST_WIDTH, shutil.get_terminal_size((UNKNOWN_WIDTH, 24)).columns)


def laid_out(tables: Iterable[Table], width: int | None = None) -> str:
    """Return tables as text that fits a width.

    Args:
        tables: as ``Result.as_tables`` returns them.
        width: in columns; the terminal's when left out.
    """
    columns = terminal_width() if width is None else width
    return "\n\n".join("\n".join(_table(*table, columns)) for table in tables)


def wrapped(text: str, width: int | None = None) -> str:
    """Return text whose lines fit a width, broken between words; a continued line keeps the indentation of its first.

    >>> print(wrapped("  from 0.234 to 0.291, at least 95 %", 24))
      from 0.234 to 0.291,
      at least 95 %
    """
    columns = terminal_width() if width is None else width
    lines = []
    for line in text.split("\n"):
        if len(line) <= columns:
            lines.append(line)
            continue
        indent = line[: len(line) - len(line.lstrip(" "))]
        lines += [indent + part for part in _broken(line.strip(" "), columns - len(indent))]
    return "\n".join(lines)


def _table(title: str, header: tuple[str, ...] | None, rows: Sequence[tuple[str, ...]], width: int) -> list[str]:
    cells = [tuple("\n".join(map(visible, cell.split("\n"))) for cell in row) for row in rows]
    above = _broken(visible(title), width) if title else []
    if header is None:
        inner = _pairs([(row[0], row[1]) for row in cells], width - _GAP * bool(title))
        return [*above, *(f"{' ' * _GAP * bool(title)}{line}".rstrip() for line in inner)]
    names = tuple(visible(name) for name in header)
    return [*above, *(_grid(names, cells, width) or _records(names, cells, width))]


def _pairs(rows: Sequence[tuple[str, str]], width: int) -> list[str]:
    """Return labels and values in two columns; a value that does not fit next to its label is printed below it."""
    most = min(width // 2, width - _BESIDE - min(_LEAST_VALUE, width // 2))
    fitting = [len(label) for label, _ in rows if len(label) <= most]
    column = max(fitting, default=0)
    lines: list[str] = []
    for label, value in rows:
        room = width - column - _BESIDE
        parts = _broken(value, room)
        if len(label) <= column and all(len(part) <= room for part in parts):
            first, *others = parts
            lines.append(f"{label.ljust(column)}{' ' * _BESIDE}{first}".rstrip())
            lines += [f"{' ' * (column + _BESIDE)}{other}" for other in others]
        else:
            lines += [*_broken(label, width), *(f"{' ' * _GAP}{part}" for part in _broken(value, width - _GAP))]
    return lines


def _grid(header: tuple[str, ...], rows: Sequence[tuple[str, ...]], width: int) -> list[str]:
    """Return a table with its columns side by side; nothing if they do not fit."""
    columns = list(zip(header, *rows, strict=True))
    widths = [max(map(_longest_line, column)) for column in columns]
    least = [_least(column) for column in columns]
    spare = width - _GAP * (len(columns) - 1)
    if sum(map(min, least, widths)) > spare:
        return []
    while sum(widths) > spare:
        at = max((i for i in range(len(widths)) if widths[i] > least[i]), key=lambda i: widths[i])
        widths[at] -= 1
    right = [_is_numeric(column[1:]) for column in columns]
    lines: list[str] = []
    for row in (header, *rows):
        parts = [_broken(cell, size) for cell, size in zip(row, widths, strict=True)]
        for i in range(max(map(len, parts))):
            texts = [part[i] if i < len(part) else "" for part in parts]
            sized = zip(texts, widths, right, strict=True)
            lines.append((" " * _GAP).join(t.rjust(n) if is_right else t.ljust(n) for t, n, is_right in sized).rstrip())
        if row is header:
            lines.append((" " * _GAP).join("-" * size for size in widths))
    return lines


def _records(header: tuple[str, ...], rows: Sequence[tuple[str, ...]], width: int) -> list[str]:
    """Return each row as a list of its cells, below the first of them."""
    lines: list[str] = []
    for row in rows:
        lines += _broken(f"{header[0]}: {row[0]}" if header[0] else row[0], width)
        told = [(name, cell) for name, cell in zip(header[1:], row[1:], strict=True) if cell]
        lines += [f"{' ' * _GAP}{line}" for line in _pairs(told, width - _GAP)]
    return lines


def _least(column: Sequence[str]) -> int:
    """Return the least width of a column: its longest word, and of long texts enough words to be read."""
    longest = max(len(part) for cell in column for part in _words(cell) or [""])
    return max(longest, min(_LEAST_WORDS, max(map(len, column))))


def _longest_line(cell: str) -> int:
    return max(map(len, cell.split("\n")))


def _is_numeric(cells: Sequence[str]) -> bool:
    return any(cells) and all(re.fullmatch(r"[-~]?\d[\d./e+-]*|", cell) for cell in cells)


def _words(text: str) -> list[str]:
    """Return the unbreakable pieces of a text: words, numbers with their units, ranges."""
    return _BOUND.sub(lambda found: found[0].replace(" ", "\0"), text).split(" ")


def _broken(text: str, width: int) -> list[str]:
    """Return the lines of a text, none longer than the width but those of a single longer word."""
    lines: list[str] = []
    for given in text.split("\n"):
        line = ""
        for word in _words(given):
            for piece in [word] if len(word) <= width else word.split("\0"):
                if line and len(line) + 1 + len(piece) > width:
                    lines.append(line)
                    line = piece
                else:
                    line = f"{line} {piece}" if line else piece
        lines.append(line)
    return [line.replace("\0", " ") for line in lines]
