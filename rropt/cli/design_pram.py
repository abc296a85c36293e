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

from rropt.cli.arguments import call_library, whole_number
from rropt.cli.design_results import FILES, put_mechanism
from rropt.cli.output import print_json, print_result, print_text
from rropt.cli.pending import put_certificates

OPTIONS = f"""
--proportions P1,..,PK required  proportions of the categories, above 0: exact numbers that sum to 1
| --counts C0,..,Cm:1..   instead of the proportions: number of records of each category
--levels FILE required    a level for each pair of categories (JSON or CSV, k x k; null: no level)
| --epsilon
| --gamma
--delta
--distance D              abs or grid:RxC: the level of two categories is their distance times the given level
--at-least L              lower bound of every entry
--diagonal L1,..,LK       lower bound of the probability that a category remains unchanged: one number for all, or one
    for each
--forbid I,J repeated     forbid the output I for the category J (counted from 0)
--sdcmicro >FILE          write an R script with the matrix for sdcMicro's pram
--categories A,B,.. with --sdcmicro  names of the levels of the factor in R (default: 0,1,...)
{FILES}
"""


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
