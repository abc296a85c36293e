"""Mechanisms a I + u 1^T: the closed forms against the general ones, and the exact maximum of the likelihood."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest

from rropt.inference import estimate
from rropt.inference.likelihood import likelihood_gap, share_error
from rropt.mechanisms import Mechanism, named_mechanism
from rropt.mechanisms.left_inverse import gamma_diagonal


def random_form(rng: random.Random) -> tuple[Fraction, list[Fraction]]:
    """Return a and u: u with zeros, with tiny entries, all alike; a near 0 too, and below it."""
    k = rng.randint(2, 6)
    weights = [rng.choice([0, 1, 1, rng.randint(1, 10**9)]) for _ in range(k)]
    weights[0] += not sum(weights)
    a = rng.choice([Fraction(rng.randint(1, 99), 100), Fraction(1, 10**12), Fraction(1)])
    if a < 1 and rng.random() < 0.3:
        weights = [1] * k
        if rng.random() < 0.3:
            a = Fraction(-1, rng.randint(k, 50))
    return a, [(1 - a) * Fraction(w, sum(weights)) for w in weights]


def mechanism_of(a: Fraction, u: list[Fraction]) -> Mechanism:
    return Mechanism([[x + a * (i == j) for j in range(len(u))] for i, x in enumerate(u)])


@pytest.mark.slow
def test_closed_forms(rng: random.Random, size: Callable[[int, int], int]) -> None:
    inside = outside = 0
    for _ in range(size(300, 5000)):
        a, u = random_form(rng)
        mechanism, k = mechanism_of(a, u), len(u)
        form = gamma_diagonal(mechanism)
        assert form is not None
        assert (form.truth, list(form.other)) == (a, u)
        inverse = form.inverse()
        product = [[sum(x * mechanism[i, j] for i, x in enumerate(row)) for j in range(k)] for row in inverse]
        assert product == [[int(i == j) for j in range(k)] for i in range(k)]
        counts = [rng.choice([0, 1, rng.randint(0, 10), rng.randint(0, 10**6)]) for _ in range(k)]
        counts[0] += not sum(counts)
        n, result = sum(counts), estimate(mechanism, counts)
        assert list(result.estimate) == [(Fraction(x, n) - y) / a for x, y in zip(counts, u, strict=True)]
        if a > 0:
            assert min(result.constrained_estimate) >= 0
            assert sum(result.constrained_estimate) == 1
            assert result.likelihood_gap == 0
            assert likelihood_gap(mechanism, counts, result.constrained_estimate) == 0
            if min(result.estimate) >= 0:
                assert result.constrained_estimate == result.estimate
                inside += 1
            else:
                outside += 1
        covariance = result.covariance()
        for i in range(k):
            pick = [Fraction(int(i == j)) for j in range(k)]
            shares = [Fraction(x, n) for x in counts]
            weights = inverse[i]
            mean = sum(w * x for w, x in zip(weights, shares, strict=True))
            square = sum(w * w * x for w, x in zip(weights, shares, strict=True))
            assert covariance[i][i] == result.variance(pick) == (square - mean**2) / n
    assert inside >= 10
    assert outside >= 100


def test_other_matrices_have_no_such_form(rng: random.Random) -> None:
    for _ in range(100):
        a, u = random_form(rng)
        rows = [list(row) for row in mechanism_of(a, u).matrix]
        j = rng.randrange(len(u))
        if len(u) == 2 or a == 1:
            continue
        first, second = rng.sample(range(len(u)), 2)
        moved = rows[first][j] / 3
        rows[first][j] -= moved
        rows[second][j] += moved
        assert (gamma_diagonal(Mechanism(rows)) is None) == (moved != 0)
    assert gamma_diagonal(named_mechanism("warner:1/2")) is None
    assert gamma_diagonal(named_mechanism("kuk:4/5,1/5,2")) is None


def test_a_nearly_flat_likelihood() -> None:
    """GRR at epsilon 6e-9: answers say next to nothing, and the maximum is a corner all the same, exactly."""
    parity = 1 + Fraction(6, 10**9)
    mechanism = Mechanism([[(parity if i == j else 1) / (parity + 2) for j in range(3)] for i in range(3)])
    result = estimate(mechanism, [400, 330, 270])
    assert result.constrained_estimate == (1, 0, 0)
    assert result.likelihood_gap == 0
    even = estimate(mechanism, [10**9 + 1, 10**9, 10**9 - 1])
    assert even.likelihood_gap == 0
    assert even.constrained_estimate == even.estimate


def test_a_thousand_categories(rng: random.Random) -> None:
    counts = [rng.randint(900, 1100) for _ in range(1000)]
    result = estimate(named_mechanism("grr:1000,1/10"), counts)
    assert result.likelihood_gap == 0
    assert sum(result.constrained_estimate) == sum(result.estimate) == 1
    assert min(result.constrained_estimate) >= 0


def test_a_flat_likelihood_of_another_form() -> None:
    """No closed form: the corner is tried exactly, and where shares are uncertain that is said."""
    tiny, third = Fraction(6, 10**9), Fraction(1, 3)
    pattern = ((2, -1, 0), (-1, 2, -1), (-1, -1, 1))
    mechanism = Mechanism([[third + tiny * x for x in row] for row in pattern])
    assert gamma_diagonal(mechanism) is None
    result = estimate(mechanism, [1000, 1000, 1001])
    assert (result.constrained_estimate, result.likelihood_gap) == ((0, 0, 1), 0)
    shares = (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2))
    gap = likelihood_gap(mechanism, result.counts, shares)
    assert 0 < gap < Fraction(1, 10**9)
    assert share_error(mechanism, result.counts, shares, result.estimator, gap) == 1
    *_, told = replace(result, constrained_estimate=shares, likelihood_gap=gap).remarks()
    assert told.startswith("the constrained estimate is numerical: ")
    assert told.endswith("the likelihood is nearly flat: the most likely proportions may differ by up to 1")
    sharp = Mechanism([["3/5", "1/5", "1/10"], ["1/5", "3/5", "1/5"], ["1/5", "1/5", "7/10"]])
    best = estimate(sharp, [10, 50, 40])
    error = share_error(sharp, best.counts, best.constrained_estimate, best.estimator, best.likelihood_gap)
    assert error <= 1e-6
    *_, told = replace(best, likelihood_gap=Fraction(2, 10**9)).remarks()
    assert told.startswith("the constrained estimate is rough, because the search did not converge: ")
    assert told.endswith("higher by more than 2e-09 (proved exactly)")
    assert estimate("grr:33,1/2", [1] * 33).efficient_covariance() is None  # more than 1024 entries
