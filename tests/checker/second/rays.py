"""Rule 25 (rays)."""

from fractions import Fraction
from itertools import pairwise, permutations, product

from mpmath import iv

from .designs import Region
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
    population,
    want,
)


def rays(problem, claim, witness):
    value, objective, pi = keys(problem, ["region", "objective", "population"])
    _, _, _, dual, primal, logarithms = keys(witness, ["rule", "gamma", "delta", "dual", "primal", "logarithms"])
    alpha, beta, w = keys(dual, ["alpha", "beta", "matrix"])
    want(isinstance(objective, dict) and isinstance(value, dict), "the region, or the objective")
    if value.get("kind") == "privacy-levels":
        k, outputs, levels = several(value, witness)
        squares = array(beta, len(levels))
    else:
        region = Region(value)
        want(region.least is None and region.family == "all", "the region")
        k, outputs = region.inputs, region.outputs
        (gammas, below), (above_gammas, above) = region.brackets(witness)
        levels = [([pair], (gammas[pair], below), (above_gammas[pair], above), region.delta != "0") for pair in gammas]
        if region.kind == "pairwise-privacy":
            want(beta is None, "beta")
            squares = [None] * len(levels)
        else:
            levels = [(list(gammas), *levels[0][1:])]
            squares = [beta]
    pi = population(pi, k)
    _, lower, upper, made = keys(claim, ["kind", "lower", "upper", "mechanism"])
    p = mechanism(made, None if outputs == "any" else outputs, k)
    for pairs, (gamma, delta), _, _ in levels:
        for j, i in pairs:
            want(sum(max(Fraction(0), row[j] - gamma * row[i]) for row in p) <= delta, "the mechanism is not private")
    lower, upper = number(lower), number(upper)
    want(lower <= upper, "lower is above upper")
    alpha = numbers(alpha, k)
    bends, walls, bound = [], [], sum(alpha)
    for (pairs, _, (gamma, delta), has_delta), square in zip(levels, squares, strict=True):
        want((square is not None) == has_delta, "beta")
        if not has_delta:
            walls += [(j, i, gamma) for j, i in pairs]
            continue
        for j, row in enumerate(matrix(square, k, k)):
            for i, x in enumerate(row):
                want(x >= 0 and (not x or (j, i) in pairs), "beta")
                if x:
                    bends.append((j, i, gamma, x))
                    bound += delta * x
    uniform = value.get("kind") in ("differential-privacy", "criterion")
    listed = list(rays_of(k, walls, bends, uniform))

    def g(r):
        return dot(alpha, r) + sum(x * max(Fraction(0), r[j] - gamma * r[i]) for j, i, gamma, x in bends)

    GOALS.get(objective.get("kind"), unknown)(
        {
            "objective": objective, "pi": pi, "p": p, "lower": lower, "upper": upper, "rays": listed, "g": g,
            "bound": bound, "w": w, "primal": primal, "logarithms": logarithms, "k": k, "outputs": outputs,
        }
    )  # fmt: skip


def unknown(file):
    want(False, "the objective")


def several(value, witness):
    """The sizes, and of each level its pairs, both ends, and whether it has a delta."""
    _, inputs, outputs, levels = keys(value, ["kind", "inputs", "outputs", "levels"])
    k, outputs = integer(inputs), "any" if outputs == "any" else integer(outputs)
    want(k >= 2 and (outputs == "any" or outputs >= 2), "sizes")
    want(isinstance(levels, list) and 1 <= len(levels) <= 256, "levels")
    found = []
    brackets = (array(witness[name], len(levels)) for name in ("gamma", "delta"))
    for one, gamma, delta in zip(levels, *brackets, strict=True):
        epsilon, slack, pairs = keys(one, ["epsilon", "delta", "pairs"])
        if pairs == "all":
            pairs = list(permutations(range(k), 2))
        else:
            want(isinstance(pairs, list) and pairs, "pairs")
            pairs = [tuple(integer(x) for x in array(pair, 2)) for pair in pairs]
            want(all(j != i and j < k and i < k for j, i in pairs), "a pair")
            want(all(a < b for a, b in pairwise(pairs)), "the order of pairs")
        gammas, deltas = gamma_bracket(gamma, level(epsilon)), delta_bracket(delta, slack)
        found.append((pairs, *zip(gammas, deltas, strict=True), slack != "0"))
    return k, outputs, found


