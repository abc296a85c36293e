"""The questions of a product mechanism, and the selection of some of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact.numbers import plain_integer
from rropt.mechanisms.imports import required_mechanism
from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.product import ProductMechanism


def product_of(mechanism: Mechanism) -> ProductMechanism:
    """Return a mechanism as a product; a mechanism of any other form becomes a product with one factor."""
    mechanism = required_mechanism(mechanism)
    return mechanism if isinstance(mechanism, ProductMechanism) else ProductMechanism([mechanism])


def with_named_cells(product: ProductMechanism) -> ProductMechanism:
    """Return a product whose categories, combinations of those of its questions, have names: ``yes, no`` or ``1 0``.

    The first question varies fastest.

    >>> from rropt.mechanisms import named_mechanism
    >>> with_named_cells(named_mechanism("bits:3/4*2")).categories
    ('0 0', '1 0', '0 1', '1 1')
    """
    between = ", " if any(one.categories for one in product.factors) else " "
    names = [""]
    for place, one in enumerate(product.factors):
        own = one.categories or tuple(map(str, range(one.inputs)))
        names = [f"{first}{between * (place > 0)}{last}" for last in own for first in names]
    return product.labelled(names) if len(set(names)) == len(names) else product


def chosen_questions(n: int, questions: Sequence[int] | None) -> tuple[int, ...]:
    """Validate the selected questions of a table with n questions; ``None`` selects all."""
    if questions is None:
        return tuple(range(n))
    chosen = tuple(map(plain_integer, questions)) if isinstance(questions, Iterable) else ()
    if not chosen or not all(type(q) is int and 0 <= q < n for q in chosen) or len(set(chosen)) != len(chosen):
        raise InvalidParameterError(
            f"there are no such questions: received {shown(questions)}; allowed are different numbers, 0 to {n - 1}"
        )
    return chosen
