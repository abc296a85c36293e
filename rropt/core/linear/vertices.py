"""Vertices of a polytope of low dimension, by exact enumeration of its bases."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from rropt.core.exact.flint_numbers import as_fraction
from rropt.core.exact.numbers import dot, whole_numbers


def vertices(rows: Sequence[Sequence[Fraction | int]]) -> tuple[tuple[Fraction, ...], ...]:
    """Return the vertices of ``{z : a_i . z + c_i >= 0}``, in the order in which their bases are found.

    A vertex in dimension d is the unique common zero of d of the affine forms, so all are found among the C(m, d)
    choices of d rows.

    Args:
        rows: exact rows ``(a_i, c_i)``, each of length d + 1, with d >= 1.

    >>> square = vertices([(1, 0, 0), (0, 1, 0), (-1, 0, 1), (0, -1, 1)])
    >>> [tuple(map(str, point)) for point in square]
    [('0', '0'), ('0', '1'), ('1', '0'), ('1', '1')]
    """
    from flint import fmpz_mat

    exact = [whole_numbers(row)[0] for row in rows]
    found = dict[tuple[Fraction, ...], None]()
    for basis in combinations(exact, len(exact[0]) - 1):
        try:
            solved = fmpz_mat([row[:-1] for row in basis]).solve(fmpz_mat([[-row[-1]] for row in basis]))
        except ZeroDivisionError:  # not exactly one common zero
            continue
        point = tuple(map(as_fraction, solved.entries()))
        if point not in found and all(dot(point, row[:-1]) >= -row[-1] for row in exact):
            found[point] = None
    return tuple(found)
