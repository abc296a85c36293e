"""Certified optimal randomized response.

>>> import rropt
>>> solution = rropt.design(epsilon="log(2)", delta="1/4", prevalence="1/4")
>>> print(solution.value, rropt.check(solution.certificate))
15/16 accepted

Names are loaded when they are first used: ``import rropt`` is cheap, and ``python -m rropt.checker`` loads nothing
beyond Python's standard library.
"""

from __future__ import annotations

from importlib import import_module
from inspect import signature
from typing import TYPE_CHECKING, Any

from rropt.core.argument_checks import as_lists, clear_calls, require_flags
from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from typing import Unpack

    from rropt.accounting import compose as compose
    from rropt.accounting import shuffle as shuffle
    from rropt.answers.replicate_weights import Replicates as Replicates
    from rropt.answers.responses import Responses as Responses
    from rropt.answers.samples import Sample as Sample
    from rropt.audits import audit as audit
    from rropt.claims import verify as verify
    from rropt.core.certificates import check as check
    from rropt.core.errors import RroptError as RroptError
    from rropt.core.exact.levels import log as log
    from rropt.designs import Problem as Problem
    from rropt.designs import solve as solve
    from rropt.designs.design_arguments import DesignArguments
    from rropt.designs.optimality import optimality as optimality
    from rropt.designs.orders import compare as compare
    from rropt.designs.problem_families.family import family as family
    from rropt.designs.sweeps import sweep as sweep
    from rropt.estimates.estimated import Estimates as Estimates
    from rropt.mechanisms import Mechanism as Mechanism
    from rropt.mechanisms.central.noise_reports import laplace as laplace
    from rropt.mechanisms.clients import export as export
    from rropt.mechanisms.sampling import randomize as randomize
    from rropt.plans.plan_choices import plan as plan
    from rropt.privacy.bound import parity_bound as parity_bound
    from rropt.privacy.exact_audits import audit_privacy as audit_privacy
    from rropt.regression.regressed_columns import regress as regress
    from rropt.reports.instruction_sheet import sheet as sheet
    from rropt.reports.records import load as load
    from rropt.reports.reporting import report as report
    from rropt.survey import Survey as Survey
    from rropt.survey.choices import estimate as estimate

_load, _, _names = lazy_names(__name__, __file__)
_ROOMS = {
    name: f"rropt.{name}"
    for name in [
        "accounting",
        "audits",
        "claims",
        "convex",
        "designs",
        "mechanisms",
        "objectives",
        "plots",
        "privacy",
        "reports",
        "survey",
        "symbolic",
        "testing",
    ]
}
_ROOMS |= {"errors": "rropt.errors", "exact": "rropt.exact", "checker": "rropt.checker"}
__all__ = sorted([*_names, "__version__", "design", "plot"])


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(_ROOMS[name])
    if name != "__version__":
        return _load(name)
    from rropt.core.version import installed_version

    return installed_version()


_DESIGNS = {
    "binary": "rropt.designs:binary_problem",
    "kary": "rropt.designs:kary_problem",
    "mean": "rropt.designs.mean_designs:design_mean",
    "bits": "rropt.accounting.question_budgets:design_questions",
    "pram": "rropt.designs.pram:design_pram",
    "device": "rropt.survey.comparisons.device_designs:design_devices",
    "noncompliance": "rropt.noncompliance.widths:design_noncompliance",
}
_KINDS = {
    "binary": {"prevalence"},
    "kary": {"categories", "population"},
    "mean": {"values", "range"},
    "bits": {"questions", "prevalences"},
}


