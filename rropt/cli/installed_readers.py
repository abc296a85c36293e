"""Readers of FILE, from the entry-point group ``rropt.readers``: the engine reads no file of respondents itself.

The name ``tables`` stands for the reader of every FILE that no other reader takes: ``rropt_fieldwork`` has it. It
declares the options of reading. Every other entry point is an object with two functions: ``reads(word)`` returns
whether it reads FILE, and ``columns(word)`` returns the columns of FILE by name.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

from rropt.cli.arguments import read_devices
from rropt.cli.installed import entry_points_of, loaded
from rropt.core.errors import InvalidParameterError, shown

if TYPE_CHECKING:
    from rropt.answers.table_reports import TableReading
    from rropt.cli.command import Flag, Option
    from rropt.mechanisms import Mechanism
    from rropt.noncompliance.behaviour_models import Sample

GROUP = "rropt.readers"
TABLES = "tables"


class Reader(Protocol):
    """A reader of one kind of FILE."""

    def reads(self, word: str) -> bool:
        """Return whether FILE, as it is typed, is one of the reader."""

    def columns(self, word: str) -> Mapping[str, Sequence[Any]]:
        """Return the columns of FILE by their names, with a value for each respondent."""


class TableReader(Protocol):
    """The reader ``tables``; ``args`` are the arguments of a command that takes FILE."""

    def reading(self, *only: str, goes_with: str = "DATA", is_own: bool = False) -> tuple[Option | Flag, ...]:
        """Return the options of reading: all of them, or some."""

    def declare(self, args: argparse.Namespace) -> None:
        """Fill in what a survey declares of the question that is named in the place of FILE."""

    def declared_question(
        self, args: argparse.Namespace, word: str | None, *, or_else: bool = False
    ) -> tuple[Any, str] | None:
        """Return the survey and the question that a command names, or ``None``."""

    def fill(self, args: argparse.Namespace, survey: Any, name: str) -> None:
        """Fill in what a survey declares of a question."""

    def read_data(self, args: argparse.Namespace) -> None:
        """Replace patterns of FILE by the files, and require that they exist."""

    def hint(self) -> str:
        """Return what to type in the place of FILE, if a survey is declared in this folder."""

    def beside(self, words: str) -> str:
        """Return the words if a survey is declared in this folder; otherwise an empty text."""

    def estimate(self, args: argparse.Namespace) -> tuple[Any, TableReading | None]:
        """Return the estimate of a table, and how it was read."""

    def compare_with_direct(self, args: argparse.Namespace, found: Any) -> Any:
        """Return the comparison with respondents who were asked directly."""

    def regress(self, args: argparse.Namespace, covariates: dict[str, Mechanism]) -> Any:
        """Return the regression of a table."""

    def covariates(self, args: argparse.Namespace, found: Any) -> Any:
        """Return the covariates of the rows to be predicted."""

    def two_samples(self, args: argparse.Namespace) -> Any:
        """Return the estimates of a two-sample design from a table, and the report on the table."""

    def report(self, found: Any, title: str) -> Any:
        """Return the document that describes a result: ``rropt_fieldwork.report``."""

    def samples_of_devices(self, args: argparse.Namespace) -> tuple[list[Sample], TableReading]:
        """Return the counts of each device of a table."""


def table_reader() -> TableReader:
    """Return the reader of tables.

    Raises:
        InvalidParameterError: none is installed.
    """
    entry = entry_points_of(GROUP).get(TABLES)
    if entry is None:
        raise InvalidParameterError(
            "there is no reader of tables: received FILE; install rropt again, whose wheel has it"
        )
    return cast(TableReader, loaded(entry))


def read_file(args: argparse.Namespace) -> None:
    """Replace FILE by its columns if another reader takes it; else let the reader of tables look for the files.

    Raises:
        InvalidParameterError: two readers take the same FILE.
    """
    read_devices(args)
    if not read_by_other(args):
        table_reader().declare(args)
        table_reader().read_data(args)


def read_by_other(args: argparse.Namespace) -> bool:
    """Replace FILE by its columns if a reader of another package takes it, and return whether one does.

    Raises:
        InvalidParameterError: two readers take the same FILE.
    """
    words = [args.data] if isinstance(args.data, str) else list(args.data or ())
    own = {name: each for name, each in entry_points_of(GROUP).items() if name != TABLES}
    if len(words) == 1 and own:
        readers = {name: cast(Reader, loaded(each)) for name, each in own.items()}
        takers = [name for name, each in readers.items() if each.reads(words[0])]
        if len(takers) > 1:
            raise InvalidParameterError(
                f"two readers take {shown(words[0])}: received it with {' and '.join(takers)}; uninstall one of them"
            )
        if takers:
            args.data = dict(readers[takers[0]].columns(words[0]))
            return True
    return False
