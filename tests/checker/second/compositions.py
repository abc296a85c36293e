"""Rule 26, from its page: the sum over all counts of yes, with rationals throughout."""

from fractions import Fraction
from math import comb

from .reading import array, gamma_bracket, integer, keys, level, number, want


def composition(problem, claim, witness):
    _, items, epsilon = keys(problem, ["kind", "items", "epsilon"])
    _, lower, upper = keys(claim, ["kind", "lower", "upper"])
    _, levels, gamma = keys(witness, ["rule", "levels", "gamma"])
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
    want(number(lower) <= 1 - kept * (1 - slack(ends[0], high)), "lower")
    want(number(upper) >= 1 - kept * (1 - slack(ends[1], low)), "upper")


def slack(counts, gamma):
    """The sum of (P - gamma Q)^+ over the counts of yes of every parity."""
    cells = [(Fraction(1), Fraction(1))]
    for g, n in counts.items():
        if g == 1:  # P = Q: such answers change nothing
            continue
        own = [(comb(n, j) * g**j / (1 + g) ** n, comb(n, j) * g ** (n - j) / (1 + g) ** n) for j in range(n + 1)]
        cells = [(p * x, q * y) for p, q in cells for x, y in own]
    return sum((p - gamma * q for p, q in cells if p > gamma * q), Fraction(0))
