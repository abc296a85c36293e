"""Twins of design problems: what CVXPY finds is handed to SymPy, which derives the optimum from it and proves it.

``rropt.convex`` and ``rropt.symbolic`` know nothing of each other, nor of the engine; the functions here call both.
CVXPY solves the problem in floats and says which rows have weight and which conditions are tight
(``convex.active``). SymPy derives the optimum from that alone, in symbols, and proves it (``symbolic.active``).

*Alarms.* A problem that is linear in the weights of rows always has a vertex. If SymPy proves none of those that CVXPY
offers for ``_SEEDS`` moved programs, one of the two posings is wrong: this is a contradiction, not a missing form.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rropt.core.errors import RouteDisagreementError, UnsupportedProblemError

if TYPE_CHECKING:
    from rropt.core.results.twins import Twin
    from rropt.designs.problem import Problem
    from rropt.symbolic.active import Basis
    from rropt.symbolic.posing import Form, Posing

_SEEDS = (0, 1, 2)  # of the moves of a program
_MOST_JOINED = 6  # vertices with the same value on neighbouring intervals
_BEYOND = ("99/100", "101/100")  # of an end: where the next vertex is sought


def vertex_of(asked: Any) -> Basis:
    """Return the optimal vertex of a problem that is linear in the weights of rows, with its prices, in symbols.

    Raises:
        UnsupportedProblemError: the problem has no such vertex, or is too large; the message says why.
        RouteDisagreementError: SymPy proves none of the vertices that CVXPY finds, which is an alarm.
    """
    problem: Problem = getattr(asked, "problem", asked)
    return _vertex(problem)


@lru_cache(maxsize=4)
def _vertex(problem: Problem) -> Basis:
    return _proved(problem.to_dict(), _of_user(problem))


def _of_user(problem: Problem) -> Any:
    """Return the objective if it is one of a third party, whose JSON does not define it."""
    return None if type(problem.objective).__module__.startswith("rropt.objectives.") else problem.objective


def _proved(data: dict[str, Any], objective: Any) -> Basis:
    from rropt.symbolic.active import Asked, basis_of
    from rropt.symbolic.programs import ProofRefusedError

    Asked(data, objective)  # whether the problem has a vertex, before anything is solved
    from rropt.convex.active import active_set

    refused: Exception | None = None
    for seed in _SEEDS:
        try:
            return basis_of(data, active_set(data, seed, objective), objective)
        except ProofRefusedError as error:
            refused = error
    raise RouteDisagreementError(
        f"SymPy proves no vertex that CVXPY finds, although every problem of this kind has one: {refused}"
    )


def form_of(problem: Problem) -> Form | str:
    """Return the closed form of a problem that is linear in the weights of rows, or why there is none.

    Raises:
        RouteDisagreementError: SymPy proves none of the vertices that CVXPY finds, which is an alarm.
    """
    from rropt.symbolic.active import form_of as of_vertex

    try:
        found = _vertex(problem)
    except UnsupportedProblemError as error:
        return str(error)
    return of_vertex(found, lambda: _joined(found))


def _joined(found: Basis) -> tuple[Any, Any]:
    """Return the ends of the interval of gamma on which a form holds.

    A degenerate vertex has several prices. Beyond an end of its interval, other prices may prove the same value: the
    interval of these is added, as far as the weights of the first vertex are nonnegative.
    """
    from fractions import Fraction

    from rropt.symbolic.active import has_same_value, interval_of

    data, low_high = found.asked.data, list(interval_of(found))
    if found.asked.pairs:
        return low_high[0], low_high[1]
    for side in (0, 1):
        for _ in range(_MOST_JOINED):
            end = low_high[side]
            if not end.is_finite or end <= 1 or end > 10**6:
                break
            level = (Fraction(str(end.evalf(20))) * Fraction(_BEYOND[side])).limit_denominator(10**6)
            if level <= 1:
                break
            own = {**data, "region": {**data["region"], "epsilon": {"log": str(level)}}}
            try:
                more = _proved(own, found.asked.user)
            except (UnsupportedProblemError, RouteDisagreementError):
                break
            ends = interval_of(more, found)
            is_apart = ends[0] > end if side else ends[1] < end
            if is_apart or not has_same_value(found, more):
                break
            if ends[side] == end:
                break
            low_high[side] = ends[side]
    return low_high[0], low_high[1]


def posing_of(asked: Any, outputs: int | None = None) -> Posing:
    """Return a design problem, or that of a solution, as SymPy expressions, with its closed form if there is one.

    Traces, losses, payoffs and sums over the outputs have the form of the optimal vertex; the arguments are those of
    ``rropt.symbolic.designs.problem.posing_of``.

    >>> from rropt.designs import kary_problem
    >>> print(posing_of(kary_problem(epsilon="log(3)", delta="1/10", objective="trace", categories=3)).form)
    3*(2*delta + gamma)/(gamma + 2)
    """
    from rropt.symbolic.designs.problem import posing_of as of_definition

    posing = of_definition(asked, outputs)
    problem: Problem = getattr(asked, "problem", asked)
    if is_of_rows(problem):
        posing.derive_form(lambda: form_of(problem))
    return posing


def solution_twin(solution: Any) -> Twin:
    """Return the twin of a solution in symbols: its design by the definition, and the form that SymPy derives.

    Raises:
        RouteDisagreementError: a value contradicts the certified bracket, or SymPy proves no vertex (an alarm).
        UnsupportedProblemError: the problem cannot be posed in symbols.
    """
    from rropt.result_twins import solution_twin as of_other
    from rropt.symbolic.designs.problem import solution_twin as of_definition

    return of_definition(solution, posing_of(solution)) if is_of_rows(solution.problem) else of_other(solution)


def is_of_rows(problem: Problem) -> bool:
    """Return whether a problem is one at one level that is linear in the weights of rows."""
    kind = problem.objective.kind
    is_sum = kind in _KINDS or hasattr(problem.objective, "of_row")
    if kind == "bayes":
        own = problem.objective.objective
        is_sum = own.kind in _KINDS or hasattr(own, "of_row")
    is_one = problem.region.has_one_level and problem.region.bounds is None
    return is_sum and is_one and problem.populations is None


_KINDS = (
    "trace",
    "loss",
    "payoff",
    "total-variation",
    "chi-square",
    "kullback-leibler",
    "hellinger",
    "jensen-shannon",
    "alpha-divergence",
    "mutual-information",
    "bayes",
)
