"""The claims in rows of Vinterbo (2018): each function returns (name, true value, sign, stated value)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from itertools import product as tuples
from math import comb
from typing import Any

from rropt.claims.claim import Row
from rropt_proofs._matrices import Numbers, Rows, adjugate_inverse, determinant, identity, kronecker
from rropt_proofs.vinterbo2018._paper import (
    count_moments,
    device,
    differing,
    error_of_one,
    estimator_covariance,
    estimator_error,
    estimator_mean,
    image,
    index,
    iterated,
    keeping,
    kept,
    privacy_loss,
    randomizer,
    spread_of,
    squares,
    steps,
    string,
    unrelated_question,
)


def has_inverse(C: Rows) -> bool:
    """C is invertible"""
    return determinant(C) != 0


def not_certain(pi: Numbers) -> bool:
    """pi^T pi < 1: otherwise nothing is lost, and L is 0/0"""
    return max(pi) < 1


def sec_3_2_unbiased(C: Rows, pi: Numbers, m: int, i: int, *, shrunk: Any = Fraction(0)) -> list[Row]:
    """Entry i of m^-1 C^-1 E(Y); E(Y) is the sum of the means of m responses."""
    return [("E", estimator_mean(C, pi, m)[i], "=", pi[i] * (1 - shrunk) + shrunk / 2)]


def sec_3_2_covariance(C: Rows, pi: Numbers, m: int, i: int, j: int, *, randomized: bool = True) -> list[Row]:
    """Entry (i, j) of m^-2 C^-1 cov(Y) C^-T; cov(Y) from the moments of a sum of m independent responses."""
    back = adjugate_inverse(C if randomized else identity(len(C)))
    weighted = sum(x * share * y for x, share, y in zip(back[i], image(C, pi), back[j], strict=True))
    return [("cov", estimator_covariance(C, pi, m, i, j), "=", (weighted - pi[i] * pi[j]) / m)]


def proposition_4_2(a: Fraction, n: int, r: int, x: int, *, same: bool = True) -> list[Row]:
    """P(r = R(M)(x)), bit by bit."""
    return [("the entry (r, x)", kept(a, n)[r][x], "=", iterated(a, 1 - a, n)[r][x if same else 0])]


def theorem_4_4(a: Fraction, n: int, r: int, x: int, *, back: Any = 0, turned: bool = False) -> list[Row]:
    """P(r = M(x)) bit by bit, and the product of the two matrices."""
    d = differing(string(r, n), string(x, n))
    other = a / (2 * a - 1)
    left, right = iterated(other, 1 - other, n), kept(a, n)
    entry = a**d * (1 - a) ** (n - d) if turned else a ** (n - d) * (1 - a) ** d
    return [
        ("the entry (r, x) of C", right[r][x], "=", entry),
        (
            "the entry (r, x) of C_{a/(2a-1)}(n) C",
            sum(left[r][y] * right[y][x] for y in range(2**n)),
            "=",
            int(r == x) + back,
        ),
    ]


def corollary_1(a: Fraction, n: int, r: int, x: int, *, sign: int = -1) -> list[Row]:
    """The matrix of the stated entries times C, which is the identity matrix."""

    def stated(y: int) -> Any:
        d = differing(string(x, n), string(y, n))
        return a ** (n - d) * (1 - a) ** d * sign**d / (2 * a - 1) ** n

    rows = kept(a, n)
    return [("the entry (x, r) of the product", sum(stated(y) * rows[y][r] for y in range(2**n)), "=", int(r == x))]


def lemma_4_5(pi: Numbers, a: Fraction, m: int, n: int, *, randomized: bool = True) -> list[Row]:
    """The sum of the variances over the distribution of the histogram of m responses."""
    c = spread_of(a, n) if randomized else 1
    return [("the trace", estimator_error(kept(a, n), pi, m), "=", (c - squares(pi)) / Fraction(m))]


def theorem_4_6(pi: Numbers, a: Fraction, n: int, *, more: Any = 0) -> list[Row]:
    """The quotient of the two traces, each from the distribution of one response."""
    rows, direct, c, least = kept(a, n), identity(2**n), spread_of(a, n), Fraction(1 + more, 2**n + more)
    loss = error_of_one(rows, pi) / error_of_one(direct, pi)
    return [
        ("L", loss, "=", (c - squares(pi)) / (1 - squares(pi)) + more),
        ("L, at least f_L(2^-n)", loss, ">=", (c - least) / (1 - least)),
    ]


def sec_2_krr(a: Fraction, n: int, *, gap: Any = 0) -> list[Row]:
    """The largest minus the least entry off the diagonal, of the matrix of one bit and of n bits."""
    return [
        ("n = 1: largest minus least entry off the diagonal", _gap(a, 1), "=", gap),
        ("n bits: largest minus least entry off the diagonal", _gap(a, n), ">", gap),
    ]


def _gap(a: Fraction, n: int) -> Fraction:
    entries = [x for i, row in enumerate(kept(a, n)) for j, x in enumerate(row) if i != j]
    return max(entries) - min(entries)


def sec_4_2_xor(a: Fraction, n: int, r: int, x: int, *, turned: bool = False) -> list[Row]:
    """P(x xor U = r), over all u."""
    ones = [sum(string(u, n)) for u in range(2**n)]
    chance = sum((1 - a) ** ones[u] * a ** (n - ones[u]) for u in range(2**n) if x ^ u == r)
    b = 1 - a if turned else a
    return [("the chance of r = x xor u", chance, "=", iterated(b, 1 - b, n)[r][x])]


def sec_5_1_entries(p: Fraction, n: int, r: int, x: int, *, two: Any = 2, more: Any = 0) -> list[Row]:
    """The device itself, and counts of strings."""
    after, u = string(r, n), string(x, n)
    d, chance, strings = differing(after, u), device(p, n, r, x), list(tuples((0, 1), repeat=n))
    first = sum(comb(n - d, i) * (p / 2) ** (i + d) * (1 - p) ** (n - (i + d)) for i in range(n - d + 1))
    above = [each for each in strings if all(b >= (a ^ c) for a, b, c in zip(after, each, u, strict=True))]
    same = [z for z in strings if all(a == b for a, b, c in zip(z, after, u, strict=True) if c)]
    return [
        ("c_{r,x} as a sum", chance, "=", first + more),
        ("C_M by Theorem 4.4", chance, "=", p**d * (two - p) ** (n - d) / 2**n),
        ("the number of strings u >= d", Fraction(len(above)), "=", Fraction(2 ** (n - d) + more)),
        ("P(Z =_u r), u = x", Fraction(len(same), 2**n), "=", Fraction(1, 2 + more) ** sum(u)),
    ]


def _squares_of(rows: Rows) -> Fraction:
    """Return the sum of the squares of the first column of the inverse."""
    return sum((row[0] ** 2 for row in adjugate_inverse(rows)), Fraction(0))


def _unrelated(p: Fraction, n: int) -> Fraction:
    return _squares_of(unrelated_question(p, n))


def _warner(p: Fraction, n: int) -> Fraction:
    return _squares_of(randomizer([keeping(p)] * n))


def sec_5_1_c(p: Fraction, n: int, *, two: Any = 2) -> list[Row]:
    """From the inverse of the matrix of the device."""
    return [("c_M", _unrelated(p, n), "=", ((p**2 - 2 * p + 2) / (two * (p - 1) ** 2)) ** n)]


def sec_5_2_c(p: Fraction, n: int, *, power: int = 2) -> list[Row]:
    """From the inverse of the matrix of the device."""
    return [("c_W", _warner(p, n), "=", ((2 * p**2 - 2 * p + 1) / (2 * p - 1) ** power) ** n)]


def sec_5_2_ratio(p: Fraction, n: int, *, bound: Any = 1) -> list[Row]:
    """c_M/c_W, each from the inverse of the matrix of its device."""
    return [("c_M/c_W", _unrelated(p, n) / _warner(p, n), "<", bound)]


def sec_5_2_equal(odds: Fraction, k: int, n: int, *, power: int = 2) -> list[Row]:
    """Of both devices, with p such that a response of k bits has the privacy g^k."""
    e = odds**k
    stated = ((e**power + 1) / (e - 1) ** 2) ** n
    return [
        ("c_M(alpha)", _unrelated(2 / (1 + odds), n), "=", stated),
        ("c_W(alpha)", _warner(odds / (1 + odds), n), "=", stated),
    ]


def private(a: Fraction, n: int, k: int, odds: Fraction) -> bool:
    """the randomizer is alpha-differentially private for such inputs"""
    return 0 < a < 1 and privacy_loss(kept(a, n), n, k) <= odds**k


def theorem_4_9(pi: Numbers, a: Fraction, odds: Fraction, n: int, *, wrong: bool = False) -> list[Row]:
    """The sum of the squares of a column of C^-1, which is c; and the loss by the distribution of one response."""
    g, rows, s = odds, kept(a, n), squares(pi)
    c = ((g**2 + (g if wrong else 1)) / (g - 1) ** 2) ** n
    loss = error_of_one(rows, pi) / (1 - s)
    return [("c", _squares_of(rows), ">=", c), ("L", loss, ">=", (c - s) / (1 - s))]


def two_outcomes(i: int, j: int) -> bool:
    return i != j


def sec_3_1_covariance(pi: Numbers, m: int, i: int, j: int, *, more: Any = 0) -> list[Row]:
    """From the distribution of the histogram of m independent experiments."""
    p, q = pi[i], pi[j]
    mean, spread = count_moments(pi, m, i, j)
    return [
        ("E X_i", mean[0], "=", m * p + more),
        ("Var X_i", spread[0][0], "=", m * p * (1 - p) + more),
        ("cov(pi*)_ii, first form", spread[0][0] / m**2, "=", (p * (1 - p) + p * p - p * p) / m + more),
        ("cov(pi*)_ii, second form", spread[0][0] / m**2, "=", (p - p * p) / m + more),
        ("cov(pi*)_ij, i != j", spread[0][1] / m**2, "=", -p * q / m + more),
    ]


def proposition_3_1(C: Rows, pi: Numbers, m: int, many: int, k: int, *, share: Any = 1) -> list[Row]:
    """L for another number of respondents; E |estimate - pi|^2 for m' = alpha L m responses."""
    direct = identity(k)
    loss, other = (estimator_error(C, pi, x) / estimator_error(direct, pi, x) for x in (m, many))
    stated = _error(direct, pi, m) * loss * m / many
    return [
        ("L(m')", other, "=", loss * share),
        ("the mean squared error of m' responses", _error(C, pi, many), "=", stated * share),
    ]


