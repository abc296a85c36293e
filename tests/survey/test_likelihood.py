"""The constrained estimate: its gap is honest, small, and zero where a closed form holds."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from fractions import Fraction

import pytest
from every_case import every_case

from rropt.inference import estimate, likelihood_gap
from rropt.inference.count_estimates import LIKELIHOOD_GAP
from rropt.mechanisms import Mechanism, named_mechanism


def log_likelihood(mechanism: Mechanism, counts: Sequence[int], population: Sequence[Fraction]) -> float:
    """Per response; -inf where an observed answer is impossible."""
    total = 0.0
    for row, count in zip(mechanism.matrix, counts, strict=True):
        p = sum((x * y for x, y in zip(row, population, strict=True)), Fraction(0))
        if count:
            total += count * math.log(p) if p else -math.inf
    return total / sum(counts)


@pytest.mark.slow
def test_gap_bounds_what_any_population_gains(
    random_mechanism: Callable[[int, int], Mechanism], rng: random.Random, size: Callable[[int, int], int]
) -> None:
    points = 0
    for _ in range(size(150, 3000)):
        m, k = rng.choice([(2, 2), (3, 2), (3, 3), (6, 4), (5, 5)])
        mechanism = random_mechanism(m, k)
        counts = [rng.choice([0, rng.randint(0, 30), rng.randint(0, 1000)]) for _ in range(m)]
        if not sum(counts):
            continue
        here, there = (_random_population(rng, k) for _ in range(2))
        gap = likelihood_gap(mechanism, counts, here)
        if gap is None:
            assert log_likelihood(mechanism, counts, here) == -math.inf
            continue
        gain = log_likelihood(mechanism, counts, there) - log_likelihood(mechanism, counts, here)
        assert gain <= float(gap) + 1e-12
        best = estimate(mechanism, counts)
        assert best.likelihood_gap <= LIKELIHOOD_GAP
        assert sum(best.constrained_estimate) == 1
        assert min(best.constrained_estimate) >= 0
        value = log_likelihood(mechanism, counts, best.constrained_estimate)
        assert value >= log_likelihood(mechanism, counts, there) - 1e-9
        assert likelihood_gap(mechanism, counts, best.constrained_estimate) == best.likelihood_gap
        points += 1
    assert points > size(150, 3000) // 2


def _random_population(rng: random.Random, k: int) -> tuple[Fraction, ...]:
    weights = [rng.choice([0, rng.randint(0, 10)]) for _ in range(k)]
    weights[rng.randrange(k)] += 1
    return tuple(Fraction(w, sum(weights)) for w in weights)


@every_case(
    "counts",
    [
        [1, 10**14, 10**14],
        [10**15 - 2, 1, 1],
        [0, 0, 1],
        [1, 0, 0],
        [10**7, 1, 0],
        [0, 10**15, 0],
        [3 * 10**14, 3 * 10**14, 4 * 10**14],
    ],
)
@every_case("truth", ["1/3", "1/2", "999/1000", "999999/1000000", "334/1000"])
def test_very_unequal_counts(counts: list[int], truth: str) -> None:
    p = Fraction(truth)
    if p == Fraction(1, 3):
        p += Fraction(1, 10**6)
    q = (1 - p) / 2
    mechanism = Mechanism([[p if i == j else q for j in range(3)] for i in range(3)])
    result = estimate(mechanism, counts)
    assert result.likelihood_gap <= LIKELIHOOD_GAP


def test_two_categories_three_answers_against_a_root() -> None:
    """Kuk, two draws: N = (10, 20, 30); the score vanishes at 13/16, a simple fraction that is found exactly."""
    result = estimate(named_mechanism("kuk:3/4,1/4,2"), [10, 20, 30])
    assert result.constrained_estimate == (Fraction(3, 16), Fraction(13, 16))
    assert result.likelihood_gap == 0
    assert result.estimate[1] == Fraction(5, 6)


def test_rows_that_underflow_in_floats() -> None:
    """The likelihood does not see the scale of a row: answers of probability 10^-350 still decide."""
    tiny = Fraction(1, 10**350)
    rows = [[1 - 3 * tiny, 1 - 5 * tiny, 1 - 4 * tiny], [2 * tiny, tiny, tiny], [tiny, 4 * tiny, 3 * tiny]]
    result = estimate(Mechanism(rows), [1, 60, 30])
    assert result.likelihood_gap <= LIKELIHOOD_GAP


def test_maximum_on_a_face_is_seen_from_its_subproblem() -> None:
    """Where a category is at 0, dropping it does not change the others."""
    p, q = Fraction(3, 5), Fraction(1, 5)
    full = Mechanism([[p if i == j else q for j in range(3)] for i in range(3)])
    counts = [500, 400, 50]
    result = estimate(full, counts)
    assert result.constrained_estimate[2] == 0
    reduced = estimate(Mechanism([row[:2] for row in full.matrix]), counts)
    assert float(result.constrained_estimate[0]) == pytest.approx(float(reduced.constrained_estimate[0]), abs=1e-9)


def test_chrome_attribution_reporting() -> None:
    """k-ary randomized response with epsilon = 14, k = 165 (probability of a random answer 0.01372 %)."""
    k, noise = 165, Fraction(1372, 10**7)
    off = noise / k
    on = 1 - (k - 1) * off
    mechanism = Mechanism([[on if i == j else off for j in range(k)] for i in range(k)])
    rng = random.Random(5)
    counts = [rng.choice([0, 0, 1, 5, 100, 10_000]) for _ in range(k)]
    result = estimate(mechanism, counts)
    errors = result.standard_errors
    n = sum(counts)
    assert result.estimate == tuple((Fraction(count, n) - off) / (on - off) for count in counts)
    assert len(errors) == k
    assert result.likelihood_gap <= LIKELIHOOD_GAP
