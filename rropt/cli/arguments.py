"""Arguments that several commands share: mechanisms, levels, criteria with what is said of them, and ``--json``."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NoReturn

from rropt.cli.output import note
from rropt.errors import InvalidParameterError, UnsupportedProblemError, shown
from rropt.exact.written import advice

if TYPE_CHECKING:
    from rropt.exact import Delta, Epsilon
    from rropt.mechanisms import Mechanism, ProductMechanism
    from rropt.privacy.criteria import Criterion
    from rropt.privacy.criterion_region import CriterionLevel


_NAME = re.compile(r"[a-z][a-z-]*(:.*)?", re.IGNORECASE)  # a file name with a dot is none


class UsageError(InvalidParameterError):
    """A command line that no parser understands."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one clear line and exit status 2, and that takes ``-1/2`` as a value.

    Args:
        fill: adds the options, once they are needed.
    """

    def __init__(self, *args: Any, fill: Callable[[Parser], None] | None = None, **kwargs: Any) -> None:
        self._fill = fill
        kwargs.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        kwargs.setdefault("allow_abbrev", False)
        super().__init__(*args, **kwargs)
        self._negative_number_matcher = re.compile(r"-\.?\d.*")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse, with the options added."""
        self.filled()
        return super().parse_known_args(args, namespace)

    def format_help(self) -> str:
        """Return the help, with the options added."""
        self.filled()
        return super().format_help()

    def filled(self) -> Parser:
        """Return the parser itself, with the options added."""
        self.set_defaults(command=self.prog.removeprefix("rropt").strip())
        fill, self._fill = self._fill, None
        if fill is not None:
            fill(self)
        return self

    def error(self, message: str) -> NoReturn:
        """Refuse a command line, in one line.

        Raises:
            UsageError: always.
        """
        line = " ".join(message.split())
        raise UsageError(f"{self.prog}: {line if len(line) < 400 else line[:400] + '...'} (see {self.prog} --help)")


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add ``--json``."""
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one JSON object and nothing else; exact numbers are strings",
    )


def add_level(parser: argparse.ArgumentParser, *, among: Any = None, required: bool = True, delta: bool = True) -> None:
    """Add the privacy level: ``--epsilon E``, ``--gamma G`` (and ``--delta D``), or a criterion.

    Args:
        parser: of the command.
        among: the group of options of which one is chosen, when the level is an alternative to others.
        required: whether a level must be given (without ``among``).
        delta: whether the command takes ``--delta``.
    """
    level = parser.add_mutually_exclusive_group(required=required) if among is None else among
    level.add_argument(
        "--epsilon",
        metavar="E",
        help='privacy level in nats: a number such as 1/2, or "log(3)", or "1/2*log(3)"',
    )
    level.add_argument("--gamma", metavar="G", help="the same as an odds bound: gamma = exp(epsilon) >= 1, rational")
    add_criterion(level, parser)
    if delta:
        parser.add_argument(
            "--delta",
            metavar="D",
            default="0",
            help='slack in [0, 1] beside --epsilon or --gamma: a number, or "exp(-10)" (default: 0)',
        )


def read_level(args: argparse.Namespace) -> tuple[Epsilon, Delta]:
    """Return the exact level of the arguments of ``add_level``; of a criterion log B(h), with delta = 0.

    That B(h) was rounded towards privacy is said on standard error; ``criteria.criterion_record`` and
    ``criteria.criterion_rows`` say what the criterion was.
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
    say_remarks(level)
    return level.epsilon


def add_mechanism(parser: argparse._ActionsContainer, *names: str, **options: Any) -> None:
    """Add a mechanism argument (positional by default)."""
    parser.add_argument(
        *(names or ("mechanism",)),
        metavar="MECHANISM",
        help='a JSON file {"matrix": [["2/3","1/3"],["1/3","2/3"]]} (rows are outputs) or {"product": [...]} of such '
        "rows for each question, the certificate of a design, a CSV or .npy file, or a name with parameters such as "
        "warner:3/4 or forced:2/3,1/6,1/6 (`rropt mechanisms` lists them)",
        **options,
    )


def read_mechanism(text: str) -> Mechanism:
    """Return the mechanism that an argument names: a file if there is one of that name, else a named design."""
    from rropt.mechanisms import load_mechanism, named_mechanism

    exists = os.path.exists(text)  # noqa: PTH110  # Path.exists raises for names that no file can have
    return named_mechanism(text) if _NAME.fullmatch(text) and not exists else load_mechanism(text)


def read_product(text: str) -> ProductMechanism | None:
    """Return the mechanism that an argument names if it asks several questions, ``None`` otherwise."""
    from rropt.mechanisms import ProductMechanism

    mechanism = read_mechanism(text)
    return mechanism if isinstance(mechanism, ProductMechanism) else None


def whole_number(text: str, name: str, least: int, most: int = 10**15) -> int:
    """Return an integer argument in a range."""
    digits = text.replace("_", "").strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 30 and least <= int(digits) <= most):
        guess = advice(text.strip()).partition(",")[0]  # of two readings the whole number
        raise InvalidParameterError(
            f"{name} is not a count: received {shown(text)}; allowed is an integer from {least} to {most}{guess}"
        )
    return int(digits)


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
    from rropt.privacy.criterion_region import criterion_level

    return criterion_level(criterion)


def say_remarks(level: CriterionLevel | None) -> None:
    """Say on standard error that a level is B(h) rounded down, where it is."""
    for remark in () if level is None else level.remarks():
        note(f"rropt: {remark}")


def criterion_record(args: argparse.Namespace, used: Epsilon | None = None) -> dict[str, Any]:
    """Return the key ``criterion`` for ``--json``; nothing when the level was given otherwise.

    Its keys are those of ``CriterionLevel``; ``gamma`` is of the level that was ``used``, where it is another.
    """
    level = read_criterion_level(args)
    if level is None:
        return {}
    record = level.to_dict()
    return {"criterion": record if used is None else {**record, "gamma": str(used.exact_gamma())}}


def criterion_rows(args: argparse.Namespace) -> list[tuple[str, str]]:
    """Return the rows of a table for people; none when the level was given otherwise."""
    level = read_criterion_level(args)
    return [] if level is None else level.lines()
