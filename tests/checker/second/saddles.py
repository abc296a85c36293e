"""Rule 15 (saddle points over a polytope of populations)."""

from itertools import product

from .designs import Region
from .reading import array, dot, keys, matrix, mechanism, number, numbers, population, want


def saddle(problem, claim, witness):
    region, objective, polytope = keys(problem, ["region", "objective", "population"])
    region = Region(region)
    want(region.is_uniform and region.least is None and region.family == "all" and region.delta == "0", "the region")
    k = region.inputs
    want(k <= 18 and isinstance(objective, dict), "inputs, or the objective")
    c = None
    if objective.get("kind") == "c-optimal":
        c = numbers(keys(objective, ["kind", "contrast"])[1], k)
        want(any(c), "a contrast of nothing")
    else:
        want(keys(objective, ["kind"]) == ["a-optimal"], "the objective")
    _, lower, upper, made = keys(claim, ["kind", "lower", "upper", "mechanism"])
    names = ["rule", "gamma", "delta", "dual", "population", "weights", "estimator", "multipliers"]
    *_, dual, least, weights, estimator, multipliers = keys(witness, names)
    below, above = region.brackets(witness)
    gamma = above[0][0, 1]
    want(gamma > 1, "gamma")
    rows = mechanism(made, None if region.outputs == "any" else region.outputs, k)
    region.allows(rows, below)
    pi = population(least, k)
    want(number(lower) == bound(dual, pi, c, gamma), "lower")
    want(number(upper) == largest(polytope, tangent(rows, estimator, pi, c), pi, weights, multipliers), "upper")


def bound(dual, pi, c, gamma):
    k = len(pi)
    alpha, w = keys(dual, ["alpha", "matrix" if c is None else "vector"])
    alpha = numbers(alpha, k)
    w = matrix(w, k, k) if c is None else [[y] for y in numbers(w, k)]
    want(sum(alpha) > 0, "alpha")
    for s in product((1, gamma), repeat=k):
        want(sum(dot(s, column) ** 2 for column in zip(*w, strict=True)) <= dot(alpha, s) * dot(s, pi), "a pattern")
    if c is None:
        return sum(w[j][j] for j in range(k)) ** 2 / sum(alpha) - dot(pi, pi)
    return dot(c, [y for (y,) in w]) ** 2 / sum(alpha) - dot(c, pi) ** 2


def tangent(rows, estimator, pi, c):
    k, m = len(pi), len(rows)
    t = matrix(estimator, k if c is None else 1, m)
    product_ = [[dot(line, column) for column in zip(*rows, strict=True)] for line in t]
    want(
        product_ == ([[int(i == j) for j in range(k)] for i in range(k)] if c is None else [c]), "an unbiased estimate"
    )
    lengths = [sum(x * x for x in column) for column in zip(*t, strict=True)]
    first = [dot(lengths, column) for column in zip(*rows, strict=True)]
    if c is None:
        return [x - 2 * p + dot(pi, pi) for x, p in zip(first, pi, strict=True)]
    return [x - 2 * dot(c, pi) * a + dot(c, pi) ** 2 for x, a in zip(first, c, strict=True)]


def largest(polytope, t, pi, weights, multipliers):
    k = len(pi)
    if isinstance(polytope, dict) and "vertices" in polytope:
        vertices = [population(v, k) for v in array(keys(polytope, ["vertices"])[0])]
        want(vertices and multipliers is None, "vertices")
        x = numbers(weights, len(vertices))
        want(min(x) >= 0 and sum(x) == 1, "weights")
        want([dot(x, column) for column in zip(*vertices, strict=True)] == pi, "the mean")
        return max(dot(t, v) for v in vertices)
    rows = array(keys(polytope, ["rows"])[0])
    want(weights is None, "rows")
    *y, last = numbers(multipliers, len(rows) + 1)
    above, value = [last] * k, last
    for row, each in zip(rows, y, strict=True):
        a, relation, b = keys(row, ["coefficients", "relation", "bound"])
        a, b = numbers(a, k), number(b)
        want(relation in ("<=", ">=", "="), "a relation")
        left = dot(a, pi)
        want(left <= b if relation == "<=" else left >= b if relation == ">=" else left == b, "the population")
        want(each >= 0 or relation != "<=", "a sign")
        want(each <= 0 or relation != ">=", "a sign")
        above, value = [x + each * z for x, z in zip(above, a, strict=True)], value + each * b
    want(all(x <= z for x, z in zip(t, above, strict=True)), "the multipliers")
    return value
