"""Rules 9 (identities) and 10 (Handelman, Bernstein): polynomials as dicts from exponent tuples to fractions."""

import re
from fractions import Fraction
from itertools import product as every

from .reading import array, index, integer, keys, number, numbers, want


def times(p, q):
    made = {}
    for a, x in p.items():
        for b, y in q.items():
            c = tuple(i + j for i, j in zip(a, b, strict=True))
            made[c] = made.get(c, 0) + x * y
    return {a: x for a, x in made.items() if x}


def plus(p, q, sign=1):
    made = dict(p)
    for a, x in q.items():
        made[a] = made.get(a, 0) + sign * x
    return {a: x for a, x in made.items() if x}


def power(p, n, one):
    made = one
    for _ in range(n):
        made = times(made, p)
    return made


class Names:
    def __init__(self, names):
        for name in array(names):
            want(isinstance(name, str) and re.fullmatch(r"[a-z][a-z0-9_]{0,31}", name), "a name")
        want(len(set(names)) == len(names) <= 40, "names")
        self.names = list(names)
        self.one = self.constant(1)

    def constant(self, c):
        return {(0,) * len(self.names): Fraction(c)} if c else {}

    def fraction(self, tree, divisors=True):
        """Numerator and denominator."""
        if isinstance(tree, str):
            if tree in self.names:
                return {tuple(int(name == tree) for name in self.names): Fraction(1)}, self.one
            return self.constant(number(tree)), self.one
        want(isinstance(tree, dict) and len(tree) == 1, "an expression")
        ((kind, inner),) = tree.items()
        if kind == "negative":
            n, d = self.fraction(inner, divisors)
            return plus({}, n, -1), d
        if kind == "power":
            base, exponent = array(inner, 2)
            n, d = self.fraction(base, divisors)
            exponent = integer(exponent)
            want(0 <= exponent <= 1024, "an exponent")
            return power(n, exponent, self.one), power(d, exponent, self.one)
        if kind == "quotient":
            want(divisors, "a quotient in a polynomial")
            (n, d), (n2, d2) = (self.fraction(one, divisors) for one in array(inner, 2))
            want(n2, "a divisor that is 0")
            return times(n, d2), times(d, n2)
        want(kind in ("sum", "product"), "an expression")
        parts = [self.fraction(one, divisors) for one in array(inner)]
        want(len(parts) >= 2, "a sum or product of two at least")
        n, d = parts[0]
        for n2, d2 in parts[1:]:
            if kind == "product":
                n, d = times(n, n2), times(d, d2)
            elif d == d2:
                n = plus(n, n2)
            else:
                n, d = plus(times(n, d2), times(n2, d)), times(d, d2)
        return n, d

    def polynomial(self, tree):
        return self.fraction(tree, divisors=False)[0]


def at(p, point):
    total = Fraction(0)
    for exponents, c in p.items():
        for e, x in zip(exponents, point, strict=True):
            c *= x**e
        total += c
    return total


def divisors_of(tree, names):
    if isinstance(tree, dict):
        ((kind, inner),) = tree.items()
        parts = [inner] if kind == "negative" else [inner[0]] if kind == "power" else inner
        if kind == "quotient":
            yield names.fraction(inner[1])
        for part in parts:
            yield from divisors_of(part, names)


def identity(problem, claim, witness):
    _, variables, relations, left, right = keys(problem, ["kind", "variables", "relations", "left", "right"])
    keys(claim, ["kind"])
    names = Names(variables)
    cofactors = keys(witness, ["rule", "cofactors"], ["point"])[1]
    relations = [names.polynomial(one) for one in array(relations)]
    cofactors = [names.polynomial(one) for one in array(cofactors, len(relations))]
    (n, d), (n2, d2) = names.fraction(left), names.fraction(right)
    total = plus(times(n, d2), times(n2, d), -1)
    for c, r in zip(cofactors, relations, strict=True):
        total = plus(total, times(c, r), -1)
    want(not total, "the two sides differ")
    if "point" in witness:
        point = numbers(witness["point"], len(names.names))
        want(all(at(r, point) == 0 for r in relations), "a relation at the point")
        for tree in (left, right):
            for over, under in divisors_of(tree, names):
                want(at(over, point) != 0 and at(under, point) != 0, "a divisor at the point")


