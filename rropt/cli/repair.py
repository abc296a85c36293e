"""``rropt repair``: the exactly private mechanism nearest to a given matrix.

Find the nearest matrix that is exactly private, with rational entries and columns that
sum to exactly 1. It minimizes the largest change of an entry (--norm l1: the sum of all
changes) by an exact linear program, with a certificate. Floats are read as their shortest
decimals, in .npy files too.

examples:
  rropt repair channel.csv --epsilon "log(3)" --output mechanism.json
  rropt repair channel.npy --transposed --epsilon 1 --norm l1 --certificate proof.json
"""

from __future__ import annotations

import argparse
from pathlib import Path

from rropt.cli.arguments import call_library
from rropt.cli.output import print_result
from rropt.cli.pending import check_bound_file, put_certificates
from rropt.core.errors import InvalidParameterError, shown

OPTIONS = """
mechanism ~MECHANISM
LEVEL required
--delta
--norm max|l1 = max       norm that is minimized: the largest absolute change, or the sum of all changes
--transposed
--output >FILE            write the mechanism to FILE: exact JSON, or CSV if the name ends in .csv
--certificate
--exact
--json
"""


def run(args: argparse.Namespace) -> int:
    """Repair the mechanism, write the requested files, and print the report."""
    from rropt.designs.repairs import repair, repair_under_criterion
    from rropt.mechanisms.imports import audit_of_argument

    as_csv = args.output is not None and _is_csv(args.output)
    check_bound_file(args)
    audit = call_library(audit_of_argument, args)
    if args.criterion is None:
        fixed = repair(audit, args.epsilon, args.delta, norm=args.norm)
    else:
        fixed = repair_under_criterion(audit, args.criterion, norm=args.norm)
    if args.output is not None:
        text = fixed.mechanism.to_csv() if as_csv else fixed.mechanism.to_json() + "\n"
        args.pending.put(args.output, text, "mechanism")
    put_certificates(args, fixed)
    print_result(args, fixed, title="Repair", mechanism=fixed.mechanism)
    return 0


def _is_csv(path: str) -> bool:
    """Return whether a mechanism is written as CSV; reject a name with an extension other than CSV or JSON."""
    suffix = Path(path).suffix.lower()
    if suffix not in ("", ".csv", ".json"):
        raise InvalidParameterError(
            f"a mechanism is not written in the format of that name: received {shown(path)}; allowed are names that "
            "end in .json or .csv, which store exact fractions (.npy stores floats); rename it"
        )
    return suffix == ".csv"
