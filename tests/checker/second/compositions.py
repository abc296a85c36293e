"""Rules 26 and 27, from their pages: sums over all counts of yes, and over all steps, with rationals throughout."""

from fractions import Fraction
from math import comb

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
    low, high = gamma_bracket(gamma, level(epsilon))
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
