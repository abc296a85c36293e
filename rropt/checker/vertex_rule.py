"""The vertex rule: the minimum variance of a binary design over an (epsilon, delta) region (FORMAT.md, vertex rule).

Let u = 1/(p00 + p11 - 1) and x = p00 u. The designs with p00 + p11 > 1 are the points (x, u) of a polyhedron that
contains no line, and n Var = (u - x + pi)(x - pi). Both factors are nonnegative combinations of the polyhedron's own
slacks,

    u - x + pi = (1 - pi) (u - x) + pi (1 + u - x),        x - pi = (1 - pi) x + pi (x - 1).

Hence their product is quasi-concave, and its minimum is at a vertex. The vertices are found by solving all bases in
integers.
"""

from fractions import Fraction
from itertools import combinations
from math import lcm
from typing import Any, NamedTuple

from .brackets import Bracket, UniformLevel, uniform_level
from .documents import Budget, Rejected, fields, fraction, items, of_kind
from .matrices import columns, read_matrix, read_mechanism, read_population

EXPLAINED = {
    "vertex": "The minimum of n Var is attained at a vertex of the region. The checker intersected every pair of "
    "its inequalities and compared the vertices in integers.",
}

_LABELS = (
    "p00<=1",
    "p11<=1",
    "p00>=0",
    "p11>=0",
    "yes-ratio",
    "no-ratio",
    "no-ratio-reversed",
    "yes-ratio-reversed",
)
Design = tuple[Fraction, Fraction]


class _Vertex(NamedTuple):
    design: Design  # (p00, p11)
    value: Fraction  # n Var
    tight: tuple[str, ...]


def check_vertex_rule(problem: Any, claim: Any, witness: Any) -> str:
    """Check a claim of kind optimal-design for the binary variance; return the tier of the proof of B, if any."""
    _, gamma_text, delta_text, listed = fields(witness, ["rule", "gamma", "delta", "vertices"], "witness")
    budget = Budget()
    (_, family, gamma, slack, _, tier), population = binary_problem(problem, "vertex", gamma_text, delta_text, budget)
    pi = read_population(population, 2, budget)[1]
    below = _vertices(gamma.below, slack.below, pi, family)
    above = _vertices(gamma.above, slack.above, pi, family)
    _check_list(listed, above, budget)
    if not below or sorted(v.tight for v in below) != sorted(v.tight for v in above):
        raise Rejected("the region has other vertices below than above: the bracket must be finer")
    optima = _check_claim(claim, below, above, budget)
    exact = gamma.below == gamma.above and slack.below == slack.above
    _require_exact_tie(optima, above, pi, exact)
    _check_optimal_set(claim["optimal_set"], pi, slack, family, budget)
    return tier


def binary_problem(problem: Any, rule: str, gamma: Any, delta: Any, budget: Budget) -> tuple[UniformLevel, Any]:
    """Prove the brackets of a binary variance problem; return its level, and the distribution as written."""
    region, objective, population = fields(problem, ["region", "objective", "population"], "problem")
    of_kind(objective, "variance", [], "objective")
    level = uniform_level(region, gamma, delta, budget)
    if level.sizes != ("2", "2") or level.family not in ("all", "warner"):
        raise Rejected(f"the {rule} rule needs 2 inputs, 2 outputs, a known family")
    return level, population


def _vertices(gamma: Fraction, delta: Fraction, pi: Fraction, family: str) -> list[_Vertex]:
    """Return the vertices of the region with p00 + p11 > 1, in ascending order of (p00, p11)."""
    scale = lcm(gamma.denominator, delta.denominator)
    rows = binary_rows(scale, int(gamma * scale), int(delta * scale))
    if family == "warner":  # the line x = (u + 1) / 2 with unknown u
        rows = [(cx + 2 * cu, cx + 2 * c) for cx, cu, c in rows]
    found: dict[tuple[str, ...], _Vertex] = {}
    for basis in combinations(rows, len(rows[0]) - 1):
        zero = _common_zero(basis)
        slacks = [sum(a * z for a, z in zip(row, zero, strict=True)) for row in rows] if zero else [-1]
        if min(slacks) < 0:
            continue
        tight = tuple(label for label, slack in zip(_LABELS, slacks, strict=True) if slack == 0)
        x, u, w = zero if family == "all" else (zero[0] + zero[1], 2 * zero[0], 2 * zero[1])
        value = (u - x + pi * w) * (x - pi * w) / Fraction(w * w)
        found[tight] = _Vertex((Fraction(x, u), Fraction(w + u - x, u)), value, tight)
    return sorted(found.values(), key=lambda vertex: vertex.design)


def vertex_designs(gamma: Fraction, delta: Fraction, family: str) -> list[Design]:
    """Return (p00, p11) for the vertices of the region with p00 + p11 > 1."""
    return [vertex.design for vertex in _vertices(gamma, delta, Fraction(0), family)]


