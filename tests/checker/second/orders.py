"""Rules 7 (garbling), 8 (decision problem), 17 (likelihood), 18 (parity, admissibility), 20 (bits), 21 (least risk)."""

from fractions import Fraction
from itertools import combinations, pairwise, permutations, product
from math import ceil, comb, floor, lcm, prod

from .reading import (
    array,
    delta_bracket,
    dot,
    gamma_bracket,
    integer,
    keys,
    level,
    matrix,
    mechanism,
    number,
    numbers,
    stochastic,
    want,
)


def garbles(kernel, source, target):
    c = stochastic(matrix(kernel, len(target), len(source)))
    want([[dot(row, column) for column in zip(*source, strict=True)] for row in c] == target, "target = kernel source")


def pays(payoff, source, target):
    y = matrix(payoff, len(target), len(target[0]))
    want(
        sum(max(dot(row, p) for row in y) for p in source) < sum(dot(a, b) for a, b in zip(y, target, strict=True)),
        "the pay",
    )


def both(problem):
    _, source, target = keys(problem, ["kind", "source", "target"])
    source, target = mechanism(source), mechanism(target)
    want(len(source[0]) == len(target[0]), "as many inputs")
    return source, target


def garbling(problem, claim, witness):
    keys(claim, ["kind"])
    garbles(keys(witness, ["rule", "kernel"])[1], *both(problem))


def decision(problem, claim, witness):
    keys(claim, ["kind"])
    pays(keys(witness, ["rule", "payoff"])[1], *both(problem))


def kronecker(factors):
    """The first factor varies fastest."""
    made = [[Fraction(1)]]
    for factor in factors:
        made = [[a * b for b in row for a in inner] for row in factor for inner in made]
    return made


def likelihood(problem, claim, witness):
    _, groups = keys(problem, ["kind", "groups"])
    _, point, gap = keys(claim, ["kind", "point", "gap"])
    bits = keys(witness, ["rule", "bits"])[1]
    pi, gap = numbers(point), number(gap)
    if bits is not None:
        bits = integer(bits)
        want(0 <= bits <= 4096, "bits")
    want(min(pi, default=-1) >= 0 and sum(pi) == 1, "the point")
    total, gradient = 0, [Fraction(0)] * len(pi)
    want(array(groups), "no group")
    for group in groups:
        made, counts = keys(group, ["mechanism", "counts"])
        want(isinstance(made, dict) and len(made) == 1, "a mechanism")
        factors = [keys(made, ["matrix"])[0]] if "matrix" in made else array(keys(made, ["product"])[0])
        want(1 <= len(factors) <= 64, "factors")
        rows = kronecker([stochastic(matrix(one)) for one in factors])
        want(len(rows[0]) == len(pi), "inputs")
        n = [integer(one) for one in array(counts, len(rows))]
        want(min(n) >= 0, "a negative count")
        total += sum(n)
        for count, row in zip(n, rows, strict=True):
            if count:
                chance = dot(row, pi)
                want(chance > 0, "an answer that was given is impossible")
                quotient = count / chance if bits is None else Fraction(ceil(count / chance * 2**bits), 2**bits)
                gradient = [g + c * quotient for g, c in zip(gradient, row, strict=True)]
    want(total > 0, "no answers")
    want(max(gradient) <= total * (1 + gap), "the gap")


def parity_of(rows):
    """None is infinite."""
    largest = Fraction(1)
    for row in rows:
        if any(row):
            if min(row) == 0:
                return None
            largest = max(largest, max(row) / min(row))
    return largest


def belongs(rows, gamma):
    parity = parity_of(rows)
    want(len(rows) >= 2 and all(any(row) for row in rows), "the class: outputs, zero rows")
    want(parity is not None and parity <= gamma, "the class: parity")
    for a, b in combinations(rows, 2):
        want(any(a[j] * b[i] != a[i] * b[j] for j, i in combinations(range(len(a)), 2)), "the class: proportional rows")


