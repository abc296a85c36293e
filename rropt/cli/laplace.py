"""``rropt laplace``: a count, a sum or a histogram with exactly drawn noise; its privacy and accuracy.

The Laplace mechanism: a collector who knows all true answers releases a count, a sum or a
histogram with noise. Its sensitivity, epsilon, delta, variance and accuracy; --release adds
the noise, drawn exactly (discrete Laplace) with the operating system's randomness.
Neighbours differ in one person's data (substitution), or in one person's presence.

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

from rropt.cli.arguments import read_criterion_level, read_level, whole_number
from rropt.cli.options import declare
from rropt.cli.output import note, print_result, print_table, say_remarks
from rropt.errors import FileFormatError, InvalidParameterError, shown

if TYPE_CHECKING:
    from rropt.mechanisms import Sensitivity

_OPTIONS = """
LEVEL required
--count                   a number of people (the default)
| --sum LOW,HIGH          a sum of values in [LOW, HIGH], multiples of --step
| --histogram K           counts of K cells, of which each person is in one
| --sensitivity D         a query of this sensitivity in the l1 norm
--dimension K             beside --sensitivity: how many numbers it is (default: 1)
--neighbours substitution|add-remove = substitution  whose data differ
--step G = 1              all values are multiples of it
--confidence C = 0.95     of the accuracy
--threshold T             also Pr(error >= T)
--at E                    also the least delta at this smaller epsilon
--release ?V,..           add the noise to these true values; - reads them from stdin
--json
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    declare(parser, __doc__, _OPTIONS, run=run)


def run(args: argparse.Namespace) -> int:
    """Say what the noise does, and add it."""
    from rropt.mechanisms import DiscreteLaplace
    from rropt.mechanisms.noise_reports import laplace_report
    from rropt.sampling.fair_bits import DiscreteNoise

    epsilon, _ = read_level(args)
    noise = DiscreteLaplace(_sensitivity(args), epsilon, args.step)
    found = laplace_report(noise, confidence=args.confidence, smaller=args.at, threshold=args.threshold)
    released = None if args.release is None else list(map(str, DiscreteNoise(noise).release(_values(args.release))))
    if args.json:
        print_result(found, json=True, criterion=read_criterion_level(args), released=released)
        return 0
    header, *rows = found.rows()
    print_table(rows, title=found.title, header=header)
    say_remarks(found)
    if released is not None:
        print_table([("released", ", ".join(released))])
        note("rropt: publish this release only: every further one of the same data spends epsilon again")
    return 0


def _sensitivity(args: argparse.Namespace) -> Sensitivity:
    from rropt.mechanisms import Sensitivity

    if args.dimension is not None and args.sensitivity is None:
        raise InvalidParameterError(
            "--dimension belongs to a sensitivity given by hand: received no --sensitivity; leave it out"
        )
    if args.sum is not None:
        low, comma, high = args.sum.partition(",")
        if not comma:
            raise InvalidParameterError(f"--sum is no interval: received {shown(args.sum)}; allowed is LOW,HIGH")
        return Sensitivity.total(low, high, args.neighbours)
    if args.histogram is not None:
        return Sensitivity.histogram(whole_number(args.histogram, "--histogram", 2, 10_000), args.neighbours)
    if args.sensitivity is not None:
        dimension = 1 if args.dimension is None else whole_number(args.dimension, "--dimension", 1, 10_000)
        return Sensitivity.given(args.sensitivity, dimension, args.neighbours)
    return Sensitivity.count(args.neighbours)


def _values(text: str) -> list[str]:
    if text != "-":
        return text.split(",")
    try:
        return sys.stdin.read(1 << 20).replace(",", " ").split()
    except UnicodeDecodeError:  # its own message shows the bytes
        raise FileFormatError("the values are not text: standard input is not UTF-8; write numbers") from None
