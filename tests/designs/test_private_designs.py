"""Privacy of every mechanism that is returned: 5000 random problems of all kinds (500 in CI), compared exactly.

The oracle shares no code with the library: e^epsilon from below by its own series (or by the roots of integers), each
level and each delta by the definition, in fractions.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations
from math import isqrt
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows

import rropt
from rropt.designs.bits import design_bits
from rropt.designs.prevalence_intervals import solve_over_interval
from rropt.designs.repairs import repair
from rropt.privacy.criteria import rho_to_rho
from rropt.privacy.criterion_region import CriterionRegion

F = Fraction
ZERO = F(0)
Rows = Sequence[Sequence[Fraction]]


def least_gamma(level: str) -> Fraction:
    """Return e^level, exactly where it is rational, else from below by 1e-400 of it: q, q^(1/2), or a series."""
    if level.startswith("log("):
        return F(level[4:-1])
    if level.startswith("1/2*log("):
        q, scale = F(level[8:-1]), 10**400
        return F(isqrt(q.numerator * q.denominator * scale**2), q.denominator * scale)
    x, term, total = F(level), F(1), F(1)
    for n in range(1, 1000):
        term = term * x / n
        total += term
        if term < F(1, 10**400):
            break
    return total


def is_private(rows: Rows, gamma: Fraction, delta: Fraction = ZERO) -> bool:
    """Return whether all columns are distributions, and Pr(S | j) <= gamma Pr(S | l) + delta for every set of answers.

    The worst set S are the answers of which p_ij > gamma p_il.
    """
    columns = list(zip(*rows, strict=True))
    if any(sum(column) != 1 or min(column) < 0 for column in columns):
        return False
    for p, q in permutations(columns, 2):
        excess = [a - gamma * b for a, b in zip(p, q, strict=True)]
        if sum(x for x in excess if x > 0) > delta:
            return False
    return True


def drawn_level(rng: random.Random) -> str:
    """Return a level of any of three forms, from a thousandth to nine."""
    q = F(rng.randint(10**3 + 1, rng.choice((2 * 10**3, 10**5, 10**7))), 10**3)
    decimal = F(rng.randint(1, 9000), 1000) if rng.random() < 0.8 else F(rng.randint(1, 99), 10**5)
    return rng.choice((f"log({q})", f"1/2*log({q})", str(decimal)))


def shares(rng: random.Random, k: int) -> list[str]:
    """Return k shares, some of them 10^4 times another."""
    parts = [rng.choice((1, 10, rng.randint(1, 10**4))) for _ in range(k)]
    parts[rng.randrange(k)] += 10**4
    return [str(F(x, sum(parts))) for x in parts]


def drawn_delta(rng: random.Random) -> str:
    return rng.choice(("0", str(F(rng.randint(1, 99), 100)), str(F(1, rng.randint(2, 10**6)))))


def binary(rng: random.Random) -> None:
    """(epsilon, delta), two inputs: two, three, any number of answers; symmetric designs."""
    level, delta = drawn_level(rng), drawn_delta(rng)
    outputs: Any = rng.choice((2, 2, 3, "any"))
    family = rng.choice(("all", "warner")) if outputs == 2 else "all"
    prevalence = str(F(rng.randint(0 if outputs == 2 else 1, 20), 21))
    posed = rropt.Problem.binary(prevalence, epsilon=level, delta=delta, outputs=outputs, symmetric=family == "warner")
    routes = None if rng.random() < 0.05 else "closed-form"  # CVXPY takes longer than all the rest
    assert is_private(rropt.solve(posed, routes=routes, fast=True).mechanism.matrix, least_gamma(level), F(delta))


def interval(rng: random.Random) -> None:
    """(epsilon, delta), the worst prevalence of an interval."""
    level, delta = drawn_level(rng), drawn_delta(rng)
    ends = sorted(F(rng.randint(1, 99), 100) for _ in range(2))
    solution = solve_over_interval(rropt.privacy.PrivacyRegion(level, delta), ends, fast=True)
    for design in [*solution.candidates, *([solution.hedge] if solution.hedge else [])]:
        assert is_private(design.mechanism.matrix, least_gamma(level), F(delta))


def linear(rng: random.Random) -> None:
    """Trace, also weighted and with delta; a loss at a population."""
    k, level, delta = rng.randint(2, 5), drawn_level(rng), drawn_delta(rng)
    loss = [[0 if i == j else rng.randint(1, 9) for j in range(k)] for i in range(k)]
    weights = [str(rng.randint(1, 9)) for _ in range(k)]
    asked: list[dict[str, Any]] = [
        {"categories": k},
        {"categories": k, "objective": rropt.objectives.Trace(weights)},
        {"objective": rropt.objectives.Loss(loss), "population": shares(rng, k)},
    ]
    posed = rropt.Problem.kary(epsilon=level, delta=delta, **rng.choice(asked))
    assert is_private(rropt.solve(posed, "all", fast=True).mechanism.matrix, least_gamma(level), F(delta))


def pairs(rng: random.Random) -> None:
    """A level for each pair of categories: by their distance, or any."""
    k = rng.randint(3, 4)
    if rng.random() < 0.5:
        levels = [[None if i == j else drawn_level(rng) for j in range(k)] for i in range(k)]
        posed = rropt.Problem.kary(k, level=rropt.privacy.pairs(levels), objective="trace")
    else:
        q = F(rng.randint(11, 30), 10)
        levels = [[None if i == j else f"log({q ** abs(i - j)})" for j in range(k)] for i in range(k)]
        posed = rropt.Problem.kary(k, level=rropt.privacy.metric("line", f"log({q})"), objective="trace")
    columns = list(zip(*rropt.solve(posed, "all", fast=True).mechanism.matrix, strict=True))
    for i, j in permutations(range(k), 2):
        if levels[i][j] is not None:
            gamma = least_gamma(str(levels[i][j]))
            assert all(a <= gamma * b for a, b in zip(columns[i], columns[j], strict=True))
    assert all(sum(column) == 1 and min(column) >= 0 for column in columns)


def estimation(rng: random.Random) -> None:
    """Every objective over any number of answers."""
    k, level = rng.choice((2, 3, 3, 4, 5)), drawn_level(rng)
    objective = rng.choice(
        (
            "a-optimal",
            "d-optimal",
            "e-optimal",
            "mutual-information",
            rropt.objectives.Contrast(["1", "-1", *(str(rng.randint(-3, 3)) for _ in range(k - 2))]),
            rropt.objectives.TotalVariation(shares(rng, k)),
            rropt.objectives.ChiSquare(shares(rng, k)),
        )
    )
    posed = rropt.Problem.kary(epsilon=level, objective=objective, population=shares(rng, k), outputs="any")
    assert is_private(rropt.solve(posed, fast=True).mechanism.matrix, least_gamma(level))


def polytope(rng: random.Random) -> None:
    """The worst population of a range of each share."""
    level, k = drawn_level(rng), rng.randint(2, 3)
    ranges = [f"{F(rng.randint(1, 6), 20)}..{F(rng.randint(9, 20), 20)}" for _ in range(k)]
    options = rng.choice(({"objective": "a-optimal"}, {"objective": rropt.objectives.Contrast(["1", "-1", "0"][:k])}))
    posed = rropt.Problem.kary(epsilon=level, population=ranges, outputs="any", **options)
    assert is_private(rropt.solve(posed, fast=True).mechanism.matrix, least_gamma(level))


def grouped(rng: random.Random) -> None:
    """Equal shares in groups, more categories than there are patterns for: all rows of few orbits are written out."""
    level, k = f"log({F(rng.randint(11, 900), 10)})", rng.randint(11, 14)
    posed = rropt.Problem.kary(k, epsilon=level, objective="a-optimal")
    mechanism = rropt.solve(posed, "all", fast=True).mechanism
    rows = [mechanism.row(i) for i in range(mechanism.outputs)] if mechanism.outputs <= 400 else None
    if rows is None:  # within a row there are two numbers, and every row of the orbit has them
        first = mechanism.row(0)
        assert max(first) <= least_gamma(level) * min(first)
    else:
        assert is_private(rows, least_gamma(level))


def few(rng: random.Random) -> None:
    """Two or three answers, entries within bounds."""
    level, k, m = drawn_level(rng), rng.randint(2, 3), rng.randint(2, 3)
    least = rng.choice((None, "1/50"))
    objective = rropt.objectives.Contrast(["1", "-1", "0"][:k])
    bounds = None if least is None else (least, None)
    posed = rropt.Problem.kary(epsilon=level, objective=objective, population=shares(rng, k), bounds=bounds, outputs=m)
    rows = rropt.solve(posed, "all", fast=True).mechanism.matrix
    assert is_private(rows, least_gamma(level))
    assert least is None or min(map(min, rows)) >= F(least)


def criterion(rng: random.Random) -> None:
    """No rise from rho_1 to rho_2, or a fall between the complements: parity at most that of the odds."""
    low, high = sorted(rng.sample(range(1, 40), 2))
    first, second = F(low, 40), F(high, 40)
    k, gamma = rng.randint(2, 4), second * (1 - first) / (first * (1 - second))
    region = CriterionRegion(rho_to_rho(str(first), str(second)), inputs=k, outputs="any")
    objective = rng.choice((rropt.objectives.AOptimality(), rropt.objectives.MutualInformation()))
    posed = rropt.Problem(region, objective, shares(rng, k))
    assert is_private(rropt.solve(posed, fast=True).mechanism.matrix, gamma)


def bits(rng: random.Random) -> None:
    """A budget split over several questions, as one mechanism of all of them."""
    level, n = drawn_level(rng), rng.randint(1, 4)
    prevalences = [str(F(rng.randint(0, 20), 20)) for _ in range(n)]
    mechanism = design_bits(
        level, prevalences=prevalences, objective=rng.choice(("marginals", "joint")), fast=True
    ).mechanism
    gamma = F(1)
    for factor in mechanism.factors:
        gamma *= max(max(row) / min(row) for row in factor.matrix)
    assert gamma <= least_gamma(level)


def repaired(rng: random.Random) -> None:
    """Floats that are not private, repaired."""
    level, delta, k = drawn_level(rng), rng.choice(("0", drawn_delta(rng))), rng.randint(2, 4)
    matrix = np.array([[rng.choice((0, 0.2, 1, 1, 5)) + rng.random() / 50 for _ in range(k)] for _ in range(k)])
    fixed = repair(matrix / matrix.sum(axis=0), level, delta, fast=True)
    assert is_private(fixed.mechanism.matrix, least_gamma(level), F(delta))


# kinds of problems, and how many of every hundred
KINDS: dict[Callable[[random.Random], None], int] = {
    binary: 22,
    interval: 6,
    linear: 16,
    pairs: 6,
    estimation: 28,
    polytope: 2,
    grouped: 4,
    few: 2,
    criterion: 4,
    bits: 6,
    repaired: 4,
}


@few_rows(3)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_mechanism_handed_out_is_private(
    kind: Callable[[random.Random], None], rng: random.Random, size: Callable[[int, int], int]
) -> None:
    for _ in range(KINDS[kind] * size(1, 50)):
        kind(rng)


def test_five_thousand_problems_of_all_kinds(size: Callable[[int, int], int]) -> None:
    assert sum(KINDS.values()) * size(1, 50) == size(100, 5000)


def test_the_oracle_refuses_what_is_a_little_too_much() -> None:
    """1e-50 of an entry too much, or of delta, at each form of level; and sums that are not 1."""
    tiny = F(1, 10**50)
    for level in ("log(3)", "1/2*log(5)", "7/10"):
        gamma = least_gamma(level)
        for delta in (F(0), F(1, 7)):
            p = (gamma + delta) / (gamma + 1)  # Warner's design at the edge
            for more in (0, tiny):
                assert is_private([[p + more, 1 - p - more], [1 - p - more, p + more]], gamma, delta) == (not more)
    assert not is_private([[F(1, 2), F(1, 2)], [F(1, 2), F(1, 2) + tiny]], F(3))
    assert least_gamma("1/2*log(5)") ** 2 < 5 < (least_gamma("1/2*log(5)") + F(1, 10**65)) ** 2
    assert abs(float(least_gamma("1")) - 2.718281828459045) < 1e-15
