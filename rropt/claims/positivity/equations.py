"""Certificates of identities (as written, modulo equations among the facts, or after multiplication), and signs.

An identity may be multiplied by a coefficient that is proved nonzero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import sympy as sp

from rropt.claims.positivity.expressions import divided, quotient
from rropt.claims.positivity.handelman import NoProofError, prove_positive
from rropt.claims.positivity.identities import prove_as_written, prove_identity
from rropt.claims.relations import Fact, Relation
from rropt.core.certificates import Certificate

TURNED = {">": "<", ">=": "<=", "=": "=", "!=": "!=", "<": ">", "<=": ">="}  # the sign of the negative


@lru_cache(maxsize=2000)
def written(left: Any, right: Any) -> Certificate:
    """Certify an identity as it is written, or in lowest terms if expanding it is too much work for the checker."""
    try:
        return prove_as_written(left, right)
    except NoProofError:
        return prove_identity(left, right)


def known_sum(
    sums: dict[Any, Certificate | None], wanted: tuple[Any, ...], known: Sequence[Mapping[str, Any]]
) -> Certificate | None:
    """Return the certificate of a Handelman sum, or None; each search runs once and its result is cached.

    ``wanted`` is (polynomial, hypotheses, strict, degree).
    """
    if wanted not in sums:
        polynomial, hypotheses, strict, degree = wanted
        try:
            sums[wanted] = prove_positive(
                polynomial, hypotheses, strict=strict, degree=degree, only_used=True, known=known
            )
        except NoProofError:
            sums[wanted] = None
    return sums[wanted]


@lru_cache(maxsize=20_000)
def ratio(left: Any, right: Any) -> Any:
    """Return the constant c with ``left = c right``, or 0 if there is none."""
    if left.free_symbols != right.free_symbols:
        return sp.Integer(0)
    quotient_ = quotient(left / right)
    return sp.Integer(0) if any(part.free_symbols for part in quotient_) else quotient_[0] / quotient_[1]


def divisors(node: Any) -> set[Any]:
    """Return the divisors that occur in an expression as written."""
    found = {node.base} if node.is_Pow and node.exp.is_negative else set()
    return found.union(*(divisors(part) for part in node.args))


def names(goal: Relation) -> set[str]:
    """Return the names that occur in a relation."""
    return {str(symbol) for symbol in goal.difference.free_symbols}


def sign_of(value: Any) -> int:
    """Return the sign of a number: -1, 0 or 1."""
    return int(value > 0) - int(value < 0)


def times(left: str, right: str) -> str:
    """Return the sign of a product from the signs of its factors; ``?`` if it is unknown."""
    if "=" in (left, right):
        return "="
    if "!=" in (left, right):
        return "!=" if {left, right} <= {">", "<", "!="} else "?"
    if "?" in (left, right):
        return "?"
    negative = ("<" in left) != ("<" in right)
    weak = len(left) == 2 or len(right) == 2
    return ("<" if negative else ">") + ("=" if weak else "")


def identity(
    goal: Relation, facts: Sequence[Fact], not_zero: Callable[[Any], Any], known: Sequence[Mapping[str, Any]] = ()
) -> tuple[Certificate, list[Fact]]:
    """Return the certificate of an identity, and the facts that it uses.

    Args:
        goal: an equation.
        facts: the known facts, of which only the equations are used.
        not_zero: a function that raises NoProofError if an expression may be 0.
        known: values of the names at which the facts are true.

    Raises:
        NoProofError: the identity does not follow from the equations.
    """
    if quotient(goal.difference)[0] == 0:
        return written(goal.left, goal.right), []
    equal = [
        f for f in facts if f.relation.sign == "=" and quotient(f.relation.difference)[0] != 0
    ]  # 0 = 0 says nothing
    if not equal:
        raise NoProofError(f"the two sides differ: {goal.left} is not {goal.right}")
    numerators = [quotient(fact.relation.difference)[0] for fact in equal]
    # the remainder of a division by several equations depends on their order, so each equation is tried alone first;
    # an equation alone can suffice only if all its names occur in the goal
    own = goal.left.free_symbols | goal.right.free_symbols
    alone = [fact for fact, part in zip(equal, numerators, strict=True) if part.free_symbols <= own]
    for some in (*([fact] for fact in alone), equal):
        try:
            relations = [quotient(fact.relation.difference)[0] for fact in some]
            return prove_identity(goal.left, goal.right, relations, known=known), some
        except NoProofError:
            continue
    if needed := _needed(goal, equal, numerators):
        return prove_identity(
            goal.left, goal.right, [quotient(f.relation.difference)[0] for f in needed], known=known
        ), needed
    return _multiplied(goal, numerators, (not_zero, known)), equal


def _needed(goal: Relation, equal: Sequence[Fact], numerators: Sequence[Any]) -> list[Fact]:
    """Return the equations that a division without remainder uses; empty if there is a remainder or all are needed.

    A certificate with all equations would often be too long.
    """
    symbols = sorted(set().union(*(part.free_symbols for part in (goal.difference, *numerators))), key=str)
    cofactors, rest = divided(quotient(goal.difference)[0], numerators, symbols)
    needed = [fact for fact, cofactor in zip(equal, cofactors, strict=True) if cofactor != 0]
    return needed if rest == 0 and len(needed) < len(equal) else []


def _multiplied(goal: Relation, numerators: Sequence[Any], how: tuple[Callable[[Any], Any], Any]) -> Certificate:
    """Certify an identity times a nonzero coefficient c from the facts, as when ``c s = r`` determines s."""
    not_zero, known = how
    for numerator in numerators:
        for symbol in sorted(numerator.free_symbols & goal.difference.free_symbols, key=str):
            coefficient = numerator.coeff(symbol, 1)
            if coefficient.free_symbols:
                try:
                    not_zero(coefficient)
                    sides = goal.left * coefficient, goal.right * coefficient
                    return prove_identity(*sides, numerators, known=known)
                except NoProofError:
                    continue
    raise NoProofError(f"{goal} does not follow from the equations")
