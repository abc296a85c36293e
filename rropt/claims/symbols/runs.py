"""Run a function of a claim at a point whose fractions are symbols.

The functions of the claim's own package and of rropt are copied. In the copies ``Fraction`` is replaced by a function
that accepts symbolic numbers, and everything outside the white list ends the run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NoReturn

from rropt.claims.symbols.white_list import WhiteList
from rropt.core.errors import RroptError


class RunEndedError(RroptError, TypeError):
    """A run on symbols ended: a call needs an actual number, or the code is outside the white list."""


def run_at(
    side: Callable[..., Any],
    point: Mapping[str, Any],
    symbols: Mapping[tuple[Any, ...], Any],
    kind: type,
    end: Callable[[str], NoReturn],
    instead: Mapping[Any, Any],
) -> Any:
    """Return the result of a function at a point whose fractions are replaced by symbolic numbers of a given type.

    Args:
        side: the claim's function.
        point: a point of the shape.
        symbols: the symbolic number for each fraction, indexed by path.
        kind: the type of these numbers.
        end: a function that ends the run with a reason.
        instead: a mapping from operations to the functions that replace them.

    Raises:
        RunEndedError: the function cannot be run on these numbers.
        ZeroDivisionError: the function divides by 0.
    """
    copies = WhiteList(side, kind, end, instead)
    try:
        return copies.side(MappingProxyType(_symbolic(point, symbols)))  # of the type that a side meets on numbers
    except (RroptError, ZeroDivisionError):
        raise
    except Exception as error:  # an operation rejected a symbol, or the claim's code failed
        raise RunEndedError(f"an error ({type(error).__name__})") from None


def _symbolic(point: Mapping[str, Any], symbols: Mapping[tuple[Any, ...], Any]) -> dict[str, Any]:
    """Return a point with some of its fractions replaced by symbols."""

    def replaced(value: Any, path: tuple[Any, ...]) -> Any:
        if path in symbols:
            return symbols[path]
        if isinstance(value, Mapping):
            return {key: replaced(part, (*path, key)) for key, part in value.items()}
        if type(value) in (tuple, list):
            return type(value)(replaced(part, (*path, place)) for place, part in enumerate(value))
        return value

    return {name: replaced(value, (name,)) for name, value in point.items()}
