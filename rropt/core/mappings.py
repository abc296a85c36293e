"""Read-only mappings, and a registry of classes by their attribute ``kind``.

A result whose mappings are all ``ReadOnlyMapping`` can be hashed, copied and sent to another process.
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
    """An immutable mapping, equal to any mapping with the same items; hashable if its values are hashable.

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
    """A registry of classes by their attribute ``kind``, which is also the key of their JSON objects.

    Args:
        thing: the name of the registered thing, for messages.
        allowed: a function from the registry to the part of an error message that lists the allowed kinds.
        later: modules by kind that are imported when a file contains this kind.
    """

    def __init__(
        self, thing: str, allowed: Callable[[Kinds[Kind]], str], later: Mapping[str, str] | None = None
    ) -> None:
        super().__init__()
        self._thing, self._allowed, self._later = thing, allowed, later or {}

    def register(self, cls: _Class) -> _Class:
        """Register a class under its ``kind`` (class decorator).

        Args:
            cls: a class with a text ``kind``, ``to_dict`` and ``from_dict``.

        Raises:
            InvalidParameterError: another class is registered under the same kind.
        """
        if not isinstance(getattr(cls, "kind", None), str):
            raise InvalidParameterError(
                f"no {self._thing} can be registered: received {shown(cls)}; allowed is a class with a text `kind`"
            )
        known: object = self.setdefault(cls.kind, cls)
        if known is not cls:
            raise InvalidParameterError(
                f"{self._thing} {cls.kind} is registered already: received {cls}; allowed is a kind of its own"
            )
        return cls

    def from_dict(self, data: Any) -> Kind:
        """Return the object of a dictionary that ``to_dict`` of a registered class wrote.

        Args:
            data: the dictionary; its key ``kind`` names the class.

        Raises:
            InvalidParameterError: no class is registered under the kind, or its class rejects the data.
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
