"""What a function takes is looked at where it comes in: another object is one clear error, not a missing attribute."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from rropt.errors import InvalidParameterError, shown
from rropt.mechanisms.mechanism import Mechanism

T = TypeVar("T")

_MECHANISM = "Mechanism(matrix), named_mechanism('warner:3/4') or load_mechanism(file)"


def required(value: object, kind: type[T], name: str, advice: str) -> T:
    """Return a value that is of a kind.

    Args:
        value: what was received.
        kind: the class that is allowed.
        name: what the value is in an error, such as ``"the mechanism"``.
        advice: how to make an object of that kind.

    Raises:
        InvalidParameterError: it is of another kind.
    """
    if not isinstance(value, kind):
        raise InvalidParameterError(
            f"{name} is of another kind: received {shown(value)}, of type {type(value).__name__}; allowed is a "
            f"{kind.__name__}; write {advice}"
        )
    return value


def required_mechanism(value: object, name: str = "the mechanism") -> Mechanism:
    """Return a value that is a mechanism.

    Raises:
        InvalidParameterError: it is of another kind, a name or a matrix for example.
    """
    advice = f"named_mechanism({shown(value)})" if isinstance(value, str) else _MECHANISM
    return required(value, Mechanism, name, advice)


def required_mechanisms(values: object, name: str = "the mechanisms") -> Sequence[Mechanism]:
    """Return a list or tuple of mechanisms.

    Raises:
        InvalidParameterError: it is no list, or one of them is of another kind.
    """
    if not isinstance(values, (list, tuple)):
        raise InvalidParameterError(
            f"{name} are not in a list: received {shown(values)}, of type {type(values).__name__}; allowed is a list "
            f"of Mechanism; write [first, second], each {_MECHANISM}"
        )
    for i, value in enumerate(values):
        required_mechanism(value, f"number {i} of {name}")
    return values