@clear_calls
def design(
    epsilon: object | None = None,
    prevalence: object | None = None,
    *,
    kind: str | None = None,
    gamma: object | None = None,
    rho: tuple[object, object] | None = None,
    beta: object | None = None,
    upper: str | None = None,
    lower: str | None = None,
    delta: object = 0,
    routes: Any = "auto",
    fast: bool = False,
    **arguments: Unpack[DesignArguments],
) -> Any:
    """Return the certified optimal design of a kind, as ``rropt design`` does.

    Args:
        epsilon, gamma, rho, beta, upper, lower, delta: the privacy level, as for ``rropt.privacy.level``.
        prevalence: the assumed Pr(X = 1) of a yes-or-no question.
        kind: ``"binary"``, a yes-or-no question with the least n Var (``binary_problem``); ``"kary"``, k categories
            (``kary_problem``); ``"mean"``, unbiased reports of a number (``design_mean``); ``"bits"``, independent
            yes-or-no questions under one budget (``design_questions``); ``"pram"``, ``"device"`` or
            ``"noncompliance"``. By default it follows from the arguments: ``prevalence`` is of the first kind,
            ``categories`` or ``population`` of the second, ``values`` or ``range`` of the third, ``questions`` or
            ``prevalences`` of the fourth.
        routes: ``"auto"``, ``"all"``, ``"exact"``, or names of routes.
        fast: whether to run one route only, and to leave out the comparison with the same problem in SymPy and CVXPY
            (``twins`` of the result).
        arguments: the further arguments of the kind of design.

    Returns:
        A ``Solution``, or the design of its kind, such as ``BitsDesign``; for ``epsilon="all"`` and other intervals of
        levels an ``EveryLevel``.

    Raises:
        InvalidParameterError: no level, an unknown kind or argument, or arguments of no kind or of two kinds.
        InfeasibleError: no mechanism meets the bounds.

    >>> import rropt
    >>> print(rropt.design(epsilon="log(3)", prevalence="1/4").value)
    15/16
    >>> print(rropt.design(gamma=3, categories=4, objective="trace").value)
    2
    >>> print(rropt.design("log(3)", kind="pram", counts=[3, 2, 1]).unchanged)
    3/5
    >>> print(*(piece.value for piece in rropt.design("all", categories=3, objective="trace", fast=True).pieces))
    3*gamma/(gamma + 2)
    """
    from rropt.core.errors import InvalidParameterError, one_of
    from rropt.designs import solve
    from rropt.privacy import level

    rho, beta, upper, lower, routes = map(as_lists, (rho, beta, upper, lower, routes))
    require_flags(fast=fast)
    asked: dict[str, Any] = {**arguments} if prevalence is None else {**arguments, "prevalence": prevalence}
    if kind is None:
        _require_known(asked, *(_function(_DESIGNS[name]) for name in _KINDS))
        found = [name for name, own in _KINDS.items() if own & set(asked)]
        if len(found) != 1:
            raise InvalidParameterError(
                f"the kind of design is not given exactly once: received arguments of {' and '.join(found) or 'none'}; "
                "give prevalence (a yes-or-no question), categories or population (k categories), values or "
                "range (a number), questions or prevalences (several yes-or-no questions), or the kind"
            )
        kind = found[0]
    make = _function(_DESIGNS[one_of(kind, _DESIGNS, "`kind`")])
    _require_known(asked, make, kind=f" of the kind {kind}")
    own = signature(make).parameters
    given: dict[str, Any] = {
        "epsilon": epsilon,
        "gamma": gamma,
        "rho": rho,
        "beta": beta,
        "upper": upper,
        "lower": lower,
    }
    pairwise = [name for name in ("levels", "level") if name in asked]
    if pairwise and (both := [name for name, value in given.items() if value is not None]):
        raise InvalidParameterError(
            f"the privacy level is given twice: received {both[0]} and {pairwise[0]}; give one of them"
        )
    span = _span_of(given)
    if span is not None and kind not in ("binary", "kary"):
        raise InvalidParameterError(
            "every level at once belongs to designs of a yes-or-no question and of k categories: received the kind "
            f"{kind}; give prevalence, categories or population, or one level"
        )
    if span is not None and not pairwise:
        asked["epsilon"] = span
    elif not pairwise:
        budget: Any = level(**given, delta=delta)
        is_posed = kind in ("binary", "kary") and budget.criterion is not None
        asked["epsilon"], delta = (budget, None) if is_posed else (budget.epsilon, budget.delta)
    if "delta" in own and delta is not None:
        asked["delta"] = delta
    if kind in ("binary", "kary"):
        return solve(make(**asked), routes=routes, fast=fast)
    if "routes" in own and routes != "auto":
        asked["routes"] = routes
    if "fast" in own and fast:
        asked["fast"] = True
    return make(**asked)


def _span_of(given: dict[str, Any]) -> Any:
    """Return the interval of levels that epsilon or gamma asks for, or None for a single level."""
    from rropt.core.exact.levels import LevelSpan, is_span

    named = [name for name in ("epsilon", "gamma") if is_span(given[name])]
    if not named or [name for name, value in given.items() if value is not None] != named:
        return None  # a single level, or two levels, which are refused there
    value = given[named[0]]
    if isinstance(value, LevelSpan):
        return value
    return LevelSpan.of(value) if named == ["epsilon"] else LevelSpan.of_gamma(value)


def _function(path: str) -> Any:
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


_MEANT = {"k": "categories", "p": "prevalence", "probabilities": "population", "shares": "population", "eps": "epsilon"}


def _require_known(asked: dict[str, Any], *problems: Any, kind: str = "") -> None:
    """Raise unless each argument belongs to one of the functions that pose problems."""
    from rropt.core.errors import InvalidParameterError, nearest_words, shown

    known = {name for function in problems for name in signature(function).parameters}
    for name in asked:
        if name not in known:
            near = [_MEANT[name]] if name in _MEANT else nearest_words(name, sorted(known))
            meant = f"; did you mean {near[0]}?" if near else ""
            raise InvalidParameterError(f"a design{kind} takes no argument {shown(name)}{meant}")


def plot(picture: Any, *arguments: Any, **options: Any) -> Any:
    """Return a picture, as ``rropt plot`` does.

    Args:
        picture: ``"region"``, ``"g"``, ``"efficiency"``, ``"breaches"``, ..., a function of ``rropt.plots``; or an
            object with a method ``plot``, such as a ``Solution`` or an ``Estimate``.
        arguments, options: of that function.

    Returns:
        A ``rropt.plots.Figure``: notebooks show it, ``save(FILE.svg)`` writes it (also ``.png`` and ``.pdf``), and
        ``to_matplotlib()`` returns a figure of matplotlib to be changed further.

    Raises:
        InvalidParameterError: an unknown picture.
    """
    from rropt import plots
    from rropt.core.errors import one_of

    if hasattr(picture, "plot"):
        return picture.plot(*arguments, **options)
    tools = ("draw", "require")
    names = [name for name in plots.__all__ if name[0].islower() and not name.startswith(tools)]
    return getattr(plots, one_of(picture, names, "the picture"))(*arguments, **options)


def __dir__() -> list[str]:
    return sorted({*__all__, *_ROOMS})
