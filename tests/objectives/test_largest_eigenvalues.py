"""The largest eigenvalue of an exact symmetric matrix, also where eigenvalues are equal or nearly equal."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import rropt
from rropt.core.exact.flint_numbers import flint_matrix
from rropt.objectives import e_optimality

F = Fraction


def reflected(rng: random.Random, values: list[Fraction]) -> list[list[Fraction]]:
    """Return a symmetric matrix with these eigenvalues: Q D Q with the reflection Q = I - 2 v v^T/(v.v)."""
    n = len(values)
    v = [F(rng.randint(-9, 9)) for _ in range(n)]
    v[rng.randrange(n)] += 10
    square = sum(x * x for x in v)
    q = [[F(int(i == j)) - 2 * v[i] * v[j] / square for j in range(n)] for i in range(n)]
    return [[sum((q[i][m] * values[m] * q[m][j] for m in range(n)), F(0)) for j in range(n)] for i in range(n)]


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8])
def test_equal_and_nearly_equal_eigenvalues(n: int) -> None:
    rng, points = random.Random(n), 0
    for near in (F(0), F(1, 10**9), F(1, 10**40)):
        for _ in range(5):
            base = F(rng.randint(1, 50), rng.randint(1, 9))
            values = [base - near * rng.randint(0, 1) for _ in range(n - 1)] + [base]
            if rng.randrange(2):
                values[0] = base / 3 if n > 1 else base
            matrix = flint_matrix(reflected(rng, values))
            found = e_optimality._largest_eigenvalue(matrix)
            assert found.lower <= max(values) <= found.upper
            assert found.gap <= found.lower / 2**100
            points += 1
    assert points == 15


def test_a_design_with_equal_eigenvalues_ends() -> None:
    """Equal shares leave equal eigenvalues, whose enclosures stayed wide at every precision."""
    shares = [F(20, 67), F(1, 134), F(20, 67), F(13, 134), F(20, 67)]
    found = rropt.design.kary(epsilon=5, objective="e-optimal", population=shares, fast=True)
    assert found.status == "optimal"
    assert found.value == pytest.approx(0.31377022667228593, rel=1e-12)
