"""Certified optimal randomized response.

>>> import rropt
>>> solution = rropt.design.binary("1/4", epsilon="log(2)", delta="1/4")
>>> print(solution.value, rropt.check(solution.certificate))
15/16 accepted

Names are loaded when they are first used: ``import rropt`` is cheap, and ``python -m rropt.checker`` loads nothing
beyond Python's standard library.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt import design as design
    from rropt import plan as plan
    from rropt.accounting import compose as compose
    from rropt.accounting import panel as panel
    from rropt.accounting import shuffle as shuffle
    from rropt.answers.replicate_weights import Replicates as Replicates
    from rropt.answers.responses import Responses as Responses
    from rropt.answers.samples import Sample as Sample
    from rropt.claims import verify as verify
    from rropt.core.certificates import check as check
    from rropt.core.errors import RroptError as RroptError
    from rropt.core.exact.levels import log as log
    from rropt.design import every_level as every_level
    from rropt.designs import Problem as Problem
    from rropt.designs import solve as solve
    from rropt.designs.optimality_judgements import optimality as optimality
    from rropt.designs.orders import compare as compare
    from rropt.designs.problem_families.family import family as family
    from rropt.designs.repairs import repair as repair
    from rropt.designs.sweeps import sweep as sweep
    from rropt.estimates.asking import estimate as estimate
    from rropt.estimates.estimated import Estimates as Estimates
    from rropt.mechanisms import Mechanism as Mechanism
    from rropt.mechanisms.central.noise_reports import laplace as laplace
    from rropt.mechanisms.sampling import randomize as randomize
    from rropt.privacy.bound import parity_bound as parity_bound
    from rropt.privacy.exact_audits import audit_privacy as audit_privacy
    from rropt.regression.regressed_columns import regress as regress
    from rropt.reports.records import load as load

_load, _, _names = lazy_names(__name__, __file__)
_ROOMS = {
    name: f"rropt.{name}"
    for name in [
        "accounting",
        "answers",
        "claims",
        "convex",
        "design",
        "designs",
        "estimates",
        "inference",
        "mechanisms",
        "noncompliance",
        "objectives",
        "plan",
        "plans",
        "plots",
        "privacy",
        "reports",
        "symbolic",
        "testing",
    ]
}
_ROOMS |= {"errors": "rropt.errors", "exact": "rropt.exact", "checker": "rropt.checker"}
__all__ = sorted([*_names, "__version__", "plot"])


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(_ROOMS[name])
    if name != "__version__":
        return _load(name)
    from rropt.core.version import installed_version

    return installed_version()


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
