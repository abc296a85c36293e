"""``rropt report``: one report from the results of commands, for submission."""

from __future__ import annotations

import argparse
import os
import shlex

from rropt.cli.command import Command, Option
from rropt.cli.pending import InputFile, ReportFile
from rropt.core.errors import InvalidParameterError, shown
from rropt.core.normal_form import named_in
from rropt_fieldwork.commands.table_reader import declared_question, read_declaration

COMMAND = Command(
    """\
Write a report from JSON files: sentences, the tables that each command prints, pictures, a
methods paragraph and citations, in HTML with the exact values in an appendix. The files
contain the output of commands (--json), mechanisms (design --output) or certificates, which
the checker judges. The extension of the output file determines the format: .html, .md or
.tex. Files about different mechanisms are an error.""",
    epilog="""\
example, with the files of `estimate --json` and `design --output`:
  rropt report estimate.json mechanism.json --output survey.html""",
    arguments=(
        Option("files", "FILE", help="JSON files: results, mechanisms or certificates", nargs="+", type=InputFile),
        Option("--output", "FILE", help="write the report: FILE.html, .md or .tex", type=ReportFile, required=True),
        Option("--title", "TEXT", help="title of the report (default: that of the survey)"),
        Option(
            "--survey",
            "FILE",
            help="declaration of the survey, for results of commands that did not read it",
            type=InputFile,
        ),
    ),
)


def run(args: argparse.Namespace) -> int:
    """Read the files and write the report."""
    from rropt_fieldwork.ethics.reporting import report

    survey = None if args.survey is None else read_declaration(args)
    for name in (str(file) for file in args.files if not os.path.lexists(file)):
        if survey is None:
            is_question = declared_question(args, name, or_else=True) is not None
        else:
            is_question = named_in(name, survey.questions) is not None
        if is_question:
            given = "" if survey is None else f" --survey {shlex.quote(str(args.survey))}"
            raise InvalidParameterError(
                f"a report is made from results: received {shown(name)}, a question of the survey; write its "
                f"result first, with rropt estimate {shlex.quote(name)}{given} --json > result.json"
            )
    document = report(*args.files, title=args.title, survey=survey)
    args.pending.put(args.output, document.text_of(args.output), "report")
    return 0
