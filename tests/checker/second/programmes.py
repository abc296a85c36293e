"""Rules 3 (primal and dual of a linear program), 4 (Farkas) and 5 (patterns)."""

from fractions import Fraction
from itertools import pairwise, permutations, product

from mpmath import iv

from .designs import Region, slacks
from .reading import array, dot, index, integer, keys, matrix, mechanism, number, numbers, population, want


class Programme:
    def __init__(self, sense, cost, free, rows):
        self.sense, self.cost, self.free, self.rows = sense, cost, free, rows  # a row: {index: value}, relation, bound


def sparse(value, count):
    pairs = [(index(i, count), number(v)) for i, v in (array(pair, 2) for pair in array(value))]
    want(all(v for _, v in pairs), "a zero value")
    want(all(i < j for (i, _), (j, _) in pairwise(pairs)), "indices ascend")
    return dict(pairs)


def read_programme(problem):
    _, sense, cost, signs, rows = keys(problem, ["kind", "sense", "cost", "signs", "rows"])
    want(sense in ("minimise", "maximise"), "sense")
    cost = numbers(cost)
    want(all(sign in ("nonnegative", "free") for sign in array(signs, len(cost))), "signs")
    made = []
    for row in array(rows):
        coefficients, relation, bound = keys(row, ["coefficients", "relation", "bound"])
        want(relation in ("<=", ">=", "="), "relation")
        made.append((sparse(coefficients, len(cost)), relation, number(bound)))
    return Programme(sense, cost, [sign == "free" for sign in signs], made)


class Design:
    """A design problem of rule 3."""

    def __init__(self, problem):
        region, objective, pi = keys(problem, ["region", "objective", "population"])
        self.region = Region(region)
        self.k, self.m = self.region.inputs, self.region.outputs
        self.pi = population(pi, self.k)
        want(isinstance(self.m, int) and self.region.family == "all", "the region")
        want(isinstance(objective, dict), "the objective")
        self.objective = objective
        self.kind = objective.get("kind")
        m, k = self.m, self.k
        self.matrix = None
        if self.kind == "trace":
            weights = numbers(keys(objective, ["kind", "weights"])[1], k)
            want(m == k, "the trace needs outputs = inputs")
            self.cost = [[weights[i] if i == j else Fraction(0) for j in range(k)] for i in range(m)]
        elif self.kind == "loss":
            loss = matrix(keys(objective, ["kind", "matrix"])[1], m, k)
            self.cost = [[self.pi[j] * loss[i][j] for j in range(k)] for i in range(m)]
        else:
            want(self.kind == "distance", "the objective")
            _, self.norm, target = keys(objective, ["kind", "norm", "matrix"])
            want(self.norm in ("largest", "total"), "norm")
            self.matrix = matrix(target, m, k)
        self.sense = "maximise" if self.kind == "trace" else "minimise"

    def value(self, rows):
        if self.matrix:
            apart = [
                abs(p - q)
                for row, target in zip(rows, self.matrix, strict=True)
                for p, q in zip(row, target, strict=True)
            ]
            return max(apart) if self.norm == "largest" else sum(apart)
        return sum(dot(c, p) for c, p in zip(self.cost, rows, strict=True))

    def programme(self, above):
        gamma, delta = above
        m, k, region = self.m, self.k, self.region
        p = [[i * k + j for j in range(k)] for i in range(m)]
        count, rows = m * k, []
        rows += [({p[i][j]: 1 for i in range(m)}, "=", 1) for j in range(k)]
        pairs = list(permutations(range(k), 2))
        if region.kind == "pairwise-privacy":
            for i in range(m):
                rows += [({p[i][o]: gamma[j, o], p[i][j]: -1}, ">=", 0) for j, o in sorted(gamma)]
        elif region.delta == "0":
            t, count, g = [count + i for i in range(m)], count + m, gamma[0, 1]
            rows += [({p[i][j]: 1, t[i]: -1}, ">=", 0) for i in range(m) for j in range(k)]
            rows += [({t[i]: g, p[i][j]: -1}, ">=", 0) for i in range(m) for j in range(k)]
        else:
            e = {(i, pair): count + i * len(pairs) + rank for i in range(m) for rank, pair in enumerate(pairs)}
            count, g = count + m * len(pairs), gamma[0, 1]
            rows += [({e[i, (j, o)]: 1, p[i][j]: -1, p[i][o]: g}, ">=", 0) for i in range(m) for j, o in pairs]
            rows += [({e[i, pair]: 1 for i in range(m)}, "<=", delta) for pair in pairs]
        if region.least:
            rows += [({p[i][j]: 1}, ">=", region.least[i][j]) for i in range(m) for j in range(k)]
            rows += [({p[i][j]: 1}, "<=", region.most[i][j]) for i in range(m) for j in range(k)]
        if self.matrix:
            total = self.norm == "total"
            s = [[count + (i * k + j if total else 0) for j in range(k)] for i in range(m)]
            cost = [0] * count + [1] * (m * k if total else 1)
            rows += [({p[i][j]: 1, s[i][j]: 1}, ">=", self.matrix[i][j]) for i in range(m) for j in range(k)]
            rows += [({p[i][j]: 1, s[i][j]: -1}, "<=", self.matrix[i][j]) for i in range(m) for j in range(k)]
        else:
            cost = [c for row in self.cost for c in row] + [0] * (count - m * k)
        return Programme(self.sense, cost, [False] * len(cost), rows)