def rays_of(k, walls, bends, uniform):
    if uniform and walls:
        gamma = walls[0][2]
        want(gamma > 1 and k <= 18, "gamma, or inputs")
        yield from product((Fraction(1), gamma), repeat=k)
        return
    ties = {}
    for j, i, gamma, *_ in (*walls, *bends):
        ties.setdefault((j, i), set()).add(gamma)
        ties.setdefault((i, j), set()).add(1 / gamma)

    def inside(r, *, strictly):
        return all(r[j] <= g * r[i] for j, i, g in walls if strictly or (r[j] and r[i]))

    # every support from its first input, every way to hang one more input on those that are there
    for first in range(k):
        layer = {tuple(Fraction(int(i == first)) for i in range(k))}
        while layer:
            for r in layer:
                if inside(r, strictly=True):
                    yield list(r)
            grown = set()
            for r in layer:
                for j in range(first + 1, k):
                    if not r[j]:
                        entries = {g * r[i] for i in range(k) if r[i] for g in ties.get((j, i), ())}
                        grown |= {(*r[:j], x, *r[j + 1 :]) for x in entries}
            layer = {r for r in grown if inside(r, strictly=False)}


def squares(file, w, weights):
    for r in file["rays"]:
        left = sum(dot(r, column) ** 2 for column in zip(*w, strict=True))
        want(file["g"](r) >= 0 and left <= file["g"](r) * dot(r, weights), "the inequality of a ray")


def read_w(file, width=None):
    w = matrix(file["w"], file["k"], width)
    want(not any(sum(column) for column in zip(*w, strict=True)), "a column of W")
    want(file["bound"] > 0, "the bound")
    return w


def covariance(file, estimator, c):
    a = matrix(estimator, len(c), len(file["p"]))
    columns = list(zip(*file["p"], strict=True))
    want([[dot(row, column) for column in columns] for row in a] == c, "unbiased")
    chances = [dot(row, file["pi"]) for row in file["p"]]
    means = [dot(row, file["pi"]) for row in c]
    return [
        [
            sum(x * y * s for x, y, s in zip(left, right, chances, strict=True)) - mean * other
            for right, other in zip(a, means, strict=True)
        ]
        for left, mean in zip(a, means, strict=True)
    ]


def variances(file, c):
    want(file["logarithms"] == [], "logarithms")
    v = covariance(file, keys(file["primal"], ["estimator"])[0], c)
    want(sum(v[i][i] for i in range(len(c))) <= file["upper"], "upper")
    w = read_w(file, len(c))
    trace = sum(dot(row, [line[i] for line in w]) for i, row in enumerate(c))
    want(file["lower"] * file["bound"] <= trace**2, "lower")
    squares(file, w, file["pi"])


def identity(k):
    return [[Fraction(int(i == j)) for j in range(k)] for i in range(k)]


def a_optimal(file):
    keys(file["objective"], ["kind"])
    variances(file, identity(file["k"]))


def c_optimal(file):
    c = numbers(keys(file["objective"], ["kind", "contrast"])[1], file["k"])
    want(any(c), "a contrast of nothing")
    variances(file, [c])


def variance(file):
    keys(file["objective"], ["kind"])
    want(file["k"] == 2, "two inputs")
    variances(file, [[Fraction(0), Fraction(1)]])


def dominant(d, reason):
    for i, row in enumerate(d):
        want(row[i] >= sum(abs(x) for j, x in enumerate(row) if i != j), reason)


