"""``rropt design mean``: the best unbiased reports of a number, for the estimate of a mean."""

from __future__ import annotations

import argparse

from rropt.cli import options
from rropt.cli.arguments import call_library, items, read_level, whole
from rropt.cli.command import Command, Option
from rropt.cli.design_results import give_design
from rropt.cli.output import progress_bar
from rropt.cli.pending import check_bound_file
from rropt.core.errors import refuse_given

COMMAND = Command(
    """\
Find the best mechanism for a number: a Likert score, a count, the midpoint of an income
class, or any number in a range. The respondent reports a number z whose mean is the true
number. The mean of the reports estimates the mean, without bias, and every report adds a
variance V to it.

Without proportions the design minimizes the largest V, which holds whatever the numbers
of the respondents are. With --proportions it minimizes the mean of V at these.

With --values L..H all numbers between L and H are allowed. The design is that of a grid of
numbers, to which the respondent rounds at random without bias. "lower" holds for every
mechanism of the range, and "upper" for this one.

Beside V the command prints that of the mechanism of Duchi, Jordan and Wainwright, and of
threshold cards ("is your number above the card?", answered by Warner's device).""",
    epilog="""\
examples:
  rropt design mean --values 1,2,3,4,5 --epsilon 1 --output score.json --certificate proof.json
  rropt design mean --values 1,2,3,4,5 --proportions 1/10,2/10,4/10,2/10,1/10 --epsilon 1
  rropt design mean --values 0..100 --epsilon 1 --margin 2
  rropt design mean --values=-1..1 --points 33 --epsilon 2""",
    arguments=(
        Option(
            "--values",
            "X1,..,XK|L..H",
            help=(
                "the numbers that a respondent can have, 2 to 101 different ones; or the least and the largest number, "
                "and all numbers between them are allowed"
            ),
            type=items,
            required=True,
        ),
        *options.REQUIRED_PURE_LEVEL,
        Option(
            "--proportions",
            "P1,..,PK",
            help="proportions of the numbers: minimize the mean added variance at these (default: the largest)",
            type=items,
            goes_with="--values",
        ),
        Option(
            "--points",
            "K",
            help=(
                "for L..H: number of points of the grid, at most 101, which take about a minute (default: 9, 17, 33 or "
                "65, so that the bracket is at most 1 % wide if possible)"
            ),
            type=whole(2, 101),
            goes_with="--values",
        ),
        Option(
            "--margin",
            "M",
            help="margin of error of the mean, for which the number of respondents is printed (default: range/20)",
        ),
        options.ROUTES,
        options.FAST,
        options.CERTIFICATE,
        options.DERIVATION,
        *options.DESIGN_FILES,
        *options.REPORTS,
    ),
)


def run(args: argparse.Namespace) -> int:
    """Find the best reports of a number, print them, and write the certificate."""
    from rropt.design import mean
    from rropt.designs.criterion_designs import design_under_criterion

    if len(args.values) == 1 and ".." in args.values[0]:
        (args.values,) = args.values
        args.spelled["range"] = "--values"
    else:
        refuse_given(args.typed, "points belong to a range, --values L..H", "points")
    read_level(args)
    check_bound_file(args)
    with progress_bar("solving for all numbers"):
        found = design_under_criterion(
            args.criterion,
            lambda level: call_library(mean, args, epsilon=args.epsilon if level is None else level, level=None),
        )
    return give_design(args, found, "Optimal reports of a number")
