"""``rropt survey``: declare a survey once, in one file that the other commands read."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from rropt.cli import options
from rropt.cli.arguments import items
from rropt.cli.command import Command, Option
from rropt.cli.declared import read_declaration
from rropt.cli.output import print_result
from rropt.cli.pending import InputFile, OutputFile
from rropt.core.errors import InvalidParameterError, refuse_given, shown

COMMAND = Command(
    """\
`rropt survey init DATA` guesses the declaration of a survey from the header and the values
of its data, lists each column with the reason of its guess, and writes survey.toml. Name columns
that it does not recognize (--questions, --clusters, --fpc, ...), and correct the file with an editor.
`rropt survey` prints what is declared, each device in words, and what is not known yet.
Then name a question instead of the data: plan, sheet, randomize, estimate, noncompliance and
regress read survey.toml in this folder, or the file of --survey. An option comes before the
question, and the question before the survey.""",
    epilog="""\
examples:
  rropt survey init answers.csv
  rropt survey init answers.csv --questions sick --output sick.toml
  rropt survey
the declaration of another survey
  rropt survey --survey health.toml""",
    arguments=(
        Option(
            "action",
            "ACTION",
            help=(
                "init: write a declaration, guessed from DATA; show (the default): print what is declared and "
                "what is not known yet"
            ),
            nargs="?",
        ),
        Option("data", "DATA", help="with init: the file with one row for each respondent", nargs="?", type=InputFile),
        Option("--survey", "FILE", help="the declaration (default: survey.toml)", type=InputFile),
        Option(
            "--output",
            "FILE",
            help="with init: write the declaration to FILE (default: survey.toml, if there is none)",
            type=OutputFile,
        ),
        options.TABLE,
        options.SHEET,
        replace(options.HEADER_ROWS, help="with init: number of rows above the first respondent (default: recognized)"),
        Option(
            "--questions", "Q1,Q2,..", help="with init: the columns of the questions (default: guessed)", type=items
        ),
        *(
            replace(each, help=f"with init: {each.help}")
            for each in (options.WEIGHTS, options.STRATA, options.CLUSTERS, options.FPC)
        ),
        options.JSON,
    ),
)

_COLUMNS = ("questions", "weights", "strata", "clusters", "fpc")


def run(args: argparse.Namespace) -> int:
    """Print a declaration, or write one."""
    if args.action == "init":
        return _init(args)
    if args.action not in (None, "show"):
        raise InvalidParameterError(f"survey does not know {shown(args.action)}: allowed are init DATA, and show")
    refuse_given(
        args.typed, "survey show reads the declaration", "data", "output", "table", "sheet", "header_rows", *_COLUMNS
    )
    print_result(args, read_declaration(args))
    return 0


def _init(args: argparse.Namespace) -> int:
    """Guess a declaration from data."""
    from rropt.survey.declarations.guesses import guess_survey
    from rropt.survey.declarations.toml import FILE

    refuse_given(args.typed, "survey init writes the declaration to --output", "survey")
    if args.data is None:
        raise InvalidParameterError("survey init has no data: give the file with one row for each respondent")
    path = str(args.output or FILE)
    if args.output is None and Path(path).exists():
        raise InvalidParameterError(f"{FILE} exists already: name another file with --output, or delete it")
    if args.output is None:
        args.pending.expect(path)
    place = {"table": args.table, "sheet": args.sheet, "header_rows": args.header_rows}
    columns = {name: getattr(args, name) for name in _COLUMNS if getattr(args, name)}
    found = guess_survey(args.data, folder=str(Path(path).parent), **place, **columns)
    args.pending.put(path, found.text, "declaration")
    print_result(args, found, title="Guessed from the data")
    return 0
