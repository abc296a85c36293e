"""``rropt deal``: shuffle a deck of cards exactly, one for each respondent, and print it.

Deal a deck of cards 1 to L, one card to each respondent (Christofides' device, sampled
without replacement). The operating system's randomness makes all deals exactly equally
likely. --output writes the card of each respondent to a file that only you can read;
--print makes a page to cut out, with an instruction of at most 25 words. Count the
responses and estimate with
`rropt estimate --counts .. --mechanism christofides:.. --cards-without-replacement --population N`.

examples:
  rropt deal --deck 8,8,16 --output cards.csv --print cards.html
  rropt deal --mechanism christofides:1/4,1/4,1/2 --respondents 32 --output cards.csv
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from rropt.cli.output import print_json, print_note
from rropt.core.errors import InvalidParameterError

if TYPE_CHECKING:
    from rropt.survey import DealtDeck

OPTIONS = """
--deck C1,..,CL:0..1000000000 required  numbers of cards 1, 2, .., L; there is one card for each respondent
| --mechanism
--respondents N:1..1000000000 with --mechanism  number of cards
--names FILE              file with the names of the respondents, one per line
--question TEXT           question for the printed cards
--output >!FILE           write respondent,card to FILE (default: standard output)
--print >!FILE.html       write an HTML page of cards to print and cut
--json
"""


def run(args: argparse.Namespace) -> int:
    """Shuffle the deck, and print or write the cards in the order in which they are dealt."""
    from rropt.core.files import read_text
    from rropt.reports.card_sheets import deal_cards

    names = None if args.names is None else read_text(args.names, what="names").splitlines()
    dealt = deal_cards(_deck(args), names and [name.strip() for name in names if name.strip()])
    printed = vars(args)["print"]
    if args.output is not None:
        args.pending.put(args.output, dealt.to_csv(), "the cards")
    if printed is not None:
        args.pending.put(printed, dealt.page(args.question or ""), "the page")
    if args.json:
        print_json({"result": "DealtCards"} | dealt.to_dict() | ({} if args.output is None else {"cards": args.output}))
    elif args.output is None and printed is None:
        sys.stdout.write(dealt.to_csv())
    for remark in dealt.remarks():
        print_note(f"rropt: {remark}")
    return 0


def _deck(args: argparse.Namespace) -> DealtDeck:
    from rropt.survey import DealtDeck

    if args.deck is not None:
        return DealtDeck(args.deck)
    if args.respondents is None:
        raise InvalidParameterError("--mechanism gives proportions only: received no --respondents; give their number")
    return DealtDeck.of(args.mechanism, args.respondents)
