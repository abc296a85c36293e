"""``rropt survey``: declare a survey once, in one file that the other commands read."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from pathlib import Path

from rropt.cli import options
from rropt.cli.arguments import call_library, items, read_mechanisms, whole
from rropt.cli.command import Command, Option
from rropt.cli.output import print_result
from rropt.cli.pending import InputFile, OutputFile, ReportFile
from rropt.core.errors import InvalidParameterError, refuse_given, shown
from rropt_fieldwork.commands.table_reader import read_declaration, reading, table_of
from rropt_fieldwork.reading.reading_options import PLACE

COMMAND = Command(
    """\
`rropt survey init DATA` writes the declaration of a survey, survey.toml, and guesses nothing: the
file lists each column of the data with its type and its values, and says what must be decided.
Name the questions (--questions) for a part of each, and complete the file with an editor.
`rropt survey` prints what is declared, each device in words, and what is not known yet.
`rropt survey ethics --output FILE` writes one page for the ethics committee about all questions:
what each asks, what respondents do, and by which factor one response and all responses of a
person change anybody's odds. It takes mechanisms in place of a declaration.
Then name a question instead of the data: plan, sheet, randomize, estimate, noncompliance and
regress read survey.toml in this folder, or the file of --survey. An option comes before the
question, and the question before the survey.""",
    epilog="""\
examples:
  rropt survey init answers.csv --questions sick
  rropt survey init answers.csv --output columns.toml
  rropt survey
  rropt survey ethics --n 2000 --output ethics.html
the ethics page of several mechanisms
  rropt survey ethics "Did you use a drug?=warner:3/4" debt.json --output ethics.html
the declaration of another survey
  rropt survey --survey health.toml""",
    arguments=(
        Option(
            "action",
            "ACTION",
            help=(
                "init: write a declaration with the columns of DATA; show (the default): print what is declared and "
                "what is not known yet; ethics: write one page for the ethics committee about all questions"
            ),
            nargs="?",
        ),
        Option(
            "data",
            "DATA",
            help=(
                "with init: the file with one row for each respondent; with ethics, in place of a declaration: the "
                "mechanism of each question, WORDING=MECHANISM or MECHANISM"
            ),
            nargs="*",
            type=InputFile,
        ),
        Option("--survey", "FILE", help="the declaration (default: survey.toml)", type=InputFile),
        Option(
            "--output",
            "FILE",
            help=(
                "with init: write the declaration to FILE (default: survey.toml, if there is none); with ethics: write "
                "the page, FILE.html, .md or .tex"
            ),
            type=OutputFile,
        ),
        replace(options.TRANSPOSED, goes_with="DATA"),
        Option("--title", "TEXT", help="with ethics: title of the page (default: that of the survey)"),
        Option(
            "--n",
            "N",
            help="with ethics: number of respondents, for the precision (default: several round numbers)",
            type=whole(1, 1000000000),
        ),
        Option(
            "--confidence",
            "C",
            help="with ethics: confidence level of the intervals in the precision (default: 0.95)",
        ),
        Option("--date", "TEXT", help="with ethics: date of the page (default: today, UTC)"),
        *reading(*PLACE, "header_rows", goes_with=""),
        Option(
            "--questions",
            "Q1,Q2,..",
            help="with init: the columns of the questions, each of which gets its part in the declaration",
            type=items,
        ),
        options.JSON,
    ),
)

_OF_READING = (*PLACE, "header_rows")
_OF_DATA = (*_OF_READING, "questions")
_OF_PAGE = ("title", "n", "confidence", "date", "transposed")


def run(args: argparse.Namespace) -> int:
    """Print a declaration, write one, or write the ethics page of its questions."""
    if args.action == "init":
        return _init(args)
    if args.action == "ethics":
        return _ethics(args)
    if args.action not in (None, "show"):
        raise InvalidParameterError(
            f"survey does not know {shown(args.action)}: allowed are init DATA, show, and ethics"
        )
    refuse_given(args.typed, "survey show reads the declaration", "data", "output", *_OF_DATA, *_OF_PAGE)
    print_result(args, read_declaration(args))
    return 0


def _init(args: argparse.Namespace) -> int:
    """Write the first declaration of a survey, with the columns of its data."""
    from rropt_fieldwork.declaration.initial_survey import init_survey
    from rropt_fieldwork.declaration.toml import FILE

    refuse_given(args.typed, "survey init writes the declaration to --output", "survey", *_OF_PAGE)
    if len(args.data) != 1:
        told = "no data" if not args.data else f"several files: received {len(args.data)}"
        raise InvalidParameterError(f"survey init has {told}; give the file with one row for each respondent")
    path = str(args.output or FILE)
    if args.output is None and Path(path).exists():
        raise InvalidParameterError(f"{FILE} exists already: name another file with --output, or delete it")
    if args.output is None:
        args.pending.expect(path)
    args.data = args.data[0]
    rows = table_of(args, *_OF_READING)
    found = init_survey(rows, folder=str(Path(path).parent), questions=args.questions or ())
    args.pending.put(path, found.text, "declaration")
    print_result(args, found, title="The data")
    return 0


def _ethics(args: argparse.Namespace) -> int:
    """Write one page for the ethics committee about all questions."""
    from rropt.reports.document_writers import format_of
    from rropt_fieldwork.ethics.ethics_pages import ethics_page

    refuse_given(args.typed, "survey ethics reads the declaration, or mechanisms", *_OF_DATA)
    if args.output is None:
        raise InvalidParameterError("survey ethics writes a page: received no --output; give --output FILE.html")
    format_of(args.output, "--output", ReportFile.formats)
    if args.data:
        refuse_given(args.typed, "the mechanisms are given in place of a declaration", "survey")
    asked = _mechanisms(args) if args.data else read_declaration(args)
    found = call_library(ethics_page, args, survey=asked)
    if args.data:  # the name of a mechanism is no wording
        given = {text.rpartition("=")[0].strip() for text in args.data if not os.path.lexists(text)} - {""}
        questions = (replace(one, has_wording=one.text.partition(", part ")[0] in given) for one in found.questions)
        found = replace(found, questions=tuple(questions))
    args.pending.put(args.output, lambda: found.document.text_of(args.output), "ethics page")
    print_result(args, found, title="Ethics page")
    return 0


def _mechanisms(args: argparse.Namespace) -> dict[str, object]:
    """Return the mechanism of each question, from WORDING=MECHANISM or MECHANISM."""
    found: dict[str, object] = {}
    for text in args.data:
        wording, mark, mechanism = ("", "", text) if os.path.lexists(text) else text.rpartition("=")
        name = wording.strip() if mark else Path(text).stem if os.path.lexists(text) else text
        if not name or name in found:
            raise InvalidParameterError(
                f"the question {shown(name)} is given twice, or is empty: received {shown(text)}; name each question, "
                "WORDING=MECHANISM"
            )
        found[name] = read_mechanisms([mechanism], transposed=args.transposed, data=args.data)[0]
    return found
