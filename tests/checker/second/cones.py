"""Rule 22 (cones of answers)."""

from fractions import Fraction
from itertools import permutations, product

from .designs import Region
from .programmes import value
from .reading import array, dot, index, keys, matrix, mechanism, number, numbers, population, want


def cones(problem, claim, witness):
    region, objective, pi = keys(problem, ["region", "objective", "population"])
    region = Region(region)
    k, m = region.inputs, region.outputs
    want(region.is_uniform and region.family == "all" and region.delta == "0", "the region")
    want(isinstance(m, int) and k <= 18, "the shape")
    pi = population(pi, k)
    _, lower, upper, made = keys(claim, ["kind", "lower", "upper", "mechanism"])
    *_, primal, duals, cells = keys(witness, ["rule", "gamma", "delta", "primal", "duals", "cells"])
    below, above = region.brackets(witness)
    gamma = above[0][0, 1]
    want(gamma > 1, "gamma")
    if region.least is not None:
        gamma = min(gamma, reach(region, gamma))
        want(gamma > 1, "nothing to tell")
    rows = mechanism(made, m, k)
    region.allows(rows, below)
    along, constant = value(objective, pi, rows, primal, number(upper))
    served = [dual(each, along, region, number(lower) + constant, k, m) for each in array(duals)]

    def serve(at, cell):
        w, slopes = served[at]
        for i, generators in enumerate(cell):
            for r in generators:
                square = sum(dot(r, column) ** 2 for column in zip(*w, strict=True))
                want(square <= dot(slopes[i], r) * dot(r, pi), "a corner")

    if cells is None:
        want(len(served) == 1, "one dual")
        serve(0, [list(product((1, gamma), repeat=k))] * m)
        return
    want(k <= 6, "orders")
    alike = region.least is None or all(row == rows[0] for rows in (region.least, region.most) for row in rows)
    tokens = iter(array(cells))

    def visit(cell):
        try:
            token = next(tokens)
        except StopIteration:
            want(False, "tokens are missing")
        if isinstance(token, str):
            serve(index(token, len(served)), cell)
            return
        i, a, b = (index(text, most) for text, most in zip(array(token, 3), (m, k, k), strict=True))
        want(a != b, "two generators")
        mean = [(x + y) / Fraction(2) for x, y in zip(cell[i][a], cell[i][b], strict=True)]
        for place in (b, a):
            visit([[*cone[:place], mean, *cone[place + 1 :]] if at == i else cone for at, cone in enumerate(cell)])

    orders = list(permutations(range(k)))
    for chosen in product(range(len(orders)), repeat=m):
        if not alike or list(chosen) == sorted(chosen):
            visit([[[gamma if j in orders[o][:s] else 1 for j in range(k)] for s in range(k)] for o in chosen])
    want(next(tokens, None) is None and all(token is not None for token in cells), "tokens are left over")


def reach(region, gamma):
    """The largest ratio within a row that the bounds allow."""
    ratios = []
    for i, (low, high) in enumerate(zip(region.least, region.most, strict=True)):
        others = [row for h, row in enumerate(region.least) if h != i]
        for j, end in enumerate(high):
            end = min(end, 1 - sum(row[j] for row in others))
            ratios += [end / a if a > 0 and gamma * a > end else gamma for at, a in enumerate(low) if at != j]
    return max(ratios)


def dual(each, along, region, least, k, m):
    """W, and alpha + beta_i of each answer."""
    name = "vector" if len(along[0]) == 1 else "matrix"
    alpha, w, bounds = keys(each, ["alpha", name, "bounds"])
    alpha, w = numbers(alpha, k), [[y] for y in numbers(w, k)] if name == "vector" else matrix(w, k, k)
    beta, total = [[Fraction(0)] * k] * m, sum(alpha)
    if bounds is not None:
        want(region.least is not None, "no bounds")
        beta = matrix(bounds, m, k)
        for line, lows, highs in zip(beta, region.least, region.most, strict=True):
            total += sum(b * (high if b > 0 else low) for b, low, high in zip(line, lows, highs, strict=True))
    t = sum(dot(left, right) for left, right in zip(along, w, strict=True))
    want(total < 0 or (t and least * total <= t * t), "a dual proves too little")
    return w, [[a + b for a, b in zip(alpha, line, strict=True)] for line in beta]
