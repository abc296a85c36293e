"""The table of ways, asked in order: find the row that solves a problem, or explain why no row does.

This module imports no row. Rows of a third party come after those of the library.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from rropt.core.errors import UnsupportedProblemError

if TYPE_CHECKING:
    from rropt.core.certificates import Certificate
    from rropt.designs.problem import Problem

_TABLE = "rropt.designs.ways"  # the rows of the library; it imports all of their methods, so it is loaded late


class Facts(NamedTuple):
    """The facts of a problem that choose its way (``Way``)."""

    populations: tuple[str, ...]
    levels: str
    outputs: str | int
    has_bounds: bool


def facts_of(problem: Problem) -> Facts:
    """Return the facts of a problem; each is asked once.

    The levels are ``parity``, ``excess`` and ``pairwise`` (``Region.form``), ``levels`` (several), ``warner`` (a family
    of binary designs), ``gaussian``, ``divergences`` or ``other``. Formulas for equal proportions do not know criteria,
    so that equal proportions under a criterion are one distribution too.
    """
    populations: tuple[str, ...] = ("one",)
    region = problem.region
    if problem.is_uniform:
        populations = ("equal",) if region.criterion is None else ("equal", "one")
    elif problem.populations is not None:
        populations = ("range",)
    levels: str | None = region.form
    if levels is None:
        if region.has_rays:
            levels = "levels"
        elif region.has_one_level:
            levels = "warner"
        elif region.has_divergences:
            levels = "divergences"
        else:
            levels = "other" if region.polygons is None else "gaussian"
    return Facts(populations, levels, region.outputs or "any", region.bounds is not None)


class WayRow(Protocol):
    """What is asked of a row (``solving.Way``): whether it solves a problem, its solution, and what a record holds."""

    @property
    def name(self) -> str:
        """The printed name."""

    @property
    def reason(self) -> Callable[[Problem], str | None] | None:
        """Which limit a problem of this kind exceeds."""

    @property
    def certify(self) -> Callable[..., Certificate] | None:
        """How a result is proved; None if its bound is computed again."""

    @property
    def read(self) -> Callable[[Problem, Certificate], Any]:
        """The result (``solution.RouteResult``) that a certificate proves."""

    def takes(self, problem: Problem, facts: Facts) -> bool:
        """Return whether a problem with these facts is of this kind."""

    def solve(self, problem: Problem, routes: Sequence[str]) -> Any:
        """Return the ``solution.Solution`` of a problem."""


REGISTERED: list[WayRow] = []
"""The rows of third parties, in the order of registration."""


def register_way(way: WayRow) -> None:
    """Register a ``solving.Way``; it is asked for the problems that the rows of the library refuse.

    Args:
        way: the row: which problems it fits, its routes, and the function that writes its certificate.
    """
    REGISTERED.append(way)


def way_of(problem: Problem) -> WayRow:
    """Return the first row that solves a problem.

    Raises:
        UnsupportedProblemError: no row solves the problem; each row of the problem's kind states which limit the
            problem exceeds. If there is no such row, the message lists the rows.
    """
    ways: list[WayRow] = [*import_module(_TABLE).WAYS, *REGISTERED]
    facts, reasons = facts_of(problem), list[str]()
    for way in ways:
        if way.takes(problem, facts):
            reason = way.reason and way.reason(problem)
            if reason is None:
                return way
            reasons.append(reason)
    names = ", ".join(way.name for way in ways)
    none_fits = f"no way solves the problem: received {problem}; allowed are {names}"
    raise UnsupportedProblemError("; or: ".join(dict.fromkeys(reasons)) or none_fits)
