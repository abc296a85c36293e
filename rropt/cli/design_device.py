"""``rropt design device``: the best use of dice, a deck, coins or a birthday, beside the certified optimum.

The best use of a randomizer that people have at hand, for a yes-or-no question at a
privacy level and a guessed prevalence: which outcomes ask for the truth, which force yes
or no, and which ask another question (--other). All uses are tried, exactly; each device
is ranked beside the certified optimum, with an instruction and a card to print.

examples:
  rropt design device --gamma 9 --prevalence 1/10 --dice 2 --deck 52 --coins 5
  rropt design device --epsilon 1 --prevalence 1/5 --birthday --deck 20 --other 1/2
  rropt design device --gamma 9 --prevalence 1/10 --cards 5
"""

from __future__ import annotations

import argparse

from rropt.cli.arguments import read_criterion_level, read_level, whole_number
from rropt.cli.design_answers import OUTPUT, REPORT, expect_bound, put_mechanism, put_report
from rropt.cli.options import declare
from rropt.cli.output import print_result, print_table

_OPTIONS = f"""
LEVEL required
--prevalence PI required  guess of the prevalence in [0, 1]
--dice D                  1 to 5 dice, told apart; and their sum
--deck N                  a deck of N cards
--coins R                 1 to 12 coin tosses, in order; and the number of heads
--birthday                the day, 1 to 30, of somebody's birthday
--cards L                 cards 1 to L whose answers are added up: the best proportions, and --deck's best
--other T                 another question of this known share of yes may be asked; equal outcomes
{OUTPUT}
{REPORT}
"""
_RANGES = {"dice": (1, 5), "deck": (2, 10_000), "coins": (1, 12), "cards": (2, 250)}


def add(device: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    declare(device, __doc__, _OPTIONS, run=run)


def run(args: argparse.Namespace) -> int:
    """Try all uses of each randomizer and print the best of each."""
    from rropt.mechanisms.physical_devices import PhysicalDevice
    from rropt.solvers.device_designs import design_devices

    expect_bound(args, None)
    given = {name: getattr(args, name) for name in _RANGES if getattr(args, name) is not None}
    at_hand = {name: whole_number(text, f"--{name}", *_RANGES[name]) for name, text in given.items()}
    epsilon, _ = read_level(args)
    found = design_devices(epsilon, args.prevalence, birthday=args.birthday, other=args.other, **at_hand)
    best = found.best
    name = best.randomizer.name if isinstance(best, PhysicalDevice) else best.name
    put_mechanism(args, best.mechanism, name, found.optimum.certificate)
    if args.report is not None:
        put_report(args, found, [], None)
    if not args.json:
        header, *rows = found.rows()
        print_table(rows, title=f"Devices at prevalence {args.prevalence}", header=header)
    print_result(found, title="The best of them", json=args.json, criterion=read_criterion_level(args))
    return 0
