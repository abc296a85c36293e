"""``LateTexts``: texts that a result computes when they are read, such as remarks that need all intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, overload


class LateTexts(Sequence[str]):
    """A sequence of texts that a function returns at the first use; equal to the tuple of these texts.

    Args:
        make: a function that returns the texts.

    >>> found = LateTexts(lambda: ["one remark"])
    >>> found == ("one remark",), (*found, "another")
    (True, ('one remark', 'another'))
    """

    __slots__ = ("_found", "_make")

    def __init__(self, make: Callable[[], Iterable[str]]) -> None:
        self._make: Callable[[], Iterable[str]] | None = make
        self._found: tuple[str, ...] = ()

    def texts(self) -> tuple[str, ...]:
        """Return the texts."""
        if self._make is not None:
            self._found, self._make = tuple(self._make()), None
        return self._found

    def __len__(self) -> int:
        return len(self.texts())

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts())

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[str, ...]: ...
    def __getitem__(self, place: int | slice) -> str | tuple[str, ...]:
        return self.texts()[place]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, tuple | LateTexts):
            return NotImplemented
        return self.texts() == tuple(other)

    def __hash__(self) -> int:
        return hash(self.texts())

    def __repr__(self) -> str:
        return repr(self.texts())

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (self.texts(),)
