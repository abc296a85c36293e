"""Rule 14 (orbits), written out in full: every row of every orbit, k x k matrices, and all 2^k staircase rows."""

from fractions import Fraction
from itertools import permutations, product

from .designs import Region
from .programmes import determinant, variance
from .rays import dominant, end, information, log_sum, logs, triangular
from .reading import array, dot, integer, keys, matrix, number, numbers, population, want


def orbits(problem, claim, witness):
    region, objective, pi = keys(problem, ["region", "objective", "population"])
    region = Region(region)
    want(region.is_uniform and region.family == "all" and region.delta == "0", "the region")
    kind = keys(objective, ["kind"])[0]
    want(region.outputs == "any" and isinstance(kind, str) and kind in KINDS, "outputs, objective")
    pi = population(pi, region.inputs)
    _, lower, upper, made = keys(claim, ["kind", "lower", "upper", "mechanism"])
    takes_logs = kind in ("d-optimal", "mutual-information")
    names = ["rule", "gamma", "delta", "dual", "primal", *(["logarithms"] if takes_logs else [])]
    _, _, _, dual, primal, *digits = keys(witness, names)
    if takes_logs:
        logs({"logarithms": digits[0]})
    below, above = region.brackets(witness)
    groups, listed = keys(keys(made, ["orbits"])[0], ["groups", "rows"])
    groups = [integer(n) for n in array(groups)]
    want(groups and min(groups) >= 1 and sum(groups) == region.inputs, "the groups")
    place = [g for g, n in enumerate(groups) for _ in range(n)]
    want(all(p == pi[place.index(g)] for p, g in zip(pi, place, strict=True)), "one share for each group")
    rows = []
    for row in array(listed):
        parts = []
        for values, n in zip(array(row, len(groups)), groups, strict=True):
            pairs = [(number(v), integer(c)) for v, c in (array(pair, 2) for pair in array(values))]
            want(all(v > 0 and c >= 1 for v, c in pairs) and sum(c for _, c in pairs) == n, "entries")
            told_apart = [(v, i) for i, (v, c) in enumerate(pairs) for _ in range(c)]
            parts.append(set(permutations(told_apart)))
        rows += [[v for part in made for v, _ in part] for made in product(*parts)]
    want(rows and all(sum(column) == 1 for column in zip(*rows, strict=True)), "columns sum to 1")
    region.allows(rows, below)
    case = {"region": region, "objective": objective, "pi": pi, "groups": groups, "place": place, "rows": rows}
    case |= {"ends": (number(lower), number(upper)), "above": above, "dual": dual, "primal": primal}
    KINDS[kind](case)


def whole(case, value):
    groups, place = case["groups"], case["place"]
    diagonal, blocks = keys(value, ["diagonal", "blocks"])
    d, b = numbers(diagonal, len(groups)), matrix(blocks, len(groups), len(groups))
    return d, [[b[g][h] + d[g] * (i == j) for j, h in enumerate(place)] for i, g in enumerate(place)]


def fisher(case):
    pi, rows = case["pi"], case["rows"]
    k = range(len(pi))
    return [[sum(row[i] * row[j] / dot(row, pi) for row in rows) for j in k] for i in k]


def read_inverse(case, data):
    """The k x k inverse of M; the page asks for d_g x_g = 1 of a group of one too."""
    x, inverse = whole(case, data)
    m = fisher(case)
    product_ = [[dot(row, column) for column in zip(*inverse, strict=True)] for row in m]
    want(product_ == [[int(i == j) for j in range(len(m))] for i in range(len(m))], "the inverse")
    for g, n in enumerate(case["groups"]):
        j = case["place"].index(g)
        want(n > 1 or x[g] * m[j][j] == 1, "the inverse of a group of one")
    return inverse


def costs(case, texts):
    alpha = numbers(texts, len(case["groups"]))
    return [alpha[g] for g in case["place"]]


def a_optimal(case):
    texts, w = keys(case["dual"], ["alpha", "matrix"])

    def text(rows):
        return [[str(x) for x in row] for row in rows]

    dual = {"alpha": [str(a) for a in costs(case, texts)], "matrix": text(whole(case, w)[1])}
    primal = {"inverse": text(read_inverse(case, keys(case["primal"], ["inverse"])[0]))}
    variance(case["region"], case["objective"], case["pi"], case["rows"], case["ends"], case["above"], dual, primal)


def read_factor(case, data, columns=None):
    size = len(case["groups"])
    if size == 1 and data == []:
        return [[]]
    want(columns != 0, "no columns")
    return matrix(data, size, columns)


