"""``rropt plan se``: how many respondents a standard error needs, and the standard error of a number of them."""

from __future__ import annotations

import argparse
from dataclasses import replace

from rropt.cli import plan_options as shared
from rropt.cli.arguments import read_standard_error
from rropt.cli.command import Command, Option

COMMAND = Command(
    """\
Find the smallest number of respondents for a standard error of the unbiased estimate. With --n
instead, print what that number achieves. Give a mechanism, or a privacy level: then the certified
optimal design at the guessed prevalence is used. For several questions the least precise cell
counts, at the worst distribution unless --proportions are given.""",
    epilog="""\
examples:
  rropt plan se 0.01 --mechanism bits:3/4*10 --questions 0,3
  rropt plan se 0.01 --n 100000 --mechanism bits:3/4*10
  rropt plan se "sqrt(1/1000)" --mechanism warner:3/4 --prevalence 1/4""",
    arguments=(
        Option("se", "S", help="standard error of the unbiased estimate, or sqrt(V) for a variance V", nargs="?"),
        replace(
            shared.N,
            help=(
                "print what N respondents achieve. For several questions, with S: the largest k for "
                "which every marginal of k questions reaches the goal"
            ),
        ),
        *shared.DEVICE_OR_LEVEL,
        shared.prevalence_of("assumed prevalence, in [0, 1]"),
        shared.PROPORTIONS,
        shared.CONTRAST,
        shared.ONLY,
        shared.MARGINALS,
        *shared.SAMPLE,
        *shared.REGIONS,
        shared.DIRECT,
        *shared.TAIL,
    ),
)


def run(args: argparse.Namespace) -> int:
    """Plan a standard error, and print it."""
    from rropt.plan import se

    read_standard_error(args)
    return shared.give_plan(args, se)
