"""Commands with what they print and write, as a reader of a change sees it: ``cli/outputs``, ``reports/outputs``.

A file has blocks. The first line of a block is ``$ rropt ...``, or several commands with ``&&`` between them, of which
``cat FILE`` may be one, or ``page FILE``, which prints the words of an HTML page, or ``prose FILE``, which prints a
proof with [...] for each formula (SymPy may write it in another order) and what solvers leave open, and ``> FILE``
their end. The lines below it are what they print, on standard output and then, after ``stderr:``, on standard error;
``status: N`` follows a command whose exit status is not 0. Commands run beside the files of ``cli/outputs/files``. A
file of ``cli/outputs`` has the commands of its name, one of ``reports/outputs`` those of a kind of page. Texts are
compared as they are; below a first line that ends in ``# close`` decimals may differ in the last digits, which solvers
leave open. To add a case, write its first line; ``make outputs`` writes the rest.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from html.parser import HTMLParser
from pathlib import Path
from unittest.mock import patch

FOLDER = Path(__file__).parents[1] / "cli" / "outputs"
PAGES = Path(__file__).parents[1] / "reports" / "outputs"
_DECIMAL = re.compile(r"\d+\.\d+(?:e[-+]?\d+)?|\d+e[-+]?\d+")
_SECONDS = re.compile(r"\b\d+(?:\.\d+)? s\b")  # of a clock
_LEFT_OPEN = (
    r"\$\$.*?\$\$",
    r"\$.*?\$",
    r"\b\d+e-\d+(?= apart)",
    r"(?<=A matrix of )\d+(?= outputs)",
    r"\(0\.[\d., ]*\)",
)
_FORMULA = re.compile("|".join(_LEFT_OPEN), re.DOTALL)
CLOSE = " # close"
_TODAY = re.compile(r"(Made on|rropt [\d.]+,) \d{4}-\d\d-\d\d")
_CLOSE = 1e-6  # relative: what solvers print in text has 6 to 9 digits, and differs by BLAS kernel in the last ones
_TINY = 1e-7  # widths of brackets and gaps of solvers: any value below is printed and none is a result


class _Words(HTMLParser):
    """The words of a page: a line for each block, cells with a bar between them, pictures by their text alone."""

    _UNREAD = frozenset({"script", "style", "svg"})
    _INSIDE = frozenset({"a", "b", "code", "em", "i", "span", "strong", "sub", "sup", "td", "th", "label", "small"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.unread = 0
        self.feed(page)
        lines = (" ".join(line.split()) for line in "".join(self.parts).split("\n"))
        self.text = "\n".join(filter(None, lines))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.unread += tag in self._UNREAD
        read = {key: value for key, value in attrs if key in ("alt", "aria-label", "placeholder", "title") and value}
        self.parts += [f" [{value}] " for value in read.values()]
        self.parts.append(" | " if tag in ("td", "th") else "" if tag in self._INSIDE else "\n")

    def handle_endtag(self, tag: str) -> None:
        self.unread -= tag in self._UNREAD

    def handle_data(self, data: str) -> None:
        if not self.unread:
            self.parts.append(" ".join(data.split("\n")))


def blocks(text: str) -> Iterator[tuple[str, str]]:
    """Iterate over the commands of a file, each with the text below it."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, printed = part.partition("\n")
        yield command, printed.rstrip("\n")


def run(commands: str) -> str:
    """Return what commands print, as the files have it."""
    with tempfile.TemporaryDirectory() as name:
        shutil.copytree(FOLDER / "files", name, dirs_exist_ok=True)
        with chdir(name), patch.dict(os.environ, {"COLUMNS": "100", "NO_COLOR": "1", "TZ": "UTC"}):
            printed = [_printed(shlex.split(command)) for command in commands.removesuffix(CLOSE).split(" && ")]
    text = _TODAY.sub(r"\1 ...", _SECONDS.sub("... s", "\n".join(filter(None, printed))))
    return "\n".join(line.rstrip() for line in text.splitlines())


def _printed(words: list[str]) -> str:
    from rropt.cli.main import main

    if words[0] in ("cat", "page", "prose"):
        if not Path(words[1]).exists():
            return f"no {words[1]} was written"
        text = Path(words[1]).read_text(encoding="utf-8")
        if words[0] == "prose":
            return _FORMULA.sub("[...]", text)
        return text if words[0] == "cat" else _Words(text).text
    words, _, file = (words[:-2], *words[-2:]) if ">" in words else (words, "", "")
    out, errors, status = io.StringIO(), io.StringIO(), 0
    with redirect_stdout(out), redirect_stderr(errors):
        try:
            status = main(words[1:])
        except SystemExit as leaving:
            status = int(leaving.code or 0)
    if file:
        Path(file).write_text(out.getvalue(), encoding="utf-8")
    printed = "" if file else out.getvalue().rstrip("\n")
    said = f"stderr: {errors.getvalue().strip()}" if errors.getvalue().strip() else ""
    return "\n".join(filter(None, [printed, said, f"status: {status}" if status else ""]))


def is_same(printed: str, recorded: str, close: bool = False) -> bool:
    """Return whether two texts are equal, with ``close`` in their decimals up to what solvers leave open.

    Blanks and the lines of tables are as long as the widest cell, which may be a duration.
    """
    texts = [re.sub(r"-{3,}", "---", re.sub(r"\s+", " ", text)) for text in (printed, recorded)]
    if not close:
        return texts[0] == texts[1]
    if _DECIMAL.sub("#", texts[0]) != _DECIMAL.sub("#", texts[1]):
        return False
    pairs = zip(map(float, _DECIMAL.findall(printed)), map(float, _DECIMAL.findall(recorded)), strict=True)
    return all(abs(x - y) <= _CLOSE * max(abs(x), abs(y)) or max(abs(x), abs(y)) < _TINY for x, y in pairs)


def write() -> None:
    """Run every command again, and write what it prints."""
    for file in sorted([*FOLDER.glob("*.txt"), *PAGES.glob("*.txt")]):
        cases = [command for command, _ in blocks(file.read_text(encoding="utf-8"))]
        texts = [f"$ {command}\n{run(command)}\n" for command in cases]
        file.write_text("\n".join(texts), encoding="utf-8")
        print(f"{file.name}: {len(cases)} commands")


if __name__ == "__main__":
    write()
