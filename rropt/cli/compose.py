"""``rropt compose``: the exact privacy of many responses of one respondent, also over time."""

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
is computed without one.

With --waves T the command computes what one respondent reveals over T waves: per report, per
wave, over all waves, and in the limit of many reports. Fresh reports of ITEM are composed.
With --reports kept the first report is stored and sent again in every wave. With --memo the
memo randomizes the true value once, and every report applies ITEM to this stored value;
rappor:f,p,q is such a pair for each bit; its levels are of two categories, which differ in two
bits (rropt privacy rappor:f,p,q prints the level of one bit). dbitflip:B,D,LEVEL reports D of B
buckets and stores the report.

If the true value changes over time, each value has its own memo or stored report. Without a
second randomization of each report, an observer can then see that a value has changed; the
command prints the probability of this. With --lifetime the command prints the best designs
over T waves: for a constant trait, for the prevalence in each wave, and with --change for the
net change between waves.""",
    epilog="""\
examples:
  rropt compose "log(3)*100" --delta 1/1000000
  rropt compose warner:3/4*20 grr:5,1/2 "1/2,1/10000*3" --epsilon 4
  rropt compose --questions questions.csv --delta 1/100000 --json
  rropt compose rappor:1/2,1/2,3/4 --waves 10
  rropt compose warner:3/4 --memo warner:2/3 --waves 12
  rropt compose 1/2 --waves 12 --delta 1/1000000
  rropt compose dbitflip:32,4,1 --waves 30 --per-wave 4
  rropt compose --questions questions.csv --waves 6 --reports kept
  rropt compose 1/2 --waves 12 --lifetime 4 --prevalence 1/2 --change 1/10
A file of questions has a header with a column mechanism, epsilon or gamma, and perhaps
question, delta and count; one question in a row.""",
    arguments=(
        Option(
            "items",
            "ITEM",
            help=(
                "levels and mechanisms; write ITEM*N for N of one item. With --waves one item: the mechanism of "
                "each report, which may also be rappor:f,p,q or dbitflip:B,D,LEVEL"
            ),
            nargs="*",
            type=InputFile,
        ),
        options.TRANSPOSED,
        Option(
            "--questions",
            "FILE",
            help="CSV file of the questions of a survey, or with --waves of one interview",
            type=InputFile,
        ),
        OneOf(
            (
                Option("--epsilon", "E", help="print delta at this epsilon (in nats)"),
                Option("--gamma", "G", help="print delta at this odds bound: gamma = exp(epsilon), rational"),
                Option(
                    "--delta",
                    "D",
                    help=(
                        "print the smallest epsilon for this delta in [0, 1] (with --waves: of fresh or kept reports)"
                    ),
                ),
            )
        ),
        Option(
            "--tolerance",
            "T",
            help="maximum width of the bounds of delta, where it is not exact (default: 1/1000000000)",
        ),
        Option("--points", "N", help="number of points of the curve (default: 33)", type=whole(2, 10000)),
        Option("--waves", "T", help="number of waves: print what the reports over time reveal", type=whole(1, 1000000)),
        Option(
            "--per-wave",
            "N",
            help="number of reports in each wave (default: 1)",
            type=whole(1, 1000000),
            goes_with="--waves",
        ),
        Option(
            "--memo",
            "MECHANISM",
            help="memoized response, which is randomized once and kept: log(q), or a mechanism",
            type=InputFile,
            goes_with="--waves",
        ),
        Option(
            "--reports",
            help=(
                "how the reports of a person depend on each other (default: memo with a memo, kept for dbitflip, "
                "otherwise fresh)"
            ),
            choices=("fresh", "kept", "memo"),
            goes_with="--waves",
        ),
        Option("--lifetime", "E", help="lifetime epsilon: also print the best designs for it", goes_with="--waves"),
        Option(
            "--prevalence", "PI", help="assumed prevalence for these designs (default: 1/2)", goes_with="--lifetime"
        ),
        Option(
            "--change",
            "V",
            help="variance of a person's change between consecutive waves, for these designs",
            goes_with="--lifetime",
        ),
        Option(
            "--plot",
            "FILE",
            help=(
                "write a picture: FILE.svg, FILE.png or FILE.pdf; of delta against epsilon, or with --waves of "
                "epsilon against the number of reports"
            ),
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
    from rropt.accounting.repeated import mechanisms_of_reports

    if args.transposed:
        args.items = _transposed(args.items)
    found = call_library(partial(compose, *args.items), args)
    put_certificates(args, found)
    put_plot(args, lambda: found, size="paper")
    if args.waves is not None:
        own = mechanisms_of_reports(args.items[0] if args.items else None, args.questions, args.memo)
        for one in own:
            note_rounding(one.name or "mechanism", one)
        record(mechanism_read=[one.to_dict() for one in own])
        print_result(args, found, title="Reports over time")
        return 0
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
