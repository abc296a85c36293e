"""``LateRecords``: the records of a long result, each made when it is written, so that they are never all in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, overload


class LateRecords(Sequence[dict[str, Any]]):
    """A sequence of records for JSON that a function makes one by one.

    Args:
        make: a function of the place of a record.
        size: the number of records.

    >>> LateRecords(lambda place: {"n": place}, 3)[1:]
    [{'n': 1}, {'n': 2}]
    """

    __slots__ = ("_make", "_size")

    def __init__(self, make: Callable[[int], dict[str, Any]], size: int) -> None:
        self._make, self._size = make, size

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, place: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, place: slice) -> list[dict[str, Any]]: ...
    def __getitem__(self, place: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        if isinstance(place, slice):
            return [self._make(each) for each in range(*place.indices(self._size))]
        return self._make(range(self._size)[place])
