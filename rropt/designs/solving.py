"""``solve``: compute, compare and certify the optimum of a problem; ``every_level_of``: at every level.

``register_way`` adds a row to the table of ways (``designs.way_table``); ``solve`` then accepts its problems.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rropt.core.argument_checks import as_lists, clear_calls, require_flags, require_given, require_texts
from rropt.core.certificates.record import budget_allowed
from rropt.core.errors import InvalidParameterError, RroptWarning, required, shown_with_type
from rropt.core.results import remarks_of
from rropt.designs.problem import Problem
from rropt.designs.routes import chosen_routes, listed_routes
from rropt.designs.solution import Solution
from rropt.designs.way_table import way_of

if TYPE_CHECKING:
    from rropt.designs.parametric.closed_levels import ClosedLevels
    from rropt.designs.parametric.every_level import EveryLevel


@clear_calls
def solve(
    problem: Problem, routes: str | Iterable[str] | None = "auto", budget: str | None = None, *, fast: bool = False
) -> Solution:
    """Solve a problem with all routes that accept it, or with the named routes; compare and certify the results.

    At a rational level the optimum is exact, except for objectives with logarithms, for designs whose bracket is not
    closed, and for weights with numbers so long that their dual is rounded. At an irrational level, the mechanism is
    private at a rational gamma just below, and the bound is proved just above. The bracket is then narrow:

    * for n Var of binary designs with two outputs, narrower than 1e-12, relative and absolute;
    * for n Var of binary designs with more outputs, narrower than 1e-10, relative: their numbers are kept short, so
      that a client can draw them;
    * for trace and loss, narrower than 1e-12 times the largest weight or loss, absolute;
    * for other objectives, ``solution.gap`` is the width. A design is called optimal if the width is at most 1e-6 of
      the value.

    Args:
        problem: the problem to solve.
        routes: the methods to run. ``"auto"`` or ``None``: every route that accepts the problem, except for
            cross-checks that take an estimated five seconds or more beside a fast route;
            ``solution.skipped`` names these. ``"all"``: these too. Or the names of routes, such as ``"exact"``.
        budget: the checker's limit on work: ``"default"``, or ``"large"`` for designs with many categories (seven with
            delta > 0, 20 with delta = 0). ``None`` keeps the limit in effect.
        fast: whether to run one route only, unless routes are named, and to leave out the twins: the comparison with
            the same problem in SymPy and CVXPY (``solution.twins``).

    Returns:
        A ``Solution``: ``lower`` and ``upper`` bound the optimum, in the unit of the objective (n Var, for example, or
        nats of information); ``mechanism``, ``optima``, ``status``, ``routes`` and ``certificate``. The optimum as a
        function of the level is ``rropt.every_level``.

    Warns:
        RroptWarning: an optimal mechanism with k categories never uses an output, or does not identify the
            distribution of the categories; or the certificate failed, and ``status`` is ``not certified``.

    Raises:
        InvalidParameterError: a route is unknown, or the argument is not a problem at one level.
        UnsupportedProblemError: no way solves the problem, or a named route does not.
        InfeasibleDesignError: no private mechanism satisfies the bounds of the region; the error contains the
            certificate.
        UndecidedLevelError: feasibility depends on an irrational level that agrees with the smallest feasible level to
            384 digits.
        RouteDisagreementError: two routes contradict each other, or a twin contradicts the certified bracket.

    >>> solution = solve(Problem.binary("1/4", epsilon="log(2)", delta="1/4"))
    >>> print(solution.value, len(solution.optima), solution.certificate.check())
    15/16 2 accepted
    """
    routes = as_lists(routes)
    require_flags(fast=fast)
    require_texts(budget=budget)
    require_given(budget=budget)
    if not isinstance(problem, Problem):
        raise InvalidParameterError(f"solve takes a Problem: received {shown_with_type(problem)}; see rropt.Problem")
    if problem.region.is_of_every_level:
        raise InvalidParameterError(
            f"the problem has every level at once: received {problem}; call rropt.every_level, or give one level"
        )
    names = listed_routes(routes)
    with budget_allowed(budget):
        found = way_of(problem).solve(problem, ["fast"] if fast and names == ["auto"] else names)
        solution = Solution.from_routes(problem, found)
    if not fast:
        solution.compared_twice()
    for remark in remarks_of(solution):
        warnings.warn(remark, RroptWarning, stacklevel=_frames_of_rropt())
    return solution


@clear_calls
def every_level_of(
    problem: Problem, routes: str | Iterable[str] | None = "auto", *, fast: bool = False
) -> EveryLevel | ClosedLevels:
    """Return the optimum of a problem as a function of the level.

    Args:
        problem: a problem whose level is a ``rropt.privacy.span``.
        routes: ``"auto"`` or ``"exact"``.
        fast: whether to leave out the twins.

    Raises:
        InvalidParameterError: the problem has one level.
        UnsupportedProblemError: the optimum at every level is not known.

    >>> from rropt.privacy import span
    >>> found = every_level_of(Problem.kary(3, level=span(), objective="trace"), fast=True)
    >>> print(*(piece.value for piece in found.pieces))
    3*gamma/(gamma + 2)
    """
    if not required(problem, Problem, "the problem", "Problem.kary(3, level=span())").region.is_of_every_level:
        raise InvalidParameterError(
            f"the problem has one level: received {problem}; call its method solve, or give level=rropt.privacy.span()"
        )
    from rropt.designs.parametric.closed_levels import is_closed, solve_closed_levels

    chosen_routes(listed_routes(routes), ["exact"], ["exact"], problem)
    if is_closed(problem):
        closed = solve_closed_levels(problem)
        return closed if fast else closed.compared_twice()
    from rropt.designs.parametric.every_level import solve_every_level  # loads the parametric simplex

    found = solve_every_level(problem)
    return found if fast else found.compared_twice()


def _frames_of_rropt() -> int:
    """Return the number of frames from the caller to the first one outside of rropt, whose line a warning names."""
    frame, frames = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == "rropt":
        frame, frames = frame.f_back, frames + 1
    return frames
