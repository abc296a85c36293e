"""``rropt design device``: the best use of dice, a deck, coins or a birthday, beside the certified optimum."""

from __future__ import annotations

import argparse
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.cli.arguments import CRITERION_HELP, add_json, add_level, criterion_record, read_level, whole_number
from rropt.cli.design_answers import add_output, put_mechanism
from rropt.cli.output import note, print_json, print_table, print_text
from rropt.errors import InfeasibleError, InvalidParameterError

if TYPE_CHECKING:
    from rropt.exact import Epsilon
    from rropt.mechanisms import Mechanism
    from rropt.mechanisms.physical_devices import PhysicalDevice, Randomizer

_LISTED = 60  # outcomes of one use that people are shown; --json has all

_DESCRIPTION = f"""\
The best use of a randomizer that people have at hand, for a yes-or-no question at a
privacy level and a guessed prevalence: which outcomes ask for the truth, which force yes
or no, and which ask another question (--other). All uses are tried, exactly; each device
is ranked beside the certified optimum, with an instruction and a card to print.

{CRITERION_HELP}"""

_EPILOG = """\
examples:
  rropt design device --gamma 9 --prevalence 1/10 --dice 2 --deck 52 --coins 5
  rropt design device --epsilon 1 --prevalence 1/5 --birthday --deck 20 --other 1/2
  rropt design device --gamma 9 --prevalence 1/10 --cards 5"""


