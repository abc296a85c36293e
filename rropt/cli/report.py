"""``rropt report``: one page of what commands answered, for those who were not there.

One self-contained HTML page of JSON files: answers of commands (--json), mechanisms
(design --output), certificates, which are judged by the checker. Each with the question
that was asked, numbers exact and as decimals.

example, of what `estimate --json` printed and of `design --output`:
  rropt report estimate.json mechanism.json --output survey.html
"""

from __future__ import annotations

import argparse

from rropt.cli.pending import require_page

OPTIONS = """
files FILE...             JSON: an answer, a mechanism or a certificate
--output >FILE.html required  write the page, in HTML
--title TEXT = Survey     of the page
"""


def run(args: argparse.Namespace) -> int:
    """Read the files and write the page."""
    from rropt.files import parse_json, read_text
    from rropt.report.answers_page import answers_page

    answers = [(name, parse_json(read_text(name, what="answer"), what="answer")) for name in args.files]
    page = answers_page(answers, args.title)
    require_page("--output", args.output)
    args.pending.put(args.output, page, "report")
    return 0
