"""Twins of design problems: CVXPY finds the active set, and SymPy derives the optimum from it and proves it.

``rropt.convex`` and ``rropt.symbolic`` know nothing of each other, nor of the engine; the functions here call both.
CVXPY solves the problem in floats and says which rows have weight and which conditions are tight
(``convex.active``). SymPy derives the optimum from that alone, in symbols, and proves it (``symbolic.active``).

*Alarms.* A problem that is linear in the weights of rows always has a vertex. If SymPy proves none of those that CVXPY
offers for ``_SEEDS`` moved programs, one of the two posings is wrong: this is a contradiction, not a missing form.
"""

from __future__ import annotations

import json
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rropt.core.errors import RouteDisagreementError, UnsupportedProblemError
from rropt.core.exact.display import decimal_text
from rropt.core.results.twin_work import is_limited
from rropt.core.visible import with_noun

if TYPE_CHECKING:
    from rropt.core.results.twins import Twin
    from rropt.designs.problem import Problem
    from rropt.symbolic.active import Basis
    from rropt.symbolic.blocks import RatioCuts
    from rropt.symbolic.derivations import Derivation
    from rropt.symbolic.enclosures import Enclosure
    from rropt.symbolic.posing import Form, Posing
    from rropt.symbolic.program_bounds import ProgramBounds
    from rropt.symbolic.row_bounds import RowBounds

_SEEDS = (0, 1, 2)  # of the moves of a program
_MOST_JOINED = 6  # vertices with the same value on neighbouring intervals
_MOST_VERTICES = 4  # of a problem at other levels that are tried before CVXPY is asked
_MOST_WRITTEN = 40  # rows with weight in a derivation
_BEYOND = ("99/100", "101/100")  # of an end: where the next vertex is sought


def vertex_of(asked: Any) -> Basis:
    """Return the optimal vertex of a problem that is linear in the weights of rows, with its prices.

    Under several levels only sums over the outputs have one.

    It is in symbols, or in fractions at the level if symbols take too long.

    Raises:
        UnsupportedProblemError: the problem has no such vertex, or is too large; the message says why.
        RouteDisagreementError: SymPy proves none of the vertices that CVXPY finds, which is an alarm.
    """
    problem: Problem = getattr(asked, "problem", asked)
    return _vertex(problem, is_limited())


@lru_cache(maxsize=4)
def _vertex(problem: Problem, _by_default: bool = False) -> Basis:
    data, user = problem.to_dict(), _of_user(problem)
    if not problem.region.has_one_level:
        from rropt.symbolic.fields import Field
        from rropt.symbolic.level_rows import LevelsAsked, basis_of

        LevelsAsked(data, user, Field({}))  # whether the problem has a vertex, before anything is solved
        return _tried(data, user, basis_of)  # type: ignore[no-any-return]
    return _proved(data, user)


def _of_user(problem: Problem) -> Any:
    """Return the objective if it has a function of the row, which then is its definition, or is of a third party."""
    is_own = type(problem.objective).__module__.startswith("rropt.objectives.")
    return None if is_own and not hasattr(problem.objective, "of_row") else problem.objective


def _proved(data: dict[str, Any], objective: Any) -> Basis:
    from rropt.symbolic.active import Asked, basis_of, level_basis_of
    from rropt.symbolic.fields import Field, ProofRefusedError

    try:
        Asked(data, objective)  # whether the problem has a vertex in symbols, before anything is solved
    except UnsupportedProblemError:
        Asked(data, objective, Field({}))
        return _tried(data, objective, level_basis_of)  # type: ignore[no-any-return]
    known = _known_vertices(_but_for_level(data)) if objective is None else []
    for vertex in reversed(known):
        with suppress(ProofRefusedError):  # the level is outside of its interval
            return basis_of(data, vertex.active, None, vertex)
    found: Basis = _tried(data, objective, basis_of)
    known[:] = [*known[1 - _MOST_VERTICES :], found]
    return found


