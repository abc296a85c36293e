"""``rropt report``: one page of what commands answered, for those who were not there.

One self-contained HTML page of JSON files: answers of commands (--json), mechanisms
(design --output), certificates, which are judged by the checker. Each with the question
that was asked, numbers exact and as decimals.

example, of what `estimate --json` printed and of `design --output`:
  rropt report estimate.json mechanism.json --output survey.html
"""

from __future__ import annotations

import argparse
from typing import Any

from rropt.cli.pending import require_page

OPTIONS = """
files FILE...             JSON: an answer, a mechanism or a certificate
--output >FILE.html required  write the page, in HTML
--title TEXT = Survey     of the page
"""


def run(args: argparse.Namespace) -> int:
    """Read the files and write the page."""
    from rropt.report.answers_page import answers_page

    answers = [(name, _read(name)) for name in args.files]
    page = answers_page(answers, args.title)
    require_page("--output", args.output)
    args.pending.put(args.output, page, "report")
    return 0


def _read(name: str) -> Any:
    """Return the JSON value of a file."""
    from json import JSONDecodeError

    from rropt.errors import FileFormatError
    from rropt.files import looks_like_json, parse_json, read_text, shown_path

    allowed = "rropt report expects JSON: what a command printed with --json, or a mechanism or certificate it wrote"
    try:
        text = read_text(name, what="answer")
        return parse_json(text, what=f"answer {shown_path(name)}")
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
