"""The trace and losses under several levels, against an independent linear program in the entries."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from later import later

from rropt import Problem, check, solve
from rropt.core.errors import UnsupportedProblemError
from rropt.designs.solution import Solution
from rropt.objectives import Loss, Trace
from rropt.privacy import LevelsRegion

linprog = later("scipy.optimize", "linprog")
F = Fraction


def smallest(costs: Any, levels: Any, k: int) -> float:
    """Return the minimum of ``sum costs * P`` over mechanisms; e_ij of each level and pair bounds the excess."""
    m, count = len(costs), len(costs) * k
    pairs = [(level, pair) for level in levels for pair in level[2]]
    size = count + len(pairs) * m
    upper, right = [], []
    for place, ((gamma, delta, _), (j, other)) in enumerate(pairs):
        for i in range(m):
            row = np.zeros(size)
            row[i * k + j], row[i * k + other], row[count + place * m + i] = 1, -gamma, -1
            upper.append(row)
            right.append(0.0)
        row = np.zeros(size)
        row[count + place * m : count + (place + 1) * m] = 1
        upper.append(row)
        right.append(delta)
    equal = np.zeros((k, size))
    for j in range(k):
        equal[j, [i * k + j for i in range(m)]] = 1
    cost = np.concatenate([np.array(costs, dtype=float).ravel(), np.zeros(size - count)])
    return float(linprog(cost, np.array(upper), right, equal, np.ones(k), method="highs").fun)


@few_rows(2)
@pytest.mark.parametrize("seed", range(12))
def test_the_linear_program_in_the_entries_agrees(seed: int) -> None:
    rng = random.Random(seed)
    k = rng.choice([2, 3, 3, 4])
    everyone = list(permutations(range(k), 2))
    levels = []
    for _ in range(rng.choice([1, 2])):
        pairs = everyone if rng.random() < 0.6 else sorted(rng.sample(everyone, rng.randint(1, len(everyone))))
        levels.append(
            (rng.choice([F(1), F(3, 2), F(2), F(7)]), rng.choice([F(1, 100), F(1, 10), F(1, 2), F(1)]), pairs)
        )
    region = [(f"log({gamma})" if gamma > 1 else 0, delta, pairs) for gamma, delta, pairs in levels]
    pi = [F(rng.choice([0, 1, 2, 3])) + (j == 0) for j in range(k)]
    pi = [x / sum(pi) for x in pi]
    numbers = [(float(gamma), float(delta), pairs) for gamma, delta, pairs in levels]
    if seed % 2:
        m = rng.choice([2, k, k + 1])
        matrix = [[F(rng.randint(-2, 4)) for _ in range(k)] for _ in range(m)]
        objective: Any = Loss(matrix)
        costs = [[float(p * x) for p, x in zip(pi, row, strict=True)] for row in matrix]
    else:
        m, weights = k, [F(rng.randint(0, 3)) for _ in range(k)]
        objective = Trace(weights)
        costs = [[-float(w) * (i == j) for j in range(k)] for i, w in enumerate(weights)]
    found = solve(Problem(LevelsRegion(region, inputs=k, outputs=m), objective, pi))
    sign = 1 if seed % 2 else -1
    assert found.gap == 0
    assert abs(float(found.value) - sign * smallest(costs, numbers, k)) < 1e-8
    assert objective.value(found.mechanism, pi) == found.value
    assert found.problem.region.contains(found.mechanism)
    assert check(found.certificate)
    assert Solution.from_json(found.to_json()) == found


def test_too_many_categories_are_refused_with_advice() -> None:
    with pytest.raises(UnsupportedProblemError, match="allowed are at most 18 categories"):
        solve(Problem(LevelsRegion([(1, "1/10")], inputs=19, outputs=19), Trace([1] * 19), [F(1, 19)] * 19))