@lru_cache(maxsize=8)
def _known_vertices(_problem: str) -> list[Basis]:
    """Return the vertices of a problem at other levels, which CVXPY has found; proofs are made at each level anew."""
    return []


def _but_for_level(data: dict[str, Any]) -> str:
    """Return a problem at one level as text, without the level."""
    region = data["region"]
    return json.dumps({**data, "region": {**region, "epsilon": None, "delta": region["delta"] != "0"}})


def _tried(data: dict[str, Any], objective: Any, proved: Any) -> Any:
    """Return what a function proves of the first active set of CVXPY of which it proves anything.

    Raises:
        RouteDisagreementError: it proves nothing of any of them, which is an alarm.
    """
    from rropt.convex.active import active_set
    from rropt.convex.extremes import beyond_floats
    from rropt.symbolic.fields import ProofRefusedError

    refused: Exception | None = None
    for seed in _SEEDS:
        try:
            return proved(data, active_set(data, seed, objective), objective)
        except ProofRefusedError as error:
            refused = error
    if why := beyond_floats(data):
        raise UnsupportedProblemError(f"CVXPY does not say which rows have weight: {why}")
    raise RouteDisagreementError(
        f"SymPy proves no vertex that CVXPY finds, although every problem of this kind has one: {refused}"
    )


@lru_cache(maxsize=2)
def blocks_of(problem: Problem) -> RatioCuts:
    """Return the blocks of a divergence of nine categories or more, which SymPy proves to be optimal.

    Raises:
        UnsupportedProblemError: the problem has no such proof; the message says why.
        RouteDisagreementError: SymPy does not prove the blocks of CVXPY, which is an alarm.
    """
    from rropt.convex.designs.problem import blocks_of as found_by_cvxpy
    from rropt.symbolic.blocks import proved
    from rropt.symbolic.fields import ProofRefusedError

    guess = found_by_cvxpy(problem)
    try:
        return proved(problem.to_dict(), guess)
    except ProofRefusedError as error:
        if guess.is_clear:
            raise
        raise UnsupportedProblemError(
            f"the slacks of CVXPY are too small for floating-point numbers: {error}"
        ) from None


@lru_cache(maxsize=2)
def row_bounds_of(problem: Problem) -> RowBounds:
    """Return exact bounds of a problem that is linear in the weights of rows, at an irrational level.

    Raises:
        UnsupportedProblemError: the problem has no such vertex, or is too large; the message says why.
        RouteDisagreementError: SymPy proves none of the vertices that CVXPY finds, which is an alarm.
    """
    from rropt.symbolic.active import Asked
    from rropt.symbolic.definitions import require_private
    from rropt.symbolic.fields import Field
    from rropt.symbolic.level_rows import LevelsAsked, levels_below
    from rropt.symbolic.level_rows import bounds_of as of_levels
    from rropt.symbolic.row_bounds import bounds_of, level_below

    data, user = problem.to_dict(), _of_user(problem)
    found: RowBounds
    if problem.region.has_one_level:
        Asked(level_below(data), user, Field({}))  # whether it has a vertex, before anything is solved
        found = _tried(data, user, bounds_of)
    else:
        LevelsAsked(levels_below(data), user, Field({}))
        found = _tried(data, user, of_levels)
    require_private(data["region"], found.design)
    return found


def enclosure_of(asked: Any) -> Enclosure | RowBounds | ProgramBounds:
    """Return exact bounds of the optimum of a problem, or of that of a solution, which the engine has no part in.

    ``lower`` and ``upper`` are rational; ``design`` is a private mechanism that attains one of them, and prices prove
    the other one. ``check()`` proves both again.

    Raises:
        UnsupportedProblemError: the problem has no bounds of its own; the message says why.

    >>> from rropt.designs import Problem
    >>> found = enclosure_of(Problem.kary(epsilon=1, objective="a-optimal", population=["2/5", "3/10", "1/5", "1/10"]))
    >>> found.check()
    >>> float(round(found.lower, 6)), found.width < 1e-6
    (8.256126, True)
    >>> found = enclosure_of(Problem.kary(epsilon=1, objective="loss:zero-one", population=["1/12"] * 12))
    >>> float(round(found.lower, 6)), found.width < 1e-25
    (0.80185, True)
    """
    from rropt.information_twins import enclosure_of as of_information

    problem: Problem = getattr(asked, "problem", asked)
    if _is_of_entries(problem):
        from rropt.result_twins import levels_bounds

        return levels_bounds(problem)
    return row_bounds_of(problem) if is_of_rows(problem) else of_information(problem)


