"""The statement ``every-level``: the optimum of a linear objective for every gamma of an interval (every_level.md).

With u = gamma - 1, a piece claims the value v = (A + B u)/(X + u). A row [d, S, x] stands for the row (1 + u [j in S])
x/(X + u) of output d, so that the rows are a mechanism iff they cover each input once. A cell proves that no mechanism
does better, by y with sum u v and

    sum_j max(0, y_j - u c_dj) <= L_d - v     for every output d,  L_d = sum_j c_dj.

Multiplied by X + u, both sides are quadratics in u between the points where a term changes its sign.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cmp_to_key
from math import isqrt, lcm
from typing import Any, NamedTuple, cast

from .documents import Rejected, WorkBudget, bits_of, fields, items, whole
from .limits import MAX_CELLS, MAX_ENTRIES
from .matrices import Vector, over_one_denominator, read_matrix, read_numbers, widest
from .quadratics import Point, Quadratic, compare, crossings, is_nonnegative, sign_after

_ONE = Point.of(0, 0, 0, 1)  # gamma = 1, u = 0


class _Costs(NamedTuple):
    """The costs ``rows/scale`` in integers, their sums ``totals/scale``, and the bit length of the longest."""

    rows: list[list[int]]
    totals: list[int]
    scale: int
    bits: int


class _Value(NamedTuple):
    """The value (A + B u)/(X + u)."""

    A: Fraction
    B: Fraction
    X: Fraction


def check_every_level(problem: Any, claim: Any, proof: Any) -> str:
    """Check the optimum for every gamma of an interval, and return the number of its pieces in words."""
    budget = WorkBudget()
    matrix, start, stop = fields(problem, ["costs", "from", "to"], "problem")
    costs = _over_one_scale(read_matrix(matrix, "costs", budget), budget)
    at, end = read_start(start, budget), read_end(stop, "to", budget)
    (pieces,), (cells,) = fields(claim, ["pieces"], "claim"), fields(proof, ["cells"], "proof")
    listed = items(pieces, "pieces", most=MAX_CELLS)
    reached: Point | None = at
    for piece, own in zip(listed, items(cells, "cells", count=len(listed)), strict=True):
        reached = _require_piece(costs, piece, own, reached, budget)
    budget.spend(8, _bits(end), _bits(reached))
    if not listed or compare(reached, end):
        raise Rejected("the pieces do not end where the problem ends")
    return (
        f"the optimum at every level of the interval has {len(listed)} {'formula' if len(listed) == 1 else 'formulas'}"
    )


def _over_one_scale(costs: list[list[Fraction]], budget: WorkBudget) -> _Costs:
    flat = over_one_denominator([cost for row in costs for cost in row], budget)
    k = len(costs[0])
    rows = [flat.numerators[i : i + k] for i in range(0, len(flat.numerators), k)]
    return _Costs(rows, list(map(sum, rows)), flat.denominator, flat.bits + k.bit_length())


def _bits(point: Point | None) -> int:
    return 0 if point is None else point.bits


def read_start(data: Any, budget: WorkBudget) -> Point:
    """Return the first gamma of a problem, at least 1, as a point of u = gamma - 1."""
    at = _point(data, "from", budget)
    if compare(at, _ONE) < 0:
        raise Rejected("from is below 1")
    return at


def read_end(data: Any, where: str, budget: WorkBudget) -> Point | None:
    """Return an end as a point of u = gamma - 1; None is infinity."""
    return None if data is None else _point(data, where, budget)


def _point(data: Any, where: str, budget: WorkBudget) -> Point:
    """Return a point of gamma, ``[p]`` or ``[p, q, D]``, as one of u = gamma - 1."""
    parts = data if isinstance(data, list) and len(data) == 3 else items(data, where, count=1)
    p, q, D = (*(budget.number(text, where) for text in parts), Fraction(0), Fraction(0))[:3]
    if len(parts) == 3:
        budget.spend(4, bits_of(D), bits_of(D))
        if not q or D.denominator > 1 or D < 2 or isqrt(D.numerator) ** 2 == D:
            raise Rejected(f"{where} is not a point p + q sqrt(D) with q not 0, D an integer that is no square")
    budget.spend(8, bits_of(p), bits_of(q) + bits_of(D))
    return Point.of_fractions(p - 1, q, D.numerator)


def _require_piece(costs: _Costs, piece: Any, cells: Any, low: Point | None, budget: WorkBudget) -> Point | None:
    """Reject unless a piece is right from ``low`` on; return its end (None is infinity)."""
    end, value, rows = fields(piece, ["to", "value", "rows"], "a piece")
    found = _value_of(costs, rows, budget)
    a, b, c = read_numbers(value, "value", budget, 3)
    if (a, b, c) != (found.A - found.B, found.B, found.X - 1):
        raise Rejected("the value is not that of the rows")
    listed = [fields(cell, ["to", "y"], "a cell") for cell in items(cells, "the cells of a piece", most=MAX_CELLS)]
    if not listed or listed[-1][0] != end:
        raise Rejected("a piece has no cells, or the last one does not end with it")
    reached = low
    for to, duals in listed:
        high = read_end(to, "the end of a cell", budget)
        budget.spend(8, _bits(reached), _bits(high))
        if compare(reached, high) >= 0:  # nothing is above infinity
            raise Rejected("a cell is empty")
        _require_bound(costs, found, _read_duals(duals, len(costs.rows[0]), budget), cast(Point, reached), high, budget)
        reached = high
    return reached


def _value_of(costs: _Costs, rows: Any, budget: WorkBudget) -> _Value:
    """Return the value of rows; reject unless they cover each input once."""
    k, seen, weights, lines = len(costs.rows[0]), set(), [], []
    for entry in items(rows, "rows", most=MAX_ENTRIES):
        output, members, text = items(entry, "a row", count=3)
        d = whole(output, "an output", len(costs.rows) - 1)
        budget.spend_in_bulk(3 * k, 0, 0)
        if not isinstance(members, str) or len(members) != k or members.strip("01") or "1" not in members:
            raise Rejected(f"a row has no set of the {k} inputs, a 0 or 1 for each and at least one 1")
        x = budget.number(text, "the weight of a row")
        if x <= 0:
            raise Rejected("the weight of a row is not positive")
        if (d, members) in seen:
            raise Rejected("a row stands twice")
        seen.add((d, members))
        weights.append(x)
        lines.append((d, [j for j, bit in enumerate(members) if bit == "1"]))
    own = over_one_denominator(weights, budget)
    budget.spend_in_bulk(3 * len(lines) * k, own.bits, costs.bits)
    cover, A, B = [0] * k, 0, 0
    for (d, inputs), weight in zip(lines, own.numerators, strict=True):
        A += weight * costs.totals[d]
        B += weight * sum(costs.rows[d][j] for j in inputs)
        for j in inputs:
            cover[j] += weight
    if any(total != own.denominator for total in cover):
        raise Rejected("the rows do not cover each input once")
    budget.spend(4, own.bits + costs.bits, own.bits + costs.bits)
    scale = own.denominator * costs.scale
    return _Value(Fraction(A, scale), Fraction(B, scale), Fraction(sum(own.numerators), own.denominator))


def _read_duals(data: Any, k: int, budget: WorkBudget) -> Vector:
    """Return the coefficients of the quadratics (X + u) y_j, one after the other, over one denominator."""
    listed = [read_numbers(entry, "an entry of y", budget, 3) for entry in items(data, "y", count=k)]
    return over_one_denominator([number for entry in listed for number in entry], budget)


def _require_bound(costs: _Costs, value: _Value, y: Vector, low: Point, high: Point | None, budget: WorkBudget) -> None:
    """Reject unless y proves on [low, high] that no mechanism has a lower cost than the value."""
    A, B, X = value
    budget.spend(8, costs.bits + y.bits + bits_of(X), bits_of(A) + bits_of(B))
    scale = lcm(y.denominator, costs.scale * X.denominator, A.denominator, B.denominator)
    of_y, of_costs = scale // y.denominator, scale // (costs.scale * X.denominator)
    # below, all is multiplied by scale
    a, b = A.numerator * (scale // A.denominator), B.numerator * (scale // B.denominator)
    budget.spend_in_bulk(3 * len(y.numerators), y.bits, of_y.bit_length())
    own = [
        (p * of_y, q * of_y, r * of_y)
        for p, q, r in zip(y.numerators[::3], y.numerators[1::3], y.numerators[2::3], strict=True)
    ]
    if tuple(map(sum, zip(*own, strict=True))) != (0, a, b):
        raise Rejected("the y do not sum to u times the value")
    bits = max(widest(*own), scale.bit_length() + costs.bits)
    ends = low.bits + _bits(high)
    x_cost, cost = X.numerator * of_costs, X.denominator * of_costs
    for row, total in zip(costs.rows, costs.totals, strict=True):
        budget.spend_in_bulk(_PER_TERM * len(row), bits, ends)
        over = [(p, q - x_cost * c, r - cost * c) for (p, q, r), c in zip(own, row, strict=True)]
        slack = (total * x_cost - a, total * cost - b, 0)
        _require_row(over, slack, low, high, budget)


_PER_TERM = 36  # products of a term: its two signs at the ends of a cell, and their slopes where these are 0


def _compared(one: tuple[Point, int], two: tuple[Point, int]) -> int:
    return compare(one[0], two[0])


_BY_POINT = cmp_to_key(_compared)


def _require_row(over: list[Quadratic], slack: Quadratic, low: Point, high: Point | None, budget: WorkBudget) -> None:
    """Reject unless ``slack >= sum max(0, over)`` on [low, high], all quadratics."""
    cuts: list[tuple[Point, int]] = []
    p, q, r = slack
    for i, term in enumerate(over):
        first = sign_after(term, low)
        if first:
            cuts += [(point, i) for point in crossings(term, low, high, first)]
        if first > 0:
            p, q, r = p - term[0], q - term[1], r - term[2]
    if cuts:
        longest = max(point.bits for point, _ in cuts) + _bits(high) + low.bits
        budget.spend(len(cuts) * (24 + 8 * len(cuts).bit_length()), longest, longest)
        cuts.sort(key=_BY_POINT)
    positive = [sign_after(term, low) > 0 for term in over] if cuts else []
    at = low
    for point, i in cuts:
        if not is_nonnegative((p, q, r), at, point):
            raise Rejected("a row of the dual fails between two points of a cell")
        change = 1 if positive[i] else -1  # the term ceases to be positive, or begins to be so
        positive[i] = not positive[i]
        p, q, r = p + change * over[i][0], q + change * over[i][1], r + change * over[i][2]
        at = point
    if not is_nonnegative((p, q, r), at, high):
        raise Rejected("a row of the dual fails between two points of a cell")
