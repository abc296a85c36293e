"""``rropt panel``: what the reports of one respondent reveal over the waves of a panel."""

from __future__ import annotations

import argparse
import os

from rropt.cli import options
from rropt.cli.arguments import call_library, note_rounding, read_mechanism, whole
from rropt.cli.command import Command, Option
from rropt.cli.output import print_result, record
from rropt.cli.pending import InputFile, OutputFile, put_certificates, put_plot
from rropt.core.errors import InvalidParameterError

COMMAND = Command(
    """\
Compute what one respondent reveals over T waves: per report, per wave, over all waves, and in
the limit of many reports. Fresh reports of MECHANISM are composed (as rropt compose does). With
--reports kept the first report is stored and sent again in every wave. With --memo the memo
randomizes the true value once, and every report applies MECHANISM to this stored value;
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
  rropt panel rappor:1/2,1/2,3/4 --waves 10
  rropt panel warner:3/4 --memo warner:2/3 --waves 12
  rropt panel 1/2 --waves 12 --delta 1/1000000
  rropt panel dbitflip:32,4,1 --waves 30 --per-wave 4
  rropt panel --questions questions.csv --waves 6 --reports kept
  rropt panel 1/2 --waves 12 --lifetime 4 --prevalence 1/2 --change 1/10
A file of questions has a header with a column mechanism, epsilon or gamma, and perhaps
question, delta and count; one question in a row.""",
    arguments=(
        Option(
            "mechanism",
            "MECHANISM",
            help=(
                "the mechanism of each report: a level in nats, a name or a file; also rappor:f,p,q or "
                "dbitflip:B,D,LEVEL"
            ),
            nargs="?",
            type=InputFile,
        ),
        options.TRANSPOSED,
        Option("--questions", "FILE", help="CSV file of the questions of one interview", type=InputFile),
        Option("--waves", "T", help="number of waves", type=whole(1, 1000000), required=True),
        Option(
            "--per-wave",
            "N",
            help="number of reports in each wave (default: 1)",
            type=whole(1, 1000000),
        ),
        Option(
            "--memo",
            "MECHANISM",
            help="memoized response, which is randomized once and kept: log(q), or a mechanism",
            type=InputFile,
        ),
        Option(
            "--reports",
            help=(
                "how the reports of a person depend on each other (default: memo with a memo, kept for dbitflip, "
                "otherwise fresh)"
            ),
            choices=("fresh", "kept", "memo"),
        ),
        Option("--lifetime", "E", help="lifetime epsilon: also print the best designs for it"),
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
            "--delta",
            "D",
            help="print the smallest epsilon for this delta in [0, 1], of fresh or kept reports (default: 0)",
        ),
        Option(
            "--plot",
            "FILE",
            help="write a picture of epsilon against the number of reports: FILE.svg, FILE.png or FILE.pdf",
            type=OutputFile,
        ),
        options.CERTIFICATE,
        options.EXACT,
        options.JSON,
    ),
)


def run(args: argparse.Namespace) -> int:
    """Print what the reports reveal; write the certificate and the picture."""
    from rropt.accounting import panel
    from rropt.accounting.repeated import mechanisms_of_reports

    if args.transposed:
        files = [name for name in ("mechanism", "memo") if os.path.lexists(getattr(args, name) or "")]
        if not files:
            raise InvalidParameterError("--transposed is for the matrix of a file: received no file; leave it out")
        for name in files:
            setattr(args, name, read_mechanism(getattr(args, name), transposed=True))
    found = call_library(panel, args)
    put_certificates(args, found)
    put_plot(args, lambda: found, size="paper")
    own = mechanisms_of_reports(args.mechanism, args.questions, args.memo)
    for one in own:
        note_rounding(one.name or "mechanism", one)
    record(mechanism_read=[one.to_dict() for one in own])
    print_result(args, found, title="Reports over time")
    return 0
