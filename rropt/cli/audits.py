"""Somebody else's matrix on the command line: reading it as it is, and what an audit says in words and in JSON."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rropt.exact import Epsilon
    from rropt.mechanisms import Mechanism
    from rropt.mechanisms.raw_matrices import Audit


def add_transposed(parser: argparse.ArgumentParser) -> None:
    """Add ``--transposed``."""
    parser.add_argument(
        "--transposed",
        action="store_true",
        help="the file's rows are inputs and sum to 1 (a row-stochastic channel, such as qif's); without it rows are "
        "outputs",
    )


def read_audit(text: str, *, transposed: bool) -> Audit:
    """Return the audit of a mechanism argument: a file of numbers as they are, or a named design."""
    from rropt.cli.arguments import read_mechanism
    from rropt.mechanisms.imports import load_raw_matrix
    from rropt.mechanisms.raw_matrices import audit

    if os.path.exists(text):  # noqa: PTH110  # Path.exists raises for names that no file can have
        return audit(load_raw_matrix(text, transposed=transposed))
    mechanism: Mechanism = read_mechanism(text)
    return audit(mechanism.design_matrix if transposed else mechanism)


def audit_rows(audit: Audit) -> list[tuple[str, str]]:
    """Return what is wrong with a matrix that is no mechanism or has infinite epsilon, as rows of a table."""
    from rropt.exact import both_texts, decimal_text

    rows = []
    if audit.largest_miss:
        rows.append(("columns", f"miss the sum 1 by up to {decimal_text(audit.largest_miss, 3)}: no exact mechanism"))
    if audit.negatives[0]:
        count, least = audit.negatives
        rows.append(("negative entries", f"{count}, the least {decimal_text(least, 3)}; counted as 0"))
    clash, count = audit.zeros
    if clash is not None:
        rows.append(
            (
                "zeros",
                f"answer {clash.output} is never given by input {clash.never} but may be by input {clash.possible}: "
                f"it rules input {clash.never} out for certain ({count} such answer{'s' if count > 1 else ''})",
            )
        )
    if not audit.is_mechanism:
        rows.append(("epsilon when columns are divided by their sums", both_texts(_normalised_epsilon(audit))))
        rows.append(("what to do", "rropt repair gives the nearest exact mechanism at a level"))
    return rows


def audit_json(audit: Audit) -> dict[str, Any]:
    """Return the same for ``--json``."""
    from rropt.exact.display import extended_text

    clash, count = audit.zeros
    return {
        "exactly_stochastic": audit.is_mechanism,
        "largest_miss": str(audit.largest_miss),
        "negative_entries": audit.negatives[0],
        "zeros": None
        if clash is None
        else {"output": clash.output, "never": clash.never, "possible": clash.possible, "answers": count},
        "normalised": {
            "parity": extended_text(audit.normalised_parity),
            "epsilon": str(_normalised_epsilon(audit)),
        },
    }


def _normalised_epsilon(audit: Audit) -> Epsilon:
    from rropt.exact import Epsilon

    return Epsilon.of_parity(audit.normalised_parity)
