"""Answers of commands: tables for people or one JSON object on standard output, and files written after the answer.

Every target of a call is looked at before the work, so bad input costs nothing; an answer is printed whatever
happens to its files, and of several files of one call all are written or none.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from rropt.errors import CertificateError, FileAccessError
from rropt.files import Target, require_distinct, require_folder, shown_path, write_files

if TYPE_CHECKING:
    from rropt.certificates import Certificate


class Speaks(Protocol):
    """What says itself: a ``rropt.results.Result``, or what has these two of it."""

    def to_dict(self) -> dict[str, Any]:
        """Return what it says for JSON."""

    def lines(self) -> list[tuple[str, str]]:
        """Return the same for people."""


_call: dict[str, Any] = {}  # of the command that runs: whether JSON is wanted and not yet printed, and the question


def begin(words: Sequence[str]) -> None:
    """Begin a call: of its answer nothing is printed yet."""
    _call.update(wanted="--json" in words, question={}, secrets=[])


def ask(args: argparse.Namespace) -> None:
    """Keep what is asked, so that an answer can be read by itself: the command, its options, given or by default."""
    from rropt import __version__

    values = {key: value for key, value in vars(args).items() if _is_asked(key, value)}
    _call["question"] = {**values, "versions": {"rropt": __version__}}
    _call["secrets"] = [value for value in vars(args).values() if isinstance(value, Secret)]


def repeatable(words: Sequence[str]) -> list[str]:
    """Return the words of a call that a message may repeat."""
    return [word for word in words if not any(word.endswith(secret) for secret in _call["secrets"])]


def _is_asked(key: str, value: Any) -> bool:
    is_plain = isinstance(value, (str, int, list)) and value not in (False, [])
    return is_plain and key not in ("json", "version") and not isinstance(value, (OutputFile, OutputFolder, Secret))


def print_json(data: Mapping[str, Any]) -> None:
    """Print one JSON object, with the question. Exact numbers are already strings; floats must be finite."""
    asked = {"question": _call["question"]} if _call.get("question") else {}
    print(json.dumps({**data, **asked}, allow_nan=False))
    _call["wanted"] = False  # one object, and no second one when a file cannot be written


def print_error(error: str, kind: str) -> None:
    """Print the object of bad input where JSON is wanted, unless an answer was printed."""
    if _call["wanted"]:
        print_json({"error": error, "kind": kind})


def print_result(
    result: Speaks, *more: Speaks, title: str = "", json: bool = False, criterion: Speaks | None = None, **beside: Any
) -> None:
    """Print what a result says of itself, and others after it: one JSON object, or their lines as a table.

    For people its matrices follow, and its remarks on standard error.

    Args:
        result: what was found.
        more: results whose keys and lines are added.
        title: of the table.
        json: whether JSON is wanted.
        criterion: the level of a criterion that was asked: its lines come first, in JSON it stands under its name.
        beside: further keys for JSON alone.
    """
    if not json:
        asked = () if criterion is None else (criterion,)
        print_table([line for one in (*asked, result, *more) for line in one.lines()], title=title)
        for one in (result, *more):
            print_matrices(one)
        say_remarks(result)
        return
    if criterion is not None:
        beside["criterion"] = criterion.to_dict()
    from rropt.results import joined

    print_json(joined(*(one.to_dict() for one in (result, *more)), beside))


def print_matrices(result: Speaks) -> None:
    """Print the matrices of a result, each below what it is."""
    from rropt.mechanisms.decimals import plain_text

    for title, matrix in getattr(result, "matrices", dict)().items():
        print_text(plain_text(title, matrix))


def print_text(text: str) -> None:
    """Print plain text for people."""
    print(text)


def print_table(rows: Iterable[tuple[str, ...]], *, title: str = "", header: tuple[str, ...] | None = None) -> None:
    """Print rows of text as a table that fits the terminal; long cells wrap, nothing is cut."""
    from rich.console import Console
    from rich.table import Table

    class PipeConsole(Console):
        def on_broken_pipe(self) -> None:  # rich would leave with status 1, which is a negative answer here
            raise BrokenPipeError

    rows = list(rows)
    table = Table(title=title or None, title_justify="left", show_header=header is not None, highlight=False)
    for i, name in enumerate(header or ("",) * (len(rows[0]) if rows else 1)):
        table.add_column(name, overflow="fold", style="bold" if i == 0 else None)
    for row in rows:
        table.add_row(*(cell.replace("[", r"\[") for cell in row))
    console = PipeConsole(soft_wrap=False)
    if not console.is_terminal:  # a pipe has no width: let no number be folded
        console = PipeConsole(width=max(200, console.width))
    console.print(table)


def say_remarks(result: Any) -> None:
    """Say on standard error what must be said beside a result, where it has remarks."""
    for remark in result.remarks() if hasattr(result, "remarks") else ():
        note(f"remark: {remark}")


def note(message: str) -> None:
    """Print a message on standard error: progress and remarks never mix with results."""
    if sys.stderr is not None:  # closed: `print` would take standard output in its place
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


# destinations of the arguments that name a file to read, in every command; an input that is no file is passed over
_INPUTS = (
    "mechanism",
    "mechanisms",
    "data",
    "files",
    "levels",
    "bounds",
    "loss",
    "problem",
    "properties",
    "device_file",
    "names",
    "sample",
    "specification",
    "versus",
)


Content = str | bytes


class Secret(str):
    """The type of an argument that no answer and no message repeats: true values."""

    __slots__ = ()


class OutputFile(str):
    """The type of an argument that names a file to write: ``parser.add_argument(..., type=OutputFile)``."""

    __slots__ = ()


class PrivateFile(OutputFile):
    """The same of a file that, where it is new, nobody but its owner may read."""

    __slots__ = ()


class OutputFolder(str):
    """The type of an argument that names a folder to write files to; it is made where it is missing."""

    __slots__ = ()


class Pending:
    """The files of one call, from the arguments of type ``OutputFile`` and ``OutputFolder``.

    Raises:
        FileAccessError: one of them cannot be written.
        InvalidParameterError: one file for two purposes.
    """

    def __init__(self, args: argparse.Namespace) -> None:
        values = vars(args).items()
        self._inputs = [(_title(dest), text) for dest, value in values if dest in _INPUTS for text in _texts(value)]
        self._targets = [(_title(dest), Target.of(value)) for dest, value in values if isinstance(value, OutputFile)]
        if self._targets:
            require_distinct(self._targets, self._inputs)
        self._folders = [value for value in vars(args).values() if isinstance(value, OutputFolder)]
        for folder in self._folders:
            require_folder(folder)
        self._contents: list[tuple[str, Content | Callable[[], Content]]] = []
        self._notes: list[str] = []

    def expect(self, *paths: str) -> None:
        """Look at further targets, which are made from an option's text, before the work."""
        new = [(Path(path).name, Target.of(path)) for path in paths if not self._is_to_be_made(path)]
        require_distinct([*self._targets, *new], self._inputs)
        self._targets += new

    def put(self, path: str, content: Content | Callable[[], Content], what: str = "") -> None:
        """Take the content of a file, or what makes it once the answer is printed.

        Args:
            path: of the file.
            content: text, bytes, or a function that returns one of them.
            what: what it is, said on standard error once it is written; nothing when left out.
        """
        self._contents.append((path, content))
        if what:
            self.remark(f"{what} written to {path}")

    def remark(self, message: str) -> None:
        """Take what is to be said on standard error once all is written."""
        self._notes.append(message)

    def write(self) -> None:
        """Write all or none, and say so."""
        made = [(path, content() if callable(content) else content) for path, content in self._contents]
        if made or self._folders:
            data = [(path, content.encode("utf-8") if isinstance(content, str) else content) for path, content in made]
            private = {path for path, _ in made if isinstance(path, PrivateFile)}
            write_files(data, folders=self._folders, private=private)
        for remark in self._notes:
            note(remark)

    def _is_to_be_made(self, path: str) -> bool:
        return any(Path(path).parent == Path(folder) and not Path(folder).exists() for folder in self._folders)


