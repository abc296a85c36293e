"""A cache for the functions of a claim whose result depends only on the arguments.

``functools.lru_cache`` takes 1 and ``Fraction(1)`` for the same argument, although ``1 / 3`` is a float and
``Fraction(1) / 3`` is not. A function behind such a cache may therefore return different values for one argument, and a
trace of it proves nothing. This cache also compares the types, in containers too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import update_wrapper
from typing import Any

_MOST = 50_000  # values that one cache keeps


class ExactCache:
    """A function of hashable arguments that keeps what it returned.

    Attributes:
        function: the function itself.
    """

    function: Any

    def __init__(self, function: Any) -> None:
        self.function = function
        update_wrapper(self, function)
        self._kept: dict[Any, Any] = {}

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Return the result of the function, computed once for each list of arguments."""
        key = args, tuple(named.items()), _kinds(args), _kinds(named)
        if key not in self._kept:
            if len(self._kept) >= _MOST:
                self._kept.clear()
            self._kept[key] = self.function(*args, **named)
        return self._kept[key]


def exact_cache(function: Callable[..., Any]) -> Any:
    """Return the function with a cache that distinguishes 1 from ``Fraction(1)``; a trace follows it.

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
