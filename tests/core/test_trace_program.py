"""The trace problem at growing size: exact, and equal to its closed form."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from every_case import every_case
from few_rows import few_rows
from program_pool.oracle import oracle
from program_pool.trace_program import trace_program
from stress import STRESS

from rropt.core.linear import Optimal, solve, verify_optimal

F = Fraction
GAMMAS = [1 + F(1, 10**9), 1 + F(1, 10**6), F(1001, 1000), F(3, 2), F(3), F(100), F(10**6) + F(1, 7), F(10**9)]


def optimum(gamma: Fraction, weights: list[Fraction]) -> Fraction:
    program = trace_program(gamma, weights)
    outcome = solve(program)
    assert isinstance(outcome, Optimal)
    assert verify_optimal(program, outcome.primal, outcome.dual) is None
    return outcome.value


@pytest.mark.slow
@every_case("gamma", GAMMAS)
@every_case("k", [1, 2, 3, 7, 20])
def test_closed_form(k: int, gamma: Fraction) -> None:
    assert optimum(gamma, [F(1)] * k) == k * gamma / (gamma + k - 1)


@pytest.mark.slow
@few_rows(1)
@pytest.mark.parametrize("gamma", [GAMMAS[0], F(3), GAMMAS[-1]])
def test_sixty_categories(gamma: Fraction) -> None:
    value = optimum(gamma, [F(1)] * 60)
    assert value == 60 * gamma / (gamma + 59)


@few_rows(1)
@pytest.mark.parametrize("digits", [12, 20, 30])
def test_gamma_that_a_double_cannot_tell_from_one(digits: int) -> None:
    gamma = 1 + F(1, 10**digits)
    assert optimum(gamma, [F(1)] * 12) == 12 * gamma / (gamma + 11)


def test_general_weights_agree_with_the_oracle() -> None:
    rng = random.Random(4)
    for gamma in (1 + F(1, 10**9), F(3, 2), F(50), F(10**9)):
        weights = [F(rng.randint(1, 30), rng.randint(1, 9)) for _ in range(3)]
        assert optimum(gamma, weights) == oracle(trace_program(gamma, weights))[1]


@few_rows(1)
@pytest.mark.parametrize("gamma", [GAMMAS[0], F(3), GAMMAS[-1]])
def test_general_weights_do_not_depend_on_their_order(gamma: Fraction) -> None:
    rng = random.Random(5)
    weights = [F(rng.randint(1, 99), 10) for _ in range(24)]
    value = optimum(gamma, weights)
    assert optimum(gamma, weights[::-1]) == value
    assert optimum(gamma, [2 * weight for weight in weights]) == 2 * value


@pytest.mark.slow
@pytest.mark.parametrize("gamma", GAMMAS if STRESS else GAMMAS[:1])  # how long it takes: benchmarks/
@pytest.mark.parametrize("k", [60, 100] if STRESS else [60])
def test_full_size(k: int, gamma: Fraction) -> None:
    rng = random.Random(6)
    assert optimum(gamma, [F(1)] * k) == k * gamma / (gamma + k - 1)
    weights = [F(rng.randint(1, 99), 10) for _ in range(k)]
    assert optimum(gamma, weights) == optimum(gamma, weights[::-1])