def bound(programme, dual, cost, sign):
    """``b . y``, when y has the signs of minimising (1) or maximising (-1) the cost."""
    reduced, total = list(cost), Fraction(0)
    for r, y in dual.items():
        coefficients, relation, b = programme.rows[r]
        want(relation == "=" or (sign * y > 0) == (relation == ">="), "the sign of a multiplier")
        total += b * y
        for i, a in coefficients.items():
            reduced[i] -= a * y
    want(
        all(c == 0 if free else sign * c >= 0 for c, free in zip(reduced, programme.free, strict=True)),
        "a reduced cost",
    )
    return total


def linear_programme(problem, claim, witness):
    if isinstance(problem, dict) and "kind" in problem:
        programme = read_programme(problem)
        _, lower, upper, point = keys(claim, ["kind", "lower", "upper", "point"])
        dual = sparse(keys(witness, ["rule", "dual"])[1], len(programme.rows))
        x = numbers(point, len(programme.cost))
        want(all(v >= 0 for v, free in zip(x, programme.free, strict=True) if not free), "a negative variable")
        for coefficients, relation, b in programme.rows:
            left = sum(a * x[i] for i, a in coefficients.items())
            want(left <= b if relation == "<=" else left >= b if relation == ">=" else left == b, "a row")
        side = bound(programme, dual, programme.cost, 1 if programme.sense == "minimise" else -1)
        want(dot(programme.cost, x) == side == number(lower) == number(upper), "the values")
        return
    design = Design(problem)
    _, lower, upper, made = keys(claim, ["kind", "lower", "upper", "mechanism"])
    keys(witness, ["rule", "dual", "gamma", "delta"])
    below, above = design.region.brackets(witness)
    programme = design.programme(above)
    rows = mechanism(made, design.m, design.k)
    design.region.allows(rows, below)
    least = design.sense == "minimise"
    side = bound(programme, sparse(witness["dual"], len(programme.rows)), programme.cost, 1 if least else -1)
    want(
        (side, design.value(rows)) == ((number(lower), number(upper)) if least else (number(upper), number(lower))),
        "the values",
    )


def farkas(problem, claim, witness):
    keys(claim, ["kind"])
    if isinstance(problem, dict) and "kind" in problem:
        programme = read_programme(problem)
        keys(witness, ["rule", "multipliers"])
    else:
        keys(witness, ["rule", "multipliers", "gamma", "delta"])
        region, objective, pi = keys(problem, ["region", "objective", "population"])
        if objective == {"kind": "variance"}:
            region = Region(region)
            want(
                region.kind == "differential-privacy"
                and region.least is None
                and (region.inputs, region.outputs) == (2, 2),
                "the region",
            )
            population(pi, 2)
            gamma, delta = region.brackets(witness)[1]
            rows = [({0: a, 1: b}, ">=", -c) for a, b, c in slacks(gamma[0, 1], delta)]
            rows += [({0: -1, 1: 2}, "=", 1)] if region.family == "warner" else []
            programme = Programme("minimise", [0, 0], [True, True], rows)
        else:
            design = Design(problem)
            want(design.matrix is None, "a distance has no part in infeasibility")
            programme = design.programme(design.region.brackets(witness)[1])
    multipliers = sparse(witness["multipliers"], len(programme.rows))
    want(bound(programme, multipliers, [0] * len(programme.cost), 1) > 0, "b . y > 0")