def _error(rows: Rows, pi: Numbers, m: int) -> Fraction:
    """Return E |estimate - pi|^2 for m responses; for the identity matrix, that of m true answers."""
    mean = estimator_mean(rows, pi, m)
    return estimator_error(rows, pi, m) + squares([x - p for x, p in zip(mean, pi, strict=True)])


def sec_4_1_converse(dice: Rows, n: int, r: int, x: int, *, first: bool = False) -> list[Row]:
    """P(r = M(x)), over all faces of all dice: a face keeps its bit, turns it, or makes it 0 or 1."""
    faces, chance = ((0, 1), (1, 0), (0, 0), (1, 1)), Fraction(0)
    after, before = string(r, n), string(x, n)
    for thrown in tuples(range(4), repeat=n):
        if all(faces[face][bit] == other for face, bit, other in zip(thrown, before, after, strict=True)):
            share = Fraction(1)
            for die, face in enumerate(thrown):
                share = share * dice[face][die]
            chance += share
    ones = [
        [sum(dice[face][0 if first else die] for face in range(4) if faces[face][bit]) for bit in (0, 1)]
        for die in range(n)
    ]
    margins: list[Any] = [((1 - zero, 1 - one), (zero, one)) for zero, one in ones]
    return [("the chance of r", chance, "=", randomizer(margins)[r][x])]


