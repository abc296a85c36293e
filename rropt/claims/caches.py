"""A cache for functions of a claim whose results depend only on their arguments.

``functools.lru_cache`` treats 1 and ``Fraction(1)`` as the same argument, although ``1 / 3`` is a float and
``Fraction(1) / 3`` is not. A function with that cache may therefore return different values for the same argument, and
a trace of it proves nothing. This cache also compares the types of the arguments, including those inside containers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import update_wrapper
from typing import Any

_MOST = 50_000  # results that one cache stores


class ExactCache:
    """A function of hashable arguments with a cache for its results.

    Attributes:
        function: the function without the cache.
    """

    function: Any

    def __init__(self, function: Any) -> None:
        self.function = function
        update_wrapper(self, function)
        self._kept: dict[Any, Any] = {}

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Return the result of the function; it is computed once for each tuple of arguments."""
        key = args, tuple(named.items()), _kinds(args), _kinds(named)
        if key not in self._kept:
            if len(self._kept) >= _MOST:
                self._kept.clear()
            self._kept[key] = self.function(*args, **named)
        return self._kept[key]


def exact_cache(function: Callable[..., Any]) -> Any:
    """Return the function with a cache that distinguishes 1 from ``Fraction(1)``; a trace can follow it.

    >>> from fractions import Fraction
    >>> @exact_cache
    ... def third(x):
    ...     return x / 3
    >>> third(1), third(Fraction(1))
    (0.3333333333333333, Fraction(1, 3))
    """
    return ExactCache(function)


def _kinds(value: Any) -> Any:
    if isinstance(value, (tuple, list, frozenset)):
        return type(value), tuple(map(_kinds, value))
    if isinstance(value, Mapping):
        return type(value), tuple(map(_kinds, value.values()))
    return type(value)
