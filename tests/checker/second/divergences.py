"""Rule 42, from its page: cells of its own shape, with tangents at other points, in intervals of mpmath."""

from fractions import Fraction
from itertools import combinations, pairwise, permutations
from math import log, sqrt

from mpmath import iv

from . import concentrated, rays
from .reading import (
    RefusedError,
    array,
    gamma_bracket,
    integer,
    keys,
    level,
    matrix,
    mechanism,
    number,
    numbers,
    population,
    want,
)


def divergence_design(problem, claim, witness):
    value, objective, pi = keys(problem, ["region", "objective", "population"])
    names = ["rule", "gamma", "dual", "primal", "orders", "logarithms", "digits"]
    _, gamma, dual, primal, lists, logarithms, digits = keys(witness, names)
    want(isinstance(value, dict) and isinstance(objective, dict), "the region, or the objective")
    want(objective.get("kind") not in ("trace", "loss"), "the objective")
    k, order, ends, rho = region(value, gamma)
    pi = population(pi, k)
    want(all(pi), "a share of 0")
    _, lower, upper, made = keys(claim, ["kind", "lower", "upper", "mechanism"])
    p = mechanism(made, None, k)
    lower, upper = number(lower), number(upper)
    want(lower <= upper, "lower is above upper")
    concentrated.precision(digits)
    private(p, order, ends, rho, lists)
    alpha, orders, squares, w = keys(dual, ["alpha", "orders", "multipliers", "matrix"])
    alpha, orders = numbers(alpha, k), [number(x) for x in array(orders)]
    want(len(orders) <= 64 and all(a >= 1 for a in orders), "an order")
    want(order is None or orders == [order], "the order of the dual")
    curves, bound = [], concentrated.real(sum(alpha))
    for a, square in zip(orders, array(squares, len(orders)), strict=True):
        nats = iv.log(concentrated.real(ends[1])) if ends else concentrated.real(rho * a)
        most = nats if a == 1 else iv.exp(nats * concentrated.real(a - 1))
        for j, row in enumerate(matrix(square, k, k)):
            for i, x in enumerate(row):
                want(x >= 0 and not (x and i == j), "a multiplier")
                if x:
                    curves.append((a, j, i, x))
                    bound += most * concentrated.real(x)
    file = {
        "objective": objective, "pi": pi, "p": p, "lower": lower, "upper": upper, "rays": [], "g": None, "k": k,
        "bound": rays.end(bound, 1), "w": w, "primal": primal, "logarithms": logarithms, "outputs": "any",
    }  # fmt: skip
    goal = rays.GOALS.get(objective.get("kind"), rays.unknown)
    goal(file)
    digits = integer(digits)

    def holds(cell):
        iv.dps = digits + 30
        line = tangents(cell, alpha, curves)
        try:
            goal({**file, "rays": cell, "g": lambda r: sum(x * y for x, y in zip(line, r, strict=True))})
        except RefusedError:
            return False
        return True

    first = [[Fraction(int(i == j)) for i in range(k)] for j in range(k)]
    if is_unchanged(objective["kind"], pi, alpha, squares, w):
        first = [[Fraction(int(i <= j), j + 1) for i in range(k)] for j in range(k)]
    left = [(0, first)]
    while left:
        depth, cell = left.pop()
        if not holds(cell):
            want(depth < 40 * (k - 1), "a cell")
            a, b = longest(cell, curves)
            middle = [(x + y) / 2 for x, y in zip(cell[a], cell[b], strict=True)]
            left += [(depth + 1, [middle if i == end else r for i, r in enumerate(cell)]) for end in (a, b)]


def is_unchanged(kind, pi, alpha, squares, w):
    """Whether exchanging any two neighbouring inputs changes nothing; these exchanges give all permutations."""
    if kind == "mutual-information":
        grams = []
    elif kind in ("a-optimal", "c-optimal", "contrasts", "d-optimal", "e-optimal"):
        rows = [numbers(row, None) for row in array(w)]
        grams = [[[sum(x * y for x, y in zip(u, v, strict=True)) for v in rows] for u in rows]]
    else:
        return False
    k = len(pi)
    tables = grams + [[numbers(row, k) for row in square] for square in squares]
    for j in range(k - 1):
        turn = [*range(k)]
        turn[j], turn[j + 1] = j + 1, j
        if pi[j] != pi[j + 1] or alpha[j] != alpha[j + 1]:
            return False
        if any(table[turn[i]][turn[u]] != table[i][u] for table in tables for i in range(k) for u in range(k)):
            return False
    return True


