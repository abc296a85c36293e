"""``rropt laplace``: a count, a sum or a histogram with exactly drawn noise; its privacy and accuracy.

Evaluate the Laplace mechanism: a collector who knows all true answers releases a count, a
sum or a histogram with added noise. The command prints its sensitivity, epsilon, delta,
variance and accuracy. --release adds the noise, drawn exactly (discrete Laplace) with the
operating system's randomness. Neighbouring data sets differ in one person's data
(substitution), or in one person's presence (add-remove).

examples:
  rropt laplace --epsilon 1/2                                  # a count: how accurate?
  rropt laplace --epsilon 1/2 --release 831                    # released once; - reads it from stdin
  rropt laplace --epsilon 1 --histogram 3 --release 10,20,30
  rropt laplace --epsilon 1 --sum 0,100 --step 1/2 --at 1/2 --threshold 250
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from rropt.cli.arguments import call_library, pair, read_level, whole
from rropt.cli.options import Parser, level, printed
from rropt.cli.output import ConfidentialInput, print_note, print_result, print_table
from rropt.core.errors import FileFormatError
from rropt.core.exact.number_input import split_list

if TYPE_CHECKING:
    from rropt.mechanisms import Sensitivity


def arguments(parser: Parser) -> None:
    """Add the arguments.

    --count: a number of people (the default)
    --sum: a sum of values in [LOW, HIGH], multiples of --step
    --histogram: counts of K cells; each person is in one cell
    --sensitivity: a query with this sensitivity in the l1 norm
    --dimension: number of coordinates of the query (default: 1)
    --neighbours: neighbouring data sets: one person's data are replaced, or added or removed
    --step: step of the grid; all values are multiples of it
    --confidence: confidence level of the accuracy
    --threshold: also print Pr(error >= T)
    --at: also print the smallest delta at this smaller epsilon
    --release: add the noise to these true values and print the result; - reads them from standard input
    """
    level(parser, required=True)
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--count", action="store_true")
    group.add_argument("--sum", metavar="LOW,HIGH", type=pair)
    group.add_argument("--histogram", metavar="K", type=whole(2, 10000))
    group.add_argument("--sensitivity", metavar="D")
    parser.add_argument("--dimension", metavar="K", type=whole(1, 10000))
    parser.add_argument("--neighbours", choices=["substitution", "add-remove"], default="substitution")
    parser.add_argument("--step", metavar="G", default="1")
    parser.add_argument("--confidence", metavar="C", default="0.95")
    parser.add_argument("--threshold", metavar="T")
    parser.add_argument("--at", metavar="E")
    parser.add_argument("--release", metavar="V,..", type=ConfidentialInput)
    printed(parser)
    parser.beside("--sensitivity", "--dimension")


def run(args: argparse.Namespace) -> int:
    """Print the properties of the noise, and release the given values with noise."""
    from rropt.mechanisms import DiscreteLaplace
    from rropt.mechanisms.central.noise_reports import laplace_report
    from rropt.mechanisms.sampling.fair_bits import DiscreteNoise

    read_level(args)
    noise = DiscreteLaplace(_sensitivity(args), args.epsilon, args.step)
    found = call_library(laplace_report, args, noise=noise)
    released = None if args.release is None else list(map(str, DiscreteNoise(noise).release(_values(args.release))))
    print_result(args, found, released=released)
    if released is not None and not args.json:
        print_table([("released", ", ".join(released))])
        print_note("rropt: publish this release only: every further one of the same data spends epsilon again")
    return 0


def _sensitivity(args: argparse.Namespace) -> Sensitivity:
    from rropt.mechanisms import Sensitivity

    if args.sum is not None:
        low, high = args.sum
        return Sensitivity.total(low, high, args.neighbours)
    if args.histogram is not None:
        return Sensitivity.histogram(args.histogram, args.neighbours)
    if args.sensitivity is not None:
        return Sensitivity.given(args.sensitivity, args.dimension or 1, args.neighbours)
    return Sensitivity.count(args.neighbours)


def _values(text: str) -> list[str]:
    if text != "-":
        return split_list(text)
    try:
        return sys.stdin.read(1 << 20).replace(",", " ").split()
    except UnicodeDecodeError:  # the original message would show the bytes
        raise FileFormatError("the values are not text: standard input is not UTF-8; write numbers") from None