def mechanisms(problem, claim, witness):
    _, made, its_level = keys(problem, ["kind", "mechanism", "level"])
    rows = mechanism(made)
    kind, rule = claim.get("kind"), witness.get("rule")
    if kind == "parity":
        want(rule == "parity" and its_level is None, "the witness")
        keys(witness, ["rule"])
        claimed = keys(claim, ["kind", "parity"])[1]
        parity = parity_of(rows)
        want(
            claimed == "infinite" if parity is None else claimed != "infinite" and number(claimed) == parity,
            "the parity",
        )
        return
    want(its_level is not None, "a level")
    its_level = level(its_level)
    if kind == "profile":
        want(rule == "parity", "the witness")
        _, lower, upper = keys(claim, ["kind", "lower", "upper"])
        below, above = gamma_bracket(keys(witness, ["rule", "gamma"])[1], its_level)

        def d(g):
            pairs = permutations(range(len(rows[0])), 2)
            return max(
                (sum(max(Fraction(0), row[j] - g * row[i]) for row in rows) for j, i in pairs), default=Fraction(0)
            )

        want(number(lower) == d(above) and number(upper) == d(below), "the profile")
    elif kind == "admissible":
        want(rule == "admissible", "the witness")
        keys(claim, ["kind"]), keys(witness, ["rule"])
        want(its_level[0] == "rational" and its_level[1] > 1, "a rational level above 1")
        belongs(rows, its_level[1])
        for row in rows:
            want(len(set(row)) <= 2 and max(row) == its_level[1] * min(row), "C1, C2")
    else:
        want(kind == "inadmissible" and rule == "dominated", "the claim")
        keys(claim, ["kind"])
        _, bracket, better, kernel, payoff = keys(witness, ["rule", "gamma", "dominating", "kernel", "payoff"])
        below, _ = gamma_bracket(bracket, its_level)
        want(below > 1, "gamma > 1")
        a = stochastic(matrix(better, None, len(rows[0])))
        belongs(rows, below), belongs(a, below)
        garbles(kernel, a, rows)
        pays(payoff, rows, a)


def bits(problem, claim, witness):
    _, epsilon, objective = keys(problem, ["kind", "epsilon", "objective"])
    _, lower, upper, made = keys(claim, ["kind", "lower", "upper", "mechanism"])
    below, above = gamma_bracket(keys(witness, ["rule", "gamma"])[1], level(epsilon))
    devices = [matrix(one, 2, 2) for one in array(keys(made, ["product"])[0])]
    n = len(devices)
    want(1 <= n <= 1024, "the number of questions")
    want(isinstance(objective, dict), "the objective")
    if objective.get("kind") == "marginals":
        _, weights, prevalences = keys(objective, ["kind", "weights", "prevalences"])
        weights, prevalences = numbers(weights, n), numbers(prevalences, n)
        want(min(weights) >= 0 and max(weights) > 0, "the weights")
        want(min(prevalences) >= 0 and max(prevalences) <= 1, "the prevalences")
    else:
        kind, questions, squares = keys(objective, ["kind", "questions", "squares"])
        want(kind == "joint" and integer(questions) == n, "the objective")
        squares = number(squares)
        want(Fraction(1, 2**n) <= squares <= 1, "squares")
        weights = [Fraction(1)] * n
    x = []
    for (p, q), (q2, p2) in devices:
        want(p == p2 and q == q2 == 1 - p and Fraction(1, 2) <= p < 1, "a bit")
        x.append(p / q)
    want(all(y > 1 or w == 0 for y, w in zip(x, weights, strict=True)), "a bit that says nothing")
    want(prod(x) <= below, "the level")
    live = [y > 1 and w > 0 for y, w in zip(x, weights, strict=True)]
    if objective["kind"] == "marginals":
        value = sum(
            w * (r * (1 - r) + y / (y - 1) ** 2)
            for w, r, y, on in zip(weights, prevalences, x, live, strict=True)
            if on
        )
        slopes = [
            w * y * (y + 1) / (y - 1) ** 3 if on else Fraction(0) for w, y, on in zip(weights, x, live, strict=True)
        ]
        factor = Fraction(1)
    else:
        factor = prod((y * y + 1) / (y - 1) ** 2 for y in x)
        value = factor - squares
        slopes = [2 * y * (y + 1) / ((y * y + 1) * (y - 1)) for y in x]
    steepest = max(slopes)
    d = steepest * (above / prod(x) - 1) + sum((steepest - s) * (y - 1) for s, y in zip(slopes, x, strict=True))
    want(number(lower) <= value - factor * d and value <= number(upper), "the ends")


