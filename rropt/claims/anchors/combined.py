"""Composite proofs: sums whose terms each have a sign, and case distinctions that cover all cases."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import sympy as sp

from rropt.claims.anchors.equations import TURNED, divisors, ratio, written
from rropt.claims.anchors.prover import Prover
from rropt.claims.positivity import NoProofError
from rropt.claims.positivity.expressions import quotient
from rropt.claims.relations import Fact, Relation

_DEGREE = 2  # of the proof that a term is nonzero where no fact states it
_CONTRARY = {">": ("<", "<=", "="), ">=": ("<",), "=": (">", "<"), "<": (">", ">=", "="), "<=": (">",)}


def prove_sum(prover: Prover, goal: Relation, terms: Sequence[Any], name: str) -> None:
    """Prove that the two sides of a relation differ by the sum of the terms.

    Raises:
        NoProofError: the difference is not this sum, or a divisor may be 0.
    """
    parts = (goal.left, goal.right, *terms)
    for divisor in sorted(set[Any]().union(*(divisors(part) for part in parts)), key=str):
        prover.sign(divisor, f"{name}: the divisor {divisor}")
    prover.certificates.append((f"{name}, as a sum", written(goal.difference, sp.Add(*terms))))


def positive_sum(prover: Prover, terms: Sequence[Any], name: str) -> None:
    """Prove that a sum is positive: every term is >= 0 by the signs of its factors, and at least one term is > 0.

    Raises:
        NoProofError: the sign of a term is unknown, or all terms may be 0.
    """
    titles = [f"{name}: the term {number}" for number in range(1, len(terms) + 1)]
    found = [prover.sign(term, title, strict=False) for term, title in zip(terms, titles, strict=True)]
    for place, (term, title) in enumerate(zip(terms, titles, strict=True)):
        if ">" not in found and found[place] == ">=":  # the sign may be strict although no single fact states it
            with suppress(NoProofError):
                found[place] = prover.sign(term, title, degree=_DEGREE)
    if not set(found) <= {">", ">=", "="} or ">" not in found:
        raise NoProofError(f"{name}: the terms of the sum have the signs {', '.join(found)}")


def cover(prover: Prover, cases: Sequence[Sequence[Relation]], name: str) -> None:
    """Prove that at least one of the cases is true, by refuting every combination of their negations.

    Raises:
        NoProofError: no contradiction is found for some combination of negations, or a relation may be undefined.
    """
    for relation in dict.fromkeys(relation for case in cases for relation in case):
        for divisor in sorted(divisors(relation.left) | divisors(relation.right), key=str):
            prover.sign(divisor, f"{name}: the divisor {divisor}")
    _refuted(prover, (), cases, (name, set()))


def _refuted(prover: Prover, assumed: tuple[Relation, ...], cases: Sequence[Sequence[Relation]], how: Any) -> None:
    """Refute the assumptions with every combination of negations; stop early where two relations contradict."""
    name, done = how
    for known in (*assumed[:-1], *(fact.relation for fact in prover.facts)) if assumed else ():
        if (known, assumed[-1]) in done:
            return
        if _contrary(known, assumed[-1]):
            facts = tuple(fact for fact in prover.facts if fact.relation == known)
            small = Prover(facts or (Fact(known, "the other case"),)).writing_into(prover)
            small.refute(assumed[-1:], name)
            done.add((known, assumed[-1]))
            return
    if not cases:
        prover.refute(assumed, name)
        return
    for relation in cases[0]:
        for opposite in relation.opposite():
            _refuted(prover, (*assumed, opposite), cases[1:], how)


def _contrary(known: Relation, other: Relation) -> bool:
    """Return whether two relations on proportional polynomials contradict each other."""
    if known.sign == "!=" or other.sign == "!=":
        return False
    left, right = (quotient(relation.difference) for relation in (known, other))
    if left[1].free_symbols or right[1].free_symbols or 0 in (left[0], right[0]):
        return False
    share = ratio(left[0] / left[1], right[0] / right[1])
    sign = known.sign if share > 0 else TURNED[known.sign]
    return bool(share != 0 and sign in _CONTRARY[other.sign])
