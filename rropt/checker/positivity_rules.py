"""Polynomial positivity: Handelman sums and Bernstein coefficients on cells (FORMAT.md, rule 10)."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, pairwise
from math import comb
from typing import Any

from .documents import Rejected, fields, fraction, items, of_kind
from .limits import MAX_DEGREE, MAX_TERMS
from .polynomials import VACUOUS, Polynomial, Ring, names, point_of, product_of, whole

Simplex = list[list[Polynomial]]  # projective vertices [w, X_1, ..., X_n]


class _Inequality:
    """The problem: hypotheses on the parameters, a polynomial, and the simplices on which it should be positive."""

    def __init__(self, problem: Any, claim: Any) -> None:
        parameters, hypotheses, variables, domain, polynomial = of_kind(
            problem, "inequality", ["parameters", "hypotheses", "variables", "domain", "polynomial"], "problem"
        )
        (kind,) = fields(claim, ["kind"], "claim")
        if kind not in ("nonnegative", "positive"):
            raise Rejected("the claim is of neither kind nonnegative nor kind positive")
        self.strict = kind == "positive"
        self.parameters = names(parameters, "parameters")
        self.variables = names(variables, "variables")
        # one ring for all: parameters, variables, then a barycentric coordinate for each vertex of a simplex
        coordinates = [f"#{i}" for i in range(len(self.variables) + 1)]  # names in files contain no #
        declared = (*self.parameters, *self.variables)
        if len(set(declared)) < len(declared):
            raise Rejected("a parameter and a variable have the same name")
        self.ring = Ring((*declared, *coordinates))
        self.coordinates = [self.ring.variable(name) for name in coordinates]
        self.polynomial = self._of(polynomial, "polynomial", declared)
        self.hypotheses: list[Polynomial] = []
        self.strictly: list[bool] = []
        for hypothesis in items(hypotheses, "hypotheses"):
            tree, relation = fields(hypothesis, ["polynomial", "relation"], "a hypothesis")
            if relation not in (">=", ">"):
                raise Rejected("a hypothesis has an unknown relation")
            self.hypotheses.append(self._of(tree, "a hypothesis", self.parameters))
            self.strictly.append(relation == ">")
        size = len(self.variables) + 1
        self.domain: list[Simplex] = [
            [
                [self._of(x, "a vertex", self.parameters) for x in items(vertex, "a vertex", count=size)]
                for vertex in items(simplex, "a simplex", count=size)
            ]
            for simplex in items(domain, "domain")
        ]
        if bool(self.variables) != bool(self.domain):
            raise Rejected("a domain belongs to variables, and variables need a domain")

    def _of(self, tree: Any, where: str, allowed: Any) -> Polynomial:
        """Return the polynomial of a tree; reject it if it uses a name that is not allowed."""
        polynomial = self.ring.polynomial(tree, where)
        used = {name for key in polynomial for name, e in zip(self.ring.names, key, strict=True) if e}
        if not used <= set(allowed):
            raise Rejected(f"{where} uses a name that it may not use")
        return polynomial

    def vacuity(self, data: Any) -> str:
        """Return a remark unless the domain is shown to be nonempty, or an empty text if it is.

        The witness may contain a point of the domain. There the hypotheses must be true, and some simplex must have
        weights that are >= 0 and not all 0. Any other point is rejected.
        """
        point = point_of(data, len(self.parameters), self.ring.budget)
        if point is None and (self.hypotheses or (self.parameters and self.variables)):
            return VACUOUS
        at = point or [Fraction(0)] * len(self.parameters)
        for hypothesis, strictly in zip(self.hypotheses, self.strictly, strict=True):
            value = self.ring.value(hypothesis, at)
            if value < 0 or (strictly and not value):
                raise Rejected("a hypothesis does not hold at the point")
        weights = [[self.ring.value(vertex[0], at) for vertex in simplex] for simplex in self.domain]
        if not self.variables or any(min(each) >= 0 and max(each) > 0 for each in weights):
            return ""
        if point is None:
            return VACUOUS
        raise Rejected("no simplex has a point of the domain at the point")

    def handelman(self, terms: Any) -> tuple[Polynomial, bool]:
        """Return the sum of positive multiples of products of hypotheses, and whether it is strictly positive."""
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
            value = self.ring.multiply(self.ring.constant(coefficient), product_of(self.ring, self.hypotheses, pairs))
            total = self.ring.add(total, value)
            positive = positive or all(self.strictly[i] for i, _ in pairs)
        return total, positive

    def coefficients(self, simplex: Simplex) -> list[tuple[tuple[int, ...], Polynomial]]:
        """Return the coefficients of the homogenized polynomial at ``sum c_i V_i``, by exponents of c in descending
        order.
        """
        ring, first = self.ring, len(self.parameters)
        count = len(self.variables)
        degree = max((sum(key[first : first + count]) for key in self.polynomial), default=0)
        columns = []  # w, X_1, ..., X_n as linear forms in c
        for j in range(count + 1):
            form: Polynomial = {}
            for c, vertex in zip(self.coordinates, simplex, strict=True):
                form = ring.add(form, ring.multiply(c, vertex[j]))
            columns.append(form)
        expanded: Polynomial = {}
        for key, coefficient in self.polynomial.items():
            exponents = key[first : first + count]
            rest = (*key[:first], *(0,) * (len(ring.names) - first))
            powers = [(0, degree - sum(exponents)), *((j + 1, e) for j, e in enumerate(exponents))]
            term = product_of(ring, columns, [(j, e) for j, e in powers if e])
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


def check_handelman(problem: Any, claim: Any, witness: Any) -> str:
    """Check that the polynomial equals a sum of positive multiples of products of hypotheses."""
    inequality = _Inequality(problem, claim)
    _, terms, at = fields(witness, ["rule", "terms", "point"], "witness", optional="point")
    if inequality.variables:
        raise Rejected("a Handelman sum is for a polynomial of the parameters alone")
    total, positive = inequality.handelman(terms)
    if total != inequality.polynomial:
        raise Rejected("the Handelman sum is not the polynomial")
    if inequality.strict and not positive:
        raise Rejected("no term of the Handelman sum is strictly positive")
    return inequality.vacuity(at)


def check_bernstein(problem: Any, claim: Any, witness: Any) -> str:
    """Check that the Bernstein coefficients are nonnegative on every leaf of every subdivided simplex."""
    inequality = _Inequality(problem, claim)
    _, cells, at = fields(witness, ["rule", "cells", "point"], "witness", optional="point")
    if not inequality.variables:
        raise Rejected("Bernstein coefficients need variables")
    for simplex, nodes in zip(inequality.domain, items(cells, "cells", count=len(inequality.domain)), strict=True):
        pending = [simplex]  # a stack of simplices that are still to be covered: the tree is listed in preorder
        for node in items(nodes, "nodes", most=MAX_TERMS):
            if not pending:
                raise Rejected("a cell has nodes after its last leaf")
            current = pending.pop()
            if isinstance(node, dict) and set(node) == {"leaf"}:
                _check_leaf(inequality, current, node["leaf"])
            else:
                pending += reversed(_split(inequality, current, node))
        if pending:
            raise Rejected("a cell is not covered: leaves are missing")
    return inequality.vacuity(at)


def _split(inequality: _Inequality, simplex: Simplex, node: Any) -> list[Simplex]:
    edge, mix = fields(node, ["edge", "mix"], "a node")
    i, j = (whole(end, "an edge", len(simplex) - 1) for end in items(edge, "an edge", count=2))
    a, b = (fraction(share, "a mix") for share in items(mix, "a mix", count=2))
    if i >= j or a <= 0 or b <= 0:
        raise Rejected("a node splits no edge: i < j and positive shares are needed")
    ring = inequality.ring
    between = [
        ring.add(ring.multiply(ring.constant(a), x), ring.multiply(ring.constant(b), y))
        for x, y in zip(simplex[i], simplex[j], strict=True)
    ]
    return [[between if at == end else vertex for at, vertex in enumerate(simplex)] for end in (j, i)]


def _check_leaf(inequality: _Inequality, simplex: Simplex, proofs: Any) -> None:
    coefficients = inequality.coefficients(simplex)
    if inequality.parameters:
        listed = items(proofs, "a leaf", count=len(coefficients))
    elif proofs is not None:
        raise Rejected("a leaf without parameters is null")
    for at, (exponents, coefficient) in enumerate(coefficients):
        corner = inequality.strict and max(exponents) == sum(exponents)
        if inequality.parameters:
            total, positive = inequality.handelman(listed[at])
            if total != coefficient:
                raise Rejected("the Handelman sum of a Bernstein coefficient is not that coefficient")
        else:
            value = next(iter(coefficient.values()), Fraction(0))
            positive = value > 0
            if value < 0:
                raise Rejected("a Bernstein coefficient is negative")
        if corner and not positive:
            raise Rejected("a Bernstein coefficient at a vertex is not positive")
