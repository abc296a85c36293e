"""Twins of designs of the Fisher information: CVXPY finds the active set, and SymPy proves a form or bounds.

``rropt.convex`` and ``rropt.symbolic`` know nothing of each other; the functions here call both. CVXPY solves the
problem in floats (``convex.witnesses``). From its numbers SymPy takes the active set and derives the closed form
(``symbolic.information``), and proves rational bounds (``symbolic.enclosures``). None of this uses the engine.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rropt.core.errors import RouteDisagreementError, UnsupportedProblemError
from rropt.core.exact.display import decimal_text
from rropt.core.results import twin_work
from rropt.core.results.twins import INSIDE, Twin, require_closed, short

if TYPE_CHECKING:
    from collections.abc import Callable

    from rropt.designs.problem import Problem
    from rropt.symbolic.derivations import Derivation
    from rropt.symbolic.enclosures import Enclosure
    from rropt.symbolic.information import Solved
    from rropt.symbolic.posing import Form, Posing
    from rropt.symbolic.program_bounds import ProgramBounds
    from rropt.symbolic.row_bounds import RowBounds

_FORMS = ("a-optimal", "c-optimal", "contrasts", "d-optimal", "e-optimal")
_ENCLOSED = (*_FORMS, "conditional-variance")


def is_of_information(problem: Problem) -> bool:
    """Return whether a problem is one of the Fisher information, at privacy levels, with any number of outputs."""
    region = problem.region
    if problem.objective.kind not in _ENCLOSED or region.outputs or region.bounds is not None:
        return False
    return region.has_one_level or getattr(region, "kind", "") == "privacy-levels"


def enclosure_of(asked: Any) -> Enclosure:
    """Return exact bounds of the optimum of a problem, or of that of a solution, which the engine has no part in.

    ``lower`` and ``upper`` are rational; ``design`` is a private mechanism that attains one of them, and the prices
    prove the other one. ``check()`` proves both again, in fractions.

    Raises:
        UnsupportedProblemError: the problem has no enclosure; the message says why.

    >>> from rropt.designs import Problem
    >>> found = enclosure_of(Problem.kary(epsilon=1, objective="a-optimal", population=["2/5", "3/10", "1/5", "1/10"]))
    >>> found.check()
    >>> float(round(found.lower, 6)), found.width < 1e-6
    (8.256126, True)
    """
    from rropt.symbolic.definitions import require_private
    from rropt.symbolic.enclosures import Asked, enclosure

    problem: Problem = getattr(asked, "problem", asked)
    if not is_of_information(problem):
        raise UnsupportedProblemError(
            f"no bounds are proved for {problem}; allowed are criteria of the information at privacy levels, with any "
            "number of outputs"
        )
    data = problem.to_dict()
    if twin_work.is_limited() and not problem.region.has_one_level:
        own = Asked.read(data)
        twin_work.require("rows", len(own.rows) * (2 if own.below != own.above else 1))
    found = enclosure(data, _guess_of(problem, twin_work.is_limited()))
    require_private(data["region"], found.design)
    return found


@lru_cache(maxsize=2)
def _guess_of(problem: Problem, is_limited: bool) -> Any:
    """Return what CVXPY finds for a problem; form and bounds take the same numbers."""
    from rropt.convex import columns
    from rropt.convex.designs.problem import guess_of

    return guess_of(problem, columns.MOST_BY_DEFAULT if is_limited else columns.MOST_ON_REQUEST)


def kkt_of(asked: Any) -> Solved:
    """Return the KKT solution of the active set that CVXPY finds, proved optimal at the level.

    Raises:
        UnsupportedProblemError: there is none; the message says why.
        RouteDisagreementError: the equations determine the solution, and it is not proved: floats or symbols are wrong.
    """
    from rropt.convex.extremes import beyond_floats
    from rropt.symbolic.information import NoFormError, solved

    problem: Problem = getattr(asked, "problem", asked)
    if problem.objective.kind not in _FORMS or problem.populations is not None:
        raise UnsupportedProblemError("no closed form: the least favourable distribution is no rational function")
    try:
        return solved(problem.to_dict(), _guess_of(problem, twin_work.is_limited()))
    except NoFormError as error:
        if error.is_alarm:
            if why := beyond_floats(problem.to_dict(), is_curved=True):
                raise UnsupportedProblemError(f"CVXPY does not say which rows have weight: {why}") from None
            raise RouteDisagreementError(
                f"the weights and prices of {problem} are determined, and SymPy does not prove them: {error}"
            ) from None
        raise UnsupportedProblemError(f"no closed form: {error}") from None


def form_of(problem: Problem) -> Form | str:
    """Return the closed form of a problem, or why there is none."""
    try:
        return kkt_of(problem).form()
    except UnsupportedProblemError as error:
        return str(error)


def derivation_of(solution: Any) -> Derivation:
    """Return half a page of proof of a solved design of the information: its closed form, else rational bounds.

    Everything is printed from the objects that SymPy proved.

    Raises:
        UnsupportedProblemError: the problem is not one of the Fisher information at privacy levels.
        RouteDisagreementError: what the floats determine is not proved, or contradicts the certified bracket.
    """
    from rropt.symbolic.designs.problem import posing_of as of_definition
    from rropt.symbolic.information_derivations import of_enclosure, of_solution

    problem, title = solution.problem, str(solution.problem)
    problem, note = _with_any_outputs(problem)
    if not is_of_information(problem):
        raise UnsupportedProblemError(f"no proof by the prices of the information is written for {problem}")
    twins = {"CVXPY finds": problem_value(problem), "rropt's certified value is": solution.value}
    try:
        found = kkt_of(problem)
    except UnsupportedProblemError as error:
        own = enclosure_of(problem)
        compared_with(own, solution)
        written = of_enclosure(title, own, str(error), twins)
    else:
        value = found.form().at()
        theorem = None if note else of_definition(solution).form
        written = of_solution(title, found, {"the value is": value, **twins}, theorem)
    return replace(written, parts=(("In other words", note), *written.parts)) if note else written


def _with_any_outputs(problem: Problem) -> tuple[Problem, str]:
    """Return the problem of a prevalence with any number of outputs as c-optimality of two categories."""
    if not problem.objective.is_of_prevalence or problem.region.outputs or not problem.region.has_one_level:
        return problem, ""
    from rropt.objectives import OBJECTIVES

    kind: Any = OBJECTIVES["c-optimal"]
    own = type(problem)(problem.region, kind(["0", "1"]), problem.population)
    return own, (
        "$n$ Var of the prevalence is that of the estimated proportion of category 1: c-optimality with the contrast "
        "$(0,1)$ and two categories. It is solved here in this form."
    )


def problem_value(problem: Problem) -> float | None:
    """Return the value that CVXPY finds; None if its solver did not reach its accuracy."""
    from rropt.convex.designs.problem import posed_of

    try:
        posed, value = posed_of(problem)
        return (value or posed.solved()).value
    except UnsupportedProblemError:
        return None


def posing_of(asked: Any, outputs: int | None = None) -> Posing:
    """Return a design problem, or that of a solution, as SymPy expressions, with its closed form if there is one.

    A theorem gives some forms; for other designs of the information the KKT system of the active set is solved. The
    arguments are those of ``rropt.symbolic.designs.problem.posing_of``.
    """
    from rropt.symbolic.designs.problem import posing_of as of_definition

    posing = of_definition(asked, outputs)
    problem: Problem = getattr(asked, "problem", asked)
    if not problem.region.is_of_every_level and is_of_information(problem):
        posing.derive_form(lambda: form_of(problem))
    return posing


def solution_twin(solution: Any) -> Twin:
    """Return the twin of a solution in symbols: its design by the definition, its form, and bounds of their own.

    Raises:
        RouteDisagreementError: a value contradicts the certified bracket, or another value.
        UnsupportedProblemError: the problem cannot be posed in symbols.
    """
    from rropt.symbolic.designs.problem import solution_twin as of_definition

    problem = solution.problem
    if not is_of_information(problem):
        return of_definition(solution)
    posing = posing_of(solution) if problem.populations is None else None
    return bounded_twin(solution, posing, lambda: enclosure_of(problem))


def bounded_twin(solution: Any, posing: Posing | None, enclosed: Callable[[], Enclosure | RowBounds]) -> Twin:
    """Return the twin of a solution whose optimum has exact bounds besides, which are compared with its bracket.

    Args:
        solution: the solution.
        posing: the problem in symbols; None for that of the definition.
        enclosed: a function that returns the bounds.

    Raises:
        RouteDisagreementError: a value contradicts the certified bracket, or another value.
        UnsupportedProblemError: the problem cannot be posed in symbols, and has no bounds.
    """
    from rropt.symbolic.designs.problem import solution_twin as of_definition

    refused = ""
    try:
        twin = of_definition(solution, posing, is_enclosed=True)
    except UnsupportedProblemError as error:
        twin, refused = None, str(error)
    try:
        own = enclosed()
        own.check()
        compared_with(own, solution)
    except UnsupportedProblemError as error:
        if twin is None:
            raise UnsupportedProblemError(refused) from None
        why = twin.why if str(error) in twin.why else f"{twin.why}; no bounds: {error}".removeprefix("; ")
        return twin if twin.form else _with(twin, why)
    why = posing.why if posing is not None and twin_work.ON_REQUEST in posing.why else ""
    note = f"{('no closed form: ' + why).removesuffix(': ')}; proved within {short(own.width)}"
    if twin is None:
        return Twin("SymPy", True, float((own.lower + own.upper) / 2), INSIDE, note)
    return twin if twin.form else _with(twin, note)


def _with(twin: Twin, why: str) -> Twin:
    return Twin(twin.by, twin.posed, twin.value, twin.agrees, why, twin.form, twin.domain, twin.solver)


def compared_with(own: Enclosure | RowBounds | ProgramBounds, solution: Any) -> None:
    """Require that an enclosure meets the certified bracket, and is narrow.

    Raises:
        RouteDisagreementError: they have no number in common, or one of them is too wide, which is an alarm.
        UnsupportedProblemError: the enclosure is too wide at an extreme level.
    """
    from rropt.convex.extremes import beyond_floats
    from rropt.symbolic.enclosures import WIDEST

    if own.lower > solution.upper or own.upper < solution.lower:
        both = [
            [decimal_text(x, 17) for x in pair] for pair in ((own.lower, own.upper), (solution.lower, solution.upper))
        ]
        raise RouteDisagreementError(
            f"the bounds that SymPy proves and the certified bracket disagree on {solution.problem}: {both[0]} against "
            f"{both[1]}"
        )
    if own.width > WIDEST:
        if why := beyond_floats(solution.problem.to_dict(), is_curved=True):
            raise UnsupportedProblemError(f"they are {short(own.width)} apart: {why}")
        raise RouteDisagreementError(
            f"the bounds that SymPy proves for {solution.problem} are {short(own.width)} apart: design and prices "
            "of CVXPY are not optimal for each other"
        )
    require_closed(solution)
