"""The answer of ``rropt design`` for every level at once: pieces, the certificate, a picture, a report."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from decimal import ROUND_CEILING
from fractions import Fraction
from math import log
from typing import TYPE_CHECKING, Any

from rropt.cli.output import named_record, print_json, print_text
from rropt.cli.pending import put_certificates, put_derivation, put_plot
from rropt.core.errors import InvalidParameterError

if TYPE_CHECKING:
    from rropt.designs.problem import Problem


def refuse_beside_span(args: argparse.Namespace, *names: str) -> None:
    """Raise if an option is given that belongs to a single level."""
    for name in (*names, "for", "category_names", "question"):
        if getattr(args, name, None) is not None:
            raise InvalidParameterError(
                f"{args.spelled[name]} does not belong to every level at once: leave it out, or give one level"
            )


def give_every_level(args: argparse.Namespace, make: Callable[[], Problem], value: str | None) -> int:
    """Print the optimum for every level of an interval; exit status 1 if no level reaches the value of --at-most."""
    from rropt.core.exact import rational
    from rropt.design import every_level

    if value is not None:
        rational(value, name="--at-most")
    found: Any = every_level(make(), routes=args.routes or "auto", fast=args.fast)
    put_certificates(args, found)
    put_derivation(args, found)
    put_plot(args, lambda: found, size="wide")
    asked: dict[str, Any] = {}
    reached = None if value is None else found.level_for(value)
    if value is not None:
        asked = {"at_most": {"value": value, "gamma": None if reached is None else _text(reached)}}
    record = named_record(found, {**found.to_dict(), **asked})
    if args.output is not None:
        args.pending.put(args.output, json.dumps(record, indent=1) + "\n", "pieces")
    if args.report is not None:
        args.pending.put(args.report, lambda: _report(args.report, found), "report")
    if args.json:
        print_json(record)
    else:
        print_text(found.summary())
        if value is not None:
            print_text(_reached_text(value, reached))
    return 0 if value is None or reached is not None else 1


def _report(path: str, found: Any) -> str:
    from rropt.cli.installed_readers import table_reader

    return str(table_reader().report(found, "Optimal design for every level").text_of(path))


def _text(gamma: Any) -> str:
    """Return a level as exact text; of bounds the upper one, rounded up to 12 digits."""
    from rropt.core.exact import as_text
    from rropt.core.exact.display import rounded_decimal

    if isinstance(gamma, Fraction):
        return as_text(gamma)
    return f"{rounded_decimal(gamma.upper, 12, ROUND_CEILING):f}" if hasattr(gamma, "upper") else str(gamma)


def _reached_text(value: str, gamma: Any) -> str:
    """Return the line of --at-most."""
    from rropt.core.exact import both_texts

    if gamma is None:
        return f"  no level reaches {value}"
    number = float(gamma.upper if hasattr(gamma, "upper") else gamma)
    text = _text(gamma) if hasattr(gamma, "upper") else both_texts(gamma)
    return f"  {value} is reached from gamma = {text} on (epsilon = {log(number):.6g})"
