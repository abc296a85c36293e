"""``rropt compose``: the exact privacy of many responses of one respondent."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from rropt.cli import options
from rropt.cli.arguments import call_library, note_rounding, read_mechanism, whole
from rropt.cli.command import Command, OneOf, Option
from rropt.cli.output import print_note, print_result, record
from rropt.cli.pending import InputFile, OutputFile, put_certificates, put_plot
from rropt.core.errors import InvalidParameterError

COMMAND = Command(
    """\
Compute the privacy of all responses of one respondent together: delta at an epsilon, or the
smallest epsilon for a delta, and the privacy curve. The bounds also hold if the questions are
chosen adaptively. An ITEM is a level in nats (1/2, "log(3)", inf), a level with delta
("1,1/1000"), a mechanism (warner:3/4), or a file with a mechanism; append *N for N copies.
Without --epsilon, --gamma and --delta the command prints the smallest epsilon with delta = 0.

With --delta the certificate proves that delta at the upper bound of epsilon is at most D, and a
second one (FILE-bound) that it is above D at the lower bound.

A level stands for the worst mechanism at that level, binary randomized response (Kairouz, Oh
and Viswanath 2015). A mechanism enters with its own privacy profile, also designs without a
matrix. If this profile is not known in exact form, the mechanism enters with its level: the
result is then an upper bound, and says so. The result is exact for equal levels and for up to about thirty
different ones. Otherwise it lies between two bounds that differ by at most --tolerance. The
line "proof" says which bounds a certificate proves and how wide they are, or that the result
is computed without one.""",
    epilog="""\
examples:
  rropt compose "log(3)*100" --delta 1/1000000
  rropt compose warner:3/4*20 grr:5,1/2 "1/2,1/10000*3" --epsilon 4
  rropt compose --questions questions.csv --delta 1/100000 --json
A file of questions has a header with a column mechanism, epsilon or gamma, and perhaps
question, delta and count; one question in a row.""",
    arguments=(
        Option(
            "items",
            "ITEM",
            help="levels and mechanisms; write ITEM*N for N of one item",
            nargs="*",
            type=InputFile,
        ),
        options.TRANSPOSED,
        Option(
            "--questions",
            "FILE",
            help="CSV file of the questions of a survey",
            type=InputFile,
        ),
        OneOf(
            (
                Option("--epsilon", "E", help="print delta at this epsilon (in nats)"),
                Option("--gamma", "G", help="print delta at this odds bound: gamma = exp(epsilon), rational"),
                Option("--delta", "D", help="print the smallest epsilon for this delta in [0, 1]"),
            )
        ),
        Option(
            "--tolerance",
            "T",
            help="maximum width of the bounds of delta, where it is not exact (default: 1/1000000000)",
        ),
        Option("--points", "N", help="number of points of the curve (default: 33)", type=whole(2, 10000)),
        Option(
            "--plot",
            "FILE",
            help="write a picture of delta against epsilon: FILE.svg, FILE.png or FILE.pdf",
            type=OutputFile,
        ),
        options.CERTIFICATE,
        options.EXACT,
        options.JSON,
    ),
)


def run(args: argparse.Namespace) -> int:
    """Compose the mechanisms; print the result, and write the certificate and picture."""
    from rropt.accounting import compose

    if args.transposed:
        args.items = _transposed(args.items)
    found = call_library(partial(compose, *args.items), args)
    put_certificates(args, found)
    put_plot(args, lambda: found, size="paper")
    for item in found.items:
        if item.mechanism is not None:
            note_rounding(item.name, item.mechanism)
    record(mechanism_read=[item.mechanism.to_dict() for item in found.items if item.mechanism is not None])
    print_result(args, found, title="Privacy of all responses together")
    if not found.items:
        print_note("rropt: no item was given: nothing is revealed")
    return 0


def _transposed(items: Sequence[str]) -> list[Any]:
    """Return the items with the mechanisms of files whose rows are inputs."""
    found: list[Any] = []
    for text in items:
        name, _, count = text.rpartition("*") if re.search(r"\*[1-9][0-9]*$", text) else (text, "", "")
        is_file = os.path.lexists(name)
        made = read_mechanism(name, transposed=True) if is_file else text
        found.append((made, int(count)) if is_file and count else made)
    if list(items) == found:
        raise InvalidParameterError("--transposed is for the matrix of a file: received no file; leave it out")
    return found
