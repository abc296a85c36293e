"""The optimum of a linear objective on an interval of levels: pieces, each proved by the duals of its cells.

A basis of covers is optimal on an interval around each level at which it is found. Intervals that are left uncovered
are searched again until none is left. Neighbouring intervals with the same value are one piece.

An optimum has many duals. The lexicographic rule chooses one by the order of the inputs. Other orders give other
intervals, and fewer of all of them cover the levels.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from fractions import Fraction
from functools import cmp_to_key
from math import isqrt, lcm
from typing import Any, NamedTuple

from rropt.checker.quadratics import Point, compare
from rropt.core.certificates import Certificate
from rropt.core.exact import as_text
from rropt.designs.parametric.cover_simplex import CoverSimplex, Dual, Line

_ONE = Fraction(1)
_SEED = 1  # of the levels at which the search looks
_MOST_FACTOR = 1 << 10  # of the square factors that are taken out of a root
_MOST_SEARCHED = 24  # categories for which duals are sought in several orders of the inputs, for a shorter proof

Place = tuple[Fraction, Fraction, int]  # p + q sqrt(D) of gamma, as (p, q, D)


class CoverRow(NamedTuple):
    """The row ``x (1 + u [j in S])/(X + u)`` of an output."""

    output: int
    inputs: tuple[int, ...]
    x: Fraction


class SolvedPiece(NamedTuple):
    """The value ``(a + b gamma)/(c + gamma)`` up to a level, the rows that attain it, and the proof.

    Attributes:
        end: the last gamma, as ``(p, q, D)`` for ``p + q sqrt(D)``; None is infinity.
        value: (a, b, c).
        rows: the rows.
        cells: the end of each cell, and the coefficients of ``(X + u) y_j``.
    """

    end: Place | None
    value: tuple[Fraction, Fraction, Fraction]
    rows: tuple[CoverRow, ...]
    cells: tuple[tuple[Place | None, tuple[tuple[Fraction, ...], ...]], ...]


class _Cell(NamedTuple):
    rows: list[tuple[int, tuple[int, ...], Fraction]]
    line: Line
    dual: Dual


def solve_pieces(
    costs: Sequence[Sequence[Fraction]], start: Fraction = _ONE, stop: Fraction | None = None
) -> list[SolvedPiece]:
    """Return the least cost ``sum c_dj p_dj`` over all gamma-private mechanisms, for every gamma of an interval.

    Args:
        costs: c, shape (m, k).
        start: the least gamma, >= 1.
        stop: the largest gamma, > start; None is infinity.
    """
    scale = lcm(*(c.denominator for row in costs for c in row))
    whole = [[c.numerator * (scale // c.denominator) for c in row] for row in costs]
    low = _at(start)
    high = None if stop is None else _at(stop)
    pieces: list[list[tuple[_Cell, Point | None]]] = []
    for cell, end in _fewest(whole, low, high):
        if pieces and _are_equal(pieces[-1][-1][0].line, cell.line):
            pieces[-1].append((cell, end))
        else:
            pieces.append([(cell, end)])
    return [_piece(whole, scale, piece) for piece in pieces]


def _at(gamma: Fraction) -> Point:
    return Point.of_fractions(gamma - 1, Fraction(0), 0)


def _fewest(costs: list[list[int]], low: Point, high: Point | None) -> list[tuple[_Cell, Point | None]]:
    """Return few cells that cover the interval, in order, each with its end."""
    k = len(costs[0])
    from_middle = sorted(range(k), key=lambda j: abs(2 * j - k))
    orders = [from_middle, sorted(range(k), key=lambda j: -sum(row[j] for row in costs)), [*range(k)][::-1]]
    found = _covering(costs, orders[0], low, high)
    chosen = _needed(found, low, high)
    changes = sum(not _are_equal(one.line, two.line) for (one, _), (two, _) in itertools.pairwise(chosen))
    if k > _MOST_SEARCHED or len(chosen) == changes + 1:
        return chosen
    for order in orders[1:]:
        found += _covering(costs, order, low, high)
    return _needed(found, low, high)


def _covering(costs: list[list[int]], order: list[int], low: Point, high: Point | None) -> list[_Cell]:
    """Return cells that cover an interval; ``order`` is the order of the inputs in the lexicographic rule."""
    simplex = CoverSimplex([[row[j] for j in order] for row in costs])
    chance, found = random.Random(_SEED), []
    place = [order.index(j) for j in range(simplex.k)]
    left: list[tuple[Point, Point | None]] = [(low, high)]
    while left:
        a, b = left.pop()
        dual = None
        while dual is None:
            u = _generic(a, b, chance, simplex.k)
            simplex.optimize(u)
            dual = simplex.dual(u, low)
        rows = [(d, tuple(sorted(order[j] for j in inputs)), x) for d, inputs, x in simplex.rows()]
        own = dual._replace(y=[dual.y[i] for i in place])
        found.append(_Cell(rows, simplex.line(), own))
        if compare(dual.high, b) < 0 and dual.high is not None:
            left.append((dual.high, b))
        if compare(a, dual.low) < 0:
            left.append((a, dual.low))
    return found


def _generic(a: Point, b: Point | None, chance: random.Random, k: int) -> Fraction:
    """Return a rational number in the open interval (a, b), near a, at which no condition holds with equality."""
    bits = 24  # of the first try; they double until a number fits
    while True:
        low = _floor(a, bits)
        room = (k << bits) + low if b is None else (_floor(b, bits) - low) // 256
        if room > 1 << 20:
            u = Fraction(low + chance.randrange(1 << 16, room) | 1, 1 << bits)
            at = Point.of(u.numerator, 0, 0, u.denominator)
            if compare(a, at) < 0 and compare(at, b) < 0:
                return u
        bits += 8


def _floor(point: Point, bits: int) -> int:
    """Return the integer part of a point times 2^bits, or one more or less."""
    root = isqrt(point.q * point.q * point.D << (2 * bits))
    return ((point.p << bits) + (root if point.q > 0 else -root)) // point.s


def _starts_before(one: _Cell, two: _Cell) -> int:
    return compare(one.dual.low, two.dual.low)


_BY_START = cmp_to_key(_starts_before)


def _needed(cells: list[_Cell], low: Point, high: Point | None) -> list[tuple[_Cell, Point | None]]:
    """Return as few cells as cover the interval, in order, each with its end."""
    order = sorted(cells, key=_BY_START)
    chosen: list[_Cell] = []
    at: Point | None = low
    place = 0
    while at is not None and compare(at, high) < 0:
        best: _Cell | None = None
        while place < len(order) and compare(order[place].dual.low, at) <= 0:
            if best is None or compare(best.dual.high, order[place].dual.high) < 0:
                best = order[place]
            place += 1
        if best is None or compare(best.dual.high, at) <= 0:
            raise ArithmeticError("the cells do not cover the interval")
        chosen.append(best)
        at = best.dual.high
    ends: list[Point | None] = []
    for one, two in itertools.pairwise(chosen):  # both are valid where they overlap
        end = one.dual.high
        if end is not None and compare(two.dual.low, end) < 0:
            end = _simplest(two.dual.low, end)
        ends.append(end)
    return list(zip(chosen, [*ends, high], strict=True))


def _simplest(a: Point, b: Point) -> Point:
    """Return a short rational number of the open interval (a, b)."""
    bits = 1
    while True:
        low, high = _floor(a, bits) + 2, _floor(b, bits) - 1
        if low <= high:
            best = _between(Fraction(low, 1 << bits), Fraction(high, 1 << bits))
            return Point.of(best.numerator, 0, 0, best.denominator)
        bits += 4


def _between(low: Fraction, high: Fraction) -> Fraction:
    """Return the number of least denominator in [low, high], low > 0."""
    whole = -(-low.numerator // low.denominator)
    if whole <= high:
        return Fraction(whole)
    below = whole - 1
    return below + 1 / _between(1 / (high - below), 1 / (low - below))


def _are_equal(one: Line, two: Line) -> bool:
    """Return whether two values are the same function: constants may have different X."""
    a, b, x, s = one
    c, d, y, t = two
    return b * t == d * s and a * y == c * x and a * t * s + b * y * s == c * s * s + d * x * s


def _piece(costs: list[list[int]], scale: int, cells: list[tuple[_Cell, Point | None]]) -> SolvedPiece:
    """Return a piece with the shortest of the mechanisms of its cells."""
    k = len(costs[0])
    rows = min((cell.rows for cell, _ in cells), key=lambda rows: (len(rows), sum(x.denominator for *_, x in rows)))
    if len({d for d, _, _ in rows}) == 1:
        rows = [(rows[0][0], tuple(range(k)), Fraction(1))]
    A = sum((x * sum(costs[d]) for d, _, x in rows), Fraction(0)) / scale
    B = sum((x * sum(costs[d][j] for j in inputs) for d, inputs, x in rows), Fraction(0)) / scale
    X = sum((x for *_, x in rows), Fraction(0))
    proof: list[tuple[Place | None, tuple[tuple[Fraction, ...], ...]]] = []
    for cell, end in cells:
        own = Fraction(cell.line.X, cell.line.scale)
        divisor = cell.dual.scale * scale
        duals = [(Fraction(p, divisor), Fraction(q, divisor), Fraction(r, divisor)) for p, q, r in cell.dual.y]
        if own != X:  # of a constant value: y is linear
            duals = [(X * (q - r * own), (q - r * own) + X * r, r) for _, q, r in duals]
        at = _canonical(end)
        if proof and proof[-1][1] == tuple(duals):
            proof.pop()
        proof.append((at, tuple(duals)))
    rows.sort()
    return SolvedPiece(proof[-1][0], (A - B, B, X - 1), tuple(CoverRow(*row) for row in rows), tuple(proof))


def _canonical(point: Point | None) -> Place | None:
    """Return a point of u as the point ``p + q sqrt(D)`` of gamma; squares of small numbers are taken out of D."""
    if point is None:
        return None
    p, q, root = Fraction(point.p, point.s) + 1, Fraction(point.q, point.s), point.D
    exact = isqrt(root)
    if exact * exact == root:
        return p + q * exact, Fraction(0), 0
    factor = 2
    while factor < _MOST_FACTOR and factor * factor <= root:
        while root % (factor * factor) == 0:
            root, q = root // (factor * factor), q * factor
        factor += 1
    return (p, q, root) if q else (p, q, 0)


def point_text(point: Place | None) -> list[str] | None:
    """Return a point as a certificate states it."""
    if point is None:
        return None
    p, q, root = point
    return [as_text(p), as_text(q), str(root)] if root else [as_text(p)]


def certify_pieces(
    costs: Sequence[Sequence[Fraction]], pieces: Sequence[SolvedPiece], start: Fraction, stop: Fraction | None
) -> Certificate:
    """Return the certificate of the statement ``every-level``."""
    k = len(costs[0])

    def row(member: CoverRow) -> list[str]:
        inputs = set(member.inputs)
        return [str(member.output), "".join("01"[j in inputs] for j in range(k)), as_text(member.x)]

    claim = [
        {"to": point_text(piece.end), "value": [*map(as_text, piece.value)], "rows": [*map(row, piece.rows)]}
        for piece in pieces
    ]
    cells: list[Any] = [
        [{"to": point_text(end), "y": [[*map(as_text, quadratic)] for quadratic in y]} for end, y in piece.cells]
        for piece in pieces
    ]
    problem = {
        "costs": [[*map(as_text, line)] for line in costs],
        "from": [as_text(start)],
        "to": None if stop is None else [as_text(stop)],
    }
    return Certificate.state("every-level", problem, {"pieces": claim}, {"cells": cells})
