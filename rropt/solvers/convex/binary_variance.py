"""The least variance of a binary design through convex programmes: a linear multiplicative programme, solved globally.

n Var is not convex in (p00, p11) and has up to three local minima. Nothing here rests on a local search:

1. *Change of variables.* ``u = 1/(p00 + p11 - 1)``, ``x = p00 u`` make the designs with p00 + p11 > 1 a polyhedron
   and n Var the product ``(u - x + pi)(x - pi)`` of two affine forms that are nonnegative on it (CERTIFICATION.md).
   With ``r = u - x = (1 - p00) u`` and ``s = x - 1 = (1 - p11) u`` the polyhedron lies in r, s >= 0 and the forms are
   ``f = r + pi`` and ``h = s + 1 - pi``: a linear multiplicative programme (``lifted_regions``). Designs with
   p00 + p11 < 1 are these with the outputs relabelled.
2. *Convex programmes.* ``sqrt(f h) = inf over t > 0 of (t f + h/t)/2`` for f, h >= 0. So the root of the optimum is the
   infimum over t of the least ``(t f + h/t)/2`` over the polyhedron: for each t a linear programme, solved by CVXPY.
3. *Finitely many t.* The minimiser for t is a vertex, the same on an interval of t. Two neighbouring known points and
   the t at which they cost the same: either they are still best there, and the segment between them is an edge, or
   the programme finds a point between them (Eisner and Severance 1976). So every vertex that matters is found.
4. *Lower bound for all t at once.* Multipliers y >= 0 of the inequalities combine them into one that every design
   satisfies (weak duality): ``a r + b s >= c``. With r, s >= 0 these make a polygon *around* the polyhedron. There
   ``sqrt(f h)`` is concave (the geometric mean of affine forms) and grows with r and s, so over the polygon it is
   least at a vertex: the least of these finitely many products is a lower bound of n Var, and it is tight once the
   edges next to the optimum are among the cuts.

*The bracket* is rational and never depends on the solver's word. ``lower``: the float multipliers are rational
numbers, clipped at 0, combined with the exact rows at the level above, and the polygon's vertices are computed
exactly. ``upper``: the float minimiser is moved along its ray into the region at the level below, exactly, and its
n Var computed exactly. When the solver fails, the bracket is wider (Warner's design and ``pi (1 - pi)`` at worst).

Sources: Holohan, Leith and Mason (2016), (6) and (12), for the problem; Konno and Kuno, "Linear multiplicative
programming", Math. Programming 56 (1992), for the parametric programme; Benson and Boger, "Outcome-space cutting-plane
algorithm for linear multiplicative programming", J. Optim. Theory Appl. 104 (2000), for bounds by cuts.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, log10

from rropt.privacy import LevelBracket
from rropt.problem import Problem
from rropt.solvers.convex.lifted_regions import LiftedRegion, Point, product
from rropt.solvers.convex.outer_polygons import OuterPolygon
from rropt.solvers.convex.weighted_programmes import solve_weighted
from rropt.solvers.results import RouteResult
from rropt.tolerances import CONVEX_BRACKET_DIGITS, CONVEX_GAP, CONVEX_PROGRAMMES

__all__ = ["solve_convex"]


def solve_convex(problem: Problem, levels: LevelBracket) -> RouteResult:
    """Return a rational bracket of the least n Var, from rounded primals and duals of linear programmes.

    Args:
        problem: a binary variance problem.
        levels: rational levels around its level.

    Returns:
        The bracket; ties are not decided (``optima`` is None).

    Cost: one to three CVXPY programmes of two unknowns, about 1 ms each; the first call imports cvxpy (1 s).

    >>> from rropt.problem import binary_problem
    >>> problem = binary_problem(epsilon="log(2)", delta="1/4", prevalence="1/4")
    >>> result = solve_convex(problem, problem.region.bracket(24))
    >>> result.lower <= Fraction(15, 16) <= result.upper, round(float(result.upper), 9)
    (True, 0.9375)
    """
    search = _Search(problem, levels)
    for _ in range(CONVEX_PROGRAMMES):
        if search.upper - search.lower <= CONVEX_GAP * search.upper or not search.refine():
            break
    lower, upper = search.lower, search.upper
    if lower < upper:
        lower, upper = _rounded(lower, -1), _rounded(upper, 1)
    return RouteResult(lower=lower, upper=upper, optima=None)


class _Search:
    """The known points of the region, the polygon around it, and the bracket between them.

    ``points`` are in the order of their rays from the axis r = 0 to the axis s = 0. They begin with the minimisers for
    t to infinity and t to 0, on the axes; None stands for a point at infinity, where an axis lies outside the region.
    """

    def __init__(self, problem: Problem, levels: LevelBracket) -> None:
        self._pi = problem.prevalence
        self._below = LiftedRegion.of(problem.binary_region, levels.below)
        self._above = LiftedRegion.of(problem.binary_region, levels.above)
        self._polygon = OuterPolygon(diagonal=self._above.diagonal)
        self._points: list[Point | None] = [*self._above.ends()]
        self._tried: set[tuple[Point | None, Point | None]] = set()
        self.upper = product(self._below.warner(), self._pi)
        for end in self._below.ends():
            self._propose(end)
        self._bound()

    def refine(self) -> bool:
        """Solve the programme for two neighbouring points around the worst vertex; False when that was done before."""
        place = self._place(self._least)
        pair = self._points[place - 1], self._points[place]
        answer = None if pair in self._tried else solve_weighted(self._above, self._weights(*pair))
        self._tried.add(pair)
        if answer is None:
            return False
        self._polygon.cut(answer.half_plane)
        point = self._above.raised(answer.point)
        if _before(pair[0], point) and _before(point, pair[1]):
            self._points.insert(place, point)
        self._propose(self._below.raised(answer.point))
        self._bound()
        return True

    def _bound(self) -> None:
        """Read the lower bound off the polygon; its best vertex, moved into the region, is a proposal too."""
        self._least = min(self._polygon.vertices, key=lambda vertex: product(vertex, self._pi))
        self.lower = product(self._least, self._pi)
        self._propose(self._below.on_boundary(self._least))

    def _propose(self, point: Point | None) -> None:
        """Lower the upper bound to a point of the region at the level below."""
        if point is not None:
            self.upper = min(self.upper, product(point, self._pi))

    def _place(self, point: Point) -> int:
        """Return the index, at least 1, of the first known point on a later ray, else that of the last point."""
        later = (i for i, known in enumerate(self._points[1:-1], 1) if known and _before(point, known))
        return next(later, len(self._points) - 1)

    def _weights(self, left: Point | None, right: Point | None) -> Point:
        """Return the (t, 1/t), up to a factor, at which two neighbours cost the same."""
        if left and right:
            return max(left[1] - right[1], Fraction(0)), max(right[0] - left[0], Fraction(0))
        if left or right:  # the other is at infinity on its axis: only the other axis counts
            return Fraction(not left), Fraction(not right)
        return Fraction(1), Fraction(1)


def _before(left: Point | None, right: Point | None) -> bool:
    """Return whether the ray of ``left`` is nearer to the axis r = 0; None stands for an axis itself."""
    return left is None or right is None or left[0] * right[1] < right[0] * left[1]


def _rounded(value: Fraction, direction: int) -> Fraction:
    """Return a positive value to ``CONVEX_BRACKET_DIGITS`` significant digits, rounded up (1) or down (-1)."""
    exponent = CONVEX_BRACKET_DIGITS - floor((value.numerator.bit_length() - value.denominator.bit_length()) * log10(2))
    scale = Fraction(10) ** exponent
    return Fraction(ceil(value * scale) if direction > 0 else floor(value * scale)) / scale