def theorem_4_1(
    p: Numbers,
    q: Numbers,
    n: int,
    r: int,
    x: int,
    *,
    first: bool = True,
    transposed: bool = False,
) -> list[Row]:
    """P(r = R(M)(x)), bit by bit; bit i keeps a 0 with probability p_i, a 1 with q_i."""
    bits: list[Any] = [((zero, 1 - one), (1 - zero, one)) for zero, one in zip(p, q, strict=True)]
    product = reduce(kronecker, bits if first else bits[::-1])
    return [("the entry (eta(r), eta(x))", randomizer(bits)[r][x], "=", product[x][r] if transposed else product[r][x])]


def proposition_4_3(
    a: Fraction, b: Fraction, n: int, i: int, j: int, *, turned: bool = False, more: Any = 0
) -> list[Row]:
    """The entries of the iterated Kronecker product of Definition 4.1, each at its own place."""
    rows, last, differences = iterated(a, b, n), 2**n - 1, Fraction(1)
    for d in range(n + 1):
        differences = differences * (rows[i][j] - rows[0][2**d - 1])
    same = rows[i][j] + more
    return [
        ("a: entry (j, i)", rows[j][i], "=", same),
        ("a: entry (N-1-j, N-1-i)", rows[last - j][last - i], "=", same),
        ("b: entry (i, i)", rows[i][i], "=", rows[0][0] + more),
        ("c: entry (i, N-1-i)", rows[i][last - i], "=", a**n if turned else rows[0][-1]),
        ("d: the product of the differences from n + 1 of the entries", differences, "=", 0 + more),
    ]