def e_optimal(file):
    keys(file["objective"], ["kind"])
    want(file["logarithms"] == [], "logarithms")
    estimator, f = keys(file["primal"], ["estimator", "factor"])
    k = file["k"]
    v, f = covariance(file, estimator, identity(k)), matrix(f, k)
    dominant([[file["upper"] * (i == j) - v[i][j] - dot(f[i], f[j]) for j in range(k)] for i in range(k)], "upper")
    w = read_w(file)
    want(file["lower"] * file["bound"] <= sum(x * x for row in w for x in row), "lower")
    squares(file, w, file["pi"])


def triangular(rows):
    want(all(not x for i, row in enumerate(rows) for x in row[i + 1 :]), "lower triangular")
    want(all(row[i] for i, row in enumerate(rows)), "a zero on the diagonal")
    return [abs(row[i]) for i, row in enumerate(rows)]


def logs(file):
    digits = integer(keys(file["logarithms"], ["digits"])[0])
    want(1 <= digits <= 300, "digits")
    iv.prec = 4 * digits + 200


def enclosed(x):
    return iv.mpf(x.numerator) / iv.mpf(x.denominator)


def end(x, which):
    sign, mantissa, power, _ = x._mpi_[which]
    return (-1) ** sign * int(mantissa) * Fraction(2) ** power


def log_sum(numbers_):
    return sum((iv.log(enclosed(x)) for x in numbers_), iv.mpf(0))


def d_optimal(file):
    keys(file["objective"], ["kind"])
    logs(file)
    k = file["k"]
    want(all(file["pi"]), "a share of 0")
    estimator, f = keys(file["primal"], ["estimator", "factor"])
    v, f = covariance(file, estimator, identity(k)), matrix(f, k - 1, k - 1)
    diagonal = triangular(f)
    dominant([[dot(f[i], f[j]) - v[i][j] for j in range(k - 1)] for i in range(k - 1)], "the factor")
    want(file["lower"] <= end(-2 * log_sum(diagonal), 0), "lower")
    w = read_w(file, k - 1)
    pivots = triangular(w[:-1])
    want(file["upper"] >= end((k - 1) * log_sum([file["bound"] / (k - 1)]) - 2 * log_sum(pivots), 1), "upper")
    squares(file, w, file["pi"])


def bare(file):
    keys(file["primal"], [])
    want(file["logarithms"] == [] and file["w"] is None, "parts that are not used")


def maximum(file, value, lower=None, upper=None):
    want((file["lower"] if lower is None else lower) <= value, "the mechanism's side")
    want((file["upper"] if upper is None else upper) >= file["bound"], "the bound's side")


def against(file):
    q = population(keys(file["objective"], ["kind", "against"])[1], file["k"])
    return [x - y for x, y in zip(file["pi"], q, strict=True)], q


def chi_square(file):
    v, q = against(file)
    bare(file)
    maximum(file, sum(dot(row, v) ** 2 / dot(row, q) for row in file["p"] if dot(row, q)))
    squares(file, [[x] for x in v], q)


def lines(file, listed):
    for r in file["rays"]:
        want(all(dot(line, r) <= file["g"](r) for line in listed), "the inequality of a ray")


def total_variation(file):
    v, _ = against(file)
    bare(file)
    v = [x / 2 for x in v]
    maximum(file, sum(abs(dot(row, v)) for row in file["p"]))
    lines(file, [v, [-x for x in v]])


def trace(file):
    k = file["k"]
    weights = numbers(keys(file["objective"], ["kind", "weights"])[1], k)
    bare(file)
    want(file["outputs"] == k, "outputs")
    maximum(file, sum(w * file["p"][i][i] for i, w in enumerate(weights)))
    lines(file, [[w * (i == j) for j in range(k)] for i, w in enumerate(weights)])


