"""The statement likelihood-gap: false claims about the most likely population, refuted by a better one or in fractions.

The product is written out digit by digit; a better population is found by expectation and maximisation in floats, and
is better by logarithms of 50 digits. The bound of the rule is a sum over all entries in plain fractions.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import mpmath as mp

from .harness import Piece, statement
from .orders import Rows, kernel, texts

F = Fraction
Groups = list[tuple[list[Rows], list[int]]]  # factors and counts

DECIDING = {
    "likelihood-gap": (
        "gain of a cell",
        "makes an answer that was given impossible",
        "point does not sum",
        "point has a negative",
        "a column of a mechanism",
    )
}


def written_out(factors: list[Rows]) -> Rows:
    """Return the Kronecker product, question 0 fastest, by its definition."""
    rows = []
    for outputs in product(*(range(len(f)) for f in reversed(factors))):
        row = []
        for inputs in product(*(range(len(f[0])) for f in reversed(factors))):
            entry = F(1)
            for f, i, j in zip(reversed(factors), outputs, inputs, strict=True):
                entry *= f[i][j]
            row.append(entry)
        rows.append(row)
    return rows


def problem(rng: random.Random) -> Groups:
    """Return groups of respondents with the same questions: one to three, of two or three categories."""
    sizes = [rng.choice((2, 2, 3)) for _ in range(rng.choice((1, 2, 2, 3)))]
    groups = []
    for _ in range(rng.choice((1, 1, 2, 3))):
        factors = [kernel(rng, rng.choice((k, k, k + 1)), k, rng.choice((0.0, 0.3))) for k in sizes]
        matrix = written_out(factors)
        counts = [rng.choice((0, 1, 3, rng.randint(0, 500))) if any(row) else 0 for row in matrix]
        groups.append((factors, counts))
    if not any(sum(counts) for _, counts in groups):
        return problem(rng)
    return groups


def points(groups: Groups, rng: random.Random) -> list[Fraction]:
    """Return a population: random, with zeros, or near the best."""
    k = len(written_out(groups[0][0])[0])
    if rng.random() < 0.6:
        best = improved(groups, rng.choice((3, 30, 300)))
        weights = [round(x * 10 ** rng.choice((2, 4, 9))) for x in best]
    else:
        weights = [rng.choice((0, 1, rng.randint(0, 50))) for _ in range(k)]
    weights[rng.randrange(k)] += 1
    return [F(w, sum(weights)) for w in weights]


def improved(groups: Groups, steps: int) -> list[float]:
    """Return a likely population by expectation and maximisation, from the uniform one."""
    rows = [
        (list(map(float, row)), c) for f, counts in groups for row, c in zip(written_out(f), counts, strict=True) if c
    ]
    k, n = len(rows[0][0]), sum(c for _, c in rows)
    x = [1 / k] * k
    for _ in range(steps):
        gains = [0.0] * k
        for row, c in rows:
            chance = sum(p * share for p, share in zip(row, x, strict=True))
            gains = [g + p * c / chance for g, p in zip(gains, row, strict=True)]
        x = [share * g / n for share, g in zip(x, gains, strict=True)]
    return x


def bound(groups: Groups, point: list[Fraction]) -> Fraction | None:
    """Return ``max_x sum_i C_ix N_i/lambda_i / n - 1`` in fractions; None where an answer is impossible."""
    n, gains = 0, [F(0)] * len(point)
    for factors, counts in groups:
        for row, count in zip(written_out(factors), counts, strict=True):
            chance = sum((p * x for p, x in zip(row, point, strict=True)), F(0))
            if count and not chance:
                return None
            if count:
                n += count
                gains = [g + p * count / chance for g, p in zip(gains, row, strict=True)]
    return max(gains) / n - 1


def advantage(groups: Groups, point: list[Fraction], other: list[float]) -> Fraction:
    """Return, rounded down, how much more likely another population is, per response."""
    with mp.workdps(50):
        n, gain = 0, mp.mpf(0)
        total = sum(map(F, other))
        for factors, counts in groups:
            for row, count in zip(written_out(factors), counts, strict=True):
                if count:
                    n += count
                    here = sum((p * x for p, x in zip(row, point, strict=True)), F(0))
                    there = sum((p * F(x) for p, x in zip(row, other, strict=True)), F(0)) / total
                    ratio = there / here
                    gain += count * mp.log(mp.mpf(ratio.numerator) / ratio.denominator)
        return F(int(mp.floor(gain / n * 10**30)), 10**30)


def file(groups: Groups, point: list[Fraction], gap: Fraction, bits: int | None, plain: bool = False) -> dict[str, Any]:
    """Return a certificate; ``plain``: single matrices are no products."""
    listed = []
    for factors, counts in groups:
        single = plain and len(factors) == 1
        form = {"matrix": texts(factors[0])} if single else {"product": [texts(f) for f in factors]}
        listed.append({"mechanism": form, "counts": [str(c) for c in counts]})
    claim = {"point": [str(x) for x in point], "gap": str(gap)}
    proof = {"bits": None if bits is None else str(bits)}
    return statement("likelihood-gap", {"groups": listed}, claim, proof)


def likelihood(rng: random.Random) -> Iterator[Piece]:
    """Yield files about random surveys."""
    while True:
        groups = problem(rng)
        point = points(groups, rng)
        corner = [F(int(x == 0)) for x in range(len(point))]
        if bound(groups, corner) is None:
            yield Piece(file(groups, corner, F(10**6), None), "an impossible answer", False, "fractions")
        bits = rng.choice((None, 20, 64, 200))
        plain = rng.random() < 0.5
        exact = bound(groups, point)
        if exact is None:
            yield Piece(file(groups, point, F(10**6), bits, plain), "an impossible answer", False, "fractions")
            continue
        rounding = F(0) if bits is None else F(sum(len(counts) for _, counts in groups), 1 << bits)
        yield Piece(file(groups, point, exact + rounding, bits, plain), "the bound", True, "fractions")
        step = F(1, 10 ** rng.choice((1, 3, 9, 25)))
        if exact * (1 - step) - step < exact:
            yield Piece(file(groups, point, exact - step * (exact or 1), bits, plain), "below", False, "fractions")
        better = advantage(groups, point, improved(groups, 40))
        if better > 0:
            gap = rng.choice((F(0), better / 2, better * (1 - step)))
            yield Piece(file(groups, point, gap, bits, plain), "a better point", False, "a better point")
        yield from _changed(groups, point, exact + rounding, bits, rng)


def _changed(
    groups: Groups, point: list[Fraction], gap: Fraction, bits: int | None, rng: random.Random
) -> Iterator[Piece]:
    """Yield files in which one thing of a true one is changed so that its gap is no longer what it was."""
    turned = [(factors[::-1], counts) for factors, counts in groups]
    other = bound(turned, point)
    if other is not None and other > gap:  # the last question fastest: another problem
        yield Piece(file(turned, point, gap, bits), "another order", False, "fractions")
    scaled = [x * (1 + F(1, rng.choice((2, 10, 10**9)))) for x in point]
    yield Piece(file(groups, scaled, gap, bits), "no population: sum", False, "the point")
    i, j = rng.sample(range(len(point)), 2)
    moved = list(point)
    moved[i], moved[j] = -F(1, 10**9), point[i] + point[j] + F(1, 10**9)
    yield Piece(file(groups, moved, F(10**6), bits), "no population: sign", False, "the point")
    g = rng.randrange(len(groups))
    factors, counts = groups[g]
    place = rng.randrange(len(factors))
    column = rng.randrange(len(factors[place][0]))
    wrong = [[x * F(3, 2) if c == column else x for c, x in enumerate(row)] for row in factors[place]]
    unlike = [*factors[:place], wrong, *factors[place + 1 :]]
    yield Piece(
        file([*groups[:g], (unlike, counts), *groups[g + 1 :]], point, F(10**6), bits), "no mechanism", False, "sums"
    )
    more = [(f, [c + 400 * (i == 0) for i, c in enumerate(cs)] if any(written_out(f)[0]) else cs) for f, cs in groups]
    other = bound(more, point)
    if other is not None and other > gap:
        yield Piece(file(more, point, gap, bits), "other counts", False, "fractions")


FUZZERS = {"likelihood-gap": likelihood}
