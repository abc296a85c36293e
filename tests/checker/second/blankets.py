"""Rule 33, from its page: the laws of the numbers of types, written out with rationals."""

from collections import defaultdict
from fractions import Fraction
from itertools import pairwise

from .reading import array, gamma_bracket, integer, keys, level, number, want

MOST = 40  # respondents that this checker writes out


def blanket(problem, claim, witness):
    _, respondents, device, epsilon = keys(problem, ["kind", "respondents", "mechanism", "epsilon"])
    _, lower, upper = keys(claim, ["kind", "lower", "upper"])
    want(isinstance(device, dict), "the mechanism")
    own = [] if device.get("kind") == "binary" else ["local"]
    _, *local, gamma, listed, bits = keys(witness, ["rule", *own, "gamma", "cuts", "bits"])
    n, least = integer(respondents), gamma_bracket(gamma, level(epsilon))[0]
    cuts = [integer(cut) for cut in array(listed)]
    want(1 <= n <= 10**7 and 1 <= integer(bits) <= 4096, "a number out of its range")
    want(all(0 <= cut <= n - 1 for cut in cuts) and len(cuts) <= 4096, "a cut out of its range")
    want(all(x < y for x, y in pairwise(cuts)), "the cuts do not increase")
    want(number(lower) <= 0, "lower")
    for beta, a, b, w in blankets(device, local):
        want(number(upper) >= bound(n, beta, a, b, w, least, cuts), "upper")


def blankets(device, local):
    if device.get("kind") == "binary":
        _, zero, one = keys(device, ["kind", "zero", "one"])
        z, o = number(zero), number(one)
        want(0 < z < 1 and 0 < o < 1, "a chance is not between 0 and 1")
        beta = 1 - abs(z - o)
        w = [min(z, o) / beta, (1 - max(z, o)) / beta]
        return [(beta, [z, 1 - z], [o, 1 - o], w), (beta, [o, 1 - o], [z, 1 - z], w)]
    if device.get("kind") == "kary":
        _, at, categories = keys(device, ["kind", "local", "categories"])
        k = integer(categories)
        want(2 <= k <= 10**12, "categories")
        g = gamma_bracket(local[0], level(at))[1]
        s = g + k - 1
        return [
            (k / s, [g / s, 1 / s, (k - 2) / s], [1 / s, g / s, (k - 2) / s], [Fraction(x, k) for x in (1, 1, k - 2)])
        ]
    kind, at = keys(device, ["kind", "local"])
    want(kind == "any", "the kind of the mechanism")
    g = gamma_bracket(local[0], level(at))[1]
    half = Fraction(1, 2)
    return [(1 / g, [g / (g + 1), 1 / (g + 1)], [1 / (g + 1), g / (g + 1)], [half, half])]


def bound(n, beta, a, b, w, gamma, cuts):
    if not cuts:
        return Fraction(1)
    if a == b and cuts[0] == 0:  # nothing depends on the input: H is 0
        return Fraction(0)
    want(n <= MOST, "too many respondents for this checker")
    law = {0: Fraction(1)}
    for _ in range(n - 1):
        law = plus(law, [(0, 1 - beta), (1, beta)], lambda x, y: x + y)
    total = sum((p for m, p in law.items() if m < cuts[0]), Fraction(0))
    for first, after in zip(cuts, [*cuts[1:], n], strict=True):
        mass = sum((p for m, p in law.items() if first <= m < after), Fraction(0))
        total += mass * slack(first, a, b, w, gamma)
    return total


def slack(m, a, b, w, gamma):
    """H(m)."""
    units = [tuple(int(i == t) for i in range(len(w))) for t in range(len(w))]

    def add(x, y):
        return tuple(i + j for i, j in zip(x, y, strict=True))

    law = {(0,) * len(w): Fraction(1)}
    for _ in range(m):
        law = plus(law, zip(units, w, strict=True), add)
    p, q = (plus(law, zip(units, one, strict=True), add) for one in (a, b))
    return sum((max(chance - gamma * q.get(types, 0), Fraction(0)) for types, chance in p.items()), Fraction(0))


def plus(law, report, add):
    """The law of a sum with one more report."""
    found, report = defaultdict(Fraction), list(report)
    for x, p in law.items():
        for y, q in report:
            found[add(x, y)] += p * q
    return dict(found)
