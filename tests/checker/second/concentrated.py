"""Rule 29, from its page, with intervals of mpmath."""

from fractions import Fraction
from itertools import pairwise, permutations

from mpmath import iv

from .reading import array, gamma_bracket, integer, keys, level, mechanism, number, want


def renyi(problem, claim, witness):
    _, subject, order = keys(problem, ["kind", "mechanism", "order"])
    below, above, (digits,) = laws(subject, witness, ["digits"])
    a = number(order)
    want(a >= 1, "the order")
    precision(digits)
    ends = bounds(claim, above)
    if ends is None:
        return
    want(a <= 10**6, "too large an order for this checker")
    want(ends[0] <= 0 or any((Pair(each).divergence(a) - real(ends[0])).a >= 0 for each in below), "lower")
    want(ends[1] >= 0 and all((real(ends[1]) - Pair(each).divergence(a)).a >= 0 for each in above), "upper")


def zcdp(problem, claim, witness):
    _, subject = keys(problem, ["kind", "mechanism"])
    below, above, (lists, digits) = laws(subject, witness, ["orders", "digits"])
    precision(digits)
    ends = bounds(claim, above)
    if ends is None:
        array(lists, 0)
        return
    orders = [[Fraction(1), *map(number, array(each))] for each in array(lists, len(above))]
    want(all(a < b for each in orders for a, b in pairwise(each)), "the orders")
    want(all(each[-1] <= 10**8 for each in orders), "too large an order for this checker")
    least, most = ends
    proves = (
        (Pair(each).divergence(a) / real(a) - real(least)).a >= 0
        for each, own in zip(below, orders, strict=False)
        for a in own
    )
    want(least <= 0 or any(proves), "lower")
    want(most >= 0, "upper")
    for each, own in zip(above, orders, strict=True):
        pair = Pair(each)
        want((real(most * own[-1]) - pair.losses[-1]).a >= 0, "the tail")
        for a, b in pairwise(own):
            want(pair.passes(most, a, b - a, 1) or pair.passes(most, b, b - a, -1), "a cell")


def precision(digits):
    want(1 <= integer(digits) <= 300, "digits")
    iv.dps = integer(digits) + 30


def bounds(claim, pairs):
    _, lower, upper = keys(claim, ["kind", "lower", "upper"])
    if pairs is None:
        want(lower == upper == "infinite", "the divergence is infinite")
        return None
    return number(lower), number(upper)


def laws(subject, witness, names):
    """Pairs of laws below and above, as lists of (p, q) by odds; None where a divergence is infinite."""
    want(isinstance(subject, dict), "a mechanism")
    if "kind" not in subject:
        _, *rest = keys(witness, ["rule", *names])
        columns = list(zip(*mechanism(subject), strict=True))
        found = pairs_of(permutations(columns, 2))
        return found, found, rest
    kind, local, categories = keys(subject, ["kind", "local", "categories"])
    want(kind == "kary", "a mechanism of another kind")
    _, own, *rest = keys(witness, ["rule", "local", *names])
    k = number(categories)
    want(2 <= k <= 10**12, "categories")
    below, above = (
        pairs_of([([x / (g + k - 1) for x in (g, 1, k - 2)], [x / (g + k - 1) for x in (1, g, k - 2)])])
        for g in gamma_bracket(own, level(local))
    )
    return below, above, rest


def pairs_of(listed):
    found = []
    for one, other in listed:
        atoms = {}
        for p, q in zip(one, other, strict=True):
            if p and not q:
                return None
            if p:
                before = atoms.get(p / q, (0, 0))
                atoms[p / q] = before[0] + p, before[1] + q
        made = [atoms[odds] for odds in sorted(atoms)]
        if len(made) > 1 and made not in found:
            found.append(made)
    return found


def real(x):
    x = Fraction(x)
    return iv.mpf(x.numerator) / x.denominator


class Pair:
    def __init__(self, atoms):
        self.masses = [real(p) for p, _ in atoms]
        self.losses = [iv.log(real(Fraction(p) / q)) for p, q in atoms]
        self.range = self.losses[-1] - self.losses[0]

    def cumulants(self, a):
        weights = [p * iv.exp(real(a - 1) * x) for p, x in zip(self.masses, self.losses, strict=True)]
        total = sum(weights) if a != 1 else iv.mpf(1)
        mean = sum(w * x for w, x in zip(weights, self.losses, strict=True)) / total
        moments = [sum(w * (x - mean) ** n for w, x in zip(weights, self.losses, strict=True)) / total for n in (2, 3)]
        return iv.log(total), mean, *moments

    def divergence(self, a):
        psi, mean, *_ = self.cumulants(a)
        return mean if a == 1 else psi / real(a - 1)

    def passes(self, upper, c, w, s):
        psi, psi1, psi2, psi3 = self.cumulants(c)
        upper, order, w = real(upper), real(c), real(w)
        grown, most = psi2 * iv.exp(self.range * w), self.range**2 / 4
        v = grown if grown.b <= most.b else most
        c0 = upper * order * (order - 1) - psi if c != 1 else iv.mpf(0)
        c1 = s * (upper * (2 * order - 1) - psi1)
        c2 = upper - psi2 / 2
        c3 = -s * psi3 / 6 - self.range**2 * v * w / 24
        ends = c0, c0 + c1 * w / 3, c0 + 2 * c1 * w / 3 + c2 * w**2 / 3, c0 + c1 * w + c2 * w**2 + c3 * w**3
        return all(end.a >= 0 for end in ends)
