"""The polygon of cuts around a lifted region: the same vertices as enumeration of all pairs of cuts."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from rropt.linear.vertices import vertices
from rropt.solvers.convex.outer_polygons import OuterPolygon

F = Fraction
_coefficient = st.fractions(0, 4, max_denominator=6)


@given(st.lists(st.tuples(_coefficient, _coefficient, st.fractions(-2, 6, max_denominator=6)), max_size=6))
def test_vertices_are_those_of_enumeration(cuts: list[tuple[Fraction, Fraction, Fraction]]) -> None:
    cuts = [(a, b, c) for a, b, c in cuts if a or b]
    polygon = OuterPolygon(diagonal=False)
    for cut in cuts:
        polygon.cut(cut)
    rows = [(F(1), F(0), F(0)), (F(0), F(1), F(0)), *((a, b, -c) for a, b, c in cuts)]
    assert set(polygon.vertices) == {vertex.point() for vertex in vertices(rows)}
    r = [vertex[0] for vertex in polygon.vertices]
    s = [vertex[1] for vertex in polygon.vertices]
    assert r == sorted(r)
    assert s == sorted(s, reverse=True)


@given(st.lists(st.tuples(_coefficient, _coefficient, st.fractions(-2, 6, max_denominator=6)), max_size=6))
def test_the_diagonal_alone(cuts: list[tuple[Fraction, Fraction, Fraction]]) -> None:
    cuts = [(a, b, c) for a, b, c in cuts if a or b]
    polygon = OuterPolygon(diagonal=True)
    for cut in cuts:
        polygon.cut(cut)
    (point,) = polygon.vertices
    assert point[0] == point[1] == max([F(0), *(c / (a + b) for a, b, c in cuts)])


def test_a_cut_through_a_vertex_changes_nothing() -> None:
    polygon = OuterPolygon(diagonal=False)
    polygon.cut((F(1), F(1), F(2)))
    polygon.cut((F(2), F(1), F(2)))
    assert polygon.vertices == [(F(0), F(2)), (F(2), F(0))]
