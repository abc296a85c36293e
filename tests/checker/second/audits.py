"""Rules 36 and 37: levels refuted by samples, from their page alone; tails and powers in exact integers."""

from fractions import Fraction
from math import comb

from .reading import integer, keys, number, want

MOST = 10**15
EXACT = 20_000  # trials up to which a tail is summed term by term; beyond it this checker does not judge


def chance(value):
    x = number(value)
    want(0 <= x <= 1 and all(len(part) <= 400 for part in value.split("/")), "a number from 0 to 1")
    return x


def count(value, low=0, high=MOST):
    n = integer(value)
    want(low <= n <= high, f"an integer from {low} to {high}")
    return n


def refuted(claim):
    _, gamma, alpha, tests = keys(claim, ["kind", "gamma", "alpha", "tests"])
    g, a, t = number(gamma), chance(alpha), count(tests, 1, 10**6)
    want(all(len(part) <= 400 for part in gamma.split("/")), "a short gamma")
    want(g >= 1 and 0 < a < 1, "gamma at least 1, alpha between 0 and 1")
    return g, a / t


def tail(n, p, values):
    """The chance that Bin(n, p) is among the values."""
    if p in (0, 1):
        return Fraction(int((n if p else 0) in values))
    want(n <= EXACT, "too many samples for this checker")
    x, y = p.numerator, p.denominator - p.numerator
    total = sum(comb(n, j) * x**j * y ** (n - j) for j in values)
    return Fraction(total, p.denominator**n)


def binomial_tails(problem, claim, witness):
    _, *texts, delta = keys(problem, ["kind", "n1", "hits1", "n2", "hits2", "delta"])
    n, a, m, b = map(count, texts)
    d, (g, alpha) = chance(delta), refuted(claim)
    _, first, second, bits = keys(witness, ["rule", "p", "q", "bits"])
    p, q = chance(first), chance(second)
    count(bits, 1, 4096)
    want(a <= n and b <= m, "1: more hits than samples")
    want(p >= g * q + d, "2: p is below gamma q + delta")
    want(tail(n, p, range(a, n + 1)) <= alpha / 2, "3: the tail of the first input")
    want(tail(m, q, range(b + 1)) <= alpha / 2, "4: the tail of the second input")


def e_value(problem, claim, witness):
    _, *texts, delta = keys(problem, ["kind", "both", "first", "second", "neither", "delta"])
    both, first, second, neither = counts = [*map(count, texts)]
    d, (g, alpha) = chance(delta), refuted(claim)
    _, text = keys(witness, ["rule", "lambda"])
    bet = number(text)
    want(all(len(part) <= 400 for part in text.strip("-").split("/")), "a short lambda")
    want(bet >= 0 and bet * (g + d) <= 1, "1: lambda")
    want(sum(counts) <= EXACT, "too many pairs for this checker")
    e = (1 + bet * (1 - g - d)) ** both * (1 + bet * (1 - d)) ** first
    e *= (1 - bet * (g + d)) ** second * (1 - bet * d) ** neither
    want(e >= 1 / alpha, "2: the e-value")
