"""``rropt plan minimax``: the minimax risk over all mechanisms at a level and all estimators."""

from __future__ import annotations

import argparse

from rropt.cli import options
from rropt.cli import plan_options as shared
from rropt.cli.arguments import call_library, read_level, respondents
from rropt.cli.command import Command, Option
from rropt.cli.output import print_note, print_result

COMMAND = Command(
    """\
Print the minimax risk: the smallest worst-case mean squared error of a prevalence from N
responses, over all mechanisms at a level (including adaptive ones) and all estimators
(including biased ones); the worst case is over all prevalences. The command prints a bracket
that is computed exactly, an estimator that attains it from randomized response (with --delta
from the four-output mechanism: certainly no, no, yes, certainly yes), and the ratio for the
best unbiased estimator. --json has the estimator. Without --delta the estimate from y
responses "yes" is the exact number estimator[0][y]. With --delta it is
estimator[a (a + 1)/2 + c][y], where a counts the certain responses, c those of them that are
"yes", and y the uncertain "yes". Without randomization the value is 1/(4 (1 + sqrt n)^2)
(Hodges and Lehmann 1950).""",
    epilog="""\
examples:
  rropt plan minimax 20 --epsilon "log(5)"
  rropt plan minimax 15 --epsilon 1 --delta 1/100""",
    arguments=(
        Option("n", "N", help="number of respondents, up to 300; with --delta up to 40", type=respondents),
        *options.REQUIRED_ONE_LEVEL,
        options.DELTA,
        *shared.TAIL,
    ),
)

# respondents from which the search of the minimax risk takes seconds and reports progress; with delta, a quarter of it
_LONG = 100


def run(args: argparse.Namespace) -> int:
    """Find the minimax risk, and print it."""
    from rropt.plan import minimax

    read_level(args)
    is_long = args.n >= (_LONG // 4 if args.delta.rational != 0 else _LONG)
    progress = (lambda text: print_note(f"rropt: {text}")) if is_long else None
    print_result(args, call_library(minimax, args, level=None, progress=progress), title="The minimax risk")
    return 0
