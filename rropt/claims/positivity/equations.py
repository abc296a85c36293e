"""Certificates of identities, as written or modulo equations among the facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import sympy as sp

from rropt.claims.positivity.handelman import NoProofError, prove_positive
from rropt.claims.positivity.identities import prove_as_written, prove_identity
from rropt.claims.rational_functions import quotient
from rropt.claims.relations import Relation
from rropt.core.certificates import Certificate


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


def identity(goal: Relation, facts: Sequence[Relation], known: Sequence[Mapping[str, Any]] = ()) -> Certificate:
    """Return the certificate of an identity.

    Args:
        goal: an equation.
        facts: the known facts, of which only the equations are used.
        known: values of the names at which the facts are true.

    Raises:
        NoProofError: the identity does not follow from the equations.
    """
    if quotient(goal.difference)[0] == 0:
        return written(goal.left, goal.right)
    numerators = [quotient(fact.difference)[0] for fact in facts if fact.sign == "="]
    equal = [numerator for numerator in numerators if numerator != 0]  # 0 = 0 says nothing
    if not equal:
        raise NoProofError(f"the two sides differ: {goal.left} is not {goal.right}")
    # the remainder of a division by several equations depends on their order, so each equation is tried alone first;
    # an equation alone can suffice only if all its names occur in the goal
    own = goal.left.free_symbols | goal.right.free_symbols
    for some in (*([numerator] for numerator in equal if numerator.free_symbols <= own), equal):
        try:
            return prove_identity(goal.left, goal.right, some, known=known)
        except NoProofError:
            continue
    raise NoProofError(f"{goal} does not follow from the equations")
