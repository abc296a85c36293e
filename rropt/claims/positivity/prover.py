"""The prover: it proves a relation from facts and builds the certificates itself from the relation as written.

A proof of ``left sign right`` has three parts:

1. the sign of every divisor;
2. one identity ``left - right = c prod f_i^(e_i)`` with irreducible factors f_i;
3. the signs of the factors f_i that are needed, each proved by a Handelman sum of the facts.

If the signs of the factors do not suffice, the prover tries the whole numerator. Where no Handelman sum is found, a
quadratic polynomial is tried as a sum of squares.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import comb
from typing import Any

import sympy as sp

from rropt.claims.positivity.equations import (
    identity,
    known_sum,
    ratio,
    written,
)
from rropt.claims.positivity.handelman import Hypothesis, NoProofError
from rropt.claims.positivity.squares import sum_of_squares
from rropt.claims.rational_functions import divisors, expanded, quotient
from rropt.claims.rational_functions import factors as factors_of
from rropt.claims.relations import TURNED, Relation, powered, sign_of, text_of, times, values_of
from rropt.core.certificates import Certificate

Named = tuple[str, Certificate]

_DIVISOR_DEGREE = 2  # of the proof that a fact's divisor has a sign; a fact that needs a larger degree is not used
_MOST_PRODUCTS = 4000  # a linear program with this number of columns takes about a second
_DEGREE = 4
_MOST_WORK = 400_000  # products that are tried for one card: a minute or two. Counted, so that each machine stops here
_RANK = ["", "!=", ">=", "<=", "=", "<", ">"]  # of two signs of one expression, the later one is stronger


@dataclass(slots=True)
class Prover:
    """A prover of relations from facts.

    Attributes:
        facts: the facts that proofs may use.
        samples: values of the symbols at which the facts are true; they suggest which sign to try.
        certificates: the accepted certificates, each with a name.
        sums: the cached searches for Handelman sums; shared like the certificates.
        work: the number of products that were tried, in a list; shared like the certificates.
    """

    facts: tuple[Relation, ...]
    samples: Sequence[Mapping[str, Any]] = ()
    certificates: list[Named] = field(default_factory=list)
    sums: dict[Any, Certificate | None] = field(default_factory=dict)
    work: list[int] = field(default_factory=lambda: [0])
    _signs: dict[Any, str] = field(default_factory=dict)
    _polynomials: dict[Relation, Any] = field(default_factory=dict)
    _divisions: set[Relation] = field(default_factory=set)

    def with_facts(self, facts: Iterable[Relation], samples: Sequence[Mapping[str, Any]] | None = None) -> Prover:
        """Return a prover with further facts that shares the results of this one."""
        return Prover((*self.facts, *facts), self.samples if samples is None else samples).writing_into(self)

    def writing_into(self, other: Prover) -> Prover:
        """Share the results of another prover from now on, and return self."""
        self.certificates, self.sums, self.work = other.certificates, other.sums, other.work
        return self

    def prove(self, goal: Relation, name: str, *, degree: int | None = None) -> None:
        """Prove a relation and keep its certificates.

        Raises:
            NoProofError: the relation is false at a sample, or the method finds no proof.
        """
        with self.attempt():
            self._prove(goal, name, degree)

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Restore certificates and derived results if a proof fails."""
        kept = len(self.certificates)
        own = dict(self._signs), dict(self._polynomials)
        try:
            yield
        except NoProofError:
            del self.certificates[kept:]
            self._signs, self._polynomials = own
            raise

    def _prove(self, goal: Relation, name: str, degree: int | None) -> None:
        if (values := goal.first_false(self.samples)) is not None:
            shown = ", ".join(f"{key} = {values[key]}" for key in sorted(goal.names()) if key in values)
            raise NoProofError(f"{name}: {goal} is false at {shown}")
        if goal.sign != "=" and goal in self.facts:
            return
        for divisor in sorted({*divisors(goal.left), *divisors(goal.right)}, key=text_of):
            self._sign(divisor, f"{name}: the divisor {text_of(divisor)}", degree)
        if goal.sign == "=":
            self.certificates.append((name, identity(goal, self.facts, self.samples)))
            return
        self._inequality(goal, name, degree)

    def refute(self, assumed: Sequence[Relation], name: str) -> None:
        """Prove that the given relations contradict the facts, by a sum of products of them.

        Raises:
            NoProofError: no contradiction is found.
        """
        inner = self.with_facts(assumed, samples=())
        inner.facts += tuple(inner._strict([relation for relation in assumed if relation.sign == "!="]))
        inner._keep(sp.Integer(0), ">", name, None)

    def _strict(self, unequal: Sequence[Relation]) -> list[Relation]:
        """Return ``f > 0`` for the facts ``f >= 0`` that an assumption ``f != 0`` makes strict."""
        found = []
        for relation in unequal:
            numerator, denominator = quotient(relation.difference)
            for fact in self.facts if denominator.is_Rational else ():
                cleared = self._cleared(fact) if fact.sign == ">=" else None
                if cleared is not None and ratio(cleared, numerator) != 0:
                    found.append(Relation(cleared, ">", sp.Integer(0)))
        return found

    def _inequality(self, goal: Relation, name: str, degree: int | None) -> None:
        """Prove ``left - right >= 0`` (``> 0``, ``!= 0``) by the signs of its factors, or as a whole."""
        numerator, denominator = quotient(goal.difference)
        if numerator == 0:
            if goal.sign != ">=":
                raise NoProofError(f"{name}: the two sides of {goal} are equal")
            self.certificates.append((name, written(goal.left, goal.right)))
            return
        constant, factors = factors_of(numerator)
        below, lower = factors_of(denominator)
        pairs = [(f, e, False) for f, e in factors] + [(f, e, True) for f, e in lower]
        try:
            sign = ">" if constant * below > 0 else "<"
            for factor, power, divides in pairs:
                wanted = "" if divides or goal.sign in (">", "!=") or power % 2 else ">="
                found = wanted or self._sign(
                    factor, f"{name}: {text_of(factor)}", degree, strict=divides or goal.sign != ">="
                )
                sign = times(sign, powered(found, power))
            if sign not in {">": (">",), ">=": (">", ">=", "="), "!=": (">", "<", "!=")}[goal.sign]:
                raise NoProofError(f"{name}: the signs of the factors give {text_of(goal.difference)} {sign} 0")
        except NoProofError:
            if goal.sign == "!=" or (len(pairs) < 2 and len(sign) < 2):
                raise  # a single factor whose known sign is opposite or zero: the numerator gives nothing more
            turn = self._sign(denominator, f"{name}: the denominator", degree) if lower else ">"
            if turn not in (">", "<"):  # nonzero of unknown sign: the sign of the numerator does not suffice
                raise
            self._keep(numerator if turn == ">" else -numerator, goal.sign, name, degree)
        if len(pairs) > 1 or any(power > 1 for _, power, _ in pairs):  # a square alone needs no sign of its factor
            product = sp.Mul(constant, *(f**e for f, e in factors))
            right = product / sp.Mul(below, *(f**e for f, e in lower))
            self.certificates.append(
                (f"{name}: the difference of the sides, in factors", written(goal.difference, right))
            )

    def _sign(self, polynomial: Any, name: str, degree: int | None, *, strict: bool = True) -> str:
        """Return the proved sign of a polynomial: ``>``, ``<`` or ``!=``; weak signs too if not ``strict``."""
        numerator, denominator = quotient(sp.sympify(polynomial))
        if denominator.free_symbols:
            below = self._sign(denominator, f"{name}: its denominator", degree)
            return times(self._sign(numerator, name, degree, strict=strict), below)
        polynomial = numerator / denominator
        key = (polynomial, strict)
        if key not in self._signs:
            self._signs[key] = self._new_sign(polynomial, name, degree, strict)
        return self._signs[key]

    def _new_sign(self, polynomial: Any, name: str, degree: int | None, strict: bool) -> str:
        if polynomial.is_Rational and polynomial != 0:
            return ">" if polynomial > 0 else "<"
        constant, factors = factors_of(polynomial)
        if len(factors) > 1 or (factors and factors[0][1] > 1):
            sign = ">" if constant > 0 else "<"
            for factor, power in factors:
                if power % 2 or strict:
                    found = self._sign(factor, name, degree, strict=strict)
                    sign = times(sign, found if power % 2 else ">")
                else:
                    sign = times(sign, powered(self._listed(factor), power))
            return sign
        listed = self._listed(polynomial)
        if listed and listed != "!=" and (listed in (">", "<") or not strict):
            return listed
        if divided := self._divided(polynomial, name, strict):
            return divided
        try:
            return self._found_sign(polynomial, name, degree, strict)
        except NoProofError:
            if listed == "!=" and strict:
                return listed
            raise

    def _found_sign(self, polynomial: Any, name: str, degree: int | None, strict: bool) -> str:
        """Return the sign that a Handelman sum proves; the samples suggest which sign to try."""
        signs = {sign_of(values_of(polynomial)(values)) for values in self.samples}
        if {1, -1} <= signs or (strict and 0 in signs):
            raise NoProofError(f"{name} has no one sign: it takes the signs {sorted(signs)} on the sweep")
        error = NoProofError(f"{name} has no sign that follows")
        for turned in (False, True) if 1 in signs or not signs else (True, False):
            if (-1 in signs) if not turned else (1 in signs):
                continue
            for relation in (">",) if strict else (">", ">="):
                if relation == ">" and 0 in signs:
                    continue
                try:
                    self._keep(-polynomial if turned else polynomial, relation, name, degree)
                except NoProofError as reason:
                    error = reason
                else:
                    return TURNED[relation] if turned else relation
        raise error

    def _listed(self, polynomial: Any) -> str:
        """Return the sign that a fact states about a constant multiple of the polynomial."""
        best = ""
        for fact in self.facts:
            cleared = self._cleared(fact)
            share = sp.Integer(0) if cleared is None else ratio(cleared, polynomial)
            if share != 0:
                best = max(best, fact.sign if share > 0 else TURNED[fact.sign], key=_RANK.index)
        return best

    def _divided(self, polynomial: Any, name: str, strict: bool) -> str:
        """Return the sign that follows from a fact about a multiple, if the sign of the other factor is known."""
        for fact in self.facts:
            cleared = self._cleared(fact) if fact.sign == ">" or not strict else None
            if fact.sign not in (">", ">=") or cleared is None or fact in self._divisions:
                continue
            factors = factors_of(cleared)[1] if polynomial.free_symbols <= cleared.free_symbols else ()
            if len(factors) < 2 or not any(ratio(factor, polynomial) != 0 and e == 1 for factor, e in factors):
                continue
            other = expanded(cleared / polynomial)
            self._divisions.add(fact)
            try:
                share = self._sign(other, f"{name}: the other factor", _DIVISOR_DEGREE)
            except NoProofError:
                continue
            finally:
                self._divisions.discard(fact)
            if share in (">", "<"):
                turn = 1 if share == ">" else -1
                whole = Relation(cleared, fact.sign, sp.Integer(0))  # without its divisors
                small = Prover((whole, Relation(turn * other, ">", sp.Integer(0)))).writing_into(self)
                opposite = ">=" if fact.sign == ">" else ">"
                try:
                    with self.attempt():
                        small.refute([Relation(-turn * polynomial, opposite, sp.Integer(0))], f"{name}, by division")
                except NoProofError:
                    continue
                return times(fact.sign, share)
        return ""

    def _keep(self, polynomial: Any, sign: str, name: str, degree: int | None) -> None:
        """Prove ``polynomial > 0`` or ``>= 0`` by one Handelman sum, with increasing degrees unless one is given."""
        hypotheses = [
            Hypothesis(part, strict=fact.sign == ">")
            for fact, difference in self._usable(polynomial)
            for part in ((difference, -difference) if fact.sign == "=" else (difference,))
        ]
        for most in [degree] if degree is not None else range(_DEGREE + 1):
            if degree is None and comb(len(hypotheses) + most, most) > _MOST_PRODUCTS:
                break
            key = (polynomial, tuple(hypotheses), sign == ">", most)
            if key not in self.sums:
                self._spend(comb(len(hypotheses) + most, most), name)
            certificate = known_sum(self.sums, key, self.samples)
            if certificate is not None:
                self.certificates.append((name, certificate))
                return
        if degree is None and self._squares(polynomial, sign, name):
            return
        raise NoProofError(f"{name}: {text_of(polynomial)} {sign} 0 does not follow")

    def _spend(self, products: int, name: str) -> None:
        """Count products before they are tried.

        Raises:
            NoProofError: the work of the card is spent.
        """
        if self.work[0] + products > _MOST_WORK:
            raise NoProofError(f"{name}: the work of a card, {_MOST_WORK:,} products, is spent; divide the card")
        self.work[0] += products

    def _squares(self, polynomial: Any, sign: str, name: str) -> bool:
        """Return whether a quadratic polynomial is proved to be a constant plus squares, where equations hold."""
        equations = [poly for fact in self.facts if fact.sign == "=" and (poly := self._cleared(fact)) is not None]
        found = sum_of_squares(polynomial, equations)
        if found is None or (sign == ">" and found[0] == 0):
            return False
        zero = sp.Integer(0)
        facts = [Relation(line**2, ">=", zero) for _, line in found[1]]
        for fact in facts:  # a square is at least 0: what is certified is that the polynomial is one
            self.certificates.append((f"{name}: a square", written(expanded(fact.left), fact.left)))
        rest = expanded(polynomial - found[0] - sum(share * line**2 for share, line in found[1]))
        if rest != 0:
            difference = Relation(rest, "=", zero)
            self._prove(difference, f"{name}: less its squares", None)
            facts.append(difference)
        Prover(tuple(facts)).writing_into(self)._keep(polynomial, sign, f"{name}: as a sum of squares", 1)
        return True

    def _usable(self, polynomial: Any) -> list[tuple[Relation, Any]]:
        """Return the facts that are connected with the goal by shared symbols, with their polynomials."""
        known = [(f, poly) for f in self.facts if f.sign != "!=" and (poly := self._cleared(f)) is not None]
        reached = set(polynomial.free_symbols)
        if not reached:
            return known
        while True:
            linked = [(fact, cleared) for fact, cleared in known if cleared.free_symbols & reached]
            wider = reached | {symbol for _, cleared in linked for symbol in cleared.free_symbols}
            if wider == reached:
                return linked
            reached = wider

    def _cleared(self, fact: Relation) -> Any:
        """Return the polynomial that a fact compares with 0, after multiplying by divisors of known sign; else None."""
        if fact not in self._polynomials:
            self._polynomials[fact] = None  # a fact must not be used in the proof about its own divisors
            numerator, denominator = quotient(fact.difference)
            try:
                sign = self._sign(denominator, f"the divisor of {fact}", _DIVISOR_DEGREE)
            except NoProofError:
                return None
            if sign in (">", "<"):
                self._polynomials[fact] = expanded(numerator if sign == ">" else -numerator)
        return self._polynomials[fact]
