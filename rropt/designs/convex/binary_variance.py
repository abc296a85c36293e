"""The smallest variance of a binary design by CVXPY: a linear multiplicative program, solved globally.

*Change of variables.* n Var is not convex in (p00, p11) and has up to three local minima. Let
``u = 1/(p00 + p11 - 1)``, ``x = p00 u`` and ``y = p11 u``, hence ``x + y - u = 1``. An inequality
``a p00 + b p11 + c >= 0`` becomes ``a x + b y + c u >= 0``, so the designs with p00 + p11 > 1 form a polyhedron. There
n Var is the product ``(u - x + pi)(x - pi)`` of two nonnegative affine forms. Let ``r = u - x`` and ``s = u - y``, both
>= 0. In (r, s) the inequality is ``(b + c) r + (a + c) s >= -(a + b + c)``, and n Var is ``f h`` with ``f = r + pi``
and ``h = s + 1 - pi``. Relabelling the outputs of a design with p00 + p11 < 1 gives a design with p00 + p11 > 1.

*One linear program with a parameter.* ``sqrt(f h) = min over t > 0 of (t f + h/t)/2``. So the root of the optimum
is the minimum over t of the values of the linear programs "minimize ``(t f + h/t)/2`` over the polyhedron".

*The bracket* is rational, and it is valid whatever the solver returns.

1. ``upper`` is n Var of an approximate minimizer, which is moved along its ray into the region at the lower level.
2. For ``lower``, the approximate multipliers, clipped at 0, combine the inequalities at the upper level into one
   inequality that all designs satisfy (weak duality).
3. Such cuts, with r, s >= 0, define a polygon that contains the polyhedron. On it ``sqrt(f h)`` is concave and
   increases with r and s, so the product attains its minimum at a vertex.
4. The next t is ``sqrt(h/f)`` at this vertex, where ``(t f + h/t)/2`` equals ``sqrt(f h)``. Either the program for this
   t finds a design no worse than the vertex, which is then optimal, or it cuts off the vertex.

If the solver fails, the bracket is wider: at worst, it consists of the value of a simple design and ``pi (1 - pi)``.

Sources: Holohan, Leith and Mason (2016), (6) and (12), for the problem; Konno and Kuno, "Linear multiplicative
programming", Math. Programming 56 (1992), for the parameter; Benson and Boger, "Outcome-space cutting-plane algorithm
for linear multiplicative programming", J. Optim. Theory Appl. 104 (2000), for the cuts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import ceil, floor, isfinite, log10
from threading import Lock
from typing import Any, cast

from rropt.core.exact.numbers import dot, whole_numbers
from rropt.designs.convex import is_solved, load_cvxpy
from rropt.designs.problem import Problem
from rropt.designs.solution import RouteResult
from rropt.privacy import RationalLevel
from rropt.privacy.region import OneLevelRegion, RationalLevels

# The bracket is returned as soon as its relative width is at most this. Float multipliers have 16 digits, so another
# program would hardly make it narrower.
CONVEX_GAP = Fraction(1, 10**12)

# Programs per problem. A region has at most three vertices, and three programs find and prove the best one. The other
# programs allow for errors of the solver.
_PROGRAMS = 8

# An inexact bracket is rounded outwards to this number of significant digits: the change is far below its width, and
# the endpoints are short to write.
_DIGITS = 24

# Floats of the scaled program are rounded to fractions with at most this denominator. It is finer than the accuracy of
# the solver and coarser than rounding errors, so simple exact values are recovered exactly.
_DENOMINATOR = 10**12

# The smallest tolerances that HiGHS accepts: at epsilon = 1e-9 the inequalities differ by about as little.
_TOLERANCES = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}

# SciPy's own HiGHS: cvxpy constructs the solver of highspy, whose constructor prints from version 1.16 on.
_SOLVER = "SCIPY"

_LOCK = Lock()  # a CVXPY problem stores its parameters and its solution, so only one thread may solve it at a time

Point = tuple[Fraction, Fraction]  # (r, s)
HalfPlane = tuple[Fraction, Fraction, Fraction]  # (a, b, c): the points (r, s) with a r + b s >= c
Cut = tuple[int, int, int]  # the same in integers
_ZERO, _ONE = Fraction(0), Fraction(1)
_RAYS: tuple[Point, ...] = ((_ONE, _ONE), (_ZERO, _ONE), (_ONE, _ZERO))  # Warner's designs; p00 = 1; p11 = 1
_QUADRANT: tuple[Cut, ...] = ((1, 0, 0), (0, 1, 0))  # r, s >= 0
_DIAGONAL: tuple[Cut, ...] = ((1, -1, 0), (-1, 1, 0))  # r = s: Warner's designs


def solve_convex(problem: Problem, levels: RationalLevels) -> RouteResult:
    """Return a rational bracket of the smallest n Var, from rounded primal and dual solutions of linear programs.

    Args:
        problem: a binary variance problem.
        levels: the lower and the upper rational level of its privacy level.

    Returns:
        The bracket, without a mechanism; the route does not decide ties.

    Cost: one to three CVXPY programs of two unknowns, about 1 ms each; the first call imports cvxpy (1 s).

    >>> from rropt.designs.problem import binary_problem
    >>> problem = binary_problem(epsilon="log(2)", delta="1/4", prevalence="1/4")
    >>> result = solve_convex(problem, problem.region.bracket(24))
    >>> result.lower <= Fraction(15, 16) <= result.upper, round(float(result.upper), 9)
    (True, 0.9375)
    """
    region, pi, levels = problem.region.one_level(), problem.prevalence, levels.one_level()
    below, above = (half_planes(region, level) for level in (levels.below, levels.above))

    def cost(point: Point) -> Fraction | None:
        design = on_boundary(below, point)
        return None if design is None else product(design, pi)

    known = [cost(ray) for ray in _RAYS]
    warner = region.family == "warner"
    cuts = [*_QUADRANT, *(_DIAGONAL if warner else ())]
    while True:
        corner = min(corners(cuts), key=lambda point: product(point, pi))
        known.append(cost(corner))
        lower, upper = product(corner, pi), min(value for value in known if value is not None)
        if upper - lower <= CONVEX_GAP * upper or len(cuts) > _PROGRAMS:
            break
        # on the diagonal every t has the same minimizer
        answer = _least(above, (_ONE, _ONE) if warner else (corner[1] + 1 - pi, corner[0] + pi))
        if answer is None:
            break
        known.append(cost(answer[0]))
        cuts.append(answer[1])
    if lower < upper:
        lower, upper = _rounded(lower, -1), _rounded(upper, 1)
    return RouteResult(lower=lower, upper=upper)


def half_planes(region: OneLevelRegion, level: RationalLevel) -> list[HalfPlane]:
    """Return the inequalities of a binary region at a rational level in (r, s), without those that r, s >= 0 imply."""
    rows = ((Fraction(cast(Fraction, x)) for x in inequality.row) for inequality in region.inequalities(level))
    found = [(b + c, a + c, -(a + b + c)) for a, b, c in rows]
    diagonal = [(Fraction(a), Fraction(b), Fraction(c)) for a, b, c in _DIAGONAL]
    return [row for row in found if row[2] > 0] + (diagonal if region.family == "warner" else [])


def product(point: Point, pi: Fraction) -> Fraction:
    """Return n Var of the design at (r, s): ``(r + pi)(s + 1 - pi)``."""
    r, s = point
    return (r + pi) * (s + 1 - pi)


def on_boundary(rows: Sequence[HalfPlane], point: Point) -> Point | None:
    """Return the exact point at which the ray from 0 through a point enters the region; None if it never does."""
    r, s = point
    along = [(a * r + b * s, c) for a, b, c in rows]
    if any(slope < 0 or (slope == 0 and c > 0) for slope, c in along):
        return None
    factor = max((c / slope for slope, c in along if slope), default=_ZERO)
    return factor * r, factor * s


def corners(cuts: Sequence[Cut]) -> Iterator[Point]:
    """Yield the vertices of the polygon of all points that satisfy the cuts."""
    for (a, b, c), (d, e, f) in combinations(cuts, 2):
        determinant = a * e - b * d
        if determinant:
            sign = 1 if determinant > 0 else -1
            r, s, w = sign * (c * e - b * f), sign * (a * f - c * d), sign * determinant
            if all(x * r + y * s >= z * w for x, y, z in cuts):
                yield Fraction(r, w), Fraction(s, w)


def _least(rows: Sequence[HalfPlane], weights: Point) -> tuple[Point, Cut] | None:
    """Return an approximate minimizer of ``w1 r + w2 s``, and the cut that its multipliers give.

    The program is scaled exactly before it is solved. Let W be the lowest cost of three simple designs. With
    ``r = r' W/w1`` and ``s = s' W/w2`` the cost is r' + s', and its minimum is near 1. A coordinate of weight 0 is
    scaled by its value in Warner's design. Then each row is divided by its largest coefficient. So the solver receives
    the same easy program at epsilon = 100 (r near 1e-44) as at delta = 1e-300 (s near 1e300).

    Returns:
        The point and the cut; None if the solver has no solution, or if W is 0.
    """
    simple = [point for point in (on_boundary(rows, ray) for ray in _RAYS) if point]
    total = min(weights[0] * r + weights[1] * s for r, s in simple)
    if not total:
        return None
    r_unit, s_unit = (total / weight if weight else simple[0][0] for weight in weights)
    scaled = [(a * r_unit, b * s_unit, c) for a, b, c in rows]
    sizes = [max(abs(a), abs(b)) for a, b, _ in scaled]
    floats = [[float(x / size) for x in row] for row, size in zip(scaled, sizes, strict=True)]
    solution = _solved(floats, [float(weight > 0) for weight in weights])
    if solution is None:
        return None
    (r, s), multipliers = solution
    y = [max(value, _ZERO) / size for value, size in zip(multipliers, sizes, strict=True)]
    sums = (dot(y, column) for column in zip(*rows, strict=True))
    (a, b, c), _ = whole_numbers(sums)
    return ((max(r, _ZERO) * r_unit, max(s, _ZERO) * s_unit), (a, b, c)) if c > 0 else None


def _solved(rows: list[list[float]], cost: list[float]) -> tuple[list[Fraction], list[Fraction]] | None:
    """Return the minimizer and the multipliers, rounded to simple fractions; None if the solver has no solution."""
    import numpy as np

    data = np.array(rows)
    with _LOCK:
        program, v, constraint, parameters = _program(len(rows))
        for parameter, value in zip(parameters, (data[:, :2], data[:, 2], cost), strict=True):
            parameter.value = value
        if not is_solved(program, solver=_SOLVER, scipy_options={"method": "highs", **_TOLERANCES}):
            return None
        answers = [[] if x is None else [float(value) for value in x] for x in (v.value, constraint.dual_value)]
    if not all(answers) or not all(isfinite(value) for answer in answers for value in answer):
        return None
    primal, dual = ([Fraction(value).limit_denominator(_DENOMINATOR) for value in answer] for answer in answers)
    return primal, dual


@lru_cache(maxsize=8)
def _program(rows: int) -> tuple[Any, Any, Any, tuple[Any, Any, Any]]:
    """Return the parametrized program; it follows the DPP rules, so CVXPY compiles it once."""
    cp = load_cvxpy()

    v = cp.Variable(2, nonneg=True)
    matrix, bounds, cost = cp.Parameter((rows, 2)), cp.Parameter(rows), cp.Parameter(2)
    constraint = matrix @ v >= bounds
    return cp.Problem(cp.Minimize(cost @ v), [constraint]), v, constraint, (matrix, bounds, cost)


def _rounded(value: Fraction, direction: int) -> Fraction:
    """Round a positive value to ``_DIGITS`` significant digits, up (direction 1) or down (direction -1)."""
    exponent = _DIGITS - floor((value.numerator.bit_length() - value.denominator.bit_length()) * log10(2))
    scale = Fraction(10) ** exponent
    return Fraction(ceil(value * scale) if direction > 0 else floor(value * scale)) / scale