def pattern(problem, claim, witness):
    region, objective, pi = keys(problem, ["region", "objective", "population"])
    region = Region(region)
    want(isinstance(objective, dict), "the objective")
    kind = objective.get("kind")
    want(region.is_uniform and region.least is None and region.family == "all", "the region")
    want(region.delta == "0" or (region.inputs == 2 and kind in ("a-optimal", "variance")), "delta")
    k, pi = region.inputs, population(pi, region.inputs)
    _, lower, upper, made = keys(claim, ["kind", "lower", "upper", "mechanism"])
    *_, dual, patterns, primal, logarithms = keys(
        witness, ["rule", "gamma", "delta", "dual", "patterns", "primal", "logarithms"]
    )
    below, above = region.brackets(witness)
    rows = mechanism(made, None if region.outputs == "any" else region.outputs, k)
    region.allows(rows, below)
    want(above[0][0, 1] > 1 or region.delta != "0", "gamma")
    ends = number(lower), number(upper)
    if kind == "total-variation":
        want(patterns is None, "patterns")
    else:
        want(keys(patterns, ["kind"]) == ["enumeration"] and k <= 18, "patterns")
    if kind in ("total-variation", "chi-square", "mutual-information"):
        divergence(objective, pi, rows, ends, above[0][0, 1], dual, primal, logarithms)
        return
    if kind in ("d-optimal", "e-optimal"):
        ellipsoid(objective, pi, rows, ends, above[0][0, 1], dual, primal, logarithms)
        return
    want(logarithms == [] and kind is not None, "logarithms, or the objective")
    variance(region, objective, pi, rows, ends, above, dual, primal)


def merged_outputs(problem, claim, witness):
    """Three outputs: every mechanism with two of the four rows added."""
    region, objective, pi = keys(problem, ["region", "objective", "population"])
    region = Region(region)
    want(region.is_uniform and region.least is None and region.family == "all", "the region")
    want((region.inputs, region.outputs) == (2, 3) and keys(objective, ["kind"]) == ["variance"], "the problem")
    pi = population(pi, 2)
    _, lower, upper, made = keys(claim, ["kind", "lower", "upper", "mechanism"])
    keys(witness, ["rule", "gamma", "delta"])
    below, above = region.brackets(witness)
    rows = mechanism(made, 3, 2)
    region.allows(rows, below)
    gamma, delta = above[0][0, 1], above[1]
    c = (1 - delta) / (1 + gamma)
    f = [[delta, 0], [c * gamma, c], [c, c * gamma], [0, delta]]

    def information(p):
        kept = [row for row in p if any(row)]
        want(all(dot(row, pi) > 0 for row in kept), "an infinite information")
        return sum((row[1] - row[0]) ** 2 / dot(row, pi) for row in kept)

    found = []
    for i in range(4):
        for j in range(i):
            added = [x + y for x, y in zip(f[i], f[j], strict=True)]
            found.append(information([added, *(row for place, row in enumerate(f) if place not in (i, j))]))
    want(number(upper) * information(rows) >= 1, "upper")
    want(number(lower) * max(found) <= 1, "lower")


