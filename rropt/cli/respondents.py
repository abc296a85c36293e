"""``rropt privacy --respondents N``: what the answers of all respondents tell about one of them, by what is seen."""

from __future__ import annotations

import argparse

from rropt.cli.arguments import read_criterion, read_epsilon, read_mechanism, whole_number
from rropt.cli.output import print_result
from rropt.errors import InvalidParameterError
from rropt.exact.written import listed

# Options of many answers, beside those of ``rropt privacy``.
RESPONDENTS = """
--respondents N           the privacy of one of N respondents, who may or may not have a trait
--dealt                   christofides: a deck of N cards is dealt, and no card is put back
--view one|all|counts|sum  what is seen of the answers (default: each in turn)
--others T                who sees it knows that T of the other respondents have the trait
| --belief Q,..           who sees it believes that each of the others has the trait with chance Q, independently; or
    several Q
"""


def print_views(args: argparse.Namespace) -> int:
    """Print what each view of the answers of N respondents tells about one of them; return the exit status."""
    from rropt.exact import Delta
    from rropt.mechanisms.drawn import MAX_RESPONDENTS
    from rropt.mechanisms.respondents import respondent_privacy

    if args.transposed or args.profile or args.properties is not None:
        raise InvalidParameterError(
            "--respondents takes no --transposed, --profile or --properties: received one of them; leave it out"
        )
    n, mechanism = whole_number(args.respondents, "--respondents", 1, MAX_RESPONDENTS), read_mechanism(args.mechanism)
    epsilon = read_epsilon(args)
    if Delta.of(args.delta) != Delta.of(0) and (epsilon is None or read_criterion(args) is not None):
        raise InvalidParameterError("--delta stands beside --epsilon or --gamma: received it alone; leave it out")
    found = respondent_privacy(
        mechanism,
        n,
        first=int((mechanism.name or "").startswith("christofides")),
        dealt=args.dealt,
        view=args.view,
        others=None if args.others is None else whole_number(args.others, "--others", 0, max(n - 1, 0)),
        belief=[] if args.belief is None else listed(args.belief),
        epsilon=epsilon,
        delta=args.delta,
    )
    print_result(found, title=f"Privacy of one of {n} respondents", json=args.json)
    return 0 if found.meets in (None, True) else 1
