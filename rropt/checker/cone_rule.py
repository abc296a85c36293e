"""Designs with a restricted output alphabet, or with bounds on entries: a mechanism, and duals for all cells
(FORMAT.md, rule 22).

Let phi(p) = abs(p W)^2 / (p . pi) for a row p of a mechanism (W of one column for a contrast). A cell is a cone of rows
for each answer, given by k generators r. If ``phi(r) <= (alpha + beta_i) . r`` for the generators of answer i, phi
being convex and homogeneous, all mechanisms of the cell that meet the bounds have

    tr(W W^T M) = sum_i phi(p_i) <= B = sum alpha + sum_ij (beta_ij most_ij if beta_ij > 0 else beta_ij least_ij),

and ``tr M^-1 >= (tr W)^2 / B``; there are none if B < 0. The cells cover all mechanisms: at first each answer has an
order of its entries, which is the cone of the patterns 1, (gamma at the largest), (gamma at the two largest), ...; then
a cone is halved between two of its generators. Where answers are interchangeable their orders may ascend.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from typing import Any, NamedTuple

from .documents import Budget, Rejected, bits_of, fields, items, of_kind
from .limits import MAX_ENTRIES, MAX_ORDERED_INPUTS, MAX_PATTERN_INPUTS
from .matrices import (
    Vector,
    columns,
    matrix_over_one_denominator,
    over_one_denominator,
    read_matrix,
    read_mechanism,
    read_population,
    total,
)
from .pattern_divergences import require_patterns
from .pattern_rule import require_contrast, require_trace
from .polynomials import whole
from .regions import Region, read_region, require_member

EXPLAINED = {
    "cones": "The mechanisms were divided into cells, by the directions of their answers; in each cell the inequality "
    "behind the bound was tested at all corners, and the mechanism's value was worked out by an inverse or a solution.",
}

Ray = tuple[list[int], int]  # integers over a power of two, times the denominator of gamma
Cone = list[Ray]


class _Dual(NamedTuple):
    """W and alpha + beta_i of all answers in integers: ``abs(r W)^2 scales[0] <= (slopes . r)(pi . r) scales[1]``."""

    w: list[list[int]]
    slopes: list[list[int]]
    scales: tuple[int, int]
    bits: int


class _Goal(NamedTuple):
    """The inequality that each dual proves: ``(along W)^2 >= least B``."""

    name: str
    along: list[list[int]]  # the identity for a trace, one column for a contrast
    denominator: int
    least: Fraction


def check_cones(problem: Any, claim: Any, witness: Any) -> str:
    """Decide a claim of kind design-bracket about a restricted output alphabet, or about bounds on entries."""
    budget = Budget()
    data, objective, shares = fields(problem, ["region", "objective", "population"], "problem")
    lower, upper, made = of_kind(claim, "design-bracket", ["lower", "upper", "mechanism"], "claim")
    _, gamma, delta, primal, duals, cells = fields(
        witness, ["rule", "gamma", "delta", "primal", "duals", "cells"], "witness"
    )
    region = read_region(data, gamma, delta, budget)
    k, m = region.inputs, region.outputs
    if region.gamma is None or region.has_delta or region.gamma.above == 1:
        raise Rejected("the cone rule needs a region of one level with delta 0 and gamma above 1")
    if k > MAX_PATTERN_INPUTS:
        raise Rejected("the cone rule takes no more inputs than patterns are enumerated of")
    pi = over_one_denominator(read_population(shares, k, budget), budget)
    matrix = read_mechanism(made, "the mechanism", budget, (m, k))
    require_member(region, matrix, columns(matrix, "the mechanism", budget), budget)
    rows = [over_one_denominator(row, budget) for row in matrix]
    value, least = budget.number(upper, "upper"), budget.number(lower, "lower")
    goal = _goal(objective, pi, rows, primal, value, least, budget)
    reach = _reach(region, region.gamma.above, budget)
    if cells is None:
        _require_all_patterns(_dual(items(duals, "duals", count=1)[0], goal, region, pi, budget), reach, pi, budget)
        return region.tier
    listed = [_dual(each, goal, region, pi, budget) for each in items(duals, "duals", most=MAX_ENTRIES)]
    tokens = iter(items(cells, "cells", most=MAX_ENTRIES))
    for orders in _first_cells(region, reach, budget):
        _walk(orders, tokens, listed, pi, budget)
    if next(tokens, None) is not None:
        raise Rejected("cells go on after the last of them")
    return region.tier


def _goal(
    objective: Any, pi: Vector, rows: list[Vector], primal: Any, upper: Fraction, lower: Fraction, budget: Budget
) -> _Goal:
    """Return the inequality for the duals, after checking that the value of the mechanism is upper."""
    k = len(pi.numerators)
    if isinstance(objective, dict) and objective.get("kind") == "c-optimal":
        c, (square, over) = require_contrast(objective, pi, rows, primal, upper, budget)
        along, denominator, name = [[x] for x in c.numerators], c.denominator, "vector"
    else:
        of_kind(objective, "a-optimal", [], "objective")
        square, over = require_trace(pi, rows, primal, upper, budget)
        along, denominator, name = [[int(i == j) for j in range(k)] for i in range(k)], 1, "matrix"
    budget.spend(2, bits_of(lower), over.bit_length())
    return _Goal(name, along, denominator, lower - Fraction(square, over))


def _dual(data: Any, goal: _Goal, region: Region, pi: Vector, budget: Budget) -> _Dual:
    """Return a dual with a small enough B; the cells prove its inequality."""
    k, m = region.inputs, region.outputs
    texts, matrix, shifts = fields(data, ["alpha", goal.name, "bounds"], "a dual")
    if goal.name == "vector":
        read = [[entry] for entry in read_matrix([matrix], "a dual's vector", budget, (1, k))[0]]
    else:
        read = read_matrix(matrix, "a dual's matrix", budget, (k, k))
    (alpha,) = read_matrix([texts], "alpha", budget, (1, k))
    terms, beta = [(x.numerator, x.denominator) for x in alpha], [[Fraction(0)] * k]
    if shifts is not None:
        if region.bounds is None:
            raise Rejected("a dual has bounds where the region has none")
        beta = read_matrix(shifts, "bounds of a dual", budget, (m, k))
        for line, least, most in zip(beta, *region.bounds, strict=True):
            for b, low, high in zip(line, least, most, strict=True):
                end = high if b > 0 else low
                budget.spend(1, bits_of(b), bits_of(end))
                terms.append((b.numerator * end.numerator, b.denominator * end.denominator))
    bound = total(terms, budget)
    w, scale = matrix_over_one_denominator(read, budget)
    together, unit = matrix_over_one_denominator([alpha, *beta], budget)
    along = sum(a * b for left, right in zip(goal.along, w, strict=True) for a, b in zip(left, right, strict=True))
    budget.spend(4 + k, max(abs(along).bit_length(), bits_of(goal.least)), max(map(int.bit_length, bound)))
    reached = (scale * goal.denominator) ** 2 * bound[0] * goal.least.numerator
    if bound[0] >= 0 and (not along or reached > along**2 * bound[1] * goal.least.denominator):
        raise Rejected("a dual proves less than lower")
    slopes = [[a + b for a, b in zip(together[0], line, strict=True)] for line in together[1:]]
    scales = unit * pi.denominator, scale**2
    entries = (*(e for row in (*w, *slopes) for e in row), *scales)
    return _Dual(w, slopes, scales, max(pi.bits, *(abs(e).bit_length() for e in entries)))


def _require_all_patterns(dual: _Dual, gamma: Fraction, pi: Vector, budget: Budget) -> None:
    """Reject unless the inequality of every answer holds for all patterns."""
    for slopes in dual.slopes:
        require_patterns(dual.w, slopes, pi.numerators, gamma, dual.scales, budget)


def _reach(region: Region, gamma: Fraction, budget: Budget) -> Fraction:
    """Return gamma, or the largest ratio of two entries of a row that the bounds allow if that is smaller."""
    if region.bounds is None:
        return gamma
    most = Fraction(0)
    least, highest = region.bounds
    longest = max(bits_of(entry) for rows in region.bounds for row in rows for entry in row)
    budget.spend(4 * region.outputs * region.inputs**2, region.outputs * longest, region.outputs * longest)
    lows = [sum(column) for column in zip(*least, strict=True)]
    for low, high in zip(least, highest, strict=True):
        ends = [min(b, 1 - total + a) for a, b, total in zip(low, high, lows, strict=True)]
        for j, end in enumerate(ends):
            for i, a in enumerate(low):
                if i != j and end >= gamma * a:
                    return gamma
                most = max(most, end / a) if i != j else most
    if most <= 1:
        raise Rejected("the bounds leave nothing to be told")
    return most


def _first_cells(region: Region, gamma: Fraction, budget: Budget) -> Iterator[tuple[Cone, ...]]:
    """Iterate over the cells in which each answer has an order of its entries; orders ascend if that loses nothing."""
    k = region.inputs
    if k > MAX_ORDERED_INPUTS:
        raise Rejected(f"cells need at most {MAX_ORDERED_INPUTS} inputs")
    g, h = gamma.numerator, gamma.denominator
    cones = []
    for order in permutations(range(k)):
        budget.spend(k)
        places = sorted(range(k), key=order.__getitem__)  # where an input stands in the order
        cones.append([([g if place < size else h for place in places], 0) for size in range(k)])
    alike = region.bounds is None or all(row == rows[0] for rows in region.bounds for row in rows)
    yield from (
        combinations_with_replacement(cones, region.outputs) if alike else product(cones, repeat=region.outputs)
    )


def _walk(first: tuple[Cone, ...], tokens: Iterator[Any], duals: list[_Dual], pi: Vector, budget: Budget) -> None:
    """Follow the halvings of a first cell; each cell that is not halved has the dual that its token names."""
    waiting = [list(first)]
    while waiting:
        cell, token = waiting.pop(), next(tokens, None)
        budget.spend(1 + len(cell))
        if token is None:
            raise Rejected("cells end before the last of them")
        if isinstance(token, str):
            _require_corners(cell, duals[whole(token, "a dual's place", len(duals) - 1)], pi, budget)
            continue
        texts = items(token, "a halving", count=3)
        i, a, b = (whole(text, "a place in a halving", most) for text, most in zip(texts, _places(cell), strict=True))
        if a == b:
            raise Rejected("a cone is halved between a generator and itself")
        middle = _middle(cell[i][a], cell[i][b], budget)
        for replaced in (a, b):  # the second is taken first
            half = [middle if place == replaced else ray for place, ray in enumerate(cell[i])]
            waiting.append([*cell[:i], half, *cell[i + 1 :]])


def _places(cell: list[Cone]) -> tuple[int, int, int]:
    return len(cell) - 1, len(cell[0]) - 1, len(cell[0]) - 1


def _middle(one: Ray, other: Ray, budget: Budget) -> Ray:
    """Return half the sum of two rays."""
    (left, i), (right, j) = one, other
    power = max(i, j)
    budget.spend(len(left), max(left).bit_length() + power, max(right).bit_length() + power)
    return [(x << (power - i)) + (y << (power - j)) for x, y in zip(left, right, strict=True)], power + 1


def _require_corners(cell: list[Cone], dual: _Dual, pi: Vector, budget: Budget) -> None:
    """Reject unless the inequality of each answer holds for the generators of its cone."""
    left, right = dual.scales
    for i, cone in enumerate(cell):
        slopes = dual.slopes[min(i, len(dual.slopes) - 1)]
        for ray, _ in cone:
            long = max(ray).bit_length()
            budget.spend(1, 2 * dual.bits + long, 2 * dual.bits + long)
            budget.spend_in_bulk(len(ray) * (len(dual.w[0]) + 2), dual.bits, long)
            moved = [sum(x * y for x, y in zip(ray, column, strict=True)) for column in zip(*dual.w, strict=True)]
            side = sum(x * y for x, y in zip(ray, slopes, strict=True))
            mean = sum(x * y for x, y in zip(ray, pi.numerators, strict=True))
            if sum(x * x for x in moved) * left > side * mean * right:
                raise Rejected(f"a dual fails at a corner of a cell, for answer {i}")
