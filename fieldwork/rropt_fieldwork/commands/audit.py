"""``rropt audit``: a lower bound on the epsilon of a black box from its responses."""

from __future__ import annotations

import argparse
from typing import Any

from rropt.cli import options
from rropt.cli.arguments import call_library, mechanism, names, require_taken, whole, wholes
from rropt.cli.command import Command, Flag, Option
from rropt.cli.output import print_result
from rropt.cli.pending import InputFile, ReportFile
from rropt.core.errors import InvalidParameterError, refuse_given
from rropt_fieldwork.commands.table_reader import read_data, reading, table_of
from rropt_fieldwork.reading.reading_options import PLACE

_READ = PLACE

COMMAND = Command(
    """\
Prove a lower bound on the epsilon of a black box from its responses at two or more inputs.
The responses are in a file (DATA), or their numbers are given (--counts). A test shows, at a
confidence level, that epsilon is at least E. The command chooses a pair of inputs and a set
of responses on one part of the samples and tests them on the rest. If the samples do not
differ, the bound is exactly 0. With --mechanism the command prints how many samples would
refute the claim.

With --command rropt calls the box. The program reads one input per line and writes
one response per line (it must flush after each line); no shell is used. rropt sends the two
inputs in turn and stops as soon as an e-value refutes the claim. After a crash, a bad line or
the time limit it prints the bound that has been proved so far.""",
    epilog="""\
example: a file with a column of inputs and a column of responses
  rropt audit samples.csv --input x --column y --claim 1 --json
counts of the responses 0 and 1 at two inputs, and the set S of responses that is tested
  rropt audit --counts 750000,250000 --counts 250000,750000 --event 0 --claim "log(3)"
a program that is called, at most 20000 times
  rropt audit --command "python3 box.py" --inputs no,yes --claim "log(3)" --draws 20000 --report audit.html
before sampling: how many samples refute a claim of 1 if the box is Warner's device
  rropt audit --mechanism warner:3/4 --claim 1
exit status: 0, or 1 when the claim is refuted; 2 bad input""",
    arguments=(
        Option(
            "data",
            "DATA",
            help=(
                "file with one row for each sample: CSV, JSON, Parquet, Feather, Excel (.xlsx), Stata, SPSS, "
                "DuckDB or SQLite, also compressed (.gz, .zst, .zip); several files with the same columns, or a "
                "folder of them; - reads standard input"
            ),
            nargs="*",
            type=InputFile,
        ),
        options.GLOB,
        *reading(*_READ),
        Option("--input", "NAME", help="column of the inputs", goes_with="DATA"),
        Option("--column", "NAME", help="column of the responses", goes_with="DATA"),
        Option(
            "--counts",
            "C0,..,Cm",
            help=(
                "instead of DATA: the number of responses of each kind, including zeros; give the option once for "
                "each input. Inputs and responses are numbered 0, 1, ..."
            ),
            type=wholes(0),
            repeated=True,
        ),
        Option(
            "--command",
            "TEXT",
            help="instead of DATA: program with its arguments; rropt runs it and sends it inputs",
            dest="box",
        ),
        Option("--inputs", "A,B,..", help="inputs to send to the black box (default: 0,1)", type=names),
        Option(
            "--draws", "N", help="maximum number of calls of the black box (default: 100000)", type=whole(2, 1000000000)
        ),
        Option("--time-limit", "SECONDS", help="maximum time of all calls together (default: 600)"),
        Flag(
            "--last-bits",
            help=(
                "for floating-point responses: use the position of the last nonzero bit of each; this detects "
                "samplers that compute in floating point"
            ),
        ),
        Option("--claim", "E", help='claimed privacy level of the black box in nats: a number, or "log(3)"'),
        Option("--delta", "D", help="delta of the claim: a number in [0, 1]", default="0"),
        Option(
            "--pair",
            "A,B,..",
            help="first and second input (default: the best pair in the first part of the data)",
            type=names,
        ),
        Option(
            "--event",
            "A,B,..",
            help="set S of responses (default: the best set in the first part of the data)",
            type=names,
        ),
        Option(
            "--confidence",
            "C",
            help="confidence level of the bound; for one of N tests or audits give 1 - (1 - C)/N",
            default="0.95",
        ),
        Option(
            "--interval",
            help=(
                "clopper-pearson: confidence bounds of both probabilities, for a sample size that was fixed "
                "beforehand (default); e-value: valid at any stopping time"
            ),
            choices=("clopper-pearson", "e-value"),
        ),
        Option(
            "--explore",
            "M",
            help=(
                "size of the first part of the data, on which the pair and the set are chosen: a proportion below "
                "1, or a number of samples of each input (default: one fifth, at most 50000; none if there is "
                "nothing to choose)"
            ),
        ),
        Option(
            "--seed",
            "N",
            help="seed of the random choice of the first part (default: 0); another seed gives another test",
            type=whole(0),
        ),
        Option(
            "--mechanism",
            "MECHANISM",
            help="the true mechanism of the black box: print how many samples refute the claim",
            type=mechanism,
        ),
        options.TRANSPOSED_MECHANISM,
        Option("--power", "P", help="probability of refutation (default: 0.9)", goes_with="--mechanism"),
        Option("--report", "FILE", help="write one page in plain words: FILE.html, .md or .tex", type=ReportFile),
        options.EXACT,
        options.JSON,
    ),
)


def run(args: argparse.Namespace) -> int:
    """Audit the samples, or compute the number of samples needed; print the result."""
    from rropt_fieldwork.audits import samples_needed
    from rropt_fieldwork.audits.auditing import AuditArguments, audited

    read_data(args)
    if args.mechanism is not None:
        require_taken(args, "audit --mechanism", samples_needed)
        if args.claim is None:
            raise InvalidParameterError("the claim is missing: received --mechanism alone; give --claim E")
        print_result(args, call_library(samples_needed, args), title="Samples that refute a claim")
        return 0
    args.spelled["output"] = "--column"
    data = None if args.data is None else table_of(args, *_READ)
    more: dict[str, Any] = {"data": data, "counts": args.counts or None, "output": args.column}
    if args.box is not None:
        refuse_given(args.typed, "the box is called", "data", "counts", "input", "column", "interval", "seed")
    found = audited(call_library(AuditArguments, args, **more))
    if args.report is not None:
        from rropt_fieldwork.audits.audit_page import audit_page

        args.pending.put(args.report, lambda: audit_page(found).text_of(args.report), "report")
    print_result(args, found, title="Audit of a black box")
    return 1 if found.refuted else 0
