"""The table of ways, asked in order: find the row that solves a problem, or explain why no row does.

This module imports no row. Rows of a third party come after those of the library.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rropt.core.errors import UnsupportedProblemError

if TYPE_CHECKING:
    from rropt.designs.problem import Problem

_TABLE = "rropt.designs.ways"  # the rows of the library; it imports all of their methods, so it is loaded late

REGISTERED: list[Any] = []
"""The rows of third parties, in the order of registration."""


def register_way(way: Any) -> None:
    """Register a ``solving.Way``; it is asked for the problems that the rows of the library refuse.

    Args:
        way: the row: which problems it fits, its routes, and the function that writes its certificate.
    """
    REGISTERED.append(way)


def way_of(problem: Problem) -> Any:
    """Return the first row that solves a problem.

    Raises:
        UnsupportedProblemError: no row solves the problem; each row of the problem's kind states which limit the
            problem exceeds. If there is no such row, the message lists the rows.
    """
    table, reasons = import_module(_TABLE), list[str]()
    facts, ways = table.facts_of(problem), [*table.WAYS, *REGISTERED]
    for way in ways:
        if way.takes(problem, facts):
            reason = way.reason and way.reason(problem)
            if reason is None:
                return way
            reasons.append(reason)
    names = ", ".join(way.name for way in ways)
    none_fits = f"no way solves the problem: received {problem}; allowed are {names}"
    raise UnsupportedProblemError("; or: ".join(dict.fromkeys(reasons)) or none_fits)
