"""Output of commands: tables or one JSON object on standard output, remarks on standard error."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from math import inf
from time import monotonic
from typing import Any, TextIO

from rropt.core.visible import visible


class NotRecorded(str):
    """The type of an argument that is not part of the question; no result repeats it."""


class ConfidentialInput(NotRecorded):
    """The type of an argument with true values; neither results nor messages repeat it."""


_BAR = 30  # columns of a bar, so that title, part and time stand beside it on 80
_BETWEEN_LINES = 0.1  # seconds: faster than this nobody reads
_REST_OF_LINE = "\x1b[K"  # erases what the line before it leaves on the right

# state of the running command: whether JSON is requested and not yet printed, and the question
_call: dict[str, Any] = {}


def begin_call(words: Sequence[str]) -> None:
    """Begin a call, of which nothing is printed yet."""
    _call.update(wanted="--json" in words, question={}, secrets=[], names={}, printed=False, noted=set())


def record_question(args: argparse.Namespace) -> None:
    """Store the question, so that a result is self-contained: the command and its options, given or by default."""
    asked = {
        key: value
        for key, value in vars(args).items()
        if isinstance(value, (str, int, list)) and not isinstance(value, NotRecorded)
        if value not in (False, []) and key not in ("json", "exact")
    }
    secrets = [value for value in vars(args).values() if isinstance(value, ConfidentialInput)]
    _call.update(question={**asked, "versions": {}}, names=args.spelled, secrets=secrets)


def record(**asked: Any) -> None:
    """Store keys of the question that are not empty: what the options of a command stand for."""
    _call["question"] |= {key: value for key, value in asked.items() if value}


# options whose commas separate numbers that are hardly ever decimals
_WITH_COUNTS = ("--contrast", "--counts", "--deck", "--direct", "--questions", "--population", "--properties")
_WITH_NAMES = ("--categories", "--columns", "--event", "--inputs", "--output-names", "--pair")


def possible_decimals(words: Sequence[str]) -> list[str]:
    """Return the words that may be meant as numbers with decimals, which counts and names never are; no true values."""
    meant = [word for before, word in pairwise(["", *words]) if before not in _WITH_COUNTS + _WITH_NAMES]
    return [word for word in meant if not any(word.endswith(secret) for secret in _call["secrets"])]


def print_json(data: Mapping[str, Any]) -> None:
    """Print a JSON object that includes the question. Exact numbers are strings already; floats must be finite."""
    from rropt.core.version import installed_version

    asked = {"question": _call["question"]} if _call.get("question") else {}
    if asked:
        _call["question"]["versions"] = {"rropt": installed_version()}
    sys.stdout.writelines([*_pieces({**data, **asked}), "\n"])  # all of them first: a wrong number prints nothing
    _call["wanted"] = False  # a single object: no second one follows if a file cannot be written


_MANY = 1000  # items of a list that are encoded together


def _pieces(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the text of a JSON object in pieces: the encoder needs many times the memory of a text that it makes."""
    from rropt.core.results.late_records import LateRecords

    encode = json.JSONEncoder(allow_nan=False).encode
    mark = "{"
    for key, value in data.items():
        yield f"{mark}{encode(key)}: "
        mark = ", "
        is_late = isinstance(value, LateRecords)
        if not isinstance(value, list | LateRecords) or len(value) <= _MANY:
            yield encode(list(value) if is_late else value)
            continue
        for first in range(0, len(value), _MANY):
            yield ("[" if not first else ", ") + encode(value[first : first + _MANY])[1:-1]
        yield "]"
    yield "{}" if mark == "{" else "}"


_PARAMETER = re.compile(r"`([a-z][a-z_]*)(?:=([^`]*))?`")


def with_option_names(message: str) -> str:
    """Return a message of the library with the names of its parameters replaced by options of the command."""

    def option(found: re.Match[str]) -> str:
        name, value = found[1], found[2]
        if name not in _call["names"]:
            return found[0]
        typed = _call["names"][name]
        return typed if value in (None, "True", "...") else f"{typed} {value}"

    return _PARAMETER.sub(option, message)


def print_error(error: str, kind: str) -> None:
    """Print the JSON object of an error if JSON is requested and no result has been printed."""
    if _call["wanted"]:
        print_json({"error": error, "kind": kind})


