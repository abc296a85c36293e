"""Lay out tables as text of a given width; all results are printed through this module.

Lines are broken only between words, so a number is never cut. If the columns of a table do not fit, their cells are
wrapped at spaces. If that is not enough, each row becomes a list of its cells. A word longer than the width gets its
own line.

>>> print(tables_as_text([("Design", None, [("n Var", "369/1600 = 0.230625"), ("gap", "0")])], 80))
Design
  n Var   369/1600 = 0.230625
  gap     0
>>> print(tables_as_text([("", ("n", "estimate"), [("100", "0.86"), ("20", "0.90")])], 20))
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
"""A table: a title, the names of the columns (or ``None``), and the rows."""

UNKNOWN_WIDTH = 80  # columns, if neither a terminal nor COLUMNS defines the width
_LEAST_WIDTH = 20  # a smaller width is raised to this one
_GAP = 2  # blanks between columns, and before the lines of a list
_BESIDE = 3  # blanks between a label and its value
_LEAST_VALUE = 24  # columns of a value next to its label; if fewer are left, the value is printed below the label
_LEAST_WORDS = 12  # minimal width of a column of wrapped words; a narrower column is hard to read

# Blanks inside a number or a range. A line is broken there only if the whole number or range does not fit.
_BOUND = re.compile(r"(?<=\S) ([~=<>x]|<=|>=|to) (?=[-~(]?\d)|(?<=[\d)]) [-+] (?=[\d(])|(?<=\d) (?=%)")
_NUMERIC = re.compile(r"[-~]?\d[\d./e+-]*|")  # a number in a table, or nothing


def without_empty_columns(
    header: tuple[str, ...], rows: Sequence[tuple[str, ...]]
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the names of the columns and the rows without the columns whose cells are all empty.

    >>> without_empty_columns(("", "value", "meaning"), [("p", "1/2", ""), ("q", "1", "")])
    (('', 'value'), [('p', '1/2'), ('q', '1')])
    """
    kept = [i for i in range(len(header)) if not rows or any(row[i].strip() for row in rows)]
    return tuple(header[i] for i in kept), [tuple(row[i] for i in kept) for row in rows]


def is_on_terminal() -> bool:
    """Return whether the output goes to a terminal, which breaks long lines inside words."""
    return sys.stdout is not None and sys.stdout.isatty()


def terminal_width() -> int:
    """Return the width in columns: ``COLUMNS``, else the terminal's width, else 80."""
    return max(_LEAST_WIDTH, shutil.get_terminal_size((UNKNOWN_WIDTH, 24)).columns)


def tables_as_text(tables: Iterable[Table], width: int | None = None) -> str:
    """Lay out tables as text of a given width.

    Args:
        tables: as ``Result.as_tables`` returns them.
        width: in columns; by default the width of the terminal.
    """
    columns = terminal_width() if width is None else width
    return "\n\n".join("\n".join(_table(*table, columns)) for table in tables)


def wrapped(text: str, width: int | None = None) -> str:
    """Wrap text between words to a width; a continued line keeps the indentation of the first.

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
        lines += [indent + part for part in _broken_lines(line.strip(" "), columns - len(indent))]
    return "\n".join(lines)


def _table(title: str, header: tuple[str, ...] | None, rows: Sequence[tuple[str, ...]], width: int) -> list[str]:
    cells = [tuple("\n".join(map(visible, cell.split("\n"))) for cell in row) for row in rows]
    above = _broken_lines(visible(title), width) if title else []
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
        parts = _broken_lines(value, room)
        if len(label) <= column and all(len(part) <= room for part in parts):
            first, *others = parts
            lines.append(f"{label.ljust(column)}{' ' * _BESIDE}{first}".rstrip())
            lines += [f"{' ' * (column + _BESIDE)}{other}" for other in others]
        else:
            lines += [
                *_broken_lines(label, width),
                *(f"{' ' * _GAP}{part}" for part in _broken_lines(value, width - _GAP)),
            ]
    return lines


def _grid(header: tuple[str, ...], rows: Sequence[tuple[str, ...]], width: int) -> list[str]:
    """Return the lines of a table with its columns side by side; an empty list if they do not fit."""
    columns = list(zip(header, *rows, strict=True))
    widths = [max(len(line) for cell in column for line in cell.split("\n")) for column in columns]
    least = []
    for column in columns:
        # its longest word; of a column of long texts, the width below which words are hard to read
        longest = max(len(part) for cell in column for part in _words(cell) or [""])
        least.append(max(longest, min(_LEAST_WORDS, max(map(len, column)))))
    spare = width - _GAP * (len(columns) - 1)
    if sum(map(min, least, widths)) > spare:
        return []
    while sum(widths) > spare:
        at = max((i for i in range(len(widths)) if widths[i] > least[i]), key=lambda i: widths[i])
        widths[at] -= 1
    right = [any(cells) and all(map(_NUMERIC.fullmatch, cells)) for cells in (column[1:] for column in columns)]
    lines: list[str] = []
    for row in (header, *rows):
        parts = [_broken_lines(cell, size) for cell, size in zip(row, widths, strict=True)]
        for i in range(max(map(len, parts))):
            texts = [part[i] if i < len(part) else "" for part in parts]
            sized = zip(texts, widths, right, strict=True)
            lines.append((" " * _GAP).join(t.rjust(n) if is_right else t.ljust(n) for t, n, is_right in sized).rstrip())
        if row is header and row[0]:
            lines.append((" " * _GAP).join("-" * size for size in widths))
    return lines


def _records(header: tuple[str, ...], rows: Sequence[tuple[str, ...]], width: int) -> list[str]:
    """Return each row as a list: its first cell as a heading, the other cells with their labels below."""
    lines: list[str] = []
    for row in rows:
        lines += _broken_lines(f"{header[0]}: {row[0]}" if header[0] else row[0], width)
        told = [(name, cell) for name, cell in zip(header[1:], row[1:], strict=True) if cell]
        lines += [f"{' ' * _GAP}{line}" for line in _pairs(told, width - _GAP)]
    return lines


def _words(text: str) -> list[str]:
    """Split a text into unbreakable pieces: words, numbers with their units, ranges."""
    return _BOUND.sub(lambda found: found[0].replace(" ", "\0"), text).split(" ")


def _broken_lines(text: str, width: int) -> list[str]:
    """Break a text into lines of at most the width; only a single longer word exceeds it."""
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
