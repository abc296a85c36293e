"""``rropt report``: one page of what commands answered, for those who were not there.

One self-contained HTML page of JSON files: answers of commands (--json), mechanisms
(design --output), certificates, which are judged by the checker. Each with the question
that was asked, numbers exact and as decimals.

example, of what `estimate --json` printed and of `design --output`:
  rropt report estimate.json mechanism.json --output survey.html
"""

from __future__ import annotations

import argparse

OPTIONS = """
files FILE...             JSON: an answer, a mechanism or a certificate
--output >PAGE required   write the page, in HTML
--title TEXT = Survey     of the page
"""


def run(args: argparse.Namespace) -> int:
    """Read the files and write the page."""
    from rropt.files import parse_json, read_text
    from rropt.report import answers_page

    answers = [(name, parse_json(read_text(name, what="answer"), what="answer")) for name in args.files]
    args.pending.put(args.output, answers_page(answers, args.title), "report")
    return 0
