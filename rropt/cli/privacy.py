"""``rropt privacy``: the exact privacy of a mechanism, also of somebody else's."""

from __future__ import annotations

import argparse
from fractions import Fraction
from typing import TYPE_CHECKING

from rropt.cli.arguments import Commands, add_json, add_mechanism, read_mechanism
from rropt.cli.output import print_json, print_table, print_text

if TYPE_CHECKING:
    from rropt.exact import ExactReal
    from rropt.mechanisms import Mechanism

__all__ = ["add"]

_DESCRIPTION = """\
The exact privacy of a mechanism: parity (the largest ratio of two entries of a row),
epsilon = log(parity), and the least delta at --epsilon. Without --epsilon, delta is
the one at the mechanism's own epsilon: 0, or the mass that no finite epsilon covers."""


def add(commands: Commands) -> None:
    """Add the command."""
    privacy = commands.add_parser("privacy", help="parity, epsilon and delta of a mechanism", description=_DESCRIPTION)
    add_mechanism(privacy)
    privacy.add_argument("--epsilon", metavar="E", help='level at which delta is wanted, e.g. 1/2 or "log(3)"')
    add_json(privacy)
    privacy.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print parity, epsilon and delta."""
    mechanism = read_mechanism(args.mechanism)
    parity, epsilon = mechanism.parity(), mechanism.epsilon()
    at = epsilon if args.epsilon is None else args.epsilon
    delta = mechanism.profile().limit if args.epsilon is None else mechanism.delta(at)
    if args.json:
        print_json(
            {
                "parity": "inf" if parity is None else str(parity),
                "epsilon": str(epsilon),
                "delta": str(delta),
                "profile": [
                    {
                        "gamma_from": str(piece.start),
                        "gamma_to": "inf" if piece.end is None else str(piece.end),
                        "intercept": str(piece.intercept),
                        "slope": str(-piece.slope),
                    }
                    for piece in mechanism.profile().pieces
                ],
            }
        )
        return 0
    print_text(str(mechanism))
    print_table(_rows(mechanism, args.epsilon, delta), title="Privacy")
    return 0


def _rows(mechanism: Mechanism, level: str | None, delta: Fraction | ExactReal) -> list[tuple[str, str]]:
    from rropt.exact import both_texts

    parity, epsilon = mechanism.parity(), mechanism.epsilon()
    where = "at every larger epsilon too" if level is None else f"at epsilon = {level}"
    rows = [
        ("parity (gamma)", "infinite" if parity is None else both_texts(parity)),
        ("epsilon", "infinite" if epsilon.is_infinite else _beside(str(epsilon), float(epsilon))),
        ("delta", f"{both_texts(delta) if isinstance(delta, Fraction) else _beside(str(delta), float(delta))} {where}"),
    ]
    for piece in mechanism.profile().pieces:
        end = "" if piece.end is None else f" <= {piece.end}"
        line = f"{piece.intercept} - {piece.slope} gamma" if piece.slope else str(piece.intercept)
        rows.append((f"delta for {piece.start} <= gamma{end}", line))
    return rows


def _beside(exact: str, value: float) -> str:
    """Return the exact text and the decimal beside it, once if they are the same."""
    from rropt.exact import decimal_text

    decimal = decimal_text(value, 9)
    return exact if exact == decimal else f"{exact} = {decimal}"
