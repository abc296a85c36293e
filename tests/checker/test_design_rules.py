"""Regions without a mechanism, for several inputs and outputs: mutants of the certificates that the library writes.

That the certificates of random linear designs are accepted: ``tests/designs/test_linear_designs.py``.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from adversary.asking import ask
from adversary.programs import mutated, places
from adversary.writing import at, put
from linear_pool.random_problems import random_problem

from rropt.core.exact import Delta, Epsilon
from rropt.core.linear import Infeasible, ProgramBuilder, solve
from rropt.designs.infeasible_designs import InfeasibleDesignError
from rropt.designs.linear_designs import solve_design_exactly


def infeasible(rng: random.Random) -> Any:
    """Return the certificate of a region with one level and bounds on entries that no mechanism satisfies."""
    while True:
        problem = random_problem(rng, rng.choice(["bounded-uniform", "bounded-delta"]), rational=rng.random() < 0.5)
        try:
            solve_design_exactly(problem, problem.region.bracket(24))
        except InfeasibleDesignError as refusal:
            return refusal.certificate.to_dict()


@pytest.mark.slow
def test_no_proof_shows_that_a_region_with_a_mechanism_has_none(
    size: Callable[[int, int], int], rng: random.Random
) -> None:
    """Every number of a true file is changed; in a region that is accepted an exact program finds no mechanism."""
    tried = kept = 0
    while tried < size(150, 5_000):
        document = infeasible(rng)
        assert ask(json.dumps(document))
        for path in places(document):
            if path[0] not in ("problem", "proof") or path[1] in ("inputs", "outputs"):
                continue
            mutant = put(document, path, mutated(at(document, path), rng))
            tried += 1
            if ask(json.dumps(mutant)):
                kept += 1
                assert is_empty(mutant["problem"]), (path, mutant)
    assert kept > tried // 100


def is_empty(problem: Any) -> bool:
    """Return whether no mechanism is in a region, by a program just above its level."""
    (level,), bounds = problem["levels"], problem["bounds"]
    m, k = int(problem["outputs"]), int(problem["inputs"])
    gamma = Epsilon.from_dict(level["epsilon"]).gamma_bracket(60).upper
    builder = ProgramBuilder("minimise")
    p = [[builder.variable(f"p{i},{j}") for j in range(k)] for i in range(m)]
    for j, other in permutations(range(k), 2):
        excess = [builder.variable(f"e{i},{j},{other}") for i in range(m)]
        for e, row in zip(excess, p, strict=True):
            builder.row("excess", {e: 1, row[j]: -1, row[other]: gamma}, ">=", 0)
        builder.row("delta", dict.fromkeys(excess, 1), "<=", Delta.from_dict(level["delta"]).bracket(60).upper)
    for j in range(k):
        builder.row("sum", {row[j]: 1 for row in p}, "=", 1)
        for i in range(m):
            builder.row("least", {p[i][j]: 1}, ">=", Fraction(bounds["least"][i][j]))
            builder.row("most", {p[i][j]: 1}, "<=", Fraction(bounds["most"][i][j]))
    return isinstance(solve(builder.build()), Infeasible)
