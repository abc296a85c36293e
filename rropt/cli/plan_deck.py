"""``rropt plan deck``: the smallest deck of cards that a census deals to all respondents."""

from __future__ import annotations

import argparse
from dataclasses import replace

from rropt.cli import options
from rropt.cli import plan_options as shared
from rropt.cli.arguments import call_library, read_level, read_standard_error
from rropt.cli.command import Command, Option
from rropt.cli.output import print_result

COMMAND = Command(
    """\
Find the smallest deck of cards 1, 2, 3 (Christofides) that is dealt to all people of a census, one
card for each, at a privacy level and for a standard error.""",
    epilog="""\
example:
  rropt plan deck 1/100 --epsilon 1/20 --se "sqrt(1/10)" --prevalence 1/10""",
    arguments=(
        Option("middle", "P2", help="proportion of cards 2"),
        *options.REQUIRED_PURE_LEVEL,
        replace(options.PREVALENCE, required=True),
        Option("--se", "S", help="standard error of the estimate, or sqrt(V) for a variance V", required=True),
        *shared.TAIL,
    ),
)


def run(args: argparse.Namespace) -> int:
    """Find the smallest deck, and print it."""
    from rropt.plan import deck

    read_level(args)
    read_standard_error(args)
    print_result(args, call_library(deck, args), title="Plan for a finite population")
    return 0