def partner_is_index(n: int, i: int) -> bool:
    return n - i >= 0


def proposition_4_3_proof(
    a: Fraction, b: Fraction, n: int, i: int, j: int, *, printed: bool = True, more: Any = 0
) -> list[Row]:
    """Every string by its digits, with the partner n - i as printed, and 2^n - 1 - i in the correction."""
    x, y = string(i, n), string(j, n)
    d, ones = differing(x, y), reduce(kronecker, [keeping(Fraction(1), Fraction(2))] * n)
    other = string((n if printed else 2**n - 1) - i, n)
    turned = [string(2**n - 1 - number, n) for number in (j, i)]
    eta = index([first ^ second for first, second in zip(x, y, strict=True)])
    entry, there = a ** (n - d) * b**d, iterated(a, b, n)[i][j]
    unused = [("Observation 1: eta(x xor y) is 2^|x xor y|", Fraction(eta), "=", Fraction(2**d))] if printed else []
    return [
        *unused,
        ("Observation 1: the entry of J x ... x J is 2^|x xor y|", ones[i][j], "=", Fraction(2**d) + more),
        ("Observation 1: the entry of C_{a,b}(n) is a^{n-d} b^d, d = |x xor y|", there, "=", entry + more),
        ("identity 1: |s(i) xor s(n-i)| is n", differing(x, other), "=", n + more),
        ("identity 2: |s(i) xor s(j)| is |s(2^n-1-j) xor s(2^n-1-i)|", differing(*turned), "=", d + more),
    ]


def is_marginal(K: Sequence[int], i: int) -> bool:
    return i < 2 ** len(K)


def sec_4_2_algorithm(pi: Numbers, a: Fraction, K: tuple[int, ...], i: int, n: int, *, more: Any = 0) -> list[Row]:
    """The mean over two independent responses; and the estimate itself."""
    chances = image(kept(a, n), pi)
    strings = [string(x, n) for x in range(2**n)]
    mean = sum(
        chances[r] * chances[s] * steps([strings[r], strings[s]], K, a)[i] for r in range(2**n) for s in range(2**n)
    )
    two = [strings[i], (1,) * n]
    whole = _marginal(steps(two, tuple(range(n)), a), K, i, n)
    return [
        ("the mean of the estimate", mean, "=", _marginal(pi, K, i, n) + more),
        ("the estimate from two responses", steps(two, K, a)[i], "=", whole + more),
    ]


def _marginal(values: Numbers, bits: Sequence[int], i: int, n: int) -> Fraction:
    """Return the sum of the values of all strings whose bits at these places make the index i."""
    return sum((v for x, v in enumerate(values) if index([string(x, n)[b] for b in bits]) == i), Fraction(0))