def loss(file):
    want(file["outputs"] != "any", "outputs")
    losses = matrix(keys(file["objective"], ["kind", "matrix"])[1], len(file["p"]), file["k"])
    bare(file)
    gains = [[-p * x for p, x in zip(file["pi"], row, strict=True)] for row in losses]
    value = sum(dot(gain, row) for gain, row in zip(gains, file["p"], strict=True))
    maximum(file, value, -file["upper"], -file["lower"])
    lines(file, gains)


def information(row, pi):
    s = dot(row, pi)
    terms = (enclosed(p * x) * iv.log(enclosed(x / s)) for p, x in zip(pi, row, strict=True) if p * x)
    return sum(terms, iv.mpf(0))


def mutual_information(file):
    keys(file["objective"], ["kind"])
    logs(file)
    keys(file["primal"], [])
    want(file["w"] is None, "W")
    want(file["lower"] <= end(sum((information(row, file["pi"]) for row in file["p"]), iv.mpf(0)), 0), "lower")
    want(file["upper"] >= file["bound"], "upper")
    for r in file["rays"]:
        want(end(information(r, file["pi"]), 1) <= file["g"](r), "the inequality of a ray")


def closed(interval):
    return end(interval, 0), end(interval, 1)


def log_of(x):
    return iv.log(enclosed(x))


def terms(objective):
    """phi of two chances, by mpmath, from the table of the page."""
    kind = objective["kind"]
    if kind == "alpha-divergence":
        order = number(keys(objective, ["kind", "against", "order"])[2])
        want(order not in (0, 1) and abs(order) <= 10 and order.denominator <= 10, "the order")
    else:
        keys(objective, ["kind", "against"])

    def t(a, b):
        if a == b:
            return iv.mpf(0)  # of all four, and an enclosure would miss it
        if kind == "kullback-leibler":
            want(b or not a, "infinite")
            return enclosed(a) * log_of(a / b) if a else iv.mpf(0)
        if kind == "hellinger":
            return enclosed((a + b) / 2) - iv.sqrt(enclosed(a * b))
        if kind == "jensen-shannon":
            total = sum((enclosed(x) * log_of(x) for x in (a, b) if x), iv.mpf(0)) / 2
            return total - (enclosed((a + b) / 2) * log_of((a + b) / 2) if a + b else 0)
        want(not (order > 1 and a and not b) and not (order < 0 and b and not a), "infinite")
        power = iv.exp(enclosed(order) * log_of(a) + enclosed(1 - order) * log_of(b)) if a and b else iv.mpf(0)
        return (power - enclosed(order * a + (1 - order) * b)) / enclosed(order * (order - 1))

    return t


DIVERGENCES = ("kullback-leibler", "hellinger", "jensen-shannon", "alpha-divergence")
ENCLOSED = (*DIVERGENCES, "mutual-information")


def phi_of(objective, pi):
    """phi of a row, both ends; None where the page has no sum of this kind."""
    kind, k = objective.get("kind"), len(pi)
    if kind == "payoff":
        u = matrix(keys(objective, ["kind", "matrix"])[1], None, k)
        return lambda r: (max(dot([p * x for p, x in zip(pi, row, strict=True)], r) for row in u),) * 2
    if kind == "mutual-information":
        keys(objective, ["kind"])
        return lambda r: closed(information(r, pi))
    if kind in ("total-variation", "chi-square"):
        q = population(keys(objective, ["kind", "against"])[1], k)
        v = [x - y for x, y in zip(pi, q, strict=True)]

        def rational(r):
            if kind == "total-variation":
                return (abs(dot(v, r)) / 2,) * 2
            want(dot(q, r) or not dot(v, r), "infinite")
            return (dot(v, r) ** 2 / dot(q, r) if dot(q, r) else Fraction(0),) * 2

        return rational
    if kind in DIVERGENCES:
        t, q = terms(objective), population(objective["against"], k)
        return lambda r: closed(t(dot(r, pi), dot(r, q))) if dot(r, pi) or dot(r, q) else (Fraction(0),) * 2
    return None