@dataclass(frozen=True)
class PrintedResult:
    """Additional content of a result: keys for JSON, and lines of text."""

    record: dict[str, Any]
    said: list[tuple[str, str]]

    def to_dict(self) -> dict[str, Any]:
        """Return the keys and their values."""
        return self.record

    def lines(self) -> list[tuple[str, str]]:
        """Return the lines."""
        return self.said


def print_rounding(level: Any) -> None:
    """Report on standard error if the level of a criterion is B(h) rounded down."""
    for remark in () if level is None else level.remarks():
        print_note(f"rropt: {remark}")


def print_result(
    args: argparse.Namespace,
    result: Any,
    *more: Any,
    title: str = "",
    mechanism: Any = None,
    below: Any = None,
    tables: Iterable[Any] = (),
    reading: Any = None,
    has_matrices: Any = True,
    **beside: Any,
) -> None:
    """Print results as one JSON object, or as tables of their lines.

    ``result`` comes first, then its matrices, then the criterion of the level, if one is given. In JSON, the key
    ``criterion`` contains the criterion, with the certificate of the bound if the result has one. Remarks go to
    standard error.

    Args:
        args: the arguments of the command.
        result: the result.
        more: results whose keys and lines are added.
        title: the title of the first table, if it has none of its own.
        mechanism: the mechanism of the result, which text output shows below the tables.
        below: text that is printed at the end.
        tables: further tables, which only text output shows.
        reading: how data were read; text output reports it on standard error.
        has_matrices: whether text output shows the matrices of the results.
        beside: further keys, only for JSON.
    """
    from rropt.core.results import remarks_of

    criterion = vars(args).get("criterion")
    if criterion is not None:
        print_rounding(criterion)
    if args.json:
        if criterion is not None:
            beside["criterion"] = criterion.to_dict()
            if hasattr(result, "bound_certificate"):
                bound = result.bound_certificate
                beside["criterion"]["bound_certificate"] = None if bound is None else bound.to_dict()
        from rropt.core.results import merged_records

        whole = result.late_dict() if hasattr(result, "late_dict") else result.to_dict()
        record = merged_records(whole, *(one.to_dict() for one in more), beside)
        if "remarks" not in record and (remarks := [text for one in (criterion, result) for text in remarks_of(one)]):
            record["remarks"] = remarks
        own = record.get("mechanism")
        is_stated = isinstance(own, Mapping) and "epsilon" not in own  # not only a name and a level
        read: Any = getattr(args, "mechanism", None)
        if hasattr(read, "to_dict") and not is_stated and not {"mechanisms", "matrix", "samples"} & record.keys():
            _call["question"]["mechanism_read"] = read.to_dict()
        print_json(named_record(result, record, whole if hasattr(result, "to_json") else None))
        return
    after = [line for one in more for line in one.lines()] + ([] if criterion is None else criterion.lines())
    if getattr(args, "explain", False) and hasattr(result, "explained_tables"):
        own_tables = result.explained_tables()
    else:
        own_tables = result.as_tables() if hasattr(result, "as_tables") else [("", None, result.lines())]
    for name, header, rows in own_tables:
        if header is None:
            after, rows = [], [*rows, *after]
        print_table(rows, title=name or title, header=header)
        title = ""  # the first table has it
    if after:
        print_table(after)
    matrices: list[tuple[str | None, Any]] = [] if mechanism is None else [(None, mechanism)]
    for one in (result, *more) if has_matrices else more:
        matrices += getattr(one, "matrices", dict)().items()
    if matrices:
        print_matrices(matrices)
    if below:
        print_text(str(below))
    of_table = () if reading is None else reading.remarks
    for remark in remarks_of(result):
        if remark not in of_table:  # those follow
            print_note(f"remark: {with_option_names(remark)}")
    for name, header, rows in tables:
        print_table(rows, title=name, header=header)
    if reading is not None:
        print_note(f"rropt: read {reading.text()}")
        for remark in reading.remarks:
            print_note(f"remark: {remark}")


