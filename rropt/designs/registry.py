"""The registry of design classes: find the class that solves a problem, or explain why no class does.

This module imports no design class. If several classes accept a problem, the one with the largest ``specificity``
solves it; among equals, the class registered first.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rropt.core.errors import UnsupportedProblemError

if TYPE_CHECKING:
    from rropt.designs.problem import Problem

_STANDARD = "rropt.designs.classes"  # registers the classes of the library; it imports them all, so it is loaded late

DESIGN_CLASSES: list[Any] = []
"""The registered design classes, in the order of registration."""


def register_design_class(designs: Any) -> None:
    """Register a ``solving.DesignClass``; if several classes accept a problem, the largest ``specificity`` wins."""
    DESIGN_CLASSES.append(designs)


def design_classes() -> list[Any]:
    """Return every registered class; the classes of the library come first."""
    import_module(_STANDARD)
    return DESIGN_CLASSES


def accepting_class(problem: Problem) -> Any | None:
    """Return the most specific class that accepts a problem; ``None`` if no class does."""
    fitting = [designs for designs in design_classes() if designs.accepts(problem)]
    return max(fitting, key=lambda designs: designs.specificity, default=None)  # among equals, the first


def refusal(problem: Problem) -> str | None:
    """Return why no class accepts a problem; ``None`` if a class does.

    Each class gives its reason for problems of its kind; the reason of the most specific class comes first. If no class
    gives a reason, the text lists the classes.
    """
    if accepting_class(problem) is not None:
        return None
    ranked = sorted(design_classes(), key=lambda designs: -designs.specificity)
    reasons = dict.fromkeys(reason for designs in ranked if (reason := designs.refusal(problem)) is not None)
    return "; or: ".join(reasons) or (
        f"no class of designs accepts the problem: received {problem}; allowed are "
        f"{', '.join(designs.name for designs in design_classes())}"
    )


def design_class(problem: Problem) -> Any:
    """Return the most specific class that accepts a problem.

    Raises:
        UnsupportedProblemError: no class accepts the problem; the message states which limit the problem exceeds.
    """
    found = accepting_class(problem)
    if found is None:
        raise UnsupportedProblemError(refusal(problem))
    return found
