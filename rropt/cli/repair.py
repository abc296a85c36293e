"""``rropt repair``: the exactly private mechanism nearest to somebody else's matrix.

The nearest exactly stochastic and exactly private rational matrix: the largest change of
an entry is the least possible (--norm l1: the sum of all changes), by an exact linear
programme, with a certificate. Floats are read as their shortest decimals; .npy files too.

examples:
  rropt repair channel.csv --epsilon "log(3)" --output mechanism.json
  rropt repair channel.npy --transposed --epsilon 1 --norm l1 --certificate proof.json
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from rropt.cli.arguments import (
    criterion_record,
    criterion_rows,
    read_audit,
    read_criterion_level,
    read_level,
)
from rropt.cli.design_answers import with_bound
from rropt.cli.options import declare
from rropt.cli.output import print_json, print_table, print_text
from rropt.errors import InvalidParameterError, shown

if TYPE_CHECKING:
    from rropt.certificates import Certificate
    from rropt.mechanisms.raw_matrices import Audit
    from rropt.solvers.repairs import Repair


_OPTIONS = """
mechanism
LEVEL required
--delta
--norm max|l1 = max       what is least: the largest absolute change, or the sum of all
--transposed
--output >FILE            write the mechanism here: exact JSON, or CSV if the name ends in .csv
--certificate
--json
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    declare(parser, __doc__, _OPTIONS, run=run)


def run(args: argparse.Namespace) -> int:
    """Repair, write what was asked for, and report."""
    from rropt.solvers.repairs import repair

    as_csv = args.output is not None and _is_csv(args.output)
    epsilon, delta = read_level(args)
    audit = read_audit(args.mechanism, transposed=args.transposed)
    fixed = repair(audit, epsilon, delta, norm=args.norm)
    lower, bound = _bound_loss(args, fixed, audit)
    fixed = replace(fixed, lower=lower)
    if args.output is not None:
        text = fixed.mechanism.to_csv() if as_csv else fixed.mechanism.to_json() + "\n"
        args.pending.put(args.output, text, "mechanism")
    if args.certificate is not None:
        args.pending.put(args.certificate, fixed.certificate.file_text, "certificate")
    if args.json:
        print_json({**fixed.to_dict(), **with_bound(criterion_record(args), bound)})
        return 0
    print_text(str(fixed.mechanism))
    print_table([*criterion_rows(args), *fixed.lines()], title="Repair")
    return 0


def _is_csv(path: str) -> bool:
    """Return whether a mechanism is written as CSV; refuse a name that promises another format than CSV or JSON."""
    suffix = Path(path).suffix.lower()
    if suffix not in ("", ".csv", ".json"):
        raise InvalidParameterError(
            f"a mechanism is not written in the format of that name: received {shown(path)}; allowed are names that "
            "end in .json or .csv, which hold exact fractions, as floats such as those of .npy cannot; rename it"
        )
    return suffix == ".csv"


def _bound_loss(args: argparse.Namespace, fixed: Repair, audit: Audit) -> tuple[Fraction, Certificate | None]:
    """Return what no mechanism falls short of, under a rounded criterion by a repair at the level above B(h)."""
    from rropt.solvers.repairs import repair

    level = read_criterion_level(args)
    if level is None or not level.is_rounded:
        return fixed.lower, None
    if level.epsilon_above is None:
        return Fraction(0), None
    above = repair(audit, level.epsilon_above, norm=args.norm)
    return above.lower, above.certificate
