"""``rropt estimate``: from the responses of a survey to estimates, standard errors and intervals."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rropt.cli import options
from rropt.cli.arguments import (
    call_library,
    items,
    names,
    whole,
)
from rropt.cli.command import Command, Flag, Option
from rropt.cli.installed_readers import read_file, table_reader
from rropt.cli.output import print_result
from rropt.cli.pending import InputFile, OutputFile, certificate_file, second_path
from rropt.core.errors import refuse_given
from rropt.core.results.result_frames import Row, csv_text

if TYPE_CHECKING:
    from rropt.answers.table_reports import TableReading
    from rropt.core.certificates import Certificate
    from rropt.estimates.estimated import Estimates

COMMAND = Command(
    """\
Estimate proportions from randomized responses: the unbiased estimate, the maximum
likelihood estimate, standard errors, and intervals with their guarantees.""",
    epilog="""\
example: 831 yes among 2435 responses; a die forces yes on 1 and no on 6
  rropt estimate --yes 831 --n 2435 --mechanism forced:2/3,1/6,1/6
two questions, each answered truthfully with probability 3/4 (for a file: answers.csv --columns q1,q2)
  rropt estimate --counts 50,30,18,2 --mechanism bits:3/4*2 --marginals 1
one question of a file; two questions in each region, with tests of the differences
  rropt estimate survey.csv --column sick --categories no,yes --mechanism warner:3/4
  rropt estimate survey.csv --columns q1,q2 --mechanism bits:3/4*2 --by region
each respondent has a device, named in a column of the file
  rropt estimate survey.csv --columns q1,q2 --devices device --certificate proof.json
a complex survey with weights and sampled districts (see also --strata, --fpc and --post-strata)
  rropt estimate survey.csv --columns q1,q2 --mechanism bits:3/4*2 --weights w --clusters district
comparison with a direct question: 300 yes among 2000 respondents
  rropt estimate --yes 831 --n 2435 --mechanism forced:2/3,1/6,1/6 --direct 300,2000
counts from many machines (rropt count, rropt count --add)
  rropt estimate all.json
a question of a declared survey (rropt survey)
  rropt estimate sick --by region --survey health.toml
