"""Answers of commands: tables for people or one JSON object on standard output, remarks on standard error."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from rropt.core.visible import visible


class Unasked(str):
    """The type of an argument that is not a part of the question: no answer repeats it."""

    __slots__ = ()


class Secret(Unasked):
    """The same of true values: no message repeats it either."""

    __slots__ = ()


_call: dict[str, Any] = {}  # of the command that runs: whether JSON is wanted and not yet printed, and the question


def begin(words: Sequence[str]) -> None:
    """Begin a call: of its answer nothing is printed yet."""
    _call.update(wanted="--json" in words, question={}, secrets=[], names=set(), printed=False)


def ask(args: argparse.Namespace) -> None:
    """Keep what is asked, so that an answer can be read by itself: the command, its options, given or by default."""
    from rropt import __version__

    values = {key: value for key, value in vars(args).items() if _is_asked(key, value)}
    _call["question"] = {**values, "versions": {"rropt": __version__}}
    _call["names"] = set(vars(args))
    _call["secrets"] = [value for value in vars(args).values() if isinstance(value, Secret)]


def repeatable(words: Sequence[str]) -> list[str]:
    """Return the words of a call that a message may repeat."""
    return [word for word in words if not any(word.endswith(secret) for secret in _call["secrets"])]


def _is_asked(key: str, value: Any) -> bool:
    is_plain = isinstance(value, (str, int, list)) and value not in (False, [])
    return is_plain and key not in ("json", "exact") and not isinstance(value, Unasked)


def print_json(data: Mapping[str, Any]) -> None:
    """Print one JSON object, with the question. Exact numbers are already strings; floats must be finite."""
    asked = {"question": _call["question"]} if _call.get("question") else {}
    print(json.dumps({**data, **asked}, allow_nan=False))
    _call["wanted"] = False  # one object, and no second one when a file cannot be written


_PARAMETER = re.compile(r"`([a-z][a-z_]*)(?:=([^`]*))?`")


def in_options(message: str) -> str:
    """Return a message of the library, which speaks of parameters, with the options of the command in their place."""

    def option(found: re.Match[str]) -> str:
        name, value = found[1], found[2]
        if name not in _call["names"]:
            return found[0]
        typed = f"--{name.replace('_', '-')}"
        return typed if value in (None, "True", "...") else f"{typed} {value}"

    return _PARAMETER.sub(option, message)


def print_error(error: str, kind: str) -> None:
    """Print the object of bad input where JSON is wanted, unless an answer was printed."""
    if _call["wanted"]:
        print_json({"error": error, "kind": kind})


@dataclass(frozen=True)
class PrintedResult:
    """Additions to a result: keys for JSON, and lines of text."""

    record: dict[str, Any]
    said: list[tuple[str, str]]

    def to_dict(self) -> dict[str, Any]:
        """Return the keys."""
        return self.record

    def lines(self) -> list[tuple[str, str]]:
        """Return the lines."""
        return self.said


def say_rounding(level: Any) -> None:
    """Say on standard error that the level of a criterion, if there is one, is B(h) rounded down, where it is."""
    for remark in () if level is None else level.remarks():
        note(f"rropt: {remark}")


def print_result(
    args: argparse.Namespace,
    result: Any,
    *more: Any,
    title: str = "",
    mechanism: Any = None,
    below: Any = None,
    **beside: Any,
) -> None:
    """Print what a result says of itself, and others after it: one JSON object, or their lines in tables.

    The result comes first, then its matrices, then the criterion of the level, where one was asked; in JSON it stands
    under its name, with the certificate of the bound, if the result can have one. Remarks go to standard error.

    Args:
        args: the arguments of the command.
        result: the result.
        more: results whose keys and lines are added.
        title: of tables that have none of their own.
        mechanism: what the result is about, shown to people below the tables.
        below: what people are shown at the end.
        beside: further keys for JSON alone.
    """
    criterion = vars(args).get("criterion")
    say_rounding(criterion)
    if args.json:
        if criterion is not None:
            beside["criterion"] = criterion.to_dict()
            if hasattr(result, "bound_certificate"):
                bound = result.bound_certificate
                beside["criterion"]["bound_certificate"] = None if bound is None else bound.to_dict()
        from rropt.core.results import joined

        print_json(joined(*(one.to_dict() for one in (result, *more)), beside))
        return
    after = [line for one in more for line in one.lines()] + ([] if criterion is None else criterion.lines())
    for name, header, rows in result.as_tables() if hasattr(result, "as_tables") else [("", None, result.lines())]:
        if header is None:
            after, rows = [], [*rows, *after]
        print_table(rows, title=name or title, header=header)
    if after:
        print_table(after)
    if mechanism is not None:
        _print_matrix(mechanism, None)
    for one in (result, *more):
        print_matrices(one)
    if below:
        print_text(str(below))
    say_remarks(result)


def print_matrices(result: Any) -> None:
    """Print the matrices of a result, where it has some, each below what it is."""
    for title, matrix in getattr(result, "matrices", dict)().items():
        _print_matrix(matrix, title)


def _print_matrix(matrix: Any, title: str | None) -> None:
    """Print a mechanism or a matrix below its title, in as many blocks of columns as the width asks for."""
    from rropt.core.results.layout import terminal_width
    from rropt.mechanisms.decimals import plain_text

    width = terminal_width()
    is_mechanism = hasattr(matrix, "displayed")
    print_text(matrix.displayed(title, width) if is_mechanism else plain_text(title or "", matrix, width))


def print_text(text: str) -> None:
    """Print text for people; on a terminal lines that do not fit are broken between words, and else left whole."""
    from rropt.core.results.layout import is_on_terminal, wrapped

    shown = "\n".join(map(visible, text.split("\n")))
    print(wrapped(shown) if is_on_terminal() else shown)
    _call["printed"] = True


def print_lines(text: str) -> None:
    """Print lines that other programs read, each whole, such as the verdict on a file; indented lines are wrapped."""
    for line in text.split("\n"):
        if line.startswith(" "):
            print_text(line)
        else:
            print(visible(line))


def print_table(rows: Iterable[tuple[str, ...]], *, title: str = "", header: tuple[str, ...] | None = None) -> None:
    """Print rows of text as a table that fits the terminal: every table of every command."""
    from rropt.core.results.layout import laid_out

    if _call.get("printed"):
        print()
    print(laid_out([(title, header, list(rows))]))
    _call["printed"] = True


def say_remarks(result: Any) -> None:
    """Write the remarks on a result, if any, to standard error."""
    for remark in result.remarks() if hasattr(result, "remarks") else ():
        note(f"remark: {in_options(remark)}")


def note(message: str) -> None:
    """Print a message on standard error: progress and remarks never mix with results."""
    if sys.stderr is None:  # closed: `print` would take standard output in its place
        return
    message = visible(message)
    if sys.stderr.isatty():  # a terminal would break the line inside of a number
        from rropt.core.results.layout import wrapped

        message = wrapped(message)
    print(message, file=sys.stderr)


@contextmanager
def progress_bar(title: str) -> Iterator[Callable[[int, int], object]]:
    """Show a progress bar on standard error if that is a terminal: of how many more are done, and of all."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=None)
        yield lambda done, total: progress.update(task, advance=done, total=total)
