"""Designs: the best mechanism of a kind at a privacy level, with a certificate. ``rropt design`` has the same commands.

``binary`` and ``kary`` solve the problems of ``rropt.Problem``; the others have problems of their own. ``every_level``
returns the optimum as a function of the level.

>>> import rropt
>>> best = rropt.design.binary("1/4", epsilon="log(3)")
>>> print(best.value, best.mechanism.p00, rropt.check(best.certificate))
15/16 3/4 accepted
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

from rropt.core.argument_checks import clear_calls, clear_calls_beside, require_flags
from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import Delta
from rropt.designs.problem import Problem
from rropt.designs.solving import every_level_of, solve
from rropt.objectives import Objective
from rropt.objectives.possible_populations import Populations
from rropt.privacy.level_arguments import Level, given_level, span

if TYPE_CHECKING:
    from rropt.accounting.question_budgets import EqualQuestionDevices
    from rropt.designs.asked_designs import RandomQuestionsDesign
    from rropt.designs.bits import BitsDesign
    from rropt.designs.mean_designs import MeanDesign
    from rropt.designs.parametric.closed_levels import ClosedLevels
    from rropt.designs.parametric.every_level import EveryLevel
    from rropt.designs.pram import PramDesign
    from rropt.designs.prevalence_intervals import IntervalSolution
    from rropt.designs.solution import Solution
    from rropt.noncompliance.widths import WidthDesign

__all__ = [
    "binary",
    "equal_questions",
    "every_level",
    "kary",
    "mean",
    "noncompliance",
    "pram",
    "questions",
    "random_questions",
]

Routes = str | Iterable[str] | None


@overload
def binary(  # type: ignore[overload-overlap]  # a pair is an interval
    prevalence: tuple[object, object],
    *,
    epsilon: object = None,
    delta: object = 0,
    level: Level | str | None = None,
    outputs: int | Literal["any"] = 2,
    symmetric: bool = False,
    routes: Routes = "auto",
    fast: bool = False,
) -> IntervalSolution: ...


@overload
def binary(
    prevalence: object,
    *,
    epsilon: object = None,
    delta: object = 0,
    level: Level | str | None = None,
    outputs: int | Literal["any"] = 2,
    symmetric: bool = False,
    routes: Routes = "auto",
    fast: bool = False,
) -> Solution: ...


@clear_calls
def binary(
    prevalence: object,
    *,
    epsilon: object = None,
    delta: object = 0,
    level: Level | str | None = None,
    outputs: int | Literal["any"] = 2,
    symmetric: bool = False,
    routes: Routes = "auto",
    fast: bool = False,
) -> Solution | IntervalSolution:
    """Return the design of a yes-or-no question with the smallest variance at an assumed prevalence.

    Args:
        prevalence: the assumed Pr(X = 1), in [0, 1]. An interval, ``("1/10", "3/10")`` or ``"1/10..3/10"``, compares
            the candidates over it: the design of the smallest worst case, and that of the smallest regret.
        epsilon, delta, level, outputs, symmetric: as for ``Problem.binary``.
        routes: ``"auto"``, ``"all"``, ``"exact"``, or names of routes, as for ``Problem.solve``.
        fast: whether to run one route only, and to leave out the comparison with the same problem in SymPy and CVXPY.

    Returns:
        A ``Solution``; for an interval of prevalences an ``IntervalSolution``. (To a type checker an interval is a
        pair.)

    Raises:
        InvalidParameterError: an argument is out of range, or the level is not given exactly once.
        InfeasibleError: the level is (0, 0), where responses reveal nothing.

    >>> print(binary("1/4", epsilon="log(3)").value)
    15/16
    >>> print(binary(("0", "3/4"), epsilon="log(2)", delta="1/2", fast=True).minimax.upper)
    9/16
    """
    require_flags(symmetric=symmetric, fast=fast)
    if isinstance(prevalence, tuple) or (isinstance(prevalence, str) and ".." in prevalence):
        return _over_interval(prevalence, given_level(epsilon, delta, level), outputs, symmetric, routes, fast)
    problem = Problem.binary(
        prevalence, epsilon=epsilon, delta=delta, level=level, outputs=outputs, symmetric=symmetric
    )
    return solve(problem, routes, fast=fast)


def _over_interval(
    prevalence: object, level: Level, outputs: object, symmetric: bool, routes: Routes, fast: bool
) -> IntervalSolution:
    from rropt.designs.prevalence_intervals import solve_over_interval
    from rropt.privacy import PrivacyRegion

    what = "designs over an interval of prevalences"
    if outputs != 2 or routes not in ("auto", None):
        given = f"outputs = {shown(outputs)}" if outputs != 2 else f"routes = {shown(routes)}"
        raise InvalidParameterError(f"{what} have two outputs and one route: received {given}; leave it out")
    epsilon, delta = level.one(what)
    region = PrivacyRegion(epsilon, delta, family="warner" if symmetric else "all")
    return solve_over_interval(region, prevalence, fast=fast)


@clear_calls
def kary(
    categories: int | Sequence[str] | None = None,
    *,
    epsilon: object = None,
    delta: object = 0,
    level: Level | str | None = None,
    objective: str | Objective = "variance",
    population: Sequence[object] | str | Populations | None = None,
    outputs: int | str | None = None,
    bounds: object = None,
    routes: Routes = "auto",
    fast: bool = False,
) -> Solution:
    """Return the design for k categories that is best by an objective.

    Args:
        categories: their number k, or their names; by default there are as many as proportions.
        epsilon, delta, level, objective, population, outputs, bounds: as for ``Problem.kary``.
        routes, fast: as for ``binary``.

    Raises:
        InvalidParameterError: an argument is out of range, or the level is not given exactly once.
        InfeasibleDesignError: no private mechanism meets the bounds; the error contains the certificate.
        UnsupportedProblemError: no way solves the problem.

    >>> print(kary(4, epsilon="log(3)").value)
    27/4
    >>> print(kary(4, epsilon="log(3)", objective="trace").value)
    2
    >>> from rropt.objectives import Loss
    >>> found = kary(["no", "once", "often"], epsilon="log(3)", objective=Loss("absolute"), population="1/2,1/4,1/4")
    >>> print(found.value, found.mechanism.categories)
    1/2 ('no', 'once', 'often')
    """
    require_flags(fast=fast)
    problem = Problem.kary(
        categories,
        epsilon=epsilon,
        delta=delta,
        level=level,
        objective=objective,
        population=population,
        outputs=outputs,
        bounds=bounds,
    )
    found = solve(problem, routes, fast=fast)
    return found.labelled(categories) if isinstance(categories, list | tuple) else found


@clear_calls
def every_level(
    asked: Problem | Callable[..., Solution],
    *arguments: Any,
    epsilon: object = "all",
    delta: object = 0,
    routes: Routes = "auto",
    fast: bool = False,
    **more: Any,
) -> EveryLevel | ClosedLevels:
    """Return the optimum of a design at every level at once, as an exact function of ``gamma = exp(epsilon)``.

    Args:
        asked: ``rropt.design.binary`` or ``rropt.design.kary``, with its arguments; or a ``Problem`` of a ``span``.
        arguments, more: the arguments of the design, without those of the level.
        epsilon: ``"all"``, or an interval ``"LOW..HIGH"`` in nats, such as ``"1/2..3"``.
        delta: the slack, the same at each level.
        routes: ``"auto"`` or ``"exact"``.
        fast: whether to leave out the comparison with the same problem in SymPy and CVXPY.

    Returns:
        An ``EveryLevel``: pieces with their formulas, designs and breakpoints, and one certificate; by a theorem
        ``ClosedLevels``, which has the same parts.

    Raises:
        InvalidParameterError: the design is of another kind, or an argument is out of range.
        UnsupportedProblemError: the optimum at every level is not known.

    >>> curve = every_level(kary, 3, objective="trace", fast=True)
    >>> print(*(piece.value for piece in curve.pieces))
    3*gamma/(gamma + 2)
    """
    require_flags(fast=fast)
    if isinstance(asked, Problem):
        return every_level_of(asked, routes, fast=fast)
    posed: dict[object, Callable[..., Problem]] = {binary: Problem.binary, kary: Problem.kary}
    if not callable(asked) or asked not in posed:
        raise InvalidParameterError(
            "every level at once belongs to designs of a yes-or-no question and of k categories: received "
            f"{shown(getattr(asked, '__name__', asked))}; give rropt.design.binary, rropt.design.kary or a Problem"
        )
    problem = posed[asked](*arguments, level=span(epsilon, delta), **more)
    return every_level_of(problem, routes, fast=fast)


@clear_calls
def mean(
    values: Sequence[object] | str,
    *,
    epsilon: object = None,
    level: Level | str | None = None,
    points: object = None,
    proportions: Sequence[object] | str | None = None,
    margin: object = None,
    routes: Routes = None,
    fast: bool = False,
) -> MeanDesign:
    """Return the best unbiased reports of a number.

    Args:
        values: the numbers that a respondent can have, such as ``[1, 2, 3, 4, 5]``; equal ones count once. The text
            ``"L..H"``, such as ``"0..100"``, allows all numbers between L and H.
        epsilon: the level in nats.
        level: instead of epsilon, a level of ``rropt.privacy``.
        points: with ``"L..H"``, the number of points of the grid, 2 to 101; by default 9, 17, 33 or 65, so that
            rounding costs at most 1 % of V.
        proportions: the proportions of the values; then the mean variance at these is minimized, in place of the
            largest one.
        margin: the margin of error of the mean for which ``n`` is planned; by default 1/20 of the range.
        routes, fast: as for ``binary``.

    Raises:
        InvalidParameterError: the values, the range or the proportions are invalid.
        UnsupportedProblemError: there are too many values, or the level has a delta.

    >>> best = mean([1, 2, 3, 4, 5], epsilon="log(2)", fast=True)
    >>> print(round(float(best.value), 4), best.n)
    33.2431 3577
    """
    from rropt.designs.mean_designs import design_mean

    budget = _pure(given_level(epsilon, 0, level), "reports of numbers")
    is_range = isinstance(values, str) and ".." in values
    own: dict[str, Any] = {"range" if is_range else "values": values, "points": points, "proportions": proportions}
    return design_mean(budget, **own, margin=margin, routes=_listed(routes), fast=fast)


@clear_calls_beside({"delta": "with a delta write equal_questions(n, epsilon=..., delta=...)"})
def questions(
    n: int | None = None,
    *,
    epsilon: object = None,
    level: Level | str | None = None,
    weights: Sequence[object] | None = None,
    prevalences: Sequence[object] | None = None,
    objective: str = "marginals",
    routes: Routes = None,
    fast: bool = False,
) -> BitsDesign:
    """Return devices for n independent yes-or-no questions whose full report is private: the optimal split.

    Args:
        n: the number of questions; by default that of the weights or prevalences.
        epsilon: the budget of the full report: for inputs that differ in any number of questions.
        level: instead of epsilon, a level of ``rropt.privacy``.
        weights: the weights of the questions in the objective; equal by default.
        prevalences: the assumed Pr(yes) of each question; 1/2 by default.
        objective: ``"marginals"`` or ``"joint"``, as for ``design_bits``.
        routes, fast: as for ``binary``.

    Raises:
        InfeasibleError: epsilon = 0, where responses are independent of the truth.
        InvalidParameterError: an argument is invalid.

    >>> print(questions(4, epsilon=2, fast=True).parities[0] > 1)
    True
    """
    from rropt.designs.bits import design_bits

    budget = _pure(given_level(epsilon, 0, level), "splits of a budget over questions")
    own: dict[str, Any] = {"weights": weights, "prevalences": prevalences, "routes": _listed(routes)}
    return design_bits(budget, questions=n, objective=objective, **own, fast=fast)


@clear_calls
def equal_questions(
    n: int | None = None,
    *,
    epsilon: object = None,
    delta: object = 0,
    level: Level | str | None = None,
    prevalences: Sequence[object] | None = None,
    objective: str = "marginals",
) -> EqualQuestionDevices:
    """Return the most precise device of Warner for n questions whose full report is (epsilon, delta)-private.

    It is the inverse of ``rropt.compose``: all questions have the same device.

    Args:
        n: the number of questions; by default that of the prevalences.
        epsilon, delta: the budget of the full report, delta > 0.
        level: instead of epsilon and delta, a level of ``rropt.privacy``.
        prevalences: the assumed Pr(yes) of each question; 1/2 by default.
        objective: ``"marginals"`` or ``"joint"``, as for ``questions``.

    Raises:
        InvalidParameterError: delta is 0 or 1, or an argument is invalid.

    >>> found = equal_questions(30, epsilon=1, delta="1/1000000")
    >>> print(round(float(found.probability), 15), round(float(found.pure / found.value), 6))
    0.511431587549023 1.882158
    """
    from rropt.accounting.question_budgets import equal_devices

    budget, slack = given_level(epsilon, delta, level).one("devices of several questions")
    return equal_devices(budget, slack, questions=n, prevalences=prevalences, objective=objective)


@clear_calls
def random_questions(
    n: int | None = None,
    *,
    ask: int,
    epsilon: object = None,
    level: Level | str | None = None,
    weights: Sequence[object] | None = None,
    prevalences: Sequence[object] | None = None,
) -> RandomQuestionsDesign:
    """Return the design that asks each respondent some random questions, at the full level.

    Args:
        n: the number of questions; by default that of the weights or prevalences.
        ask: the number of questions that each respondent answers, from 1 to n, at most 20.
        epsilon: the level of the full report.
        level: instead of epsilon, a level of ``rropt.privacy``.
        weights, prevalences: as for ``questions``.

    Raises:
        InfeasibleError: epsilon = 0.
        InvalidParameterError: an argument is out of range.

    >>> found = random_questions(4, ask=1, epsilon="log(3)")
    >>> print(found.value, found.p)
    16 3/4
    """
    from rropt.designs.asked_designs import design_random_questions

    budget = _pure(given_level(epsilon, 0, level), "random questions")
    return design_random_questions(budget, ask, questions=n, weights=weights, prevalences=prevalences)


@clear_calls
def pram(
    counts: Sequence[object],
    *,
    epsilon: object = None,
    delta: object = 0,
    level: Level | str | None = None,
    bounds: object = None,
    strata: Sequence[object] | None = None,
    fast: bool = False,
) -> PramDesign:
    """Return the invariant private mechanism that leaves the most records of a table unchanged (PRAM).

    Args:
        counts: the number of records in each category, or their proportions, which sum to 1.
        epsilon, delta: the privacy level; forbidden cells need ``delta > 0`` or levels of pairs.
        level: instead of epsilon, a level of ``rropt.privacy``, such as ``metric("line", 1)`` or ``pairs(table)``.
        bounds: ``"LOW..HIGH"`` or a pair for all entries; or bounds of single entries, as in ``load_bounds``, such as
            ``{"diagonal": "1/2", "forbidden": [[0, 2]]}``.
        strata: the stratum of each category, if records may change within their stratum only.
        fast: whether to leave out the comparison with SymPy and CVXPY.

    Raises:
        InvalidParameterError: a count, a level or a bound is out of range.
        InfeasibleDesignError: no mechanism meets the bounds; the error contains the certificate.
        UnsupportedProblemError: there are more than 60 categories, or more than 12 with delta > 0 or levels of pairs.

    >>> found = pram([3, 2, 1], epsilon="log(3)")
    >>> print(found.unchanged, bool(found.certificate.check()))
    3/5 True
    """
    from rropt.designs.pram import design_pram

    return design_pram(counts, given_level(epsilon, delta, level), bounds=bounds, strata=strata, fast=fast)


@clear_calls
def noncompliance(
    prevalence: object,
    theta: object,
    n: object,
    *,
    epsilon: object = None,
    delta: object = 0,
    level: Level | str | None = None,
    behaviour: str = "adversarial",
    confidence: object = "0.95",
) -> WidthDesign:
    """Return the design of a yes-or-no question with the smallest worst-case width if some do not follow the device.

    Args:
        prevalence: the guessed prevalence for the design of least variance.
        theta: the proportion of non-compliers, in [0, 1].
        n: the number of respondents.
        epsilon, delta: the privacy level.
        level: instead of epsilon, a level of ``rropt.privacy``.
        behaviour: ``adversarial``, or one fixed behaviour (``always-no``, ``always-yes`` or ``random``) of a
            proportion of exactly theta.
        confidence: the confidence of the interval for the proportion of yes.

    Raises:
        InvalidParameterError: an argument is outside its domain.
        InfeasibleError: epsilon = delta = 0.

    >>> found = noncompliance("0.1", "0.05", 1000, epsilon="log(9)")
    >>> print(found.mechanism.p00, found.loss)
    9/10 0
    """
    from rropt.noncompliance.widths import design_noncompliance

    budget, slack = given_level(epsilon, delta, level).one("designs under non-compliance")
    own: dict[str, Any] = {"theta": theta, "n": n, "model": behaviour, "confidence": confidence}
    return design_noncompliance(epsilon=budget, delta=slack, prevalence=prevalence, **own)


def __dir__() -> list[str]:
    """Return the names that a prompt completes."""
    return __all__


def _pure(level: Level, what: str) -> Any:
    """Return epsilon, and require that delta is 0."""
    epsilon, delta = level.one(what)
    if delta != Delta.of(0):
        raise InvalidParameterError(f"{what} are designed at delta = 0: received {shown(str(delta))}; leave it out")
    return epsilon


def _listed(routes: Routes) -> list[str] | None:
    """Return the names of routes; None for all."""
    from rropt.designs.routes import listed_routes

    return None if routes in (None, "auto") else listed_routes(routes)
