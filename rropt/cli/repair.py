"""``rropt repair``: the nearest matrix that is exactly private and whose columns sum to exactly 1."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rropt.cli import options
from rropt.cli.arguments import call_library, read_level, read_mechanism
from rropt.cli.command import Command, Option
from rropt.cli.output import PrintedResult, print_result
from rropt.cli.pending import OutputFile, check_bound_file, put_certificates, put_derivation
from rropt.core.errors import InvalidParameterError, refuse_given, shown

if TYPE_CHECKING:
    from rropt.mechanisms import Mechanism

COMMAND = Command(
    """\
Find the matrix nearest to MECHANISM that is exactly private, with rational entries and columns
that sum to exactly 1. It minimizes the largest change of an entry (--norm l1: the sum of all
changes) by an exact linear program, with a certificate. Without a level, columns are divided by
their sums, which may miss 1 by 1/100. Floats are read as their shortest decimals, in .npy files
too.""",
    epilog="""\
examples:
  rropt repair channel.csv --epsilon "log(3)" --output mechanism.json
  rropt repair channel.npy --transposed --epsilon 1 --norm l1 --certificate proof.json""",
    arguments=(
        options.POSITIONAL_MECHANISM,
        *options.LEVEL,
        options.DELTA,
        options.TRANSPOSED,
        Option(
            "--norm",
            help="norm that is minimized: the largest absolute change, or the sum of all changes (default: max)",
            choices=("max", "l1"),
        ),
        options.FAST,
        options.CERTIFICATE,
        replace(
            options.DERIVATION,
            help="write the proof that no private mechanism is nearer as half a page to FILE.md or FILE.tex",
        ),
        Option(
            "--output",
            "FILE",
            help="write the mechanism to FILE: exact JSON, or CSV if the name ends in .csv",
            type=OutputFile,
        ),
        options.EXACT,
        options.JSON,
    ),
)


def run(args: argparse.Namespace) -> int:
    """Repair the mechanism, write the requested files, and print the report."""
    from rropt.designs.repairs import repair, repair_under_criterion
    from rropt.mechanisms.imports import audit_of_argument

    if args.output is not None:
        _is_csv(args.output)  # before the work, which may take minutes
    read_level(args)
    if args.epsilon is None:
        return _divide(args)
    check_bound_file(args)
    audit = call_library(audit_of_argument, args)
    norm = args.norm or "max"
    if args.criterion is None:
        fixed = repair(audit, args.epsilon, args.delta, norm=norm, fast=args.fast)
    else:
        fixed = repair_under_criterion(audit, args.criterion, norm=norm, fast=args.fast)
    _put_mechanism(args, fixed.mechanism)
    put_certificates(args, fixed)
    put_derivation(args, fixed)
    print_result(args, fixed, title="Repair", mechanism=fixed.mechanism)
    return 0


def _no_level() -> InvalidParameterError:
    return InvalidParameterError(
        "the level is missing: the columns sum to exactly 1, so that only a level can be repaired; give --epsilon E, "
        "--gamma G, or a criterion"
    )


def _divide(args: argparse.Namespace) -> int:
    """Divide the columns of a matrix by their sums, since no level is given; write and print the mechanism."""
    from rropt.core.exact import both_texts
    from rropt.core.exact.display import extended_text
    from rropt.mechanisms import Mechanism
    from rropt.mechanisms.imports import numbers_of_file

    refuse_given(
        args.typed,
        "without a level, columns are divided by their sums",
        "certificate",
        "norm",
        "fast",
        "derivation",
    )
    if not os.path.lexists(args.mechanism):
        read_mechanism(args.mechanism)  # a name that nobody knows is an error of its own
        raise _no_level()
    made = Mechanism.rounded(numbers_of_file(args.mechanism, transposed=args.transposed)).named(args.mechanism)
    if made.rounding is None or not made.rounding.move:
        raise _no_level()
    _put_mechanism(args, made)
    lines = [
        ("repair", made.rounding.remark()),
        ("parity (gamma)", both_texts(made.parity())),
        ("epsilon", both_texts(made.epsilon)),
    ]
    stated = {"mechanism": made.to_dict(), "parity": extended_text(made.parity()), "epsilon": str(made.epsilon)}
    print_result(args, PrintedResult(stated, lines), title="Repair without a level", mechanism=made)
    return 0


def _put_mechanism(args: argparse.Namespace, mechanism: Mechanism) -> None:
    """Write the mechanism to the file of ``--output``, if it is given."""
    from rropt.mechanisms.displays import mechanism_csv

    if args.output is not None:
        text = mechanism_csv(mechanism) if _is_csv(args.output) else mechanism.to_json() + "\n"
        args.pending.put(args.output, text, "mechanism")


def _is_csv(path: str) -> bool:
    """Return whether a mechanism is written as CSV; reject a name with an extension other than CSV or JSON."""
    suffix = Path(path).suffix.lower()
    if suffix not in ("", ".csv", ".json"):
        raise InvalidParameterError(
            f"a mechanism is not written in the format of that name: received {shown(path)}; allowed are names that "
            "end in .json or .csv, which store exact fractions (.npy stores floats); rename it"
        )
    return suffix == ".csv"