def form_of(problem: Problem) -> Form | str:
    """Return the closed form of a problem that is linear in the weights of rows, or why there is none.

    Raises:
        RouteDisagreementError: SymPy proves none of the vertices that CVXPY finds, which is an alarm.
    """
    from rropt.convex.designs.problem import is_of_intervals
    from rropt.symbolic.active import form_of as of_vertex

    if is_of_intervals(problem):
        try:
            return blocks_of(problem).form()
        except UnsupportedProblemError as error:
            return f"no closed form: {error}"
    try:
        found = _vertex(problem, is_limited())
    except UnsupportedProblemError as error:
        return str(error)
    if not problem.region.has_one_level:
        from rropt.symbolic.level_rows import form_of as of_levels

        return of_levels(found)
    return of_vertex(found, lambda: _joined(found))


def _joined(found: Basis) -> tuple[Any, Any]:
    """Return the ends of the interval of gamma on which a form holds.

    A degenerate vertex has several prices. Beyond an end of its interval, other prices may prove the same value: the
    interval of these is added, as far as the weights of the first vertex are nonnegative. With delta or logarithms,
    which take seconds, this is not tried.
    """
    from rropt.symbolic.active import has_same_value, interval_of

    data, low_high = found.asked.data, list(interval_of(found))
    if found.asked.pairs or not found.value.is_rational:
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


def proportions_form_of(asked: Any) -> Form:
    """Return the optimum as a form in gamma and the proportions, with the region in which its rows are optimal.

    The symbols of the proportions are ``pi_0, pi_1, ...``, of all categories but the last. It is derived for A- and
    c-optimality, contrasts, divergences and the mutual information at delta = 0, for two or three categories, from the
    rows with weight that CVXPY finds.

    Args:
        asked: the problem, or its solution.

    Raises:
        UnsupportedProblemError: there is no such form; the message says why.
        RouteDisagreementError: the rows are not optimal, or by the definition their mechanism has another value.

    >>> from rropt.designs import Problem
    >>> from rropt.objectives import ChiSquare
    >>> problem = Problem.kary(epsilon="log(3)", objective=ChiSquare(["1/2", "1/2"]), population=["3/4", "1/4"])
    >>> form = proportions_form_of(problem)
    >>> print(form)
    (gamma - 1)**2*(2*pi_0 - 1)**2/(gamma + 1)**2
    >>> form.at(), form.at(pi_0="1/3"), form.at(gamma=5, pi_0="1/3")
    (1/16, 1/36, 4/81)
    """
    from rropt.information_twins import kkt_of
    from rropt.symbolic.proportions import form_in_proportions, merged_rows, sum_in_proportions

    problem: Problem = getattr(asked, "problem", asked)
    if is_of_rows(problem) and problem.region.has_one_level:
        form = sum_in_proportions(problem.to_dict(), vertex_of(problem).active)
    else:
        data = problem.to_dict()
        form = form_in_proportions(data, merged_rows(data) or kkt_of(problem).rows)
    _require_form(form, problem)
    return form


def _general_form_of(problem: Problem) -> Form | str:
    """Return the form in the proportions of a problem whose proportions differ, or why there is none."""
    from rropt.symbolic.objectives.a_c_contrasts import has_equal_proportions
    from rropt.symbolic.proportions import MOST_CATEGORIES

    if problem.populations is not None or problem.region.inputs > MOST_CATEGORIES or problem.objective.is_of_prevalence:
        return "no form in the proportions"
    if has_equal_proportions(problem):
        return "no form in the proportions: that of equal proportions is shorter"
    try:
        return proportions_form_of(problem)
    except UnsupportedProblemError as error:
        return str(error)


