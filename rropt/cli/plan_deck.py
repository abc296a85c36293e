"""``rropt plan deck``: the smallest deck of cards that a census deals to all respondents."""

from __future__ import annotations

import argparse
from dataclasses import replace

from rropt.cli import options
from rropt.cli import plan_options as shared
from rropt.cli.arguments import call_library, read_level
from rropt.cli.command import Command, OneOf, Option
from rropt.cli.output import print_result

COMMAND = Command(
    """\
Find the smallest deck of cards 1, 2, 3 (Christofides) that is dealt to all people of a census, one
card for each, at a privacy level and for a standard error or a variance.""",
    epilog="""\
example:
  rropt plan deck --epsilon 1/20 --middle 1/100 --prevalence 1/10 --variance 1/10""",
    arguments=(
        *options.REQUIRED_PURE_LEVEL,
        Option("--middle", "P2", help="proportion of cards 2", required=True),
        replace(options.PREVALENCE, required=True),
        OneOf(
            (
                Option("--se", "S", help="standard error of the estimate"),
                Option("--variance", "V", help="variance of the estimate"),
            ),
            required=True,
        ),
        *shared.TAIL,
    ),
)


def run(args: argparse.Namespace) -> int:
    """Find the smallest deck, and print it."""
    from rropt.plan import deck

    read_level(args)
    print_result(args, call_library(deck, args), title="Plan for a finite population")
    return 0
