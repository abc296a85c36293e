"""``rropt plan strata``: the best allocation of respondents to strata, or the smallest sample for a goal."""

from __future__ import annotations

import argparse
from dataclasses import replace

from rropt.cli import options
from rropt.cli import plan_options as shared
from rropt.cli.arguments import call_library, items, read_standard_error, whole
from rropt.cli.command import Command, Flag, OneOf, Option
from rropt.cli.output import print_result
from rropt.cli.pending import put_derivation

COMMAND = Command(
    """\
Find the best allocation of --n respondents to strata, or the smallest sample for a margin, a
standard error or a variance of the prevalence of the population. The allocation is the best one
of whole numbers.""",
    epilog="""\
examples:
  rropt plan strata 0.9:0.1,0.1:0.5 --mechanism warner:3/4 --n 1000
  rropt plan strata 0.9:0.1,0.1:0.5 --mechanism warner:3/4 --margin 0.06 --population 5000""",
    arguments=(
        Option(
            "strata",
            "W:P,..",
            help="for each stratum its proportion W of the population and its assumed prevalence P",
            type=items,
        ),
        *shared.DEVICE,
        OneOf(
            (
                replace(shared.N, help="number of respondents of all strata together"),
                Option("--margin", "H", help="margin of error of the prevalence of the population"),
                Option("--se", "S", help="standard error of the estimate, or sqrt(V) for a variance V"),
            )
        ),
        shared.CONFIDENCE,
        Option(
            "--population",
            "N",
            help="the people of all strata, if they are sampled without replacement",
            type=whole(2),
        ),
        *shared.SAMPLE,
        Flag("--fast", help="do not compare the allocation with the same problem in SymPy and CVXPY"),
        replace(options.DERIVATION, help="write the proof of the allocation as half a page to FILE.md or FILE.tex"),
        *shared.TAIL,
    ),
)


def run(args: argparse.Namespace) -> int:
    """Plan strata, and print the allocation."""
    from rropt.plan import strata

    read_standard_error(args)
    shared.declare(args)
    found = call_library(strata, args, sample=shared.sample_of(args))
    put_derivation(args, found)
    print_result(args, found, title="Plan of strata")
    return 0
