"""``rropt report``: one report from the results of commands, for submission.

Write a report from JSON files: sentences, the tables that each command prints, pictures, a methods
paragraph and citations, in HTML with the exact values in an appendix. The files contain the output of commands
(--json), mechanisms (design --output) or certificates, which the checker judges. The
extension of the output file determines the format: .html, .md or .tex. Files about
different mechanisms are an error.

example, with the files of `estimate --json` and `design --output`:
  rropt report estimate.json mechanism.json --output survey.html

arguments:
files FILE [FILE ...]: JSON files: results, mechanisms or certificates
--output FILE (required): write the report: FILE.html, .md or .tex
--title TEXT: title of the report (default: that of the survey)
--survey FILE: declaration of the survey, for results of commands that did not read it
"""

from __future__ import annotations

import argparse
from typing import Any

from rropt.cli.declared import read_declaration
from rropt.cli.pending import ReportFile

TYPES = {"--output": ReportFile}


def run(args: argparse.Namespace) -> int:
    """Read the files and write the report."""
    from rropt.reports.survey_report import survey_report

    answers = [(name, _read(name)) for name in args.files]
    survey = None if args.survey is None else read_declaration(args)
    document = survey_report(answers, args.title, survey)
    args.pending.put(args.output, document.text_of(args.output), "report")
    return 0


def _read(name: str) -> Any:
    """Return the JSON value of a file."""
    from json import JSONDecodeError

    from rropt.core.errors import FileFormatError
    from rropt.core.files import looks_like_json, parse_json, read_text, shown_path

    allowed = "rropt report expects JSON: what a command printed with --json, or a mechanism or certificate it wrote"
    try:
        text = read_text(name, what="result")
        return parse_json(text, what=f"result {shown_path(name)}")
    except FileFormatError as error:
        cause = error.__context__
        if isinstance(cause, UnicodeDecodeError) or (isinstance(cause, JSONDecodeError) and not looks_like_json(text)):
            raise FileFormatError(
                f"{shown_path(name)} is not JSON: {allowed}; of a table of responses run rropt estimate DATA --json "
                "first"
            ) from None
        if isinstance(cause, JSONDecodeError):
            place = f"{cause.msg} at line {cause.lineno}, column {cause.colno}"
            raise FileFormatError(f"{shown_path(name)} is damaged JSON: {place}; {allowed}") from None
        raise
