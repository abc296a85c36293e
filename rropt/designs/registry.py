"""The registry of the classes of designs: which class solves a problem, and why none does.

It stands below the classes and knows none of them by name. Of the classes that accept a problem the one with the
largest ``specificity`` solves it; of equals the one that was registered first.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from rropt.core.errors import UnsupportedProblemError

if TYPE_CHECKING:
    from rropt.designs.problem import Problem


class Accepting(Protocol):
    """What the registry asks of a class of designs (``design_class.DesignClass``)."""

    @property
    def name(self) -> str:
        """For people."""

    @property
    def specificity(self) -> int:
        """The rank among the classes that accept one problem; the largest wins."""

    def accepts(self, problem: Problem) -> bool:
        """Return whether the class solves the problem; it never raises."""

    def refusal(self, problem: Problem) -> str | None:
        """Return which limit a problem of its kind exceeds."""


_STANDARD = "rropt.designs.classes"  # registers the library's own classes; it imports them all, so it is loaded late

DESIGN_CLASSES: list[Any] = []
"""The registered classes of designs, in the order of registration."""


def register_design_class(designs: Accepting) -> None:
    """Register a design class. If several classes accept a problem, the largest ``specificity`` wins."""
    DESIGN_CLASSES.append(designs)


def design_classes() -> list[Any]:
    """Return every registered class, those of the library first."""
    import_module(_STANDARD)
    return DESIGN_CLASSES


def accepting_class(problem: Problem) -> Any | None:
    """Return the most specific class that accepts a problem, or None."""
    fitting = [designs for designs in design_classes() if designs.accepts(problem)]
    return max(fitting, key=lambda designs: designs.specificity, default=None)  # the first of equals


def refusal(problem: Problem) -> str | None:
    """Return why no class accepts a problem; None where one does.

    The reasons are those of the classes for problems of this kind, the most specific class first. Without one the text
    names the classes.
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
        UnsupportedProblemError: there is none; the message says which limit the problem exceeds.
    """
    found = accepting_class(problem)
    if found is None:
        raise UnsupportedProblemError(refusal(problem))
    return found
