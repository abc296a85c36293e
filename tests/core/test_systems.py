"""Exact linear algebra: every route returns the same exact answer, singular matrices are recognised."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

import pytest
from every_case import every_case
from hypothesis import given
from hypothesis import strategies as st

from rropt.core.exact.numbers import whole_numbers
from rropt.core.linear import RationalVector, SingularMatrixError
from rropt.core.linear.floats import reconstruct
from rropt.core.linear.integer_matrix import IntegerMatrix, integer_array
from rropt.core.linear.square_systems import Factors, FloatFactors, NoConvergenceError, _solves, independent_block

F = Fraction
entries = st.fractions(-4, 4, max_denominator=5)


def matrices(most: int) -> st.SearchStrategy[list[list[Fraction]]]:
    shape = st.tuples(st.integers(1, most), st.integers(1, most))
    sparse = st.one_of(st.just(F(0)), entries)
    return shape.flatmap(
        lambda mn: st.lists(st.lists(sparse, min_size=mn[1], max_size=mn[1]), min_size=mn[0], max_size=mn[0])
    )


def times(matrix: Sequence[Sequence[Fraction]], vector: Sequence[Fraction]) -> list[Fraction]:
    return [sum((a * x for a, x in zip(row, vector, strict=True)), F(0)) for row in matrix]


def naive_rank(matrix: Sequence[Sequence[Fraction]]) -> int:
    rows, found = [list(row) for row in matrix], 0
    for j in range(len(rows[0])):
        pivot = next((i for i in range(found, len(rows)) if rows[i][j]), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        for i in range(found + 1, len(rows)):
            factor = rows[i][j] / rows[found][j]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[found], strict=True)]
        found += 1
    return found


def cleared(rows: Sequence[Mapping[int, Fraction | int]], n: int) -> tuple[IntegerMatrix, list[int]]:
    """The rows without denominators, and the factor of each."""
    whole = [whole_numbers(row.values()) for row in rows]
    entries = [(tuple(row), values) for row, (values, _) in zip(rows, whole, strict=True)]
    return IntegerMatrix.from_rows(entries, n), [factor for _, factor in whole]


def solved(rows: Sequence[Mapping[int, Fraction | int]], rhs: Sequence[Fraction | int]) -> RationalVector:
    matrix, factors = cleared(rows, len(rows))
    right = RationalVector.of(factor * b for factor, b in zip(factors, rhs, strict=True))
    x = Factors(matrix).solve(integer_array(right.numerators))
    return RationalVector(x.numerators, x.denominator * right.denominator)


def random_sparse(n: int, per_row: int, size: int, seed: int) -> IntegerMatrix:
    rng = random.Random(seed)
    rows = []
    for i in range(n):
        row = {j: rng.randint(-size, size) for j in rng.sample(range(n), min(per_row, n))}
        row[i] = rng.randint(1, size)
        rows.append(row)
    return cleared(rows, n)[0]


def by_flint(matrix: IntegerMatrix) -> Factors:
    factors = Factors(matrix)
    factors._floats = None
    return factors


@every_case(
    ("n", "per_row", "size"), [(1, 1, 9), (6, 3, 9), (40, 40, 9), (60, 3, 10**12), (90, 2, 3), (120, 4, 9), (400, 2, 2)]
)
def test_all_routes_agree(n: int, per_row: int, size: int) -> None:
    matrix = random_sparse(n, per_row, size, n)
    rhs = integer_array(random.Random(n).randint(-(10**6), 10**6) for _ in range(n))
    solutions, transposed = set(), set()
    for route in (FloatFactors, by_flint, Factors):
        try:
            factors = route(matrix)
            x, y = factors.solve(rhs), factors.solve(rhs, transposed=True)
        except NoConvergenceError:
            assert route is FloatFactors  # it may give up on long answers
            continue
        solutions.add(x)
        transposed.add(y)
    assert len(solutions) == len(transposed) == 1
    (x,), (y,) = solutions, transposed
    assert (matrix.times(integer_array(x.numerators)) == rhs * x.denominator).all()
    assert (matrix.transpose().times(integer_array(y.numerators)) == rhs * y.denominator).all()


def test_the_float_route_really_serves() -> None:
    """A bidiagonal system of order 2000: a short answer, found by floats alone."""
    n = 2000
    matrix, _ = cleared([{i: 3, (i + 1) % n: -1} for i in range(n)], n)
    solution = FloatFactors(matrix).solve(integer_array([1] * n))
    assert solution == RationalVector((1,) * n, 2)


@pytest.mark.parametrize("n", [3, 30, 70])
def test_hilbert(n: int) -> None:
    """The condition number of the largest is about 10^105: floats are of no use."""
    hilbert = [[F(1, i + j + 1) for j in range(n)] for i in range(n)]
    x = solved([dict(enumerate(row)) for row in hilbert], times(hilbert, [F(j, 3) for j in range(n)]))
    assert list(x) == [F(j, 3) for j in range(n)]


@every_case("digits", [9, 20, 300])
@every_case("n", [2, 80])
def test_nearly_singular(n: int, digits: int) -> None:
    hair = F(1, 10**digits)
    rows: list[dict[int, Fraction | int]] = [{i: 1, (i + 1) % n: -1} for i in range(n)]
    rows[-1] = {n - 1: 1, 0: -1 + hair}  # a cycle of differences would be singular without the hair
    x = solved(rows, [0] * (n - 1) + [hair])
    assert set(x) == {F(1)}


def test_entries_of_all_sizes() -> None:
    n = 60
    scale = [F(10) ** (37 * (i % 17) - 300) for i in range(n)]
    rows = [{i: scale[i] * 2, (i * 7 + 3) % n: scale[i] * F(1, 3)} for i in range(n)]
    x = solved(rows, [scale[i] for i in range(n)])
    for i, row in enumerate(rows):
        assert sum((value * x[j] for j, value in row.items()), F(0)) == scale[i]


@pytest.mark.parametrize("n", [1, 5, 60, 200])
def test_singular_matrices_are_recognised(n: int) -> None:
    rows: list[dict[int, int]] = [{i: 1, (i + 1) % n: -1} for i in range(n)] if n > 1 else [{}]
    with pytest.raises(SingularMatrixError, match="no unique solution"):
        solved(rows, [0] * n)


def test_systems_that_are_not_square_are_refused() -> None:
    with pytest.raises(SingularMatrixError, match=r"shape \(1, 2\)"):
        Factors(IntegerMatrix.from_rows([((0, 1), (1, 2))], 2))


@given(matrices(6))
def test_independent_block(matrix: list[list[Fraction]]) -> None:
    integers, _ = cleared([dict(enumerate(row)) for row in matrix], len(matrix[0]))
    rows, columns = independent_block(integers)
    assert len(rows) == len(columns) == naive_rank(matrix)
    assert not rows or naive_rank([[matrix[i][j] for j in columns] for i in rows]) == len(rows)


def test_independent_block_of_a_large_sparse_matrix() -> None:
    n = 150
    matrix, _ = cleared([{i: 1, (i + 1) % n: -1} for i in range(n)] + [{0: 1, 1: -1}], n)
    rows, columns = independent_block(matrix)
    assert len(rows) == len(columns) == n - 1
    assert len(set(rows)) == n - 1


@given(st.lists(entries, max_size=6))
def test_rational_vectors(values: list[Fraction]) -> None:
    vector = RationalVector.of(values)
    assert list(vector) == values
    assert [vector[j] for j in range(len(vector))] == values
    assert list(vector[1:]) == values[1:]
    assert vector == RationalVector(tuple(6 * v for v in vector.numerators), 6 * vector.denominator)


@given(st.lists(st.fractions(-(10**6), 10**6, max_denominator=10**4), min_size=1, max_size=5), st.integers(0, 7))
def test_reconstruction(values: list[Fraction], error: int) -> None:
    vector, bits = RationalVector.of(values), 400
    rounded = integer_array(int(value * 2**bits) + error - 3 for value in values)
    assert reconstruct(rounded, bits, 9) == vector


def test_reconstruction_does_not_guess() -> None:
    generator = random.Random(1)
    for count in (1, 3):
        noise = integer_array(generator.randrange(2**64) for _ in range(count))
        assert reconstruct(noise, 64, 1) is None


def test_reconstruction_stops_when_the_common_denominator_is_too_long() -> None:
    """Each fraction alone could be distinguished from its neighbours, their common denominator cannot."""
    primes = [1009, 1013, 1019, 1021, 1031, 1033, 1039]
    rounded = integer_array(round(F(1, p) * 2**64) for p in primes)
    assert reconstruct(rounded[:2], 64, 1) == RationalVector.of([F(1, p) for p in primes[:2]])
    assert reconstruct(rounded, 64, 1) is None


def test_large_systems(size: Callable[[int, int], int]) -> None:
    n = size(800, 2000)
    matrix = random_sparse(n, 2, 5, 7)
    rhs = integer_array([1] * n)
    x = Factors(matrix).solve(rhs)
    assert (matrix.times(integer_array(x.numerators)) == rhs * x.denominator).all()


def test_a_candidate_is_compared_with_its_denominator() -> None:
    matrix, rhs = IntegerMatrix.from_rows([((0, 1), (2, 1)), ((1,), (6,))], 2), integer_array([3, 4])
    for candidate, is_solution in (([F(7, 6), F(2, 3)], True), ([F(7, 6), F(1, 3)], False), ([F(0), F(0)], False)):
        assert _solves(matrix, RationalVector.of(candidate), rhs) is is_solution