def variance(region, objective, pi, rows, ends, above, dual, primal):
    kind, k = objective["kind"], len(pi)
    slack = region.delta != "0"
    want(kind != "variance" or (k == 2 and region.outputs != 2 and len(objective) == 1), "the variance")
    times = 2 if kind == "variance" else 1  # the sum over two shares, which have one and the same
    along, square = value({"kind": "a-optimal"} if times == 2 else objective, pi, rows, primal, times * ends[1])
    if kind == "c-optimal":
        alpha, w = keys(dual, ["alpha", "vector"])
        alpha, w, x = numbers(alpha, k), [[y] for y in numbers(w, k)], [Fraction(0)] * k
    else:
        alpha, w, *costs = keys(dual, ["alpha", "matrix", "excess"] if slack else ["alpha", "matrix"])
        alpha, w, x = numbers(alpha, k), matrix(w, k, k), numbers(costs[0], k) if slack else [Fraction(0)] * k
    gamma, total = above[0][0, 1], sum(alpha) + above[1] * sum(x)
    want(total > 0 and min(x) >= 0, "alpha")
    for j in range(k if slack else 0):
        want(dot(w[j], w[j]) <= (alpha[j] + x[j]) * pi[j], "an outer ray")
    for s in product((1, gamma), repeat=k):
        want(sum(dot(s, column) ** 2 for column in zip(*w, strict=True)) <= dot(alpha, s) * dot(s, pi), "a pattern")
    reached = sum(dot(b, column) for b, column in zip(along, w, strict=True))  # row by row: along has the shape of w
    want(times * ends[0] == reached**2 / total - square, "lower")


def value(objective, pi, rows, primal, upper):
    """The directions along which W counts, in its shape, and what is taken from the variance, which has to be upper."""
    k = len(pi)
    information = [[Fraction(0)] * k for _ in range(k)]
    for row in rows:
        if any(row):
            want(dot(row, pi) > 0, "an infinite information")
            for i in range(k):
                for j in range(k):
                    information[i][j] += row[i] * row[j] / dot(row, pi)
    want(isinstance(objective, dict), "the objective")
    if objective.get("kind") == "c-optimal":
        contrast = numbers(keys(objective, ["kind", "contrast"])[1], k)
        want(any(contrast), "a contrast of nothing")
        z = numbers(keys(primal, ["solution"])[0], k)
        want([dot(row, z) for row in information] == contrast, "the solution")
        want(upper == dot(contrast, z) - dot(contrast, pi) ** 2, "upper")
        return [[c] for c in contrast], dot(contrast, pi) ** 2
    want(keys(objective, ["kind"]) == ["a-optimal"], "the objective")
    inverse, unit = matrix(keys(primal, ["inverse"])[0], k, k), [[int(i == j) for j in range(k)] for i in range(k)]
    want([[dot(row, column) for column in zip(*inverse, strict=True)] for row in information] == unit, "the inverse")
    want(upper == sum(inverse[j][j] for j in range(k)) - dot(pi, pi), "upper")
    return unit, dot(pi, pi)


def ellipsoid(objective, pi, rows, ends, gamma, dual, primal, logarithms):
    """Signs of eigenvalues by Newton's identities; M as it is, not rounded: sharper, and never beyond the truth."""
    kind, k = keys(objective, ["kind"])[0], len(pi)
    alpha, w = keys(dual, ["alpha", "matrix"])
    alpha, w = numbers(alpha, k), matrix(w, k, k)
    rounded = keys(primal, ["rounded"])[0]
    want(rounded is None or 1 <= integer(rounded) <= 300, "rounded")
    want(all(w[i][j] == w[j][i] for i in range(k) for j in range(k)), "W is symmetric")
    want(sum(alpha) > 0, "alpha")
    for s in product((1, gamma), repeat=k):
        want(dot(s, [dot(row, s) for row in w]) <= dot(alpha, s) * dot(s, pi), "a pattern")
    m = [[sum(row[i] * row[j] / dot(row, pi) for row in rows if any(row)) for j in range(k)] for i in range(k)]
    if kind == "d-optimal":
        digits = integer(keys(logarithms, ["digits"])[0])
        want(1 <= digits <= 300, "digits")
        iv.dps = digits + 30
        dets = [determinant(m), determinant(w)]
        want(all(determinant([row[:n] for row in w[:n]]) > 0 for n in range(1, k + 1)), "W is positive definite")
        want(dets[0] > 0, "M is regular")
        over = (sum(alpha) / k) ** k / dets[1]
        below, above = (iv.log(iv.mpf(x.numerator) / x.denominator) for x in (dets[0], over))
        want(below >= iv.mpf(ends[0].numerator) / ends[0].denominator, "lower")
        want(above <= iv.mpf(ends[1].numerator) / ends[1].denominator, "upper")
        return
    want(logarithms == [], "logarithms")
    want(not any(sum(row) for row in w), "W 1 = 0")
    want(semidefinite(w), "W is positive semidefinite")
    want(ends[0] <= sum(w[i][i] for i in range(k)) / sum(alpha), "lower")
    want(ends[1] > 0, "upper")
    c = [[Fraction(int(i == j)) - Fraction(1, k) for j in range(k)] for i in range(k)]
    inner = [[ends[1] * x - int(i == j) for j, x in enumerate(row)] for i, row in enumerate(m)]
    half = [[dot(row, column) for column in zip(*inner, strict=True)] for row in c]
    want(semidefinite([[dot(row, column) for column in zip(*c, strict=True)] for row in half]), "upper")


