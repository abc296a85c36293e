"""Convex routes: CVXPY programs whose rounded primal and dual solutions give a rational bracket of the optimum.

No other package of rropt imports cvxpy.
"""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from math import isfinite
from types import ModuleType
from typing import Any

_SCIPY_STATS = "scipy.stats"  # slow to import; cvxpy uses one function of it, which no program here calls


def is_solved(program: Any, **options: Any) -> bool:
    """Solve a CVXPY program; return whether the solver gives a value to every variable, accurate or not."""
    cp = load_cvxpy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an inaccurate solution widens the bracket, which remains valid
        try:
            program.solve(**{"solver": cp.CLARABEL, **options})
        except (cp.SolverError, ArithmeticError, ValueError):
            return False
    values = [variable.value for variable in program.variables()]
    return all(value is not None and isfinite(value.sum()) for value in values)


def load_cvxpy() -> Any:
    """Import and return cvxpy without loading ``scipy.stats``.

    The import of ``scipy.stats`` takes more than half of the time of a design from the shell, and cvxpy uses only one
    function of it, which no program here calls. During the import of cvxpy, a placeholder module replaces
    ``scipy.stats``. It loads the real module when one of its functions is called.
    """
    if "cvxpy" in sys.modules or _SCIPY_STATS in sys.modules:
        return import_module("cvxpy")
    stand_in = ModuleType(_SCIPY_STATS)
    stand_in.__getattr__ = _later  # type: ignore[method-assign]
    sys.modules[_SCIPY_STATS] = stand_in
    try:
        return import_module("cvxpy")
    finally:
        if sys.modules.get(_SCIPY_STATS) is stand_in:
            del sys.modules[_SCIPY_STATS]


def _later(name: str) -> Any:
    """Return a function that imports ``scipy.stats`` when it is called, and calls its function of this name."""
    if name.startswith("__"):
        raise AttributeError(name)
    return lambda *args, **options: getattr(import_module(_SCIPY_STATS), name)(*args, **options)
