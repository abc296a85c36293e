"""A-optimal designs: closed forms, the binary design, splits into patterns, the definition, and limits."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import pytest
from support.unrestricted_outputs import direct, population, problem, random_mechanism

import rropt
from rropt.core.errors import InvalidParameterError
from rropt.mechanisms import Mechanism
from rropt.mechanisms.fisher_information import information_inverse
from rropt.objectives import AOptimality, EstimatorVariance
from rropt.privacy import PrivacyRegion

F = Fraction
A = AOptimality()


def test_a_garbling_by_patterns(rng: random.Random) -> None:
    """Rows of any values are no better than the patterns they are made of: a row is split at its thresholds."""
    for _ in range(40):
        k, gamma = rng.randint(2, 4), F(rng.randint(2, 9))
        mechanism = random_mechanism(rng, k, gamma)
        rows = []
        for row in mechanism.matrix:
            low = min(row)
            steps = sorted({(x - low) / (gamma - 1) for x in row} | {F(0), low})
            for below, above in pairwise(steps):
                bits = [(x - low) / (gamma - 1) >= above for x in row]
                rows.append([(above - below) * (gamma if bit else 1) for bit in bits])
        split = Mechanism(rows)
        assert all(max(row) in (min(row), gamma * min(row)) for row in rows)
        pi = tuple(population(rng, k))
        if information_inverse(mechanism, pi) is not None:
            assert AOptimality().value(split, pi) <= AOptimality().value(mechanism, pi)


def test_the_value_is_the_variance_of_an_unbiased_estimate(rng: random.Random) -> None:
    """By its definition: estimates a_i = M^-1 p_i / (p_i . pi), mean pi' at every population pi', sum 1."""
    for _ in range(30):
        k = rng.randint(2, 4)
        pi, mechanism = population(rng, k), random_mechanism(rng, k, F(4))
        inverse = information_inverse(mechanism, tuple(pi))
        if inverse is None:
            continue
        estimates, means = [], []
        for row in mechanism.matrix:
            means.append(sum(p * x for p, x in zip(pi, row, strict=True)))
            estimates.append([sum(map(lambda a, b: a * b, line, row)) / (means[-1] or 1) for line in inverse])
        for j in range(k):
            assert [
                sum(a[r] * row[j] for a, row in zip(estimates, mechanism.matrix, strict=True)) for r in range(k)
            ] == [int(r == j) for r in range(k)]
        assert all(sum(a) == 1 for a, mean in zip(estimates, means, strict=True) if mean)
        total = sum(mean * sum(x * x for x in a) for a, mean in zip(estimates, means, strict=True))
        assert AOptimality().value(mechanism, pi) == total - sum(p * p for p in pi)
    assert AOptimality().value(Mechanism.binary("3/4", "2/3"), ["1/5", "4/5"]) == 2 * EstimatorVariance().value(
        Mechanism.binary("3/4", "2/3"), ["1/5", "4/5"]
    )


def test_limits_of_the_level() -> None:
    pi = [F(1, 2), F(1, 3), F(1, 6)]
    tiny = rropt.solve(problem("1/1000000000", A, pi), fast=True)
    assert abs(float(tiny.value) * 1e-18 - 6) < 1e-6  # (gamma - 1)^2 times the value of subset selection
    large = rropt.solve(problem("log(100000000000000000000)", A, pi), fast=True)
    assert float(large.value) == pytest.approx(1 - (1 / 4 + 1 / 9 + 1 / 36))


def test_a_criterion_that_is_only_enclosed(cli_json: Callable[..., dict]) -> None:
    """The certificate holds the proof of its level."""
    arguments = ("design", "kary", "--proportions", "1/2,1/3,1/6", "--objective", "a-optimal", "--fast")
    data = cli_json(*arguments, "--level", "curve:min(1, sqrt(p))")
    assert rropt.check(data["certificate"])
    assert F(data["lower"]) <= F(data["upper"]) <= F(data["lower"]) * F(10**9 + 1, 10**9)


def test_outputs_that_are_no_number_are_refused() -> None:
    for outputs in ("0", "1", "all", "-1"):
        data = problem("1", A, [F(1, 3)] * 3).to_dict()
        data["region"]["outputs"] = outputs
        with pytest.raises(InvalidParameterError, match="outputs"):
            rropt.Problem.from_dict(data)


def test_regions_of_any_number_of_answers() -> None:
    region = PrivacyRegion("log(3)", inputs=2, outputs="any")
    assert PrivacyRegion.from_dict(region.to_dict()) == region
    assert region.outputs == 0
    assert "output alphabet unrestricted" in str(region)
    for rows, inside in (([["3/4", "1/4"], ["1/4", "3/4"]], True), ([["4/5", "1/5"], ["1/5", "4/5"]], False)):
        assert region.contains(Mechanism(rows)) == inside
        halves = [[str(F(x) / 2) for x in row] for row in rows for _ in range(2)]
        assert region.contains(Mechanism(halves)) == inside
    assert not region.contains(direct(3, F(2)))
