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
from typing import TYPE_CHECKING, Any

from rropt.core.attached_methods import register_methods
from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.accounting import compose as compose
    from rropt.accounting import shuffle as shuffle
    from rropt.audits import audit as audit
    from rropt.claims import verify as verify
    from rropt.core.certificates import check as check
    from rropt.core.errors import RroptError as RroptError
    from rropt.designs import Problem as Problem
    from rropt.designs import solve as solve
    from rropt.designs.orders import compare as compare
    from rropt.designs.sweeps import sweep as sweep
    from rropt.mechanisms import Mechanism as Mechanism
    from rropt.mechanisms.central.noise_reports import noise_of as laplace
    from rropt.mechanisms.clients import export as export
    from rropt.mechanisms.sampling import randomize as randomize
    from rropt.privacy.audits import audit_privacy as audit_privacy
    from rropt.reports.instruction_sheet import sheet as sheet
    from rropt.reports.records import load as load
    from rropt.reports.reporting import report as report
    from rropt.survey import Survey as Survey
    from rropt.survey.aggregates import count as count
    from rropt.survey.choices import estimate as estimate
    from rropt.survey.choices import noncompliance as noncompliance
    from rropt.survey.choices import plan as plan
    from rropt.survey.tables.regressing import regress as regress

_METHODS = {
    "Mechanism": {
        "estimate": "rropt.survey:estimate",
        "plan": "rropt.survey:plan_answers",
        "randomize": "rropt.mechanisms.sampling:randomized",
    },
    "Problem": {
        "solve": "rropt.designs:solve",
    },
    "Solution": {
        "plot": "rropt.plots.designs:plot_solution",
        "report": "rropt.reports:design_page",
    },
    "Estimate": {
        "conf_int": "rropt.survey.estimates.hypothesis_tests:conf_int",
        "interval": "rropt.survey.estimates.hypothesis_tests:interval",
        "plot": "rropt.plots:estimated",
        "test": "rropt.survey.estimates.hypothesis_tests:value_test",
    },
    "Survey": {
        "instructions": "rropt.reports.instruction_sheet:sheet_of_survey",
    },
}
"""Methods whose code is in a package above their class."""

register_methods(_METHODS)
_load, _, _names = lazy_names(__name__, __file__)
_ROOMS = {
    name: f"rropt.{name}"
    for name in ["accounting", "audits", "claims", "designs", "mechanisms", "objectives", "plots", "privacy", "survey"]
}
_ROOMS |= {"errors": "rropt.core.errors", "exact": "rropt.core.exact", "checker": "rropt.checker"}
__all__ = sorted([*_names, "__version__", "design", "plot"])


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(_ROOMS[name])
    if name != "__version__":
        return _load(name)
    from rropt.core.version import installed_version

    return installed_version()


