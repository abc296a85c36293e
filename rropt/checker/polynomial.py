"""The statement ``polynomial``: left = right, left >= right or left > right at all points of a domain (polynomial.md).

Three ways prove it: an identity with cofactors, a sum of products of hypotheses (Handelman), and the Bernstein
coefficients on the cells of simplices.
"""

from collections.abc import Collection, Iterator
from fractions import Fraction
from itertools import combinations, pairwise
from math import comb
from typing import Any

from .documents import Rejected, fields, fraction, items, whole
from .limits import MAX_DEGREE, MAX_TERMS
from .matrices import read_numbers
from .polynomials import Polynomial, Ring, names, negative

Simplex = list[list[Polynomial]]  # projective vertices [w, X_1, ..., X_n]

_WAYS = {"identity": "cofactors", "handelman": "terms", "bernstein": "cells"}  # and the key of their evidence
_VACUOUS = "vacuous unless the domain has a point: none is given"


def check_polynomial(problem: Any, claim: Any, proof: Any) -> str:
    """Check the statement; return a remark if its domain may be empty."""
    (relation,) = fields(claim, ["relation"], "claim")
    way = proof.get("way") if isinstance(proof, dict) else None
    if not isinstance(way, str) or way not in _WAYS:
        raise Rejected("the proof is by none of the ways identity, handelman and bernstein")
    if relation not in (("=",) if way == "identity" else (">=", ">")):
        raise Rejected(f"the way of {way} proves no such relation")
    stated = _Stated(problem, relation)
    if (way == "bernstein") != bool(stated.variables):
        raise Rejected("the way of bernstein, and no other, is for variables")
    _, evidence, point = fields(proof, ["way", _WAYS[way], "point"], "proof")
    if way == "identity":
        stated.require_identity(evidence)
    elif way == "handelman":
        stated.require_sum(evidence, stated.excess, "the polynomial", strict=relation == ">")
    else:
        for simplex, nodes in zip(stated.domain, items(evidence, "cells", count=len(stated.domain)), strict=True):
            stated.require_cell(simplex, nodes)
    return stated.vacuity(point)