def proof(
    args: argparse.Namespace,
    make: Callable[[], Certificate | None],
    path: str | None,
    what: str = "certificate",
    *,
    why_not: str = "",
) -> Certificate | None:
    """Return a certificate, left to be written to ``path``; ``None``, with a note, where the checker accepts none.

    An answer does not rest on its certificate: it is printed without one. ``why_not`` stands for the error's own words.
    """
    try:
        certificate = make()
    except CertificateError as error:
        note(f"rropt: {f'{path} was not written' if path else f'no {what}'}: {why_not or error}")
        return None
    if path is not None and certificate is not None:
        args.pending.put(path, certificate.file_text, what)
    return certificate


def put_picture(args: argparse.Namespace, path: str, picture: Any, *, dpi: int | None = None, **look: Any) -> None:
    """Leave a picture to be drawn and written once the answer is printed; ``look`` is that of ``rropt.plots.draw``.

    Raises:
        InvalidParameterError: the name has no format of pictures.
    """
    from rropt.plots import draw, sheets

    kind = sheets.format_of(path)
    args.pending.put(path, lambda: sheets.picture_bytes(draw(picture, **look), kind, dpi=dpi), "picture")


def second_path(path: str, suffix: str) -> str:
    """Return the name of a second file beside the first: ``design.json`` has ``design-bound.json``.

    Raises:
        FileAccessError: the first is no regular file, a FIFO for example, and has nothing beside it.
    """
    if not Target.of(path).is_file:
        raise FileAccessError(
            f"cannot write two files to {shown_path(path)}: it is no regular file, and this call writes a second one, "
            f"with {suffix} in its name; give the name of a regular file"
        )
    return str(Path(path).with_stem(f"{Path(path).stem}{suffix}"))


def _title(destination: str) -> str:
    is_positional = destination in ("data", "files", "mechanism", "mechanisms")  # or has the same name beside "--"
    return destination.upper() if is_positional else f"--{destination}"


def _texts(value: Any) -> Iterator[str]:
    yield from (item for item in (value if isinstance(value, list) else [value]) if isinstance(item, str))
