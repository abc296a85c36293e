"""Designs for many equally frequent categories: gaps to the bound of all mechanisms, records, limits, refusals."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction

import pytest
from few_rows import few_rows

from rropt import solve
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.designs import Solution
from rropt.designs.block_designs import CHANCE_BITS, best_blocks, default_output_bits
from rropt.designs.problem import Problem, uniform
from rropt.mechanisms import Mechanism, OrbitMechanism
from rropt.mechanisms.families import BlockMechanism, uniform_bound
from rropt.objectives import AOptimality
from rropt.privacy import PrivacyRegion

F = Fraction


def _solved(k: int, epsilon: object, bits: int | None = None, objective: str = "a-optimal") -> Solution:
    problem = Problem.kary(k, epsilon=epsilon, objective=objective, outputs=None if bits is None else f"2^{bits}")
    return solve(problem, fast=True)  # a design that is read has no twins


@few_rows(1)
@pytest.mark.parametrize("k", [2925, 10_000, 1_000_000])
def test_short_responses_come_near_all_mechanisms(k: int, size: Callable[[int, int], int]) -> None:
    """At most 64 k outputs, epsilon from 1/2 to 4, at full size in steps of 1/50.

    The largest gap is 5.12e-4, at k = 2925 and epsilon = 3.84; all others are below 3.4e-4.
    """
    steps = size(4, 176)
    for i in range(steps):
        epsilon = F(1, 2) + F(7, 2) * F(i, steps - 1)
        found = solve(Problem(PrivacyRegion(epsilon, inputs=k, outputs=64 * k), AOptimality(), uniform(k)))
        most = F(512, 10**6) if (k, epsilon) == (2925, F(96, 25)) else F(34, 10**5)
        assert found.gap <= most * found.lower, epsilon
        assert found.mechanism.outputs <= 64 * k
    assert steps >= 4


@pytest.mark.slow
@pytest.mark.parametrize("k", [10_000, 2925, 1_000_000])
def test_long_responses_come_within_3e_4_of_all_mechanisms(k: int, size: Callable[[int, int], int]) -> None:
    """Responses of max(32, 2 log2 k + 1) bits, epsilon from 1/2 to 14."""
    steps = size(8, 271)
    for i in range(steps):
        epsilon = F(1, 2) + F(27, 2) * F(i, steps - 1)
        found = _solved(k, epsilon)
        assert found.gap <= F(3, 10_000) * found.lower
        assert found.mechanism.output_bits <= default_output_bits(k)
    for epsilon in ("709/100", "208/25"):  # the worst of a fine grid at 2 925 and 10^4
        assert _solved(k, epsilon).gap <= F(3, 10_000) * _solved(k, epsilon).lower


def test_the_largest_field_that_the_outputs_allow_is_tried() -> None:
    """Between epsilon 5 and 12 short responses leave a gap: hyperplanes of the sparsest plane have the least."""
    region = PrivacyRegion(10, inputs=10**6, outputs=64 * 10**6)
    found = solve(Problem(region, AOptimality(), uniform(10**6)))
    assert found.mechanism.blocks.family == "projective"
    assert found.gap <= F(3, 10) * found.lower
    assert found.certificate.check()


@pytest.mark.slow
def test_a_design_is_certified_and_comes_back() -> None:
    for k, epsilon, bits, objective in (
        (2925, 1, None, "a-optimal"), (10**6, "log(3)", 26, "a-optimal"), (50, 2, 10, "a-optimal"),
        (455, 14, None, "mutual-information"), (2925, 1, None, "e-optimal"), (1000, "1/2", None, "d-optimal"),
        (101, 1, 14, "e-optimal"), (101, 1, 14, "mutual-information"), (10**6, 1, None, "d-optimal"),
    ):  # fmt: skip
        found = _solved(k, epsilon, bits, objective)
        assert found.certificate.check()
        assert found.problem.region.one_level().epsilon.exact_gamma() >= found.mechanism.parity()
        again = Solution.from_dict(json.loads(json.dumps(found.to_dict())))
        assert again == found
        assert again.to_dict() == found.to_dict()
        assert Problem.from_json(found.problem.to_json()) == found.problem
        if bits is not None:
            assert found.mechanism.outputs <= 2**bits
    text = str(_solved(10**6, 1))
    assert "one fast transform yields the counts of all categories" in text
    assert "affine design (classes), k = 1000000" in text


@pytest.mark.slow
def test_the_value_is_that_of_other_classes_at_300_categories() -> None:
    """The bound of all mechanisms is the optimum that the class of groups proves at equal shares."""
    few = solve(Problem.kary(128, epsilon="log(3)", objective="a-optimal"))
    many = _solved(128, "log(3)", 62)
    assert isinstance(few.mechanism, OrbitMechanism)
    assert many.lower == few.value
    assert many.upper / few.value - 1 < F(1, 1000)
    capacity = solve(Problem.kary(10, epsilon=1, objective="mutual-information"))
    other = _solved(10, 1, 62, "mutual-information")
    assert max(capacity.lower, other.lower) <= min(capacity.upper, other.upper)


@pytest.mark.slow
def test_primes_are_exactly_optimal_at_rational_levels() -> None:
    for q in (101, 457, 2927, 10_007, 1_000_003):
        for gamma in ("3/2", "3", "20"):
            d = uniform_bound(q, F(gamma))[1]
            found = _solved(q, f"log({gamma})", 41 if q > 10**6 else 32, "e-optimal")
            assert found.gap == 0
            assert found.mechanism.blocks.density == F(d, q)


def test_published_flip_probabilities() -> None:
    """The unit tests of Chromium and Android: 455 and 2 925 states at epsilon = 14."""
    for k, flip in ((455, 0.0003782027903293844), (2925, 0.002426322167983409)):
        made = _solved(k, 14, None, "mutual-information").mechanism
        assert made.blocks.family == "direct"
        assert abs(float(1 - made.hit) * k / (k - 1) - flip) < 1e-15


def test_the_chance_of_the_truth_is_a_short_rational() -> None:
    for k, epsilon in ((2925, "1/3"), (10**6, 7), (500, "13/10")):
        made = _solved(k, epsilon).mechanism
        assert made.hit.denominator <= 2**CHANCE_BITS
        exact = BlockMechanism(made.blocks, made.gamma)
        assert exact.total_variance() == made.total_variance()


@pytest.mark.slow
def test_closed_forms_at_random_sizes(size: Callable[[int, int], int]) -> None:
    """k-ary randomized response and its capacity by their own formulas, to a million categories."""
    import random
    from math import log

    rng, tried = random.Random(7), 0
    for _ in range(size(15, 300)):
        k, gamma = int(10 ** rng.uniform(2.5, 6)), F(rng.randint(2, 10**7))
        found = _solved(k, f"log({gamma})", None, "mutual-information")
        u = float(gamma) * log(float(gamma)) / (float(gamma) - 1)
        d = found.mechanism.blocks.density * k
        assert abs(float(d) - k * (u - 1) / (float(gamma) - 1)) <= 1 or d == 1
        p = float(found.mechanism.hit)
        told = p * log(p * k / d) + (1 - p) * log((1 - p) * k / (k - d))
        assert abs(told - float(found.value)) < 1e-8 * max(1, told)
        tried += 1
    assert tried >= 15


def test_every_family_is_chosen_somewhere() -> None:
    chosen = {best_blocks(k, F(g), 2**bits).family for k, g, bits in (
        (1000, 3, 20), (10**6, 400, 41), (300, 10**6, 20), (10**6, 2980, 25), (500, 3, 9),
    )}  # fmt: skip
    assert chosen >= {"affine-classes", "affine", "direct", "projective"}
    for q, gamma in {2: F(4, 3), 3: F(9, 4), 5: F(5), 7: F(6)}.items():  # planes, with as many outputs as inputs
        assert best_blocks(q * q + q + 1, gamma, q * q + q + 1).family == "projective"


@pytest.mark.slow
def test_a_uniform_problem_needs_as_many_inputs() -> None:
    problem = Problem.kary(1000, epsilon=1, objective="a-optimal")
    assert problem.is_uniform
    with pytest.raises(InvalidParameterError, match="has 999 entries"):
        Problem(problem.region, problem.objective, uniform(999))
    assert list(problem.population)[:2] == [F(1, 1000)] * 2
    assert hash(problem) == hash(Problem.from_json(problem.to_json()))
    assert isinstance(solve(problem).mechanism, Mechanism)


def test_tiny_information_is_not_negative() -> None:
    """At epsilon = 1e-12 the information is about epsilon^2/8; at 1e-30 it is below the checker's 60 digits."""
    found = _solved(300, "1e-12", None, "mutual-information")
    assert 0 < found.lower <= found.upper < F(126, 10**27)
    with pytest.raises(UnsupportedProblemError, match="60 digits"):
        _solved(300, "1e-30", None, "mutual-information")


def test_a_problem_with_long_responses_comes_back_from_its_json() -> None:
    """Outputs beyond 10^9 come from ``output_bits``; a file with more, or with as many categories, is refused."""
    for bits in (20, 30, 62):
        problem = Problem.kary(10**6, epsilon=1, objective="a-optimal", outputs=f"2^{bits}")
        assert Problem.from_json(problem.to_json()) == problem
    found = _solved(10**6, 1, bits=40)
    assert found.problem.region.outputs == 2**40
    assert Solution.from_json(found.to_json()) == found
    data = found.problem.to_dict()
    for name, digits in (("outputs", 20), ("inputs", 10)):
        with pytest.raises(InvalidParameterError, match=f"{name} is not a size: .* of at most {digits - 1} digits"):
            Problem.from_dict({**data, "region": {**data["region"], name: "1" * digits}})
