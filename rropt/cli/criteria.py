"""Privacy criteria on the command line: ``--rho``, ``--beta``, ``--upper``, ``--lower``, and what is said of them."""

from __future__ import annotations

import argparse
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rropt.exact import decimal_text
from rropt.exact.display import as_text, enclosure_text, extended_text

if TYPE_CHECKING:
    from rropt.exact import Epsilon
    from rropt.privacy.criteria import Criterion
    from rropt.privacy.parity_bounds import Breach, CriterionLevel, Judgement, ParityBound

CRITERION_HELP = """\
A level is also given by a criterion on what an intruder may come to believe, through B(h),
the largest parity that it allows (`rropt bound` shows it): --rho 1/5 1/2, --beta 3, or
--upper EXPR [--lower EXPR], functions of the prior probability p. Where B(h) is no rational
number the level is a rational gamma just below it, or the lower end of its enclosure."""


def add_criterion(options: Any, parser: argparse.ArgumentParser) -> None:
    """Add a criterion; ``options`` is the parser or the group of which one option is chosen."""
    options.add_argument(
        "--rho",
        nargs=2,
        metavar=("R1", "R2"),
        help="rho1-to-rho2 privacy: no prior below R1 rises above R2, and none above R2 falls below R1",
    )
    options.add_argument("--beta", metavar="B", help="beta-factor privacy: posterior/prior between 1/B and B")
    options.add_argument(
        "--upper",
        metavar="EXPR",
        help='the largest posterior allowed at prior p: p <= EXPR <= 1, such as "min(1, 3*p)"',
    )
    parser.add_argument("--lower", metavar="EXPR", help="the least posterior allowed, beside --upper: 0 <= EXPR <= p")


def read_criterion(args: argparse.Namespace) -> Criterion | None:
    """Return the criterion of the arguments of ``add_criterion``, ``None`` when there is none."""
    from rropt.privacy.given_levels import given_criterion

    return given_criterion(rho=args.rho, beta=args.beta, upper=args.upper, lower=args.lower)


def read_criterion_level(args: argparse.Namespace) -> CriterionLevel | None:
    """Return the criterion of the arguments with B(h) and its privacy level; ``None`` without a criterion.

    Raises:
        InvalidParameterError: B(h) is infinite.
    """
    criterion = read_criterion(args)
    return None if criterion is None else _level(criterion)


@lru_cache(maxsize=8)
def _level(criterion: Criterion) -> CriterionLevel:
    """Return the level; once per criterion, since an enclosure may take seconds."""
    from rropt.privacy.parity_bounds import criterion_level

    return criterion_level(criterion)


def rounding_remark(level: CriterionLevel) -> str | None:
    """Return what is to be said on standard error: that the level is B(h) rounded down; ``None`` when it is B(h)."""
    if not level.is_rounded:
        return None
    bound = level.bound
    gamma = level.epsilon.gamma
    if bound.kind == "exact" or gamma is None:
        return f"the level is a rational gamma just below B(h) = {bound.value}: rounded towards privacy"
    enclosed = enclosure_text(bound.lower, bound.upper)
    return f"B(h) is enclosed, not exact, {enclosed}: the level is the lower end, at which privacy holds"


def criterion_record(args: argparse.Namespace, used: Epsilon | None = None) -> dict[str, Any]:
    """Return the key ``criterion`` for ``--json``; nothing when the level was given otherwise.

    Its keys: ``asked``, ``kind`` (exact or enclosed), ``parity_bound`` (exact text, or ``lower`` and ``upper``),
    ``attained``, ``at``, ``gamma``, the rational level that was used (``used``, when it is another than that of the
    criterion), ``rounded``: whether that is not B(h) itself, and ``gamma_above``: a rational >= B(h), or null.
    """
    level = read_criterion_level(args)
    if level is None:
        return {}
    record = {
        **bound_record(level.bound),
        "gamma": str((used or level.epsilon).exact_gamma()),
        "rounded": level.is_rounded,
        "gamma_above": None if level.gamma_above is None else as_text(level.gamma_above),
    }
    return {"criterion": record}


def bound_record(bound: ParityBound) -> dict[str, Any]:
    """Return a criterion and its B(h) for ``--json``."""
    ends = {"lower": extended_text(bound.lower), "upper": extended_text(bound.upper)}
    return {
        "asked": str(bound.criterion),
        "kind": bound.kind,
        "parity_bound": bound.value if bound.kind == "exact" else ends,
        "attained": bound.attained,
        "at": bound.at,
    }


def criterion_rows(args: argparse.Namespace) -> list[tuple[str, str]]:
    """Return the rows of a table for people; none when the level was given otherwise."""
    level = read_criterion_level(args)
    if level is None:
        return []
    return [("criterion", str(level.bound.criterion)), bound_row(level.bound)]


def bound_row(bound: ParityBound) -> tuple[str, str]:
    """Return B(h) for people."""
    if bound.lower is None:
        return "B(h)", "infinite: every mechanism meets it"
    if bound.kind == "enclosed":
        return "B(h), enclosed", enclosure_text(bound.lower, bound.upper)
    decimal = decimal_text(bound.lower, 12)
    return "B(h)", bound.value if bound.value == decimal else f"{bound.value} = {decimal}"


def judgement_record(judgement: Judgement) -> dict[str, Any]:
    """Return the judgement of a mechanism for ``--json``: ``meets`` and ``breach``."""
    breach = judgement.breach
    return {"meets": judgement.meets, "breach": None if breach is None else breach_record(breach)}


def judgement_rows(judgement: Judgement) -> list[tuple[str, str]]:
    """Return the judgement of a mechanism for people, with the breach if there is one."""
    answer = {True: "yes", False: "no", None: "not decided: the parity lies inside the enclosure"}[judgement.meets]
    rows = [("meets the criterion", answer)]
    return rows if judgement.breach is None else rows + breach_rows(judgement.breach)


def breach_rows(breach: Breach) -> list[tuple[str, str]]:
    """Return a breach for people: the intruder's prior, the property, the response, and what it then is."""
    sign, limit = (">", breach.limit.upper) if breach.direction == "up" else ("<", breach.limit.lower)
    return [
        ("an intruder's prior", ", ".join(str(x) for x in breach.distribution)),
        ("property Q", "X in {" + ", ".join(str(j) for j in breach.property) + "}"),
        ("at response", str(breach.response)),
        ("prior of Q", str(breach.prior)),
        ("posterior of Q", f"{breach.posterior} = {decimal_text(float(breach.posterior), 9)}"),
        ("limit", f"{sign} {decimal_text(limit, 9)}"),
    ]


def breach_record(breach: Breach) -> dict[str, Any]:
    """Return a breach for ``--json``."""
    return {
        "direction": breach.direction,
        "response": breach.response,
        "property": list(breach.property),
        "distribution": [str(x) for x in breach.distribution],
        "prior": str(breach.prior),
        "posterior": str(breach.posterior),
        "limit": breach.limit.to_json(),
    }