def spread(case, own, between):
    """The k x k matrix with these eigenvalues on the contrasts inside groups, and these entries apart from it."""
    place, n = case["place"], case["groups"]
    return [
        [between[g][h] + own[g] * ((i == j) - Fraction(int(g == h), n[g])) for j, h in enumerate(place)]
        for i, g in enumerate(place)
    ]


def squares(case, columns=None):
    """A = sum alpha, F, and W W^T, after all inequalities."""
    texts, inside, factor = keys(case["dual"], ["alpha", "inside", "factor"])
    alpha, x, pi = costs(case, texts), numbers(inside, len(case["groups"])), case["pi"]
    f = read_factor(case, factor, columns)
    want(sum(alpha) > 0 and min(x) >= 0, "alpha, inside")
    want(all(sum(column[g] for g in case["place"]) == 0 for column in zip(*f, strict=True)), "columns of F")
    square = spread(case, x, [[dot(a, b) for b in f] for a in f])
    for s in product((1, case["above"][0][0, 1]), repeat=len(pi)):
        want(dot(s, [dot(row, s) for row in square]) <= dot(alpha, s) * dot(s, pi), "a pattern")
    return sum(alpha), x, f, square


def summed(case, rows):
    """The quadratic form on vectors that are constant in each group."""
    size = range(len(case["groups"]))
    inputs = [[i for i, g in enumerate(case["place"]) if g == h] for h in size]
    return [[sum(rows[i][j] for i in inputs[g] for j in inputs[h]) for h in size] for g in size]


def inner(case, rows):
    """The eigenvalue on the contrasts inside each group; None for a group of one."""
    first = [case["place"].index(g) for g in range(len(case["groups"]))]
    return [rows[j][j] - rows[j][j + 1] if n > 1 else None for j, n in zip(first, case["groups"], strict=True)]


def less(rows, t):
    return [[x - dot(t[i], t[j]) for j, x in enumerate(row)] for i, row in enumerate(rows)]


def e_optimal(case):
    lower, upper = case["ends"]
    inverse, factor = keys(case["primal"], ["inverse", "factor"])
    x, pi = read_inverse(case, inverse), case["pi"]
    rest = [[upper * (i == j) - v + pi[i] * pi[j] for j, v in enumerate(row)] for i, row in enumerate(x)]
    want(all(v is None or v >= 0 for v in inner(case, rest)), "upper, inside a group")
    dominant(less(summed(case, rest), read_factor(case, factor)), "upper")
    total, _, _, square = squares(case)
    want(lower * total <= sum(row[i] for i, row in enumerate(square)), "lower")


def d_optimal(case):
    (lower, upper), k, size = case["ends"], len(case["pi"]), len(case["groups"])
    m, t = fisher(case), matrix(keys(case["primal"], ["factor"])[0], size, size)
    triangular(t)
    dominant(less(summed(case, m), t), "the factor")
    own = [1 if v is None else v for v in inner(case, m)]
    want(min(own) > 0, "the information inside a group")
    n = case["groups"]
    below = spread(case, own, [[dot(a, b) / (n[g] * n[h]) for h, b in enumerate(t)] for g, a in enumerate(t)])
    want(lower <= end(log_sum([determinant(below)]), 0), "lower")
    total, x, f, square = squares(case, size - 1)
    want(all(v > 0 for v, n in zip(x, case["groups"], strict=True) if n > 1), "inside")
    triangular(f[:-1])
    det = determinant([[v + Fraction(1, k) for v in row] for row in square]) / k
    want(upper >= end((k - 1) * log_sum([total / (k - 1)]) - log_sum([det]), 1), "upper")


def mutual_information(case):
    (lower, upper), pi = case["ends"], case["pi"]
    keys(case["primal"], [])
    want(lower <= end(sum(information(row, pi) for row in case["rows"]), 0), "lower")
    texts, weights = keys(case["dual"], ["alpha", "weights"])
    weights = [integer(a) for a in array(weights, len(case["groups"]))]
    want(any(weights) and min(weights) >= 0 and max(weights) <= 2**18, "weights")
    alpha = costs(case, texts)
    want(upper >= sum(alpha), "upper")
    for s in product((1, case["above"][0][0, 1]), repeat=len(pi)):
        want(end(information(s, pi), 1) <= dot(alpha, s), "a pattern")


KINDS = {
    "a-optimal": a_optimal,
    "e-optimal": e_optimal,
    "d-optimal": d_optimal,
    "mutual-information": mutual_information,
}