def region(value, gamma):
    """The inputs, the order or None, both ends of exp(epsilon) or None, and rho."""
    want(value.get("kind") in ("renyi-privacy", "zcdp-privacy"), "the region")
    if value["kind"] == "renyi-privacy":
        _, k, outputs, order, epsilon = keys(value, ["kind", "inputs", "outputs", "order", "epsilon"])
        order, ends, rho = number(order), gamma_bracket(gamma, level(epsilon)), None
        want(order >= 1, "the order")
    else:
        _, k, outputs, rho = keys(value, ["kind", "inputs", "outputs", "rho"])
        order, ends, rho = None, None, number(rho)
        want(rho >= 0 and gamma is None, "rho, or gamma")
    k = integer(k)
    want(2 <= k <= 8 and outputs == "any", "sizes")
    return k, order, ends, rho


def private(p, order, ends, rho, lists):
    pairs = concentrated.pairs_of(permutations(list(zip(*p, strict=True)), 2))
    want(pairs is not None, "the divergence is infinite")
    if order is not None:
        array(lists, 0)
        nats = iv.log(concentrated.real(ends[0]))
        want(all((nats - concentrated.Pair(each).divergence(order)).a >= 0 for each in pairs), "not private")
        return
    for each, listed in zip(pairs, array(lists, len(pairs)), strict=True):
        own, pair = [Fraction(1), *map(number, array(listed))], concentrated.Pair(each)
        want(all(a < b for a, b in pairwise(own)), "the orders")
        want((concentrated.real(rho * own[-1]) - pair.losses[-1]).a >= 0, "the tail")
        for a, b in pairwise(own):
            want(pair.passes(rho, a, b - a, 1) or pair.passes(rho, b, b - a, -1), "a cell of orders")


def longest(cell, curves):
    """The edge along which g is farthest below its chord, in floats; a small part of its length decides ties."""

    def h(a, x, y):
        if not x or not y:
            return 0.0 if not x else 1e9
        return x * log(x / y) if a == 1 else y * min((x / y) ** float(a), 1e9)

    def bend(ends):
        u, v = ([float(x) for x in cell[end]] for end in ends)
        middle = [(x + y) / 2 for x, y in zip(u, v, strict=True)]
        return sum(
            float(x) * (h(a, u[j], u[i]) / 2 + h(a, v[j], v[i]) / 2 - h(a, middle[j], middle[i]))
            for a, j, i, x in curves
        )

    def length(ends):
        return sum((sqrt(x) - sqrt(y)) ** 2 for x, y in zip(cell[ends[0]], cell[ends[1]], strict=True))

    return max(combinations(range(len(cell)), 2), key=lambda ends: bend(ends) + 1e-6 * length(ends))


def tangents(cell, alpha, curves):
    """A linear function below g, rounded down: tangents at the geometric mean of the odds of the cell."""
    line = list(alpha)
    for a, j, i, x in curves:
        odds = [r[j] / r[i] for r in cell if r[j] and r[i]]
        if any(not r[i] and r[j] for r in cell):
            t = min(odds, default=Fraction(1))
        elif any(not r[j] for r in cell):
            t = max(odds, default=Fraction(1))
        else:
            t = Fraction(sqrt(float(min(odds)) * float(max(odds))))
        t = concentrated.real(t)
        if a == 1:
            m, b = iv.log(t) + 1, t
        else:
            power = iv.exp(concentrated.real(a - 1) * iv.log(t))
            m, b = concentrated.real(a) * power, concentrated.real(a - 1) * t * power
        line[j] += x * rays.end(m, 0)
        line[i] -= x * rays.end(b, 1)
    return line
