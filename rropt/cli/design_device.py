"""``rropt design device``: the best use of dice, a deck, coins or a birthday, compared with the certified optimum.

Find the best use of dice, cards, coins or a birthday for a yes-or-no question, at a
privacy level and for a guess of the prevalence: which outcomes ask for the truth, which
force yes or no, and which ask another question (--other). All uses are tried in exact
arithmetic. The table ranks the devices, compares them with the certified optimum, and
prints the instruction.

examples:
  rropt design device --gamma 9 --prevalence 1/10 --dice 2 --deck-size 52 --coins 5
  rropt design device --epsilon 1 --prevalence 1/5 --birthday --deck-size 20 --other 1/2
  rropt design device --gamma 9 --prevalence 1/10 --cards 5
"""

from __future__ import annotations

import argparse

from rropt.cli.arguments import call_library, read_level, whole
from rropt.cli.design_results import output, put_mechanism, put_report, report
from rropt.cli.options import Parser, level
from rropt.cli.output import print_result


def arguments(parser: Parser) -> None:
    """Add the arguments.

    --prevalence: assumed prevalence in [0, 1]
    --dice: use 1 to 5 distinguishable dice, or their sum
    --deck-size: use a deck of N cards
    --coins: use 1 to 12 coin tosses in order, or the number of heads
    --birthday: use the day of the month, 1 to 30, of a birthday
    --cards: use cards 1 to L whose responses are added up: print the best proportions, and the best deck of size
        --deck-size
    --other: allow an unrelated question with this known proportion of yes
    """
    level(parser, required=True)
    parser.add_argument("--prevalence", metavar="PI", required=True)
    parser.add_argument("--dice", metavar="D", type=whole(1, 5))
    parser.add_argument("--deck-size", metavar="N", type=whole(2, 10000))
    parser.add_argument("--coins", metavar="R", type=whole(1, 12))
    parser.add_argument("--birthday", action="store_true")
    parser.add_argument("--cards", metavar="L", type=whole(2, 250))
    parser.add_argument("--other", metavar="T")
    output(parser)
    report(parser)


def run(args: argparse.Namespace) -> int:
    """Find the best use of each randomizing device, and print these designs."""
    from rropt.survey.comparisons.device_designs import design_devices

    read_level(args)
    found = call_library(design_devices, args)
    problem = found.optimum.certificate.to_dict()["problem"]
    put_mechanism(args, found.best.mechanism, found.name, problem)
    if args.report is not None:
        put_report(args, found)
    print_result(args, found)
    return 0
