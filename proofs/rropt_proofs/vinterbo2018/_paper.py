"""What the entries of Vinterbo (2018) share: strings of bits, randomizers by their definition, distributions of
histograms.

A string is a tuple of bits, the first of which is bit 0. ``index`` is the paper's eta: bit i counts 2^i. Nothing here
uses a statement of the paper, but for ``iterated``, which is its Definition 4.1.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product as tuples
from typing import Any

from rropt_proofs._matrices import Numbers, Rows, adjugate_inverse, kronecker, product

Bits = tuple[int, ...]

ONE = Fraction(1)


def index(string: Sequence[int]) -> int:
    """Return eta of a string: the sum of x_i 2^i."""
    return sum(bit << place for place, bit in enumerate(string))


def string(number: int, n: int) -> Bits:
    """Return the string of n bits with this index."""
    return tuple(number >> place & 1 for place in range(n))


def differing(r: Sequence[int], x: Sequence[int]) -> int:
    """Return |r xor x|, the number of bits that differ."""
    return sum(a != b for a, b in zip(r, x, strict=True))


def bit_randomizer(zero: Fraction | int | str, one: Fraction | int | str) -> Rows:
    """Return the matrix of a bit randomizer that keeps a 0 with the first and a 1 with the second probability."""
    p, q = Fraction(zero), Fraction(one)
    return ((p, 1 - q), (1 - p, q))


def draw_bit_randomizer(rng: random.Random) -> Rows:
    """Draw the matrix of a bit randomizer with positive entries."""
    return bit_randomizer(Fraction(rng.randint(1, 5), 6), Fraction(rng.randint(1, 5), 6))


def keeping(a: Fraction, b: Fraction | None = None) -> Rows:
    """Return C_{a,b}, the bisymmetric 2 x 2 matrix; b = 1 - a when left out."""
    other = 1 - a if b is None else b
    return ((a, other), (other, a))


def randomizer(bits: Sequence[Rows]) -> Rows:
    """Return the matrix of R(M) by its definition: every bit goes through its own randomizer; indices are eta."""
    n = len(bits)
    return tuple(tuple(_chance(bits, string(r, n), string(x, n)) for x in range(2**n)) for r in range(2**n))


def _chance(bits: Sequence[Rows], r: Bits, x: Bits) -> Fraction:
    chance = ONE
    for rows, after, before in zip(bits, r, x, strict=True):
        chance = chance * rows[after][before]
    return chance


def iterated(a: Fraction, b: Fraction, n: int) -> Rows:
    """Return C_{a,b}(n) by Definition 4.1."""
    return kronecker(keeping(a, b), iterated(a, b, n - 1)) if n > 0 else ((ONE,),)


def image(rows: Rows, vector: Sequence[Fraction]) -> Numbers:
    """Return a matrix times a vector."""
    return tuple(sum((x * y for x, y in zip(row, vector, strict=True)), Fraction(0)) for row in rows)


@cache
def histograms(shares: Numbers, m: int) -> Mapping[Bits, Fraction]:
    """Return the distribution of the histogram of m independent responses with these probabilities; none has
    probability 0."""
    return {counts: chance for counts, chance in _histograms(shares, m).items() if chance}


@cache
def _histograms(shares: Numbers, m: int) -> Mapping[Bits, Fraction]:
    """Return the distribution of the histogram, one response after the other; histograms of probability 0 stay in
    it."""
    law: dict[Bits, Fraction] = {(0,) * len(shares): ONE}
    for _ in range(m):
        longer: dict[Bits, Fraction] = {}
        for counts, chance in law.items():
            for r, share in enumerate(shares):
                more = (*counts[:r], counts[r] + 1, *counts[r + 1 :])
                longer[more] = longer.get(more, Fraction(0)) + chance * share
        law = longer
    return law


def estimate(back: Rows, counts: Sequence[int]) -> Numbers:
    """Return m^-1 C^-1 y for the inverse C^-1 and a histogram y."""
    return tuple(x / sum(counts) for x in image(back, [Fraction(y) for y in counts]))


def count_moments(shares: Numbers, m: int, *places: int) -> tuple[Numbers, Rows]:
    """Return mean and covariance matrix of some counts of a histogram of m responses, from its distribution."""
    law = [(tuple(Fraction(counts[i]) for i in places), chance) for counts, chance in histograms(shares, m).items()]
    size = range(len(places))
    mean = tuple(sum((v[i] * chance for v, chance in law), Fraction(0)) for i in size)
    return mean, tuple(
        tuple(sum(((v[i] - mean[i]) * (v[j] - mean[j]) * chance for v, chance in law), Fraction(0)) for j in size)
        for i in size
    )


def histogram_moments(shares: Numbers, m: int) -> tuple[Numbers, Rows]:
    """Return mean and covariance of the histogram of m independent responses, one response after the other."""
    size = range(len(shares))
    mean, second = [Fraction(0)] * len(shares), [[Fraction(0)] * len(shares) for _ in size]
    for _ in range(m):
        second = [
            [
                second[r][u] + mean[r] * shares[u] + shares[r] * mean[u] + (shares[r] if r == u else Fraction(0))
                for u in size
            ]
            for r in size
        ]
        mean = [x + share for x, share in zip(mean, shares, strict=True)]
    return tuple(mean), tuple(tuple(second[r][u] - mean[r] * mean[u] for u in size) for r in size)


def estimator_mean(rows: Rows, pi: Numbers, m: int) -> Numbers:
    """Return the mean of m^-1 C^-1 Y, which is m^-1 C^-1 E(Y)."""
    mean, _ = histogram_moments(image(rows, pi), m)
    return tuple(x / m for x in image(adjugate_inverse(rows), mean))


def estimator_covariance(rows: Rows, pi: Numbers, m: int, i: int, j: int) -> Fraction:
    """Return entry (i, j) of the covariance of m^-1 C^-1 Y, which is m^-2 C^-1 cov(Y) C^-T."""
    back, (_, spread) = adjugate_inverse(rows), histogram_moments(image(rows, pi), m)
    return sum((x * y for x, y in zip(back[i], image(spread, back[j]), strict=True)), Fraction(0)) / m**2


def estimator_error(rows: Rows, pi: Numbers, m: int) -> Fraction:
    """Return the trace of the covariance of m^-1 C^-1 Y, the sum over r and u of cov(Y)_ru (C^-T C^-1)_ru/m^2."""
    back, (_, spread) = adjugate_inverse(rows), histogram_moments(image(rows, pi), m)
    columns = tuple(zip(*back, strict=True))
    lengths = product(columns, back)
    pairs = (pair for left, right in zip(spread, lengths, strict=True) for pair in zip(left, right, strict=True))
    return sum((x * y for x, y in pairs), Fraction(0)) / m**2


def error_of_one(rows: Rows, pi: Numbers) -> Fraction:
    """Return the trace of the covariance of C^-1 Y for one response, from the distribution of the response.

    Raises:
        ZeroDivisionError: there is no inverse.
    """
    back, chances = adjugate_inverse(rows), image(rows, pi)
    mean = image(back, chances)
    second = sum(
        (chance * sum((row[r] * row[r] for row in back), Fraction(0)) for r, chance in enumerate(chances)), Fraction(0)
    )
    return second - squares(mean)


def squares(pi: Sequence[Fraction]) -> Fraction:
    """Return pi^T pi."""
    return sum((p * p for p in pi), Fraction(0))


def shares(text: str) -> Numbers:
    """Return the distribution that the text lists."""
    return tuple(Fraction(x) for x in text.split())


def spread_of(a: Any, n: int) -> Any:
    """Return the printed c of Lemma 4.5."""
    return ((a**2 + (1 - a) ** 2) / (2 * a - 1) ** 2) ** n


@cache
def kept(a: Fraction, n: int) -> Rows:
    """Return the matrix of the randomizer that keeps each of n bits with probability a, by its definition."""
    return randomizer([keeping(a)] * n)


def device(p: Fraction, n: int, r: int, x: int) -> Fraction:
    """Return P(r = A(x, U, Z)) of the unrelated-question device, over all u and z."""
    before, after, chance = string(x, n), string(r, n), Fraction(0)
    for u in tuples((0, 1), repeat=n):
        for z in tuples((0, 1), repeat=n):
            if all(a == (c if b else d) for a, b, c, d in zip(after, u, z, before, strict=True)):
                chance += p ** sum(u) * (1 - p) ** (n - sum(u)) / Fraction(2**n)
    return chance


def unrelated_question(p: Fraction, n: int) -> Rows:
    """Return the matrix of the unrelated-question device."""
    return tuple(tuple(device(p, n, r, x) for x in range(2**n)) for r in range(2**n))


def steps(responses: Sequence[Sequence[int]], bits: Sequence[int], a: Fraction) -> Numbers:
    """Return the estimate by the two steps of section 4.2."""
    counts = [0] * 2 ** len(bits)
    for response in responses:
        counts[index([response[b] for b in bits])] += 1
    back = a / (2 * a - 1)
    return estimate(iterated(back, 1 - back, len(bits)), counts)


def ratio_of(rows: Rows) -> Fraction:
    """Return l_M, the largest ratio of two entries of a row."""
    return max(max(row) / min(row) for row in rows)


@cache
def _pairs(n: int, k: int) -> tuple[tuple[int, int], ...]:
    """Return the pairs of inputs that differ in at most k bits, and in one at least."""
    strings = [string(x, n) for x in range(2**n)]
    return tuple((index(x), index(y)) for x in strings for y in strings if 0 < differing(x, y) <= k)


def privacy_loss(rows: Rows, n: int, k: int) -> Fraction:
    """Return the largest ratio of probabilities of a response for two inputs that differ in at most k bits."""
    return max(row[x] / row[y] for row in rows for x, y in _pairs(n, k))
