"""A cache for functions of a claim whose results depend only on their arguments.

``functools.lru_cache`` treats 1 and ``Fraction(1)`` as the same argument, although ``1 / 3`` is a float and
``Fraction(1) / 3`` is not. A function with that cache may therefore return different values for the same argument, and
a trace of it proves nothing. This cache also compares the types of the arguments, including those inside containers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
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
        key = _key(args), tuple((name, _key(value)) for name, value in named.items())
        found = self._kept.get(key, self)
        if found is self:
            if len(self._kept) >= _MOST:
                self._kept.clear()
            found = self._kept[key] = self.function(*args, **named)
        return found


def exact_cache(function: Callable[..., Any]) -> Any:
    """Return the function with a cache that distinguishes 1 from ``Fraction(1)``; a trace can follow it.

    Args:
        function: a pure function of hashable arguments.

    >>> from fractions import Fraction
    >>> @exact_cache
    ... def third(x):
    ...     return x / 3
    >>> third(1), third(Fraction(1))
    (0.3333333333333333, Fraction(1, 3))
    """
    return ExactCache(function)


def _key(value: Any) -> Any:
    """Return a key that two arguments share if they are equal and of the same types, also inside containers.

    A fraction is replaced by its two integers, since the hash of a ``Fraction`` is slow.
    """
    kind = type(value)
    if kind is Fraction:
        return kind, value._numerator, value._denominator
    if kind is tuple or kind is frozenset:
        return kind, tuple(map(_key, value))
    if kind is int or kind is str or kind is bool:
        return kind, value
    if kind is float or kind is complex:
        return kind, repr(value)  # 0.0 and -0.0 are equal
    if isinstance(value, (tuple, list, frozenset)):
        return kind, value, tuple(map(_key, value))
    if isinstance(value, Mapping):
        return kind, value, tuple(map(_key, value.values()))
    return kind, value
