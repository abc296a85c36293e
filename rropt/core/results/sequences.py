"""Results that are a sequence of things: formulas for ranges of levels, designs that are compared, rows of a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from rropt.core.errors import shown


class SequenceOf:
    """A result that is iterated, indexed and counted as the tuple in one of its attributes.

    A subclass declares ``ITEMS``, the name of that attribute, and ``KEY``, the attribute of an item by which ``[]``
    finds it, if items have names. A result is always true, also without items.
    """

    __slots__ = ()
    ITEMS: ClassVar[str]
    KEY: ClassVar[str] = ""

    def __len__(self) -> int:
        return len(getattr(self, self.ITEMS))

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Any]:
        return iter(getattr(self, self.ITEMS))

    def __getitem__(self, place: Any) -> Any:
        items = getattr(self, self.ITEMS)
        if not self.KEY or not isinstance(place, str):
            return items[place]
        named = {getattr(item, self.KEY): item for item in items}
        if place not in named:
            raise KeyError(f"there is no {shown(place)}: allowed are {', '.join(map(str, named))}")
        return named[place]