def binary_rows(s: int, g: Fraction | int, d: Fraction | int) -> list[tuple[Any, ...]]:
    """Return the inequalities ``cx x + cu u + c >= 0`` at gamma = g / s, delta = d / s, in the order of the labels.

    The coefficients are integers if g and d are.
    """
    return [
        (-1, 1, 0),
        (1, 0, -1),
        (1, 0, 0),
        (-1, 1, 1),
        (s - g, g + d - s, -s),  # p11 <= gamma (1 - p00) + delta
        (g - s, d, -g),  # p00 <= gamma (1 - p11) + delta
        (g - s, d, s),  # 1 - p11 <= gamma p00 + delta
        (s - g, g + d - s, g),  # 1 - p00 <= gamma p11 + delta
    ]


def _common_zero(rows: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    """Return homogeneous coordinates, the last one positive, of the common zero of d affine forms, d in (1, 2)."""
    if len(rows) == 1:
        ((a, b),) = rows
        point: tuple[int, ...] = (-b, a)
    else:
        (a, b, c), (d, e, f) = rows
        point = (b * f - c * e, c * d - a * f, a * e - b * d)
    if not point[-1]:
        return ()
    return point if point[-1] > 0 else tuple(-z for z in point)


def _check_list(listed: Any, above: list[_Vertex], budget: Budget) -> None:
    """Reject unless the witness lists the vertices at the level above, in order."""
    for entry, vertex in zip(items(listed, "vertices", count=len(above)), above, strict=True):
        tight, point = fields(entry, ["tight", "at_above"], "a vertex")
        if tight != list(vertex.tight) or read_matrix([point], "a vertex", budget, (1, 2)) != [list(vertex.design)]:
            raise Rejected("a vertex of the witness is not the one found")


def _check_claim(claim: Any, below: list[_Vertex], above: list[_Vertex], budget: Budget) -> list[_Vertex]:
    """Return the optimal vertices; reject unless the claim agrees with them."""
    lower, upper, mechanism, optima, _ = of_kind(
        claim, "optimal-design", ["lower", "upper", "mechanism", "optima", "optimal_set"], "claim"
    )
    if fraction(lower, "lower") != min(vertex.value for vertex in above):
        raise Rejected("lower is not the least value over the vertices above")
    best = min(vertex.value for vertex in below)
    # values fall as the level grows, so a vertex whose value above exceeds `best` is not optimal at the true level
    candidates = {vertex.tight for vertex in above if vertex.value <= best}
    chosen = [vertex for vertex in below if vertex.tight in candidates]
    claimed = [design_of(entry, "an optimum", budget) for entry in items(optima, "optima", count=len(chosen))]
    if claimed != [vertex.design for vertex in chosen]:
        raise Rejected("optima are not the optimal vertices, in ascending order")
    design = design_of(mechanism, "mechanism", budget)
    value = next((vertex.value for vertex in chosen if vertex.design == design), None)
    if value is None:
        raise Rejected("mechanism is not one of the optima")
    if fraction(upper, "upper") != value:
        raise Rejected("upper is not the value of the mechanism")
    return chosen


def _require_exact_tie(chosen: list[_Vertex], above: list[_Vertex], pi: Fraction, exact: bool) -> None:
    """Reject several optima unless they tie exactly at the true level.

    They do if the level is exact, if their values are constant, or if they are two mirror images and pi = 1/2.
    """
    if len(chosen) < 2 or exact:
        return
    at_above = {vertex.tight: vertex.value for vertex in above}
    constant = all(vertex.value == at_above[vertex.tight] == chosen[0].value for vertex in chosen)
    mirrored = len(chosen) == 2 and pi == Fraction(1, 2) and chosen[0].design == chosen[1].design[::-1]
    if not constant and not mirrored:
        raise Rejected("a tie between optima is undecided: the bracket must be finer")


def design_of(data: Any, where: str, budget: Budget) -> Design:
    """Return (p00, p11) of ``{"matrix": [[p00, 1 - p11], [1 - p00, p11]]}``."""
    matrix = read_mechanism(data, where, budget, (2, 2))
    columns(matrix, where, budget)
    return matrix[0][0], matrix[1][1]


def _check_optimal_set(segment: Any, pi: Fraction, delta: Bracket, family: str, budget: Budget) -> None:
    """Reject unless optimal_set is right.

    It is the segment of designs with variance 0 if the family is all, pi is 0 or 1, and delta > 0. Otherwise it is
    null.
    """
    if family != "all" or pi not in (0, 1) or not delta.below:
        if segment is not None:
            raise Rejected("optimal_set must be null: the optima are all optimal designs")
        return
    ends = read_matrix(fields(segment, ["after", "through"], "optimal_set"), "optimal_set", budget, (2, 2))
    expected = [[Fraction(1), Fraction(0)], [Fraction(1), delta.below]]
    if ends != (expected if pi == 0 else [end[::-1] for end in expected]):
        raise Rejected("optimal_set is not the segment of designs of variance 0")
