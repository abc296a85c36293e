"""Rule 25 (rays)."""

from fractions import Fraction
from itertools import combinations, product

from mpmath import iv

from .designs import Region
from .reading import dot, integer, keys, matrix, mechanism, number, numbers, population, want


def rays(problem, claim, witness):
    region, objective, pi = keys(problem, ["region", "objective", "population"])
    region = Region(region)
    want(
        region.least is None and region.family == "all" and isinstance(objective, dict), "the region, or the objective"
    )
    k, pi = region.inputs, population(pi, region.inputs)
    _, lower, upper, made = keys(claim, ["kind", "lower", "upper", "mechanism"])
    _, _, _, dual, primal, logarithms = keys(witness, ["rule", "gamma", "delta", "dual", "primal", "logarithms"])
    alpha, beta, w = keys(dual, ["alpha", "beta", "matrix"])
    below, above = region.brackets(witness)
    p = mechanism(made, None if region.outputs == "any" else region.outputs, k)
    region.allows(p, below)
    lower, upper = number(lower), number(upper)
    want(lower <= upper, "lower is above upper")
    gammas, delta = above
    listed = list(rays_of(region, gammas, k))
    alpha = numbers(alpha, k)
    if region.delta == "0":
        want(beta is None, "beta")
        beta = [[Fraction(0)] * k] * k
    else:
        beta = matrix(beta, k, k)
        want(all(x >= 0 for row in beta for x in row) and all(beta[j][j] == 0 for j in range(k)), "beta")
    bound = sum(alpha) + delta * sum(map(sum, beta))

    def g(r):
        excesses = (beta[j][i] * max(Fraction(0), r[j] - gammas[j, i] * r[i]) for j, i in gammas if beta[j][i])
        return dot(alpha, r) + sum(excesses)

    GOALS.get(objective.get("kind"), unknown)(
        {
            "objective": objective, "pi": pi, "p": p, "lower": lower, "upper": upper, "rays": listed, "g": g,
            "bound": bound, "w": w, "primal": primal, "logarithms": logarithms, "k": k, "outputs": region.outputs,
        }
    )  # fmt: skip


def unknown(file):
    want(False, "the objective")


def rays_of(region, gammas, k):
    if region.kind == "pairwise-privacy":
        yield from pair_rays(gammas, k)
        return
    gamma = gammas[0, 1]
    if region.delta == "0":
        want(gamma > 1 and k <= 18, "gamma, or inputs")
        yield from product((Fraction(1), gamma), repeat=k)
        return
    want(k <= 6, "inputs")
    for size in range(1, k + 1):
        for support in combinations(range(k), size):
            for x in product(range(size), repeat=size):
                top = max(x)
                if set(x) == set(range(top + 1)) and (top >= 1 or size == 1):
                    row = [Fraction(0)] * k
                    for j, power in zip(support, x, strict=True):
                        row[j] = gamma**power
                    yield row


def pair_rays(gammas, k):
    """Every assignment of a spanning tree's worth of tight pairs, by growing supports."""

    def kept(r, strictly):
        return all(r[j] <= g * r[i] for (j, i), g in gammas.items() if strictly or (r[j] and r[i]))

    found = {tuple(Fraction(int(i == j)) for i in range(k)) for j in range(k)}
    layer = set(found)
    while layer:
        grown = set()
        for r in layer:
            for (j, i), gamma in gammas.items():
                new = list(r)
                if r[i] and not r[j]:
                    new[j] = gamma * r[i]
                elif r[j] and not r[i]:
                    new[i] = r[j] / gamma
                else:
                    continue
                if kept(new, False):
                    first = next(x for x in new if x)
                    grown.add(tuple(x / first for x in new))
        layer = grown - found
        found |= grown
    yield from (list(r) for r in found if kept(r, True))


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


GOALS = {
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