def design(
    epsilon: object | None = None,
    prevalence: object | None = None,
    *,
    gamma: object | None = None,
    rho: tuple[object, object] | None = None,
    beta: object | None = None,
    upper: str | None = None,
    lower: str | None = None,
    delta: object = 0,
    routes: Any = "auto",
    **asked: Any,
) -> Any:
    """Return the certified optimal design of a common case, as ``rropt design`` does.

    The arguments decide the kind of design:

    * ``prevalence`` (and ``family``, ``outputs``): a yes-or-no question, least n Var (``binary_problem``);
    * ``categories`` or ``population`` (and ``objective``, ``weights``, ``loss``, ``contrast``, ...): k categories
      (``kary_problem``);
    * ``questions``, ``weights`` or ``prevalences``: independent yes-or-no questions under one budget.

    Args:
        epsilon, gamma, rho, beta, upper, lower, delta: the privacy level, as for ``rropt.privacy.level``.
        prevalence: the assumed Pr(X = 1) of a yes-or-no question.
        routes: ``"auto"``, ``"all"``, ``"exact"``, or names of routes.
        asked: the further arguments of the kind of design.

    Returns:
        A ``Solution``; of independent questions a ``BitsDesign``.

    Raises:
        InvalidParameterError: no level, an unknown argument, or arguments of no kind or of two kinds.
        InfeasibleError: no mechanism meets the bounds.

    >>> import rropt
    >>> print(rropt.design(epsilon="log(3)", prevalence="1/4").value)
    15/16
    >>> print(rropt.design(gamma=3, categories=4, objective="trace").value)
    2
    """
    from rropt.core.errors import InvalidParameterError
    from rropt.designs import binary_problem, kary_problem, solve
    from rropt.designs.bits import design_bits
    from rropt.privacy import level

    if prevalence is not None:
        asked["prevalence"] = prevalence
    _require_known(asked, binary_problem, kary_problem, design_bits)
    pairwise = "levels" in asked or "level" in asked
    given = {"epsilon": epsilon, "gamma": gamma, "rho": rho, "beta": beta, "upper": upper, "lower": lower}
    if pairwise and (both := [name for name, value in given.items() if value is not None]):
        raise InvalidParameterError(
            f"the privacy level is given twice: received {both[0]} beside "
            f"{'levels' if 'levels' in asked else 'level'}; give one of them"
        )
    budget: Any = (
        None
        if pairwise
        else level(epsilon=epsilon, gamma=gamma, rho=rho, beta=beta, upper=upper, lower=lower, delta=delta)
    )
    kinds = {
        "a yes-or-no question": "prevalence" in asked,
        "k categories": "categories" in asked or "population" in asked,
        "several questions": "questions" in asked or "prevalences" in asked,
    }
    found = [kind for kind, is_asked in kinds.items() if is_asked]
    if len(found) != 1:
        raise InvalidParameterError(
            f"the kind of design is not given exactly once: received arguments of {' and of '.join(found) or 'none'}; "
            "give prevalence (a yes-or-no question), categories or population (k categories), or questions or "
            "prevalences (several yes-or-no questions)"
        )
    chosen = {"a yes-or-no question": binary_problem, "k categories": kary_problem, "several questions": design_bits}
    _require_known(asked, chosen[found[0]], kind=f" of {found[0]}")
    if kinds["a yes-or-no question"]:
        return solve(binary_problem(epsilon=budget, **asked), routes=routes)
    if kinds["k categories"]:
        if pairwise:
            asked = {"delta": delta, **asked}
        if budget is not None and budget.criterion is None:
            asked = {"epsilon": budget.epsilon, "delta": budget.delta, **asked}
        elif budget is not None:
            asked = {"epsilon": budget, **asked}
        return solve(kary_problem(**asked), routes=routes)
    return design_bits(budget.epsilon, routes=None if routes == "auto" else routes, **asked)


_MEANT = {"k": "categories", "p": "prevalence", "probabilities": "population", "shares": "population", "eps": "epsilon"}


def _require_known(asked: dict[str, Any], *problems: Any, kind: str = "") -> None:
    """Raise unless each argument belongs to one of the functions that pose problems."""
    from difflib import get_close_matches
    from inspect import signature

    from rropt.core.errors import InvalidParameterError, shown

    known = {name for function in problems for name in signature(function).parameters}
    for name in asked:
        if name not in known:
            near = [_MEANT[name]] if name in _MEANT else get_close_matches(name, sorted(known), n=1)
            meant = f"; did you mean {near[0]}?" if near else ""
            raise InvalidParameterError(f"a design{kind} takes no argument {shown(name)}{meant}")


def plot(picture: Any, *arguments: Any, **options: Any) -> Any:
    """Return a picture as a Matplotlib figure, as ``rropt plot`` does.

    Args:
        picture: ``"region"``, ``"g"``, ``"efficiency"``, ``"breaches"``, ..., a function of ``rropt.plots``; or an
            object with a method ``plot``, such as a ``Solution`` or an ``Estimate``.
        arguments, options: of that function.

    Raises:
        InvalidParameterError: an unknown picture.
        MissingExtraError: matplotlib is missing.
    """
    from rropt import plots
    from rropt.core.errors import InvalidParameterError, shown

    if hasattr(picture, "plot"):
        return picture.plot(*arguments, **options)
    tools = ("draw", "save", "require", "show", "picture_bytes")
    names = [name for name in plots.__all__ if name[0].islower() and not name.startswith(tools)]
    if picture not in names:
        raise InvalidParameterError(f"no picture has the name {shown(picture)}: allowed are {', '.join(names)}")
    return getattr(plots, picture)(*arguments, **options)


def __dir__() -> list[str]:
    return sorted({*__all__, *_ROOMS})
