"""``rropt laplace``: a count, a sum or a histogram with exactly drawn noise; its privacy and accuracy."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from rropt.cli import options
from rropt.cli.arguments import call_library, read_level, whole_number
from rropt.cli.command import Command, Option
from rropt.cli.output import ConfidentialInput, print_note, print_result
from rropt.core.errors import FileFormatError, InvalidParameterError, shown
from rropt.core.exact.numbers import split_list

COMMAND = Command(
    """\
Evaluate the Laplace mechanism: a collector who knows all true answers releases a count, a
sum or a histogram with added noise. The command prints its sensitivity, epsilon, delta,
variance and accuracy. --release adds the noise, drawn exactly (discrete Laplace) with the
operating system's randomness. Neighbouring data sets differ in one person's data
(substitution), or in one person's presence (add-remove).""",
    epilog="""\
examples:
  rropt laplace --epsilon 1/2                                  # a count: how accurate?
  rropt laplace --epsilon 1/2 --release 831                    # released once; - reads it from stdin
  rropt laplace histogram:3 --epsilon 1 --release 10,20,30
  rropt laplace sum:0,100 --epsilon 1 --step 1/2 --at 1/2 --threshold 250""",
    arguments=(
        Option(
            "query",
            "QUERY",
            help=(
                "count, a number of people (the default); sum:LOW,HIGH, a sum of values in [LOW, HIGH], multiples "
                "of --step; histogram:K, counts of K cells, each person in one cell; or sensitivity:D[,K], a "
                "query of K coordinates (default: 1) with sensitivity D in the l1 norm"
            ),
            nargs="?",
            default="count",
        ),
        *options.REQUIRED_PURE_LEVEL,
        Option(
            "--neighbours",
            help="neighbouring data sets: one person's data are replaced, or added or removed",
            choices=("substitution", "add-remove"),
            default="substitution",
        ),
        Option("--step", "G", help="step of the grid; all values are multiples of it", default="1"),
        Option("--confidence", "C", help="confidence level of the accuracy", default="0.95"),
        Option("--threshold", "T", help="also print Pr(error >= T)"),
        Option("--at", "E", help="also print the smallest delta at this smaller epsilon"),
        Option(
            "--release",
            "V,..",
            help="add the noise to these true values and print the result; - reads them from standard input",
            type=ConfidentialInput,
        ),
        options.EXACT,
        options.JSON,
    ),
)


def run(args: argparse.Namespace) -> int:
    """Print the properties of the noise, and release the given values with noise."""
    from rropt.mechanisms.central.noise_reports import laplace
    from rropt.mechanisms.sampling import DiscreteNoise

    read_level(args)
    found = call_library(laplace, args, **_query(args.query))
    released = (
        None if args.release is None else list(map(str, DiscreteNoise(found.noise()).release(_values(args.release))))
    )
    tables = [] if released is None else [("", None, [("released", ", ".join(released))])]
    print_result(args, found, tables=tables, released=released)
    if released is not None and not args.json:
        print_note("rropt: publish this release only: every further one of the same data spends epsilon again")
    return 0


def _query(query: str) -> dict[str, Any]:
    """Return QUERY as arguments of ``rropt.laplace``."""
    kind, _, text = query.partition(":")
    given = split_list(text) if text else []
    if (kind, len(given)) == ("count", 0):
        return {}
    if (kind, len(given)) == ("sum", 2):
        return {"sum": given}
    if (kind, len(given)) == ("histogram", 1):
        return {"histogram": whole_number(given[0], "QUERY histogram:K", 2, 10000)}
    if kind == "sensitivity" and given and len(given) <= 2:
        dimension = whole_number([*given, "1"][1], "QUERY sensitivity:D,K", 1, 10000)
        return {"sensitivity": given[0], "dimension": dimension}
    raise InvalidParameterError(
        f"QUERY is unknown: received {shown(query)}; allowed are count, sum:LOW,HIGH, histogram:K and sensitivity:D[,K]"
    )


def _values(text: str) -> list[str]:
    if text != "-":
        return split_list(text)
    try:
        return sys.stdin.read(1 << 20).replace(",", " ").split()
    except UnicodeDecodeError:  # the original message would show the bytes
        raise FileFormatError("the values are not text: standard input is not UTF-8; write numbers") from None