def determinant(rows):
    """By expansion along the first row after one pivot: no Bareiss."""
    left, value = [list(row) for row in rows], Fraction(1)
    while left:
        pivot = next((i for i, row in enumerate(left) if row[0]), None)
        if pivot is None:
            return Fraction(0)
        head = left.pop(pivot)
        value *= head[0] * (-1) ** pivot
        left = [[x - row[0] / Fraction(head[0]) * y for x, y in zip(row[1:], head[1:], strict=True)] for row in left]
    return value


def semidefinite(rows):
    """Whether the signs of the characteristic polynomial alternate: the sums of principal minors are not negative."""
    k, power, sums, c = len(rows), [list(row) for row in rows], [], []
    for _ in range(k):
        sums.append(sum(power[i][i] for i in range(k)))
        power = [[dot(row, column) for column in zip(*rows, strict=True)] for row in power]
    for n in range(1, k + 1):  # Newton's identities, e_n of the eigenvalues
        c.append(sum((-1) ** i * ([Fraction(1), *c][n - 1 - i]) * sums[i] for i in range(n)) / Fraction(n))
    return min(c) >= 0


def divergence(objective, pi, rows, ends, gamma, dual, primal, logarithms):
    kind, k = objective["kind"], len(pi)
    alpha = numbers(keys(dual, ["alpha"])[0], k)
    keys(primal, [])
    want(ends[1] == sum(alpha), "upper")
    if kind == "mutual-information":
        keys(objective, ["kind"])
        digits = integer(keys(logarithms, ["digits"])[0])
        want(1 <= digits <= 300, "digits")
        information(pi, rows, ends[0], gamma, alpha, digits)
        return
    want(logarithms == [], "logarithms")
    q = population(keys(objective, ["kind", "against"])[1], k)
    apart = [x - y for x, y in zip(pi, q, strict=True)]
    rows = [row for row in rows if any(row)]
    if kind == "total-variation":
        want(ends[0] == sum(abs(dot(row, apart)) for row in rows) / 2, "lower")
        for sign in (1, -1):
            slack = [a - sign * v / 2 for a, v in zip(alpha, apart, strict=True)]
            want(sum(min(d, gamma * d) for d in slack) >= 0, "a pattern")
        return
    want(ends[0] == sum(dot(row, apart) ** 2 / dot(row, q) for row in rows), "lower")
    for s in product((1, gamma), repeat=k):
        want(dot(s, apart) ** 2 <= dot(alpha, s) * dot(s, q), "a pattern")


def information(pi, rows, lower, gamma, alpha, digits):
    """Binary intervals of many more digits than those of the file: sharper, and never beyond the truth."""
    iv.dps = digits + 30

    def real(x):
        return iv.mpf(x.numerator) / x.denominator

    def entropy(share, x):
        return real(share * x) * iv.log(real(x)) if share * x else iv.mpf(0)

    told = iv.mpf(0)
    for row in rows:
        mean = dot(row, pi)
        for share, x in zip(pi, row, strict=True):
            told += entropy(share * mean, x / mean) if share * x else 0
    want(lower <= 0 or told >= real(lower), "lower")
    for s in product((Fraction(1), gamma), repeat=len(pi)):
        mean = dot(s, pi)
        if mean in (1, gamma):  # all shares at one value: the logarithms cancel
            want(dot(alpha, s) >= 0, "a pattern")
            continue
        slack = (
            real(dot(alpha, s))
            - sum((entropy(share, x) for share, x in zip(pi, s, strict=True)), iv.mpf(0))
            + entropy(Fraction(1), mean)
        )
        want(slack >= 0, "a pattern")
