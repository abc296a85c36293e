"""Rules 26, 27 and 38, from their pages: sums over all counts of yes, over all steps, and over frequencies."""

from fractions import Fraction
from math import comb

from mpmath import mp

from .reading import array, gamma_bracket, integer, keys, level, number, want


def composition(problem, claim, witness):
    _, levels, gamma = keys(witness, ["rule", "levels", "gamma"])
    decide(problem, claim, levels, gamma, slack, slack)


def composition_lattice(problem, claim, witness):
    _, levels, gamma, ratio, bits = keys(witness, ["rule", "levels", "gamma", "ratio", "bits"])
    r = number(ratio)
    want(r > 1 and 1 <= integer(bits) <= 4096, "the ratio or bits")
    decide(problem, claim, levels, gamma, lambda counts, g: event(counts, g, r), lambda counts, g: split(counts, g, r))


def decide(problem, claim, levels, gamma, least, most):
    _, items, epsilon = keys(problem, ["kind", "items", "epsilon"])
    _, lower, upper = keys(claim, ["kind", "lower", "upper"])
    want(len(array(items)) <= 4096, "the items")
    low, high = gamma_bracket(gamma, level(epsilon), 1000)
    ends, kept = ({}, {}), Fraction(1)
    for item, written in zip(items, array(levels, len(items)), strict=True):
        own, delta, count = keys(item, ["epsilon", "delta", "count"])
        bracket, share, n = gamma_bracket(written, level(own)), number(delta), integer(count)
        want(1 <= n < 2**14 and 0 <= share <= 1, "a count or a delta")
        kept *= (1 - share) ** n
        for side, parity in zip(ends, bracket, strict=True):
            side[parity] = side.get(parity, 0) + n
    want(number(lower) <= 1 - kept * (1 - least(ends[0], high)), "lower")
    want(number(upper) >= 1 - kept * (1 - most(ends[1], low)), "upper")


def slack(counts, gamma):
    """The sum of (P - gamma Q)^+ over the counts of yes of every parity."""
    cells = [(Fraction(1), Fraction(1))]
    for g, n in counts.items():
        if g == 1:  # P = Q: such answers change nothing
            continue
        own = [(comb(n, j) * g**j / (1 + g) ** n, comb(n, j) * g ** (n - j) / (1 + g) ** n) for j in range(n + 1)]
        cells = [(p * x, q * y) for p, q in cells for x, y in own]
    return sum((p - gamma * q for p, q in cells if p > gamma * q), Fraction(0))


MOST = 2**20  # points of a lattice, and terms of a law


def steps(g, r):
    """The largest l with r^l <= g^2, and r^l."""
    place, power = 0, Fraction(1)
    while power * r <= g * g:
        place, power = place + 1, power * r
        want(place <= MOST, "points of the lattice")
    return place, power


def law(answers):
    """The law of a sum of independent whole numbers, each with its count of copies."""
    found = {0: Fraction(1)}
    for own, n in answers:
        for _ in range(n):
            new = {}
            for s, p in found.items():
                for t, q in own:
                    new[s + t] = new.get(s + t, 0) + p * q
            found = new
            want(len(found) <= MOST, "terms")
    return found


def event(counts, gamma, r):
    """P(T < tau) - gamma Q(T < tau), at least 0."""
    first, second, odds = [], [], Fraction(1)
    for g, n in counts.items():
        if g > 1:
            place, power = steps(g, r)
            step = place + 1 if power * power * r < g**4 else place
            first.append((((0, g / (1 + g)), (step, 1 / (1 + g))), n))
            second.append((((0, 1 / (1 + g)), (step, g / (1 + g))), n))
            odds *= g**n
    p, q = law(first), law(second)
    held, other, power = Fraction(0), Fraction(0), Fraction(1)
    for s in range(max(p) + 1):
        if gamma * power >= odds:
            break
        held, other, power = held + p.get(s, 0), other + q.get(s, 0), power * r
    return max(held - gamma * other, Fraction(0))