def posing_of(asked: Any, outputs: int | None = None) -> Posing:
    """Return a design problem, or that of a solution, as SymPy expressions, with its closed form if there is one.

    Traces, losses, payoffs and sums over the outputs have the form of the optimal vertex, and designs of the Fisher
    information that of the KKT system (``information_twins``). The form is one in ``gamma`` and in the proportions
    ``pi_0, pi_1, ...`` where ``proportions_form_of`` derives it and the proportions are not all equal. Of a problem on
    an ``EveryLevelRegion`` the optimum is returned as a ``Piecewise`` in ``gamma``. The arguments are those of
    ``rropt.symbolic.designs.problem.posing_of``.

    >>> from rropt.designs import Problem
    >>> posing = posing_of(Problem.kary(epsilon="log(3)", objective="a-optimal", population=["3/4", "1/4"]))
    >>> posing.form.at(), posing.form.at(pi_0="1/2"), posing.form.at(gamma=5, pi_0="1/2")
    (15/8, 2, 9/8)
    """
    problem: Problem = getattr(asked, "problem", asked)
    posing = posing_in_gamma(asked, outputs)
    if not problem.region.is_of_every_level:
        posing.generalize_form(lambda: _general_form_of(problem))
    return posing


def posing_in_gamma(asked: Any, outputs: int | None = None) -> Posing:
    """Return the posing with the form in gamma alone, at the proportions of the problem.

    >>> from rropt.designs import Problem
    >>> print(posing_in_gamma(Problem.kary(3, epsilon="log(3)", delta="1/10", objective="trace")).form)
    3*(2*delta + gamma)/(gamma + 2)
    """
    from rropt.information_twins import posing_of as of_information
    from rropt.symbolic.designs.problem import posing_of as of_definition

    problem: Problem = getattr(asked, "problem", asked)
    if problem.region.is_of_every_level:
        from rropt.designs.solving import solve
        from rropt.symbolic.designs.parametric.every_level import to_sympy

        return to_sympy(solve(problem, fast=True))  # type: ignore[no-any-return]  # the Piecewise itself
    if _is_of_entries(problem):
        from rropt.result_twins import levels_form

        posing = of_definition(asked, outputs)
        posing.derive_form(lambda: levels_form(problem))
        return posing
    if not is_of_rows(problem):
        return of_information(asked, outputs)
    posing = of_definition(asked, outputs)
    posing.derive_form(lambda: form_of(problem))
    return posing


def solution_twin(solution: Any) -> Twin:
    """Return the twin of a solution in symbols: its design by the definition, and the form that SymPy derives.

    Raises:
        RouteDisagreementError: a value contradicts the certified bracket, or SymPy proves no vertex, or the bracket is
            wide although it does (alarms).
        UnsupportedProblemError: the problem cannot be posed in symbols.
    """
    from rropt import information_twins, result_twins
    from rropt.core.results.twins import require_closed
    from rropt.symbolic.designs.problem import solution_twin as of_definition

    problem = solution.problem
    require_definition(solution)
    if is_of_rows(problem):
        posing = posing_in_gamma(solution)
        if posing.form is None:
            _require_no_multipliers(posing.why, solution)
            return information_twins.bounded_twin(solution, posing, lambda: row_bounds_of(problem))
        _require_form(posing.form, solution.problem)
        require_closed(solution)
        return of_definition(solution, posing)
    if _is_of_entries(problem):
        return result_twins.solution_twin(solution)
    return information_twins.solution_twin(solution)


def _require_no_multipliers(why: str, solution: Any) -> None:
    """Require that the engine found no multipliers of blocks where CVXPY shows that there are none.

    Raises:
        RouteDisagreementError: the certificate has some.
    """
    from rropt.convex.blocks import NO_MULTIPLIERS

    certificate = solution.certificate
    if NO_MULTIPLIERS in why and certificate is not None and certificate.proof.get("way") == "blocks":
        is_closed = solution.upper - solution.lower <= _OF_SOLVERS * abs(solution.upper)
        if is_closed:
            raise RouteDisagreementError(f"the certificate has multipliers for the blocks, and CVXPY finds that {why}")


