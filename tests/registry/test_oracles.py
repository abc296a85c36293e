"""What the entries of all papers compute with: laws, least integers and matrices, against other routes."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from math import comb, inf

import pytest

from rropt.mechanisms import Mechanism
from rropt_proofs import _matrices
from rropt_proofs._laws import (
    FiniteLaw,
    covariance_of,
    independent,
    law_of,
    level,
    mean_of,
    number_of_ones,
    variance_of,
    view_of,
)
from rropt_proofs._least import least_integer
from rropt_proofs.holohan2016._paper import optima

THIRD = Fraction(1, 3)


def _draw(rng: random.Random, outcomes: int) -> FiniteLaw:
    weights = [rng.randint(1, 9) for _ in range(outcomes)]
    return law_of((i, Fraction(w, sum(weights))) for i, w in enumerate(weights))


def test_the_number_of_ones_is_binomial_and_a_view_of_all_answers(rng: random.Random) -> None:
    for _ in range(10):
        n, p = rng.randint(0, 6), Fraction(rng.randint(1, 9), 10)
        law = number_of_ones([p] * n)
        assert law == {k: comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)}
        answer = law_of(((1, p), (0, 1 - p)))
        assert view_of(independent(*[answer] * n), sum) == law
        assert (mean_of(law), variance_of(law)) == (n * p, n * p * (1 - p))


def test_covariance(rng: random.Random) -> None:
    """The variance of a sum."""
    for _ in range(10):
        pair = view_of(independent(_draw(rng, 3), _draw(rng, 3)), lambda o: (o[0], o[0] + o[1]))
        first, second = (lambda o: o[0]), (lambda o: o[1])
        total = variance_of(pair, lambda o: o[0] + o[1])
        assert total == variance_of(pair, first) + variance_of(pair, second) + 2 * covariance_of(pair, first, second)


def test_a_law_has_chances() -> None:
    with pytest.raises(ArithmeticError):
        law_of(((0, THIRD),))
    with pytest.raises(ArithmeticError):
        law_of(((0, Fraction(4, 3)), (1, -THIRD)))


def test_the_level_of_laws_is_the_parity_and_may_be_infinite(rng: random.Random) -> None:
    for _ in range(10):
        columns = [_draw(rng, 3) for _ in range(rng.randint(1, 4))]
        rows = [[column[i] for column in columns] for i in range(3)]
        assert level(columns) == Mechanism(rows).parity() == _matrices.parity(_matrices.matrix(rows))
    assert level([law_of(((0, Fraction(1)),)), law_of(((0, THIRD), (1, 1 - THIRD)))]) == inf


def test_least_integers(size: Callable[[int, int], int]) -> None:
    for bound in range(1, size(60, 2000)):
        assert least_integer(lambda n, bound=bound: n >= bound) == bound
    assert least_integer(lambda n: n * n > 10**12, first=2) == 10**6 + 1
    asked: list[int] = []
    assert least_integer(lambda n: bool(asked.append(n)) or n >= 97) == 97
    assert {96, 97} <= set(asked)  # the two calls that the answer stands on


def test_matrices_against_the_library() -> None:
    assert _matrices.binary(Fraction(3, 4), THIRD) == Mechanism.binary(Fraction(3, 4), THIRD).matrix
    diagonal = _matrices.gamma_diagonal(Fraction(2), 4, 3)
    assert (len(diagonal), len(diagonal[0])) == (4, 3)
    assert _matrices.is_tpm(diagonal)
    assert _matrices.parity(diagonal) == Mechanism(diagonal).parity() == 2
    assert _matrices.row_ratio(Fraction(0), Fraction(0)) == 1
    assert _matrices.parity(_matrices.matrix("1 0; 0 1")) == inf
    assert _matrices.product(_matrices.identity(4), diagonal) == diagonal


def test_linear_systems_are_solved(rng: random.Random) -> None:
    for _ in range(20):
        size = rng.randint(1, 4)
        rows = tuple(tuple(Fraction(rng.randint(-3, 3)) + 9 * (i == j) for j in range(size)) for i in range(size))
        right = tuple(Fraction(rng.randint(-9, 9)) for _ in range(size))
        found = _matrices.solution(rows, right)
        assert tuple(sum(x * y for x, y in zip(row, found, strict=True)) for row in rows) == right
    with pytest.raises(ZeroDivisionError):
        _matrices.solution(_matrices.matrix("1 1; 1 1"), (Fraction(1), Fraction(2)))


def test_kronecker_products() -> None:
    a, b = Fraction(3, 4), Fraction(1, 4)
    assert _matrices.kronecker(((a, b),), ((Fraction(1), Fraction(2)),)) == ((a, 2 * a, b, 2 * b),)


@pytest.mark.parametrize("level", ["2 0 1/3", "3/2 1/10 1/2", "1 1/4 9/10"])
def test_the_solver_finds_the_best_warner_design_of_theorem_4(level: str) -> None:
    gamma, delta, pi = map(Fraction, level.split())
    best = (gamma + delta) / (gamma + 1)
    assert optima({"gamma": gamma, "delta": delta, "pi": pi}, family="warner") == {(best, best)}
