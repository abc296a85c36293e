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

from rropt.cli.arguments import criterion_record, read_level, whole_number
from rropt.cli.options import declare
from rropt.cli.output import note, print_json, print_table
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
    from rropt.exact import both_texts
    from rropt.mechanisms import DiscreteLaplace, Laplace
    from rropt.mechanisms.noise_reports import noise_report
    from rropt.sampling.discrete_noise import DiscreteNoise

    sensitivity = _sensitivity(args)
    epsilon, _ = read_level(args)
    noise = DiscreteLaplace(sensitivity, epsilon, args.step)
    asked = {"confidence": args.confidence, "smaller": args.at, "threshold": args.threshold}
    reports = [noise_report(law, **asked) for law in (noise, Laplace(sensitivity, epsilon))]
    released = None if args.release is None else DiscreteNoise(noise).release(_values(args.release))
    if args.json:
        found = {report.law: report.to_dict() for report in reports}
        values = None if released is None else [str(value) for value in released]
        record = {"epsilon": str(epsilon), "step": str(noise.step), **found, "released": values}
        print_json({**record, **criterion_record(args)})
        return 0
    for report in reports:
        for reason in report.left_out:
            note(f"remark: {report.law}: {reason}")
    rows = [(what, one, other) for (what, one), (_, other) in zip(*(report.lines() for report in reports), strict=True)]
    moves = f"sensitivity {sensitivity.l1} by {sensitivity.neighbours}"
    title = f"Laplace noise on {sensitivity.what}: {moves}, epsilon = {both_texts(epsilon, 6)}"
    print_table(rows, title=title, header=("", "discrete, drawn exactly", "continuous, the formula"))
    if released is not None:
        print_table([("released", ", ".join(map(str, released)))])
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
