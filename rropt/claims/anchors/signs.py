"""Signs: how they multiply, what an expression divides by, and identities as certificates."""

from __future__ import annotations

from typing import Any

import sympy as sp

from rropt.certificates import Certificate
from rropt.claims.relations import Relation
from rropt.positivity import NoProofError, prove_as_written, prove_identity
from rropt.positivity.expressions import quotient

TURNED = {">": "<", ">=": "<=", "=": "=", "!=": "!=", "<": ">", "<=": ">="}  # of the negative


def written(left: Any, right: Any) -> Certificate:
    """Certify an identity as it is written; in lowest terms where that is more than the checker does."""
    try:
        return prove_as_written(left, right)
    except NoProofError:
        return prove_identity(left, right)


def ratio(left: Any, right: Any) -> Any:
    """Return the constant that one polynomial is of another, or 0."""
    if left.free_symbols != right.free_symbols:
        return sp.Integer(0)
    quotient_ = quotient(left / right)
    return sp.Integer(0) if any(part.free_symbols for part in quotient_) else quotient_[0] / quotient_[1]


def divisors(node: Any) -> set[Any]:
    """Return what an expression divides by, as it is written."""
    found = {node.base} if node.is_Pow and node.exp.is_negative else set()
    return found.union(*(divisors(part) for part in node.args))


def names(goal: Relation) -> set[str]:
    """Return the names that a relation uses."""
    return {str(symbol) for symbol in goal.difference.free_symbols}


def sign_of(value: Any) -> int:
    """Return -1, 0 or 1."""
    return int(value > 0) - int(value < 0)


def times(left: str, right: str) -> str:
    """Return the sign of a product."""
    if "=" in (left, right):
        return "="
    if "!=" in (left, right):
        return "!=" if {left, right} <= {">", "<", "!="} else "?"
    if "?" in (left, right):
        return "?"
    negative = ("<" in left) != ("<" in right)
    weak = len(left) == 2 or len(right) == 2
    return ("<" if negative else ">") + ("=" if weak else "")
