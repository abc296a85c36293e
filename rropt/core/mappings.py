"""Read-only mappings, and a registry of classes by their attribute ``kind``.

A result whose mappings are all ``ReadOnlyMapping`` can be hashed, copied and sent to another process.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, NoReturn, TypeVar

from rropt.core.errors import InvalidParameterError, RroptError, shown

K = TypeVar("K")
V = TypeVar("V")
Kind = TypeVar("Kind")
_Class = TypeVar("_Class", bound=type[Any])


class ReadOnlyMapping(dict[K, V]):
    """An immutable mapping, equal to any mapping with the same items; hashable if its values are hashable.

    >>> degrees = ReadOnlyMapping({"a": 1})
    >>> degrees["a"], degrees == {"a": 1}, hash(degrees) == hash(ReadOnlyMapping([("a", 1)]))
    (1, True, True)
    """

    __slots__ = ()

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("the mapping is read-only: make another one")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __hash__(self) -> int:  # type: ignore[override]  # nothing changes it
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[type, tuple[dict[K, V]]]:
        return type(self), (dict(self),)

    def __repr__(self) -> str:
        return f"ReadOnlyMapping({super().__repr__()})"


class KindRegistry(dict[str, type[Kind]]):
    """A registry of classes by their attribute ``kind``, which is also the key of their JSON objects.

    Args:
        thing: the name of the registered thing, for messages.
        allowed: a function from the registry to the part of an error message that lists the allowed kinds.
        later: modules by kind that are imported when a file contains this kind.
    """

    def __init__(
        self, thing: str, allowed: Callable[[KindRegistry[Kind]], str], later: Mapping[str, str] | None = None
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
        try:
            read: Kind = self[kind].from_dict(data)  # type: ignore[attr-defined]
            added = set(data) - set(read.to_dict())  # type: ignore[attr-defined]
        except RroptError:
            raise
        except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError) as error:  # of a third party
            raise InvalidParameterError(
                f"{self._thing} {kind} is not of its form: received {shown(data)}; its class raised "
                f"{type(error).__name__}; write it as its to_dict does"
            ) from error
        if added:  # a class of a third party may ignore them: a misspelled key would then mean its default
            raise InvalidParameterError(
                f"{self._thing} {kind} has unknown keys: received {shown(', '.join(sorted(map(str, added))))}; allowed "
                f"are the keys that its to_dict writes"
            )
        return read
