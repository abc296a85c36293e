"""Rule 24: false claims about three outputs, refuted by better mechanisms and by fractions.

The value of a mechanism is worked out from the covariance of unbiased estimates, by the inverse of M in fractions. The
optimum is the least value over all maps of the four outputs to three, 14 up to names, and no larger than that of any
private mechanism that is drawn.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from .harness import Piece, document
from .levels import Level, bracket_of, random_level

F = Fraction
Rows = Sequence[tuple[Fraction, Fraction]]

DECIDING = {
    "merged-outputs": (
        "upper is below",
        "lower is above",
        "exceeds gamma by more",
        "information is infinite",
        "gamma",
        "delta",
    )
}


def value(rows: Rows, pi: Fraction) -> Fraction | None:
    """Return n Var of the efficient estimate of pi = Pr(X = 1), by M^-1; None where M is singular or infinite."""
    m = [[F(0)] * 2 for _ in range(2)]
    for row in rows:
        mean = row[0] * (1 - pi) + row[1] * pi
        if any(row) and not mean:
            return None
        for i, j in product((0, 1), repeat=2):
            m[i][j] += row[i] * row[j] / mean if mean else 0
    determinant = m[0][0] * m[1][1] - m[0][1] * m[1][0]
    return m[0][0] / determinant - pi**2 if determinant else None


def four(gamma: Fraction, delta: Fraction) -> list[tuple[Fraction, Fraction]]:
    """Return the four outputs: with chance delta certain, else randomized response."""
    p = gamma / (1 + gamma)
    likely = (1 - delta) * p, (1 - delta) * (1 - p)
    return [(delta, F(0)), likely, likely[::-1], (F(0), delta)]


def best(gamma: Fraction, delta: Fraction, pi: Fraction) -> tuple[Fraction, Rows]:
    """Return the least value over all maps of four outputs to three, with its mechanism."""
    found = []
    for goes in product(range(3), repeat=4):
        if list(dict.fromkeys(goes)) != sorted(set(goes)) or goes[0]:
            continue  # the same up to the names of the outputs
        rows = [[F(0), F(0)] for _ in range(3)]
        for place, row in zip(goes, four(gamma, delta), strict=True):
            rows[place] = [a + b for a, b in zip(rows[place], row, strict=True)]
        made = [(a, b) for a, b in rows]
        worth = value(made, pi)
        if worth is not None:
            found.append((worth, made))
    return min(found)


def drawn(rng: random.Random, gamma: Fraction, delta: Fraction) -> Rows:
    """Return a private mechanism: the four outputs sent to three at random."""
    rows = [[F(0), F(0)] for _ in range(3)]
    for a, b in four(gamma, delta):
        shares = [rng.randint(0, 4) for _ in range(3)]
        shares[rng.randrange(3)] += 1
        for row, share in zip(rows, shares, strict=True):
            row[0] += a * F(share, sum(shares))
            row[1] += b * F(share, sum(shares))
    return [(a, b) for a, b in rows]


def _file(
    level: Level, ends: Any, delta: Fraction, pi: Fraction, claim: tuple[Fraction, Fraction], rows: Rows
) -> dict[str, Any]:
    region = {
        "kind": "differential-privacy",
        "inputs": "2",
        "outputs": "3",
        "epsilon": level.text,
        "delta": str(delta),
        "family": "all",
    }
    problem = {"region": region, "objective": {"kind": "variance"}, "population": [str(1 - pi), str(pi)]}
    made = {"matrix": [[str(a), str(b)] for a, b in rows]}
    said = {"kind": "design-bracket", "lower": str(claim[0]), "upper": str(claim[1]), "mechanism": made}
    brackets = {
        "gamma": {"below": str(ends[0]), "above": str(ends[1])},
        "delta": {"below": str(delta), "above": str(delta)},
    }
    return document(problem, said, {"rule": "merged-outputs", **brackets})


def merged(rng: random.Random) -> Iterator[Piece]:
    """Iterate over claims, true and false."""
    while True:
        level = random_level(rng)
        delta = rng.choice((F(0), F(1), F(1, 100), F(1, 4), F(rng.randint(1, 999), 1000)))
        pi = rng.choice((F(1, 2), F(1, 1000), F(rng.randint(1, 99), 100)))
        exact = level.exact
        step = F(1, 10 ** rng.choice((12, 24)))
        ends = (exact, exact) if exact is not None else (max(F(1), level.near(-step)), level.near(step))
        if ends[1] == 1 and not delta:
            continue
        lower, _ = best(ends[1], delta, pi)
        if ends[0] == 1 and not delta:
            continue
        upper, rows = best(ends[0], delta, pi)
        oracle = "all maps to three outputs"
        yield Piece(_file(level, ends, delta, pi, (lower, upper), rows), "the optimum", True, oracle)
        wide = _file(level, ends, delta, pi, (lower * F(9, 10), upper * 2), rows)
        yield Piece(wide, "a wider bracket", True, oracle)
        other = drawn(rng, ends[0], delta)
        worth = value(other, pi)
        if worth is not None:
            assert worth >= lower, "a garbling is better than the best map"
            yield Piece(_file(level, ends, delta, pi, (lower, worth), other), "another mechanism", True, "its M^-1")
            small = worth * (1 - F(1, 10 ** rng.choice((1, 9, 18))))
            if small >= lower:
                yield Piece(
                    _file(level, ends, delta, pi, (lower, small), other), "upper below its value", False, "its M^-1"
                )
        factor = 1 + F(1, 10 ** rng.choice((1, 6, 9)))
        above = _file(level, ends, delta, pi, (upper * factor, upper * factor), rows)
        yield Piece(above, "lower above the optimum", False, oracle)
        below = upper / factor
        yield Piece(_file(level, ends, delta, pi, (min(lower, below), below), rows), "upper below", False, oracle)
        if delta < 1:
            more = delta + (1 - delta) * F(1, 10 ** rng.choice((1, 9)))
            worth, loose = best(ends[1], more, pi)
            lowest = min(lower, worth)
            yield Piece(
                _file(level, ends, delta, pi, (lowest, worth), loose), "too much delta", False, "the definition"
            )
        if delta:
            for sure in (F(0), F(1)):
                file = _file(level, ends, delta, sure, (F(0), F(10**6)), rows)
                yield Piece(file, "prevalence 0 or 1", False, "an infinite information")
        method, low, high = bracket_of(level, rng)
        if method not in ("honest", "one point") and (exact is None or (low, high) != (exact, exact)):
            moved = _file(level, (low, high), delta, pi, (F(0), F(10**9)), rows)
            yield Piece(moved, f"gamma {method}", False, level.oracle)
        binary = [(a, b) for a, b in rows if a or b][:2]
        yield Piece(_file(level, ends, delta, pi, (lower, upper), binary), "two rows", False, "counting")


FUZZERS = {"merged-outputs": merged}
