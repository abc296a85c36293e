"""Files of answers, line by line: opened, read and refused; an error names a line and never repeats its content."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from rropt.errors import FileFormatError, InvalidParameterError, shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LONGEST_LINE = 1 << 20  # characters; csv itself stops at 131072 in a field
CHUNK = 1 << 16  # rows between two movements of the progress bar
_LONG = 1 << 22  # bytes or answers: about a second of work, worth a progress bar
_NO_ANSWER = {"", "na", "nan", "none", "null", "."}  # how tables write that a question was not answered

Advance = Callable[[int], object]


def read_questions(
    path: str, columns: Sequence[str] | None, sizes: Sequence[int], *, missing: bool
) -> NDArray[np.integer[Any]]:
    """Return the answers in a CSV file, one row for each respondent and one column for each question.

    Args:
        path: the file, or ``-``.
        columns: names of the columns of a header, in the order of the questions; ``None``: there is no header, and
            every line has one answer to each question.
        sizes: how many answers each question has: they are written 0, 1, ...
        missing: whether a question may be left unanswered (-1 in the array).

    Raises:
        FileFormatError: a line has another number of answers, or one that is none.
    """
    import numpy

    codes = [{str(x): x for x in range(size)} | (dict.fromkeys(_NO_ANSWER, -1) if missing else {}) for size in sizes]
    found: list[list[int]] = []
    try:
        with opened(path) as (stream, size), bar("reading", size) as advance:
            reader = csv.reader(lines_of(stream, advance), strict=True)
            rows = rows_of(reader)
            header = next(rows, []) if columns is not None else []
            places = [position(header, name) for name in columns or ()] or list(range(len(sizes)))
            for row in rows:
                if len(row) <= max(places) or (columns is None and len(row) != len(sizes)):
                    raise bad_line(reader, f"has {len(row)} values", f"allowed are {len(sizes)}, one for each question")
                answers = [code.get(row[place].strip().lower(), -2) for code, place in zip(codes, places, strict=True)]
                if -2 in answers:
                    question = answers.index(-2)
                    allowed = "0 and 1" if sizes[question] == 2 else f"0 to {sizes[question] - 1}"
                    advice = (
                        f"allowed are {allowed}; correct it, or, if line 1 is a header, name its columns: --columns"
                    )
                    raise bad_line(reader, f"holds no answer to question {question}", advice)
                found.append(answers)
    except OSError as error:
        raise unreadable(path, error) from None
    except UnicodeDecodeError:  # its own message shows the bytes
        raise FileFormatError(f"data are not text: {shown(path)} is not UTF-8; convert the file") from None
    if not found:
        raise FileFormatError(f"data are empty: {shown(path)} holds no answers; give one line for each respondent")
    return numpy.array(found, numpy.int16 if max(sizes) < 1 << 15 else numpy.int64)


def read_column(path: str, column: str, most: int) -> dict[str, list[int]]:
    """Return the texts in a column of a CSV file with a header, each with the rows (from 0) that hold it.

    Raises:
        FileFormatError: a line is too short, or there are more than ``most`` texts.
    """
    found: dict[str, list[int]] = {}
    try:
        with opened(path) as (stream, _):
            reader = csv.reader(lines_of(stream, lambda done: None), strict=True)
            rows = rows_of(reader)
            place = position(next(rows, []), column)
            for number, row in enumerate(rows):
                if len(row) <= place:
                    raise bad_line(reader, f"has {len(row)} values", f"the column {shown(column)} is missing")
                found.setdefault(row[place].strip(), []).append(number)
                if len(found) > most:
                    raise bad_line(reader, f"brings more than {most} texts", f"is {shown(column)} the right column?")
    except OSError as error:
        raise unreadable(path, error) from None
    except UnicodeDecodeError:
        raise FileFormatError(f"data are not text: {shown(path)} is not UTF-8; convert the file") from None
    return found


def columns_of(text: str | None, questions: int) -> list[str] | None:
    """Return the names of ``--columns``, one for each question; ``None`` where there is no header."""
    if text is None:
        return None
    names = [name.strip() for name in text.split(",")]
    if len(names) != questions:
        raise InvalidParameterError(
            f"--columns do not fit the mechanism: received {len(names)} names; allowed are {questions}, one for each "
            "question"
        )
    return names


def first_line_has(path: str, values: int) -> bool:
    """Return whether the first line of a file has so many values; of standard input it is not known."""
    if path == "-":
        return False
    with opened(path) as (stream, _):
        return len(next(csv.reader([stream.readline(_LONGEST_LINE)]), [])) == values


def rows_of(reader: Any) -> Iterator[list[str]]:
    """Iterate over the rows; blank lines are allowed at the end only, where they are no missing answers."""
    blank = 0
    try:
        for row in reader:
            if not row:
                blank = blank or reader.line_num
                continue
            if blank:
                raise FileFormatError(f"line {blank} of the data is empty: every line must hold an answer; remove it")
            yield row
    except csv.Error:
        raise bad_line(reader, "is not CSV", "check its quotation marks") from None


def position(header: list[str], column: str) -> int:
    """Return the place of a column in a header."""
    names = [name.strip() for name in header]
    if names.count(column.strip()) != 1:
        count = "no column" if column.strip() not in names else "more than one column"
        raise InvalidParameterError(
            f"--column does not fit the data: received {shown(column)}, and {count} of line 1 has that name; the "
            "header is not repeated here, since it may hold answers; give the name of one column of a CSV header"
        )
    return names.index(column.strip())


def bad_line(reader: Any, wrong: str, advice: str) -> FileFormatError:
    """Return the error of the line that was read last."""
    return FileFormatError(f"line {reader.line_num} of the data {wrong} (its content is not repeated here): {advice}")


def unreadable(path: str, error: OSError | ValueError) -> FileFormatError:
    """Return the error of a file that cannot be opened."""
    reason = getattr(error, "strerror", None) or "no such file can be"
    return FileFormatError(f"data cannot be read: {shown(path)}: {reason}; name a file, or - for standard input")


@contextmanager
def opened(path: str) -> Iterator[tuple[TextIO, int | None]]:
    """Open a file, or standard input, as UTF-8 text; also its size in bytes if that is known."""
    if path != "-":
        try:
            stream = Path(path).open(encoding="utf-8-sig", newline="")  # noqa: SIM115  # closed below
        except (OSError, ValueError) as error:  # ValueError: a null character in the path
            raise unreadable(path, error) from None
        with stream:
            yield stream, Path(path).stat().st_size
        return
    wrapped = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8-sig", newline="")
    try:
        yield wrapped, None
    finally:
        wrapped.detach()  # standard input stays open for others


def lines_of(stream: TextIO, advance: Advance) -> Iterator[str]:
    """Iterate over the lines of a stream, none of them too long."""
    read = 0
    for number, line in enumerate(iter(lambda: stream.readline(_LONGEST_LINE), ""), start=1):
        if len(line) == _LONGEST_LINE:
            raise FileFormatError(
                f"line {number} of the data is too long: a line has less than {_LONGEST_LINE} characters"
            )
        read += len(line)
        if number % CHUNK == 0:
            advance(read)
            read = 0
        yield line


@contextmanager
def bar(title: str, total: int | None) -> Iterator[Advance]:
    """Show a progress bar on standard error if that is a terminal and the work may be long."""
    if not sys.stderr.isatty() or (total is not None and total < _LONG):
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=total)
        yield lambda done: progress.update(task, advance=done)
