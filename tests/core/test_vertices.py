"""Vertices of polytopes, in exact arithmetic."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rropt.core.exact import Epsilon
from rropt.core.linear.vertices import Vertex

E = Epsilon.of(1).exact_gamma()


@pytest.mark.parametrize("homogeneous", [(E, E), (E, 1), (1, E)])
def test_an_irrational_vertex_has_no_rational_point(homogeneous: tuple[object, object]) -> None:
    with pytest.raises(ValueError, match="the vertex is irrational: take its homogeneous coordinates"):
        Vertex(homogeneous, ()).point()  # type: ignore[arg-type]
    assert Vertex((1, 2), ()).point() == (Fraction(1, 2),)