class _Stated:
    """The hypotheses on the parameters, the simplices of the variables, and the two sides."""

    def __init__(self, problem: Any, relation: str) -> None:
        parameters, hypotheses, variables, domain, left, right = fields(
            problem, ["parameters", "hypotheses", "variables", "domain", "left", "right"], "problem"
        )
        self.parameters, self.variables = names(parameters, "parameters"), names(variables, "variables")
        declared = (*self.parameters, *self.variables)
        if len(set(declared)) < len(declared):
            raise Rejected("a name is declared twice")
        # one ring for all: parameters, variables, then a barycentric coordinate for each vertex of a simplex
        size = len(self.variables) + 1
        coordinates = [f"#{i}" for i in range(size)]  # names in files contain no #
        self.ring = ring = Ring((*declared, *coordinates))
        self.coordinates = [ring.variable(name) for name in coordinates]
        self.strict = relation == ">"
        self.hypotheses: list[tuple[Polynomial, str]] = []
        for hypothesis in items(hypotheses, "hypotheses"):
            tree, sign = fields(hypothesis, ["polynomial", "relation"], "a hypothesis")
            if sign not in (("=",) if relation == "=" else (">=", ">")):
                raise Rejected("a hypothesis has a relation that this claim does not allow")
            self.hypotheses.append((self._of(tree, "a hypothesis", self.parameters), sign))
        self.domain: list[Simplex] = [
            [
                [self._of(x, "a vertex", self.parameters) for x in items(vertex, "a vertex", count=size)]
                for vertex in items(simplex, "a simplex", count=size)
            ]
            for simplex in items(domain, "domain")
        ]
        if bool(self.variables) != bool(self.domain):
            raise Rejected("a domain belongs to variables, and variables need a domain")
        quotients = relation == "="
        (n, d), (m, e) = (
            ring.quotient(tree, where, division=quotients) for tree, where in ((left, "left"), (right, "right"))
        )
        # the numerator of left - right; d and e are 1 unless divisions are allowed
        self.excess = ring.add(ring.multiply(n, e), negative(ring.multiply(m, d))) if quotients or m else n

    def _of(self, tree: Any, where: str, allowed: Collection[str]) -> Polynomial:
        """Return the polynomial of a tree; reject it if it uses a name that is not allowed."""
        polynomial = self.ring.polynomial(tree, where)
        used = {name for key in polynomial for name, e in zip(self.ring.names, key, strict=True) if e}
        if not used <= set(allowed):
            raise Rejected(f"{where} uses a name that it may not use")
        return polynomial

    def vacuity(self, data: Any) -> str:
        """Return a remark unless the domain is shown to be nonempty, or an empty text if it is.

        The proof may contain a point of the domain. There the hypotheses must be true and no divisor 0, and some
        simplex must have weights that are >= 0 and not all 0. Any other point is rejected.
        """
        ring, at = self.ring, []
        if data is not None:
            at = read_numbers(data, "the point", ring.budget, len(self.parameters))
            for hypothesis, relation in self.hypotheses:
                value = ring.value(hypothesis, at)
                if not {"=": value == 0, ">=": value >= 0, ">": value > 0}[relation]:
                    raise Rejected("a hypothesis does not hold at the point")
            if not all(ring.value(divisor, at) for divisor in ring.divisors):
                raise Rejected("a divisor is 0 at the point")
        elif self.hypotheses or (self.parameters and self.variables):
            return _VACUOUS
        if not self.variables:
            return ""
        weights = [[ring.value(vertex[0], at) for vertex in simplex] for simplex in self.domain]
        if any(min(each) >= 0 and max(each) > 0 for each in weights):
            return ""
        if data is None:
            return _VACUOUS
        raise Rejected("no simplex has a point of the domain at the point")

    def require_identity(self, cofactors: Any) -> None:
        """Require ``n_left d_right - n_right d_left = sum cofactor * hypothesis``, coefficient by coefficient."""
        ring, rest = self.ring, self.excess
        factors = items(cofactors, "cofactors", count=len(self.hypotheses))
        for (zero, _), cofactor in zip(self.hypotheses, factors, strict=True):
            rest = ring.add(rest, negative(ring.multiply(zero, ring.polynomial(cofactor, "a cofactor"))))
        if rest:
            raise Rejected("the two sides differ")

    def require_sum(self, terms: Any, polynomial: Polynomial, what: str, *, strict: bool) -> None:
        """Require that the polynomial equals a sum of positive multiples of products of hypotheses.

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
        if total != polynomial:
            raise Rejected(f"the Handelman sum is not {what}")
        if strict and not positive:
            raise Rejected(f"no term of the Handelman sum of {what} is strictly positive")

    def require_cell(self, simplex: Simplex, nodes: Any) -> None:
        """Require nonnegative Bernstein coefficients on every leaf of a simplex; its tree is listed in preorder."""
        pending = [simplex]  # a stack of simplices that are still to be covered
        for node in items(nodes, "nodes", most=MAX_TERMS):
            if not pending:
                raise Rejected("a cell has nodes after its last leaf")
            current = pending.pop()
            if isinstance(node, dict) and set(node) == {"leaf"}:
                self._require_leaf(current, node["leaf"])
            else:
                pending += reversed(self._split(current, node))
        if pending:
            raise Rejected("a cell is not covered: leaves are missing")

    def _split(self, simplex: Simplex, node: Any) -> list[Simplex]:
        edge, mix = fields(node, ["edge", "mix"], "a node")
        i, j = (whole(end, "an edge", len(simplex) - 1) for end in items(edge, "an edge", count=2))
        a, b = (fraction(share, "a mix") for share in items(mix, "a mix", count=2))
        if i >= j or a <= 0 or b <= 0:
            raise Rejected("a node splits no edge: i < j and positive shares are needed")
        ring = self.ring
        between = [
            ring.add(ring.multiply(ring.constant(a), x), ring.multiply(ring.constant(b), y))
            for x, y in zip(simplex[i], simplex[j], strict=True)
        ]
        return [[between if at == end else vertex for at, vertex in enumerate(simplex)] for end in (j, i)]

    def _require_leaf(self, simplex: Simplex, proofs: Any) -> None:
        coefficients = self._coefficients(simplex)
        if self.parameters:
            listed = items(proofs, "a leaf", count=len(coefficients))
        elif proofs is not None:
            raise Rejected("a leaf without parameters is null")
        for at, (exponents, coefficient) in enumerate(coefficients):
            strict = self.strict and max(exponents) == sum(exponents)  # at a vertex
            if self.parameters:
                self.require_sum(listed[at], coefficient, "a Bernstein coefficient", strict=strict)
            else:
                value = next(iter(coefficient.values()), Fraction(0))
                if value < 0 or (strict and not value):
                    raise Rejected("a Bernstein coefficient is negative, or 0 at a vertex")

    def _coefficients(self, simplex: Simplex) -> list[tuple[tuple[int, ...], Polynomial]]:
        """Return the coefficients of the homogenized polynomial at ``sum c_i V_i``, by exponents of c in descending
        order.
        """
        ring, first = self.ring, len(self.parameters)
        count = len(self.variables)
        degree = max((sum(key[first : first + count]) for key in self.excess), default=0)
        columns = []  # w, X_1, ..., X_n as linear forms in c
        for j in range(count + 1):
            form: Polynomial = {}
            for c, vertex in zip(self.coordinates, simplex, strict=True):
                form = ring.add(form, ring.multiply(c, vertex[j]))
            columns.append(form)
        expanded: Polynomial = {}
        for key, coefficient in self.excess.items():
            exponents = key[first : first + count]
            rest = (*key[:first], *(0,) * (len(ring.names) - first))
            term = ring.constant(Fraction(1))
            for column, e in zip(columns, (degree - sum(exponents), *exponents), strict=True):
                term = ring.multiply(term, ring.power(column, e)) if e else term
            expanded = ring.add(expanded, ring.multiply({rest: coefficient}, term))
        ring.budget.spend(4 * comb(degree + count, count) * (1 + count // 8))
        parts: dict[tuple[int, ...], Polynomial] = {exponents: {} for exponents in _compositions(degree, count + 1)}
        for key, coefficient in expanded.items():
            parts[key[first + count :]][(*key[: first + count], *(0,) * (count + 1))] = coefficient
        return sorted(parts.items(), reverse=True)


def _compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Yield all tuples of ``parts`` nonnegative integers with sum ``total``, as the gaps between parts - 1 bars."""
    for bars in combinations(range(total + parts - 1), parts - 1):
        ends = (-1, *bars, total + parts - 1)
        yield tuple(b - a - 1 for a, b in pairwise(ends))
