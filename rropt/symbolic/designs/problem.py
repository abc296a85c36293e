"""Design problems in symbols: ``Problem.to_sympy``, and the comparison of a solution with its posing."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from rropt.core.errors import RouteDisagreementError, UnsupportedProblemError
from rropt.core.exact.display import decimal_text
from rropt.core.results import twin_work
from rropt.core.results.twins import EQUAL, INSIDE, Twin

if TYPE_CHECKING:
    from rropt.symbolic.posing import Posing

_MOST_CATEGORIES = 300  # of a design whose outputs are counted: subsets of more are too many
_MOST_TERMS = 1500  # of the sums in the information: five categories with 31 outputs have 775
_LONGEST = 24  # digits of an exact value that is printed; a longer one is given in decimals
_OF_BOUNDS = 10**12  # 1/relative distance of a rounded bound from the value of its mechanism
_OF_FLOATS = 10**9  # 1/relative error of a bracket that rests on a function in floats


def posing_of(asked: Any, outputs: int | None = None) -> Posing:
    """Return a design problem, or that of a solution, as SymPy expressions, with its closed form if there is one.

    Args:
        asked: the problem or the solution.
        outputs: the number of rows of P, if the problem leaves it open; by default that of the solution, else the
            number of categories. ``check`` takes designs with any number of outputs.

    Raises:
        UnsupportedProblemError: the problem cannot be posed in symbols; the message says why.

    >>> from rropt.designs import Problem
    >>> posing = posing_of(Problem.kary(4, epsilon="log(3)", objective="a-optimal"))
    >>> print(posing.form, "where", posing.form.where)
    3*(gamma + 3)**2/(4*(gamma - 1)**2) where gamma >= sqrt(3)
    >>> print(posing.form.at(), posing.form.at(gamma=5), len(posing.constraints))
    27/4 3 68
    """
    problem: Any = getattr(asked, "problem", asked)
    is_written_out = asked is not problem and problem.region.inputs <= _MOST_CATEGORIES
    own = asked.mechanism.outputs if is_written_out else None
    return _posed(problem, problem.region.outputs or outputs or own or problem.region.inputs)


def _posed(problem: Any, m: int) -> Posing:
    """Return the posing with m outputs."""
    from rropt.symbolic import symbols
    from rropt.symbolic.objectives import module_of
    from rropt.symbolic.posing import Posing
    from rropt.symbolic.regions import MOST_RELATIONS, definition
    from rropt.symbolic.symbols import exact, exacts, pi

    if problem.populations is not None:
        from rropt.symbolic.designs.saddle_designs import to_sympy

        return to_sympy(problem, m)
    k, module = problem.region.inputs, import_module(module_of(problem.objective))
    if m * k * (k - 1) > MOST_RELATIONS or (module.IS_OF_INFORMATION and m * k * k > _MOST_TERMS):
        return _in_short(problem)
    P = symbols.matrix(m, k)
    relations, parameters = definition(problem.region, P)
    is_prevalence = problem.objective.is_of_prevalence
    population = (1 - pi, pi) if is_prevalence else tuple(exacts(problem.population))
    goal = _goal_of(module, problem.objective, P, population)
    return Posing(
        P,
        goal.value,
        [*relations, *goal.relations],
        problem.objective.sense,
        {**parameters, **({pi: exact(problem.prevalence)} if is_prevalence else {})},
        form=partial(module.form, problem),
        completed=goal.completed,
        outputs=None if problem.region.outputs else partial(_posed, problem),
    )


@lru_cache(maxsize=4)
def _goal_of(module: Any, objective: Any, P: Any, population: tuple[Any, ...]) -> Any:
    """Return an objective in symbols, which is the same at all levels of a sweep."""
    return module.pose(objective, P, population)


def _in_short(problem: Any) -> Posing:
    """Return the posing of a problem with too many entries to be written out: its relations have indices i, j, l."""
    import sympy as sp

    from rropt.symbolic import symbols
    from rropt.symbolic.objectives import module_of
    from rropt.symbolic.posing import Posing
    from rropt.symbolic.symbols import delta, gamma

    region, objective = problem.region, problem.objective
    if not region.has_one_level:
        raise UnsupportedProblemError(f"too many entries to be written out: k = {region.inputs}")
    level, (i, j, other) = region.one_level(), sp.symbols("i j l", integer=True)
    m = sp.Integer(region.outputs) if region.outputs else sp.Symbol("m", integer=True, positive=True)
    P = sp.MatrixSymbol("P", m, region.inputs)
    relations = [sp.Ge(P[i, j], 0), sp.Eq(sp.Sum(P[i, j], (i, 0, m - 1)), 1)]
    parameters = {gamma: symbols.gamma_of(level.epsilon)}
    if level.delta.rational == 0:
        relations.append(sp.Le(P[i, j], gamma * P[i, other]))
    else:
        relations.append(sp.Le(sp.Sum(sp.Max(0, P[i, j] - gamma * P[i, other]), (i, 0, m - 1)), delta))
        parameters[delta] = symbols.delta_of(level.delta)
    goal = sp.Function(objective.kind.replace("-", "_"))(P)
    module = import_module(module_of(objective))
    return Posing((P,), goal, relations, objective.sense, parameters, form=partial(module.form, problem))


def solution_twin(solution: Any, posing: Posing | None = None, *, is_enclosed: bool = False) -> Twin:
    """Return the twin of a solution: its mechanism in the definition, and its value in the closed form.

    A binary design with two outputs is compared in fractions (``two_inputs``), without an import of SymPy.

    Args:
        solution: the solution.
        posing: the problem in symbols; by default with the form that a theorem gives.
        is_enclosed: whether exact bounds are compared too. Then the design is not put into more relations than
            ``twin_work`` allows by default; the judge evaluates it in fractions.

    Raises:
        RouteDisagreementError: the design violates a constraint, or a value is outside the certified bracket.
        UnsupportedProblemError: the problem cannot be posed in symbols.
    """
    problem = solution.problem
    if problem.populations is not None:
        from rropt.symbolic.designs import saddle_designs

        return saddle_designs.solution_twin(solution)
    if problem.objective.is_of_prevalence and problem.region.outputs == 2 and problem.region.has_one_level:
        from rropt.symbolic.designs import two_inputs

        return two_inputs.solution_twin(solution)
    from rropt.symbolic.posing import compared

    if (
        not problem.is_uniform  # equal proportions are positive
        and not all(problem.population)
        and problem.objective.kind in ("a-optimal", "c-optimal", "contrasts", "e-optimal")
    ):
        raise UnsupportedProblemError("the information of a category of proportion 0 is no function of the entries")
    posing = posing or posing_of(solution)
    room = Fraction(0) if solution.is_certified else max(abs(solution.lower), abs(solution.upper)) / _OF_FLOATS
    bounds = solution.lower - room, solution.upper + room
    values, agrees = [], []
    is_written_out = hasattr(posing.variables, "tolist")
    is_left_out = is_written_out and twin_work.is_too_much("relations", len(posing.constraints))
    is_left_out = is_left_out and (is_enclosed or posing.form is not None)
    if is_written_out and not is_left_out:
        checked = posing.check(_design(posing, solution))
        _require_attained(checked.value, solution)
        values.append(checked.value)
        agrees.append(checked.agrees(*bounds))
    form = posing.form
    if form is not None:
        values.append(form.at())
        agrees.append(compared(values[-1], *bounds))
    if not values:
        if is_left_out:
            twin_work.require("relations", len(posing.constraints))
        raise UnsupportedProblemError(f"too many entries to be written out; {posing.why}")
    value = values[-1]
    text = str(value) if value.is_Rational and len(str(value)) <= _LONGEST else float(value)
    told = {} if form is None else {"form": str(form), "domain": form.where if form.has_cheap_domain else None}
    return Twin("SymPy", True, text, INSIDE if INSIDE in agrees else EQUAL, posing.why, **told)


def _require_attained(value: Any, solution: Any) -> None:
    """Require that the value of the design by the definition is the one that the solution claims for it.

    It is equal if the bracket is exact. Other claims are rounded bounds of the mechanism, ``_OF_BOUNDS`` wide at most.

    Raises:
        RouteDisagreementError: it is another one.
    """
    from rropt.symbolic.symbols import exact, sign_of

    claimed = solution.value
    is_exact = value.is_Rational and solution.lower == solution.upper
    room = Fraction(0) if is_exact else max(abs(claimed), Fraction(1)) / _OF_BOUNDS
    # within a bracket, the value of a logarithm of extreme proportions is rounded by more than the room above
    room = max(room, min(solution.upper - solution.lower, max(abs(claimed), Fraction(1)) / _OF_FLOATS))
    if not solution.is_certified:
        room = max(room, max(abs(solution.lower), abs(solution.upper)) / _OF_FLOATS)
    above, below = exact(claimed + room), exact(claimed - room)
    if sign_of(value - above) > 0 or sign_of(value - below) < 0:
        raise RouteDisagreementError(
            f"the design does not have the value that is claimed: SymPy evaluates {value.evalf(17)} by the definition, "
            f"and {decimal_text(claimed, 17)} is claimed"
        )


def _design(posing: Posing, solution: Any) -> Any:
    """Return the mechanism of a solution, with the values of its outputs if the objective is about them."""
    if not (solution.problem.objective.is_worst_variance and solution.mechanism.output_values):
        return solution.mechanism
    from rropt.symbolic.objectives.conditional_variance import design

    return design(posing.variables, solution.mechanism)