def derivation(asked: Any) -> Derivation:
    """Return the proof of a solution, or of a problem, as half a page of text with ``markdown()`` and ``latex()``.

    It has the problem, the active set that CVXPY finds, the KKT solution in symbols, the value, the proof by weak
    duality, and where it holds. Designs without a closed form have rational bounds with their proof. Of other designs
    it says what the definition shows, and that the bound is that of the certificate.

    Raises:
        RouteDisagreementError: SymPy proves none of the vertices that CVXPY finds, which is an alarm.
    """
    from rropt.information_twins import derivation_of as of_information
    from rropt.result_twins import solution_derivation as of_other

    if not hasattr(asked, "problem"):
        from rropt.designs.solving import solve

        asked = solve(asked, fast=True)
    reasons = []
    for written in (_block_derivation, _row_derivation, of_information, of_other):
        try:
            return written(asked)
        except UnsupportedProblemError as error:
            reasons.append(str(error))
    return _by_certificate(asked, next((why for why in reasons if why and not why.startswith("no proof by")), ""))


def _block_derivation(solution: Any) -> Derivation:
    from rropt.convex.designs.problem import is_of_intervals
    from rropt.symbolic.block_derivations import of_blocks

    problem = solution.problem
    if not is_of_rows(problem) or not is_of_intervals(problem):
        raise UnsupportedProblemError("no proof by the prices of blocks: this is for divergences of many categories")
    found = blocks_of(problem)
    return of_blocks(str(problem), found, found.form(), _numbers_of(solution, found.form().at()))


def _numbers_of(solution: Any, value: Any) -> dict[str, Any]:
    """Return the numbers of a solution by their origin."""
    own: dict[str, Any] = {"the value is": value}
    if isinstance(number := solution.cvxpy_twin().value, float):
        own["CVXPY finds"] = number
    own["rropt's certified value is"] = solution.value
    return own


def _row_derivation(solution: Any) -> Derivation:
    from rropt.symbolic.active import form_of as of_vertex
    from rropt.symbolic.row_derivations import of_vertex as written

    problem = solution.problem
    if not is_of_rows(problem):
        raise UnsupportedProblemError("no proof by the prices of rows: the objective is not linear in their weights")
    if not problem.region.has_one_level:
        raise UnsupportedProblemError("the rows of several levels are not written out; `enclosure()` proves the value")
    found = _vertex(problem)
    if len(found.active.rows) > _MOST_WRITTEN:
        raise UnsupportedProblemError(
            f"it has {with_noun(len(found.active.rows), 'row')} with weight, too many for a page"
        )
    form = of_vertex(found, lambda: _joined(found))
    return written(str(problem), found, form, _numbers_of(solution, form.at()))


def _by_certificate(solution: Any, why: str) -> Derivation:
    """Return what the definition shows of a design, and that its bound is that of the certificate."""
    from rropt.symbolic.posing import compared
    from rropt.symbolic.result_derivations import of_certificate

    problem = solution.problem
    try:
        form = problem.to_sympy().form
    except UnsupportedProblemError:
        form = None
    certificate = solution.certificate
    bound = (
        f"The bounds are those of the certificate of the solution. The checker, which shares no code with the solver, "
        f"says: {certificate.check()}."
        if certificate is not None and solution.is_certified
        else f"No certificate proves the other bound: {solution.status}."
    )
    if form is not None and not form.free_symbols - set(form.parameters):
        compared(form.at(), solution.lower, solution.upper)
    twins = {"a lower bound is": solution.lower, "an upper bound is": solution.upper}
    if solution.lower == solution.upper:
        twins = {"the value is": solution.value}
    said = str(problem)
    return of_certificate(said, f"{said[0].upper()}{said[1:]}.", _judged(solution), why, bound, form, twins)


