"""``rropt bound``: B(h), the largest parity that a privacy criterion allows; and whether a mechanism meets it."""

from __future__ import annotations

import argparse
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.cli.arguments import Commands, add_json, read_mechanism
from rropt.cli.output import note, print_json, print_table
from rropt.errors import InvalidParameterError

if TYPE_CHECKING:
    from rropt.privacy.criteria import Criterion
    from rropt.privacy.parity_bounds import Breach, Judgement, ParityBound

__all__ = ["add"]

_DESCRIPTION = """\
B(h): a mechanism meets a privacy criterion iff its parity is at most B(h) (Chai and
Nayak 2018, Theorem 3.1). EXPR is a function of the prior probability p with
+ - * / ^, min, max, sqrt, exp, log and piecewise(value, condition, ..., otherwise).
B(h) is exact where EXPR is piecewise rational, and enclosed in rationals elsewhere.
With --mechanism: whether it meets the criterion, and if not an explicit breach."""

_EPILOG = """\
examples: no prior below 1/5 may rise above 1/2
  rropt bound --rho 1/5 1/2
  rropt bound --upper "piecewise(1/2, p < 1/5, 1)" --mechanism warner:5/6
exit status: 0, or 1 when the mechanism does not meet the criterion; 2 bad input"""


def add(commands: Commands) -> None:
    """Add the command."""
    bound = commands.add_parser(
        "bound", help="the parity that a privacy criterion allows", description=_DESCRIPTION, epilog=_EPILOG
    )
    bound.add_argument(
        "--rho", nargs=2, metavar=("R1", "R2"), help="rho1-to-rho2 privacy: no prior below R1 rises above R2"
    )
    bound.add_argument("--beta", metavar="B", help="beta-factor privacy: posterior/prior between 1/B and B")
    bound.add_argument("--upper", metavar="EXPR", help="the largest posterior allowed at prior p: p <= EXPR <= 1")
    bound.add_argument("--lower", metavar="EXPR", help="the least posterior allowed, beside --upper: 0 <= EXPR <= p")
    bound.add_argument("--mechanism", metavar="MECHANISM", help="judge this mechanism: a file or a named design")
    add_json(bound)
    bound.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print B(h), where it is reached, and the judgement of a mechanism."""
    from rropt.privacy.parity_bounds import judge, parity_bound

    criterion = _criterion(args)
    bound = parity_bound(criterion)
    if bound.kind == "enclosed":
        note("rropt: B(h) is enclosed, not exact: value is its lower end, at which privacy holds")
    judgement = None if args.mechanism is None else judge(read_mechanism(args.mechanism), criterion, bound)
    if args.json:
        print_json({**_bound_data(bound), **({} if judgement is None else _judgement_data(judgement))})
    else:
        rows = _bound_rows(bound)
        print_table(rows if judgement is None else rows + _judgement_rows(judgement), title=f"Criterion: {criterion}")
    return 1 if judgement is not None and judgement.meets is not True else 0


def _criterion(args: argparse.Namespace) -> Criterion:
    from rropt.privacy.criteria import beta_factor, canonical_information_privacy, information_privacy, rho_to_rho

    given = [name for name in ("rho", "beta", "upper") if getattr(args, name) is not None]
    if len(given) != 1:
        received = ", ".join(f"--{name}" for name in given) or "none of them"
        raise InvalidParameterError(
            f"a criterion is one of --rho R1 R2, --beta B and --upper EXPR [--lower EXPR]: received {received}"
        )
    if args.lower is not None and args.upper is None:
        raise InvalidParameterError("--lower EXPR goes with --upper EXPR: give both, with --upper 1 for no limit above")
    if args.rho is not None:
        return rho_to_rho(*args.rho)
    if args.beta is not None:
        return beta_factor(args.beta)
    if args.lower is None:
        return canonical_information_privacy(args.upper)
    return information_privacy(args.lower, args.upper)


def _bound_data(bound: ParityBound) -> dict[str, Any]:
    return {
        "criterion": str(bound.criterion),
        "kind": bound.kind,
        "value": bound.value,
        "lower": _text(bound.lower),
        "upper": _text(bound.upper),
        "attained": bound.attained,
        "at": bound.at,
        "places": [
            {"at": p.text, "side": p.side, "approach": p.approach, "attained": p.attained} for p in bound.places
        ],
    }


def _judgement_data(judgement: Judgement) -> dict[str, Any]:
    breach = judgement.breach
    return {
        "meets": judgement.meets,
        "parity": _text(judgement.parity),
        "breach": None if breach is None else _breach_data(breach),
    }


def _breach_data(breach: Breach) -> dict[str, Any]:
    low, high = (str(end) for end in breach.limit)
    return {
        "direction": breach.direction,
        "response": breach.response,
        "property": list(breach.property),
        "distribution": [str(x) for x in breach.distribution],
        "prior": str(breach.prior),
        "posterior": str(breach.posterior),
        "limit": low if low == high else {"lower": low, "upper": high},
    }


def _text(value: Fraction | None) -> str:
    from rropt.exact import as_text

    return "inf" if value is None else as_text(value)


def _bound_rows(bound: ParityBound) -> list[tuple[str, str]]:
    from rropt.exact import decimal_text

    if bound.lower is None or bound.upper is None:
        return [("B(h)", "infinite: every mechanism meets it")]
    decimal = decimal_text(bound.lower, 12)
    if bound.kind == "enclosed":
        rows = [("B(h), enclosed", f"from {decimal_text(bound.lower, 15)} to {decimal_text(bound.upper, 15)}")]
    else:
        rows = [("B(h)", bound.value if bound.value == decimal else f"{bound.value} = {decimal}")]
    how = {True: "attained", False: "approached, not attained", None: "whether attained is not decided"}
    rows.append(("infimum", how[bound.attained]))
    approach = {
        "from-below": "from below, ",
        "from-above": "from above, ",
        "near": "near, ",
        "everywhere": "and around, ",
    }
    sides = {"up": "upper", "down": "lower"}  # of the lower one p is the prior of the complement
    for place in bound.places:
        reached = {True: "attained", False: "limit", None: "not decided"}[place.attained]
        rows.append(
            (f"at p = {place.text}", f"{approach.get(place.approach, '')}{reached}, {sides[place.side]} function")
        )
    return rows


def _judgement_rows(judgement: Judgement) -> list[tuple[str, str]]:
    from rropt.exact import decimal_text

    answer = {True: "yes", False: "no", None: "not decided: the parity lies inside the enclosure"}[judgement.meets]
    rows = [
        ("parity of the mechanism", "infinite" if judgement.parity is None else _text(judgement.parity)),
        ("meets the criterion", answer),
    ]
    breach = judgement.breach
    if breach is not None:
        sign, limit = (">", breach.limit[1]) if breach.direction == "up" else ("<", breach.limit[0])
        rows += [
            ("an intruder's prior", ", ".join(str(x) for x in breach.distribution)),
            ("property Q", "X in {" + ", ".join(str(j) for j in breach.property) + "}"),
            ("at response", str(breach.response)),
            ("prior of Q", str(breach.prior)),
            ("posterior of Q", f"{breach.posterior} = {decimal_text(float(breach.posterior), 9)}"),
            ("limit", f"{sign} {decimal_text(limit, 9)}"),
        ]
    return rows
