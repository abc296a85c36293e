"""``rropt plan finite``: a finite population that is sampled without replacement, or a census."""

from __future__ import annotations

import argparse
from dataclasses import replace

from rropt.cli import plan_options as shared
from rropt.cli.arguments import call_library, read_standard_error, whole_number
from rropt.cli.command import Command, Flag, OneOf, Option
from rropt.cli.output import print_result
from rropt.core.errors import InvalidParameterError, shown

COMMAND = Command(
    """\
Find the smallest number of respondents of a finite population, sampled without replacement, for
a margin, a standard error or a variance. With --n, print what that number achieves. "census"
asks all people, and plans their number.""",
    epilog="""\
examples:
  rropt plan finite 10000 --mechanism warner:3/4 --prevalence 1/10 --margin 0.05
  rropt plan finite census --mechanism christofides:1/4,1/4,1/2 --prevalence 1/10 --se 1/10""",
    arguments=(
        Option("population", "N", help="the number of people, of each region if there are several; or census"),
        *shared.DEVICE,
        replace(shared.prevalence_of("assumed prevalence, in [0, 1]"), required=True),
        OneOf(
            (
                Option("--margin", "H", help="margin of error of the prevalence"),
                Option("--se", "S", help="standard error of the estimate, or sqrt(V) for a variance V"),
                shared.N,
            )
        ),
        shared.CONFIDENCE,
        Option("--interval", "KIND", help="normal, instead of the interval with guaranteed coverage"),
        Flag("--cards-without-replacement", help="for christofides: one deck is dealt to all respondents"),
        *shared.SAMPLE,
        *shared.REGIONS,
        *shared.TAIL,
    ),
)


def run(args: argparse.Namespace) -> int:
    """Plan a finite population, and print the plan."""
    from rropt.plan import finite

    word = args.population.strip()
    is_census = word == "census"
    if not is_census and word.isalpha():
        raise InvalidParameterError(
            f"N is neither a count nor census: received {shown(word)}; allowed is an integer from 2, or census"
        )
    size = args.population if is_census else whole_number(args.population, "N", 2)
    read_standard_error(args)
    shared.declare(args, has_sample=not is_census)
    found = call_library(finite, args, population=size, sample=shared.sample_of(args))
    print_result(args, found, title="Plan for a finite population")
    return 0