def split(counts, gamma, r):
    """The sum of U(s) max(0, 1 - gamma r^s/G)."""
    answers, odds = [], Fraction(1)
    for g, n in counts.items():
        if g > 1:
            place, power = steps(g, r)
            y = (g * g - power) / (power * r - power) / (1 + g)
            answers.append((((0, g / (1 + g)), (place, 1 / (1 + g) - y), (place + 1, y)), n))
            odds *= g**n
    return sum((p * max(Fraction(0), 1 - gamma * r**s / odds) for s, p in law(answers).items()), Fraction(0))


def composition_fourier(problem, claim, witness):
    _, levels, gamma, variance, frequencies = keys(witness, ["rule", "levels", "gamma", "variance", "frequencies"])
    spacing, nodes, stride, intervals = keys(frequencies, ["spacing", "nodes", "stride", "intervals"])
    h, s, (big_k, m, big_j) = number(variance), number(spacing), map(integer, (nodes, stride, intervals))
    want(0 < h <= 1 and 0 < s <= 1, "the variance or the spacing")
    want(1 <= big_k <= 2**20 and 1 <= m <= 2**20 and 0 <= big_j <= 2**20, "a count of frequencies")
    want((big_k + big_j) * len(array(levels)) <= 2**18, "too many frequencies for this checker")

    def bound(sign):
        def bounded(counts, g):
            with mp.workdps(50):
                return Loss(counts, g, h, s).bound(big_k, m, big_j, sign)

        return bounded

    decide(problem, claim, levels, gamma, bound(-1), bound(1))


class Loss:
    """The answers of rule 38 with a noise: floating-point numbers of 50 digits, of which 30 are granted to rounding."""

    def __init__(self, counts, gamma, h, s):
        self.h, self.s, self.y = real(h), real(s), mp.log(real(gamma))
        self.answers = [(mp.log(real(g)), real((g - 1) / (g + 1)), n) for g, n in counts.items() if g > 1]

    def bound(self, big_k, m, big_j, sign):
        h, s = self.h, self.s
        mean = sum((n * eps * tau for eps, tau, n in self.answers), h / 2 - self.y)
        room = mp.pi / s - abs(mean)
        want(room > 0, "half a period")
        tail = 2 * mp.exp(-room * room / (2 * sum((n * eps * eps for eps, _, n in self.answers), h)))
        found = mp.mpf(1) / 2 + sum(self.term((k + mp.mpf(1) / 2) * s, sign) for k in range(big_k)) * s / mp.pi
        end = (big_k + big_j * m) * s
        rest = mp.exp(-mp.pi / s) + tail * (1 if sign > 0 else 2) + mp.exp(-h * end**2 / 2) / (mp.pi * end)
        for j in range(big_j):
            a = (big_k + j * m) * s
            rest += self.largest(a, m * s) * m * s * (1 / a**2 + h) * mp.exp(-h * a**2 / 2) / mp.pi
        found += sign * (rest + mp.mpf(10) ** -30)
        return Fraction(int(mp.floor(found * mp.mpf(10) ** 45)), 10**45) if 0 < found < 1 else Fraction(int(found > 0))

    def term(self, t, sign):
        phi = mp.exp(-self.h * t * t / 2)
        for eps, tau, n in self.answers:
            phi *= (mp.cos(eps * t) + 1j * tau * mp.sin(eps * t)) ** n
        near = mp.exp(-1j * t * (self.y - self.h / 2))
        if sign > 0:
            return (phi * near / (1j * t * (1 + 1j * t))).real
        return (phi * (mp.exp(-1j * t * (self.y + self.h / 2)) / (1j * t) - near / (1 + 1j * t))).real

    def largest(self, a, width):
        found = mp.mpf(1)
        for eps, tau, n in self.answers:
            sine = max(abs(mp.sin(eps * (a + width / 2))) - eps * width / 2, 0)
            found *= (1 - (1 - tau**2) * sine**2) ** (mp.mpf(n) / 2)
        return found


def real(x):
    return mp.mpf(x.numerator) / x.denominator
