"""Files that a command writes after its answer.

Every target of a call is looked at before the work, so bad input costs nothing; an answer is printed whatever
happens to its files, and of several files of one call all are written or none.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rropt.cli.output import Unasked, note
from rropt.core.errors import CertificateError, FileAccessError, InvalidParameterError
from rropt.core.files import Target, require_distinct, require_folder, shown_path, write_files

if TYPE_CHECKING:
    from rropt.core.certificates import Certificate


Content = str | bytes


class InputFile(str):
    """The type of an argument that may name a file to read; other values are ignored."""

    __slots__ = ()


class OutputFile(Unasked):
    """The type of an argument that names a file to write: ``parser.add_argument(..., type=OutputFile)``."""

    __slots__ = ()


class PrivateFile(OutputFile):
    """The same of a file that, where it is new, nobody but its owner may read."""

    __slots__ = ()


class OutputFolder(Unasked):
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
        self._inputs = [(_title(dest), text) for dest, value in values for text in _inputs(value)]
        self._targets = [(_title(dest), Target.of(value)) for dest, value in values if isinstance(value, OutputFile)]
        if self._targets:
            require_distinct(self._targets, self._inputs)
        self._pages = {value: _title(dest) for dest, value in values if dest in _PAGES and value is not None}
        for path, option in self._pages.items():
            if not path.lower().endswith(".json"):  # a name that other files of the call may have, which is said first
                require_page(option, path)
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
            path: the path of the file.
            content: text, bytes, or a function that returns one of them.
            what: what it is, said on standard error once it is written; nothing when left out.
        """
        if path in self._pages:
            require_page(self._pages[path], path)
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


_PAGES = ("report", "print")  # options that write HTML


def require_page(option: str, path: str) -> None:
    """Refuse to write an HTML page to a file with the extension of another format.

    Raises:
        InvalidParameterError: it does.
    """
    ending = Path(path).suffix.lower()
    if ending not in ("", ".html", ".htm") and Target.of(path).is_file:
        raise InvalidParameterError(
            f"{option} writes a page in HTML: received {shown_path(path)}, whose name ends in {ending}; allowed are "
            ".html and .htm; write HTML and print it from a browser where another format is needed"
        )


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


def expect_bound(args: argparse.Namespace) -> None:
    """Look, before the work, at the second certificate of a rounded criterion."""
    level = args.criterion
    if args.certificate is not None and level is not None and level.is_rounded and level.epsilon_above is not None:
        args.pending.expect(second_path(args.certificate, "-bound"))


def put_certificates(args: argparse.Namespace, found: Any) -> None:
    """Hand over the certificate of a result, where it is asked for, and that of its bound: ``design-bound.json``."""
    if args.certificate is None or found.certificate is None:
        return
    args.pending.put(args.certificate, found.certificate.file_text, "certificate")
    bound = getattr(found, "bound_certificate", None)
    if bound is not None:
        args.pending.put(second_path(args.certificate, "-bound"), bound.file_text, "certificate of the bound")


def put_plot(args: argparse.Namespace, make: Callable[[], Any], *, size: str) -> None:
    """Compute the picture of ``--plot``, once its file is looked at, and leave it to be drawn."""
    from rropt.plots.windows import require_drawable

    if args.plot is not None:
        look: dict[str, Any] = {"size": size, "style": getattr(args, "style", "color")}
        require_drawable(args.plot, **look)
        put_picture(args, args.plot, make(), **look)


def put_picture(args: argparse.Namespace, path: str, picture: Any, *, dpi: int | None = None, **look: Any) -> None:
    """Leave a picture to be drawn and written once the answer is printed; ``look`` is that of ``rropt.plots.draw``.

    Raises:
        InvalidParameterError: the name has no format of pictures.
    """
    from rropt.plots import draw, sheets

    kind = sheets.format_of(path)
    args.pending.put(path, lambda: sheets.picture_bytes(draw(picture, **look), kind, dpi=dpi), "picture")


def second_path(path: str, suffix: str) -> str:
    """Return the name of a second file next to the first: ``design.json`` has ``design-bound.json``.

    Raises:
        FileAccessError: the first is not a regular file, a FIFO for example, and has nothing next to it.
    """
    if not Target.of(path).is_file:
        raise FileAccessError(
            f"cannot write two files to {shown_path(path)}: it is no regular file, and this call writes a second one, "
            f"with {suffix} in its name; give the name of a regular file"
        )
    return str(Path(path).with_stem(f"{Path(path).stem}{suffix}"))


# Arguments without "--", or of the same name as one.
_POSITIONAL = ("counts", "data", "files", "items", "mechanism", "mechanisms")


def _title(destination: str) -> str:
    return destination.upper() if destination in _POSITIONAL else f"--{destination}"


def _inputs(value: Any) -> Iterator[str]:
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, InputFile):
            yield item
            if copies := re.fullmatch(r"(.+)\*[0-9]+", item, re.DOTALL):  # *N: N of it
                yield copies[1]
