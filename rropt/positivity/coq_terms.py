"""Expression trees of certificates in Coq's syntax for real numbers."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any


def real(tree: Any) -> str:
    """Return an expression tree in Coq's syntax for reals."""
    if isinstance(tree, str):
        return tree if tree[0].isalpha() else number(Fraction(tree))
    ((operation, parts),) = tree.items()
    if operation == "negative":
        return f"(- {real(parts)})"
    if operation == "power":
        return f"({real(parts[0])} ^ {parts[1]})"
    sign = {"sum": " + ", "product": " * ", "quotient": " / "}[operation]
    return f"({sign.join(real(part) for part in parts)})"


def number(value: Fraction) -> str:
    """Return a rational number in Coq's syntax for reals."""
    text = str(abs(value.numerator)) if value.denominator == 1 else f"({abs(value.numerator)} / {value.denominator})"
    return f"(- {text})" if value < 0 else text


def divisors(tree: Any) -> Iterator[str]:
    """Iterate over what a tree divides by, in factors: none of them may be 0."""
    if isinstance(tree, str):
        return
    ((operation, parts),) = tree.items()
    for part in (parts,) if operation == "negative" else parts[:1] if operation == "power" else parts:
        yield from divisors(part)
    if operation == "quotient":
        yield from map(real, _factors(parts[1]))


def _factors(tree: Any) -> list[Any]:
    """Return the factors of a product of powers, without the numbers among them."""
    if isinstance(tree, dict) and "product" in tree:
        return [factor for part in tree["product"] for factor in _factors(part)]
    if isinstance(tree, dict) and "power" in tree:
        return _factors(tree["power"][0])
    if isinstance(tree, dict) and "negative" in tree:
        return _factors(tree["negative"])
    return [] if isinstance(tree, str) and not tree[0].isalpha() else [tree]
