"""Minimax and minimax-regret binary designs over an interval of prevalences (FORMAT.md, interval rule).

Let u = 1/(p00 + p11 - 1). A design is the point r = (1 - p00) u >= 0, s = (1 - p11) u >= 0 of a convex polyhedron Q.
With each point Q contains every larger point. At prevalence pi, n Var is V = (r + pi)(s + 1 - pi).

* Minimax: the square root of the maximum of V over the interval is concave on Q, so its minimum is at a vertex.
* Minimax regret: with a and b the least values of V at L and H, the regret of a design is the larger of V(L) - a and
  V(H) - b. The regret is least at a vertex, or at the point where the line V(L) - a = V(H) - b enters Q.
"""

from fractions import Fraction
from typing import Any

from .documents import Budget, Rejected, fields, fraction, items
from .matrices import read_population
from .vertex_rule import Design, binary_problem, design_of, vertex_designs

EXPLAINED = {
    "interval": "The smallest worst case is attained at a vertex of the region, and the smallest regret there or "
    "where the excess is equal at both endpoints. The checker compared all these designs in exact fractions.",
}

Point = tuple[Fraction, Fraction]  # (r, s)
Ends = tuple[Fraction, Fraction]  # a number for each endpoint of the interval


def check_interval_rule(problem: Any, claim: Any, witness: Any) -> str:
    """Check a claim of kind minimax-design or least-regret-design."""
    _, gamma_text, delta_text = fields(witness, ["rule", "gamma", "delta"], "witness")
    budget = Budget()
    (_, family, gamma, slack, _, tier), population = binary_problem(problem, "interval", gamma_text, delta_text, budget)
    interval = _interval(population, budget)
    below = [_point(design) for design in vertex_designs(gamma.below, slack.below, family)]
    above = [_point(design) for design in vertex_designs(gamma.above, slack.above, family)]
    if not below or not above:
        raise Rejected("nothing can be estimated at the level below: the bracket must be finer")
    claimed, lower_text, upper_text, mechanism = fields(claim, ["kind", "lower", "upper", "mechanism"], "claim")
    lower, upper = fraction(lower_text, "lower"), fraction(upper_text, "upper")
    point = _allowed(design_of(mechanism, "mechanism", budget), gamma.below, slack.below, family)
    if claimed == "minimax-design":
        bound, value = min(_worst(vertex, interval) for vertex in above), _worst(point, interval)
    elif claimed == "least-regret-design":
        # at each endpoint the true optimum lies between these
        dear, cheap = _best(below, interval), _best(above, interval)
        bound = _least_regret(above, interval, dear, gamma.above, slack.above, family)
        value = _regret(point, interval, cheap)
    else:
        raise Rejected("the interval rule proves claims of kind minimax-design and least-regret-design")
    if lower != bound:
        raise Rejected("lower is not the bound at the level above")
    if upper != value:
        raise Rejected("upper is not the value of the mechanism")
    return tier


def _interval(population: Any, budget: Budget) -> Ends:
    """Return the two prevalences of the distribution's vertices, in ascending order."""
    (listed,) = fields(population, ["vertices"], "population")
    vertices = items(listed, "population's vertices", count=2)
    low, high = (read_population(vertex, 2, budget, "a vertex of the population")[1] for vertex in vertices)
    if low > high:
        raise Rejected("the population's vertices are not in ascending order of the prevalence")
    return low, high


def _point(design: Design) -> Point:
    total = design[0] + design[1] - 1
    return (1 - design[0]) / total, (1 - design[1]) / total


def _allowed(design: Design, gamma: Fraction, delta: Fraction, family: str) -> Point:
    """Return the point (r, s) of a design; reject it if it is not in the region."""
    a, b = design
    if a + b <= 1:
        raise Rejected("mechanism has p00 + p11 <= 1")
    if b > gamma * (1 - a) + delta or a > gamma * (1 - b) + delta:
        raise Rejected("mechanism is not private at the level below")
    if family == "warner" and a != b:
        raise Rejected("mechanism is not of the family warner")
    return _point(design)


def _variance(point: Point, pi: Fraction) -> Fraction:
    return (point[0] + pi) * (point[1] + 1 - pi)


def _worst(point: Point, interval: Ends) -> Fraction:
    """Return the maximum of n Var over the interval: a concave quadratic in the prevalence."""
    at = min(max((point[1] + 1 - point[0]) / 2, interval[0]), interval[1])
    return _variance(point, at)


def _best(vertices: list[Point], interval: Ends) -> Ends:
    low, high = (min(_variance(point, pi) for point in vertices) for pi in interval)
    return low, high


def _regret(point: Point, interval: Ends, best: Ends) -> Fraction:
    return max(_variance(point, pi) - value for pi, value in zip(interval, best, strict=True))


def _least_regret(
    vertices: list[Point], interval: Ends, best: Ends, gamma: Fraction, delta: Fraction, family: str
) -> Fraction:
    """Return the minimum regret over the region, relative to ``best``.

    Candidates are the vertices and the point where the line of equal excess enters the region.
    """
    points = list(vertices)
    if family == "all" and interval[0] < interval[1]:
        low, high = (value - pi * (1 - pi) for pi, value in zip(interval, best, strict=True))
        points.append(_entry((low - high) / (interval[1] - interval[0]), gamma, delta))
    return max(min(_regret(point, interval, best) for point in points), Fraction(0))


def _entry(difference: Fraction, gamma: Fraction, delta: Fraction) -> Point:
    """Return the point where the line r - s = difference, in direction (1, 1), enters Q."""
    offset = abs(difference)
    smaller = max((1 - delta - delta * offset) / (gamma + 2 * delta - 1), Fraction(0))
    return (smaller + offset, smaller) if difference >= 0 else (smaller, smaller + offset)
