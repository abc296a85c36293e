"""Convex routes: CVXPY programs whose rounded primal and dual solutions give a rational bracket of the optimum.

cvxpy is imported nowhere else.
"""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from types import ModuleType
from typing import Any

_SCIPY_STATS = "scipy.stats"  # of which cvxpy takes one function that no program here calls


def is_solved(program: Any, **options: Any) -> bool:
    """Solve a program of CVXPY; return whether its solver has an answer, good or bad."""
    cp = load_cvxpy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an inaccurate answer costs width of the bracket, never its truth
        try:
            program.solve(**{"solver": cp.CLARABEL, **options})
        except (cp.SolverError, ArithmeticError, ValueError):
            return False
    return all(variable.value is not None for variable in program.variables())


def load_cvxpy() -> Any:
    """Import and return cvxpy, without ``scipy.stats``, of which it takes one function that no program here calls.

    That import is more than half of the time of a design from the shell. While cvxpy is imported a module stands in,
    which loads the real one as soon as a function of it is called.
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
    """Return a function that calls the function of that name of ``scipy.stats``."""
    if name.startswith("__"):
        raise AttributeError(name)
    return lambda *args, **options: getattr(import_module(_SCIPY_STATS), name)(*args, **options)
