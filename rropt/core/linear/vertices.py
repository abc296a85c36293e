"""Vertices of a polyhedron of low dimension, by exact enumeration of its bases.

A vertex of ``{z : a_i . z + c_i >= 0}`` in dimension d is the unique common zero of d of the affine forms. All vertices
are therefore found among the C(m, d) choices of d rows. Points are kept in homogeneous coordinates ``(z w, w)``, w > 0,
which need no division. The entries may belong to any ordered commutative ring (``int``, ``Fraction``, ``ExactReal``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from rropt.core.exact.numbers import whole_numbers
from rropt.core.exact.reals import ExactReal, Scalar


@dataclass(frozen=True, slots=True)
class Vertex:
    """A vertex and the rows that are tight there.

    Attributes:
        homogeneous: ``(z_1 w, ..., z_d w, w)`` with w > 0.
        tight: indices of all rows whose form is zero at the vertex.
    """

    homogeneous: tuple[Scalar, ...]
    tight: tuple[int, ...]

    def point(self) -> tuple[Fraction, ...]:
        """Return the coordinates of the vertex; its homogeneous coordinates must be rational."""
        exact = [x.rational if isinstance(x, ExactReal) else Fraction(x) for x in self.homogeneous]
        rational = [x for x in exact if x is not None]
        if len(rational) < len(exact):
            raise ValueError("the vertex is irrational: take its homogeneous coordinates")
        *z, w = rational
        return tuple(x / w for x in z)


def vertices(rows: Sequence[Sequence[Scalar]]) -> tuple[Vertex, ...]:
    """Return all vertices of ``{z : sum_j row[j] z_j + row[d] >= 0 for every row}``.

    Args:
        rows: m rows of d + 1 entries (coefficients, constant), 1 <= d <= 4, exact.

    Returns:
        The vertices, each once, in no particular order; empty if the polyhedron is empty or contains a line.

    Cost: C(m, d) determinants of size d and m signs for each.
    """
    # rational rows become integers (the same half-space), whose products need no reduction of fractions
    exact = [row if any(isinstance(x, ExactReal) for x in row) else whole_numbers(row)[0] for row in rows]  # type: ignore[arg-type]
    found: dict[tuple[int, ...], Vertex] = {}
    for basis in combinations(range(len(exact)), len(exact[0]) - 1):
        point = _zero_of_basis([exact[i] for i in basis])
        if point is None:
            continue
        values = [sum(x * y for x, y in zip(row, point, strict=True)) for row in exact]
        if all(value >= 0 for value in values):
            tight = tuple(i for i, value in enumerate(values) if value == 0)
            found.setdefault(tight, Vertex(tuple(point), tight))  # the tight rows determine the vertex
    return tuple(found.values())


def common_zero(rows: Sequence[Sequence[Scalar]]) -> tuple[Scalar, ...]:
    """Return the homogeneous coordinates (last one positive) of the unique common zero of affine forms in dimension d.

    Raises:
        ValueError: the forms do not determine a single point.
    """
    for basis in combinations(rows, len(rows[0]) - 1):
        point = _zero_of_basis(basis)
        if point is not None:
            return tuple(point)
    raise ValueError("the forms have no single common zero")


def _zero_of_basis(rows: Sequence[Sequence[Scalar]]) -> list[Scalar] | None:
    """Return the homogeneous zero of d affine forms (signed minors), scaled to w > 0; ``None`` if it is not unique."""
    columns = len(rows) + 1
    point = [
        (-1) ** j * _determinant([[row[i] for i in range(columns) if i != j] for row in rows]) for j in range(columns)
    ]
    if point[-1] == 0:
        return None
    return [-x for x in point] if point[-1] < 0 else point


def _determinant(matrix: Sequence[Sequence[Scalar]]) -> Scalar:
    if len(matrix) == 1:
        return matrix[0][0]
    if len(matrix) == 2:
        (a, b), (c, d) = matrix
        return a * d - b * c
    total: Scalar = 0
    for j, x in enumerate(matrix[0]):
        minor = [[y for i, y in enumerate(row) if i != j] for row in matrix[1:]]
        total = total + (-1) ** j * x * _determinant(minor)
    return total
