"""``rropt plan power``: how many respondents the power of a test needs, and the power of a number of them."""

from __future__ import annotations

import argparse

from rropt.cli import plan_options as shared
from rropt.cli.command import Command, Option

COMMAND = Command(
    """\
Find the smallest number of respondents with which a test of --null against the prevalence has
a power, 0.8 by default. With --n, print the power of that number. Give a mechanism, or a
privacy level: then the certified optimal design at the prevalence is used.""",
    epilog="""\
examples:
  rropt plan power 0.9 --epsilon "log(3)" --prevalence 1/10 --significance 0.01
  rropt plan power 0.9 --mechanism kuk:4/5,1/5,2 --prevalence 1/10
  rropt plan power --n 200 --mechanism forced:2/3,1/6,1/6 --prevalence 0.2 --test normal""",
    arguments=(
        Option("power", "B", help="power of the test, for example 0.9 (default: 0.8)", nargs="?"),
        shared.N,
        *shared.DEVICE_OR_LEVEL,
        shared.prevalence_of("true prevalence, in [0, 1]"),
        shared.PROPORTIONS,
        shared.CONTRAST,
        shared.ONLY,
        Option("--null", "PI0", help="prevalence, or value of the contrast, under the null hypothesis", default="0"),
        Option("--significance", "A", help="significance level of the test (default: 0.05)"),
        Option("--sided", help="one-sided or two-sided test (default: one)", choices=("one", "two")),
        Option(
            "--test",
            help="kind of test (default: exact; normal for a contrast or more than two outputs)",
            choices=("exact", "normal"),
        ),
        *shared.SAMPLE,
        *shared.REGIONS,
        shared.DIRECT,
        *shared.TAIL,
    ),
)


def run(args: argparse.Namespace) -> int:
    """Plan a power, and print it."""
    from rropt.plan import power

    return shared.give_plan(args, power)
