"""``rropt device``: the best use of dice, a deck, coins or a birthday, compared with the certified optimum."""

from __future__ import annotations

import argparse

from rropt.cli import options
from rropt.cli.arguments import call_library, read_level, whole_number
from rropt.cli.command import Command, Option
from rropt.cli.design_results import put_mechanism, put_report
from rropt.cli.output import print_result
from rropt.core.errors import InvalidParameterError, shown

COMMAND = Command(
    """\
Find the best use of dice, cards, coins or a birthday for a yes-or-no question, at a
privacy level and for a guess of the prevalence: which outcomes ask for the truth (or for
its opposite), which force yes or no, and which ask another question (--other). All uses are
tried in exact arithmetic. The table ranks the devices, compares them with the certified
optimum, and prints the instruction. All uses are tried, so that no derivation is written;
`rropt design binary --derivation` writes the proof of the optimum.""",
    epilog="""\
examples:
  rropt device --gamma 9 --prevalence 1/10 --for dice:2 deck:52 coins:5
  rropt device --epsilon 1 --prevalence 1/5 --for birthday deck:20 --other 1/2
  rropt device --gamma 9 --prevalence 1/10 --for cards:5""",
    arguments=(
        *options.REQUIRED_PURE_LEVEL,
        Option("--prevalence", "PI", help="assumed prevalence in [0, 1]", required=True),
        Option(
            "--for",
            "DEVICE",
            help=(
                "the devices: dice:D, 1 to 5 distinguishable dice, or their sum; deck:N, a deck of N cards; "
                "coins:R, 1 to 12 tosses in order, or the number of heads; birthday, the day of the month, 1 to "
                "30; cards:L, cards 1 to L whose responses are added up: print the best proportions, and with "
                "deck:N the best deck of this size"
            ),
            nargs="+",
            required=True,
        ),
        Option("--other", "T", help="allow an unrelated question with this known proportion of yes"),
        *options.DESIGN_FILES,
        *options.REPORTS,
    ),
)


_SIZES = {"dice": (1, 5), "deck": (2, 10000), "coins": (1, 12), "cards": (2, 250)}


def run(args: argparse.Namespace) -> int:
    """Find the best use of each randomizing device, and print these designs."""
    from rropt_fieldwork.devices.device_designs import design_devices
    from rropt_fieldwork.devices.device_pages import described

    read_level(args)
    found = call_library(design_devices, args, **_devices(vars(args)["for"]))
    problem = found.optimum.certificate.to_dict()["problem"]
    put_mechanism(args, found.best.mechanism, found.name, problem)
    if args.report is not None:
        put_report(args, described(found))
    print_result(args, found)
    return 0


def _devices(texts: list[str]) -> dict[str, int | bool]:
    """Return the devices by name, each with its size."""
    found: dict[str, int | bool] = {}
    for text in texts:
        name, _, size = text.partition(":")
        if name in found or not (text == "birthday" or (name in _SIZES and size)):
            what = f"names {name} twice" if name in found else "takes devices with their sizes"
            raise InvalidParameterError(
                f"--for {what}: received {shown(' '.join(texts))}; allowed are dice:D, deck:N, coins:R, cards:L and "
                "birthday, each once, for example deck:52"
            )
        found[name] = text == "birthday" or whole_number(size, f"--for {name}", *_SIZES[name])
    return found
