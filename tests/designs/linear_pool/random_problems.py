"""Random linear design problems at rational and irrational levels."""

from __future__ import annotations

import random
from fractions import Fraction

from rropt.core.errors import InvalidParameterError
from rropt.designs.problem import Problem
from rropt.objectives import Loss, Trace
from rropt.privacy import LevelsRegion
from rropt.privacy.bounded_regions import BoundedRegion
from rropt.privacy.region import PrivacyRegion

RATIONAL = ["0", "log(2)", "log(3)", "log(3/2)", "log(10)", "log(7/5)"]
IRRATIONAL = ["1", "1/3", "1/2*log(3)", "2", "1/3*log(10)"]


def random_problem(rng: random.Random, kind: str, *, rational: bool = True) -> Problem:
    """Return a problem of a kind: ``uniform``, ``delta``, ``pairwise``, and ``bounded-`` each of these."""
    k = rng.randint(2, 4)
    m = k if rng.random() < 0.7 else rng.randint(2, 4)
    levels = RATIONAL if rational else IRRATIONAL
    inner = _region(rng, kind.removeprefix("bounded-"), k, m, levels)
    region = _bounded(rng, inner) if kind.startswith("bounded-") else inner
    shares = [rng.randint(0, 5) for _ in range(k)]
    shares[rng.randrange(k)] += 1
    population = [Fraction(n, sum(shares)) for n in shares]
    if m == k and rng.random() < 0.5:
        return Problem(region, Trace([Fraction(rng.randint(-1, 6), rng.randint(1, 4)) for _ in range(k)]), population)
    return Problem(region, Loss([[rng.randint(-2, 5) for _ in range(k)] for _ in range(m)]), population)


def _region(rng: random.Random, kind: str, k: int, m: int, levels: list[str]) -> PrivacyRegion | LevelsRegion:
    if kind == "uniform":
        return PrivacyRegion(rng.choice(levels), inputs=k, outputs=m)
    if kind == "delta":
        delta = rng.choice(["1/10", "1/3", "1", "1/1000"] if levels is RATIONAL else ["1/10", "exp(-2)", "1/3"])
        return PrivacyRegion(rng.choice(levels), delta, inputs=k, outputs=m)
    while True:
        rows = [
            [None if j == other or rng.random() < 0.3 else rng.choice(levels) for other in range(k)] for j in range(k)
        ]
        try:
            return LevelsRegion.by_pair(rows, outputs=m)
        except InvalidParameterError:  # no condition at all
            continue


def _bounded(rng: random.Random, inner: PrivacyRegion | LevelsRegion) -> BoundedRegion:
    entries = [(i, j) for i in range(inner.outputs) for j in range(inner.inputs)]
    least = {entry: Fraction(rng.randint(0, 5), 10) for entry in rng.sample(entries, rng.randint(0, 2))}
    most = {entry: Fraction(rng.randint(5, 10), 10) for entry in rng.sample(entries, rng.randint(0, 2))}
    if rng.random() < 0.3:  # an answer that is never given
        row = rng.randrange(inner.outputs)
        least = {entry: x for entry, x in least.items() if entry[0] != row}
        most = {**most, **{(row, j): Fraction(0) for j in range(inner.inputs)}}
    return BoundedRegion.sparse(inner, least=least, most=most)