class Inequality:
    def __init__(self, problem):
        _, parameters, hypotheses, variables, domain, polynomial = keys(
            problem, ["kind", "parameters", "hypotheses", "variables", "domain", "polynomial"]
        )
        self.parameters = Names(parameters)
        self.all = Names([*parameters, *array(variables)])
        self.hypotheses, self.strict = [], []
        for one in array(hypotheses):
            expression, relation = keys(one, ["polynomial", "relation"])
            want(relation in (">=", ">"), "a relation")
            self.hypotheses.append(self.parameters.polynomial(expression))
            self.strict.append(relation == ">")
        self.n = len(variables)
        self.polynomial = self.all.polynomial(polynomial)
        self.domain = [
            [[self.parameters.polynomial(x) for x in array(v, self.n + 1)] for v in array(simplex, self.n + 1)]
            for simplex in array(domain)
        ]
        want(bool(self.n) == bool(self.domain), "variables and domain")

    def point(self, witness):
        if "point" not in witness:
            return
        point = numbers(witness["point"], len(self.parameters.names))
        for h, strict in zip(self.hypotheses, self.strict, strict=True):
            want(at(h, point) > 0 or (not strict and at(h, point) == 0), "a hypothesis at the point")
        if self.n:
            weights = [[at(v[0], point) for v in simplex] for simplex in self.domain]
            want(any(min(w) >= 0 and max(w) > 0 for w in weights), "the domain at the point")

    def handelman(self, terms):
        """The sum of the terms, and whether it is proved positive."""
        total, positive, last = {}, False, None
        want(self.hypotheses or len(array(terms)) <= 1, "terms")
        for term in array(terms):
            coefficient, powers = keys(term, ["coefficient", "powers"])
            coefficient = number(coefficient)
            want(coefficient > 0, "a coefficient")
            made, exponents = self.parameters.constant(coefficient), [0] * len(self.hypotheses)
            before = -1
            for pair in array(powers):
                i, e = array(pair, 2)
                i, e = index(i, len(self.hypotheses)), integer(e)
                want(before < i and 1 <= e <= 1024, "powers")
                before, exponents[i] = i, e
                made = times(made, power(self.hypotheses[i], e, self.parameters.one))
            want(last is None or last < exponents, "the order of the terms")
            last = exponents
            total = plus(total, made)
            positive |= all(self.strict[i] for i, e in enumerate(exponents) if e)
        return total, positive


def read(problem, claim, witness, rest):
    inequality = Inequality(problem)
    keys(claim, ["kind"])
    want(claim["kind"] in ("nonnegative", "positive"), "the claim")
    value = keys(witness, ["rule", rest], ["point"])[1]
    inequality.point(witness)
    return inequality, value, claim["kind"] == "positive"


def handelman(problem, claim, witness):
    inequality, terms, strict = read(problem, claim, witness, "terms")
    want(not inequality.n, "variables")
    total, positive = inequality.handelman(terms)
    want(total == inequality.polynomial, "the sum is another polynomial")
    want(positive or not strict, "not positive")


def bernstein(problem, claim, witness):
    inequality, cells, strict = read(problem, claim, witness, "cells")
    want(inequality.n > 0, "no variables")
    parameters, n = len(inequality.parameters.names), inequality.n
    g = max((sum(e[parameters:]) for e in inequality.polynomial), default=0)
    for simplex, nodes in zip(inequality.domain, array(cells, len(inequality.domain)), strict=True):
        stack = [simplex]
        for node in array(nodes):
            want(stack, "too many nodes")
            current = stack.pop()
            if isinstance(node, dict) and "leaf" in node:
                leaf(inequality, current, keys(node, ["leaf"])[0], g, strict)
                continue
            edge, mix = keys(node, ["edge", "mix"])
            i, j = (index(one, n + 1) for one in array(edge, 2))
            a, b = numbers(mix, 2)
            want(i < j and a > 0 and b > 0, "an edge")
            middle = [
                plus(times(inequality.parameters.constant(a), x), times(inequality.parameters.constant(b), y))
                for x, y in zip(current[i], current[j], strict=True)
            ]
            stack.append([*current[:i], middle, *current[i + 1 :]])
            stack.append([*current[:j], middle, *current[j + 1 :]])
        want(not stack, "too few nodes")


def leaf(inequality, simplex, lists, g, strict):
    parameters, n = len(inequality.parameters.names), inequality.n

    # polynomials in c_0..c_n with coefficients in the parameters: exponent tuples (c..., parameters...)
    def lift(p, c=None):
        unit = tuple(int(i == c) for i in range(n + 1))
        return {unit + e: x for e, x in p.items()}

    columns = []
    for place in range(n + 1):
        total = {}
        for c, v in enumerate(simplex):
            total = plus(total, lift(v[place], c))
        columns.append(total)
    one = {(0,) * (n + 1 + parameters): Fraction(1)}
    expanded = {}
    for e, x in inequality.polynomial.items():
        term = lift({e[:parameters]: x})
        term = times(term, power(columns[0], g - sum(e[parameters:]), one))
        for place, exponent in enumerate(e[parameters:]):
            term = times(term, power(columns[place + 1], exponent, one))
        expanded = plus(expanded, term)
    order = sorted((e for e in every(range(g + 1), repeat=n + 1) if sum(e) == g), reverse=True)
    split = {e: {} for e in order}
    for e, x in expanded.items():
        split[e[: n + 1]][e[n + 1 :]] = x
    if not parameters:
        want(lists is None, "a leaf without parameters is null")
        for e in order:
            value = sum(split[e].values())
            want(value >= 0, "a coefficient is negative")
            want(not strict or g not in e or value > 0, "a corner is not positive")
        return
    for e, terms in zip(order, array(lists, len(order)), strict=True):
        total, positive = inequality.handelman(terms)
        want(total == split[e], "a coefficient is not its sum")
        want(not strict or g not in e or positive, "a corner is not positive")