def _judged(solution: Any) -> dict[str, str]:
    """Return what the definition says of a design, as a paragraph."""
    from rropt.symbolic.definitions import judge

    mechanism = solution.mechanism
    outputs, categories = (
        with_noun(mechanism.outputs, "output"),
        with_noun(mechanism.inputs, "category", "categories"),
    )
    size = f"The design has {outputs} and {categories}."
    try:
        if mechanism.inputs * mechanism.outputs > _MOST_ENTRIES:
            raise UnsupportedProblemError("it has too many entries")
        found = judge(_json(solution.problem), mechanism.matrix, mechanism.output_values)
    except UnsupportedProblemError as error:
        return {"Design": f"{size} It is not judged by the definition here: {error}."}
    if found.violation.lower > 0:
        raise RouteDisagreementError("by the definition the design violates a condition of privacy")
    return {
        "Design": f"{size} By the definition, evaluated in fractions or in 60 digits, it satisfies all conditions of "
        "privacy "
        f"and has the value {decimal_text(found.value.middle, 15)}."
    }


def mean_derivation(design: Any) -> Derivation:
    """Return the proof of a design of reports of a number: of a range its closed form, and the problem of the grid.

    Raises:
        RouteDisagreementError: a proof contradicts the design.
    """
    from rropt.symbolic.derivations import joined
    from rropt.symbolic.designs.mean_designs import FIRST
    from rropt.symbolic.result_derivations import of_range

    own = derivation(design.solution)
    form = design.range_form()
    if form is None:
        return own
    twins = {"the value is": form.at(), "a lower bound is": design.lower, "that of the design is": design.upper}
    low, high = min(design.inputs), max(design.inputs)
    title = f"Reports of a number in [{low}, {high}]: {design.problem.region}"
    return joined([of_range(title, form, design.reach / 2, form.domain == FIRST, twins), own])


def require_definition(solution: Any) -> None:
    """Require that the design of a solution is private, and has the value that is claimed, by the definition.

    Objectives and regions that ``symbolic.definitions`` does not define are left to the posing in symbols.

    Raises:
        RouteDisagreementError: it violates a condition, or has another value.
    """
    from rropt.symbolic.definitions import judge

    mechanism = solution.mechanism
    if mechanism.inputs > _MOST_ENTRIES or mechanism.inputs * mechanism.outputs > _MOST_ENTRIES:
        return
    try:
        found = judge(_json(solution.problem), mechanism.matrix, mechanism.output_values)
    except UnsupportedProblemError:
        return
    if found.violation.lower > 0:
        raise RouteDisagreementError(
            f"by the definition the design violates a condition of privacy by {float(found.violation.lower):.3g}"
        )
    room = Fraction(0) if solution.lower == solution.upper else max(abs(solution.value), Fraction(1)) / _OF_BOUNDS
    # within a bracket, the value of a logarithm of extreme proportions is rounded by more than the room above
    room = max(room, min(solution.upper - solution.lower, max(abs(solution.value), Fraction(1)) / _OF_FLOATS))
    if not solution.is_certified:
        room = max(room, max(abs(solution.lower), abs(solution.upper)) / _OF_FLOATS)
    is_efficient = getattr(mechanism, "is_efficient", True)  # else the value is that of another unbiased estimator
    most = found.value.upper + room if is_efficient else solution.value
    if not found.value.lower - room <= solution.value <= most:
        raise RouteDisagreementError(
            f"the design does not have the value that is claimed: {decimal_text(found.value.middle, 17)} by the "
            f"definition, and {decimal_text(solution.value, 17)} is claimed"
        )


def _json(problem: Problem) -> dict[str, Any]:
    """Return a problem as JSON; proportions in runs are no list, and are not judged."""
    if problem.region.inputs > _MOST_ENTRIES:
        raise UnsupportedProblemError("too many categories")
    return problem.to_dict()


_MOST_ENTRIES = 5000  # of a design that is judged in fractions
_OF_BOUNDS, _OF_FLOATS = 10**12, 10**9  # 1/relative distance of a rounded bound, and of one that rests on floats
_OF_SOLVERS = Fraction(1, 10**6)  # relative: ten times the largest violation of a condition that HiGHS allows


