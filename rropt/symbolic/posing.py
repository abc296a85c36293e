"""A problem as SymPy expressions: its definition, and its closed form with a domain where there is one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rropt.core.errors import UnsupportedProblemError
from rropt.core.results.twins import Twin


@dataclass(frozen=True, slots=True)
class Form:
    """A closed form: the value and the mechanism as expressions in ``gamma``, ``delta`` and the proportions.

    Attributes:
        value: the optimal value.
        mechanism: the optimal mechanism, a matrix; None if it is not given.
        theorem: the theorem that gives the form.
        domain: where the form holds, a SymPy condition.
    """

    value: Any
    mechanism: Any = None
    theorem: str = ""
    domain: Any = None


@dataclass(frozen=True, slots=True)
class Posing:
    """A problem in symbols.

    Attributes:
        variables: the unknowns.
        objective: the expression that is minimized or maximized.
        constraints: the conditions.
        form: the closed form, or None; ``why`` then has the reason.
        why: why there is no closed form.
    """

    variables: Any
    objective: Any
    constraints: tuple[Any, ...]
    form: Form | None = None
    why: str = ""


def posing_of(asked: Any) -> Posing:
    """Return the posing of a design problem, or of a solution."""
    raise UnsupportedProblemError("no posing is written")


def solution_twin(solution: Any) -> Twin:
    """Return the twin of a solution: its mechanism in the definition, and its value in the closed form."""
    raise UnsupportedProblemError("no posing is written")
