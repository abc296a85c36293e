"""Identities: as they stand, modulo the equations among the facts, or times a coefficient that is not 0."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rropt.certificates import Certificate
from rropt.claims.anchors.facts import Fact
from rropt.claims.anchors.signs import written
from rropt.claims.relations import Relation
from rropt.positivity import NoProofError, prove_identity
from rropt.positivity.expressions import quotient


def identity(
    goal: Relation, facts: Sequence[Fact], not_zero: Callable[[Any], Any], known: Sequence[Mapping[str, Any]] = ()
) -> tuple[Certificate, list[Fact]]:
    """Return the certificate of an identity, and the facts that it uses.

    Args:
        goal: an equation.
        facts: of which the equations are used.
        not_zero: raises NoProofError where an expression may be 0.
        known: values of the names at which the facts hold.

    Raises:
        NoProofError: it does not follow.
    """
    if quotient(goal.difference)[0] == 0:
        return written(goal.left, goal.right), []
    equal = [fact for fact in facts if fact.relation.sign == "="]
    if not equal:
        raise NoProofError(f"the two sides differ: {goal.left} is not {goal.right}")
    numerators = [quotient(fact.relation.difference)[0] for fact in equal]
    # division by several equations depends on their order, so each is tried alone before all together
    for some in (*([fact] for fact in equal), equal):
        try:
            relations = [quotient(fact.relation.difference)[0] for fact in some]
            return prove_identity(goal.left, goal.right, relations, known=known), some
        except NoProofError:
            continue
    return _multiplied(goal, numerators, (not_zero, known)), equal


def _multiplied(goal: Relation, numerators: Sequence[Any], how: tuple[Callable[[Any], Any], Any]) -> Certificate:
    """Certify an identity times a coefficient of the facts that is not 0: ``c s = r`` says what s is."""
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
