"""Design problems: regions, rule 2 (vertices) and rule 19 (an interval of prevalences)."""

from fractions import Fraction
from itertools import combinations, permutations

from .covers import infimum
from .reading import (
    RefusedError,
    array,
    delta_bracket,
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


class Region:
    """Of one file: the problem's conditions on a mechanism at either end of its brackets."""

    def __init__(self, value):
        want(isinstance(value, dict), "a region")
        self.kind = value.get("kind")
        self.least = self.most = None
        if self.kind == "bounded":
            _, inner, least, most = keys(value, ["kind", "region", "least", "most"])
            want(isinstance(inner, dict) and inner.get("kind") != "bounded", "bounds of bounds")
            self.__init__(inner)
            want(isinstance(self.outputs, int), "bounds need a number of outputs")
            self.least, self.most = (matrix(part, self.outputs, self.inputs) for part in (least, most))
            return
        self.family = "all"
        if self.kind == "differential-privacy":
            _, inputs, outputs, epsilon, self.delta, self.family = keys(
                value, ["kind", "inputs", "outputs", "epsilon", "delta", "family"]
            )
            self.levels = level(epsilon)
            want(self.family in ("all", "warner"), "family")
        elif self.kind == "pairwise-privacy":
            _, inputs, outputs, levels = keys(value, ["kind", "inputs", "outputs", "levels"])
            self.delta = "0"
        elif self.kind == "criterion":
            _, inputs, outputs, *self.functions = keys(value, ["kind", "inputs", "outputs", "up", "down"])
            self.delta = "0"
        else:
            raise RefusedError("an unknown region")
        self.inputs = integer(inputs)
        self.outputs = "any" if outputs == "any" else integer(outputs)
        want(self.inputs >= 2 and (self.outputs == "any" or self.outputs >= 2), "sizes")
        if self.family == "warner":
            want((self.inputs, self.outputs) == (2, 2), "warner has two inputs and outputs")
        if self.kind == "pairwise-privacy":
            rows = [array(row, self.inputs) for row in array(levels, self.inputs)]
            want(all(rows[j][j] is None for j in range(self.inputs)), "the diagonal of the levels")
            self.levels = [[None if one is None else level(one) for one in row] for row in rows]

    def brackets(self, witness):
        """Below and above: each ``(gamma, delta)``, gamma a function of the ordered pair."""
        low, high = delta_bracket(witness["delta"], self.delta)
        if self.kind == "pairwise-privacy":
            rows = [array(row, self.inputs) for row in array(witness["gamma"], self.inputs)]
            ends = {}
            for j, row in enumerate(rows):
                for i, one in enumerate(row):
                    want((one is None) == (self.levels[j][i] is None), "a bracket for each level")
                    if one is not None:
                        ends[j, i] = gamma_bracket(one, self.levels[j][i])
            return [({pair: both[end] for pair, both in ends.items()}, d) for end, d in ((0, low), (1, high))]
        both = (
            gamma_bracket(witness["gamma"], self.levels) if self.kind != "criterion" else self.proved(witness["gamma"])
        )
        pairs = list(permutations(range(self.inputs), 2))
        return [(dict.fromkeys(pairs, both[end]), d) for end, d in ((0, low), (1, high))]

    @property
    def is_uniform(self):
        return self.kind != "pairwise-privacy"

    def proved(self, value):
        """A bracket of the B of a criterion."""
        below, above, proof = keys(value, ["below", "above", "infimum"])
        claim, witness = keys(proof, ["claim", "witness"])
        want(isinstance(claim, dict) and claim.get("kind") == "infimum", "the claim of rule 12")
        want(isinstance(witness, dict) and witness.get("rule") == "cover", "the witness of rule 12")
        up, down = self.functions
        lower, upper = infimum({"kind": "criterion", "up": up, "down": down}, claim, witness)
        below, above = number(below), number(above)
        want(lower is not None and 1 <= below <= lower and upper <= above, "the bracket of B")
        return below, above

    def allows(self, rows, below):
        gamma, delta = below
        want(self.outputs in ("any", len(rows)) and len(rows[0]) == self.inputs, "the shape of the mechanism")
        for (j, i), g in gamma.items():
            want(sum(max(Fraction(0), row[j] - g * row[i]) for row in rows) <= delta, "the mechanism is not private")
        if self.family == "warner":
            want(rows[0][0] == rows[1][1], "the mechanism is not Warner's")
        for i, row in enumerate(rows if self.least else []):
            for j, p in enumerate(row):
                want(self.least[i][j] <= p <= self.most[i][j], "the mechanism is out of its bounds")


LABELS = ["p00<=1", "p11<=1", "p00>=0", "p11>=0", "yes-ratio", "no-ratio", "no-ratio-reversed", "yes-ratio-reversed"]
MIRROR = dict(zip(LABELS, [LABELS[i] for i in (1, 0, 3, 2, 5, 4, 7, 6)], strict=True))


def slacks(gamma, delta):
    """Of the eight rows: (coefficient of u, of x, constant)."""
    return [
        (1, -1, 0),
        (0, 1, -1),
        (0, 1, 0),
        (1, -1, 1),
        (gamma + delta - 1, 1 - gamma, -1),
        (delta, gamma - 1, -gamma),
        (delta, gamma - 1, 1),
        (gamma + delta - 1, 1 - gamma, gamma),
    ]


def vertices(gamma, delta, family):
    """``{(p00, p11): labels that are tight}``."""
    rows = slacks(Fraction(gamma), Fraction(delta))
    pairs = [(row, (-1, 2, -1)) for row in rows] if family == "warner" else combinations(rows, 2)
    found = {}
    for (a, b, c), (d, e, f) in pairs:
        det = a * e - b * d
        if det:
            u, x = Fraction(b * f - c * e) / det, Fraction(c * d - a * f) / det
            values = [p * u + q * x + r for p, q, r in rows]
            if min(values) >= 0 and u > 0:
                found[x / u, (1 + u - x) / u] = [
                    label for label, value in zip(LABELS, values, strict=True) if value == 0
                ]
    return dict(sorted(found.items()))


def n_var(point, pi):
    p00, p11 = point
    u = 1 / (p00 + p11 - 1)
    x = p00 * u
    return (u - x + pi) * (x - pi)


def binary(point):
    return [[point[0], 1 - point[1]], [1 - point[0], point[1]]]


def binary_problem(problem):
    region, objective, prevalences = keys(problem, ["region", "objective", "population"])
    region = Region(region)
    want(keys(objective, ["kind"]) == ["variance"], "the objective")
    want(region.is_uniform and region.least is None and (region.inputs, region.outputs) == (2, 2), "the region")
    return region, prevalences


def vertex(problem, claim, witness):
    region, prevalences = binary_problem(problem)
    pi = population(prevalences, 2)[1]
    _, lower, upper, best, optima, optimal_set = keys(
        claim, ["kind", "lower", "upper", "mechanism", "optima", "optimal_set"]
    )
    listed = keys(witness, ["rule", "gamma", "delta", "vertices"])[3]
    (gamma, delta), (gamma2, delta2) = region.brackets(witness)
    gamma, gamma2 = gamma[0, 1], gamma2[0, 1]
    below, above = vertices(gamma, delta, region.family), vertices(gamma2, delta2, region.family)
    want(above, "there is no vertex")
    want(len(array(listed)) == len(above), "the list of vertices")
    for one, (point, tight) in zip(listed, above.items(), strict=True):
        labels, at = keys(one, ["tight", "at_above"])
        want(labels == tight and numbers(at, 2) == list(point), "a vertex of the list")
    low = {tuple(tight): point for point, tight in below.items()}
    high = {tuple(tight): point for point, tight in above.items()}
    want(set(low) == set(high), "other tight sets below")
    least = min(n_var(point, pi) for point in below)
    want(number(lower) == min(n_var(point, pi) for point in above), "lower")
    chosen = [tight for tight in high if n_var(high[tight], pi) <= least]
    want(
        [mechanism(one, 2, 2) for one in array(optima)] == [binary(p) for p in sorted(low[t] for t in chosen)], "optima"
    )
    if len(chosen) > 1 and (gamma, delta) != (gamma2, delta2):
        mirrored = (
            len(chosen) == 2 and pi == Fraction(1, 2) and {MIRROR[label] for label in chosen[0]} == set(chosen[1])
        )
        want(mirrored or all(n_var(low[t], pi) == n_var(high[t], pi) for t in chosen), "undecided")
    rows = mechanism(best, 2, 2)
    want(rows in [binary(low[t]) for t in chosen], "the mechanism is none of the optima")
    want(n_var((rows[0][0], rows[1][1]), pi) == number(upper), "upper")
    if number(upper) == 0 and pi in (0, 1) and delta > 0 and region.family == "all":
        after, through = keys(optimal_set, ["after", "through"])
        want(numbers(after) == [1 - pi, pi], "the segment")
        want(numbers(through) == ([1, delta] if pi == 0 else [delta, 1]), "the segment")
    else:
        want(optimal_set is None, "a segment")


def interval(problem, claim, witness):
    region, prevalences = binary_problem(problem)
    (ends,) = keys(prevalences, ["vertices"])
    start, end = (population(one, 2)[1] for one in array(ends, 2))
    want(start <= end, "the interval")
    kind, lower, upper, best = keys(claim, ["kind", "lower", "upper", "mechanism"])
    keys(witness, ["rule", "gamma", "delta"])
    below, above = region.brackets(witness)
    rows = mechanism(best, 2, 2)
    region.allows(rows, below)
    mine = rows[0][0], rows[1][1]
    want(sum(mine) > 1, "p00 + p11 > 1")
    own = vertices(below[0][0, 1], below[1], region.family)
    other = vertices(above[0][0, 1], above[1], region.family)
    want(own, "no vertex below")

    def coordinates(point):
        u = 1 / (sum(point) - 1)
        return (1 - point[0]) * u, (1 - point[1]) * u

    def value(rs, pi):
        return (rs[0] + pi) * (rs[1] + 1 - pi)

    def worst(rs):
        return value(rs, min(max((rs[1] + 1 - rs[0]) / 2, start), end))

    corners = [coordinates(point) for point in other]
    if kind == "minimax-design":
        want(number(lower) == min(map(worst, corners)) and number(upper) == worst(coordinates(mine)), "the ends")
        return
    want(kind == "least-regret-design", "the claim")
    a = [min(value(coordinates(point), pi) for point in own) for pi in (start, end)]
    b = [min(value(rs, pi) for rs in corners) for pi in (start, end)]

    def regret(rs, least):
        return max(value(rs, pi) - v for pi, v in zip((start, end), least, strict=True))

    want(number(upper) == regret(coordinates(mine), b), "upper")
    if region.family == "all" and start < end:
        kappa = ((a[0] - start * (1 - start)) - (a[1] - end * (1 - end))) / (end - start)
        g, d = above[0][0, 1], above[1]
        # the least s >= max(0, -kappa) with both rows met at (s + kappa, s)
        s = max(
            Fraction(0), -kappa, (1 - d - (g - 1 + d) * kappa) / (g - 1 + 2 * d), (1 - d - d * kappa) / (g - 1 + 2 * d)
        )
        corners.append((s + kappa, s))
    want(number(lower) == max(Fraction(0), min(regret(rs, a) for rs in corners)), "lower")
