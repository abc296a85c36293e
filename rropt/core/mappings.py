"""Mappings: one that stays as it is, and the registry of the kinds of a thing.

A result that holds a ``ReadOnlyMapping`` can be hashed, copied and sent to another process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any, TypeVar

from rropt.core.errors import InvalidParameterError, shown

K = TypeVar("K")
V = TypeVar("V", covariant=True)
Kind = TypeVar("Kind")
_Class = TypeVar("_Class", bound=type[Any])


class ReadOnlyMapping(Mapping[K, V]):
    """A mapping without change, equal to any mapping of the same items; its hash needs values that have one.

    >>> degrees = ReadOnlyMapping({"a": 1})
    >>> degrees["a"], degrees == {"a": 1}, hash(degrees) == hash(ReadOnlyMapping([("a", 1)]))
    (1, True, True)
    """

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[K, V] | Iterable[tuple[K, V]]) -> None:
        self._items = dict(items)

    def __getitem__(self, key: K) -> V:
        return self._items[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        return f"ReadOnlyMapping({self._items!r})"


class Kinds(dict[str, type[Kind]]):
    """The registered classes by their attribute ``kind``, which is also the key of their JSON objects.

    Args:
        thing: the name of the thing, for messages.
        allowed: what a message says is allowed, from the classes.
        later: modules by kind that are loaded when a file needs them.
    """

    def __init__(
        self, thing: str, allowed: Callable[[Kinds[Kind]], str], later: Mapping[str, str] | None = None
    ) -> None:
        super().__init__()
        self._thing, self._allowed, self._later = thing, allowed, later or {}

    def register(self, cls: _Class) -> _Class:
        """Register a kind of region (class decorator).

        Raises:
            InvalidParameterError: another class has its kind.
        """
        known: object = self.setdefault(cls.kind, cls)
        if known is not cls:
            raise InvalidParameterError(
                f"{self._thing} {cls.kind} is registered already: received {cls}; allowed is a kind of its own"
            )
        return cls

    def from_dict(self, data: Any) -> Kind:
        """Return the region of a dictionary that ``to_dict`` of a registered class wrote.

        Raises:
            InvalidParameterError: no such kind, or what its class refuses.
        """
        kind = data.get("kind") if isinstance(data, dict) else None
        if isinstance(kind, str) and kind in self._later:
            import_module(self._later[kind])
        if not isinstance(kind, str) or kind not in self:
            raise InvalidParameterError(
                f"{self._thing} is unknown: received {shown(data)}; allowed {self._allowed(self)}"
            )
        read: Kind = self[kind].from_dict(data)  # type: ignore[attr-defined]
        return read
