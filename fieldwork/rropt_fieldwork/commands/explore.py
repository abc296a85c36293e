"""``rropt explore``: one interactive page of the designs within a privacy budget."""

from __future__ import annotations

import argparse

from rropt.cli import options
from rropt.cli.arguments import call_library, whole
from rropt.cli.command import Command, OneOf, Option
from rropt.cli.pending import PageFile, give_text

COMMAND = Command(
    """\
Write a self-contained HTML page that needs no network. Its controls set epsilon, delta, the
prevalence and the number of respondents. It shows the region of the private designs with the
optimum, n Var of the classical designs, the posterior odds after a report, and the number of
respondents for a required standard error. The page computes exact fractions itself and shows
them next to the decimals. A link stores the setting. The options below are the initial
setting.""",
    epilog="""\
examples:
  rropt explore --output explorer.html
  rropt explore --epsilon "log(2)" --delta 1/4 --prevalence 1/4 --output explorer.html""",
    arguments=(
        OneOf(
            (
                Option(
                    "--epsilon",
                    "E",
                    help=("epsilon when the page opens; an irrational exp(epsilon) is rounded down to seven digits"),
                ),
                Option(
                    "--gamma",
                    "G",
                    help="the same as an odds bound: gamma = exp(epsilon), rational, at most 10^6 (default: 3)",
                ),
            )
        ),
        Option("--delta", "D", help="delta when the page opens, in [0, 1]", default="0"),
        Option(
            "--prevalence",
            "PI",
            help="prevalence of the sensitive answer when the page opens, in (0, 1)",
            default="1/10",
        ),
        Option("--n", "N", help="number of respondents when the page opens", type=whole(1, 1000000000), default="1000"),
        Option("--output", "FILE.html", help="write the page to FILE (default: standard output)", type=PageFile),
        options.JSON,
    ),
)


def run(args: argparse.Namespace) -> int:
    """Write the interactive page."""
    from rropt_fieldwork.ethics.explorer import explore

    found = call_library(explore, args)
    give_text(args, found, found.page, "page", "Explorer")
    return 0
