"""What commands print: tables for people, or one JSON object on standard output and nothing else."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from typing import Any


def print_json(data: Mapping[str, Any]) -> None:
    """Print one JSON object. Exact numbers are already strings; floats must be finite."""
    print(json.dumps(data, allow_nan=False))


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


def note(message: str) -> None:
    """Print a message on standard error: progress and remarks never mix with results."""
    if sys.stderr is not None:  # closed: `print` would take standard output in its place
        print(message, file=sys.stderr)
