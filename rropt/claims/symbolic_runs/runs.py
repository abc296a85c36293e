"""Run a function of a claim at a point whose fractions are symbols.

The functions of the claim's own package and of rropt are copied. In the copies ``Fraction`` is replaced by a function
that accepts symbolic numbers, and everything outside the white list ends the run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from rropt.claims.symbolic_runs.entry_numbers import EntryNumber, EntryRun, RunEndedError
from rropt.claims.symbolic_runs.white_list import WhiteList
from rropt.core.errors import RroptError


def run_at(
    function: Callable[..., Any],
    point: Mapping[str, Any],
    symbols: Mapping[tuple[Any, ...], EntryNumber],
    run: EntryRun,
) -> Any:
    """Return the result of a function at a point whose fractions are replaced by symbolic numbers.

    Args:
        function: the claim's function.
        point: a point of the shape.
        symbols: the symbolic number for each fraction, indexed by path.
        run: the run of these numbers.

    Raises:
        RunEndedError: the function cannot be run on these numbers.
        ZeroDivisionError: the function divides by 0.
    """
    copies = WhiteList(function, EntryNumber, run.end, {max: run.largest, min: run.least})
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