710 of 10777 students, an unrelated question with the known proportion 1/12 of yes
  rropt estimate --yes 328 --n 710 --mechanism unrelated:1/2,1/12 --population 10777""",
    arguments=(
        Option(
            "data",
            "DATA",
            help=(
                "file with one row for each respondent: CSV, JSON, Parquet, Feather, Excel (.xlsx), Stata, SPSS, "
                "DuckDB or SQLite, also compressed (.gz, .zst, .zip); several files with the same columns, or a "
                "folder of them; - reads standard input. Use --column for one question, --columns for the joint "
                "distribution of several questions, and --by for each question in each group. Or the name of a "
                "question that survey.toml declares (rropt survey)"
            ),
            nargs="*",
            type=InputFile,
        ),
        options.SURVEY,
        options.GLOB,
        *table_reader().reading(),
        *options.RESPONSES,
        Option(
            "--by",
            "A,B,..",
            help="columns that define groups: estimate each question in each group, and test the differences",
            type=names,
            goes_with="DATA",
        ),
        Option(
            "--test",
            help=(
                "test of the differences of groups that used one device, and the interval that inverts it "
                "(default: score, of Miettinen and Nurminen; exact: unconditional, with proved coverage)"
            ),
            choices=("score", "exact"),
            goes_with="--by",
        ),
        replace(options.DEVICES, goes_with="DATA"),
        Option(
            "--weights",
            "COLUMN",
            help=(
                "column of the sampling weights of a complex survey; proportions are Hajek estimates, totals are "
                "weighted sums"
            ),
            goes_with="DATA",
        ),
        replace(options.STRATA, goes_with="DATA"),
        replace(options.CLUSTERS, goes_with="DATA"),
        replace(options.FPC, goes_with="DATA"),
        replace(options.POST_STRATA, goes_with="DATA"),
        options.SINGLE_PSU,
        replace(options.REPLICATES, goes_with="DATA"),
        *options.COUNTED,
        options.MECHANISM,
        replace(options.TRANSPOSED, goes_with="--mechanism or --devices"),
        options.CONFIDENCE,
        Option(
            "--contrast",
            "C1,..,CK",
            help=(
                "estimate this linear combination of the proportions of one question, or of the cells of the joint "
                "table of several --columns (the first varies fastest); with --devices it is enough that all devices "
                "together determine it"
            ),
            type=items,
        ),
        Flag(
            "--explain",
            help=(
                "also print the intervals of every kind with their guarantees, what the mechanism does, totals, and "
                "the differences of groups"
            ),
        ),
        Option(
            "--marginals",
            "K",
            help=(
                "estimate all tables of K questions instead of the joint table. 1 for a mechanism with numbers (rropt "
                "design mean): the proportions of the numbers instead of their mean"
            ),
            type=whole(1),
        ),
        Option(
            "--certificate",
            "FILE",
            help="for several questions: write the certificate of the maximum likelihood distribution to FILE",
            type=OutputFile,
        ),
        Option(
            "--population",
            "N",
            help=(
                "size N of the finite population. The respondents are a simple random sample without replacement, "
                "or a census; the variances of sampling and of the device are shown separately"
            ),
            type=whole(1),
        ),
        Option(
            "--direct",
            "Y,N|COLUMN",
            dest="direct_responses",
            help=(
                "for one yes/no question: number of yes and number of respondents who were asked directly, or a "
                "column with their responses; prints the difference, its test, and the design effect of the device"
            ),
        ),
        Flag(
            "--cards-without-replacement",
            help="for christofides: the cards were dealt from one deck, without replacement",
            goes_with="--population",
        ),
        Option(
            "--proportions",
            "P1,..,PK",
            help=(
                "for mechanisms with more outputs than categories: the distribution at which the unbiased "
                "estimator has minimum variance (default: uniform)"
            ),
            type=items,
            dest="reference",
        ),
        Option(
            "--output",
            "FILE",
            help=(
                "write the estimates as CSV: one row for each category, group or cell, numbers in full precision "
                "(intervals that hold for all together: --json). With --by, FILE-differences.csv beside it has one row "
                "for each pair of groups, with p and adjusted p"
            ),
            type=OutputFile,
        ),
        options.EXACT,
        options.JSON,
    ),
)


def run(args: argparse.Namespace) -> int:
    """Compute the requested estimate and print it."""
    second = second_path(args.output, "-differences") if args.output is not None and args.by else ""
    if second:
        args.pending.expect(second)
    is_counted = not args.data and not args.glob and args.survey is None and args.mechanism is not None
    found, reading = (_of_counts(args), None) if is_counted else _of_file(args)
    direct = None
    if getattr(found, "counted", None) is not None:
        direct = None if args.direct_responses is None else table_reader().compare_with_direct(args, found.counted)
    else:
        refuse_given(
            args.typed,
            "a direct question is compared with one yes/no question, without weights, groups or population",
            "direct_responses",
        )
    if args.certificate is not None:
        _certify(args, found)
    if args.output is not None:
        args.pending.put(args.output, lambda: csv_text(_of_question(args, found.frame_rows())), "estimates")
        if second and (pairs := found.difference_rows()):
            args.pending.put(second, csv_text(_of_question(args, pairs)), "differences")
    more = {"read": reading, "direct": direct} if args.json else {}
    beside = {name: one.to_dict() for name, one in more.items() if one is not None}
    tables = [] if direct is None else direct.as_tables()
    title = _FINITE if found.population is not None else ""
    print_result(args, found, title=title, tables=tables, reading=reading, **beside)
    return 0


def _of_file(args: argparse.Namespace) -> tuple[Any, TableReading | None]:
    """Return the estimate from FILE, or of a question that a survey declares, and how it was read."""
    read_file(args)
    return table_reader().estimate(args)


def _of_counts(args: argparse.Namespace) -> Estimates:
    """Return the estimate from the counts of the responses."""
    from rropt.estimates.from_counts import estimate_of_options

    refuse_given(args.typed, "columns and their texts belong to DATA", "single_psu")
    args.spelled["joint"] = args.spelled["certificate"]  # only a joint distribution has a certificate
    found: Estimates = call_library(estimate_of_options, args, joint=args.certificate is not None)
    return found


_FINITE = "Estimate in a finite population"


def _of_question(args: argparse.Namespace, rows: Sequence[Row]) -> list[Row]:
    """Return rows with the wording of the question that a survey declares, and with the column of its responses."""
    wording = getattr(args, "wording", None)
    if not wording:
        return list(rows)
    return [{"column": args.column, "question": wording} | row | {"question": wording} for row in rows]


def _certify(args: argparse.Namespace, found: Estimates) -> None:
    from rropt.inference.joint_likelihood import certify_estimate

    joint = getattr(found, "joint", None)
    if joint is None:
        args.pending.leave_out(
            args.certificate,
            "there is no most likely distribution to certify: the cells are too many; name fewer questions with "
            "--columns",
        )
        return

    def make() -> Certificate:
        made = certify_estimate(joint.groups, joint.population, joint.likelihood_gap)
        return made.require_accepted()

    certificate_file(args, make, args.certificate, "")
