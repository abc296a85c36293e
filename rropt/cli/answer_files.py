"""Files with a row for each respondent: what is to be read of them, for ``rropt estimate`` and ``rropt randomize``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from rropt.errors import InvalidParameterError

if TYPE_CHECKING:
    from rropt.responses.counting import Asked


def columns_of(args: argparse.Namespace) -> tuple[str, ...]:
    """Return the columns of the questions; none where they are not named."""
    return (args.column,) if args.column is not None else args.columns or ()


def asked_of(args: argparse.Namespace, questions: int | None = None) -> Asked:
    """Return what is to be counted.

    Args:
        args: of the command.
        questions: of a mechanism; ``None``: as many as columns are named.
    """
    from rropt.responses.counting import Asked, checked_categories

    columns = columns_of(args)
    if questions is not None and columns and len(columns) != questions:
        raise InvalidParameterError(
            f"--columns do not fit the mechanism: received {len(columns)} names; allowed are {questions}, one for each "
            "question"
        )
    return Asked(
        columns,
        len(columns) or questions or 1,
        checked_categories(args.categories),
        None if args.missing is None else tuple(args.missing),
        devices=getattr(args, "devices", None),
    )
