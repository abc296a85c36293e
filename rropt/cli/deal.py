"""``rropt deal``: shuffle a deck of cards exactly, one for each respondent, and print it.

Deal a deck of cards 1 to L, one to each respondent (Christofides' device, dealt): every
deal is equally likely, exactly, by the operating system's randomness. --output has the card
of each respondent, for the owner's eyes only; --print makes a page to cut out, with an
instruction of at most 25 words. The answers are counted and estimated with
`rropt estimate --counts .. --mechanism christofides:.. --dealt --population N`.

examples:
  rropt deal --deck 8,8,16 --output cards.csv --print cards.html
  rropt deal --mechanism christofides:1/4,1/4,1/2 --respondents 32 --output cards.csv
"""

from __future__ import annotations

import argparse
import csv
import io
import sys
from typing import TYPE_CHECKING

from rropt.cli.arguments import read_mechanism, whole_number
from rropt.cli.options import declare
from rropt.cli.output import note, print_json
from rropt.errors import FileFormatError, InvalidParameterError

if TYPE_CHECKING:
    from rropt.mechanisms import DealtDeck

_MOST_PRINTED = 10_000  # cards on a page
_LONGEST_NAME = 200

_OPTIONS = """
--deck C1,..,CL required  how many cards there are of 1, 2, .., L: one per respondent
| --mechanism
--respondents N           with --mechanism: how many cards
--names FILE              the respondents, one per line
--question TEXT           the question, for the printed cards
--output >!FILE           write respondent,card (default: print)
--print >!FILE            write a page to print and cut (HTML)
--json
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    declare(parser, __doc__, _OPTIONS, run=run)


def run(args: argparse.Namespace) -> int:
    """Shuffle, and hand the cards over."""
    from rropt.report.dealt_cards import deck_instruction, deck_page
    from rropt.sampling import deal

    deck = _deck(args)
    n, kinds, printed = deck.respondents, len(deck.deck), vars(args)["print"]
    names = None if args.names is None else _names(args.names, n)
    if printed is not None and n > _MOST_PRINTED:
        raise InvalidParameterError(
            f"the cards are too many for a page: received {n}; allowed are {_MOST_PRINTED}; print --output's file"
        )
    deck.slope()  # a deck that tells nothing is not dealt
    told = [deck.view(name).epsilon() for name in ("one", "all")]
    cards = deal(deck)
    if args.output is not None:
        args.pending.put(args.output, _csv(cards, names), "the cards")
    if printed is not None:
        args.pending.put(printed, deck_page(cards, kinds, names=names, question=args.question or ""), "the page")
    if args.json:
        where = list(cards) if args.output is None else args.output
        record = {"n": n, "deck": list(deck.deck), "cards": where, "instruction": deck_instruction(kinds)}
        print_json({**record, "epsilon": dict(zip(("one", "all"), map(str, told), strict=True))})
    elif args.output is None and printed is None:
        sys.stdout.write(_csv(cards, names))
    note(f"rropt: {deck_instruction(kinds)}")
    note(f"rropt: epsilon = {told[0]} for who sees one answer alone, {told[1]} for who sees them all")
    note("rropt: who knows the cards knows what the answers mean: hand them out and keep no copy")
    return 0


def _deck(args: argparse.Namespace) -> DealtDeck:
    from rropt.mechanisms import DealtDeck

    if args.deck is not None:
        if args.respondents is not None:
            raise InvalidParameterError(
                "--deck says how many cards there are: received --respondents too; leave it out"
            )
        return DealtDeck([whole_number(text, "--deck", 0, 10**9) for text in args.deck.split(",")])
    if args.respondents is None:
        raise InvalidParameterError("--mechanism says proportions only: received no --respondents; give their number")
    return DealtDeck.of(read_mechanism(args.mechanism), whole_number(args.respondents, "--respondents", 1, 10**9))


def _names(path: str, n: int) -> list[str]:
    from rropt.files import read_text

    names = [line.strip() for line in read_text(path, what="names").splitlines() if line.strip()]
    fits = len(names) == n == len(set(names))
    if not fits or not all(name.isprintable() and len(name) <= _LONGEST_NAME for name in names):
        raise FileFormatError(
            f"--names does not name the respondents: received {len(names)} lines, {len(set(names))} different; allowed "
            f"are {n} different names of at most {_LONGEST_NAME} printable characters, one for each card"
        )
    return names


def _csv(cards: tuple[int, ...], names: list[str] | None) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["respondent", "card"])
    writer.writerows(zip(names or range(1, len(cards) + 1), cards, strict=True))
    return stream.getvalue()
