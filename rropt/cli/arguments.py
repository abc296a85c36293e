"""Arguments that several commands share: mechanisms, levels, criteria with what is said of them, and ``--json``."""

from __future__ import annotations

import argparse
import os
from functools import lru_cache
from typing import TYPE_CHECKING, Any, overload

from rropt.cli.options import CRITERION_HELP, Parser, UsageError, add_options, keywords_of
from rropt.cli.output import note
from rropt.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.exact.written import advice, listed

if TYPE_CHECKING:
    from fractions import Fraction

    from rropt.certificates import Certificate
    from rropt.exact import Delta, Epsilon
    from rropt.mechanisms import Mechanism, ProductMechanism
    from rropt.mechanisms.raw_matrices import Audit
    from rropt.privacy.criteria import Criterion
    from rropt.privacy.criterion_region import CriterionLevel


__all__ = ["CRITERION_HELP", "Parser", "UsageError"]


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add ``--json``."""
    add_options(parser, "--json")


def add_level(parser: argparse.ArgumentParser, *, among: Any = None, required: bool = True, delta: bool = True) -> None:
    """Add the privacy level: ``--epsilon E``, ``--gamma G`` (and ``--delta D``), or a criterion.

    Args:
        parser: of the command.
        among: the group of options of which one is chosen, when the level is an alternative to others.
        required: whether a level must be given (without ``among``).
        delta: whether the command takes ``--delta``.
    """
    level = parser.add_mutually_exclusive_group(required=required) if among is None else among
    add_options(level, "--epsilon\n--gamma\n--rho\n--beta\n--upper")
    add_options(parser, "--lower\n--delta" if delta else "--lower")


def read_level(args: argparse.Namespace) -> tuple[Epsilon, Delta]:
    """Return the exact level of the arguments of ``add_level``; of a criterion log B(h), with delta = 0.

    That B(h) was rounded towards privacy is said on standard error; ``criterion_record`` and
    ``criterion_rows`` say what the criterion was.
    """
    from rropt.exact import Delta
    from rropt.privacy.given_levels import require_no_delta

    delta = Delta.of(getattr(args, "delta", "0"))
    if (args.rho, args.beta, args.upper) != (None, None, None):
        require_no_delta(getattr(args, "delta", "0"))
    epsilon = read_epsilon(args)
    if epsilon is None:
        raise InvalidParameterError(
            "a privacy level is one of --epsilon E, --gamma G, --rho R1 R2, --beta B and --upper EXPR [--lower EXPR]: "
            "received none of them"
        )
    return epsilon, delta


def read_epsilon(args: argparse.Namespace) -> Epsilon | None:
    """Return the epsilon of the arguments of ``add_level``, ``None`` when no level is given."""
    from rropt.exact import Epsilon
    from rropt.exact.display import enclosure_text
    from rropt.privacy.given_levels import level as given_level

    level = read_criterion_level(args)  # looks at --lower too, which stands beside --upper only
    if args.epsilon is not None or args.gamma is not None:
        return given_level(epsilon=args.epsilon, gamma=args.gamma).epsilon
    if level is None:
        return None
    if level.is_rounded and level.epsilon == Epsilon.of(0):
        enclosed = enclosure_text(level.bound.lower, level.bound.upper)
        raise UnsupportedProblemError(
            f"B(h) could only be enclosed, {enclosed}: a level needs a lower end above 1; rewrite "
            "the function, or give --gamma"
        )
    say_rounding(level)
    return level.epsilon


def add_mechanism(parser: argparse._ActionsContainer, *names: str, **options: Any) -> None:
    """Add a mechanism argument (positional by default)."""
    parser.add_argument(*(names or ("mechanism",)), **keywords_of("mechanism"), **options)


@overload
def read_mechanism(text: str) -> Mechanism: ...
@overload
def read_mechanism(text: str | None) -> Mechanism | None: ...
def read_mechanism(text: str | None) -> Mechanism | None:
    """Return the mechanism that an argument names: a file if there is one of that name, else a named design."""
    from rropt.mechanisms.imports import given_mechanism

    return None if text is None else given_mechanism(text)


def read_audit(text: str, *, transposed: bool) -> Audit:
    """Return the audit of a mechanism argument: a file of numbers as they are, or a named design."""
    from rropt.mechanisms.imports import load_raw_matrix
    from rropt.mechanisms.raw_matrices import audit

    if os.path.exists(text):  # noqa: PTH110  # Path.exists raises for names that no file can have
        return audit(load_raw_matrix(text, transposed=transposed))
    mechanism: Mechanism = read_mechanism(text)
    return audit(mechanism.design_matrix if transposed else mechanism)


def read_product(text: str) -> ProductMechanism | None:
    """Return the mechanism that an argument names if it asks several questions, ``None`` otherwise."""
    from rropt.mechanisms import ProductMechanism

    mechanism = read_mechanism(text)
    return mechanism if isinstance(mechanism, ProductMechanism) else None


def read_counts(args: argparse.Namespace, mechanism: Mechanism) -> tuple[int, ...]:
    """Return how often each answer was given: ``--counts``, or ``--yes`` of ``--n``."""
    from rropt.estimation.counts import binary_counts

    if (args.counts is None) == (args.yes is None) or (args.yes is None) != (args.n is None):
        raise InvalidParameterError(
            "the answers are not given exactly once: give --yes Y with --n N, or --counts C0,..,Cm"
        )
    if args.counts is None:
        return binary_counts(mechanism, whole_number(args.yes, "yes", 0), whole_number(args.n, "n", 1))
    return tuple(whole_number(text, f"counts[{i}]", 0) for i, text in enumerate(listed(args.counts)))


@overload
def items_of(text: str) -> list[str]: ...
@overload
def items_of(text: str | None) -> list[str] | None: ...
def items_of(text: str | None) -> list[str] | None:
    """Return the items of a list; an empty text is an empty list."""
    return None if text is None else listed(text) if text.strip() else []


def range_of(text: str, option: str) -> tuple[str, str]:
    """Return the ends of ``LOW..HIGH``."""
    low, dots, high = text.partition("..")
    if not dots or not low.strip() or not high.strip():
        raise InvalidParameterError(
            f"{option} is not a range: received {shown(text)}; allowed is LOW..HIGH, for example 0..1"
        )
    return low.strip(), high.strip()


def whole_number(text: str, name: str, least: int, most: int = 10**15) -> int:
    """Return an integer argument in a range."""
    digits = text.replace("_", "").strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 30 and least <= int(digits) <= most):
        guess = advice(text.strip()).partition(",")[0]  # of two readings the whole number
        raise InvalidParameterError(
            f"{name} is not a count: received {shown(text)}; allowed is an integer from {least} to {most}{guess}"
        )
    return int(digits)


def read_variance(args: argparse.Namespace) -> Fraction | None:
    """Return the variance of ``--variance``, or of ``--standard-error`` squared; ``None`` when none is given."""
    from rropt.exact import rational_where

    given = {"variance": args.variance, "standard error": args.standard_error}
    for name, text in given.items():
        if text is not None:
            value = rational_where(text, lambda x: x > 0, "a number > 0", name=name)
            return value if name == "variance" else value**2
    return None


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
    from rropt.privacy.criterion_region import criterion_level

    return criterion_level(criterion)


def say_rounding(level: CriterionLevel | None) -> None:
    """Say on standard error that a level is B(h) rounded down, where it is."""
    for remark in () if level is None else level.remarks():
        note(f"rropt: {remark}")


def criterion_record(args: argparse.Namespace, bound: Certificate | None) -> dict[str, Any]:
    """Return the key ``criterion`` for ``--json``; nothing when the level was given otherwise.

    Its keys are those of ``CriterionLevel``, and ``bound_certificate``, null where there is none.
    """
    level = read_criterion_level(args)
    if level is None:
        return {}
    return {"criterion": {**level.to_dict(), "bound_certificate": None if bound is None else bound.to_dict()}}


def criterion_rows(args: argparse.Namespace) -> list[tuple[str, str]]:
    """Return the rows of a table for people; none when the level was given otherwise."""
    level = read_criterion_level(args)
    return [] if level is None else level.lines()
