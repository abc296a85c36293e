"""``rropt design pram``: the invariant post-randomization that keeps the most records.

Statistical offices change some categories of microdata at random before release. This finds
the mechanism P with the largest probability that a record keeps its category,
subject to privacy and to P pi = pi exactly: the expected table is that of the
true records. Exact, with a certificate. `rropt randomize` applies it; --sdcmicro writes it
for the R package sdcMicro.

If no invariant private mechanism meets the bounds, a certificate proves this
(exit status 1). Forbidden cells need --delta above 0 or --levels.

examples:
  rropt design pram --proportions 1/2,1/3,1/6 --epsilon "log(3)" --output pram.json
  rropt design pram --counts 510,320,170 --epsilon 2 --diagonal 1/4 --sdcmicro pram.R --categories a,b,c
  rropt design pram --proportions 1/50,1/2,12/25 --epsilon 1 --delta 1/10 --forbid 0,2
"""

from __future__ import annotations

import argparse

from rropt.cli.arguments import call_library, items, names, pair, whole_number, wholes
from rropt.cli.design_results import files, put_mechanism
from rropt.cli.options import Parser
from rropt.cli.output import print_json, print_result, print_text
from rropt.cli.pending import InputFile, OutputFile, put_certificates


def arguments(parser: Parser) -> None:
    """Add the arguments.

    --proportions: proportions of the categories, above 0: exact numbers that sum to 1
    --counts: instead of the proportions: number of records of each category
    --levels: a level for each pair of categories (JSON or CSV, k x k; null: no level)
    --distance: abs or grid:RxC: the level of two categories is their distance times the given level
    --at-least: lower bound of every entry
    --diagonal: lower bound of the probability that a category remains unchanged: one number for all, or one for
        each
    --forbid: forbid the output I for the category J (counted from 0)
    --sdcmicro: write an R script with the matrix for sdcMicro's pram
    --categories: names of the levels of the factor in R (default: 0,1,...)
    """
    group = parser.add_mutually_exclusive_group(required=True)
    group.add_argument("--proportions", metavar="P1,..,PK", type=items)
    group.add_argument("--counts", metavar="C0,..,Cm", type=wholes(1))
    group = parser.add_mutually_exclusive_group(required=True)
    group.add_argument("--levels", metavar="FILE", type=InputFile)
    group.add_argument("--epsilon", metavar="E")
    group.add_argument("--gamma", metavar="G")
    parser.add_argument("--delta", metavar="D", default="0")
    parser.add_argument("--distance", metavar="D")
    parser.add_argument("--at-least", metavar="L")
    parser.add_argument("--diagonal", metavar="L1,..,LK", type=items)
    parser.add_argument("--forbid", metavar="I,J", type=pair, action="append", default=[])
    parser.add_argument("--sdcmicro", metavar="FILE", type=OutputFile)
    parser.add_argument("--categories", metavar="A,B,..", type=names)
    files(parser)
    parser.beside("--sdcmicro", "--categories")


def run(args: argparse.Namespace) -> int:
    """Find the invariant post-randomization, print it, and write the requested files."""
    from rropt.designs.infeasible_designs import InfeasibleDesignError
    from rropt.designs.pram import design_pram, sdcmicro_matrix
    from rropt.privacy.level_arguments import level as given_level
    from rropt.privacy.region_files import load_levels

    args.levels = None if args.levels is None else load_levels(args.levels)
    if args.gamma is not None:
        args.epsilon = given_level(gamma=args.gamma).epsilon
    forbidden = [tuple(whole_number(text, "--forbid", 0) for text in cell) for cell in args.forbid]
    try:
        found = call_library(design_pram, args, forbidden=forbidden)
    except InfeasibleDesignError as error:
        put_certificates(args, error)
        if args.json:
            print_json({"infeasible": True, "reason": error.reason, "certificate": error.certificate.to_dict()})
        else:
            print_text(f"infeasible: {error.reason}\ncertificate {error.certificate.check()}")
        return 1
    put_mechanism(args, found.mechanism, "Invariant post-randomization", found.problem.to_dict())
    put_certificates(args, found)
    if args.sdcmicro is not None:
        args.pending.put(args.sdcmicro, sdcmicro_matrix(found, args.categories), "matrix for sdcMicro")
    print_result(args, found, title="Invariant post-randomization", mechanism=found.mechanism)
    return 0
