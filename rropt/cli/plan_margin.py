"""``rropt plan margin``: how many respondents a margin of error needs, and the margins of a number of them."""

from __future__ import annotations

import argparse

from rropt.cli import plan_options as shared
from rropt.cli.command import Command, Option

COMMAND = Command(
    """\
Find the smallest number of respondents for a margin of error: the half-width of the interval,
before it is cut to [0, 1], at the expected responses for the prevalence; without --prevalence,
at the worst prevalence. With --n instead of a margin, print what that number achieves. Give a
mechanism, or a privacy level: then the certified optimal design at the guessed prevalence is
used. For several questions the least precise cell counts, at the worst distribution unless
--proportions are given.""",
    epilog="""\
examples:
  rropt plan margin 0.05 --mechanism forced:2/3,1/6,1/6 --prevalence 1/4
  rropt plan margin 0.05 --level posterior:1/5,1/2 --prevalence 1/10
  rropt plan margin 0.05 --mechanism grr:3,1/2 --contrast 1,-1,0 --proportions 1/2,1/4,1/4
  rropt plan margin 0.05 --mechanism warner:3/4 --cluster-size 20 --icc 0.05
  rropt plan margin --n 1000 --mechanism forced:2/3,1/6,1/6 --prevalence 1/4""",
    arguments=(
        Option("margin", "H", help="margin of error of the prevalence, for example 0.03", nargs="?"),
        shared.N,
        *shared.DEVICE_OR_LEVEL,
        shared.prevalence_of("assumed prevalence, in [0, 1]"),
        shared.PROPORTIONS,
        shared.CONTRAST,
        shared.ONLY,
        shared.MARGINALS,
        shared.CONFIDENCE,
        Option(
            "--interval",
            "KIND",
            help=(
                "normal, wilson, chebyshev or exact (default: exact). Chebyshev and exact intervals have guaranteed "
                "coverage. For several questions: normal or hoeffding (default: hoeffding, which has guaranteed "
                "coverage), simultaneous for all cells"
            ),
        ),
        *shared.SAMPLE,
        *shared.REGIONS,
        shared.DIRECT,
        *shared.TAIL,
    ),
)


def run(args: argparse.Namespace) -> int:
    """Plan a margin, and print it."""
    from rropt.plan import margin

    return shared.give_plan(args, margin)
