"""The statement ``polynomial``: left = right, left >= right or left > right wherever hypotheses hold (polynomial.md).

Two ways prove it: an identity with cofactors, and a sum of products of hypotheses (Handelman).
"""

from fractions import Fraction
from typing import Any

from .documents import Rejected, fields, fraction, items, whole
from .limits import MAX_DEGREE, MAX_TERMS
from .matrices import read_numbers
from .polynomials import Polynomial, Ring, names, negative


def check_polynomial(problem: Any, claim: Any, proof: Any) -> str:
    """Check the statement; return a remark if its domain may be empty."""
    (relation,) = fields(claim, ["relation"], "claim")
    if relation not in ("=", ">=", ">"):
        raise Rejected("the relation of the claim is none of =, >= and >")
    stated = _Stated(problem, relation)
    wanted, key = ("identity", "cofactors") if relation == "=" else ("handelman", "terms")
    way, evidence, point = fields(proof, ["way", key, "point"], "proof")
    if way != wanted:
        raise Rejected(f"the way that proves {relation} is {wanted}")
    if relation == "=":
        stated.require_identity(evidence)
    else:
        stated.require_sum(evidence, strict=relation == ">")
    return stated.vacuity(point)


class _Stated:
    """The parameters, the hypotheses on them, and ``excess``, the numerator of left - right."""

    def __init__(self, problem: Any, relation: str) -> None:
        parameters, hypotheses, left, right = fields(problem, ["parameters", "hypotheses", "left", "right"], "problem")
        self.relation = relation
        self.parameters = names(parameters, "parameters")
        if len(set(self.parameters)) < len(self.parameters):
            raise Rejected("a name is declared twice")
        self.ring = ring = Ring(tuple(self.parameters))
        self.hypotheses: list[tuple[Polynomial, str]] = []
        for hypothesis in items(hypotheses, "hypotheses"):
            tree, sign = fields(hypothesis, ["polynomial", "relation"], "a hypothesis")
            if sign not in (("=",) if relation == "=" else (">=", ">")):
                raise Rejected("a hypothesis has a relation that this claim does not allow")
            self.hypotheses.append((ring.polynomial(tree, "a hypothesis"), sign))
        quotients = relation == "="
        (n, d), (m, e) = (
            ring.quotient(tree, where, division=quotients) for tree, where in ((left, "left"), (right, "right"))
        )
        # d and e are 1 unless divisions are allowed
        self.excess = ring.add(ring.multiply(n, e), negative(ring.multiply(m, d))) if quotients or m else n

    def vacuity(self, data: Any) -> str:
        """Return a remark unless there is a point at which the statement says something, or an empty text if there is.

        The proof may contain a point. There the hypotheses must be true and no divisor 0; any other point is rejected.
        """
        if data is None:
            if self.hypotheses and self._is_contradiction():
                return "no point satisfies the hypotheses together"
            return "vacuous unless the domain has a point: none is given" if self.hypotheses else ""
        at = read_numbers(data, "the point", self.ring.budget, len(self.parameters))
        for hypothesis, relation in self.hypotheses:
            value = self.ring.value(hypothesis, at)
            if not {"=": value == 0, ">=": value >= 0, ">": value > 0}[relation]:
                raise Rejected("a hypothesis does not hold at the point")
        if not all(self.ring.value(divisor, at) for divisor in self.ring.divisors):
            raise Rejected("a divisor is 0 at the point")
        return ""

    def _is_contradiction(self) -> bool:
        """Return whether the statement compares two constants and is false: then it says that its domain is empty."""
        constant = next(iter(self.excess.values()), Fraction(0))
        if self.excess != self.ring.constant(constant):
            return False
        return not {"=": constant == 0, ">=": constant >= 0, ">": constant > 0}[self.relation]

    def require_identity(self, cofactors: Any) -> None:
        """Require ``n_left d_right - n_right d_left = sum cofactor * hypothesis``, coefficient by coefficient."""
        ring, rest = self.ring, self.excess
        factors = items(cofactors, "cofactors", count=len(self.hypotheses))
        for (zero, _), cofactor in zip(self.hypotheses, factors, strict=True):
            rest = ring.add(rest, negative(ring.multiply(zero, ring.polynomial(cofactor, "a cofactor"))))
        if rest:
            raise Rejected("the two sides differ")

    def require_sum(self, terms: Any, *, strict: bool) -> None:
        """Require that left - right equals a sum of positive multiples of products of hypotheses.

        If ``strict``, some product must have only strict hypotheses.
        """
        ring = self.ring
        total: Polynomial = {}
        positive = False
        last: tuple[int, ...] | None = None
        for term in items(terms, "terms", most=MAX_TERMS):
            text, powers = fields(term, ["coefficient", "powers"], "a term")
            coefficient = fraction(text, "a coefficient")
            if coefficient <= 0:
                raise Rejected("a coefficient of a Handelman sum is not positive")
            pairs = [
                (whole(i, "an index", len(self.hypotheses) - 1), whole(e, "an exponent", MAX_DEGREE, 1))
                for i, e in (items(pair, "a power", count=2) for pair in items(powers, "powers"))
            ]
            vector = tuple(dict(pairs).get(i, 0) for i in range(len(self.hypotheses)))
            ascending = [i for i, _ in pairs]
            if ascending != sorted(set(ascending)) or (last is not None and vector <= last):
                raise Rejected("the powers or the terms of a Handelman sum are not in ascending order")
            last = vector
            product = ring.constant(coefficient)
            for i, e in pairs:
                product = ring.multiply(product, ring.power(self.hypotheses[i][0], e))
            total = ring.add(total, product)
            positive = positive or all(self.hypotheses[i][1] == ">" for i, _ in pairs)
        if total != self.excess:
            raise Rejected("the Handelman sum is not the polynomial")
        if strict and not positive:
            raise Rejected("no term of the Handelman sum is strictly positive")
