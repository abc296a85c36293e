"""Numbers with names: what ``params``, ``bse`` and ``conf_int()`` of a result return."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rropt.core.errors import shown
from rropt.core.lazy import numpy as np

_LISTED = 12  # names in a message


class NamedNumbers:
    """Numbers, or intervals, in an order and with names.

    It is indexed by name or by place, unpacks to its numbers, and is an array for NumPy.

    >>> found = NamedNumbers(["north", "south"], [1, 3])
    >>> low, high = found
    >>> found["south"] - found[0], high - low, found.names
    (2, 2, ('north', 'south'))
    """

    __slots__ = ("_numbers", "names")

    def __init__(self, names: Sequence[str], numbers: Sequence[Any]) -> None:
        self.names, self._numbers = tuple(names), tuple(numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._numbers)

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, str):
            return self._numbers[key]
        if self.names.count(key) != 1:
            told = ", ".join(map(shown, self.names[:_LISTED])) + ", ..." * (len(self.names) > _LISTED)
            raise KeyError(f"there is no single {shown(key)}: allowed are {told}")
        return self._numbers[self.names.index(key)]

    def items(self) -> Iterator[tuple[str, Any]]:
        """Return the names with their numbers."""
        return zip(self.names, self._numbers, strict=True)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """Return the numbers for ``numpy.asarray``, as floats; intervals have the shape (n, 2)."""
        rows: list[Any] = [[np.nan, np.nan] if one is None and self._are_intervals else one for one in self._numbers]
        found: list[Any] = [np.nan if one is None else one for one in rows]
        return np.array([[float(x) for x in one] if np.ndim(one) else float(one) for one in found], dtype)

    @property
    def _are_intervals(self) -> bool:
        return any(np.ndim(one) for one in self._numbers if one is not None)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NamedNumbers):
            return NotImplemented
        return (self.names, self._numbers) == (other.names, other._numbers)

    def __hash__(self) -> int:
        return hash((self.names, self._numbers))

    def to_series(self) -> Any:
        """Return the numbers as a Series of pandas; of intervals as a frame with the columns low and high.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        from rropt.core.results.markup import required_pandas

        found = np.asarray(self)
        if found.ndim == 2:
            return required_pandas().DataFrame(found, list(self.names), ["low", "high"])
        return required_pandas().Series(found, list(self.names))

    def __repr__(self) -> str:
        told = [f"{name}: {_text(number)}" for name, number in list(self.items())[:_LISTED]]
        return f"<NamedNumbers {', '.join(told)}{', ...' * (len(self) > _LISTED)}>"


def _text(number: Any) -> str:
    if number is None:
        return "none"
    return f"{float(number):.6g}" if not np.ndim(number) else f"{float(number[0]):.6g} to {float(number[1]):.6g}"
