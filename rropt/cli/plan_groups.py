"""``rropt plan groups``: how many respondents the difference of two groups needs."""

from __future__ import annotations

import argparse

from rropt.cli import plan_options as shared
from rropt.cli.arguments import call_library, pair, people
from rropt.cli.command import Command, OneOf, Option
from rropt.cli.output import print_result

COMMAND = Command(
    """\
Find the smallest number of respondents of each of two groups, such as two regions, for the
power of the test of their difference (0.8 by default), or for a margin of the difference. With
--n, print what that number of each group achieves.""",
    epilog="""\
examples:
  rropt plan groups 0.1,0.5 --mechanism warner:3/4 --power 0.8
  rropt plan groups 0.1,0.2 --mechanism warner:3/4 --margin 0.05 --regions 16 --response-rate 60%""",
    arguments=(
        Option("prevalences", "P1,P2", help="assumed prevalences of the two groups", type=pair),
        *shared.DEVICE,
        OneOf(
            (
                Option("--power", "B", help="power of the two-sided test of their difference (default: 0.8)"),
                Option("--margin", "H", help="margin of error of the difference"),
                shared.N,
            )
        ),
        Option("--significance", "A", help="significance level of the test (default: 0.05)"),
        shared.CONFIDENCE,
        Option(
            "--population",
            "N[,N]",
            help="the people of each group, if they are sampled without replacement, or two numbers, one for each",
            type=people,
        ),
        *shared.SAMPLE,
        *shared.REGIONS,
        *shared.TAIL,
    ),
)


def run(args: argparse.Namespace) -> int:
    """Plan two groups, and print the plan."""
    from rropt.plan import groups

    shared.declare(args)
    print_result(args, call_library(groups, args, sample=shared.sample_of(args)), title="Plan of groups")
    return 0
