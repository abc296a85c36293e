"""``rropt design pram``: the invariant post-randomization that keeps the most records."""

from __future__ import annotations

import argparse

from rropt.cli import options
from rropt.cli.arguments import items, level_of, names, wholes
from rropt.cli.command import Command, OneOf, Option
from rropt.cli.design_results import give_reason, put_mechanism
from rropt.cli.output import print_result
from rropt.cli.pending import OutputFile, put_certificates, put_derivation

COMMAND = Command(
    """\
Statistical offices change some categories of microdata at random before release. This finds
the mechanism P with the largest probability that a record keeps its category,
subject to privacy and to P pi = pi exactly: the expected table is that of the
true records. Exact, with a certificate. `rropt randomize` applies it; --output FILE.R writes
it for the R package sdcMicro.

If no invariant private mechanism meets the bounds, a certificate proves this
(exit status 1). Forbidden cells need --delta above 0 or a --level FILE.""",
    epilog="""\
examples:
  rropt design pram --proportions 1/2,1/3,1/6 --epsilon "log(3)" --output pram.json
  rropt design pram --counts 510,320,170 --epsilon 2 --bounds 1/20..1 --output pram.R
  rropt design pram --proportions 1/50,1/2,12/25 --epsilon 1 --delta 1/10 --bounds cells.json
  rropt design pram --counts 90,60,40,30 --strata north,north,south,south --epsilon 1
cells.json: {"diagonal": "1/4", "forbidden": [[0, 2]]}
  (the least probability that a category remains unchanged; pairs output, input from 0)""",
    arguments=(
        OneOf(
            (
                Option(
                    "--proportions",
                    "P1,..,PK",
                    help="proportions of the categories, above 0: exact numbers that sum to 1",
                    type=items,
                ),
                Option(
                    "--counts",
                    "C0,..,Cm",
                    help="instead of the proportions: number of records of each category",
                    type=wholes(0),
                ),
            ),
            required=True,
        ),
        *options.REQUIRED_TRACE_LEVEL,
        options.DELTA,
        options.BOUNDS,
        Option(
            "--strata",
            "S1,..,SK",
            help=(
                "stratum of each category: records change within their stratum only, and the level holds for "
                "each two categories of one stratum"
            ),
            type=items,
        ),
        options.FAST,
        options.CERTIFICATE,
        options.DERIVATION,
        Option(
            "--output",
            "FILE",
            help=(
                "write the mechanism to FILE, which other commands read; to FILE.R an R script with the matrix "
                "for sdcMicro's pram"
            ),
            type=OutputFile,
        ),
        Option(
            "--categories",
            "A,B,..",
            help=(
                "names of the categories in the order of the mechanism; they are written to the file of the mechanism, "
                "and are the levels of the factor in R (default: 0,1,...)"
            ),
            type=names,
            goes_with="--output",
            dest="category_names",
        ),
        options.EXACT,
        options.JSON,
    ),
)


def run(args: argparse.Namespace) -> int:
    """Find the invariant post-randomization, print it, and write the requested files."""
    from rropt.design import pram
    from rropt.designs.infeasible_designs import InfeasibleDesignError
    from rropt.designs.pram import sdcmicro_matrix

    try:
        counts = args.counts if args.proportions is None else args.proportions
        args.spelled["counts"] = "--counts" if args.proportions is None else "--proportions"
        found = pram(counts, level=level_of(args), bounds=args.bounds, strata=args.strata, fast=args.fast)
    except InfeasibleDesignError as error:
        return give_reason(args, error)
    put_certificates(args, found)
    put_derivation(args, found)
    if args.output is not None and args.output.lower().endswith(".r"):
        args.pending.put(args.output, sdcmicro_matrix(found, args.category_names), "matrix for sdcMicro")
    else:
        put_mechanism(args, found.mechanism, "Invariant post-randomization", found.problem.to_dict())
    print_result(args, found, title="Invariant post-randomization", mechanism=found.mechanism)
    return 0
