"""Design problems in CVXPY: pose a problem from its definition, and compare its value with the proved bracket.

A problem is read from its JSON. Objectives that are linear in P are posed over its entries, all others over weights of
rows (``rropt.convex.regions``). A first problem is posed with numbers; if a second one differs from it by its level
only, as in a sweep, the compiled program is kept, and its Parameters change.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from importlib import import_module
from math import isfinite
from threading import RLock
from typing import Any

import cvxpy as cp
import numpy as np

from rropt.convex import blocks, columns, polytopes, witnesses
from rropt.convex.designs import saddle_designs
from rropt.convex.extremes import beyond_floats
from rropt.convex.lattice import over_lattice
from rropt.convex.objectives import a_c_contrasts, bayes_mixture, estimator_variance, user_defined
from rropt.convex.objectives.goal import Goal, number
from rropt.convex.objectives.trace import listed
from rropt.convex.posing import TOLERANCE, Solved, compare, explained, solve
from rropt.convex.regions import (
    SMALLEST,
    TOO_DIFFERENT,
    TOO_MANY,
    TOO_SMALL,
    Array,
    Limits,
    Rows,
    entries,
    limits_of,
    numbers,
    rows_of,
)
from rropt.core.errors import RouteDisagreementError, UnsupportedProblemError
from rropt.core.exact import Epsilon
from rropt.core.results.guesses import BlockGuess, Guess
from rropt.core.results.twins import Twin
from rropt.mechanisms import Mechanism

OBJECTIVES = {
    "trace": "trace",
    "loss": "expected_loss",
    "payoff": "payoff",
    "total-variation": "divergences",
    "chi-square": "divergences",
    "kullback-leibler": "divergences",
    "hellinger": "divergences",
    "jensen-shannon": "divergences",
    "alpha-divergence": "divergences",
    "mutual-information": "mutual_information",
    "a-optimal": "a_c_contrasts",
    "c-optimal": "a_c_contrasts",
    "contrasts": "a_c_contrasts",
    "conditional-variance": "conditional_variance",
    "d-optimal": "d_optimality",
    "e-optimal": "e_optimality",
    "variance": "estimator_variance",
}
"""The kind of an objective -> the file in ``rropt.convex.objectives`` that poses it."""

_RENYI_TOLERANCE = 1e-4  # three categories: the lattice of rows leaves up to 5.4e-6; two categories: 2e-7
_ONE_SIDED = 1e-2  # finitely many orders or levels are a relaxation
_MOST_CATEGORIES = 1000  # beyond it, proportions are not listed
_OF_SIZE_ONE = frozenset({"d-optimal"})  # a logarithm, which may be 0
_EXTREME = 1e-6  # gamma - 1 + delta, and 1/gamma
_OF_INFORMATION = frozenset({"a-optimal", "c-optimal", "contrasts", "d-optimal", "e-optimal", "conditional-variance"})
_NEAR = Fraction(1, 1000)  # relative distance from the bracket that no solver exceeds at an extreme level
_OF_TERMS = 8 * 2.0**-53  # of a sum of terms that cancel: a ln(a/b) where a is near b; the sum of all a is 1
_MOST_CURVED = 3  # categories under Renyi, zCDP and Gaussian differential privacy


@dataclass(eq=False)
class Posed:
    """A posed problem.

    Attributes:
        is_minimised: whether the goal is minimized.
        goal: the objective.
        conditions: the conditions.
        limits: the conditions of the region, with their Parameters.
        lines: of an objective that is linear in the entries, its coefficients.
        rows: the listed rows, if the variables are their weights.
        scaled: the program of the expression of size about 1.
        level: the level at which the variables have their values, if the program is kept.
        found: the value at this level.
    """

    is_minimised: bool
    goal: Goal
    conditions: list[Any]
    limits: Limits
    lines: Array | None = None
    rows: Rows | blocks.Intervals | None = None
    scaled: Any = field(init=False)
    level: Any = field(init=False, default=None)
    found: Solved | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.scaled = cp.Problem(self._side(self.goal.expression), self._conditions)

    @property
    def _conditions(self) -> list[Any]:
        return [*self.conditions, *self.goal.conditions]

    def _side(self, expression: Any) -> Any:
        return (cp.Minimize if self.is_minimised else cp.Maximize)(expression)

    def solved(self, *, once: bool = True) -> Solved:
        """Return the optimal value at the values of the Parameters."""
        found = solve(self.scaled, once=once)
        unit, shift = number(self.goal.unit), number(self.goal.shift)
        return Solved(found.value * unit + shift, found.error * unit, found.solver)

    def program(self) -> Any:
        """Return the program whose optimal value is that of the objective, with named Parameters."""
        expression, unit, shift, *_ = self.goal
        has_parameters = bool(self.scaled.parameters())
        more: list[Any] = self.limits.named if has_parameters else []
        if isinstance(unit, float) and unit == 1.0:
            value = expression
        elif expression.parameters() and not isinstance(
            unit, float
        ):  # CVXPY allows no product of two expressions with Parameters
            value = cp.Variable(name="value")
            more = [value >= expression if self.is_minimised else value <= expression, *more]
            value = unit * value
        else:
            value = unit * expression
        listed = None if self.rows is None else self.rows.parameter
        return explained(cp.Problem(self._side(value + shift), [*self._conditions, *more]), listed)


# --- posing ----------------------------------------------------------------------------------------------------------


def program_of(asked: Any) -> Any:
    """Return a design problem, or that of a solution, as a ``cvxpy.Problem`` whose value is that of the objective.

    Its variables are ``P`` (the mechanism) or ``weights`` (of listed rows), and its Parameters ``gamma`` and ``delta``.
    ``program.meanings`` says in words what each variable and Parameter is. ``program.rows`` is a Parameter whose value
    are the listed rows at the level of the program: row r of the mechanism is ``weights[r] * program.rows.value[r]``,
    and rows of weight 0 are no outputs. With two outputs the variables r and s are the probabilities of a false answer
    divided by ``p00 + p11 - 1``, and the Parameter t is the ratio of two factors of n Var (``estimator_variance``).

    Raises:
        UnsupportedProblemError: no convex program has this optimum; the message says why.
    """
    problem = at_a_level(getattr(asked, "problem", asked))
    if _has_two_outputs(problem):
        return estimator_variance.program(*_two_outputs(problem), is_symmetric=_is_symmetric(problem))
    if is_of_intervals(problem):
        return _posed_over_intervals(problem)[0].program()
    posed, _ = posed_of(problem, columns.MOST_ON_REQUEST)
    return posed.program()


def at_a_level(problem: Any) -> Any:
    """Return a problem at a rational level below B(h), in place of its criterion."""
    if problem.region.criterion is None:
        return problem
    from rropt.privacy.bound_certificate import levels_around_infimum

    level = Epsilon.of_gamma(levels_around_infimum(problem.region.criterion).below.gamma)
    return type(problem)(problem.region.at(level), problem.objective, problem.population)


def posed_of(problem: Any, most: dict[str, int] = columns.MOST_BY_DEFAULT) -> tuple[Posed, Solved | None]:
    """Return a problem as a program; over a lattice of rows, or over generated ones, with its value.

    Args:
        problem: the problem.
        most: the largest number of categories of programs whose rows are generated.
    """
    data, k = problem.to_dict(), problem.region.inputs
    if k > _MOST_CATEGORIES:
        raise UnsupportedProblemError(TOO_MANY)
    limits, objective = limits_of(data["region"], k), data["objective"]
    is_minimised = problem.objective.sense == "minimise"
    if (limits.curves or limits.is_relaxed) and k > _MOST_CURVED:
        raise UnsupportedProblemError("so many categories under this criterion were not tried")
    if problem.populations is not None:
        vertices = polytopes.vertices_of(data["population"], k)
        rows = rows_of(limits)
        own = saddle_designs.goal(a_c_contrasts.targets(objective, k), rows, vertices)
        return Posed(is_minimised, own, rows.conditions(vertices.mean(0)), limits, rows=rows), None
    given = data["population"]  # in runs it is only there, for a 0/1 loss
    pi = listed(given) if isinstance(given, dict) and "runs" in given else np.array(numbers(problem.population))
    if (lines := _lines(objective, pi)) is not None:
        P, conditions = entries(len(lines), limits)
        size = float(abs(lines).max()) or 1.0
        own = Goal(cp.sum(cp.multiply(lines / size, P)), size)
        return Posed(is_minimised, own, conditions, limits, lines), None
    outputs = _outputs(data["region"])
    if limits.bounds is not None:
        raise UnsupportedProblemError("not convex (bounds of the entries)")
    if outputs:
        raise UnsupportedProblemError(
            f"not convex ({_WORDS.get(outputs, outputs)} outputs of {_WORDS.get(k, k)} categories)"
        )

    def over(rows: Rows) -> Posed:
        return Posed(is_minimised, _goal(problem, objective, rows, pi), rows.conditions(pi), limits, rows=rows)

    if blocks.serves(objective, limits):
        return _over_intervals(problem)[:2]
    if k >= columns.FROM and limits.has_one_level and limits.levels[0].delta is None:
        return _over_columns(objective, limits, pi, over, most)
    if not limits.curves:
        return over(rows_of(limits)), None

    def solved(rows: Rows) -> tuple[Posed, Solved]:
        posed = over(rows)
        return posed, posed.solved()

    both: tuple[Posed, Solved] = over_lattice(limits, solved)
    return both


def _posed_over_intervals(problem: Any) -> tuple[Posed, blocks.Intervals]:
    """Return a divergence of many categories over the intervals of their likelihood ratios."""
    data = problem.to_dict()
    objective, limits = data["objective"], limits_of(data["region"], problem.region.inputs)
    intervals = blocks.intervals_of(objective, problem.population, limits)
    goal = blocks.goal_of(objective, intervals)
    return Posed(False, goal, intervals.conditions(), limits, rows=intervals), intervals


@lru_cache(maxsize=1)
def _over_intervals(problem: Any) -> tuple[Posed, Solved, blocks.Intervals]:
    """Return the program over intervals, solved: its value, its design and its multipliers are asked for in turn."""
    posed, intervals = _posed_over_intervals(problem)
    return posed, blocks.solved(intervals, posed), intervals


def is_of_intervals(problem: Any) -> bool:
    """Return whether a problem is posed over intervals of likelihood ratios (``convex.blocks``)."""
    data, k = problem.to_dict(), problem.region.inputs
    if problem.populations is not None or k > _MOST_CATEGORIES or _outputs(data["region"]):
        return False
    return blocks.serves(data["objective"], limits_of(data["region"], k))


def blocks_of(problem: Any) -> BlockGuess:
    """Return the blocks of a divergence of many categories, and the multipliers of their bound, in floats.

    Raises:
        UnsupportedProblemError: the problem has no program over intervals, or no multipliers were found.
    """
    if not is_of_intervals(problem):
        raise UnsupportedProblemError("no program over intervals of likelihood ratios has this problem")
    with np.errstate(all="ignore"):
        return blocks.guess_of(_over_intervals(problem)[2], problem.to_dict()["objective"])


def guess_of(problem: Any, most: dict[str, int] = columns.MOST_ON_REQUEST) -> Guess:
    """Return a design of the Fisher information and its prices in floats, from which exact bounds are computed.

    Args:
        problem: the problem.
        most: the largest number of categories of programs whose rows are generated.

    Raises:
        UnsupportedProblemError: the problem has no program over weights of rows for one level, or a solver failed.
    """
    with np.errstate(all="ignore"), _LOCK:
        return witnesses.of_posed(problem, solved_program(problem, most)[0])


def design_of(problem: Any) -> tuple[Solved, Array]:
    """Return the value of a problem, and the design that attains it, in floats.

    Raises:
        UnsupportedProblemError: no convex program has this optimum, or the solver did not reach its accuracy.
    """
    with _LOCK:
        posed, found = solved_program(problem)
        design = np.asarray(posed.scaled.var_dict["P"].value) if posed.rows is None else posed.rows.design()
        return found, design


def _over_columns(objective: Any, limits: Limits, pi: Array, over: Any, most: dict[str, int]) -> tuple[Posed, Solved]:
    """Return a problem of nine categories or more over the rows that it needs (``columns``)."""
    if objective["kind"] in _OF_INFORMATION:
        is_worst = objective["kind"] == "conditional-variance"
        columns.require_size(limits, "one target" if is_worst else "information", most)

        def prices(posed: Posed, weights: Array) -> Any:
            assert isinstance(posed.rows, Rows)
            q = witnesses.mixture_of(posed) if is_worst else pi
            return (q, *witnesses.prices_of(objective, posed.rows, weights, q)[:2])

        return columns.of_information(limits, pi, over, prices)
    columns.require_size(limits, "sum", most)
    return columns.of_sum(limits, pi, over)


_WORDS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine"}


def _outputs(region: dict[str, Any]) -> int:
    """Return the number of outputs, or 0 if it is not restricted."""
    found = str(region.get("outputs") or region["region"]["outputs"])
    return 0 if found == "any" else int(found)


def _lines(objective: dict[str, Any], pi: Array) -> Array | None:
    """Return the coefficients of the entries, one line for each output, if the objective is linear in them."""
    module = _module(objective["kind"])
    found: Array | None = module.lines(objective, pi) if hasattr(module, "lines") else None
    return found


def _module(kind: str) -> Any:
    return import_module(f"rropt.convex.objectives.{OBJECTIVES[kind]}") if kind in OBJECTIVES else None


def _goal(problem: Any, objective: dict[str, Any], rows: Rows, pi: Array) -> Goal:
    """Return the objective over weights of rows."""
    kind, is_minimised = objective["kind"], problem.objective.sense == "minimise"
    if kind == "bayes":

        def part(own: dict[str, Any], rows: Rows, pi: Array) -> Goal:
            return _goal(problem, own, rows, pi)

        return bayes_mixture.goal(objective, rows, part, is_minimised=is_minimised)
    module = _module(kind)
    if module is None:
        own = problem.objective if problem.objective.kind == kind else problem.objective.objective  # in a mixture
        return user_defined.goal(own, rows, pi)
    found: Goal = module.goal(objective, rows, pi)
    return found


def _has_two_outputs(problem: Any) -> bool:
    region = problem.region.to_dict()
    has_level = region["kind"] == "differential-privacy"
    return bool(has_level and problem.objective.is_of_prevalence and _outputs(region) == problem.region.inputs == 2)


def _is_symmetric(problem: Any) -> bool:
    return bool(problem.region.to_dict().get("family") == "warner")


def _two_outputs(problem: Any) -> tuple[Any, Array]:
    (condition,) = limits_of(problem.region.to_dict(), 2).levels
    level = problem.region.bracket(_FEW_DIGITS).below
    if 0 < level.gamma - 1 + level.delta < SMALLEST * (level.gamma > 1):  # gamma - 1 has too few digits, or none
        raise UnsupportedProblemError(TOO_SMALL)
    return condition, np.array(numbers(problem.population))


_FEW_DIGITS = 20  # of a level that is compared with the smallest one


# --- comparing -------------------------------------------------------------------------------------------------------


def compared(problem: Any, lower: Fraction, upper: Fraction) -> Twin:
    """Return the twin of a problem whose optimum is proved to lie between two bounds.

    Raises:
        UnsupportedProblemError: no convex program has this optimum, or the solver did not reach its accuracy.
        RouteDisagreementError: the value contradicts the bounds, and the solver is accurate.
    """
    with np.errstate(all="ignore"):
        try:
            problem = at_a_level(problem)
            found, limits, lines = _solved(problem)
            trivial, size = _trivial(problem, limits, lines), _size(problem, lines)
        except (OverflowError, ZeroDivisionError):
            raise UnsupportedProblemError(TOO_DIFFERENT) from None
    if not isfinite(found.value):  # the value in the units of the problem, which the solver scales, has no float
        raise UnsupportedProblemError(TOO_DIFFERENT)
    rounding = _OF_TERMS if OBJECTIVES.get(problem.objective.kind) in ("divergences", "mutual_information") else 0.0
    found = replace(found, error=found.error + abs(found.value) * _of_levels(limits) + rounding)
    is_lattice, is_relaxed = bool(limits.curves), limits.is_relaxed
    tolerance = None if not is_lattice else _RENYI_TOLERANCE if limits.k > 2 else TOLERANCE
    sides = (_ONE_SIDED if is_relaxed else tolerance, tolerance)  # a relaxation may be better than the optimum
    better, worse = sides if problem.objective.sense == "minimise" else sides[::-1]
    try:
        return compare(
            found,
            lower,
            upper,
            problem,
            better=better,
            worse=worse,
            size=size,
            trivial=trivial,
            note="a relaxation, near on one side" if is_relaxed else "",
        )
    except RouteDisagreementError:
        is_near = max(lower - Fraction(found.value), Fraction(found.value) - upper) <= _NEAR * max(
            abs(lower), abs(upper)
        )
        why = beyond_floats(problem.to_dict()) if is_near else ""
        if not why:
            raise
        return Twin("CVXPY", True, found.value, None, why, solver=found.solver)


def _of_levels(limits: Limits) -> float:
    """Return the relative error of a value that comes from the floats of gamma, which the solver cannot see.

    ``gamma - 1 + delta`` has a relative error of ``2^-53/(gamma - 1 + delta)``, and a value depends on its square.
    """
    slacks = [0.0 if each.delta is None else float(each.delta.value) for each in limits.levels]
    gaps = [float(each.gamma.value) - 1 + slack for each, slack in zip(limits.levels, slacks, strict=True)]
    return max((2 * 2.0**-53 / gap for gap in gaps if gap > 0), default=0.0)


def solution_twin(solution: Any) -> Twin:
    """Return the twin of a solution."""
    return compared(solution.problem, solution.lower, solution.upper)


def _solved(problem: Any) -> tuple[Solved, Limits, Array | None]:
    if _has_two_outputs(problem):
        condition, pi = _two_outputs(problem)
        found, _ = estimator_variance.least(condition, pi, is_symmetric=_is_symmetric(problem))
        return found, Limits(2, [condition]), None
    posed, found = solved_program(problem)
    return found, posed.limits, posed.lines


def solved_program(problem: Any, most: dict[str, int] = columns.MOST_BY_DEFAULT) -> tuple[Posed, Solved]:
    """Return a problem as a solved program, whose variables have their values while ``_LOCK`` is held.

    The program is kept. If another problem differs by its level only, its Parameters change; the same level is not
    solved again.
    """
    data = problem.to_dict()
    key, level = _without_level(data)
    with _LOCK:
        kept = _KEPT.get(key)
        if kept is None:
            posed, found = posed_of(problem, most)
            has_all_rows = found is None  # generated rows are those of one level
            found = found or posed.solved()
            if level is not None and posed.limits.has_one_level and has_all_rows:
                posed.level, posed.found = level, found
                _KEPT[key] = posed
                while len(_KEPT) > _MOST_KEPT:
                    _KEPT.popitem(last=False)
            return posed, found
        _KEPT.move_to_end(key)
        if kept.level != level or kept.found is None:
            kept.found = None  # until the solver has reached its accuracy
            (own,), (asked,) = kept.limits.levels, limits_of(data["region"], kept.limits.k).levels
            own.gamma.value = asked.gamma.value
            if own.delta is not None:
                own.delta.value = asked.delta.value
            kept.level, kept.found = level, kept.solved(once=False)
        return kept, kept.found


_KEPT: OrderedDict[str, Posed] = OrderedDict()  # problems that have been posed, by all but their level
_MOST_KEPT = 8
_LOCK = RLock()  # a kept program has one set of Parameters


def _without_level(data: dict[str, Any]) -> tuple[str, Any]:
    """Return a problem as text without its level, and the level; None if it has several levels or another form."""
    region = data["region"]
    inner = region["region"] if region["kind"] == "bounded" else region
    if inner["kind"] != "differential-privacy":
        return json.dumps(data), None
    has_delta = inner["delta"] != "0"
    own = {**inner, "epsilon": None, "delta": has_delta}
    posed = {**region, "region": own} if inner is not region else own
    return json.dumps({**data, "region": posed}), (inner["epsilon"], inner["delta"])


# --- what is known without solving anything --------------------------------------------------------------------------


def _size(problem: Any, lines: Array | None) -> float:
    """Return the smallest size to which the tolerance is relative: logarithms and small losses have an absolute one."""
    if problem.objective.kind in _OF_SIZE_ONE:
        return 1.0
    return 0.0 if lines is None else float(abs(lines).max()) / 100


def _trivial(problem: Any, limits: Limits, lines: Array | None) -> tuple[float, ...]:
    """Return values that are known without solving anything: of outputs that reveal nothing, and of direct answers.

    Near one of them, at an extreme level, the value of every other extreme level is the same in floats.
    """
    if problem.populations is not None or len(limits.levels) != 1:
        return ()
    gamma, delta, _ = limits.levels[0]
    own = gamma.value - 1 + (0.0 if delta is None else delta.value)
    if not (0 < own < _EXTREME or gamma.value > 1 / _EXTREME):
        return ()
    if lines is not None:
        best = np.min if problem.objective.sense == "minimise" else np.max
        return float(best(lines.sum(1))), float(best(lines, axis=0).sum())
    if problem.objective.is_of_prevalence:
        return (float(problem.prevalence * (1 - problem.prevalence)),)
    value = getattr(problem.objective, "value", None)
    if gamma.value > 1 / _EXTREME and value is not None and problem.population is not None:
        direct = Mechanism([[int(i == j) for j in range(limits.k)] for i in range(limits.k)])
        return (float(value(direct, problem.population)),)
    return ()