def halves(row, u, unit):
    """Both rows of a split."""
    left, right = [], []
    while row:
        left, right = [*left, row[0]], [row[-1], *right]
        row = [ceil(((1 - u) * a + u * b) * unit) / unit for a, b in pairwise(row)]
    return left, right


def conditional(rows, n, gamma, unit):
    """F(a, 0), ..., F(a, n + 2)."""
    a, powers = len(rows) - 1, (lambda x: x**2, lambda x: x * (x - 1), lambda x: (x - 1) ** 2)
    found = [Fraction(0)] * (n + 3)
    for (c, row), (k, power) in product(enumerate(rows), enumerate(powers)):
        right = halves([ceil(power(x) * unit) / unit for x in row], 1 / (gamma + 1), unit)[1]
        for y, f in enumerate(halves(right, (gamma - 1) / gamma, unit)[0]):
            found[c + k + y] += comb(a, c) * comb(2, k) * comb(n - a, y) * f
    return [ceil(total * unit / comb(n + 2, m)) / unit for m, total in enumerate(found)]


def law(w, chance, steps, unit):
    row = [w]
    for _ in range(steps):
        moved = zip([*row, 0], [0, *row], strict=True)
        row = [floor(((1 - chance) * stay + chance * come) * unit) / unit for stay, come in moved]
    return row


def minimax_risk(problem, claim, witness):
    _, epsilon, slack, count = keys(problem, ["kind", "epsilon", "delta", "respondents"])
    n = integer(count)
    want(1 <= n <= 1022, "respondents")
    _, lower, upper, estimator = keys(claim, ["kind", "lower", "upper", "estimator"])
    _, gamma, delta, bits, *lists = keys(witness, ["rule", "gamma", "delta", "bits", "points", "weights", "cells"])
    gamma, delta = gamma_bracket(gamma, level(epsilon)), delta_bracket(delta, slack)
    bits = integer(bits)
    want(0 <= bits <= 4096, "bits")
    unit, possible = Fraction(2) ** bits, range(n + 1 if delta[1] > 0 else 1)
    array(estimator, sum(a + 1 for a in possible))
    rows = iter(estimator)
    t = [[numbers(next(rows), n - a + 1) for _ in range(a + 1)] for a in possible]
    points, weights, cells = map(numbers, lists)
    want(len(points) == len(weights) and sum(weights) == 1 and min(weights) >= 0, "the weights")
    want(all(0 <= pi <= 1 for pi in points), "the points")
    ends = [Fraction(0), *cells, Fraction(1)]
    want(sorted(set(ends)) == ends, "the cells")
    given = [conditional(part, n, gamma[0], unit) for part in t]
    row = [halves(list(column), delta[0], unit)[0][-1] for column in zip(*given, strict=True)]
    largest = [Fraction(0)]
    for begin, end in pairwise(ends):
        left, row = halves(row, (end - begin) / (1 - begin), unit)
        largest += left
    want(max(largest) <= number(upper), "the upper end")
    whole, total = lcm(*(pi.denominator for pi in points)) ** 2 * unit, Fraction(0)
    joint = []
    for pi, w in zip(points, weights, strict=True):
        chance = (1 + (gamma[1] - 1) * pi) / (gamma[1] + 1)
        certain = law(floor(w * unit) / unit, delta[1], len(possible) - 1, unit)
        told = [(a, w_ac) for a, w_a in enumerate(certain) for w_ac in law(w_a, pi, a, unit)]
        joint.append([w_acy for a, w_ac in told for w_acy in law(w_ac, chance, n - a, unit)])
    for chances in zip(*joint, strict=True):
        if a := sum(chances):
            total += floor((dot(chances, [pi * pi for pi in points]) - dot(chances, points) ** 2 / a) * whole) / whole
    want(number(lower) <= total, "the lower end")
