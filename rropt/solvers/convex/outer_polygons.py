"""A polygon around a lifted region, cut out by half-planes that are proved to contain the region."""

from __future__ import annotations

from fractions import Fraction

from rropt.solvers.convex.lifted_regions import HalfPlane, Point

__all__ = ["OuterPolygon"]


class OuterPolygon:
    """``{r, s >= 0 : a r + b s >= c for every cut}``, kept by its exact vertices; with ``diagonal``, its part r = s.

    All cuts have a, b >= 0, so the polygon contains with a point every larger one: its edges that go to infinity point
    upwards (from the first vertex) and to the right (from the last), and a function that grows with r and s and is
    quasi-concave on it has its least value at a vertex.

    Attributes:
        vertices: in the order of growing r and falling s.
    """

    __slots__ = ("_diagonal", "vertices")

    def __init__(self, *, diagonal: bool) -> None:
        self._diagonal = diagonal
        self.vertices: list[Point] = [(Fraction(0), Fraction(0))]

    def cut(self, half_plane: HalfPlane) -> None:
        """Keep the part inside a half-plane with coefficients >= 0, not both 0."""
        a, b, c = half_plane
        if self._diagonal:
            least = max(self.vertices[0][0], c / (a + b))
            self.vertices = [(least, least)]
            return
        slack = [a * r + b * s - c for r, s in self.vertices]
        outside = [i for i, excess in enumerate(slack) if excess < 0]
        if not outside:
            return
        first, last = outside[0], outside[-1]  # the vertices between are outside too: the chain is convex
        new = [self._crossing(first, first - 1, slack, half_plane), self._crossing(last, last + 1, slack, half_plane)]
        self.vertices[first : last + 1] = [point for point in new if point is not None]

    def _crossing(self, outside: int, neighbour: int, slack: list[Fraction], half_plane: HalfPlane) -> Point | None:
        """Return where the edge from a vertex outside towards its neighbour (or to infinity) enters the half-plane."""
        a, b, c = half_plane
        r, s = self.vertices[outside]
        if neighbour < 0:  # upwards: never, if the half-plane is bounded by a vertical line
            return (r, (c - a * r) / b) if b else None
        if neighbour == len(self.vertices):
            return ((c - b * s) / a, s) if a else None
        part = slack[outside] / (slack[outside] - slack[neighbour])
        x, y = self.vertices[neighbour]
        return r + part * (x - r), s + part * (y - s)
