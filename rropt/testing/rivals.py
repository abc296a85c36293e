"""Other private mechanisms: no one of them may be better than the proved bound.

They are the design itself on its way towards the truth, as a whole and one column at a time, mixtures of the truth with
noise, and random matrices. The shortest step shows comparisons in floats, which neglect relative 1e-16. A region
whose ``contains`` accepts too much, an objective whose ``value`` is wrong, and a bound that is too tight are all seen
by them.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from fractions import Fraction

from rropt.core.errors import RroptError
from rropt.designs.problem import Problem
from rropt.mechanisms import Mechanism

Rows = list[list[Fraction]]

_MOST_ENTRIES = 400  # of a design that has rivals; a larger one takes seconds
_STEPS = tuple(Fraction(1, n) for n in (10**30, 10**15, 10**9, 1000, 10, 4, 2, 1))
_MOST_COLUMNS = 6  # of a design whose columns move one at a time
_RANDOM = 6


def rivals_of(problem: Problem, best: Mechanism) -> Iterator[Fraction]:
    """Yield the values of mechanisms that the region of a problem contains."""
    m, k = best.shape
    if m * k > _MOST_ENTRIES:
        return
    for rows in _proposed(best, m, k):
        rival = Mechanism(rows)
        if not problem.region.contains(rival):
            continue
        try:
            yield problem.objective.value(rival, problem.population)
        except RroptError:  # nothing can be estimated from it
            continue


def _proposed(best: Mechanism, m: int, k: int) -> Iterator[Rows]:
    own = [list(row) for row in best.matrix]
    flat = [[Fraction(1, m)] * k for _ in range(m)]
    truths = [_truth(own, m, k), [[Fraction(int(i == j % m)) for j in range(k)] for i in range(m)]]
    for step in _STEPS:
        for truth in truths:
            yield _mixed(own, truth, step)
            yield _mixed(flat, truth, step)
        yield _mixed(own, flat, step)
        for j in range(k if k <= _MOST_COLUMNS else 0):
            yield _mixed(own, truths[1], step, {j})
    rng = random.Random(83)
    for _ in range(_RANDOM):
        columns = [[Fraction(rng.randint(1, 9)) for _ in range(m)] for _ in range(k)]
        yield _mixed(own, [[column[i] / sum(column) for column in columns] for i in range(m)], Fraction(1, 3))


def _truth(rows: Rows, m: int, k: int) -> Rows:
    """Return the mechanism that gives each category its most likely output."""
    chosen = [max(range(m), key=lambda i, j=j: rows[i][j] / (sum(rows[i]) or 1)) for j in range(k)]  # type: ignore[misc]
    return [[Fraction(int(chosen[j] == i)) for j in range(k)] for i in range(m)]


def _mixed(one: Rows, other: Rows, share: Fraction, only: Collection[int] | None = None) -> Rows:
    """Return the mixture with the given share of the other mechanism, in all columns or in some."""
    return [
        [
            (1 - share) * a + share * b if only is None or j in only else a
            for j, (a, b) in enumerate(zip(first, second, strict=True))
        ]
        for first, second in zip(one, other, strict=True)
    ]
