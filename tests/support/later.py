"""Modules that a test file names and that are imported when a test first uses them.

pandas, Polars, Arrow, Ibis, Matplotlib, CVXPY and parts of SciPy take seconds to import. A run of one test, and the
collection of all, must not wait for what they do not use (tests/pages/test_quick.py).
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


class _Later:
    """A module, or one function or class of it, that is imported when it is first used."""

    def __init__(self, module: str, name: str | None) -> None:
        self._module, self._name = module, name

    def loaded(self) -> Any:
        """Return what it stands for, where a class itself is asked for."""
        module = import_module(self._module)
        return module if self._name is None else getattr(module, self._name)

    def __getattr__(self, part: str) -> Any:
        if part.startswith("_"):  # what pytest and doctest ask everything for
            raise AttributeError(part)
        return getattr(self.loaded(), part)

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return self.loaded()(*arguments, **options)


def later(module: str, name: str | None = None) -> Any:
    """Return a stand-in for a module, or for a function or class of it: ``pd = later("pandas")``."""
    return _Later(module, name)
