"""Run the code blocks of a page in their order, in one folder, and collect what they print.

A block of a tutorial or how-to page is run if its language is ``py`` or ``sh``. Words after the language say more:

* ``no-run``: the block is shown and not run, for example because it needs a cluster;
* ``exit-1``: the last command must end with exit status 1, a negative answer;
* ``quiet``: the output is not shown on the site;
* ``full``: the block is slow, and tests run it at full size only;
* ``show``: the expression at its end is shown, as in a notebook. A figure is saved as ``pictures/NAME.svg``, where NAME
  is the word ``figure:NAME``.

``rropt`` commands run in this process, other commands in a shell. All blocks of Python of a page share their names.
"""

from __future__ import annotations

import ast
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path

from rropt.plots import Figure

FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<code>.*?)^```$", re.DOTALL | re.MULTILINE)
_ROOT = Path(__file__).resolve().parents[2]


class BlockError(Exception):
    """A block that does not run as its page says."""


@dataclass(frozen=True)
class Block:
    """A block of code.

    Attributes:
        language: the first word after the fence.
        words: the other words after the fence.
        code: the text of the block.
        span: where the block starts and ends in the page.
    """

    language: str
    words: frozenset[str]
    code: str
    span: tuple[int, int]

    @property
    def runs(self) -> bool:
        """Whether the block is run."""
        return self.language in ("py", "sh") and "no-run" not in self.words

    @property
    def status(self) -> int:
        """The exit status of the last command."""
        return next((int(word.removeprefix("exit-")) for word in self.words if word.startswith("exit-")), 0)


def blocks_of(text: str) -> Iterator[Block]:
    """Yield the blocks of a page."""
    for match in FENCE.finditer(text):
        language, *words = match["info"].split() or [""]
        yield Block(language, frozenset(words), match["code"], match.span())


def commands_of(code: str) -> list[str]:
    """Return the commands of a shell block: lines, joined where one ends with a backslash."""
    lines = code.replace("\\\n", " ").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]


def _expanded(command: str) -> Iterator[str]:
    """Yield the arguments of a command, with the names of the files that a pattern matches, as a shell does."""
    for word in shlex.split(command, comments=True)[1:]:
        found = sorted(path.as_posix() for path in Path().glob(word)) if "*" in word and word[0] != "/" else []
        yield from found or [word]


@dataclass
class Session:
    """The blocks of one page, run one after the other.

    Attributes:
        folder: where they run and where their files are.
        names: of the blocks of Python.
    """

    folder: Path
    names: dict[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        (self.folder / "pictures").mkdir(parents=True, exist_ok=True)

    def run(self, block: Block) -> str:
        """Run a block and return what it printed.

        Raises:
            BlockError: a command ended with another status than the page says, or Python raised an error.
        """
        before = {name: os.environ.get(name) for name in ("COLUMNS", "NO_COLOR", "MPLBACKEND")}
        os.environ |= {"COLUMNS": "80", "NO_COLOR": "1", "MPLBACKEND": "agg"}
        try:
            with chdir(self.folder):
                return self._python(block) if block.language == "py" else self._shell(block)
        finally:
            for name, value in before.items():
                os.environ.pop(name, None) if value is None else os.environ.__setitem__(name, value)

    def _python(self, block: Block) -> str:
        out = StringIO()
        *statements, last = ast.parse(block.code).body
        is_shown = "show" in block.words and isinstance(last, ast.Expr)
        body = ast.Module(statements if is_shown else [*statements, last], [])
        try:
            with redirect_stdout(out):
                exec(compile(body, "the page", "exec", dont_inherit=True), self.names)
                if is_shown and isinstance(last, ast.Expr):
                    self._show(eval(compile(ast.Expression(last.value), "the page", "eval"), self.names), block)
        except Exception as error:
            raise BlockError(f"{type(error).__name__}: {error}\nin\n{block.code}") from error
        return out.getvalue()

    def _show(self, value: object, block: Block) -> None:
        if isinstance(value, Figure):
            (name,) = (word.removeprefix("figure:") for word in block.words if word.startswith("figure:"))
            value.save(self.folder / "pictures" / f"{name}.svg")
        elif value is not None:
            print(value.summary() if hasattr(value, "summary") else value)

    def _shell(self, block: Block) -> str:
        commands = commands_of(block.code)
        printed = []
        for i, command in enumerate(commands):
            expected = block.status if i == len(commands) - 1 else 0
            status, out, err = self._rropt(command) if command.startswith("rropt ") else self._other(command)
            if status != expected:
                raise BlockError(f"$ {command}\nexit status {status}, not {expected}\n{out}{err}")
            printed.append(out + err)
        return "".join(printed)

    def _rropt(self, command: str) -> tuple[int, str, str]:
        from rropt.cli.main import main

        words, _, file = command.partition(" > ")
        out, err = StringIO(), StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            try:
                status = main(list(_expanded(words)))
            except SystemExit as leaving:
                status = int(leaving.code or 0)
        if file:
            (self.folder / file.strip()).write_text(out.getvalue(), encoding="utf-8")
            return status, "", err.getvalue()
        return status, out.getvalue(), err.getvalue()

    def _other(self, command: str) -> tuple[int, str, str]:
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        library = os.pathsep.join([str(_ROOT), str(_ROOT / "proofs")])
        environment = os.environ | {"PATH": path, "PYTHONPATH": library}
        done = subprocess.run(
            command, shell=True, cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout, done.stderr
