"""``rropt design questions``: the best devices for several questions at once, under one privacy budget."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from rropt.cli import options
from rropt.cli.arguments import call_library, items, read_level, whole
from rropt.cli.command import Command, Option
from rropt.cli.design_results import give_design
from rropt.cli.pending import check_bound_file
from rropt.core.errors import refuse_given

COMMAND = Command(
    """\
Split a privacy budget over several yes/no questions that are randomized independently.
The levels of the questions add up to epsilon, the level of the full report of one
respondent. The objective is to minimize

  marginals  the sum over questions of weight times n Var of the estimated prevalence
  joint      n times the trace of the covariance of the estimated joint distribution

Each device is Warner's, p00 = p11 = x/(x+1), with x its parity: no device of this parity
is better at any prevalence. The design is the best of those that ask everybody all
questions. To ask each respondent one random question at the full level often needs far
fewer respondents for the marginals; the command prints this too, and --ask J makes the
design: J random questions, by randomized response on their 2^J cells. With equal weights, and
for the joint distribution, the equal split is best. Other weights are solved with a
multiplier, and the gap to the optimum is proved. Parities are rounded so that their
product is at most exp(epsilon), exactly.
With a criterion whose B(h) is irrational, "lower" and "upper" enclose the optimum at
B(h); --certificate FILE.json writes the certificate of "lower" to FILE-bound.json.

With --delta the full report is (epsilon, delta)-private, and all questions have the same
device: Warner's with the largest p. This is the inverse of rropt compose. It is proved that
no larger p serves equal devices; that no unequal devices are better is not proved.""",
    epilog="""\
examples:
  rropt design questions --number 5 --epsilon 3
  rropt design questions --number 30 --epsilon 1 --delta 1/1000000
  rropt design questions --costs 1,2,1,1,1 --prevalences 0.1,0.1,0.3,0.05,1/2 --epsilon 3 --certificate bits.json
  rropt design questions --number 5 --epsilon 3 --objective joint --json
  rropt design questions --number 10 --epsilon 1 --ask 1 --output asked.json""",
    arguments=(
        *options.REQUIRED_ONE_LEVEL,
        options.DELTA,
        Option(
            "--number",
            "N",
            help="number of questions (not needed with a list of weights or prevalences)",
            type=whole(1, 256),
        ),
        Option("--costs", "W1,..,WN", help="weights of the marginals, numbers >= 0 (default: 1 each)", type=items),
        Option(
            "--prevalences",
            "P1,..,PN",
            help=(
                "assumed Pr(yes) of each question, for n Var and for the joint distribution of independent "
                "questions (default: 1/2 each, the worst case)"
            ),
            type=items,
        ),
        Option(
            "--objective",
            help="minimize the variances of the marginals, or the loss of the joint distribution",
            choices=("marginals", "joint"),
            default="marginals",
        ),
        Option(
            "--ask",
            "J",
            help=(
                "ask each respondent J random questions only, at the full level, up to 20; joint distributions of more "
                "than J questions cannot be estimated then"
            ),
            type=whole(1, 20),
        ),
        options.FAST,
        options.CERTIFICATE,
        options.DERIVATION,
        *options.DESIGN_FILES,
        *options.REPORTS,
        Option(
            "--routes",
            "NAME,...",
            help="solve by these routes only: closed-form, multiplier (default: all)",
            type=items,
        ),
    ),
)


def run(args: argparse.Namespace) -> int:
    """Find the optimal devices of several questions, print them, and write the certificate."""
    from rropt.designs.criterion_designs import design_under_criterion

    read_level(args)
    check_bound_file(args)
    door = _door(args)
    own = {"n": args.number, "level": None}
    found = design_under_criterion(
        args.criterion,
        lambda level: call_library(door, args, **own, epsilon=args.epsilon if level is None else level),
    )
    return give_design(args, found, "Optimal devices of several questions")


def _door(args: argparse.Namespace) -> Callable[..., Any]:
    """Return the function of ``rropt.design`` for a request, and refuse the options that it does not take."""
    from rropt import design
    from rropt.core.exact import Delta
    from rropt.designs.asked_designs import require_askable

    if args.ask is not None:
        require_askable(args.delta.rational, args.objective, args.routes)
        return design.random_questions
    if args.delta == Delta.of(0):
        return design.questions
    refuse_given(args.typed, "with a delta all questions have the same device, found by one route", "costs", "routes")
    return design.equal_questions
