"""Files that a command writes after its answer.

Every target of a call is looked at before the work, so bad input costs nothing; an answer is printed whatever
happens to its files, and of several files of one call all are written or none.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rropt.cli.output import NotRecorded, print_note, print_result
from rropt.core.errors import FileAccessError, RroptError
from rropt.core.files import Target, require_apart, require_distinct, require_folder, shown_path, write_files

if TYPE_CHECKING:
    from rropt.core.certificates import Certificate


Content = str | bytes


class InputFile(str):
    """The type of an argument that may name a file to read; values that name none are ignored."""


class OutputFile(NotRecorded):
    """The type of an argument that names a file to write."""

    formats: tuple[str, ...] = ()  # the extensions that are allowed; empty: every one


class ReportFile(OutputFile):
    """The type of an argument that names a report to write, in the format of its extension."""

    formats = (".html", ".md", ".tex")


class PageFile(OutputFile):
    """The type of an argument that names a page in HTML to write."""

    formats = (".html",)


class ProofFile(OutputFile):
    """The type of an argument that names a file with a derivation to write, in the format of its extension."""

    formats = (".md", ".tex")


class TheoremFile(OutputFile):
    """The type of an argument that names a file for the proof assistant Coq to write."""

    formats = (".v",)


class PrivateFile(OutputFile):
    """The type of an argument that names a file to write; a new file is readable only by its owner."""


class PrivatePage(PrivateFile, PageFile):
    """The type of an argument that names a page in HTML which only its owner reads."""


class OutputFolder(NotRecorded):
    """The type of an argument that names a folder to write files to; a missing folder is created."""


def file_or_stream(text: str) -> OutputFile | None:
    """Return the file to write, or ``None`` for ``-``, which is standard output."""
    return None if text == "-" else OutputFile(text)


class PendingFiles:
    """The files that a call will write, from the arguments of type ``OutputFile`` and ``OutputFolder``.

    Raises:
        FileAccessError: a file cannot be written.
        InvalidParameterError: one file has two purposes.
    """

    def __init__(self, args: argparse.Namespace) -> None:
        named = [(args.spelled.get(dest), value) for dest, value in vars(args).items()]
        self._inputs: list[tuple[str, str]] = []
        for title, value in named:
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, InputFile):
                    copies = re.fullmatch(r"(.+)\*[0-9]+", item, re.DOTALL)  # *N: N copies
                    self._inputs += [(title, text) for text in ([item] if copies is None else [item, copies[1]])]
        files = [(title, value) for title, value in named if isinstance(value, OutputFile)]
        self._targets = [(title, Target.of(value)) for title, value in files]
        if self._targets:
            require_distinct(self._targets, self._inputs)
        for title, value in files:
            if value.formats:
                from rropt.reports.document_writers import format_of

                format_of(value, title, value.formats)
        self._named_folders = [(title, value) for title, value in named if isinstance(value, OutputFolder)]
        self._folders = [value for _, value in self._named_folders]
        if self._folders:
            require_apart(self._targets, self._named_folders)
        for folder in self._folders:
            require_folder(folder)
        self._contents: list[tuple[str, Content | Callable[[], Content]]] = []
        self._notes: list[tuple[str, str]] = []  # a file and a remark about it, or only a remark
        self._reasons: dict[str, str] = {value: _NO_CONTENT for _, value in files}

    def expect(self, *paths: str) -> None:
        """Check further targets, whose names derive from an option, before the work."""
        to_be_made = [Path(folder) for folder in self._folders if not Path(folder).exists()]
        new = [(Path(path).name, Target.of(path)) for path in paths if Path(path).parent not in to_be_made]
        require_distinct([*self._targets, *new], self._inputs)
        require_apart(new, self._named_folders)
        self._targets += new

    def reads(self, name: str, path: str) -> None:
        """Check that no target is a file which the command reads, beside those in its arguments."""
        self._inputs.append((name, path))
        require_distinct(self._targets, self._inputs)

    def put(self, path: str, content: Content | Callable[[], Content], what: str = "") -> None:
        """Store the content of a file, or a function that makes it after the result is printed.

        Args:
            path: the path of the file.
            content: text, bytes, or a function that returns one of them.
            what: a name of the content for the message that it was written; no message if empty.
        """
        self._contents.append((path, content))
        if what:
            self._notes.append((path, f"{what} written to {path}"))

    def put_certificate(self, path: str, certificate: Certificate, what: str = "") -> None:
        """Store a certificate, or the reason why it failed."""
        if certificate.failure:
            self.leave_out(path, certificate.failure)
        else:
            self.put(path, lambda: certificate.file_text, what)

    def remark(self, message: str) -> None:
        """Store a remark that is printed on standard error after all files are written."""
        self._notes.append(("", message))

    def leave_out(self, path: str, why: str) -> None:
        """Store the reason why a requested file has no content."""
        self._reasons[path] = why

    @contextmanager
    def left_out_on_failure(self, path: str) -> Iterator[None]:
        """Leave a file out if its content cannot be made; a file never takes the result along."""
        try:
            yield
        except RroptError as error:
            self.leave_out(path, str(error))
        except (RecursionError, MemoryError, OSError) as error:
            self.leave_out(path, f"its content could not be made ({type(error).__name__})")

    def is_written(self, path: str) -> None:
        """Record that the command itself has written a requested file."""
        del self._reasons[path]

    def write(self) -> bool:
        """Write all files or none, then print the remarks; return whether every requested file was written.

        The result is printed already. A file whose content cannot be made is left out.
        """
        made = []
        for path, content in self._contents:
            with self.left_out_on_failure(path):
                made.append((path, content() if callable(content) else content))
        if made or self._folders:
            data = [(path, content.encode("utf-8") if isinstance(content, str) else content) for path, content in made]
            private = {path for path, _ in made if isinstance(path, PrivateFile)}
            write_files(data, folders=self._folders, private=private)
        written = {path for path, _ in made}
        for path, remark in self._notes:
            if not path or path in written:
                print_note(remark)
        left = self._reasons.keys() - written
        for path in sorted(left):
            print_note(f"rropt: {path} was not written: {self._reasons[path]}")
        return not left


_NO_CONTENT = "this result has none; leave the option out"

_NO_CERTIFICATE = "this result has no certificate; leave --certificate out"


def certificate_file(
    args: argparse.Namespace,
    make: Callable[[], Certificate | None],
    path: str | None,
    what: str = "certificate",
    *,
    why_not: str = "",
) -> Certificate | None:
    """Return a certificate, to be written to ``path`` later; ``None``, with a note, if the checker does not accept one.

    The result does not depend on its certificate, so it is printed without one. ``why_not`` replaces the text of the
    error.
    """
    try:
        certificate = make()
    except Exception as error:  # whatever fails here, the result is computed already
        why = why_not or (str(error) if isinstance(error, RroptError) else type(error).__name__)
        if path is None:
            print_note(f"rropt: no {what}: {why}")
        else:
            args.pending.leave_out(path, why)
        return None
    if path is not None and certificate is not None:
        args.pending.put(path, lambda: certificate.file_text, what)
    return certificate


def check_bound_file(args: argparse.Namespace) -> None:
    """Check the file of the second certificate of a rounded criterion before the work."""
    level = args.criterion
    if args.certificate is not None and level is not None and level.is_rounded and level.epsilon_above is not None:
        args.pending.expect(second_path(args.certificate, "-bound"))


def put_certificates(args: argparse.Namespace, found: Any, why_not: str = _NO_CERTIFICATE) -> None:
    """Store the certificate of a result, if requested, and the certificate of its bound as ``design-bound.json``.

    ``why_not`` is the reason that is printed if the result has no certificate.
    """
    if args.certificate is None:
        return
    args.pending.leave_out(args.certificate, why_not)
    with args.pending.left_out_on_failure(args.certificate):
        if found.certificate is None:
            return
        args.pending.put_certificate(args.certificate, found.certificate, "certificate")
        bound = getattr(found, "bound_certificate", None)
        if bound is not None:
            second = second_path(args.certificate, "-bound")
            args.pending.put_certificate(second, bound, "certificate of the bound")


def put_derivation(args: argparse.Namespace, found: Any) -> None:
    """Store the derivation of a result, if requested, to be computed and written after the result is printed."""
    path = getattr(args, "derivation", None)
    if path is None:
        return
    if not hasattr(found, "derivation"):
        args.pending.leave_out(path, "this result has no derivation; leave --derivation out")
        return
    args.pending.put(path, lambda: found.derivation().text_of(path), "derivation")


def put_plot(args: argparse.Namespace, make: Callable[[], Any], *, size: str) -> None:
    """Check the file of ``--plot``, and store the picture, to be computed and drawn after the result is printed."""
    from rropt.plots.drawing import require_drawable

    if args.plot is not None:
        require_drawable(args.plot, size=size)
        put_picture(args, args.plot, make, size=size)


def put_picture(
    args: argparse.Namespace, path: str, make: Callable[[], Any], *, size: str, dpi: int | None = None
) -> None:
    """Store a picture to be drawn and written after the result is printed.

    Raises:
        InvalidParameterError: the name has no extension of a picture format.
    """
    from rropt.plots import draw
    from rropt.plots.figures import format_of

    kind = format_of(path)
    args.pending.put(path, lambda: draw(make(), size=size).to_bytes(kind, dpi=dpi), "picture")


def give_text(args: argparse.Namespace, found: Any, text: str, what: str, title: str) -> None:
    """Write a text to the file of ``--output``, and print its result; without a file and JSON, print the text."""
    if args.output is not None:
        args.pending.put(args.output, text, what)
    if args.json or args.output is not None:
        print_result(args, found, title=title)
    else:
        sys.stdout.write(text)


def second_path(path: str, suffix: str) -> str:
    """Return the name of a second file next to the first: ``design-bound.json`` for ``design.json``.

    Raises:
        FileAccessError: the first is not a regular file (for example a FIFO), so no file can be next to it.
    """
    if not Target.of(path).is_file:
        raise FileAccessError(
            f"cannot write two files to {shown_path(path)}: it is no regular file, and this call writes a second one, "
            f"with {suffix} in its name; give the name of a regular file"
        )
    return str(Path(path).with_stem(f"{Path(path).stem}{suffix}"))
