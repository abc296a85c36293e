"""Positive semidefiniteness by LDL^T, which claims are judged by: what it returns proves itself."""

from __future__ import annotations

from fractions import Fraction
from operator import mul

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rropt.core.linear import rank
from rropt_proofs._semidefinite import LDLT, NegativeDirection, ldlt

F = Fraction


@given(st.integers(1, 5), st.data())
def test_ldlt(n: int, data: st.DataObject) -> None:
    small = st.integers(-2, 2)
    factor = data.draw(st.lists(st.lists(small, min_size=n, max_size=n), min_size=1, max_size=n))
    gram = [[sum(row[i] * row[j] for row in factor) for j in range(n)] for i in range(n)]
    shift = data.draw(st.sampled_from([F(0), F(0), F(-1, 10**30), F(-1), F(1)]))
    matrix = [[gram[i][j] + (shift if i == j else 0) for j in range(n)] for i in range(n)]
    result = ldlt(matrix)
    if isinstance(result, NegativeDirection):
        v = list(result.vector)
        moved = [sum(map(mul, row, v)) for row in matrix]
        assert sum(map(mul, v, moved)) == result.value < 0
    else:
        lower, diagonal = result.lower, result.diagonal
        assert all(d >= 0 for d in diagonal)
        assert matrix == [
            [sum((lower[i][k] * diagonal[k] * lower[j][k] for k in range(n)), F(0)) for j in range(n)] for i in range(n)
        ]
    if shift >= 0:
        assert isinstance(result, LDLT)
    if shift == 0:
        assert sum(d > 0 for d in result.diagonal) == rank(gram)


@pytest.mark.parametrize("corner", [0, 5, -3])
def test_ldlt_with_a_zero_pivot(corner: int) -> None:
    """A zero on the diagonal with something beside it: never semidefinite."""
    matrix = [[1, 1, 0], [1, 1, 2], [0, 2, corner]]
    result = ldlt(matrix)
    assert isinstance(result, NegativeDirection)
    v = list(result.vector)
    assert sum(v[i] * matrix[i][j] * v[j] for i in range(3) for j in range(3)) == result.value < 0


def test_ldlt_refuses_what_is_no_symmetric_matrix() -> None:
    with pytest.raises(ValueError, match="not symmetric"):
        ldlt([[1, 2], [3, 1]])
    with pytest.raises(ValueError, match="not square"):
        ldlt([[1, 2]])
    assert ldlt([]) == LDLT((), ())
