"""The questions of a product mechanism, and which of them are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rropt.core.errors import InvalidParameterError, shown
from rropt.mechanisms.imports import required_mechanism
from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.product import ProductMechanism


def product_of(mechanism: Mechanism) -> ProductMechanism:
    """Return a mechanism as a product; any other mechanism asks one question."""
    mechanism = required_mechanism(mechanism)
    return mechanism if isinstance(mechanism, ProductMechanism) else ProductMechanism([mechanism])


def chosen_questions(n: int, questions: Sequence[int] | None) -> tuple[int, ...]:
    """Return the questions of a table, checked."""
    if questions is None:
        return tuple(range(n))
    chosen = tuple(questions) if isinstance(questions, Iterable) else ()
    if not chosen or not all(type(q) is int and 0 <= q < n for q in chosen) or len(set(chosen)) != len(chosen):
        raise InvalidParameterError(
            f"there are no such questions: received {shown(questions)}; allowed are different numbers, 0 to {n - 1}"
        )
    return chosen
