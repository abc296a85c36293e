"""A mapping that stays as it is: a result that holds one can be hashed, copied and sent to another process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V", covariant=True)


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
