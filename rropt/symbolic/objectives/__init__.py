"""Objectives in symbols: a file for each file of ``rropt/objectives`` that defines objectives.

Each has two functions: ``pose`` returns the definition, and ``form`` the closed form of a problem, or why it has none.
``IS_OF_INFORMATION`` says whether the definition contains the Fisher information, whose sums have ``m k^2`` terms.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from rropt.core.errors import UnsupportedProblemError

_HOME, _PARTS = "rropt.objectives.", {"objective"}


def module_of(objective: Any) -> str:
    """Return the module that poses an objective: it has the name of the file that defines its class, or a base of it.

    An objective of a third party whose kind is its own is posed by its ``of_row``, or by its ``in_sympy``.

    Raises:
        UnsupportedProblemError: no file of ``rropt/objectives`` poses it, and it does not define these functions.
    """
    is_own = type(objective).__module__.startswith(_HOME)
    for each in type(objective).__mro__:
        name = each.__module__.removeprefix(_HOME)
        if each.__module__.startswith(_HOME) and name not in _PARTS:
            place = f"rropt.symbolic.objectives.{'divergences' if name == 'two_populations' else name}"
            is_known = is_own or name == "user_defined" or getattr(each, "kind", None) == objective.kind
            if is_known and find_spec(place) is not None:
                return place
            break  # a new objective, which nobody has posed yet
    if not is_own and (hasattr(objective, "of_row") or hasattr(objective, "in_sympy")):
        return "rropt.symbolic.objectives.user_defined"
    missing = "" if is_own else ": it defines neither of_row(row, population) nor in_sympy(M)"
    raise UnsupportedProblemError(f"no posing in symbols is written for the objective {objective.kind}{missing}")
