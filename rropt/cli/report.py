"""``rropt report``: one page of what commands answered, for those who were not there."""

from __future__ import annotations

import argparse

from rropt.cli.output import OutputFile

_DESCRIPTION = """\
One self-contained HTML page of JSON files: answers of commands (--json), mechanisms
(design --output), certificates, which are judged by the checker. Each with the question
that was asked, numbers exact and as decimals."""

_EPILOG = """\
example, of what `estimate --json` printed and of `design --output`:
  rropt report estimate.json mechanism.json --output survey.html"""


def add(report: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    report.description, report.epilog = _DESCRIPTION, _EPILOG
    report.add_argument("files", metavar="FILE", nargs="+", help="JSON: an answer, a mechanism or a certificate")
    report.add_argument("--output", metavar="FILE", type=OutputFile, required=True, help="write the page to FILE")
    report.add_argument("--title", metavar="TEXT", default="Survey", help="of the page (default: Survey)")
    report.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read the files and write the page."""
    from rropt.files import parse_json, read_text
    from rropt.report import answers_page

    answers = [(name, parse_json(read_text(name, what="answer"), what="answer")) for name in args.files]
    args.pending.put(args.output, answers_page(answers, args.title), "report")
    return 0
