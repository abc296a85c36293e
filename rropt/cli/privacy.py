"""``rropt privacy``: the exact privacy of a mechanism, also of somebody else's."""

from __future__ import annotations

import argparse
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.cli.arguments import Commands, add_json, add_level, add_mechanism, read_epsilon
from rropt.cli.audits import add_transposed, audit_json, audit_rows, read_audit
from rropt.cli.criteria import (
    bound_record,
    bound_row,
    judgement_record,
    judgement_rows,
    read_criterion,
    rounding_remark,
)
from rropt.cli.output import note, print_json, print_table, print_text
from rropt.cli.properties import add_properties, properties_data, properties_rows, read_request

if TYPE_CHECKING:
    from rropt.exact import Epsilon, ExactReal
    from rropt.mechanisms import Mechanism
    from rropt.mechanisms.audits import Audit
    from rropt.privacy.parity_bounds import Judgement

__all__ = ["add"]

_DESCRIPTION = """\
The exact privacy of a mechanism: parity (the largest ratio of two entries of a row),
epsilon = log(parity), and the least delta at a level. Without a level, delta is the one
at the mechanism's own epsilon: 0, or the mass that no finite epsilon covers. With a
criterion (--rho, --beta, --upper): whether the mechanism meets it, and if not an
explicit breach: an intruder's prior, a property Q, an answer, and what Q then is.
A matrix of floats whose columns miss the sum 1 by rounding errors is audited as it is:
parity and epsilon are of its entries (shortest decimals), the rest of its columns divided
by their sums; a zero beside a positive entry of the same answer has infinite epsilon."""

_EPILOG = """\
examples:
  rropt privacy warner:3/4 --epsilon "log(2)"
  rropt privacy warner:5/6 --rho 1/5 1/2
  rropt privacy grr:3,1/2 --beta 2 --properties "0;1,2"
  rropt privacy channel.npy --transposed
exit status: 0, or 1 when the mechanism is not shown to meet the criterion; 2 bad input"""


def add(commands: Commands) -> None:
    """Add the command."""
    privacy = commands.add_parser(
        "privacy", help="parity, epsilon and delta of a mechanism", description=_DESCRIPTION, epilog=_EPILOG
    )
    add_mechanism(privacy)
    add_level(privacy, required=False, delta=False)
    add_properties(privacy)
    add_transposed(privacy)
    add_json(privacy)
    privacy.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print parity, epsilon and delta, and whether the mechanism meets a criterion."""
    audit = read_audit(args.mechanism, transposed=args.transposed)
    mechanism = audit.normalised
    judgement, asked = _judgement(args, mechanism), read_request(args, mechanism)
    at = _level(args, judgement)
    delta = mechanism.profile().limit if at is None else mechanism.delta(at)
    properties = None if asked is None else properties_data(mechanism, *asked)
    if not audit.is_mechanism:
        note("rropt: the columns do not sum to exactly 1: audited as they are, then divided by their sums")
    if args.json:
        record = _record(audit, delta, at, judgement)
        print_json(record if properties is None else {**record, "properties": properties})
    else:
        print_text(str(mechanism))
        print_table(_rows(audit, at, delta, judgement), title="Privacy")
        if asked is not None:
            print_table(properties_rows(mechanism, *asked), title="Privacy of these properties")
    if asked is not None and asked[1] is not None:  # a criterion is then meant for these properties alone
        return 0 if properties is not None and properties["meets"] is True else 1
    return 1 if judgement is not None and judgement.meets is not True else 0


def _judgement(args: argparse.Namespace, mechanism: Mechanism) -> Judgement | None:
    criterion = read_criterion(args)
    if criterion is None:
        return None
    from rropt.privacy.parity_bounds import judge

    return judge(mechanism, criterion)


def _level(args: argparse.Namespace, judgement: Judgement | None) -> Epsilon | None:
    """Return the level at which delta is wanted; ``None``: the mechanism's own, or every finite one."""
    if judgement is None:
        return read_epsilon(args)
    from rropt.privacy.parity_bounds import criterion_level

    if judgement.bound.lower is None:
        return None
    level = criterion_level(judgement.bound.criterion, judgement.bound)
    remark = rounding_remark(level)
    if remark is not None:
        note(f"rropt: {remark}")
    return level.epsilon


def _record(
    audit: Audit, delta: Fraction | ExactReal, at: Epsilon | None, judgement: Judgement | None
) -> dict[str, Any]:
    mechanism = audit.normalised
    record = {
        "parity": "inf" if audit.parity is None else str(audit.parity),
        "epsilon": str(audit.epsilon),
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
        "audit": audit_json(audit),
    }
    if judgement is None:
        return record
    criterion = {**bound_record(judgement.bound), "gamma": "inf" if at is None else str(at.exact_gamma())}
    return {**record, "criterion": criterion, **judgement_record(judgement)}


def _rows(
    audit: Audit, at: Epsilon | None, delta: Fraction | ExactReal, judgement: Judgement | None
) -> list[tuple[str, str]]:
    from rropt.exact import both_texts

    mechanism, parity, epsilon = audit.normalised, audit.parity, audit.epsilon
    where = "at every larger epsilon too" if at is None else f"at epsilon = {at}"
    rows = [
        ("parity (gamma)", "infinite" if parity is None else both_texts(parity)),
        ("epsilon", "infinite" if epsilon.is_infinite else _beside(str(epsilon), float(epsilon))),
        ("delta", f"{both_texts(delta) if isinstance(delta, Fraction) else _beside(str(delta), float(delta))} {where}"),
    ]
    rows += audit_rows(audit)
    for piece in mechanism.profile().pieces:
        end = "" if piece.end is None else f" <= {piece.end}"
        line = f"{piece.intercept} - {piece.slope} gamma" if piece.slope else str(piece.intercept)
        rows.append((f"delta for {piece.start} <= gamma{end}", line))
    if judgement is not None:
        bound = judgement.bound
        rows += [("criterion", str(bound.criterion)), bound_row(bound), *judgement_rows(judgement)]
    return rows


def _beside(exact: str, value: float) -> str:
    """Return the exact text and the decimal beside it, once if they are the same."""
    from rropt.exact import telling_decimal

    decimal = telling_decimal(value, 9)
    return exact if exact == decimal else f"{exact} = {decimal}"