def named_record(result: Any, record: Mapping[str, Any], own: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return a record with the name of its result, and under ``beside`` the names of the keys that a command added.

    Args:
        result: the result.
        record: its record, with what the command added.
        own: its record alone, if it is there already: that of many groups takes long.
    """
    from rropt.core.results import equal_in_json

    result = getattr(result, "below", result) if not hasattr(result, "to_json") else result  # a design at a lower level
    own = result.to_dict() if own is None else own
    plain = ("decimals", "remarks")
    beside = [key for key in record if key not in plain and not equal_in_json(own.get(key, ()), record[key])]
    return {"result": type(result).__name__, **record, **({"beside": beside} if beside else {})}


def print_matrices(named: Iterable[tuple[str | None, Any]]) -> None:
    """Print mechanisms and matrices below their titles, in blocks of columns that fit the width."""
    from rropt.core.results.layout import terminal_width
    from rropt.mechanisms import Mechanism
    from rropt.mechanisms.displays import mechanism_text, plain_text

    width = terminal_width()
    for title, matrix in named:
        is_mechanism = isinstance(matrix, Mechanism)
        print_text(mechanism_text(matrix, title, width) if is_mechanism else plain_text(title or "", matrix, width))


def print_text(text: str) -> None:
    """Print text for people; on a terminal, lines that are too long are wrapped between words."""
    from rropt.core.results.layout import is_on_terminal, wrapped

    shown = "\n".join(map(visible, text.split("\n")))
    print(wrapped(shown) if is_on_terminal() else shown)
    _call["printed"] = True


def print_table(rows: Iterable[tuple[str, ...]], *, title: str = "", header: tuple[str, ...] | None = None) -> None:
    """Print rows of text as a table that fits the terminal; every command prints its tables this way."""
    from rropt.core.results.layout import tables_as_text

    if _call.get("printed"):
        print()
    print(tables_as_text([(title, header, list(rows))]))
    _call["printed"] = True


def print_note(message: str) -> None:
    """Print a message on standard error, so that progress and remarks never mix with results."""
    if sys.stderr is None:  # standard error is closed: `print` would use standard output instead
        return
    message = visible(message)
    if sys.stderr.isatty():  # a terminal would break lines inside numbers
        from rropt.core.results.layout import wrapped

        message = wrapped(message)
    try:
        print(message, file=sys.stderr)
    except BrokenPipeError:  # the reader of remarks has left
        drop_buffer(sys.stderr)


def drop_buffer(stream: TextIO) -> None:
    """Discard what a standard stream has not written, so that Python's own flush at the end does not fail."""
    with suppress(OSError, ValueError):  # tests may have no descriptor
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def print_note_once(message: str) -> None:
    """Print a message on standard error unless the call has printed it."""
    if message not in _call.setdefault("noted", set()):
        _call["noted"].add(message)
        print_note(message)


@contextmanager
def progress_bar(title: str) -> Iterator[Callable[[int, int], object]]:
    """Show one line of progress if standard error is a terminal, and erase it at the end.

    Call the yielded function with the number newly done and the total. Work that does not report its steps shows the
    title alone.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    line = _ProgressLine(title, monotonic())
    try:
        yield line.advance
    finally:
        line.show("")


@dataclass
class _ProgressLine:
    """A line on a terminal: title, bar, part done, and the time left at the pace so far."""

    title: str
    started: float  # seconds of the monotonic clock
    done: int = 0
    shown: float = -inf

    def __post_init__(self) -> None:
        self.show(f"{self.title} ...")

    def advance(self, newly: int, total: int) -> None:
        """Add the newly done; show the line at most ten times a second."""
        self.done += newly
        now = monotonic()
        if total <= 0 or now - self.shown < _BETWEEN_LINES:
            return
        self.shown = now
        part = min(self.done / total, 1.0)
        left = f"{timedelta(seconds=round((now - self.started) * (1 - part) / part))} left" if part else ""
        self.show(f"{self.title} {'#' * round(_BAR * part):.<{_BAR}} {part:4.0%} {left}")

    def show(self, text: str) -> None:
        """Write a text over the line before it."""
        from rropt.core.results.layout import terminal_width

        with suppress(OSError):  # the terminal has gone
            sys.stderr.write(f"\r{text[: terminal_width() - 1]}{_REST_OF_LINE}")
            sys.stderr.flush()