def given_sum(file, phi=None):
    phi = phi or phi_of(file["objective"], file["pi"])
    if file["objective"]["kind"] == "payoff":
        want(file["logarithms"] == [], "logarithms")
    elif file["objective"]["kind"] != "bayes":
        logs(file)
    keys(file["primal"], [])
    want(file["w"] is None, "W")
    want(file["lower"] <= sum(phi(row)[0] for row in file["p"] if any(row)), "lower")
    want(file["upper"] >= file["bound"], "upper")
    for r in file["rays"]:
        want(phi(r)[1] <= file["g"](r), "the inequality of a ray")


def targets(objective, k):
    kind = objective.get("kind")
    want(kind in ("a-optimal", "c-optimal", "contrasts"), "the objective")
    if kind == "a-optimal":
        keys(objective, ["kind"])
        return identity(k)
    name = "contrast" if kind == "c-optimal" else "contrasts"
    c = keys(objective, ["kind", name])[1]
    c = [numbers(c, k)] if kind == "c-optimal" else matrix(c, None, k)
    want(any(map(any, c)), "a contrast of nothing")
    return c


def contrasts(file):
    variances(file, targets(file["objective"], file["k"]))


def bayes(file):
    _, inner, weights, populations = keys(file["objective"], ["kind", "objective", "weights", "populations"])
    want(isinstance(inner, dict), "the objective")
    weights = numbers(weights)
    want(weights and min(weights) > 0 and sum(weights) == 1 and len(populations) == len(weights), "weights")
    shares = [population(each, file["k"]) for each in populations]
    if inner.get("kind") in ENCLOSED:
        logs(file)
    else:
        want(file["logarithms"] == [], "logarithms")
    phis = [phi_of(inner, pi) for pi in shares]
    if phis[0]:
        given_sum(
            file, lambda r: tuple(sum(w * phi(r)[i] for w, phi in zip(weights, phis, strict=True)) for i in (0, 1))
        )
        return
    c = targets(inner, file["k"])
    estimators = keys(file["primal"], ["estimators"])[0]
    want(len(estimators) == len(file["w"]) == len(shares), "estimators")
    parts = [{**file, "pi": pi, "w": w} for pi, w in zip(shares, file["w"], strict=True)]
    vs = [covariance(part, a, c) for part, a in zip(parts, estimators, strict=True)]
    ws = [read_w(part, len(c)) for part in parts]
    total = sum(w * sum(v[i][i] for i in range(len(c))) for w, v in zip(weights, vs, strict=True))
    want(total <= file["upper"], "upper")
    along = sum(
        weight * sum(dot(row, [line[i] for line in w]) for i, row in enumerate(c))
        for weight, w in zip(weights, ws, strict=True)
    )
    want(file["lower"] * file["bound"] <= along**2, "lower")
    for r in file["rays"]:
        left = Fraction(0)
        for weight, pi, w in zip(weights, shares, ws, strict=True):
            square = sum(dot(r, column) ** 2 for column in zip(*w, strict=True))
            want(dot(r, pi) or not square, "a row without a chance")
            left += weight * square / dot(r, pi) if dot(r, pi) else 0
        want(file["g"](r) >= 0 and left <= file["g"](r), "the inequality of a ray")


GOALS = {
    "payoff": given_sum,
    "kullback-leibler": given_sum,
    "hellinger": given_sum,
    "jensen-shannon": given_sum,
    "alpha-divergence": given_sum,
    "contrasts": contrasts,
    "bayes": bayes,
    "a-optimal": a_optimal,
    "c-optimal": c_optimal,
    "variance": variance,
    "e-optimal": e_optimal,
    "d-optimal": d_optimal,
    "chi-square": chi_square,
    "total-variation": total_variation,
    "trace": trace,
    "loss": loss,
    "mutual-information": mutual_information,
}