def add_device(device: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    device.description, device.epilog = _DESCRIPTION, _EPILOG
    add_level(device, delta=False)
    device.add_argument("--prevalence", metavar="PI", required=True, help="guess of the prevalence in [0, 1]")
    device.add_argument("--dice", metavar="D", help="1 to 5 dice, told apart; and their sum")
    device.add_argument("--deck", metavar="N", help="a deck of N cards")
    device.add_argument("--coins", metavar="R", help="1 to 12 coin tosses, in order; and the number of heads")
    device.add_argument("--birthday", action="store_true", help="the day, 1 to 30, of somebody's birthday")
    device.add_argument(
        "--cards", metavar="L", help="cards 1 to L whose answers are added up: the best proportions, and --deck's best"
    )
    device.add_argument(
        "--other", metavar="T", help="another question of this known share of yes may be asked; equal outcomes"
    )
    add_output(device)
    add_json(device)
    device.set_defaults(run=run_device)


def run_device(args: argparse.Namespace) -> int:
    """Try all uses of each randomizer and print the best of each."""
    from rropt.certificates import check
    from rropt.exact import as_text, both_texts
    from rropt.mechanisms import Mechanism
    from rropt.mechanisms.physical_devices import best_device
    from rropt.problem import binary_problem
    from rropt.solvers import solve

    randomizers = _randomizers(args)
    epsilon, _ = read_level(args)
    devices: list[PhysicalDevice] = []
    coarse = []
    for randomizer in randomizers:
        try:
            devices.append(best_device(randomizer, epsilon, args.prevalence, other=args.other))
        except InfeasibleError as error:
            coarse.append(str(error))
    sums = _sums(args, epsilon)
    if not devices and not sums:
        raise InfeasibleError(coarse[0])
    devices.sort(key=lambda device: device.value)
    optimum = solve(binary_problem(epsilon=epsilon, prevalence=args.prevalence))
    if devices:
        put_mechanism(args, devices[0].mechanism, devices[0].randomizer.name, optimum.certificate)
    else:
        put_mechanism(args, Mechanism.from_dict(sums[-1]["mechanism"]), sums[-1]["name"], optimum.certificate)
    for remark in coarse:
        note(f"remark: {remark}")
    if args.json:
        record = {
            "devices": [{**device.to_dict(), "efficiency": as_text(optimum.lower / device.value)} for device in devices]
            + [_written(one) for one in sums],
            "optimum": {
                "value": as_text(optimum.value),
                "lower": as_text(optimum.lower),
                "upper": as_text(optimum.upper),
                "mechanism": optimum.mechanism.to_dict(),
                "certificate": optimum.certificate.to_dict(),
            },
        }
        print_json({**record, **criterion_record(args)})
        return 0
    rows = []
    for device in devices:
        uses = ", ".join(f"{mass} {role}" for role, mass in device.masses().items() if mass)
        share = f"{float(optimum.lower / device.value):.4g}"
        name = device.randomizer.name
        rows.append((name, uses, both_texts(device.value, 6), both_texts(device.mechanism.epsilon(), 6), share))
    for one in sums:
        counts = [Fraction(count) for count in (one["deck"] if "deck" in one else one["proportions"])]
        uses = ", ".join(f"{both_texts(count, 6)} x {card}" for card, count in enumerate(counts, 1) if count)
        share = f"{float(optimum.lower / one['value']):.4g}"
        rows.append((one["name"], uses, both_texts(one["value"], 6), both_texts(one["level"], 6), share))
    rows.append(("certified optimum", "", both_texts(optimum.value, 6), both_texts(epsilon, 6), "1"))
    header = ("device", "outcomes", "n Var", "epsilon", "efficiency")
    print_table(rows, title=f"Devices at prevalence {args.prevalence}", header=header)
    for best in devices[:1]:
        print_text(f"{best.randomizer.name}: {best.instruction}")
        for role, labels in best.card:
            if labels:
                few = len(labels) <= _LISTED
                told = ", ".join(labels) if few else f"{labels[0]} to {labels[-1]}, {len(labels)} in order"
                print_text(f"  {role}: {told}")
    for one in sums[-1:]:
        print_text(f"{one['name']}: {one['instruction']}")
    if sums:
        print_text(f"certificate of the best proportions {check(sums[0]['certificate'])}")
    print_text(f"certificate of the optimum {optimum.certificate.check()}")
    return 0


def _sums(args: argparse.Namespace, epsilon: Epsilon) -> list[dict[str, Any]]:
    """Return the best proportions of cards 1 to L whose answers are added up, and the best deck."""
    if args.cards is None:
        return []
    from rropt.exact import as_text
    from rropt.mechanisms import DealtDeck
    from rropt.mechanisms.physical_devices import best_cards
    from rropt.solvers.card_proportions import best_proportions

    kinds = whole_number(args.cards, "--cards", 2, 250)
    best = best_proportions(kinds, epsilon)
    found = [
        {
            **_added_up(args, best.mechanism),
            "name": f"cards 1 to {kinds}, added up: proportions",
            "proportions": [as_text(share) for share in best.proportions],
            "device_part": {"value": as_text(best.value), "lower": as_text(best.lower)},
            "certificate": best.certificate.to_dict(),
        }
    ]
    if args.deck is not None:
        cards = best_cards(whole_number(args.deck, "--deck", 2, 10_000), kinds, epsilon)
        name = f"{sum(cards)} cards 1 to {kinds}, added up"
        found.append({**_added_up(args, DealtDeck(cards).one_answer()), "name": name, "deck": list(cards)})
    return found


def _written(one: dict[str, Any]) -> dict[str, Any]:
    from rropt.exact import as_text

    rest = {key: item for key, item in one.items() if key != "level"}
    return {**rest, "value": as_text(one["value"]), "epsilon": str(one["level"])}


def _added_up(args: argparse.Namespace, mechanism: Mechanism) -> dict[str, Any]:
    from rropt.estimation import superpopulation_variance
    from rropt.mechanisms import DrawnAnswers

    return {
        "value": superpopulation_variance(DrawnAnswers(mechanism, 1, 1), args.prevalence),
        "level": mechanism.epsilon(),
        "mechanism": mechanism.to_dict(),
        "instruction": f"Draw a card in secret. With the trait tell {mechanism.outputs + 1} minus its number, without "
        "it its number. Put the card back.",
    }


def _randomizers(args: argparse.Namespace) -> list[Randomizer]:
    from rropt.mechanisms.physical_devices import birthday, coins, deck, dice

    found: list[Randomizer] = []
    if args.dice is not None:
        found += dice(whole_number(args.dice, "--dice", 1, 5))
    if args.deck is not None:
        found.append(deck(whole_number(args.deck, "--deck", 2, 10_000)))
    if args.coins is not None:
        found += coins(whole_number(args.coins, "--coins", 1, 12))
    if args.birthday:
        found.append(birthday())
    if not found and args.cards is None:
        raise InvalidParameterError(
            "there is nothing to randomize with: received no --dice, --deck, --coins, --birthday or --cards; give at "
            "least one"
        )
    return found