def _require_form(form: Form, problem: Problem) -> None:
    """Require that the mechanism of a form is private at the level, and has the value of the form.

    Raises:
        RouteDisagreementError: it is not, or has another value.
    """
    from rropt.symbolic.definitions import judge
    from rropt.symbolic.symbols import as_fraction, exact, sign_of

    is_rational = all(x.is_Rational for x in form.parameters.values())
    at = form.mechanism_at() if is_rational and form.mechanism is not None else None
    if at is None or not all(x.is_Rational for x in at):
        return
    rows = [[as_fraction(x) for x in row] for row in at.tolist()]
    try:
        found = judge(_json(problem), rows)
    except UnsupportedProblemError:
        return
    value = form.at()
    ends = [sign_of(value - exact(end)) for end in (found.value.lower, found.value.upper)]
    if found.violation.lower > 0 or ends[0] < 0 or ends[1] > 0:
        raise RouteDisagreementError(
            f"the mechanism that SymPy derives is not private, or its value is not that of the form: "
            f"{decimal_text(found.value.middle, 17)} by the definition against {value.evalf(17)}"
        )


def cvxpy_twin(solution: Any) -> Twin:
    """Return the twin of a solution as a convex program; the design that CVXPY finds is judged by the definition.

    Raises:
        RouteDisagreementError: the value contradicts the bracket, or the design violates a condition, or its value by
            the definition is another one.
        UnsupportedProblemError: no convex program has this optimum, or the solver did not reach its accuracy.
    """
    from rropt.convex.designs.problem import solution_twin as of_program

    twin = of_program(solution)
    if twin.agrees is not None and is_of_rows(solution.problem):
        _require_numeric(solution)
    return twin


def _require_numeric(solution: Any) -> None:
    from rropt.convex.extremes import beyond_floats
    from rropt.convex.numeric import numeric_of
    from rropt.symbolic.definitions import judge

    found = numeric_of(solution.problem)
    if found.design.size > _MOST_ENTRIES:
        return
    try:
        own = judge(_json(solution.problem), [[Fraction(max(x, 0.0)) for x in row] for row in found.design.tolist()])
    except UnsupportedProblemError:
        return
    size = max(abs(solution.lower), abs(solution.upper))
    room = size * _OF_SOLVERS + Fraction(10 * found.error if found.error < 1 else 1)
    is_near = solution.lower - room <= own.value.upper and own.value.lower <= solution.upper + room
    if own.violation.lower > _OF_SOLVERS or not is_near:
        if beyond_floats(solution.problem.to_dict()):  # such as the rounding of an entry, times gamma
            return
        raise RouteDisagreementError(
            f"by the definition the design that CVXPY finds has the value {decimal_text(own.value.middle, 12)}, and "
            f"violates a condition by {float(own.violation.lower):.3g}; the bracket is "
            f"[{decimal_text(solution.lower, 12)}, {decimal_text(solution.upper, 12)}]"
        )


def is_of_rows(problem: Problem) -> bool:
    """Return whether a problem is linear in the weights of rows: at one level, or a sum under several ones."""
    kind = problem.objective.kind
    is_sum = kind in _KINDS or hasattr(problem.objective, "of_row")
    if kind == "bayes":
        own: Any = problem.objective.objective  # type: ignore[attr-defined]
        is_sum = own.kind in _KINDS or hasattr(own, "of_row")
    if problem.populations is not None or problem.region.bounds is not None:
        return False
    is_linear = kind in ("trace", "loss", "payoff")
    return is_sum and (problem.region.has_one_level or (not is_linear and _has_listed_levels(problem)))


def _is_of_entries(problem: Problem) -> bool:
    """Return whether a problem is linear in the entries under several levels, a metric or bounds of entries."""
    from rropt.result_twins import has_several_levels

    return problem.populations is None and has_several_levels(problem)


def _has_listed_levels(problem: Problem) -> bool:
    """Return whether a region has several levels with their own pairs, or a metric."""
    return getattr(problem.region, "kind", "") == "privacy-levels"


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
